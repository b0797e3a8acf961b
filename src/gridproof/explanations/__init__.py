"""Explanations: why a board has no solution, where its solutions differ, and which clues and rules of a puzzle matter.

``explain`` explains a board, and ``candidates`` finds the candidates that some solution has. An ``Explainer``
answers one question after another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Generic, TypeVar, Unpack

from gridproof.backends.protocol import Backend
from gridproof.errors import Interrupted
from gridproof.expect import expect_flag, expect_whole
from gridproof.explanations.explainer import DEFAULT_BACKEND, Explainer
from gridproof.explanations.parts import ConflictSet, Correction, Part
from gridproof.explanations.values import Candidates, Explanation
from gridproof.formats import PuzzleLike
from gridproof.formats.reading import ReadOptions, read_named
from gridproof.limits import NO_LIMITS, Limits
from gridproof.models.targets import Encoding
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.trust.answer import Status

ENUMERATED = 500
"""Number of solutions that are looked at for the smallest difference, by default."""

CORRECTION_SECONDS = 5.0
"""Time for finding what to leave out of a board without a solution."""

MOST_CORRECTIONS = 20
"""Largest number of corrections that are listed, unless a conflict has more members."""

Member = TypeVar("Member")


def explain(
    puzzle: PuzzleLike,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    conflicts: int | None = None,
    minimal: bool = False,
    enumerated: int = ENUMERATED,
    limits: Limits = NO_LIMITS,
    **reading: Unpack[ReadOptions],
) -> Explanation:
    """Explain a board: why it has no solution, where its solutions differ, or which clues and rules it can spare.

    Parameters
    ----------
    puzzle
        A ``Board``, or whatever ``gridproof.parse`` reads.
    backend, encoding
        As for ``Explainer``.
    conflicts
        How many conflict sets are wanted of a board without a solution, smallest first; ``None`` for the one that is
        found fastest.
    minimal
        Whether a minimal set of clues and rules is wanted of a board with one solution: see ``Explanation.enough``.
    enumerated
        How many solutions are looked at for the smallest difference.
    limits
        For all questions together.
    **reading
        The options of ``gridproof.parse``, such as ``rules``.

    Returns
    -------
    Explanation
        Its ``status`` is that of the board, its ``sentences`` state the rest.

    Raises
    ------
    Interrupted
        If a limit came first; not if a conflict set was found before.
    BackendUnavailable, EncodingError, BoardError
        As ``Explainer`` does.

    Examples
    --------
    >>> import gridproof
    >>> explanation = gridproof.explain("1... 1... .... ....")
    >>> [one.text(explanation.board) for one in explanation.corrections]
    ['r1c1=1', 'r2c1=1']
    >>> explanation.conflicts[0].direct[0].message
    'r1c1 and r2c1 in column 1 both hold 1'
    """
    if conflicts is not None:
        conflicts = expect_whole(conflicts, "conflicts", least=1)
    enumerated = expect_whole(enumerated, "enumerated", least=2)
    expect_flag(minimal, "minimal")
    board = read_named(puzzle, **reading).board
    with Explainer(board.geometry, limits, backend, encoding) as explainer:
        return explain_board(board, explainer, conflicts=conflicts, minimal=minimal, enumerated=enumerated)


def explain_board(
    board: Board,
    explainer: Explainer,
    *,
    conflicts: int | None = None,
    minimal: bool = False,
    enumerated: int = ENUMERATED,
    seconds_to_correct: float = CORRECTION_SECONDS,
) -> Explanation:
    """Explain a board by an explainer that is open: as ``explain`` does, for one board after another.

    seconds_to_correct: the time for finding what to leave out of a board without a solution.

    Examples
    --------
    >>> from gridproof import parse
    >>> board = parse("1... 1... .... ....")
    >>> with Explainer(board.geometry) as explainer:
    ...     explain_board(board, explainer).status, explain_board(board.without_clue(0), explainer).status
    (<Status.NONE: 'none'>, <Status.MULTIPLE: 'multiple'>)
    """
    witnesses = tuple(explainer.solutions(board, 2))
    if not witnesses:
        return _explain_none(board, explainer, conflicts, seconds_to_correct)
    if len(witnesses) > 1:
        return _explain_multiple(board, explainer, enumerated)
    redundant = explainer.redundant(board)
    return Explanation(
        board,
        Status.UNIQUE,
        solutions=1,
        witnesses=witnesses,
        redundant=redundant.cells,
        redundant_rules=redundant.rules,
        enough=explainer.enough(board) if minimal else None,
    )


def _explain_multiple(board: Board, explainer: Explainer, enumerated: int) -> Explanation:
    """Explain a board with several solutions by the two that differ least, and a clue that leaves one."""
    grids = explainer.solutions(board, enumerated + 1)
    complete = len(grids) <= enumerated
    grids = grids[:enumerated]
    first, second = closest(grids)
    return Explanation(
        board,
        Status.MULTIPLE,
        solutions=len(grids),
        complete=complete,
        differing=tuple([cell for cell in range(len(first)) if first[cell] != second[cell]]),
        witnesses=(first, second),
        fixing=explainer.fixing_clue(board),
    )


def _explain_none(board: Board, explainer: Explainer, wanted: int | None, seconds_to_correct: float) -> Explanation:
    """Explain a board that has no solution by corrections and conflicts."""
    if wanted is None:
        conflicts = Found([explainer.conflict_set(board)])
    else:
        conflicts = take(explainer.conflict_sets(board), wanted + 1)
    if conflicts.limit and not conflicts.members:
        raise conflicts.limit
    first = conflicts.members[0]
    most = max(MOST_CORRECTIONS, first.size)  # each correction by a single member is in every conflict
    with explainer.within(seconds_to_correct):
        corrections = take(explainer.corrections(board, first), most + 1)
    stopped = str(corrections.limit or "")
    if len(corrections.members) > most:
        stopped = f"stopped at {most}"
    best_first = sorted(corrections.members[:most], key=lambda one: (not one.unique, one.cells, one.rules, one.marks))
    return Explanation(
        board,
        Status.NONE,
        corrections=tuple(best_first),
        corrections_stopped=stopped,
        conflicts=tuple(conflicts.members[:wanted]),
        complete=not conflicts.limit and len(conflicts.members) <= (wanted or 1),
        stopped=str(conflicts.limit or ""),
    )


@dataclass(frozen=True)
class Found(Generic[Member]):
    """The findings of a search, and the limit that came first, if one did."""

    members: list[Member]
    limit: Interrupted | None = None


def take(search: Iterator[Member], most: int) -> Found[Member]:
    """Take up to so many of what a search finds."""
    members: list[Member] = []
    try:
        for member in islice(search, most):
            members.append(member)  # noqa: PERF402 (what is found before a limit is kept)
    except Interrupted as limit:
        return Found(members, limit)
    return Found(members)


def closest(grids: Sequence[SymbolTuple]) -> tuple[SymbolTuple, SymbolTuple]:
    """Return the two of at least two grids that differ in the fewest cells."""
    order = max(grids[0])
    masks: list[int] = []  # a bit for each cell and its symbol: two grids agree in as many cells as they share bits
    for grid in grids:
        masks.append(sum([1 << (cell * order + symbol) for cell, symbol in enumerate(grid)]))
    pairs = combinations(range(len(grids)), 2)
    one, other = max(pairs, key=lambda pair: (masks[pair[0]] & masks[pair[1]]).bit_count())
    return grids[one], grids[other]


def candidates(
    puzzle: PuzzleLike,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    limits: Limits = NO_LIMITS,
    **reading: Unpack[ReadOptions],
) -> Candidates:
    """Find for each cell exactly the symbols that it has in some solution, with a witness for each.

    Parameters
    ----------
    puzzle
        A ``Board``, or whatever ``gridproof.parse`` reads.
    backend, encoding
        As for ``Explainer``.
    limits
        For all questions together.
    **reading
        The options of ``gridproof.parse``, such as ``rules``.

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
    >>> import gridproof
    >>> gridproof.candidates("12.. .... 4.1. ....").masks[2:4] == (0b1100, 0b1100)
    True
    """
    board = read_named(puzzle, **reading).board
    with Explainer(board.geometry, limits, backend, encoding) as explainer:
        return explainer.candidates(board)


__all__ = [
    "DEFAULT_BACKEND",
    "Candidates",
    "ConflictSet",
    "Correction",
    "Explainer",
    "Explanation",
    "Part",
    "candidates",
    "explain",
    "explain_board",
]


def __dir__() -> list[str]:
    return __all__
