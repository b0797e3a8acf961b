"""The border of a set of cells, drawn a little inside it: for cages and pills."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gridproof.pictures.document import at


def contour(cells: Iterable[int], n: int, cell: float, inset: float, radius: float) -> str:
    """Return the path data of closed lines around cells: ``inset`` from the border, corners rounded by ``radius``.

    Cells that touch only at a corner have lines of their own.
    """
    parts = []
    for loop in borders(cells, n):
        # each corner moves to the right of the way to it and of the way from it
        points = [
            corner * cell + inset * 1j * (unit(corner - before) + unit(after - corner))
            for before, corner, after in _around(loop)
        ]
        for place, (before, point, after) in enumerate(_around(points)):
            start, stop = toward(point, before, radius), toward(point, after, radius)
            parts.append(f"{'L' if place else 'M'}{at(start)}Q{at(point)} {at(stop)}")
        parts.append("Z")
    return "".join(parts)


def borders(cells: Iterable[int], n: int) -> list[list[complex]]:
    """Return the corners of each closed border, with the cells to the right of the way around."""
    inside = {complex(cell % n, cell // n) for cell in cells}
    ways: dict[complex, list[complex]] = {}  # the steps along the border that lead away from a corner
    for corner in inside:
        here = corner
        for step in (1, 1j, -1, -1j):
            if corner - 1j * step not in inside:
                ways.setdefault(here, []).append(step)
            here += step
    loops = []
    while ways:
        first = here = min(ways, key=lambda corner: (corner.real, corner.imag))
        step, loop = 0j, list[complex]()
        while not loop or here != first:
            ahead = ways[here]
            # where two cells touch at a corner, the turn to the right stays at the same cell
            turn = 1j * step if 1j * step in ahead else ahead[0]
            if turn != step:
                loop.append(here)
            ahead.remove(turn)
            if not ahead:
                del ways[here]
            here, step = here + turn, turn
        loops.append(loop)
    return loops


def _around(points: list[complex]) -> Iterator[tuple[complex, complex, complex]]:
    """Yield each point of a closed line between the one before and the one after."""
    return zip([points[-1], *points[:-1]], points, [*points[1:], points[0]], strict=True)


def unit(way: complex) -> complex:
    """Return the step of length 1 in this direction; 0 without a direction."""
    return way / (abs(way) or 1.0)


def toward(start: complex, goal: complex, distance: float) -> complex:
    """Return the point at a distance from ``start`` on the way to ``goal``, at most half of it."""
    return start + unit(goal - start) * min(distance, abs(goal - start) / 2)
