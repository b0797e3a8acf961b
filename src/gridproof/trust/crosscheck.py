"""An answer against independent opinions: the grid check, and the reference backtracker.

What is claimed is cheap to check where it has witnesses: two different grids that both pass the check prove
``multiple``. That there is no (other) solution has no witness, so there the reference is asked to find one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, TypeAlias

from gridproof.errors import InputError, Interrupted
from gridproof.limits import Limits, Watch
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid
from gridproof.puzzle.grid import Grid as ShownGrid
from gridproof.runs.foreign import text_of
from gridproof.trust import check, reference
from gridproof.trust.answer import Status

REFERENCE_CONFLICTS = 20_000
"""Dead ends after which the reference is ``undecided`` rather than holding everything up; some seconds on a 9x9."""

REFERENCE_SECONDS = 5.0
"""Of a board with rules, where a dead end may cost much more."""

REFERENCE_ORDER = 64
"""Above this order the reference is ``undecided`` at once: it takes 300 MB and 5 s here, and eight times as much with
each doubling of the order."""

ONE_BY_ONE = 1_000
"""Up to so many puzzles ``verify`` asks the backend about one after the other, more go to the lanes first."""

ALL_CHECKED = 10_000
"""Up to so many puzzles every answer is cross-checked, where nobody says otherwise,"""

SAMPLED_SHARE = 0.001
"""and of more puzzles one in a thousand."""


Worth: TypeAlias = Literal["right", "not_only", "valid", "wrong"]
"""Of a solution that is stored with a puzzle: the only one, one of several, one (whether others exist is undecided, or
contradicts this), or none."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What a solution that is stored with a puzzle is worth beside our verdict.

    said: what is wrong with it, or with the verdict. contradicts: it passes the check and the verdict excludes it.
    """

    worth: Worth
    said: str = ""
    contradicts: bool = False


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """How much is asked of the reference: of ``all`` boards, of ``none``, or of a ``sample``.

    share: for a sample the probability (0 to 1) for each board. seed: of the sample's random numbers.
    """

    mode: Literal["all", "none", "sample"] = "all"
    share: float = 1.0
    seed: int = 0

    @classmethod
    def parse(cls, text: str) -> CrossCheck:
        """``all``, ``none`` or ``sample=P`` with 0 <= P <= 1. Raises ``InputError`` for anything else."""
        if text == "all":
            return cls("all", 1.0)
        if text == "none":
            return cls("none", 0.0)
        name, _, number = text.partition("=")
        try:
            share = float(number)
        except ValueError:
            share = -1.0
        if name != "sample" or not 0 <= share <= 1:
            raise InputError(f"cross-check {text!r}; expected all, none or sample=P with P from 0 to 1")
        return cls("sample", share)

    def chooser(self) -> Callable[[], bool]:
        """A function that says, board after board, whether this one is to be cross-checked."""
        if self.mode == "sample":
            random = Random(self.seed)
            return lambda: random.random() < self.share
        answer = self.mode == "all"
        return lambda: answer


def bad_grids(board: Board, grids: Sequence[object]) -> list[str]:
    """Contradictions between grids claimed as different solutions and the grid check; empty if all is well."""
    found = []
    for number, grid in enumerate(grids, 1):
        # the check takes a list, too; by the protocol, and to be told apart from others, a grid is a tuple
        if type(grid) not in (tuple, ShownGrid):  # another subclass may show another face at each look
            kind = text_of(type(grid).__name__)
            found.append(f"the backend's solution {number} is none: it is of the type {kind}, no tuple")
        elif reasons := check.violations(board, grid):
            found.append(f"the backend's solution {number} is none: {text_of(reasons[0])}")
    if not found and len(grids) > 1 and len(set(grids)) < len(grids):
        found.append("the backend gave the same solution twice as two")
    return found


def against_reference(board: Board, grids: Sequence[Grid], limits: Limits) -> tuple[str, list[str]]:
    """The claim "``grids`` are all solutions" (often none, or one) against the reference.

    Returns what the reference said (``agrees``, ``contradicts``, ``undecided``) and the contradictions.
    """
    if board.geometry.order > REFERENCE_ORDER:
        return "undecided", []
    conflicts = min(REFERENCE_CONFLICTS, limits.conflicts or REFERENCE_CONFLICTS)
    seconds = min(REFERENCE_SECONDS, limits.seconds or REFERENCE_SECONDS) if board.rules else limits.seconds
    watch = Watch(Limits(seconds=seconds, conflicts=conflicts))
    claimed, found = set(grids), 0
    try:
        for grid in reference.solutions(board, watch=watch):
            found += 1
            if grid not in claimed:
                sound = "which passes the check" if check.is_solution(board, grid) else "which fails the check"
                return "contradicts", [
                    f"the backend claims {_said(len(claimed))}, the reference found another, {sound}"
                ]
    except Interrupted:
        return "undecided", []
    if found != len(claimed):
        return "contradicts", [f"the backend claims {_said(len(claimed))}, the reference finds {found}"]
    return "agrees", []


def _said(number: int) -> str:
    return "no solution" if number == 0 else f"{number} solution{'s' if number > 1 else ''}"


def stored_solution(board: Board, stored: Grid, status: str, grids: Sequence[Grid], prose: bool = False) -> Stored:
    """The solution stored with a puzzle beside our verdict, in one word, and the solutions that we found.

    prose: whether the puzzle says rules in words, too.
    """
    if problems := check.violations(board, stored):
        broken = problems[0].removeprefix(check.BREAKS)
        if broken == problems[0]:
            return Stored("wrong", f"the stored solution is none: {broken}")
        more = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
        changed = ": the prose probably changes this rule" if prose else ""
        return Stored("wrong", f"the file's own solution breaks the rule that {broken}{more}{changed}")
    if status == Status.UNDECIDED:
        return Stored("valid")
    if status == Status.MULTIPLE:
        return Stored("not_only")
    if status == Status.UNIQUE and grids and stored == grids[0]:
        return Stored("right")
    said = f"the verdict is {status}, but the stored solution is another one and passes the check"
    return Stored("valid", said, contradicts=True)
