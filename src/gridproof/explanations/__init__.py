"""Why a board has no solution, what its solutions disagree on, and which clues and rules of a puzzle matter.

``explain`` says what there is to say about a board, ``true_candidates`` what each cell can hold; an ``Explainer``
answers one question after another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from gridproof.backends.protocol import Backend
from gridproof.errors import Interrupted
from gridproof.explanations.explainer import DEFAULT_BACKEND, Explainer
from gridproof.explanations.values import Candidates, ConflictSet, Explanation
from gridproof.limits import NO_LIMITS, Limits
from gridproof.models.encoding import Encoding
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid
from gridproof.trust.answer import Complete, Enough, Status, status_of

ENUMERATED = 500
"""Solutions looked at for the smallest difference, unless told."""


def explain(
    board: Board,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    conflicts: int | None = None,
    enumerated: int = ENUMERATED,
    limits: Limits = NO_LIMITS,
) -> Explanation:
    """Explain a board: why it has no solution, what its solutions disagree on, or which clues and rules it can spare.

    Parameters
    ----------
    board
        The puzzle, with its rules if it has any.
    backend, encoding
        As of ``Explainer``.
    conflicts
        How many conflict sets are wanted of a board without a solution, smallest first; ``None`` for the one that is
        found fastest.
    enumerated
        How many solutions are looked at for the smallest difference.
    limits
        Of all questions together.

    Returns
    -------
    Explanation
        What there is to say, by the ``status`` of the board.

    Raises
    ------
    Interrupted
        If a limit came first; not if conflict sets were wanted and one was found.
    BackendUnavailable, EncodingError, BoardError
        As ``Explainer`` does.

    Examples
    --------
    >>> from gridproof import parse
    >>> explain(parse("1... 1... .... ....")).conflicts[0].direct[0].message
    'r1c1 and r2c1 in column 1 both hold 1'
    """
    with Explainer(board.geometry, limits, backend, encoding) as explainer:
        found = explainer.solutions(board, 2)
        status = status_of(Complete(tuple(found)) if len(found) < 2 else Enough(tuple(found)))
        if status is Status.NONE:
            one = conflicts is None
            sets = iter([explainer.conflict_set(board)]) if one else explainer.conflict_sets(board)
            return _with_conflicts(board, sets, 1 if conflicts is None else conflicts)
        if status is Status.UNIQUE:
            return Explanation(
                board,
                status,
                solutions=1,
                witnesses=tuple(found),
                redundant=explainer.redundant_clues(board),
                redundant_rules=explainer.redundant_rules(board),
            )
        found = explainer.solutions(board, enumerated + 1)
        complete, found = len(found) <= enumerated, found[:enumerated]
        first, second = closest(found)
        differing = tuple(cell for cell, (a, b) in enumerate(zip(first, second, strict=True)) if a != b)
        return Explanation(
            board,
            status,
            solutions=len(found),
            complete=complete,
            differing=differing,
            witnesses=(first, second),
            fixing=explainer.fixing_clue(board),
        )


def _with_conflicts(board: Board, found: Iterator[ConflictSet], most: int) -> Explanation:
    """The explanation of a board without a solution by so many of the sets found, or those before a limit."""
    sets, stopped = [], ""
    try:
        for conflict in islice(found, most + 1):
            sets.append(conflict)  # noqa: PERF402 -- what was found before a limit is kept
    except Interrupted as limit:
        if not sets:
            raise
        stopped = str(limit)
    complete = not stopped and len(sets) <= most
    return Explanation(board, Status.NONE, conflicts=tuple(sets[:most]), complete=complete, stopped=stopped)


def closest(grids: Sequence[Grid]) -> tuple[Grid, Grid]:
    """The two of at least two grids that differ in the fewest cells."""
    # one bit for each cell and symbol: two grids agree in as many cells as they have bits in common
    order = max(grids[0])
    bits = [sum(1 << (cell * order + symbol) for cell, symbol in enumerate(grid)) for grid in grids]
    a, b = max(combinations(range(len(grids)), 2), key=lambda pair: (bits[pair[0]] & bits[pair[1]]).bit_count())
    return grids[a], grids[b]


def true_candidates(
    board: Board,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    limits: Limits = NO_LIMITS,
) -> Candidates:
    """Find for each cell the symbols it takes over all solutions, exactly, with a witness for each.

    Parameters
    ----------
    board
        The puzzle, with its rules if it has any.
    backend, encoding
        As of ``Explainer``.
    limits
        Of all questions together.

    Returns
    -------
    Candidates
        The symbols of each cell as ``masks``, and a solution for each symbol in ``witnesses``.

    Raises
    ------
    Interrupted
        If a limit came first.
    BackendUnavailable, EncodingError, BoardError
        As ``Explainer`` does.

    Examples
    --------
    >>> from gridproof import parse
    >>> true_candidates(parse("12.. .... 4.1. ....")).masks[2:4] == (0b1100, 0b1100)
    True
    """
    with Explainer(board.geometry, limits, backend, encoding) as explainer:
        return explainer.candidates(board)


__all__ = ["DEFAULT_BACKEND", "Candidates", "ConflictSet", "Explainer", "Explanation", "explain", "true_candidates"]
