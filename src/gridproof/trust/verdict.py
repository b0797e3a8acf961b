"""The verdict on a board, with its evidence."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from gridproof.errors import InputError, NotUnderstoodError
from gridproof.formats.puzzle import Puzzle, Unread, summary_of_unread
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.puzzle.grid import Grid, grid_if_fits
from gridproof.text import describe_value, sanitise_grid
from gridproof.trust import check
from gridproof.trust.answer import Statistics
from gridproof.trust.answer import Status as Status
from gridproof.trust.crosscheck import NOT_ASKED, Opinion

Worth: TypeAlias = Literal["right", "not_only", "valid", "wrong"]
"""Check of a solution that is stored with a puzzle: it is the only one, one of several, one (whether there are others
is undecided, or contradicted), or none."""

MOST_CELLS_NAMED = 10
"""How many differing cells a verdict names; more are counted."""


WHAT_WAS_READ: Literal["what was read"] = "what was read"
"""The basis of a verdict on the board of a puzzle that has rules in words, which nobody has read."""

BY_WHAT_WAS_READ = "by what was read; the words were not"
"""The reason beside such a verdict."""

WORDS = Unread("rules in words", "nobody has read them")


def join_reasons(*reasons: str) -> str:
    """Return the reasons that are not empty as one."""
    return "; ".join(reason for reason in reasons if reason)


def difference(board: Board, cells: Sequence[int], number: int, only: bool = False) -> str:
    """State where two solutions differ. cells: those to be named, of this number in all. only: the fewest possible."""
    names = " ".join(map(board.geometry.cell_name, cells)) + " and others" * (number > len(cells))
    return f"two solutions differ in {'only ' * only}{number:,} cells: {names}"


def broken(board: Board, stored: Sequence[int], prose: bool) -> str:
    """State what is wrong with a stored solution; empty if nothing is. prose: whether the puzzle has rules in words."""
    if blank := stored.count(0):
        return f"the stored solution is none: {blank:,} of its {len(stored):,} cells are blank"
    problems = check.violations(board, stored)
    if not problems:
        return ""
    rule = problems[0].removeprefix(check.BREAKS)
    if rule == problems[0]:
        return f"the stored solution is none: {rule}"
    more = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
    changed = ": the prose probably changes this rule" if prose else ""
    return f"the file's own solution breaks the rule that {rule}{more}{changed}"


_FOLLOWS_FROM = {"part": "the part that was understood", WHAT_WAS_READ: f"{WHAT_WAS_READ}, without the words"}


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
        ``second solver minisat22/checker: agrees``.
    contradictions : tuple of str
        The claims that contradict each other, each in a sentence.
    certificate : str, or None
        The place of a certificate of the verdict, if one was made.
    stored : str, or None
        The check of the solution stored with the puzzle: ``right``, ``not_only``, ``valid`` or ``wrong``.
    unread : tuple of Unread
        The unread parts of the puzzle that may be rules, if there is a verdict all the same.
    basis : str, or None
        ``part`` if something unread may be a rule, and the verdict follows from what was understood; ``what was read``
        if there are rules in words, and no stored solution confirms the verdict on the board; otherwise ``None``.
    """

    checked: int = 0
    reference: Opinion = NOT_ASKED
    contradictions: tuple[str, ...] = ()
    certificate: str | None = None
    stored: Worth | None = None
    unread: tuple[Unread, ...] = ()
    basis: Literal["part", "what was read"] | None = None

    def rows(self) -> list[tuple[str, object]]:
        """Return the evidence as rows of a card."""
        return [
            ("grids checked", self.checked or None),
            (self.reference.witness, self.reference.word),
            *(("contradiction", claim) for claim in self.contradictions),
            ("stored solution", (self.stored or "").replace("_", " ")),
            ("follows from", _FOLLOWS_FROM.get(self.basis or "")),
            ("certificate", self.certificate),
        ]


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
        ``unique``, ``multiple``, ``none``, ``at most one``, ``undecided`` or ``disagreement``.
    board : Board
        The board of the puzzle.
    solutions : tuple of Grid
        No grid, one (for ``at most one`` the only grid that may be a solution), or two different ones (the witnesses of
        ``multiple``); in a disagreement the backend's grids.
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
    <Verdict: multiple; two solutions differ in 4 cells: r1c3 r1c4 r4c3 r4c4; reference: not needed>
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
        object.__setattr__(self, "solutions", tuple(grid_if_fits(grid, self.board) for grid in self.solutions))

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

    def with_puzzle(self, puzzle: Puzzle, despite_unread: bool = False) -> Verdict:
        """Return this verdict on the board that was read, with everything that came with its puzzle.

        The stored solution is checked. Nobody has read the rules in words, so that a verdict on the board alone need
        not be one on the puzzle: the words may exclude all but one of several solutions, and may change a rule that
        leaves none. Only a stored solution that is the only one confirms the reading.

        Parameters
        ----------
        puzzle
            The puzzle of the board.
        despite_unread
            Whether the verdict on the board is wanted all the same; it then lists what is unread.

        Raises
        ------
        NotUnderstoodError
            If something that was not read stands against the verdict.
        """
        if self.status is Status.DISAGREEMENT:
            return self
        verdict = self
        if puzzle.solution is not None:
            verdict = self._with_stored_solution(puzzle.solution, puzzle.has_words)
        is_confirmed = verdict.evidence.stored == "right"
        if verdict.status is Status.UNIQUE and puzzle.has_words and not is_confirmed:
            evidence = replace(verdict.evidence, basis=WHAT_WAS_READ)
            verdict = replace(verdict, reason=join_reasons(BY_WHAT_WAS_READ, verdict.reason), evidence=evidence)
        if despite_unread:
            return verdict._despite(puzzle)
        doubt = verdict._doubt(puzzle)
        if doubt:
            raise NotUnderstoodError(puzzle, text=puzzle.text or puzzle.title, why=doubt)
        return verdict

    def _doubt(self, puzzle: Puzzle) -> str:
        """State why this verdict on the board is none on its puzzle; empty if it is."""
        stored = ""
        if self.evidence.stored == "wrong":
            stored = self.reason.removeprefix(f"{BY_WHAT_WAS_READ}; ")
        match self.status:
            case Status.MULTIPLE if puzzle.has_words:
                return join_reasons("several solutions by what was read; the words may exclude them", stored)
            case Status.NONE if puzzle.has_words:
                return join_reasons("no solution by what was read; the words may change a rule", stored)
            case Status.NONE if stored and puzzle.board.rules:
                return join_reasons("no solution by what was read", stored)
            case Status.UNIQUE if puzzle.has_words and stored:
                return join_reasons("one solution by what was read, which is not the stored one", stored)
        return ""

    def _despite(self, puzzle: Puzzle) -> Verdict:
        """Return this verdict with the list of what is unread, the rules in words among it where they matter."""
        unread = list(puzzle.not_understood)
        if self.status in (Status.MULTIPLE, Status.NONE) and puzzle.has_words:
            unread.append(WORDS)
        if not unread:
            return self
        caveat = f"despite what is unread: {summary_of_unread(unread)}"
        evidence = replace(self.evidence, unread=tuple(unread))
        return replace(self, reason=join_reasons(caveat, self.reason), evidence=evidence)

    def for_part_of(self, puzzle: Puzzle) -> Verdict:
        """Return what follows for a puzzle from this verdict on the part of it that was understood.

        Rules only take solutions away. So if the part has no solution, the puzzle has none, unless its words change a
        rule; if the part has one, the puzzle has that or none, and it has that if its stored solution is that grid.

        Raises
        ------
        NotUnderstoodError
            If nothing follows.
        """
        if self.status is Status.DISAGREEMENT:
            return self
        why = ""
        if self.status is Status.UNDECIDED:
            why = f"the rest is undecided: {self.reason}"
        if self.status is Status.NONE and puzzle.has_words:
            why = "no solution by what was read; the words may change a rule"
        if why or self.status not in (Status.UNIQUE, Status.NONE):
            raise NotUnderstoodError(puzzle, text=puzzle.text or puzzle.title, why=why)
        status: Status = self.status
        compared = "the file's solution agrees"
        if puzzle.solution is None:
            compared = "no solution is stored"
            if puzzle.has_words:
                compared += ", and the prose may change a rule"
            if status is Status.UNIQUE:
                status = Status.AT_MOST_ONE
        reason = join_reasons("already by what was understood", compared, f"unread: {puzzle.unread_summary()}")
        evidence = replace(self.evidence, unread=puzzle.not_understood, basis="part")
        verdict = replace(self, status=status, reason=reason, evidence=evidence)
        if puzzle.solution is None:
            return verdict
        return verdict._with_stored_solution(puzzle.solution, puzzle.has_words)

    def _with_stored_solution(self, stored: SymbolTuple, has_words: bool) -> Verdict:
        """Return this verdict with a stored solution checked. has_words: whether the puzzle states rules in words.

        A wrong solution is a finding, which ``reason`` states. A correct solution that this verdict excludes makes it a
        disagreement.
        """
        worth, problem = self._compare_stored(stored, has_words)
        evidence = replace(self.evidence, stored=worth)
        if problem and worth == "valid":
            evidence = replace(evidence, contradictions=(problem,))
            return replace(self, status=Status.DISAGREEMENT, reason=problem, evidence=evidence)
        return replace(self, reason=join_reasons(self.reason, problem), evidence=evidence)

    def _compare_stored(self, stored: SymbolTuple, has_words: bool) -> tuple[Worth, str]:
        """Check a stored solution, and compare it with the verdict; also return what is wrong with one of them."""
        problem = broken(self.board, stored, has_words)
        if problem:
            return "wrong", problem
        if self.status is Status.UNDECIDED:
            return "valid", ""
        if self.status is Status.MULTIPLE:
            return "not_only", ""
        if self.status is Status.UNIQUE and stored == self.solutions[0]:
            return "right", ""
        return "valid", f"the verdict is {self.status}, but the stored solution is another one and passes the check"

    def __bool__(self) -> bool:
        raise InputError("a verdict is neither true nor false; expected verdict.is_unique or verdict.status")

    def sentence(self) -> str:
        """State the verdict in a sentence."""
        why = f": {self.reason}" if self.reason else ""
        glance = [] if why else self.board.contradictions()[:1]
        return {
            Status.UNIQUE: f"The puzzle has exactly one solution{why}.",
            Status.MULTIPLE: f"The puzzle has several solutions; {self._difference()}{why}.",
            Status.AT_MOST_ONE: f"The puzzle has at most one solution{why}.",
            Status.NONE: f"The puzzle has no solution{why or ''.join(f': {seen}' for seen in glance)}.",
            Status.SOLVED: f"This is a solution; it was not checked whether it is the only one{why}.",
            Status.UNDECIDED: f"Undecided{why}.",
            Status.NOT_UNDERSTOOD: f"Not understood{why}.",
            Status.DISAGREEMENT: f"Disagreement: independent parts contradict each other{why}.",
        }[self.status]

    def _difference(self) -> str:
        cells = self.differing_cells
        return difference(self.board, cells[:MOST_CELLS_NAMED], len(cells))

    def view(self) -> tuple[Board, dict[str, Any]]:
        """Return the board to be drawn, filled with the solution if one is known, and further options of a drawing."""
        from gridproof.pictures import differences

        board = self.board
        if self.status in (Status.UNIQUE, Status.AT_MOST_ONE, Status.SOLVED):
            return board.with_filled(self.solutions[0]), {}
        if self.status is Status.MULTIPLE:
            first, second = self.solutions[:2]
            return board.with_filled(first), {"differs": differences(first, second)}
        glance = board.contradictions()[:1] if self.status is Status.NONE else []
        return board, {"highlight": [cell for seen in glance for cell in seen.cells]}

    def __str__(self) -> str:
        parts = [str(self.status)]
        if self.reason:
            parts.append(self.reason)
        if self.status is Status.MULTIPLE:
            parts.append(self._difference())
        if (opinion := self.evidence.reference) != NOT_ASKED:
            parts.append(f"{opinion.witness}: {opinion.word}")
        return "; ".join(parts)

    def __repr__(self) -> str:
        return f"<Verdict: {self}>"

    def _repr_html_(self) -> str:
        from gridproof.pictures.cards import board_card

        rows = self.evidence.rows()
        if made := self.made:
            by = f"{made.backend} {made.backend_version}".strip()
            rows.append(("decided by", f"{by}, encoding {made.encoding}" if made.encoding else by))
        rows.append(("seconds", ", ".join(f"{stage} {seconds:.4f}" for stage, seconds in self.seconds.items())))
        board, options = self.view()
        return board_card(self.sentence(), rows, board, **options)

    def reproducer(self) -> dict[str, Any]:
        """Return everything that is needed to reproduce the verdict, as plain data."""
        return {
            "status": str(self.status),
            "reason": self.reason,
            "contradictions": list(self.evidence.contradictions),
            "board": repr(self.board),
            "solutions": [sanitise_grid(tuple(grid) if isinstance(grid, Grid) else grid) for grid in self.solutions],
            "made": asdict(self.made) if self.made else None,
            "python": sys.version,
            "platform": platform.platform(),
        }

    def write_reproducer(self, folder: str | Path = ".") -> Path:
        """Write ``reproducer()`` as JSON into ``folder``, under a name made from its content; returns the path."""
        import hashlib

        text = json.dumps(self.reproducer(), indent=1, default=describe_value)
        path = Path(folder) / f"gridproof-{self.status}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
        path.write_text(text + "\n", encoding="utf-8")
        return path
