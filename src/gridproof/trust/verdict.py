"""What the user is told about a board, and on what evidence."""

from __future__ import annotations

import json
import platform
import sys
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from gridproof.formats.sheet import Sheet, Unread
from gridproof.puzzle.board import Board
from gridproof.puzzle.grid import Grid, shown
from gridproof.runs.foreign import described, harmless
from gridproof.trust import crosscheck
from gridproof.trust.answer import Statistics
from gridproof.trust.answer import Status as Status
from gridproof.trust.crosscheck import Worth, stored_solution


@dataclass(frozen=True, slots=True)
class Evidence:
    """What independent checks said about an answer.

    checked: how many of its grids were checked against houses, clues and candidates. reference: what the reference
    backtracker said: ``agrees``, ``contradicts``, ``undecided`` (no witness finished in time), ``not asked`` (switched
    off or not in the sample), ``is the backend itself``, or ``not needed`` (checked grids prove what is claimed). Where
    another witness stepped in, its name stands before the word: ``second solver minisat22/extended: agrees``, or
    ``proof: checked``.
    contradictions: the claims that contradict each other, each in a sentence. certificate: where a certificate of the
    verdict lies, if one was made. stored: what the solution stored with the puzzle is worth, if there is one. unread:
    what was not read of the puzzle and may be a rule; the verdict was asked for all the same.
    """

    checked: int = 0
    reference: str = crosscheck.NOT_ASKED
    contradictions: tuple[str, ...] = ()
    certificate: str | None = None
    stored: Worth | None = None
    unread: tuple[Unread, ...] = ()

    @property
    def opinion(self) -> tuple[str, str]:
        """Who was asked whether there are other solutions, and what was said."""
        return crosscheck.told(self.reference)


@dataclass(frozen=True, slots=True)
class Made:
    """Who gave the answer: names and versions of backend and encoding."""

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
        What was asked about.
    solutions : tuple of Grid
        No grid, one, or two different ones (the witnesses of ``multiple``); in a disagreement what the backend gave.
    reason : str
        Why it is ``undecided``, or what contradicts what.
    evidence : Evidence
        What independent checks said.
    statistics : Statistics
        What the backend counted.
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

    def on(self, sheet: Sheet) -> Verdict:
        """This verdict, with what else the sheet of the puzzle says: its stored solution, and what is unread."""
        verdict = self if sheet.solution is None else self.beside(sheet.solution, bool(sheet.prose))
        reason = "; ".join(filter(None, (sheet.caveat(), verdict.reason)))
        return replace(verdict, reason=reason, evidence=replace(verdict.evidence, unread=sheet.not_understood))

    def beside(self, stored: tuple[int, ...], prose: bool = False) -> Verdict:
        """This verdict, with a solution that is stored with the puzzle checked, too.

        prose: whether the puzzle says rules in words. A solution that is wrong is a finding, told in ``reason``; one
        that is right and excluded by this verdict makes it a disagreement.
        """
        if self.status is Status.DISAGREEMENT:
            return self
        found = stored_solution(self.board, stored, self.status, self.solutions, prose)
        if found.contradicts:
            evidence = replace(self.evidence, stored=found.worth, contradictions=(found.said,))
            return replace(self, status=Status.DISAGREEMENT, reason=found.said, evidence=evidence)
        reason = "; ".join(filter(None, (self.reason, found.said)))
        return replace(self, reason=reason, evidence=replace(self.evidence, stored=found.worth))

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
        from gridproof.show.cards import verdict_card

        return verdict_card(self)

    def reproducer(self) -> dict[str, Any]:
        """Everything that is needed to see the same again, as plain data."""
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
