"""Random full grids: Latin squares from a Markov chain, boards with boxes from a pattern that is shuffled."""

from __future__ import annotations

from random import Random
from typing import TypeAlias

from gridproof.puzzle.geometry import Geometry, SymbolTuple

_Entry: TypeAlias = tuple[int, int, int]


def random_grid(geometry: Geometry, random: Random) -> SymbolTuple:
    """Return a random full grid of a Latin square or of a board with boxes.

    Parameters
    ----------
    geometry : Geometry
        Without further houses.
    random : Random
        Where the choices come from.

    Examples
    --------
    >>> grid = random_grid(Geometry.classic(2), Random(1))
    >>> sorted(grid[:4]), sorted(grid[::4])
    ([1, 2, 3, 4], [1, 2, 3, 4])
    """
    if geometry.box_shape is None:
        return _latin_square(geometry.order, random)
    return _shuffled_pattern(geometry.order, *geometry.box_shape, random)


def _latin_square(order: int, random: Random) -> SymbolTuple:
    """Return the Latin square of a chain whose limit is uniform, after order**3 steps and 10*order squares.

    Jacobson and Matthews 1996, Generating uniformly distributed random Latin squares. A square is a cube of entries
    (row, column, symbol) with one entry in each line; a step exchanges eight of them. On the way one entry may be
    counted -1: then the lines through it hold two others, and what is reached is no Latin square.
    """
    numbers = range(order)
    # the third coordinates of the entries of a line: by row and column, by row and symbol, by column and symbol
    symbols = _cyclic_lines(order, 1)
    columns = _cyclic_lines(order, -1)
    rows = _cyclic_lines(order, -1)
    negative: _Entry | None = None
    steps = squares = 0
    while order > 1 and (steps < order**3 or squares < 10 * order or negative):
        row, column, symbol = negative or [random.randrange(order) for _ in range(3)]
        while negative is None and symbol in symbols[row][column]:
            symbol = random.randrange(order)
        other_symbol = random.choice(symbols[row][column])
        other_column = random.choice(columns[row][symbol])
        other_row = random.choice(rows[column][symbol])
        for entry, comes in (
            ((row, column, symbol), True),
            ((row, column, other_symbol), False),
            ((row, other_column, symbol), False),
            ((other_row, column, symbol), False),
            ((row, other_column, other_symbol), True),
            ((other_row, column, other_symbol), True),
            ((other_row, other_column, symbol), True),
            ((other_row, other_column, other_symbol), False),
        ):
            r, c, s = entry
            if entry == negative:
                negative = None
            elif comes:
                symbols[r][c].append(s)
                columns[r][s].append(c)
                rows[c][s].append(r)
            elif s in symbols[r][c]:
                symbols[r][c].remove(s)
                columns[r][s].remove(c)
                rows[c][s].remove(r)
            else:
                negative = entry
        steps += 1
        squares += negative is None
    return tuple(symbols[row][column][0] + 1 for row in numbers for column in numbers)


def _cyclic_lines(order: int, sign: int) -> list[list[list[int]]]:
    """Return the third coordinates of the cyclic square: that of each line is the sum, or difference, of the others."""
    lines = []
    for first in range(order):
        lines.append([[(second + sign * first) % order] for second in range(order)])
    return lines


def _shuffled_pattern(order: int, rows: int, columns: int, random: Random) -> SymbolTuple:
    """Return the cyclic pattern with its symbols, bands, stacks, rows and columns in any order.

    Lewis 2007, Metaheuristics can solve Sudoku puzzles. All these grids are one grid seen in different ways, so they
    are quick for any order, but no uniform sample.
    """
    symbols = random.sample(range(1, order + 1), order)
    across = shuffled_lines(order, columns, random)
    # the row's place in its band shifts by a whole box, its band by one cell
    starts = [columns * (row % rows) + row // rows for row in shuffled_lines(order, rows, random)]
    return tuple(symbols[(start + column) % order] for start in starts for column in across)


def shuffled_lines(order: int, in_a_group: int, random: Random) -> list[int]:
    """Return the lines 0 .. order-1, with the groups of lines and the lines of each group in any order."""
    groups = random.sample(range(order // in_a_group), order // in_a_group)
    lines = []
    for group in groups:
        for line in random.sample(range(in_a_group), in_a_group):
            lines.append(group * in_a_group + line)
    return lines
