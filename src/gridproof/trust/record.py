"""The record of the verdict on one puzzle, the same for one puzzle and for millions; and the counts of many records."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isqrt
from typing import Any, NamedTuple

from gridproof.errors import PuzzleFormatError
from gridproof.formats import to_line
from gridproof.formats.puzzle import Puzzle, Symbols, Unread, given_text
from gridproof.puzzle.grid import Grid
from gridproof.text import escape_controls
from gridproof.trust.answer import Status
from gridproof.trust.verdict import Verdict


class VerdictRecord(NamedTuple):
    """The result for one puzzle, as ``gridproof.verify_many`` yields it.

    Attributes
    ----------
    row : int
        The number of the puzzle, from 1.
    line : int, or None
        Its first line in the input, if that has lines.
    puzzle : str
        The puzzle as it stands in the input.
    verdict : str
        A word of ``Status``.
    solution, second_solution : str, or None
        The witnesses, one line each.
    engine : str, or None
        ``lanes``, or the backend and the encoding that decided.
    grids_checked : int
        How many grids were checked against houses and clues.
    reference : str, or None
        As in ``Evidence.reference``.
    stored : str, or None
        The check of the stored solution, if there is one: ``right`` (the only one), ``not_only`` (one of several),
        ``valid`` (a solution, perhaps not the only one) or ``wrong``.
    reason : str, or None
        Further information, such as why the puzzle is malformed.
    title, author : str, or None
        Title and author of the puzzle.
    unread : tuple of Unread
        What was not turned into a rule.
    basis : str, or None
        ``part`` if the verdict follows from the part of the puzzle that was understood, ``what was read`` if nothing
        confirms that its rules in words add nothing.
    cost : float, or None
    hardest : str, or None
        The cost of a puzzle as of ``gridproof.rate``, and the name of its hardest step, if they are wanted.
    canonical : str, or None
        The digest of its canonical form, if it is wanted and there is one: the same for puzzles that are equal up to
        symmetry.

    Examples
    --------
    >>> import gridproof
    >>> [record] = gridproof.verify_many(["1.....2..3.....4"])
    >>> record
    <VerdictRecord 1: unique>
    >>> record.solution, record.engine, record.reference
    ('1243342143122134', 'cadical153/extended', 'agrees')
    """

    row: int
    line: int | None
    puzzle: str
    verdict: str
    solution: str | None = None
    second_solution: str | None = None
    engine: str | None = None
    grids_checked: int = 0
    reference: str | None = None
    stored: str | None = None
    reason: str | None = None
    title: str | None = None
    author: str | None = None
    unread: tuple[Unread, ...] = ()
    basis: str | None = None
    cost: float | None = None
    hardest: str | None = None
    canonical: str | None = None

    @classmethod
    def of(
        cls,
        verdict: Verdict,
        row: int = 1,
        line: int | None = None,
        puzzle: str = "",
        symbols: Symbols = Symbols.FROM_ONE,
    ) -> VerdictRecord:
        """Return the record of a verdict, with the puzzle's own symbols in its solutions.

        For ``none`` the reason begins with an obvious contradiction, if there is one.
        """
        texts: list[str | None] = []
        for grid in verdict.solutions:
            # what a backend gives that lies need not be a grid; the reason states what is wrong with it
            if isinstance(grid, Grid):
                texts.append(to_line(grid, verdict.board.geometry, symbols))
        texts += [None, None]
        reasons = []
        if verdict.status is Status.NONE:
            reasons += [str(contradiction) for contradiction in verdict.board.contradictions()[:1]]
        if verdict.reason:
            reasons.append(verdict.reason)
        evidence = verdict.evidence
        return cls(
            row,
            line,
            puzzle,
            str(verdict.status),
            solution=texts[0],
            second_solution=texts[1],
            engine=str(verdict.made) if verdict.made else None,
            grids_checked=evidence.checked,
            reference=str(evidence.reference),
            stored=evidence.stored,
            reason="; ".join(reasons) or None,
            basis=evidence.basis,
        )

    @classmethod
    def of_error(cls, problem: PuzzleFormatError, row: int = 1) -> VerdictRecord:
        """Return the record of a puzzle that could not be read, or was not understood."""
        record = cls(row, problem.line, given_text(problem), problem.word, reason=problem.reason)
        return record.with_puzzle(problem.puzzle)

    def with_puzzle(self, puzzle: Puzzle | None) -> VerdictRecord:
        """Return this record with title, author and unread parts of its puzzle, if that could be read."""
        if puzzle is None:
            return self
        return self._replace(title=puzzle.title or None, author=puzzle.author or None, unread=puzzle.unread)

    @property
    def is_unique(self) -> bool:
        """True only for the verdict ``unique``."""
        return self.verdict == Status.UNIQUE

    def __repr__(self) -> str:
        reason = f"; {self.reason}" if self.reason else ""
        return f"<VerdictRecord {self.row}: {self.verdict}{reason}>"

    def _repr_html_(self) -> str:
        from gridproof.pictures.cards import card

        return card(f"Row {self.row}: {self.verdict}.", self._asdict().items())

    @property
    def differing(self) -> list[str]:
        """The cells in which the two witnesses of ``multiple`` differ."""
        first, second = self.solution, self.second_solution
        if first is None or second is None or self.verdict != Status.MULTIPLE:
            return []
        symbols = _split_symbols(first.replace("/", ""))
        others = _split_symbols(second.replace("/", ""))
        names = []
        for name, symbol, other in zip(_names_of_cells(first), symbols, others, strict=True):
            if symbol != other:
                names.append(name)
        return names

    def as_text(self) -> str:
        """A line for people, its fields separated by tabs."""
        fields = [self.verdict, *self._solutions()]
        if self.differing:
            fields.append("differ in " + " ".join(self.differing))
        if self.cost is not None:
            fields.append(f"cost {self.cost:.3f} ({self.hardest or 'no name'})")
        if self.canonical:
            fields.append(f"canonical {self.canonical}")
        if self.reason:
            fields.append(escape_controls(" ".join(self.reason.split())))
        return "\t".join(fields)

    def as_json(self, details: Mapping[str, Any] | None = None) -> str:
        """Return a JSON object, with the keys of docs/bulk.md. details: further keys."""
        record: dict[str, Any] = {
            "row": self.row,
            "line": self.line,
            "input": self.puzzle,
            "verdict": self.verdict,
            "solutions": self._solutions(),
            "differ": self.differing,
            "reason": self.reason,
            "evidence": {
                "checked": self.grids_checked,
                "reference": self.reference,
                "contradictions": [self.reason] if self.verdict == Status.DISAGREEMENT else [],
                "stored": self.stored,
                "basis": self.basis,
            },
        }
        unread = []
        for part in self.unread:
            unread.append({"where": part.where, "what": part.what, "may_be_rule": part.may_be_rule})
        rest = {"title": self.title, "author": self.author, "unread": unread, "cost": self.cost}
        rest |= {"hardest": self.hardest, "canonical": self.canonical}
        for name, value in rest.items():
            if value:
                record[name] = value
        record.update(details or {})
        return json.dumps(record, default=str)

    def _solutions(self) -> list[str]:
        """Return the solutions that it has."""
        return [solution for solution in (self.solution, self.second_solution) if solution]


def _split_symbols(row: str) -> list[str]:
    """Return the symbols of a solution or a row: numbers with blanks between, or characters."""
    return row.split() if " " in row else list(row)


def _names_of_cells(solution: str) -> list[str]:
    """Return the name of each cell of a solution, in which ``/`` stands between the rows of an oblong board."""
    rows = [_split_symbols(row) for row in solution.split("/")]
    cells = rows[0]
    columns = len(cells) if len(rows) > 1 else isqrt(len(cells))
    count = columns * len(rows) if len(rows) > 1 else len(cells)
    return [f"r{cell // columns + 1}c{cell % columns + 1}" for cell in range(count)]


@dataclass
class Summary:
    """Counts over rows: by verdict, engine, opinion of the reference, check of the stored solution, and basis.

    seconds: of work, in all.
    """

    rows: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    engines: Counter[str] = field(default_factory=Counter)
    references: Counter[str] = field(default_factory=Counter)
    stored: Counter[str] = field(default_factory=Counter)
    bases: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def add(self, other: Summary) -> None:
        """Count those of another part, too."""
        self.rows += other.rows
        self.seconds += other.seconds
        for name in ("verdicts", "engines", "references", "stored", "bases"):
            getattr(self, name).update(getattr(other, name))

    def count(self, record: VerdictRecord, number: int = 1) -> None:
        """Count one record, or so many of the same kind."""
        self.rows += number
        values = (record.verdict, record.engine, record.reference, record.stored, record.basis)
        counters = (self.verdicts, self.engines, self.references, self.stored, self.bases)
        for counter, value in zip(counters, values, strict=True):
            if value:
                counter[value] += number
