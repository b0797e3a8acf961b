"""Random full grids: Latin squares by a Markov chain, boards with boxes by shuffling a pattern."""

from __future__ import annotations

from random import Random
from typing import TypeAlias

from gridproof.puzzle.geometry import Geometry, Grid

_Entry: TypeAlias = tuple[int, int, int]


def random_grid(geometry: Geometry, random: Random) -> Grid:
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


def _latin_square(order: int, random: Random) -> Grid:
    """Return the Latin square of a chain whose limit is uniform, after order**3 steps and 10*order squares.

    Jacobson and Matthews 1996, Generating uniformly distributed random Latin squares. A square is a cube of entries
    (row, column, symbol) with one entry in each line; a step exchanges eight of them. On the way one entry may be
    counted -1: then the lines through it hold two others, and what is reached is no Latin square.
    """
    square = _Square(order)
    steps = squares = 0
    while order > 1 and (steps < order**3 or squares < 10 * order or square.negative):
        square.step(random)
        steps += 1
        squares += square.negative is None
    return tuple(square.symbols[row][column][0] + 1 for row in range(order) for column in range(order))


class _Square:
    """The entries of the cube, looked up along each of its lines; ``negative`` is the one that is counted -1."""

    def __init__(self, order: int) -> None:
        numbers = range(order)
        self.order = order
        self.symbols = [[[(row + column) % order] for column in numbers] for row in numbers]
        self.columns = [[[(symbol - row) % order] for symbol in numbers] for row in numbers]
        self.rows = [[[(symbol - column) % order] for symbol in numbers] for column in numbers]
        self.negative: _Entry | None = None

    def step(self, random: Random) -> None:
        row, column, symbol = self.negative or self._absent(random)
        other_symbol = random.choice(self.symbols[row][column])
        other_column = random.choice(self.columns[row][symbol])
        other_row = random.choice(self.rows[column][symbol])
        self._add(row, column, symbol)
        self._take(row, column, other_symbol)
        self._take(row, other_column, symbol)
        self._take(other_row, column, symbol)
        self._add(row, other_column, other_symbol)
        self._add(other_row, column, other_symbol)
        self._add(other_row, other_column, symbol)
        self._take(other_row, other_column, other_symbol)

    def _absent(self, random: Random) -> _Entry:
        row, column, symbol = random.randrange(self.order), random.randrange(self.order), random.randrange(self.order)
        while symbol in self.symbols[row][column]:
            symbol = random.randrange(self.order)
        return row, column, symbol

    def _add(self, row: int, column: int, symbol: int) -> None:
        if (row, column, symbol) == self.negative:
            self.negative = None
            return
        self.symbols[row][column].append(symbol)
        self.columns[row][symbol].append(column)
        self.rows[column][symbol].append(row)

    def _take(self, row: int, column: int, symbol: int) -> None:
        if symbol not in self.symbols[row][column]:
            self.negative = row, column, symbol
            return
        self.symbols[row][column].remove(symbol)
        self.columns[row][symbol].remove(column)
        self.rows[column][symbol].remove(row)


def _shuffled_pattern(order: int, rows: int, columns: int, random: Random) -> Grid:
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
    return [group * in_a_group + line for group in groups for line in random.sample(range(in_a_group), in_a_group)]
