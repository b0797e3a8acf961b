"""Points and cells of what is drawn: which cells a line visits, and lines that were drawn in pieces."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby, pairwise
from math import dist, floor
from typing import TypeVar

from gridproof.formats.programs import UnreadItem

Point = tuple[float, float]
"""A row and a column; the middle of the first cell is (0.5, 0.5)."""

T = TypeVar("T")

_NEAR, _FAR = 0.36, 0.48
"""A line visits a cell if it comes so near to its middle; it is unclear whether it does in between."""

_TOUCHING = 0.06


def is_inside(point: Point, n: int) -> bool:
    """Return whether a point is on a board of this order."""
    return all(0 < x < n for x in point)


def _foot(point: Point, a: Point, b: Point) -> tuple[float, float]:
    """Return the share of the way from a to b that is nearest to a point, and how far it is away."""
    (x, y), (down, right), length = a, (b[0] - a[0], b[1] - a[1]), dist(a, b)
    share = min(1, max(0, ((point[0] - x) * down + (point[1] - y) * right) / length**2)) if length else 0
    return share, dist(point, (x + share * down, y + share * right))


def visited(points: Sequence[Point], n: int) -> tuple[int, ...]:
    """Return the cells whose middles a line of points comes near to, and those of its ends; none if that is unclear.

    Examples
    --------
    >>> visited([(0.5, 0.5), (2.5, 2.5), (2.5, 3.5)], 4)
    (0, 5, 10, 11)
    """
    path: list[int] = []
    unclear: set[int] = set()
    for a, b in pairwise(points):
        rows, columns = (range(floor(min(a[k], b[k])), floor(max(a[k], b[k])) + 1) for k in (0, 1))
        feet = [(*_foot((row + 0.5, column + 0.5), a, b), row * n + column) for row in rows for column in columns]
        path += [cell for _, away, cell in sorted(feet) if away <= _NEAR]
        unclear |= {cell for _, away, cell in feet if _NEAR < away < _FAR}
    first, last = (floor(row) * n + floor(column) for row, column in (points[0], points[-1]))
    if not path or unclear - {first, *path, last} or not all(is_inside(point, n) for point in points):
        return ()
    return tuple(cell for cell, _ in groupby([first, *path, last]))


def meet(line: Sequence[Point], other: Sequence[Point]) -> bool:
    """Return whether an end of one line is on the other. Lines that only cross do not meet."""
    return any(
        _foot(one[end], a, b)[1] <= _TOUCHING
        for one, two in ((line, other), (other, line))
        for end in (0, -1)
        for a, b in pairwise(two)
    )


def groups(items: Iterable[T], together: Callable[[T, T], bool]) -> list[list[T]]:
    """Return items in groups, such that two that are together are in one."""
    found: list[list[T]] = []
    for item in items:
        near = [group for group in found if any(together(item, other) for other in group)]
        found = [*(group for group in found if group not in near), [*(one for group in near for one in group), item]]
    return found


def _beside(lines: Iterable[Sequence[int]]) -> dict[int, set[int]]:
    """Return the cells of lines, each with those next to it on one of them."""
    beside: dict[int, set[int]] = defaultdict(set)
    for line in lines:
        for a, b in pairwise(line):
            beside[a].add(b)
            beside[b].add(a)
    return beside


def path(lines: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the cells of a line in pieces from end to end. Raises ``UnreadItem`` if several pieces branch or close."""
    if len(lines) == 1:
        return lines[0]
    beside = _beside(lines)
    ends = [cell for cell, others in beside.items() if len(others) == 1]
    if len(ends) != 2 or any(len(others) > 2 for others in beside.values()):
        raise UnreadItem("a line in pieces that branch or close")
    walk = [ends[0]]
    while following := [cell for cell in beside[walk[-1]] if cell not in walk[-2:-1]]:
        walk.append(following[0])
    return tuple(walk)


def parts(lines: Sequence[tuple[int, ...]], region_of: Sequence[int]) -> tuple[int, ...]:
    """Return the cells of a line, a loop or a network in an order of which each part within a region is a run.

    No two parts of one region stand side by side. Raises ``UnreadItem`` where that is impossible.
    """
    cells, beside = [cell for line in lines for cell in line], _beside(lines)
    if len({region_of[cell] for cell in cells}) < 2:
        raise UnreadItem("a line that stays in one region")
    if len(lines) == 1 and len({*cells}) == len(cells):
        return lines[0]
    pieces = groups(dict.fromkeys(cells), lambda a, b: b in beside[a] and region_of[a] == region_of[b])
    number = Counter(region_of[piece[0]] for piece in pieces)
    order: list[int] = []
    while pieces:
        usable = [piece for piece in pieces if not order or region_of[piece[0]] != region_of[order[-1]]]
        if not usable:
            raise UnreadItem("a line whose parts are in one region")
        following = max(usable, key=lambda piece: number[region_of[piece[0]]])
        number[region_of[following[0]]] -= 1
        pieces.remove(following)
        order += following
    return tuple(order)
