"""Symmetric images of boards: other boards that are as hard in principle, and often not for a solver."""

from __future__ import annotations

from random import Random

from gridproof.errors import InputError
from gridproof.generation.grids import shuffled_lines
from gridproof.puzzle.board import Board


def image(board: Board, random: Random) -> Board:
    """Return the board with its symbols renamed and, where its houses allow it, its lines in another order.

    On a Latin square rows and columns take any order; with boxes bands and stacks do, and the lines in them. On other
    boards (jigsaws, further houses) the cells stay.

    Parameters
    ----------
    board : Board
        Without rules, for which another order of symbols may make a difference.
    random : Random
        Where the choices come from.

    Raises
    ------
    InputError
        For a board with rules.

    Examples
    --------
    >>> from gridproof import parse, verify
    >>> verify(image(parse("1... ..2. .3.. ...4"), Random(1))).is_unique
    True
    """
    geometry = board.geometry
    if board.rules:
        raise InputError("symmetries of a board with rules; expected a board without")
    n = geometry.order
    rows = columns = list(range(n))
    if geometry.regions is None and not geometry.families and not geometry.extra:
        high, wide = geometry.box_shape or (n, n)
        rows, columns = shuffled_lines(n, high, random), shuffled_lines(n, wide, random)
    places = [row * n + column for row in rows for column in columns]
    names = [0, *random.sample(range(1, n + 1), n)]
    marks = None
    if board.marks is not None:
        marks = tuple(
            sum(1 << (names[symbol + 1] - 1) for symbol in range(n) if board.marks[place] >> symbol & 1)
            for place in places
        )
    return Board(geometry, tuple(names[board.clues[place]] for place in places), marks=marks)
