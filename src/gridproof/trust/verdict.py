"""The verdict on a board, with its evidence."""

from __future__ import annotations

import json
import platform
import sys
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from gridproof.errors import InputError
from gridproof.formats.puzzle import Puzzle, Unread
from gridproof.puzzle.board import Board
from gridproof.puzzle.grid import Grid, shown
from gridproof.runs.foreign import described, harmless
from gridproof.trust import crosscheck
from gridproof.trust.answer import Statistics
from gridproof.trust.answer import Status as Status
from gridproof.trust.crosscheck import Worth, stored_solution


@dataclass(frozen=True, slots=True)
class Evidence:
    """The results of independent checks of an answer.

    Attributes
    ----------
    checked : int
        How many of its grids were checked against houses, clues and candidates.
    reference : str
        The word of the reference backtracker: ``agrees``, ``contradicts``, ``undecided`` (no witness finished in time),
        ``not asked`` (switched off or not in the sample), ``is the backend itself``, or ``not needed`` (checked grids
        prove the claim). If another witness answered, its name stands before the word:
        ``second solver minisat22/extended: agrees``, or ``proof: checked``.
    contradictions : tuple of str
        The claims that contradict each other, each in a sentence.
    certificate : str, or None
        The place of a certificate of the verdict, if one was made.
    stored : str, or None
        The check of the solution stored with the puzzle: ``right``, ``not_only``, ``valid`` or ``wrong``.
    unread : tuple of Unread
        What was not read of the puzzle and may be a rule, if the verdict was asked for all the same.
    """

    checked: int = 0
    reference: str = crosscheck.NOT_ASKED
    contradictions: tuple[str, ...] = ()
    certificate: str | None = None
    stored: Worth | None = None
    unread: tuple[Unread, ...] = ()

    @property
    def opinion(self) -> tuple[str, str]:
        """The witness that was asked for other solutions, and its word."""
        return crosscheck.told(self.reference)


@dataclass(frozen=True, slots=True)
class Made:
    """Names and versions of the backend and the encoding that gave the answer."""

    backend: str
    backend_version: str
    encoding: str | None
    gridproof: str

    def __str__(self) -> str:
        return self.backend if self.encoding is None else f"{self.backend}/{self.encoding}"


@dataclass(frozen=True, slots=True, repr=False)
class Verdict:
    """The verdict on one board. Read it; ``verify`` makes it.

    Attributes
    ----------
    status : Status
        ``unique``, ``multiple``, ``none``, ``undecided`` or ``disagreement``.
    board : Board
        The board of the puzzle.
    solutions : tuple of Grid
        No grid, one, or two different ones (the witnesses of ``multiple``); in a disagreement the backend's grids.
    reason : str
        Why the verdict is ``undecided``, or which claims contradict each other.
    evidence : Evidence
        The results of independent checks.
    statistics : Statistics
        The counters of the backend.
    made : Made
        Backend, encoding and their versions.
    seconds : dict
        Wall time by stage (``solve``, ``check``, ``reference``).

    Examples
    --------
    >>> import gridproof
    >>> verdict = gridproof.verify("12......4.1.....")
    >>> verdict
    <Verdict: multiple; two solutions differ in 4 cells: r1c3, r1c4, r4c3, r4c4; reference: not needed>
    >>> verdict.is_unique, verdict.solution is None, len(verdict.solutions)
    (False, False, 2)
    """

    status: Status
    board: Board
    solutions: tuple[Any, ...] = ()
    reason: str = ""
    evidence: Evidence = field(default_factory=Evidence)
    statistics: Statistics = field(default_factory=Statistics)
    made: Made | None = None
    seconds: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "solutions", tuple(shown(grid, self.board) for grid in self.solutions))

    @property
    def solution(self) -> Grid | None:
        """The (first) solution, ``None`` if there is none or none is known."""
        return next((grid for grid in self.solutions if isinstance(grid, Grid)), None)

    @property
    def is_unique(self) -> bool:
        """True only for the verdict ``unique``."""
        return self.status is Status.UNIQUE

    @property
    def differing_cells(self) -> tuple[int, ...]:
        """The cells in which the two witnesses of ``multiple`` differ; empty otherwise."""
        if self.status is not Status.MULTIPLE:
            return ()
        first, second = self.solutions[:2]
        return tuple(cell for cell, (a, b) in enumerate(zip(first, second, strict=True)) if a != b)

    def on(self, puzzle: Puzzle) -> Verdict:
        """Return this verdict with the stored solution of its puzzle checked and its unread parts listed."""
        verdict = self if puzzle.solution is None else self.beside(puzzle.solution, bool(puzzle.prose))
        if not puzzle.unread:
            return verdict
        reason = "; ".join(filter(None, (puzzle.caveat(), verdict.reason)))
        return replace(verdict, reason=reason, evidence=replace(verdict.evidence, unread=puzzle.not_understood))

    def beside(self, stored: tuple[int, ...], prose: bool = False) -> Verdict:
        """Return this verdict with a stored solution checked, too.

        A wrong solution is a finding, which ``reason`` states. A correct solution that this verdict excludes makes it a
        disagreement. prose: whether the puzzle states rules in words.
        """
        if self.status is Status.DISAGREEMENT:
            return self
        found = stored_solution(self.board, stored, self.status, self.solutions, prose)
        if found.contradicts:
            evidence = replace(self.evidence, stored=found.worth, contradictions=(found.said,))
            return replace(self, status=Status.DISAGREEMENT, reason=found.said, evidence=evidence)
        reason = "; ".join(filter(None, (self.reason, found.said)))
        return replace(self, reason=reason, evidence=replace(self.evidence, stored=found.worth))

    def __bool__(self) -> bool:
        raise InputError("a verdict is neither true nor false; expected verdict.is_unique or verdict.status")

    def __str__(self) -> str:
        parts = [str(self.status)]
        if self.reason:
            parts.append(self.reason)
        if self.status is Status.MULTIPLE:
            names = ", ".join(map(self.board.geometry.cell_name, self.differing_cells[:10]))
            parts.append(f"two solutions differ in {len(self.differing_cells)} cells: {names}")
        if self.evidence.reference != crosscheck.NOT_ASKED:
            parts.append(": ".join(self.evidence.opinion))
        return "; ".join(parts)

    def __repr__(self) -> str:
        return f"<Verdict: {self}>"

    def _repr_html_(self) -> str:
        from gridproof.pictures.cards import verdict_card

        return verdict_card(self)

    def reproducer(self) -> dict[str, Any]:
        """Return everything that is needed to reproduce the verdict, as plain data."""
        return {
            "status": str(self.status),
            "reason": self.reason,
            "contradictions": list(self.evidence.contradictions),
            "board": repr(self.board),
            "solutions": [harmless(tuple(grid) if isinstance(grid, Grid) else grid) for grid in self.solutions],
            "made": asdict(self.made) if self.made else None,
            "python": sys.version,
            "platform": platform.platform(),
        }

    def write_reproducer(self, folder: str | Path = ".") -> Path:
        """Write ``reproducer()`` as JSON into ``folder``, under a name made from its content; returns the path."""
        import hashlib

        text = json.dumps(self.reproducer(), indent=1, default=described)
        path = Path(folder) / f"gridproof-{self.status}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
        path.write_text(text + "\n", encoding="utf-8")
        return path
