"""The forms of drawn items: a line with a bulb, a dot on an edge, a number outside the grid, ...

The form follows from shape, place and ends alone. Colours only join pieces: the end of a line in the colour of a circle
begins in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import floor

from gridproof.formats.drawn.geometry import Point, cells_along, is_inside
from gridproof.formats.drawn.items import DrawnItem
from gridproof.formats.programs import sights
from gridproof.puzzle.houses import diagonals

SIGNS = {"<": 1, "∧": 1, "^": 1, "⌃": 1, ">": -1, "∨": -1, "⌄": -1, "v": -1}
"""Signs between two cells; 1 if they are narrow towards the first."""

_ON_LINE = 0.06
"""Largest distance from a line of the grid of a shape that is on it, in cells."""

_CENTRAL = 0.11
"""Largest distance from the middle of a cell of a shape that is in it, in cells."""

_WHOLE_CELL = 0.95
"""The width in cells from which a square shades its cell."""

_SMALLEST_RING = 0.5
"""The width in cells from which a circle is one that a line or an arrow ends in."""

_THICKEST_DIAGONAL = 4
"""Pixels of a line along a whole diagonal that marks it; a thicker one may be a line of another kind."""


def with_forms(items: Sequence[DrawnItem], n: int) -> list[DrawnItem]:
    """Return items with their forms and cells.

    ``plain``, ``bulb``, ``ringed`` (a circle at both ends) and ``diagonal`` lines; an ``arrow`` with its circle, or a
    ``pointer`` outside; ``dot`` on an edge, ``corner``, ``circle``, ``square``, ``diamond``, ``shade`` or ``text`` in a
    cell, a number ``outside``; an ``end`` belongs to a line.
    """
    shapes = []
    for item in items:
        if not item.is_line:
            shapes.append(classify_shape(item, n))
    circles = []
    outside = []
    for shape in shapes:
        if shape.form == "circle":
            circles.append(shape)
        elif shape.form == "outside" and shape.text.isdecimal():
            outside.append(shape)
    lines = []
    for item in items:
        if item.is_line:
            lines.append(classify_line(item, circles, n))
    lines = keep_bulbs_once(lines)
    continue_bulbs(lines)
    for place, line in enumerate(lines):
        if line.form == "pointer":
            lines[place] = add_number(line, outside, n)
    return lines + mark_ends(shapes, lines)


def mark_ends(shapes: Sequence[DrawnItem], lines: Sequence[DrawnItem]) -> list[DrawnItem]:
    """Return the shapes, those that belong to a line as its ends."""
    ends: list[DrawnItem] = []
    for line in lines:
        ends += line.ends
    places = set()
    for end in ends:
        if end.form != "outside":
            places.add((end.form, end.cells))
    result = []
    for shape in shapes:
        if shape in ends or (shape.form, shape.cells) in places:
            shape = replace(shape, form="end")
        result.append(shape)
    return result


# ---- shapes ----------------------------------------------------------------------------------------------------------


def classify_shape(item: DrawnItem, n: int) -> DrawnItem:
    """Return a shape with its form and the cells that it is at; unchanged if it has no form."""
    if not item.points or item.form != "unknown":
        return item
    row, column = item.points[0]
    if not is_inside((row, column), n):
        if item.text:
            seen = sights(n, slanted=False).get((floor(row) + 1, floor(column) + 1, ""), ())
            return replace(item, form="outside", cells=seen)
        return item
    row_is_on_line = abs(row - round(row)) < _ON_LINE
    column_is_on_line = abs(column - round(column)) < _ON_LINE
    first = round(row) if row_is_on_line else floor(row)
    second = round(column) if column_is_on_line else floor(column)
    cell = first * n + second
    if row_is_on_line and column_is_on_line:
        return replace(item, form="corner", cells=(cell - n - 1, cell - n, cell - 1, cell))
    if _is_central(row) and _is_central(column):
        return replace(item, form=find_form_in_cell(item), cells=(cell,))
    is_on_edge = (row_is_on_line and _is_central(column)) or (column_is_on_line and _is_central(row))
    if is_on_edge and not is_across(item.text, row_is_on_line):
        pair = (cell - n if row_is_on_line else cell - 1, cell)
        return replace(item, form="dot", cells=pair[:: SIGNS.get(item.text, 1)])
    return item


def _is_central(number: float) -> bool:
    return abs(number - floor(number) - 0.5) < _CENTRAL


def find_form_in_cell(item: DrawnItem) -> str:
    """Return the form of a shape in the middle of a cell."""
    if item.text:
        return "text"
    if item.rounded:
        return "circle"
    return "shade" if item.size >= _WHOLE_CELL else "square"


def is_across(text: str, is_between_rows: bool) -> bool:
    """Return whether a sign compares to the left and right but stands between rows, or the other way round."""
    if text not in SIGNS or text == "v":
        return False
    return (text in "<>") == is_between_rows


# ---- lines -----------------------------------------------------------------------------------------------------------


def classify_line(item: DrawnItem, circles: Sequence[DrawnItem], n: int) -> DrawnItem:
    """Return a line with its form, its cells and the circles at its ends; unchanged if it has no form."""
    if not item.points:
        return item
    if item.key == "arrows" and not is_inside(item.points[0], n):
        return replace(item, form="pointer")
    diagonal = find_marked_diagonal(item, n)
    if diagonal:
        return replace(item, form="diagonal", cells=diagonal)
    cells = cells_along(item.points, n)
    is_closed = item.points[0] == item.points[-1]
    if len(cells) == 1 and is_closed and len(item.points) == 5 and item.key == "lines":
        return replace(item, form="diamond", cells=cells)
    if len(cells) < 2:
        return item
    item = replace(item, cells=cells)
    at_first = _circles_in(cells[0], circles)
    at_last = _circles_in(cells[-1], circles)
    first_ring = _ring_among(at_first)
    last_ring = _ring_among(at_last)
    if item.key == "arrows":
        return replace(item, form="arrow", ends=(first_ring,)) if first_ring else item  # the circle is the first cell
    bulbs = []
    for circle in at_first + at_last:
        if circle.fill is not None and circle.fill == item.fill:
            bulbs.append(circle)
    places = {bulb.cells for bulb in bulbs}
    if len(places) == 1 and len(set(cells)) == len(cells):
        from_bulb = cells if cells[:1] in places else cells[::-1]
        return replace(item, form="bulb", cells=from_bulb, ends=tuple(bulbs))
    if first_ring and last_ring and len(places) != 1:
        return replace(item, form="ringed", ends=(first_ring, last_ring))
    if last_ring and not first_ring:  # what begins in a circle is read from there
        item = replace(item, cells=cells[::-1])
    return replace(item, form="plain")


def _circles_in(cell: int, circles: Sequence[DrawnItem]) -> list[DrawnItem]:
    """Return the circles in a cell."""
    return [circle for circle in circles if circle.cells[0] == cell]


def find_marked_diagonal(item: DrawnItem, n: int) -> tuple[int, ...]:
    """Return the cells of the diagonal that a line marks; none for any other line."""
    corners = {(round(row), round(column)) for row, column in item.points if is_corner((row, column))}
    falling, rising = diagonals(n)
    for ends, house in (({(0, 0), (n, n)}, falling), ({(0, n), (n, 0)}, rising)):
        is_from_corner_to_corner = len(item.points) == 2 and corners == ends
        is_thin = 0 < item.size <= _THICKEST_DIAGONAL
        if is_from_corner_to_corner or (is_thin and cells_along(item.points, n) == house):
            return tuple(house)
    return ()


def is_corner(point: Point) -> bool:
    """Return whether a point is a corner of a cell."""
    return all(abs(number - round(number)) < _ON_LINE for number in point)


def _ring_among(circles: Sequence[DrawnItem]) -> DrawnItem | None:
    for circle in circles:
        if circle.size >= _SMALLEST_RING:
            return circle
    return None


def keep_bulbs_once(lines: Sequence[DrawnItem]) -> list[DrawnItem]:
    """Return the lines; one between circles of which one is the bulb of another line is plain."""
    bulbs: list[DrawnItem] = []
    for line in lines:
        if line.form == "bulb":
            bulbs += line.ends
    result = []
    for line in lines:
        if line.form == "ringed" and any(end in bulbs for end in line.ends):
            line = replace(line, form="plain", ends=())
        result.append(line)
    return result


def continue_bulbs(lines: list[DrawnItem]) -> None:
    """Give the form ``bulb`` to the plain pieces that lead on from a line with a bulb, and to those behind them."""
    waiting = [line for line in lines if line.form == "bulb"]
    while waiting:
        bulb = waiting.pop()
        for place, line in enumerate(lines):
            if line.form != "plain" or (line.fill, line.size) != (bulb.fill, bulb.size):
                continue
            begins_there = line.cells[0] in bulb.cells
            ends_there = line.cells[-1] in bulb.cells
            if begins_there != ends_there:
                outward = line.cells if begins_there else line.cells[::-1]
                lines[place] = replace(line, form="bulb", cells=outward)
                waiting.append(lines[place])


def add_number(item: DrawnItem, outside: Sequence[DrawnItem], n: int) -> DrawnItem:
    """Return an arrow outside with its number, which stands where it begins, and the cells of its diagonal."""
    row, column = item.points[0]
    last_row, last_column = item.points[-1]
    down = (last_row > row) - (last_row < row)
    right = (last_column > column) - (last_column < column)
    numbers = []
    for text in outside:
        if (floor(text.points[0][0]), floor(text.points[0][1])) == (floor(row), floor(column)):
            numbers.append(text)
    is_beside = -2 <= row <= n + 1 and -2 <= column <= n + 1
    cells = []
    if len(numbers) == 1 and down and right and is_beside:
        for step in range(1, n + 2):
            next_row = floor(row) + step * down
            next_column = floor(column) + step * right
            if 0 <= next_row < n and 0 <= next_column < n:
                cells.append(next_row * n + next_column)
    return replace(item, ends=tuple(numbers[:1]), cells=tuple(cells))
