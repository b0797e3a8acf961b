"""What a comparison gives: records, and what is derived from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Self

from gridproof.compare import files, table
from gridproof.compare.claims import Claims
from gridproof.compare.records import RunRecord, Setup
from gridproof.errors import DisagreementError, InputError


class Size(NamedTuple):
    """How large a model is. constraints: of CP-SAT, where there are no clauses."""

    geometry: str
    encoding: str
    variables: int
    clauses: int | None
    constraints: int | None


@dataclass(frozen=True, repr=False)
class Comparison:
    """Runs and what they were allowed. ``compare`` makes it, ``Comparison.read`` reads one again.

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
    """

    records: tuple[RunRecord, ...]
    limit: float
    seed: int
    expected: int
    notes: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """False if it was stopped before all runs were made."""
        return len(self.records) >= self.expected

    @property
    def setups(self) -> tuple[Setup, ...]:
        """What was compared, in alphabetical order."""
        return tuple(sorted({record.setup for record in self.records}, key=str))

    def setup(self, text: str) -> Setup:
        """The setup that ``backend``, ``backend/encoding``, or either with `` cold`` or `` warm`` behind means.

        Raises ``InputError`` if there is none, or more than one.
        """
        found = [
            setup
            for setup in self.setups
            if text in (setup.backend, setup.name, f"{setup.backend} {setup.mode}", str(setup))
        ]
        if len(found) != 1:
            known = ", ".join(repr(str(setup)) for setup in found or self.setups)
            raise InputError(f"{text!r} means {'several runs' if found else 'nothing here'}; expected one of {known}")
        return found[0]

    def summaries(self) -> list[table.Summary]:
        """A row for each set, mode and setup; within a set and mode the best first."""
        return table.summaries(self.records, self.limit)

    def sizes(self) -> list[Size]:
        """The size of each model that was loaded."""
        found = {
            Size(run.geometry, run.encoding, run.variables, run.clauses, run.constraints)
            for run in self.records
            if run.encoding is not None and run.variables is not None
        }
        return sorted(found, key=lambda size: (size.geometry, size.clauses is None, size.variables, size.encoding))

    def __str__(self) -> str:
        text = table.table_text(self.summaries(), self.limit)
        if not self.complete:
            made = f"{len(self.records):,} of {self.expected:,} runs"
            text += f"\nIncomplete: {made}; puzzles that were not run on all of these are left out."
        return text

    def __repr__(self) -> str:
        return f"<Comparison: {len(self.records):,} of {self.expected:,} runs, {len(self.setups)} setups>"

    def _repr_html_(self) -> str:
        from gridproof.show.cards import comparison_card

        return comparison_card(self)

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame``: a row for each run, columns as in ``RunRecord``, then ``seconds`` and ``solved``."""
        pandas = import_module("pandas")  # which has no type annotations of its own
        rows = [{**asdict(record), "seconds": record.seconds, "solved": record.solved} for record in self.records]
        return pandas.DataFrame(rows, columns=[*(field.name for field in fields(RunRecord)), "seconds", "solved"])

    def write(self, path: str | Path) -> None:
        """Write the records: CSV, Parquet (needs pyarrow) or JSON lines by the ending. Raises ``InputError``."""
        files.write(self.records, path)

    @classmethod
    def read(cls, *paths: str | Path) -> Self:
        """The comparison in one file or several. Raises as ``of``, and ``InputError`` for files of something else."""
        return cls.of([record for path in paths for record in files.read(path)])

    @classmethod
    def of(cls, records: Iterable[RunRecord], notes: Sequence[str] = ()) -> Self:
        """A comparison of these records. Raises ``InputError`` if their limits differ or one is there twice, and
        ``ContradictionError`` if they contradict each other."""
        records = tuple(records)
        limits = {record.limit for record in records}
        if len(limits) != 1:
            shown = ", ".join(f"{limit:g} s" for limit in sorted(limits)) or "no runs"
            raise InputError(f"results of {shown}; expected runs of one limit")
        if len({record.key for record in records}) < len(records):
            raise InputError("results with one run twice; expected each once")
        comparison = cls(records, limits.pop(), records[0].seed, len(records), tuple(notes))
        claims = Claims()
        for record in records:
            if problem := claims.add(record):
                raise ContradictionError(problem, comparison)
        return comparison


class ContradictionError(DisagreementError):
    """Two runs contradict each other, or a solver gave a grid that is no solution.

    ``comparison`` has what was measured until then; the last record is the one that brought it to light.
    """

    def __init__(self, message: str, comparison: Comparison) -> None:
        super().__init__(message)
        self.comparison = comparison
