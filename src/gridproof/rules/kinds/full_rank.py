"""Clues outside the grid that rank all rows and columns, read as numbers from both ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.puzzle.digits import Digit
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.foreign import IssItem
from gridproof.rules.kinds.outside import OutsideClue
from gridproof.rules.primitives import Cells, Different, Domain, Primitive
from gridproof.rules.ranks import Ranked
from gridproof.rules.rule import parameter


class FullRank(OutsideClue):
    """The rows and columns, read as numbers from both ends, are ranked from the lowest (1) to the highest.

    The clue outside the grid is the rank of its line, as it is read from there; no other line is the same number. Lines
    without a clue may be. The rule is for boards whose rows and columns hold every digit.
    """

    rank: int = parameter("number", "the rank of the line")

    kind = "full-rank"
    frame = "circle"
    words = "{sight}, the number has rank {rank} among all rows and columns from both ends"
    example = "full-rank 3 row1"
    formats = (IssItem(type="FullRank", clue="rank", ends=True, least=1),)

    def scope(self, geometry: Geometry) -> frozenset[int]:
        return frozenset(range(geometry.cell_count))

    def invalid_reason(self, geometry: Geometry) -> str | None:
        if set(geometry.shape) != {geometry.symbol_count}:
            return "a board whose rows and columns do not hold every digit; expected one where each does"
        if not any(self.cells in side for side in lines_by_side(geometry)):
            return "cells that are no row or column from one of its ends; expected one, such as row1"
        return super().invalid_reason(geometry)

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        # Each digit stands once at each of the four sides, so that four numbers begin with it. The rank settles the
        # first digit, and how many of the three other numbers that begin with it are less.
        sides = lines_by_side(geometry)
        for side in sides:
            yield Different(tuple([line[0] for line in side]))
        place, lower = divmod(self.rank - 1, 4)
        yield Domain.of(self.cells[0], (geometry.digits.first + place,), geometry.digits)
        others = tuple([tuple(side) for side in sides if self.cells not in side])
        yield Ranked(self.cells, others, lower)

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        own = [grid[cell] for cell in self.cells]
        less = 0
        for side in lines_by_side(geometry):
            numbers = [[grid[cell] for cell in line] for line in side]
            if len({number[0] for number in numbers}) < len(numbers):
                return False  # on no board that the rule is for
            if numbers.count(own) > (self.cells in side):
                return False
            less += sum(1 for number in numbers if number < own)
        return less == self.rank - 1


def lines_by_side(geometry: Geometry) -> list[list[Cells]]:
    """Return the rows from the left, the rows from the right, the columns from the top, and those from the bottom."""
    rows, columns = geometry.shape
    from_the_left = [tuple(range(row * columns, row * columns + columns)) for row in range(rows)]
    from_the_top = [tuple(range(column, rows * columns, columns)) for column in range(columns)]
    from_the_right = [line[::-1] for line in from_the_left]
    from_the_bottom = [line[::-1] for line in from_the_top]
    return [from_the_left, from_the_right, from_the_top, from_the_bottom]
