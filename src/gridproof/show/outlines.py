"""The border of a set of cells, drawn a little inside it: for cages and pills."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import hypot
from typing import TypeAlias

from gridproof.show.document import number

Point: TypeAlias = tuple[float, float]
_Corner: TypeAlias = tuple[int, int]


def contour(cells: Iterable[int], n: int, cell: float, inset: float, radius: float) -> str:
    """The path data of closed lines around cells: ``inset`` from the border, corners rounded by ``radius``.

    Cells that touch only at a corner have lines of their own.
    """
    return "".join(_rounded(_inset(loop, cell, inset), radius) for loop in borders(cells, n))


def borders(cells: Iterable[int], n: int) -> list[list[_Corner]]:
    """The corners (x, y) of each closed border, with the cells to the right of the way around."""
    inside = {(cell % n, cell // n) for cell in cells}
    ways: dict[_Corner, list[_Corner]] = {}
    for x, y in sorted(inside):
        around = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1), (x, y)]
        beyond = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
        for (start, stop), neighbour in zip(pairwise(around), beyond, strict=True):
            if neighbour not in inside:
                ways.setdefault(start, []).append(stop)
    loops = []
    while ways:
        first = min(ways)
        loop = [first]
        while len(loop) == 1 or loop[-1] != first:
            loop.append(_next(loop, ways))
        loops.append(_corners(loop[:-1]))
    return loops


def _next(loop: list[_Corner], ways: dict[_Corner, list[_Corner]]) -> _Corner:
    """The next point; where two cells touch at a corner, the turn to the right, which stays at the same cell."""
    here, ahead = loop[-1], ways[loop[-1]]
    chosen = ahead[0]
    if len(ahead) > 1:
        dx, dy = here[0] - loop[-2][0], here[1] - loop[-2][1]
        right = (here[0] - dy, here[1] + dx)
        chosen = right if right in ahead else chosen
    ahead.remove(chosen)
    if not ahead:
        del ways[here]
    return chosen


def _corners(loop: list[_Corner]) -> list[_Corner]:
    around = [loop[-1], *loop, loop[0]]
    return [b for a, b, c in zip(around, around[1:], around[2:], strict=False) if _way(a, b) != _way(b, c)]


def _way(a: _Corner, b: _Corner) -> _Corner:
    return b[0] - a[0], b[1] - a[1]


def _inset(loop: list[_Corner], cell: float, inset: float) -> list[Point]:
    moved = []
    for place, (x, y) in enumerate(loop):
        before, after = loop[place - 1], loop[(place + 1) % len(loop)]
        shift_x = shift_y = 0.0
        for (ax, ay), (bx, by) in ((before, (x, y)), ((x, y), after)):
            length = abs(bx - ax) + abs(by - ay)
            shift_x -= (by - ay) / length * inset  # to the right of the way
            shift_y += (bx - ax) / length * inset
        moved.append((x * cell + shift_x, y * cell + shift_y))
    return moved


def _rounded(points: list[Point], radius: float) -> str:
    parts: list[str] = []
    for place, (x, y) in enumerate(points):
        before, after = points[place - 1], points[(place + 1) % len(points)]
        ends = [toward((x, y), other, radius) for other in (before, after)]
        (ax, ay), (bx, by) = ends
        parts.append(f"{'L' if parts else 'M'}{number(ax)} {number(ay)}")
        parts.append(f"Q{number(x)} {number(y)} {number(bx)} {number(by)}")
    return "".join([*parts, "Z"])


def toward(start: Point, goal: Point, distance: float) -> Point:
    """The point so far from ``start`` on the way to ``goal``, at most half of it."""
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    length = hypot(dx, dy) or 1.0
    share = min(distance / length, 0.5)
    return start[0] + dx * share, start[1] + dy * share
