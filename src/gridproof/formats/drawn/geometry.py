"""Points and cells of what is drawn: which cells a line visits, and which lines were drawn in pieces."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from math import dist, floor
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
"""A row and a column; the middle of the first cell is (0.5, 0.5)."""

_NEAR = 0.36
"""A line visits a cell if it comes so near to its middle, in cells."""

_FAR = 0.48
"""A line passes a cell if it stays so far from its middle; in between nobody can tell."""

_TOUCHING = 0.06
"""Ends of lines that are so near to another line are on it, in cells."""


def is_inside(point: Point, n: int) -> bool:
    """Return whether a point is on a board of this order."""
    return 0 < point[0] < n and 0 < point[1] < n


def cells_along(points: Sequence[Point], n: int) -> tuple[int, ...]:
    """Return the cells whose middles a line of points comes near to, and those of its ends; none if that is unclear.

    Examples
    --------
    >>> cells_along([(0.5, 0.5), (2.5, 2.5), (2.5, 3.5)], 4)
    (0, 5, 10, 11)
    """
    if not all(is_inside(point, n) for point in points):
        return ()
    path: list[int] = []
    unclear: set[int] = set()
    for a, b in pairwise(points):
        near: list[tuple[float, int]] = []
        for row, column in list_cells_around(a, b):
            share, away = _foot((row + 0.5, column + 0.5), a, b)
            cell = row * n + column
            if away <= _NEAR:
                near.append((share, cell))
            elif away < _FAR:
                unclear.add(cell)
        for _, cell in sorted(near):
            path.append(cell)
    walk = [_cell_at(points[0], n)] + path + [_cell_at(points[-1], n)]
    if not path or unclear - set(walk):
        return ()
    return tuple(cell for cell, _ in groupby(walk))


def meet(line: Sequence[Point], other: Sequence[Point]) -> bool:
    """Return whether an end of one line is on the other. Lines that only cross do not meet."""
    return _ends_on(line, other) or _ends_on(other, line)


def _ends_on(line: Sequence[Point], other: Sequence[Point]) -> bool:
    for end in (line[0], line[-1]):
        for a, b in pairwise(other):
            _, away = _foot(end, a, b)
            if away <= _TOUCHING:
                return True
    return False


def _cell_at(point: Point, n: int) -> int:
    return floor(point[0]) * n + floor(point[1])


def list_cells_around(a: Point, b: Point) -> list[tuple[int, int]]:
    """Return row and column of each cell of the smallest rectangle that holds two points."""
    rows = range(floor(min(a[0], b[0])), floor(max(a[0], b[0])) + 1)
    columns = range(floor(min(a[1], b[1])), floor(max(a[1], b[1])) + 1)
    return [(row, column) for row in rows for column in columns]


def _foot(point: Point, a: Point, b: Point) -> tuple[float, float]:
    """Return the share of the way from a to b that is nearest to a point, and how far it is away."""
    down = b[0] - a[0]
    right = b[1] - a[1]
    length = dist(a, b)
    share = 0.0
    if length:
        share = ((point[0] - a[0]) * down + (point[1] - a[1]) * right) / length**2
        share = min(1.0, max(0.0, share))
    return share, dist(point, (a[0] + share * down, a[1] + share * right))
