"""The result of a comparison: its records, all that is derived from them, and contradictions between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Self

from gridproof.errors import DisagreementError, InputError
from gridproof.experiments import plain, plots, printing
from gridproof.experiments import records as files
from gridproof.experiments.compared import ComparedRuns
from gridproof.experiments.overall import Overall, rank_overall
from gridproof.experiments.plot_layout import Plot
from gridproof.experiments.records import Clock, RunRecord
from gridproof.experiments.statistics import DEFAULT_FACTOR, Ranking, Summary, rankings
from gridproof.experiments.table_columns import find_columns
from gridproof.pictures.cards import card
from gridproof.pictures.document import xml_text
from gridproof.runs.frames import Kind, make_frame
from gridproof.text import suggest
from gridproof.trust.answer import BY_NUMBER, Status

PLOTS = {"cactus": 0, "scatter": 2, "against": 1}
"""The kinds of pictures, which are functions of ``plots``, and how many arguments they take."""

BUSY = 0.8
"""A median share of processor time in wall time below this means that other programs had the processor."""


@dataclass(frozen=True, repr=False)
class Comparison(ComparedRuns):
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

    def rankings(self, clock: Clock = "whole", par: int = DEFAULT_FACTOR) -> list[Ranking]:
        """Return the setups of each set and mode, the best first, with the tests against the best.

        Parameters
        ----------
        clock : {"whole", "solve", "cpu"}
            Wall time of whole runs, or of solving alone, without encoding and loading, or processor time of whole runs.
        par : int
            How many times the limit an unsolved puzzle counts: 2 for PAR-2, 10 for PAR-10.
        """
        return rankings(self.records, self.limit_by(clock), clock, par)

    def overall(self, clock: Clock = "whole", par: int = DEFAULT_FACTOR) -> list[Overall]:
        """Return for each mode the setups over all sets, by puzzles solved, then by time; see ``rankings``."""
        return rank_overall(self.rankings(clock, par))

    def summaries(self, clock: Clock = "whole") -> list[Summary]:
        """Return the rows of all rankings."""
        return [row for ranking in self.rankings(clock) for row in ranking.rows]

    def plot(self, kind: str = "cactus", *arguments: Any, **options: Any) -> Plot:
        """Return a picture: ``cactus``, ``scatter`` or ``against``.

        The arguments are those of the function of that name in ``gridproof.experiments.plots``. The picture shows
        itself in a notebook, has ``save(path)``, and ``axes`` of Matplotlib to change. Needs matplotlib.
        """
        if kind not in PLOTS:
            raise InputError(f"a plot of the kind {kind!r}; {suggest(kind, PLOTS)}")
        draw: Callable[..., Plot] = getattr(plots, kind)
        return draw(self, *arguments, **options)

    def __str__(self) -> str:
        return self.text()

    def text(self, clock: Clock = "whole", par: int = DEFAULT_FACTOR, columns: str = "") -> str:
        """Return the tables for a terminal; see ``rankings`` for the first two, ``to_markdown`` for the columns."""
        return printing.text(self.rankings(clock, par), clock, self._warnings(), _chosen(columns))

    def __repr__(self) -> str:
        return f"<Comparison: {len(self.records):,} of {self.expected:,} runs, {len(self.setups)} setups>"

    def _repr_html_(self) -> str:
        sentence = f"{len(self.records):,} of {self.expected:,} runs, at most {self.limit:g} s each."
        table = f'<pre style="white-space:pre;overflow-x:auto">{xml_text(self.text())}</pre>'
        return f"<div>{card(sentence, [('note', note) for note in self.notes])}{table}</div>"

    def _warnings(self) -> list[str]:
        """Return lines on what limits the tables: a busy machine, missing runs."""
        lines = []
        measured = [run for run in self.records if run.machine and run.seconds > 0.001 and run.time("cpu")]
        share = median([run.time("cpu") / run.seconds for run in measured] or [1.0])
        if share < BUSY:
            busy = f"the median run had the processor {share:.0%} of its time (see clock cpu)"
            lines.append(f"The machine was busy: {busy}.")
        if not self.complete:
            made = f"{len(self.records):,} of {self.expected:,} runs"
            lines.append(f"Incomplete: {made}; puzzles that were not run on all of these are omitted.")
        return lines

    def to_markdown(self, clock: Clock = "whole", par: int = DEFAULT_FACTOR, columns: str = "") -> str:
        """Return the tables in Markdown, with intervals and tests.

        Parameters
        ----------
        clock, par
            As for ``rankings``.
        columns : str
            Their names with commas between them, such as ``"solved, PAR-2, p"``; by default all that suit a paper.

        Raises
        ------
        InputError
            There is no such column.
        """
        return printing.markdown(self.rankings(clock, par), clock, _chosen(columns))

    def to_latex(self, clock: Clock = "whole", par: int = DEFAULT_FACTOR, columns: str = "") -> str:
        """Return the same tables in LaTeX, for the package ``booktabs``."""
        return printing.latex(self.rankings(clock, par), clock, _chosen(columns))

    def to_json(self, clock: Clock = "whole", par: int = DEFAULT_FACTOR) -> str:
        """Return the rankings as JSON: a list with an object for each set and mode, those over all sets last."""
        return printing.as_json(self.rankings(clock, par), clock)

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
        return make_frame(kind, types, columns)

    def write(self, path: str | Path) -> None:
        """Write the records to a file.

        Parameters
        ----------
        path : path
            Its ending stands for the form: .csv, .jsonl or .parquet (which needs pyarrow).

        Raises
        ------
        InputError
            The ending is none of these, or no file can be written there.
        """
        files.write(self.records, path)

    def export(self, path: str | Path) -> None:
        """Write plain results for other programs: a line ``instance,solver,time,status`` for each run.

        Parameters
        ----------
        path : path
            A name that ends in .csv.

        Raises
        ------
        InputError
            For another ending.
        """
        plain.export(self.records, path)

    @classmethod
    def read(cls, *paths: str | Path, limit: float | None = None) -> Self:
        """Return the comparison in one file or several.

        Parameters
        ----------
        *paths : path
            Files that ``write`` made, or plain results of other programs: a CSV with the columns ``instance``,
            ``solver``, ``time`` and ``status``. An instance that is called by set and number, such as ``hard/3``, is
            that puzzle.
        limit : float, optional
            The seconds after which a run counts as unsolved, at most those of the runs. By default those of the runs,
            or the longest time in plain results.

        Raises
        ------
        InputError, ContradictionError
            As ``of``; ``InputError`` for files of something else, too.
        """
        return cls.of(plain.read(*paths, limit=limit))

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
        limits = sorted({record.limit for record in records})
        if len(limits) != 1:
            texts = ", ".join(f"{limit:g} s" for limit in limits) or "no runs"
            raise InputError(f"results of {texts}; expected runs of one limit")
        known: set[object] = set()
        for record in records:
            if record.key in known:
                what = f"{record.puzzle_set}, puzzle {record.puzzle} on {record.setup}, round {record.repeat + 1}"
                raise InputError(f"results with one run twice: {what}; expected each once")
            known.add(record.key)
        comparison = cls(records, records[0].limit, records[0].seed, len(records), tuple(notes))
        claims = Claims()
        for record in records:
            problem = claims.add(record)
            if problem:
                raise ContradictionError(problem, comparison)
        return comparison


def _chosen(columns: str) -> tuple[str, ...]:
    """Return the chosen columns, none for those of each form."""
    return find_columns(columns) if columns else ()


class ContradictionError(DisagreementError):
    """A contradiction of two runs, or a grid of a solver that is no solution.

    ``comparison`` has the runs until then; the last record is the one that revealed it.
    """

    def __init__(self, message: str, comparison: Comparison) -> None:
        super().__init__(message)
        self.comparison = comparison


class Claims:
    """The claims of runs, board by board (in whatever set), which must not contradict each other."""

    def __init__(self) -> None:
        self._boards: dict[tuple[str, str], dict[tuple[str, str], RunRecord]] = {}

    def add(self, record: RunRecord) -> str | None:
        """Add a record and return the contradiction that it brings, in words, or ``None``."""
        place = f"{record.puzzle_set}, puzzle {record.puzzle}"
        if record.verdict == Status.DISAGREEMENT:
            return f"{place}: {record.name} {record.reason}; the board: {record.board}"
        known = self._boards.setdefault((record.geometry, record.board or record.instance), {})
        problem = None
        for before in known.values():
            problem = problem or _contradiction(before, record) or _contradiction(record, before)
        known.setdefault((record.verdict, record.solution), record)
        if problem is None:
            return None
        return f"{place}: {problem}; the board: {record.board}"


def _contradiction(one: RunRecord, other: RunRecord) -> str | None:
    """Return why the first cannot be right if the second is, in words, or ``None``. Every solution was checked."""
    if other.solution and one.verdict == Status.NONE:
        return f"{one.name} claims none, but {other.name} has a solution that passes the check: {other.solution}"
    if other.solution and one.verdict == Status.UNIQUE and one.solution not in ("", other.solution):
        has = f"{other.name} has {other.solution}, which passes, too"
        return f"{one.name} claims unique, with {one.solution}, but {has}"
    # a record of a file may lack the solution: the verdicts alone contradict each other then
    if one.verdict != other.verdict and {one.verdict, other.verdict} <= set(BY_NUMBER):
        return f"{other.name} claims {other.verdict}, {one.name} claims {one.verdict}"
    return None
