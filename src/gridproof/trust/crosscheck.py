"""The cross-check of an answer by independent parts: the grid check, the reference backtracker, and further witnesses.

Two different grids that pass the check prove ``multiple``. No grid can show that there is no (other) solution, so
*witnesses* try to find one: first the reference, and if it does not finish in its share of the time, the witnesses of
``gridproof.backends.witnesses``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, TypeAlias

from gridproof.errors import BackendFailure, BackendUnavailable, InputError, Interrupted
from gridproof.limits import Limits, Watch
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid
from gridproof.puzzle.grid import Grid as ShownGrid
from gridproof.runs.foreign import text_of
from gridproof.trust import check, reference
from gridproof.trust.answer import Status

AGREES, CONTRADICTS, UNDECIDED = "agrees", "contradicts", "undecided"
NOT_ASKED, NOT_NEEDED, ITSELF = "not asked", "not needed", "is the backend itself"
"""What is said of a cross-check. After a witness that is not the reference, its name and a colon stand before the
word: ``second solver minisat22/checker: agrees``."""

CROSS_CHECK_SECONDS = 5.0
"""What the witnesses of one answer may take in all, where nobody says otherwise."""

LEAST_SECONDS = 2.0
TIMES_THE_ANSWER = 10.0
"""Nor may they take more than so many times what the answer took, or than the first of these if that is more."""

REFERENCE_CONFLICTS = 5_000
"""Dead ends of the reference on a board of order 9 without rules, somewhat less than a second. One of a board of order
n costs about (n / 9)**3 times as much, so it gets as many fewer. A number, not a time: the same evidence each time."""

REFERENCE_CONFLICTS_WITH_RULES = 30
REFERENCE_SECONDS = 0.25
"""Dead ends and seconds of the reference on a board with rules, where a dead end may cost anything. On two of five real
puzzles it finishes within these; for the others a second solver has the checker's formula, which is as independent."""

REFERENCE_ORDER = 64
"""Above this order the reference is not asked: it takes 300 MB and 5 s here, and eight times as much with each doubling
of the order."""

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
    """Which answers are cross-checked, and for how long.

    Parameters
    ----------
    mode
        ``all`` answers, ``none``, or a ``sample``.
    share
        For a sample, the probability (0 to 1) for each board.
    seed
        The seed of the sample.
    seconds
        The most that a cross-check may take; it takes less if the answer was cheap.

    Raises
    ------
    InputError
        If the seconds are not above zero.

    Examples
    --------
    >>> CrossCheck.parse("sample=0.1").share
    0.1
    """

    mode: Literal["all", "none", "sample"] = "all"
    share: float = 1.0
    seed: int = 0
    seconds: float = CROSS_CHECK_SECONDS

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise InputError(f"a cross-check of {self.seconds!r} seconds; expected a number above zero")

    @classmethod
    def parse(cls, text: str, seconds: float = CROSS_CHECK_SECONDS) -> CrossCheck:
        """Read ``all``, ``none`` or ``sample=P`` with 0 <= P <= 1. Raises ``InputError`` for anything else."""
        if text == "all":
            return cls("all", 1.0, seconds=seconds)
        if text == "none":
            return cls("none", 0.0, seconds=seconds)
        name, _, number = text.partition("=")
        try:
            share = float(number)
        except ValueError:
            share = -1.0
        if name != "sample" or not 0 <= share <= 1:
            raise InputError(f"cross-check {text!r}; expected all, none or sample=P with P from 0 to 1")
        return cls("sample", share, seconds=seconds)

    def chooser(self) -> Callable[[], bool]:
        """A function that says, board after board, whether this one is to be cross-checked."""
        random = Random(self.seed)
        return lambda: self.mode == "all" or (self.mode == "sample" and random.random() < self.share)


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


@dataclass(frozen=True, slots=True)
class Witness:
    """Somebody independent of a backend, who is asked whether it has left out a solution.

    name: how evidence calls it, and opinions in sentences. solutions: gives, for a board and the grids claimed, those
    of them that it finds or need not look for, and any other solution that it finds; the watch ends it.
    """

    name: str
    solutions: Callable[[Board, Sequence[Grid], Watch], Iterable[object]]

    def hear(self, board: Board, grids: Sequence[Grid], limits: Limits) -> tuple[str, list[str]]:
        """What it says to the claim that ``grids`` are all solutions, in a word, and the contradictions."""
        claimed, found = set(grids), 0
        said = f"the backend claims {_said(len(claimed))}, {self.name}"
        try:
            for grid in self.solutions(board, grids, Watch(limits)):
                found += 1
                if grid not in claimed:
                    sound = "which passes the check" if check.is_solution(board, grid) else "which fails the check"
                    return CONTRADICTS, [f"{said} found another, {sound}"]
        except (Interrupted, BackendFailure, BackendUnavailable):  # it has no opinion; the next one may have
            return UNDECIDED, []
        return (AGREES, []) if found == len(claimed) else (CONTRADICTS, [f"{said} finds {found}"])


THE_REFERENCE = Witness("the reference", lambda board, _, watch: reference.solutions(board, watch=watch))


def against_reference(
    board: Board, grids: Sequence[Grid], limits: Limits, seconds: float = CROSS_CHECK_SECONDS, answered: float = 0.0
) -> tuple[str, list[str]]:
    """The claim "``grids`` are all solutions" (often none, or one) against the reference alone.

    Returns what the reference said (``agrees``, ``contradicts``, ``undecided``) and the contradictions. seconds: what
    it may take at most; answered: the seconds that the answer took.
    """
    order = board.geometry.order
    if order > REFERENCE_ORDER:
        return UNDECIDED, []
    usual = REFERENCE_CONFLICTS_WITH_RULES if board.rules else REFERENCE_CONFLICTS
    conflicts = max(usual * 9**3 // max(order, 9) ** 3, 1) + 10 * len(grids)
    share = max(REFERENCE_SECONDS, 2 * answered) if board.rules else seconds
    own = Limits(min(share, seconds, limits.seconds or seconds), min(conflicts, limits.conflicts or conflicts))
    return THE_REFERENCE.hear(board, grids, own)


def cross_check(
    board: Board,
    grids: Sequence[Grid],
    limits: Limits,
    others: Iterable[Witness],
    seconds: float = CROSS_CHECK_SECONDS,
    answered: float = 0.0,
) -> tuple[str, list[str]]:
    """The claim "``grids`` are all solutions" before the reference and, until one has an opinion, the other witnesses.

    Parameters
    ----------
    board, grids
        The claim; each grid has passed the check.
    limits
        What each may cost, as the answer itself.
    others
        Witnesses beside the reference, the cheapest first; taken one by one as they are needed.
    seconds, answered
        What all of them may take, and what the answer took.

    Returns
    -------
    tuple
        What is to be kept as evidence, such as ``agrees`` or ``second solver minisat22/checker: agrees``, and the
        contradictions.
    """
    seconds = min(seconds, limits.seconds or seconds, max(LEAST_SECONDS, TIMES_THE_ANSWER * answered))
    watch = Watch(Limits(seconds=seconds))
    said, problems = against_reference(board, grids, limits, seconds / 2, answered)
    if said != UNDECIDED:
        return said, problems
    for witness in others:
        if not (left := watch.remaining()):
            break
        said, problems = witness.hear(board, grids, Limits(left, limits.conflicts))
        if said != UNDECIDED:
            return f"{witness.name}: {said}", problems
    return UNDECIDED, []


def told(said: str) -> tuple[str, str]:
    """Who said it, and the word; one that stands alone is about the reference.

    >>> told("agrees"), told("second solver minisat22/checker: agrees")
    (('reference', 'agrees'), ('second solver minisat22/checker', 'agrees'))
    """
    name, _, word = said.rpartition(": ")
    return name or "reference", word


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
