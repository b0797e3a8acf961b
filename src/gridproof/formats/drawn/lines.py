"""Lines of a group as rules need them: pieces joined, loops opened, branches in an order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from gridproof.errors import InputError
from gridproof.formats.drawn.geometry import meet
from gridproof.formats.drawn.items import DrawnItem
from gridproof.puzzle.geometry import Geometry

_OF_NEIGHBOURS = {
    *("thermometer", "slow-thermometer", "whispers", "dutch-whispers", "parity-line", "relation", "inequality"),
    "difference",
}
"""Kinds that compare neighbours on a line: the pieces of a line may stand for themselves."""

_OF_SETS = {"renban", "nabner", "killer", "extra-region", "look-and-say", "rellik"}
"""Kinds for which the order along a line does not matter."""


def lines_for(kind: str, items: Sequence[DrawnItem], geometry: Geometry) -> list[tuple[int, ...]]:
    """Return the lines of cells that a kind of rule takes from the pieces of one drawn line.

    Raises
    ------
    InputError
        If the pieces are no line that the kind can take.
    """
    lines = [item.cells for item in items]
    if kind in _OF_NEIGHBOURS:
        return lines
    path = chain_pieces(lines)
    if path is None and kind in _OF_SETS:
        return [merge_cells(lines)]
    if path is None and kind == "region-sum":
        return [order_parts(lines, geometry)]
    if path is None:
        raise InputError(f"a line with branches, which {kind} cannot take")
    is_loop = len(path) > 2 and path[0] == path[-1]
    if is_loop and kind in _OF_SETS | {"sum-loop"}:
        return [path[:-1]]
    if is_loop and kind == "region-sum":
        return [begin_at_border(path[:-1], geometry)]
    if is_loop and kind in ("entropic", "modular"):
        return [path, path[-2:] + path[1:2]]
    return [path]


def join_pieces(items: Sequence[DrawnItem]) -> list[list[DrawnItem]]:
    """Return items of one look in groups: the pieces of a line, which meet, are one."""
    groups: list[list[DrawnItem]] = []
    for item in items:
        joined = [item]
        apart = []
        for group in groups:
            if any(are_pieces(item, other) for other in group):
                joined = group + joined
            else:
                apart.append(group)
        apart.append(joined)
        groups = apart
    return groups


def are_pieces(item: DrawnItem, other: DrawnItem) -> bool:
    """Return whether two items are pieces of a line: lines that meet."""
    return item.is_line and len(item.points) > 1 and len(other.points) > 1 and meet(item.points, other.points)


def chain_pieces(lines: Iterable[tuple[int, ...]]) -> tuple[int, ...] | None:
    """Return one path through pieces that follow each other end to end; ``None`` if they branch.

    Examples
    --------
    >>> chain_pieces([(1, 2), (3, 2), (3, 4)])
    (1, 2, 3, 4)
    >>> chain_pieces([(1, 2, 3), (2, 5)]) is None
    True
    """
    waiting = list(lines)
    path = waiting.pop(0)
    while waiting:
        for place, piece in enumerate(waiting):
            longer = _append_piece(path, piece)
            if longer is not None:
                path = longer
                del waiting[place]
                break
        else:
            return None
    inner = path[1:]
    return path if len(set(inner)) == len(inner) else None


def _append_piece(path: tuple[int, ...], piece: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return a path with a piece at one of its ends; ``None`` if it begins at neither."""
    for turned_path in (path, path[::-1]):
        for turned_piece in (piece, piece[::-1]):
            if turned_path[-1] == turned_piece[0]:
                return turned_path + turned_piece[1:]
    return None


def merge_cells(lines: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the cells of some lines, each once."""
    cells: dict[int, None] = {}
    for line in lines:
        cells.update(dict.fromkeys(line))
    return tuple(cells)


def begin_at_border(loop: tuple[int, ...], geometry: Geometry) -> tuple[int, ...]:
    """Return a loop so that it begins where it enters a region."""
    regions = geometry.region_of
    for place in range(len(loop)):
        if regions is not None and regions[loop[place - 1]] != regions[loop[place]]:
            return loop[place:] + loop[:place]
    return loop


def order_parts(lines: Sequence[tuple[int, ...]], geometry: Geometry) -> tuple[int, ...]:
    """Return the cells of a line with branches, cut into its parts in the regions, no two of one region side by side.

    A rule that cuts a line at borders then finds these very parts.

    Raises
    ------
    InputError
        If there is no such order, or the board has no regions.
    """
    regions = geometry.region_of
    if regions is None:
        raise InputError("a line with branches on a board without regions")
    part_of = {cell: cell for cell in merge_cells(lines)}
    for line in lines:
        for a, b in pairwise(line):
            if regions[a] == regions[b]:
                old, new = part_of[b], part_of[a]
                for cell, part in part_of.items():
                    if part == old:
                        part_of[cell] = new
    parts: dict[int, list[int]] = {}
    for cell, part in part_of.items():
        parts.setdefault(part, []).append(cell)
    waiting = list(parts.values())
    ordered: list[int] = []
    while waiting:
        left = Counter(regions[part[0]] for part in waiting)
        free = [part for part in waiting if not ordered or regions[part[0]] != regions[ordered[-1]]]
        if not free:
            raise InputError("a line with branches whose parts in one region cannot be told apart")
        chosen = max(free, key=lambda part: left[regions[part[0]]])
        waiting.remove(chosen)
        ordered += chosen
    return tuple(ordered)
