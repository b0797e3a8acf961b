"""Symmetric images of boards: other boards with as many solutions."""

from __future__ import annotations

from random import Random

from gridproof.generation.grids import shuffled_lines
from gridproof.puzzle.board import Board


def image(board: Board, random: Random) -> Board:
    """Return the board with its symbols renamed and its lines in another order: bands, stacks, and the lines in them.

    For Latin squares and boards with boxes that have neither rules nor pencil marks.
    """
    geometry = board.geometry
    order = geometry.order
    high, wide = geometry.box_shape or (order, order)
    rows = shuffled_lines(order, high, random)
    columns = shuffled_lines(order, wide, random)
    names = [0, *random.sample(range(1, order + 1), order)]
    clues = [names[board.clues[row * order + column]] for row in rows for column in columns]
    return Board(geometry, tuple(clues))
