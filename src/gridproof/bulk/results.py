"""What comes back of a chunk: its records, encoded or not, and what is counted about them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from gridproof.bulk.records import Columns
from gridproof.trust.verdict import Verdict

SLOWEST = 5
"""So many of the slowest puzzles are told."""


@dataclass(slots=True)
class Summary:
    """Counts over rows: by verdict, engine, what the reference said and what given solutions were found to be.

    slowest: (seconds, row, puzzle) of those that were measured one by one; searched: (branches, row, puzzle) of those
    the lanes searched most. seconds: of work, in all.
    """

    rows: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    engines: Counter[str] = field(default_factory=Counter)
    references: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, int, str]] = field(default_factory=list)
    searched: list[tuple[int, int, str]] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other: Summary) -> None:
        """Count those of another chunk, too."""
        self.rows += other.rows
        self.seconds += other.seconds
        for name in ("verdicts", "engines", "references", "answers"):
            getattr(self, name).update(getattr(other, name))
        self.slowest = sorted([*self.slowest, *other.slowest], reverse=True)[:SLOWEST]
        self.searched = sorted([*self.searched, *other.searched], reverse=True)[:SLOWEST]


@dataclass(slots=True)
class Result:
    """What came of a chunk: encoded, or its columns; disagreements with all they need to be seen again."""

    summary: Summary
    encoded: bytes | None = None
    columns: Columns | None = None
    disagreements: list[Verdict] = field(default_factory=list)
