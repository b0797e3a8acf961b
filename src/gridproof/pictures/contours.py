"""The border of a set of cells, drawn a little inside it: for cages, pills and shades."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gridproof.pictures.document import at, through


def contour(cells: Iterable[int], n: int, cell: float, inset: float, radius: float) -> str:
    """Return the path data of closed lines around cells: ``inset`` from the border, corners rounded by ``radius``.

    Cells that touch only at a corner have lines of their own.
    """
    parts = []
    for loop in borders(cells, n):
        # each corner moves to the right of the way to it and of the way from it
        points = []
        for before, corner, after in with_neighbours(loop):
            points.append(corner * cell + inset * 1j * (unit(corner - before) + unit(after - corner)))
        parts.append(round_line(points, radius) if radius else through(points))
        parts.append("Z")
    return "".join(parts)


def round_line(points: list[complex], radius: float) -> str:
    """Return the path data of a line through points whose corners are rounded."""
    curves = []
    for before, point, after in with_neighbours(points):
        start = toward(point, before, radius)
        stop = toward(point, after, radius)
        curves.append(f"{at(start)}Q{at(point)} {at(stop)}")
    return "M" + "L".join(curves)


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
        first = min(ways, key=lambda corner: (corner.real, corner.imag))
        here = first
        step = 0j
        loop: list[complex] = []
        while not loop or here != first:
            ahead = ways[here]
            # where two cells touch at a corner, the turn to the right stays at the same cell
            turn = 1j * step if 1j * step in ahead else ahead[0]
            if turn != step:
                loop.append(here)
            ahead.remove(turn)
            if not ahead:
                del ways[here]
            here += turn
            step = turn
        loops.append(loop)
    return loops


def with_neighbours(points: list[complex]) -> Iterator[tuple[complex, complex, complex]]:
    """Yield each point of a closed line between the point before it and the point after it."""
    before = points[-1:] + points[:-1]
    after = points[1:] + points[:1]
    return zip(before, points, after, strict=True)


def unit(way: complex) -> complex:
    """Return the step of length 1 in this direction; 0 without a direction."""
    return way / (abs(way) or 1.0)


def toward(start: complex, goal: complex, distance: float) -> complex:
    """Return the point at a distance from ``start`` on the way to ``goal``, at most half of it."""
    return start + unit(goal - start) * min(distance, abs(goal - start) / 2)
