"""Minimal puzzles: leave out clues and rules that are not needed for a puzzle to have exactly one solution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, Unpack, get_args

from gridproof.backends.protocol import Backend
from gridproof.errors import BoardError, DisagreementError
from gridproof.expect import expect_flag, expect_word
from gridproof.explanations import DEFAULT_BACKEND, Explainer, Part
from gridproof.formats import PuzzleLike, parse
from gridproof.formats.reading import ReadOptions
from gridproof.limits import NO_LIMITS, Limits
from gridproof.models.targets import Encoding
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.questions import verify
from gridproof.trust.answer import Status

Drop: TypeAlias = Literal["clues", "rules"]

OTHERS = {"clues": "rules", "rules": "clues", None: ""}
"""What is kept where only some are dropped."""


@dataclass(frozen=True, slots=True, repr=False)
class Minimised:
    """A puzzle, and the clues and rules of it that are enough for its solution.

    Attributes
    ----------
    board : Board
        The puzzle with these clues and rules alone.
    kept, dropped : Part
        Clues and rules of the whole puzzle.
    whole : Board
        The whole puzzle.
    solution : tuple of int
        The only solution of both.
    """

    board: Board
    kept: Part
    dropped: Part
    whole: Board
    solution: SymbolTuple

    def __str__(self) -> str:
        if not self.dropped.size:
            return f"all are needed: {self.kept.count_text()}"
        return f"enough: {self.kept.count_text() or 'nothing'}; dropped: {self.dropped.text(self.whole)}"

    def __repr__(self) -> str:
        return f"<Minimised: {self}>"

    def _repr_html_(self) -> str:
        from gridproof.pictures.cards import board_card

        return board_card(f"{self}.", [], self.board)


def minimise(
    puzzle: PuzzleLike,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    drop: Drop | None = None,
    fewest: bool = False,
    limits: Limits = NO_LIMITS,
    **reading: Unpack[ReadOptions],
) -> Minimised:
    """Drop clues and rules from a puzzle as long as it has exactly one solution.

    What is left is minimal: it has several solutions without any one of the clues and rules. ``verify`` checks it, with
    its cross-check.

    Parameters
    ----------
    puzzle
        A ``Board``, or whatever ``gridproof.parse`` reads, with exactly one solution. Its pencil marks stay.
    backend, encoding
        As in ``gridproof.explain``.
    drop
        ``"clues"`` or ``"rules"`` to drop only these. By default clues are dropped before rules.
    fewest
        Whether to find a set with the fewest members, not just a minimal one. That may take long: set a limit.
    limits
        For all questions together.
    **reading
        The options of ``gridproof.parse``, such as ``rules``.

    Returns
    -------
    Minimised
        The minimal puzzle, what was kept and what was dropped.

    Raises
    ------
    BoardError
        For a puzzle that has not exactly one solution.
    Interrupted
        If a limit came first.
    DisagreementError
        If ``verify`` finds another verdict for the minimal puzzle.
    BackendUnavailable, EncodingError
        As ``gridproof.explain`` does.

    References
    ----------
    Adaptive deletion as in ``explanations.minimiser``; the fewest by implicit hitting sets: Ignatiev, Previti, Liffiton
    and Marques-Silva 2015, Smallest MUS extraction with minimal hitting set dualization.

    Examples
    --------
    >>> import gridproof
    >>> print(gridproof.minimise("12.. ..2. .3.. ...4"))
    enough: 4 clues; dropped: r1c2=2
    >>> cages = ["killer 3 r1c1 r1c2", "killer 5 r2c1 r3c1", "killer 5 r4c3 r4c4"]
    >>> minimised = gridproof.minimise("12.. .... .... ...3", rules=cages, drop="rules")
    >>> minimised.kept.rules, minimised.dropped.text(minimised.whole)
    ((2,), 'the killer cage r1c1 r1c2 sums to 3; the killer cage r2c1 r3c1 sums to 5')
    """
    if drop is not None:
        expect_word(drop, get_args(Drop), "drop")
    expect_flag(fewest, "fewest")
    board = parse(puzzle, **reading)
    with Explainer(board.geometry, limits, backend, encoding) as explainer:
        solutions = explainer.solutions(board, 2)
        if len(solutions) != 1:
            given = "several solutions" if solutions else "no solution"
            raise BoardError(f"{given}; expected a puzzle with exactly one, so that something can be left out")
        kept = explainer.enough(board, OTHERS[drop], fewest=fewest)
    minimal = kept.of(board)
    verdict = verify(minimal, limits=limits)
    if verdict.status not in (Status.UNIQUE, Status.UNDECIDED):
        raise DisagreementError(f"the minimal puzzle {minimal.text()} is {verdict.status}; expected unique")
    return Minimised(minimal, kept, kept.rest_of(board), board, solutions[0])
