"""Places on a drawing of Penpa+: its numbers for cells, corners, edges and what lies in between.

The cells of a square grid are numbered row by row, with two more on each side. After all cells come the lower right
corners of all of them, then the middles of their lower and of their right edges, four corners inside of each, and four
middles of sides inside of each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from gridproof.errors import InputError
from gridproof.text import counted

LARGEST_ORDER = 35
"""Rows of a board that is read."""

_LARGEST_GRID = 100
_MARGIN = 2
_SQUARE_GRIDS = ("square", "sudoku")
_WHOLE = ((0.5, 0.5), (1.0, 1.0), (1.0, 0.5), (0.5, 1.0))
_CORNERS = ((0.25, 0.25), (0.25, 0.75), (0.75, 0.25), (0.75, 0.75))
_SIDES = ((0.2, 0.5), (0.5, 0.8), (0.5, 0.2), (0.8, 0.5))

Point: TypeAlias = tuple[float, float]
"""A row and a column; the middle of the first cell is (0.5, 0.5)."""


class Border(NamedTuple):
    """An edge of a cell: the corner that it begins in, and whether it leads down or to the right."""

    row: int
    column: int
    is_vertical: bool

    def is_inside(self, n: int) -> bool:
        """Return whether it lies between two cells of a board."""
        across, along = (self.column, self.row) if self.is_vertical else (self.row, self.column)
        return 0 < across < n and 0 <= along < n


@dataclass(frozen=True, slots=True)
class Plan:
    """The places of a grid. rows, columns: with the margin. top, left: of the board in it. order: of the board."""

    rows: int
    columns: int
    top: int
    left: int
    order: int

    @classmethod
    def of(cls, fields: Sequence[str], cells: Sequence[int]) -> Plan:
        """Return the places for the first line of the data and the cells. Raises ``InputError`` if they are no square.

        Examples
        --------
        >>> Plan.of(["square", "2", "2"], [14, 15, 20, 21]).point_of(14)
        (0.5, 0.5)
        """
        if fields[0] not in _SQUARE_GRIDS:
            raise InputError(f"a grid of type {fields[0][:40]!r}; expected square or sudoku, the ones of square cells")
        sides = []
        for text in fields[1:3]:
            if not (text.isascii() and text.isdecimal() and len(text) <= 3 and 1 <= int(text) <= _LARGEST_GRID):
                raise InputError(f"a side of {text[:40]!r} cells; expected 1 to {_LARGEST_GRID}")
            sides.append(int(text) + 2 * _MARGIN)
        columns, rows = sides
        if not cells or not all(0 <= cell < rows * columns for cell in cells):
            raise InputError("cells beyond the grid, or none; expected those of a board")
        top = min(cell // columns for cell in cells)
        left = min(cell % columns for cell in cells)
        height = max(cell // columns for cell in cells) - top + 1
        width = max(cell % columns for cell in cells) - left + 1
        if height != width or len(set(cells)) != height * width or height > LARGEST_ORDER:
            found = f"{counted(len(set(cells)), 'cell')} in {counted(height, 'row')} and {counted(width, 'column')}"
            raise InputError(f"{found}; expected a whole square of at most {counted(LARGEST_ORDER, 'row')}")
        return cls(rows, columns, top, left, height)

    def point_of(self, key: Any) -> Point | None:
        """Return the point of a number, on the board; ``None`` if it is none."""
        number = self._number(key)
        if number is None:
            return None
        area = self.rows * self.columns
        part, place = divmod(number, area)
        if part < 4:
            cell, shift = place, _WHOLE[part]
        elif part < 8:
            cell, shift = (number - 4 * area) // 4, _CORNERS[number % 4]
        else:
            cell, shift = (number - 8 * area) // 4, _SIDES[number % 4]
        row, column = divmod(cell, self.columns)
        return row - self.top + shift[0], column - self.left + shift[1]

    def cell_of(self, key: Any) -> int | None:
        """Return the cell of the board that a number is of; ``None`` for any other place."""
        number = self._number(key)
        if number is None or number >= self.rows * self.columns:
            return None
        row = number // self.columns - self.top
        column = number % self.columns - self.left
        if 0 <= row < self.order and 0 <= column < self.order:
            return row * self.order + column
        return None

    def corner_of(self, cell: int) -> str:
        """Return the number of the upper left corner inside a cell of the board, as a key."""
        row, column = divmod(cell, self.order)
        number = (row + self.top) * self.columns + column + self.left
        return str(4 * (self.rows * self.columns + number))

    def segment_of(self, key: str) -> tuple[Point, Point] | None:
        """Return the two different points of a key such as ``14,15``; ``None`` if it is none."""
        first, _, second = key.partition(",")
        a, b = self.point_of(first), self.point_of(second)
        if a is None or b is None or a == b:
            return None
        return a, b

    def border_of(self, key: str) -> Border | None:
        """Return the edge of a cell that a key is; ``None`` for any other segment."""
        ends = self.segment_of(key)
        if ends is None:
            return None
        (row, column), (last_row, last_column) = sorted(ends)
        is_between_corners = row % 1 == column % 1 == last_row % 1 == last_column % 1 == 0
        if is_between_corners and (last_row - row, last_column - column) in ((0, 1), (1, 0)):
            return Border(int(row), int(column), is_vertical=last_row > row)
        return None

    def _number(self, key: Any) -> int | None:
        text = str(key) if type(key) in (str, int) else ""
        if not (text.isascii() and text.isdecimal()) or len(text) > 6:
            return None
        return int(text) if int(text) < 12 * self.rows * self.columns else None


def find_areas(borders: Collection[Border], n: int) -> list[list[int]]:
    """Return the cells of each area of a board that edges bound."""
    areas: list[list[int]] = []
    seen = [False] * (n * n)
    for start in range(n * n):
        if seen[start]:
            continue
        area = [start]
        seen[start] = True
        for cell in area:  # which grows
            for other in _open_neighbours(cell, borders, n):
                if not seen[other]:
                    seen[other] = True
                    area.append(other)
        areas.append(area)
    return areas


def _open_neighbours(cell: int, borders: Collection[Border], n: int) -> Iterator[int]:
    """Yield the neighbours of a cell that no edge separates from it."""
    row, column = divmod(cell, n)
    if row > 0 and Border(row, column, is_vertical=False) not in borders:
        yield cell - n
    if row < n - 1 and Border(row + 1, column, is_vertical=False) not in borders:
        yield cell + n
    if column > 0 and Border(row, column, is_vertical=True) not in borders:
        yield cell - 1
    if column < n - 1 and Border(row, column + 1, is_vertical=True) not in borders:
        yield cell + 1


def join_segments(segments: Sequence[tuple[Point, Point]]) -> Iterator[tuple[Point, ...]]:
    """Yield the lines that segments make up; a line ends where others begin.

    Examples
    --------
    >>> list(join_segments([((0, 0), (1, 1)), ((2, 2), (1, 1)), ((2, 2), (2, 3))]))
    [((0, 0), (2, 2), (2, 3))]
    """
    neighbours: dict[Point, list[Point]] = {}
    for a, b in segments:
        if b not in neighbours.setdefault(a, []):
            neighbours[a].append(b)
            neighbours.setdefault(b, []).append(a)
    ends = [point for point in neighbours if len(neighbours[point]) != 2]
    stops = set(ends)
    for start in ends + list(neighbours):  # what is left after the ends are loops
        while neighbours[start]:
            line = [start]
            while neighbours[line[-1]]:
                here = line[-1]
                following = neighbours[here].pop()
                neighbours[following].remove(here)
                line.append(following)
                if following in stops or following == start:
                    break
            yield without_middles(line)


def without_middles(line: Sequence[Point]) -> tuple[Point, ...]:
    """Return the points of a line without those that it goes straight through."""
    points: list[Point] = []
    for point in line:
        if len(points) > 1:
            (a, b), (c, d) = points[-2], points[-1]
            before = (c - a, d - b)
            after = (point[0] - c, point[1] - d)
            is_straight = before[0] * after[1] == before[1] * after[0]
            if is_straight and before[0] * after[0] + before[1] * after[1] > 0:
                points.pop()
        points.append(point)
    return tuple(points)
