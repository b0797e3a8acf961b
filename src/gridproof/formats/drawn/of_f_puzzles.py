"""The drawn items of an f-puzzles file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gridproof.formats.drawn.colours import Colour
from gridproof.formats.drawn.geometry import Point
from gridproof.formats.drawn.items import PIXELS, DrawnItem, turn_sign
from gridproof.formats.known.links.f_puzzles import FPuzzlesReading
from gridproof.formats.programs import Drawing, as_list

_PLACE = re.compile(r"[rR](-?[0-9]{1,2})[cC](-?[0-9]{1,2})")

_LONGEST_NAME = 40
"""Characters of the name of a drawing that are shown."""

_MOST_POINTS = 300
"""Cells of an item that is looked at."""


def items_of_f_puzzles(data: Mapping[str, Any]) -> tuple[list[DrawnItem], int]:
    """Return the items of the data of a link, and the order of its board."""
    reading = FPuzzlesReading(data)
    reading.read_puzzle()
    items: list[DrawnItem] = []
    for drawing in reading.drawings:
        items += items_of_drawing(drawing, reading.size)
    return items, reading.size


def items_of_drawing(drawing: Drawing, n: int) -> Iterator[DrawnItem]:
    """Yield the items of a drawing: one for each line of it. n: the order of the board."""
    name = drawing.entry.get("fromConstraint") if isinstance(drawing.entry, dict) else None
    for item in read_items(drawing, n):
        yield replace(item, name=str(name or "")[:_LONGEST_NAME])


def read_items(drawing: Drawing, n: int) -> Iterator[DrawnItem]:
    """Yield the items of a drawing, without a name."""
    parts = (drawing.where,)
    entry = drawing.entry
    if not isinstance(entry, dict):
        yield DrawnItem("overlays", (), parts=parts)
        return
    if drawing.key == "line":
        for names in as_list(entry.get("lines")) or [None]:
            points = read_points(names)
            colour = Colour.of(entry.get("outlineC"))
            yield DrawnItem("lines", points, fill=colour, size=PIXELS * size_of(entry.get("width")), parts=parts)
        return
    points = read_points(entry.get("cells"))
    value = entry.get("value")
    text = "" if value is None else turn_sign(str(value).strip(), entry.get("angle"))
    if drawing.key == "cage":
        cells = [int(row) * n + int(column) for row, column in points if 0 < row < n and 0 < column < n]
        if len(cells) < len(points):
            cells = []
        colour = Colour.of(entry.get("outlineC"))
        yield DrawnItem("cages", (), border=colour, text=text, form="cage", cells=tuple(cells), parts=parts)
    elif not points:
        yield DrawnItem("overlays", (), parts=parts)
    else:
        is_text = drawing.key == "text"
        fill = Colour.of(entry.get("fontC" if is_text else "baseC"))
        border = None if is_text else Colour.of(entry.get("outlineC"))
        size = 0.0 if is_text else size_of(entry.get("width"))
        is_round = drawing.key == "circle"
        yield DrawnItem("overlays", (middle_of(points),), fill, border, size, is_round, text, parts=parts)


def read_points(names: Any) -> tuple[Point, ...]:
    """Return the middles of cells; none if one is no cell."""
    points = []
    for name in as_list(names)[:_MOST_POINTS]:
        match = _PLACE.fullmatch(name) if isinstance(name, str) else None
        if match is None:
            return ()
        points.append((int(match[1]) - 0.5, int(match[2]) - 0.5))
    return tuple(points)


def middle_of(points: Sequence[Point]) -> Point:
    """Return the middle of some cells, where f-puzzles draws a shape that has several."""
    rows = [row for row, _ in points]
    columns = [column for _, column in points]
    return sum(rows) / len(rows), sum(columns) / len(columns)


def size_of(stated: Any) -> float:
    """Return a size in cells; 0 for what is none."""
    return float(stated) if isinstance(stated, (int, float)) else 0.0
