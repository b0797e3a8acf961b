"""The result of a comparison: its records, and all that is derived from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any, Self

from gridproof.errors import DisagreementError, InputError, choices
from gridproof.experiments import files, printing
from gridproof.experiments.records import Claims, Clock, RunRecord, Setup
from gridproof.experiments.statistics import Growth, Ranking, Summary, growth, instance_times, percentile, rankings
from gridproof.runs.tables import Kind, frame

_PLOTS = ("cactus", "scatter", "survival", "against")
"""The kinds of pictures: functions of ``plots``."""


@dataclass(frozen=True, repr=False)
class Comparison:
    """Runs and their limits. ``compare`` makes it, ``Comparison.read`` reads one again.

    Attributes
    ----------
    records : tuple of RunRecord
        In the order in which they were made.
    limit : float
        Seconds for each run.
    seed : int
        Of the order and the samples.
    expected : int
        How many runs were to be made.
    notes : tuple of str
        What was skipped or done differently, and why.

    Examples
    --------
    >>> from gridproof import parse
    >>> from gridproof.experiments import PuzzleSet, compare
    >>> one = PuzzleSet("one", [parse("1... ..2. .3.. ...4")])
    >>> comparison = compare([one], ["search-bits"], repeat=1)
    >>> comparison.complete, str(comparison.setup("search-bits"))
    (True, 'search-bits cold')
    """

    records: tuple[RunRecord, ...]
    limit: float
    seed: int
    expected: int
    notes: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """True if all runs were made."""
        return len(self.records) >= self.expected

    @property
    def setups(self) -> tuple[Setup, ...]:
        """The setups in alphabetical order."""
        return tuple(sorted({record.setup for record in self.records}, key=str))

    def setup(self, text: str | Setup) -> Setup:
        """Return the setup that a text means.

        Parameters
        ----------
        text : str or Setup
            ``backend`` or ``backend/encoding``, either with `` cold`` or `` warm`` behind. A setup means itself.

        Raises
        ------
        InputError
            There is none, or more than one.
        """
        if isinstance(text, Setup):
            return text
        meant = [
            setup
            for setup in self.setups
            if text in (setup.backend, setup.name, f"{setup.backend} {setup.mode}", str(setup))
        ]
        if len(meant) != 1:
            known = ", ".join(repr(str(setup)) for setup in meant or self.setups)
            raise InputError(f"{text!r} means {'several runs' if meant else 'nothing here'}; expected one of {known}")
        return meant[0]

    def limit_by(self, clock: Clock) -> float:
        """Return the seconds that an unsolved run counts twice: the limit, or by ``cpu`` that of processor time."""
        limits = [run.cpu_limit for run in self.records if clock == "cpu" and run.cpu_limit is not None]
        return max(limits, default=self.limit)

    @property
    def processor_share(self) -> float | None:
        """The median of processor time over wall time of runs above a millisecond: small where the machine was busy."""
        shares = [run.cpu_seconds / run.seconds for run in self.records if run.seconds > 0.001 and run.cpu_seconds]
        return median(shares) if shares else None

    def rankings(self, clock: Clock = "whole") -> list[Ranking]:
        """Return the setups of each set and mode, the best first, with the tests against the best.

        Parameters
        ----------
        clock : {"whole", "solve", "cpu"}
            Wall time of whole runs, or of solving alone, without encoding and loading, or processor time of whole runs.
        """
        return rankings(self.records, self.limit_by(clock), clock)

    def summaries(self, clock: Clock = "whole") -> list[Summary]:
        """Return the rows of all rankings."""
        return [row for ranking in self.rankings(clock) for row in ranking.rows]

    def growth(self, parameter: str = "order", clock: Clock = "whole") -> dict[Setup, Growth | None]:
        """Return the law by which each setup's median time grows with a parameter; see ``statistics.growth``."""
        return {
            setup: growth({value: percentile(times, 0.5) for value, times in values.items()})
            for setup, values in self.times_by(parameter, clock).items()
        }

    def times_by(self, parameter: str, clock: Clock = "whole") -> dict[Setup, dict[float, list[float]]]:
        """Return the times of the instances for each setup and each value of the parameter, in ascending order."""
        values = {(run.puzzle_set, run.puzzle): dict(run.parameters).get(parameter) for run in self.records}
        numbers = {key: value for key, value in values.items() if isinstance(value, int | float)}
        if not numbers:
            parameters = (pair for run in self.records for pair in run.parameters)
            known = sorted({name for name, value in parameters if isinstance(value, int | float)})
            raise InputError(
                f"instances by {parameter!r}; expected {' or '.join(known) or 'runs with parameters that are numbers'}"
            )
        by_value: dict[Setup, dict[float, list[float]]] = {}
        for puzzle_set, times in instance_times(self.records, clock).items():
            for setup, puzzles in times.items():
                for puzzle, time in puzzles.items():
                    if (puzzle_set, puzzle) in numbers:
                        by_value.setdefault(setup, {}).setdefault(numbers[puzzle_set, puzzle], []).append(time)
        return {setup: dict(sorted(values.items())) for setup, values in by_value.items()}

    def part(
        self, *, sets: Sequence[str] = (), backends: Sequence[str] = (), encodings: Sequence[str] = ()
    ) -> Comparison:
        """Return the runs of some sets, backends and encodings alone.

        Parameters
        ----------
        sets, backends, encodings : sequence of str
            Their names; all, where none is named.

        Raises
        ------
        InputError
            No run has a name, or none has all of them.
        """
        kept = self.records
        for what, names in (("puzzle_set", sets), ("backend", backends), ("encoding", encodings)):
            known = {getattr(run, what) for run in self.records} - {None}
            if unknown := [name for name in names if name not in known]:
                raise InputError(f"{what} {unknown[0]!r}; {choices(unknown[0], sorted(known))}")
            kept = tuple(run for run in kept if not names or getattr(run, what) in names)
        if not kept:
            raise InputError("no run has all of these; expected names of runs that were made together")
        return replace(self, records=kept, expected=len(kept) if self.complete else self.expected)

    def plot(self, kind: str = "cactus", *arguments: Any, **options: Any) -> Any:
        """Return a picture: ``cactus``, ``scatter``, ``survival`` or ``against``.

        The arguments are those of the function of that name in ``gridproof.experiments.plots``. The picture shows
        itself in a notebook, has ``save(path)``, and ``axes`` of Matplotlib to change. Needs matplotlib.
        """
        if kind not in _PLOTS:
            raise InputError(f"a plot of the kind {kind!r}; {choices(kind, _PLOTS)}")
        # pictures are drawn from comparisons, so that this is the only way from here to there
        draw = getattr(import_module("gridproof.experiments.plots"), kind)
        return draw(self, *arguments, **options)

    def __str__(self) -> str:
        return self.text()

    def text(self, clock: Clock = "whole") -> str:
        """Return the tables for a terminal; see ``rankings`` for the clock."""
        return printing.text(self, clock)

    def __repr__(self) -> str:
        return f"<Comparison: {len(self.records):,} of {self.expected:,} runs, {len(self.setups)} setups>"

    def _repr_html_(self) -> str:
        return printing.html(self)

    def to_markdown(self, clock: Clock = "whole") -> str:
        """Return the tables in Markdown, with intervals and tests."""
        return printing.markdown(self, clock)

    def to_latex(self, clock: Clock = "whole") -> str:
        """Return the tables in LaTeX, with intervals and tests, for the package ``booktabs``."""
        return printing.latex(self, clock)

    def to_table(self, kind: Kind = "pandas") -> Any:
        """Return a table with a row for each run.

        The columns are those of ``RunRecord``, then the parameters of the instances, ``seconds``, ``solving_seconds``
        and ``solved``.

        Parameters
        ----------
        kind : {"pandas", "polars", "arrow"}
            Whose table.

        Raises
        ------
        BackendUnavailable
            The package is not installed.
        """
        types, columns = files.columns_of(self.records)
        for name, of in (("seconds", "float64"), ("solving_seconds", "float64"), ("solved", "bool_")):
            types[name] = of
            columns.append([getattr(record, name) for record in self.records])
        return frame(kind, types, columns)

    def write(self, path: str | Path) -> None:
        """Write the records to a file.

        Parameters
        ----------
        path : path
            Its ending says the form: .csv, .jsonl or .parquet (which needs pyarrow).

        Raises
        ------
        InputError
            The ending says no form, or no file can be written there.
        """
        files.write(self.records, path)

    @classmethod
    def read(cls, *paths: str | Path) -> Self:
        """Return the comparison in one file or several.

        Parameters
        ----------
        *paths : path
            Files that ``write`` made.

        Raises
        ------
        InputError, ContradictionError
            As ``of``; ``InputError`` for files of something else, too.
        """
        return cls.of([record for path in paths for record in files.read(path)])

    @classmethod
    def of(cls, records: Iterable[RunRecord], notes: Sequence[str] = ()) -> Self:
        """Return a comparison of these records.

        Parameters
        ----------
        records : iterable of RunRecord
            Runs of one limit, each once.
        notes : sequence of str
            What was skipped or done differently.

        Raises
        ------
        InputError
            Limits differ, or a run is there twice.
        ContradictionError
            Two runs contradict each other.
        """
        records = tuple(records)
        limits = {(record.limit, record.limit_clock) for record in records}
        if len(limits) != 1:
            texts = ", ".join(f"{limit:g} s ({clock})" for limit, clock in sorted(limits)) or "no runs"
            raise InputError(f"results of {texts}; expected runs of one limit")
        first = {record.key: record for record in reversed(records)}
        if twice := next((record for record in records if first[record.key] is not record), None):
            what = f"{twice.puzzle_set}, puzzle {twice.puzzle} on {twice.setup}, round {twice.repeat + 1}"
            raise InputError(f"results with one run twice: {what}; expected each once")
        comparison = cls(records, records[0].limit, records[0].seed, len(records), tuple(notes))
        claims = Claims()
        for record in records:
            if problem := claims.add(record):
                raise ContradictionError(problem, comparison)
        return comparison


class ContradictionError(DisagreementError):
    """A contradiction of two runs, or a grid of a solver that is no solution.

    ``comparison`` has the runs until then; the last record is the one that revealed it.
    """

    def __init__(self, message: str, comparison: Comparison) -> None:
        super().__init__(message)
        self.comparison = comparison
