"""Lines that were drawn in pieces: which belong together, and their cells as a set, a path, or parts by region."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import dist

from gridproof.formats.drawn.items import Item, Point
from gridproof.formats.programs import Wrong

_TOUCHING = 0.06


def _is_on(point: Point, points: Sequence[Point]) -> bool:
    """Return whether a point lies on a line of points."""
    for a, b in pairwise(points):
        length = dist(a, b) ** 2
        share = ((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])) / length if length else 0
        share = min(1, max(0, share))
        if dist(point, (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))) <= _TOUCHING:
            return True
    return False


def components(items: Sequence[Item]) -> list[list[Item]]:
    """Return the pieces of each line: of one colour, an end of one on another. Lines that only cross are separate."""
    groups: list[list[Item]] = []
    for item in items:
        near = [
            group
            for group in groups
            if any(
                other.fill == item.fill
                and any(_is_on(a.points[k], b.points) for a, b in ((item, other), (other, item)) for k in (0, -1))
                for other in group
            )
        ]
        groups = [group for group in groups if group not in near]
        groups.append([*(one for group in near for one in group), item])
    return groups


def _edges(items: Iterable[Item]) -> dict[int, set[int]]:
    """Return the cells of pieces, each with those next to it on the line."""
    beside: dict[int, set[int]] = {}
    for item in items:
        for a, b in pairwise(item.cells):
            beside.setdefault(a, set()).add(b)
            beside.setdefault(b, set()).add(a)
    return beside


def path(items: Sequence[Item]) -> tuple[int, ...]:
    """Return the cells of a line from end to end; a loop ends with its first cell. Raises ``Wrong`` if it branches."""
    if len(items) == 1:
        return items[0].cells
    beside = _edges(items)
    ends = [cell for cell, others in beside.items() if len(others) == 1]
    if len(ends) != 2 or any(len(others) > 2 for others in beside.values()):
        raise Wrong("a line in pieces that branch or close")
    walk = [ends[0]]
    while following := [cell for cell in beside[walk[-1]] if cell not in walk[-2:-1]]:
        walk.append(following[0])
    return tuple(walk)


def parts(items: Sequence[Item], region_of: Sequence[int]) -> tuple[int, ...]:
    """Return the cells of a line, a loop or a network in an order of which each part within a region is a run.

    No two parts of one region stand side by side. Raises ``Wrong`` where that is impossible.
    """
    cells = [cell for item in items for cell in item.cells]
    if len({region_of[cell] for cell in cells}) < 2:
        raise Wrong("a line that stays in one region")
    if len(items) == 1 and len({*cells}) == len(cells):
        return items[0].cells
    beside, pieces, waiting = _edges(items), list[list[int]](), dict.fromkeys(cells)
    while waiting:
        piece = [next(iter(waiting))]
        for cell in piece:
            waiting.pop(cell, None)
            piece += [c for c in beside[cell] if region_of[c] == region_of[cell] and c not in piece]
        pieces.append(piece)
    number = Counter(region_of[piece[0]] for piece in pieces)
    order: list[int] = []
    while pieces:
        usable = [piece for piece in pieces if not order or region_of[piece[0]] != region_of[order[-1]]]
        if not usable:
            raise Wrong("a line whose parts are in one region")
        following = max(usable, key=lambda piece: number[region_of[piece[0]]])
        number[region_of[following[0]]] -= 1
        pieces.remove(following)
        order += following
    return tuple(order)
