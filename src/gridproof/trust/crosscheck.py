"""The cross-check of an answer by independent parts: the grid check, the reference backtracker, and further witnesses.

Two different grids that pass the check prove ``multiple``. No grid can show that there is no (other) solution, so
*witnesses* look for one: first the reference, and if it does not finish in its share of the time, the witnesses of
``gridproof.backends.witnesses``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

from gridproof.errors import BackendFailure, BackendUnavailable, InputError, Interrupted
from gridproof.limits import Limits, Watch
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.text import counted, text_of
from gridproof.trust import check, reference

REFERENCE = "reference"
"""Name of the reference among the witnesses."""


class Opinion(NamedTuple):
    """The outcome of a cross-check. As text, the word has the name of its witness before it if that is another one.

    Attributes
    ----------
    word : str
        ``agrees``, ``contradicts``, ``undecided``, ``not asked``, ``not needed`` or ``is the backend itself``.
    witness : str
        The name of the witness.

    Examples
    --------
    >>> str(Opinion("agrees")), str(Opinion("agrees", "second solver gluecard3/checker"))
    ('agrees', 'second solver gluecard3/checker: agrees')
    >>> Opinion.parse("second solver gluecard3/checker: agrees").word
    'agrees'
    """

    word: str
    witness: str = REFERENCE

    @classmethod
    def parse(cls, text: str) -> Opinion:
        """Return the opinion that a text states, such as one of a table."""
        witness, _, word = text.rpartition(": ")
        return cls(word, witness or REFERENCE)

    def __str__(self) -> str:
        if self.witness == REFERENCE:
            return self.word
        return f"{self.witness}: {self.word}"


AGREES = Opinion("agrees")
CONTRADICTS = Opinion("contradicts")
UNDECIDED = Opinion("undecided")
NOT_ASKED = Opinion("not asked")
NOT_NEEDED = Opinion("not needed")
ITSELF = Opinion("is the backend itself")

CROSS_CHECK_SECONDS = 5.0
"""Default time limit for all witnesses of one answer."""

LEAST_SECONDS = 2.0
TIMES_THE_ANSWER = 10.0
"""Further limit for all witnesses: this multiple of the time of the answer, but at least ``LEAST_SECONDS``."""

REFERENCE_CONFLICTS = 5_000
"""Dead ends allowed to the reference on a board of order 9 without rules: somewhat less than a second. On a board of
order n a dead end costs about (n / 9)**3 times as much, so fewer are allowed. A number gives the same evidence in every
run; a time would not."""

REFERENCE_CONFLICTS_WITH_RULES = 2
REFERENCE_SECONDS = 1.0
"""Limits of the reference on a board with rules, where a dead end may cost anything. On one of ten real puzzles it
finishes within these dead ends; six times as many let it finish on one of six, in more time than the formula takes. For
the others a second solver has the checker's formula, which is as independent; where a rule is of a kind without one, as
kinds of one's own are, the reference has as many dead ends as without rules. The seconds are for extremes only: the
same evidence each time."""

MOST_OPEN_FOR_REFERENCE = 64
"""Largest number of open cells of a board with rules that the reference searches first. Of the real puzzles with
more it finishes on one of thirty, so that the second solver comes first there; on those with fewer on three of ten, in
less time than that takes."""

LARGE_ORDER = 25
"""Largest order of a board without rules for the reference, and of a board whose houses are stated whole. Above it, a
checked proof of what propagation leaves takes less."""

REFERENCE_ORDER_WITH_RULES = 64
"""Largest order of a board with rules for the reference. It takes 300 MB and 5 s there, and 8 times as much for twice
the order."""

TIMES_ON_LARGE_BOARDS = 3.0
"""Further time for an answer on a board above ``LARGE_ORDER``: the limit is not less than this multiple of its time."""

ONE_BY_ONE = 1_000
"""Largest number of puzzles that the backend answers one after the other; the lanes begin with more."""

ALL_CHECKED = 10_000
"""Largest number of puzzles of which every answer is cross-checked by default."""

SAMPLED_SHARE = 0.001
"""Share of the answers that are cross-checked by default if there are more puzzles."""


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """The choice of the answers that are cross-checked, and the time for each.

    Parameters
    ----------
    mode
        ``all`` answers, ``none``, or a ``sample``.
    share
        For a sample, the probability (0 to 1) for each board.
    seed
        The seed of the sample.
    seconds
        The most that a cross-check may take; it takes less if the answer was cheap. On a board above order 25 it may
        take three times as long as the answer.

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
    def parse(cls, text: str) -> CrossCheck:
        """Read ``all``, ``none`` or ``sample=P`` with 0 <= P <= 1. Raises ``InputError`` for anything else."""
        if text == "all":
            return cls()
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
        """Return a function that decides, board after board, whether this one is cross-checked."""
        random = Random(self.seed)

        def choose() -> bool:
            if self.mode == "sample":
                return random.random() < self.share
            return self.mode == "all"

        return choose


def bad_grids(board: Board, grids: Sequence[object]) -> list[str]:
    """Return the contradictions between grids claimed as different solutions and the grid check."""
    problems = []
    for number, grid in enumerate(grids, 1):
        if isinstance(grid, tuple):
            reasons = check.violations(board, grid)
        else:  # the check takes a list, too; by the protocol, and to be compared with others, a grid is a tuple
            reasons = [f"it is of the type {type(grid).__name__}, no tuple"]
        if reasons:
            problems.append(f"the backend's solution {number} is none: {text_of(reasons[0])}")
    if not problems and len(set(grids)) < len(grids):
        problems.append("the backend gave the same solution twice as two")
    return problems


@dataclass(frozen=True, slots=True)
class Witness:
    """A part independent of a backend, which looks for a solution that the backend has left out.

    Attributes
    ----------
    name : str
        Its name in evidence and in sentences.
    solutions
        A function of a board, the grids claimed and a watch, which ends it. It yields those of the grids that it finds
        or need not look for, and any other solution that it finds.
    """

    name: str
    solutions: Callable[[Board, Sequence[SymbolTuple], Watch], Iterable[object]]

    def judge(self, board: Board, grids: Sequence[SymbolTuple], limits: Limits) -> tuple[Opinion, list[str]]:
        """Return its opinion on the claim that ``grids`` are all solutions, and the contradictions."""
        claimed = set(grids)
        number = 0
        try:
            for grid in self.solutions(board, grids, Watch(limits)):
                number += 1
                if grid not in claimed:
                    sound = "passes" if check.is_solution(board, grid) else "fails"
                    return self._contradict(len(claimed), f"found another, which {sound} the check")
        except (Interrupted, BackendFailure, BackendUnavailable):  # it has no opinion; the next one may have
            return Opinion(UNDECIDED.word, self.name), []
        if number != len(claimed):
            return self._contradict(len(claimed), f"finds {number}")
        return Opinion(AGREES.word, self.name), []

    def _contradict(self, claimed: int, finding: str) -> tuple[Opinion, list[str]]:
        number = counted(claimed, "solution") if claimed else "no solution"
        name = self.name
        if name == REFERENCE:
            name = "the reference"
        return Opinion(CONTRADICTS.word, self.name), [f"the backend claims {number}, {name} {finding}"]


def _search_by_reference(board: Board, _: Sequence[SymbolTuple], watch: Watch) -> Iterable[object]:
    return reference.solutions(board, watch=watch)


THE_REFERENCE = Witness(REFERENCE, _search_by_reference)


def against_reference(
    board: Board, grids: Sequence[SymbolTuple], limits: Limits, seconds: float = CROSS_CHECK_SECONDS
) -> tuple[Opinion, list[str]]:
    """Cross-check the claim that ``grids`` are all solutions (often none, or one) by the reference alone.

    Returns its opinion (``agrees``, ``contradicts``, ``undecided``) and the contradictions. seconds: its time limit.
    """
    if board.geometry.symbol_count > (REFERENCE_ORDER_WITH_RULES if board.rules else LARGE_ORDER):
        return UNDECIDED, []
    conflicts = _dead_ends_for(board, grids)
    if board.rules:
        seconds = min(REFERENCE_SECONDS, seconds)
    if limits.seconds is not None:
        seconds = min(seconds, limits.seconds)
    if limits.conflicts is not None:
        conflicts = min(conflicts, limits.conflicts)
    return THE_REFERENCE.judge(board, grids, Limits(seconds, conflicts))


def _dead_ends_for(board: Board, grids: Sequence[SymbolTuple]) -> int:
    """Return the dead ends that are allowed to the reference: some for the board, and some for each solution."""
    usual = REFERENCE_CONFLICTS
    if board.rules and _is_stated_by_checker(board):
        usual = REFERENCE_CONFLICTS_WITH_RULES
    order = max(board.geometry.symbol_count, 9)
    for_board = max(usual * 9**3 // order**3, 1)
    further = len(grids)
    if board.rules and grids:  # the first is found within those of the board
        further -= 1
    return for_board + 10 * further


def _is_stated_by_checker(board: Board) -> bool:
    """Return whether the checker's formula states all rules of a board."""
    from gridproof.trust.checked_board import NotCertified, refuse_rules  # which boards without rules do not need

    try:
        refuse_rules(board)
    except NotCertified:
        return False
    return True


def _is_reference_first(board: Board) -> bool:
    """Return whether the reference comes before all others: where it probably finishes, or nothing else decides."""
    if not board.rules:
        return True
    open_count = sum(mask.bit_count() > 1 for mask in board.candidates)
    return open_count <= MOST_OPEN_FOR_REFERENCE or not _is_stated_by_checker(board)


def cross_check(
    board: Board,
    grids: Sequence[SymbolTuple],
    limits: Limits,
    witnesses: Iterable[Witness],
    seconds: float = CROSS_CHECK_SECONDS,
    answered: float = 0.0,
) -> tuple[Opinion, list[str]]:
    """Cross-check the claim that ``grids`` are all solutions, by the reference and, if it is undecided, by witnesses.

    On a board with rules and many open cells the witnesses come first, as the reference seldom finishes there.

    Parameters
    ----------
    board, grids
        The claim; each grid has passed the check.
    limits
        The limits for each part, as for the answer itself.
    witnesses
        Witnesses beside the reference, the cheapest first; taken one by one as they are needed.
    seconds, answered
        The time limit for all of them, and the time that the answer took.

    Returns
    -------
    tuple
        The opinion for the evidence, such as ``agrees`` or ``second solver gluecard3/checker: agrees``, and the
        contradictions.
    """
    seconds = min(seconds, max(LEAST_SECONDS, TIMES_THE_ANSWER * answered))
    if board.geometry.symbol_count > LARGE_ORDER:
        seconds = max(seconds, TIMES_ON_LARGE_BOARDS * answered)
    if limits.seconds is not None:
        seconds = min(seconds, limits.seconds)
    watch = Watch(Limits(seconds=seconds))
    is_reference_first = _is_reference_first(board)
    if is_reference_first:
        opinion, problems = against_reference(board, grids, limits, seconds / 2)
        if opinion != UNDECIDED:
            return opinion, problems
    for witness in witnesses:
        remaining = watch.remaining()
        if not remaining:
            break
        opinion, problems = witness.judge(board, grids, Limits(remaining, limits.conflicts))
        if opinion.word != UNDECIDED.word:
            return opinion, problems
    remaining = watch.remaining()
    if not is_reference_first and remaining:
        return against_reference(board, grids, limits, remaining)
    return UNDECIDED, []
