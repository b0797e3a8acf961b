"""The verdict on a board, with its evidence."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from gridproof.errors import InputError, NotUnderstoodError
from gridproof.formats.puzzle import Puzzle, Unread, summary_of_unread
from gridproof.puzzle.board import Board
from gridproof.puzzle.contradictions import Contradiction
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.puzzle.grid import Grid, grid_if_fits
from gridproof.text import counted, describe_value, sanitise_grid
from gridproof.trust import check
from gridproof.trust.answer import Statistics
from gridproof.trust.answer import Status as Status
from gridproof.trust.crosscheck import NOT_ASKED
from gridproof.trust.evidence import AS_READ, WHAT_WAS_READ, Evidence, Made, Worth

MOST_CELLS_NAMED = 10
"""Largest number of differing cells that a verdict names; more are counted."""


BY_WHAT_WAS_READ = "by what was read; the words were not"
"""The reason beside such a verdict."""

WORDS = Unread("rules in words", "nobody has read them")


def join_reasons(*reasons: str) -> str:
    """Return the reasons that are not empty as one."""
    return "; ".join(reason for reason in reasons if reason)


def state_difference(board: Board, cells: Sequence[int], number: int, only: bool = False) -> str:
    """State where two solutions differ. cells: those to be named, of this number in all. only: the fewest possible."""
    names = " ".join([board.geometry.cell_name(cell) for cell in cells])
    if number > len(cells):
        names += " and others"
    size = counted(number, "cell")
    if only:
        size = f"only {size}"
    return f"two solutions differ in {size}: {names}"


def state_fault(board: Board, stored: Sequence[int], prose: bool) -> str:
    """State what is wrong with a stored solution; empty if nothing is. prose: whether the puzzle has rules in words."""
    blank = stored.count(0)
    if blank:
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


_SENTENCES = {
    Status.UNIQUE: "The puzzle has exactly one solution",
    Status.MULTIPLE: "The puzzle has several solutions",
    Status.AT_MOST_ONE: "The puzzle has at most one solution",
    Status.NONE: "The puzzle has no solution",
    Status.SOLVED: "This is a solution; it was not checked whether it is the only one",
    Status.UNDECIDED: "Undecided",
    Status.NOT_UNDERSTOOD: "Not understood",
    Status.DISAGREEMENT: "Disagreement: independent parts contradict each other",
}
"""The sentence for each status, without its reason."""


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
        grids = [grid_if_fits(grid, self.board) for grid in self.solutions]
        object.__setattr__(self, "solutions", tuple(grids))

    @property
    def solution(self) -> Grid | None:
        """The (first) solution, ``None`` if there is none or none is known."""
        for grid in self.solutions:
            if isinstance(grid, Grid):
                return grid
        return None

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
        return tuple([cell for cell in range(len(first)) if first[cell] != second[cell]])

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
        if puzzle.suggested:
            return verdict._as_suggested(puzzle)
        is_confirmed = verdict.evidence.stored == "right"
        if verdict.status is Status.UNIQUE and puzzle.has_words and not is_confirmed:
            evidence = replace(verdict.evidence, basis=WHAT_WAS_READ)
            verdict = replace(verdict, reason=join_reasons(BY_WHAT_WAS_READ, verdict.reason), evidence=evidence)
        if despite_unread:
            unread = list(puzzle.not_understood)
            if verdict.status in (Status.MULTIPLE, Status.NONE) and puzzle.has_words:
                unread.append(WORDS)  # which matter here
            if not unread:
                return verdict
            caveat = f"despite what is unread: {summary_of_unread(unread)}"
            evidence = replace(verdict.evidence, unread=tuple(unread))
            return replace(verdict, reason=join_reasons(caveat, verdict.reason), evidence=evidence)
        doubt = verdict._doubt(puzzle)
        if doubt:
            raise NotUnderstoodError(puzzle, text=puzzle.text or puzzle.title, why=doubt)
        return verdict

    def _as_suggested(self, puzzle: Puzzle) -> Verdict:
        """Return this verdict on a puzzle whose drawings were read as its words suggest, which nobody has confirmed.

        A suggestion may be wrong in either direction. So there is one verdict only, ``unique``, and it states the
        readings; only a stored solution that is the same grid confirms them.

        Raises
        ------
        NotUnderstoodError
            If there are several solutions or none as read, or the stored one is another.
        """
        as_read = f"as read: {puzzle.suggested}"
        fault = ""
        if self.evidence.stored == "wrong":
            fault = self.reason
        if self.status in (Status.MULTIPLE, Status.NONE) or fault:
            found = {Status.MULTIPLE: "several solutions", Status.NONE: "no solution"}.get(self.status, "")
            why = join_reasons(found, as_read, fault)
            raise NotUnderstoodError(puzzle, text=puzzle.text or puzzle.title, why=why)
        verdict = replace(self, reason=join_reasons(as_read, self.reason))
        if self.status is Status.UNIQUE and self.evidence.stored != "right":
            verdict = replace(verdict, evidence=replace(self.evidence, basis=AS_READ))
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
        if puzzle.suggested and (puzzle.solution is None or self.status is not Status.UNIQUE):
            why = f"{self.status} as read: {puzzle.suggested}"
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
        as_read = f"as read: {puzzle.suggested}" if puzzle.suggested else ""
        unread = f"unread: {puzzle.unread_summary()}"
        reason = join_reasons("already by what was understood", compared, as_read, unread)
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
        problem = state_fault(self.board, stored, has_words)
        worth: Worth = "valid"
        if problem:
            worth = "wrong"
        elif self.status is Status.MULTIPLE:
            worth = "not_only"
        elif self.status is Status.UNIQUE and stored == self.solutions[0]:
            worth = "right"
        elif self.status is not Status.UNDECIDED:
            problem = f"the verdict is {self.status}, but the stored solution is another one and passes the check"
        evidence = replace(self.evidence, stored=worth)
        if problem and worth == "valid":
            evidence = replace(evidence, contradictions=(problem,))
            return replace(self, status=Status.DISAGREEMENT, reason=problem, evidence=evidence)
        return replace(self, reason=join_reasons(self.reason, problem), evidence=evidence)

    def __bool__(self) -> bool:
        raise InputError("a verdict is neither true nor false; expected verdict.is_unique or verdict.status")

    def sentence(self) -> str:
        """State the verdict in a sentence."""
        sentence = _SENTENCES[self.status]
        if self.status is Status.MULTIPLE:
            sentence += f"; {self._state_difference()}"
        reason = self.reason
        if self.status is Status.NONE and not reason:
            reason = "".join([str(contradiction) for contradiction in self._first_contradiction()])
        if reason:
            sentence += f": {reason}"
        return f"{sentence}."

    def _first_contradiction(self) -> list[Contradiction]:
        """Return the first contradiction that shows at a glance why there is no solution, if there is one."""
        return self.board.contradictions()[:1] if self.status is Status.NONE else []

    def _state_difference(self) -> str:
        cells = self.differing_cells
        return state_difference(self.board, cells[:MOST_CELLS_NAMED], len(cells))

    def view(self) -> tuple[Board, dict[str, Any]]:
        """Return the board to be drawn, filled with the solution if one is known, and further options of a drawing."""
        from gridproof.pictures import differences

        board = self.board
        if self.status in (Status.UNIQUE, Status.AT_MOST_ONE, Status.SOLVED):
            return board.with_filled(self.solutions[0]), {}
        if self.status is Status.MULTIPLE:
            first, second = self.solutions[:2]
            return board.with_filled(first), {"differs": differences(first, second)}
        highlight: list[int] = []
        for contradiction in self._first_contradiction():
            highlight += contradiction.cells
        return board, {"highlight": highlight}

    def __str__(self) -> str:
        parts = [str(self.status)]
        if self.reason:
            parts.append(self.reason)
        if self.status is Status.MULTIPLE:
            parts.append(self._state_difference())
        opinion = self.evidence.reference
        if opinion != NOT_ASKED:
            parts.append(f"{opinion.witness}: {opinion.word}")
        return "; ".join(parts)

    def __repr__(self) -> str:
        return f"<Verdict: {self}>"

    def _repr_html_(self) -> str:
        from gridproof.pictures.cards import board_card

        rows = self.evidence.rows()
        if self.made is not None:
            decided_by = f"{self.made.backend} {self.made.backend_version}".strip()
            if self.made.encoding:
                decided_by += f", encoding {self.made.encoding}"
            rows.append(("decided by", decided_by))
        stages = [f"{stage} {seconds:.4f}" for stage, seconds in self.seconds.items()]
        rows.append(("seconds", ", ".join(stages)))
        board, options = self.view()
        return board_card(self.sentence(), rows, board, **options)

    def reproducer(self) -> dict[str, Any]:
        """Return everything that is needed to reproduce the verdict, as plain data."""
        solutions = []
        for grid in self.solutions:
            solutions.append(sanitise_grid(tuple(grid) if isinstance(grid, Grid) else grid))
        return {
            "status": str(self.status),
            "reason": self.reason,
            "contradictions": list(self.evidence.contradictions),
            "board": repr(self.board),
            "solutions": solutions,
            "made": asdict(self.made) if self.made else None,
            "python": sys.version,
            "platform": platform.platform(),
        }

    def write_reproducer(self, folder: str | Path = ".") -> Path:
        """Write ``reproducer()`` as JSON into ``folder``, under a name made from its content; returns the path."""
        import hashlib

        text = json.dumps(self.reproducer(), indent=1, default=describe_value)
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        path = Path(folder) / f"gridproof-{self.status}-{digest}.json"
        path.write_text(text + "\n", encoding="utf-8")
        return path
