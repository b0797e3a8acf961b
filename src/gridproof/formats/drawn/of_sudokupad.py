"""The drawn items of a SudokuPad file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gridproof.formats.drawn.colours import Colour
from gridproof.formats.drawn.geometry import Point, is_inside
from gridproof.formats.drawn.items import LINES, DrawnItem, turn_sign
from gridproof.formats.known.links.sudokupad import SudokuPadReading
from gridproof.formats.known.links.sudokupad_cages import Cage
from gridproof.formats.programs import Drawing

_LONG_NAMES = {
    "c": "color",
    "th": "thickness",
    "w": "width",
    "r": "rounded",
    "c1": "borderColor",
    "c2": "backgroundColor",
}
_MOST_POINTS = 300
"""Points of a line that is looked at."""

_FARTHEST = 100
"""Rows and columns that a point may lie off the board."""


def items_of_sudokupad(data: Mapping[str, Any]) -> tuple[list[DrawnItem], int]:
    """Return the items of the data of a file, and the order of its board."""
    reading = SudokuPadReading(data)
    reading.read_puzzle()
    return [item_of_sudokupad(drawing, reading) for drawing in reading.drawings], reading.size


def item_of_sudokupad(drawing: Drawing, reading: SudokuPadReading) -> DrawnItem:
    """Return the item of a drawing; one that nobody sees has the form ``hidden``."""
    key = drawing.key
    entry = drawing.entry
    if isinstance(entry, Cage):
        cells = reading.cells_at(entry.places)
        return DrawnItem(key, (), text=entry.text, form="cage", cells=cells, parts=(drawing.where,))
    fields: dict[str, Any] = {}
    if isinstance(entry, dict):
        for name in entry:
            fields[_LONG_NAMES.get(name) or name] = entry[name]
    text = " ".join(str(fields.get("text", "")).split())
    text = turn_sign(text, fields.get("angle"))
    if key in LINES:
        item = read_line(key, fields, reading)
    else:
        item = read_shape(key, fields, reading)
    if not item.points:
        return DrawnItem(key, (), parts=(drawing.where,))
    form = item.form
    if not item.is_line and not text and is_decoration(item, fields, reading.size):
        form = "hidden"
    return replace(item, text=text, form=form, parts=(drawing.where,))


def read_line(key: str, fields: Mapping[str, Any], reading: SudokuPadReading) -> DrawnItem:
    """Return the line, or the arrow, of an entry with points."""
    points = _points_of(fields.get("wayPoints"), reading)
    return DrawnItem(key, points, fill=Colour.of(fields.get("color")), size=_size_of(fields.get("thickness")))


def read_shape(key: str, fields: Mapping[str, Any], reading: SudokuPadReading) -> DrawnItem:
    """Return the shape of an entry with a centre."""
    return DrawnItem(
        key,
        _points_of([fields.get("center")], reading),
        fill=Colour.of(fields.get("backgroundColor")),
        border=Colour.of(fields.get("borderColor")),
        size=_size_of(fields.get("width")),
        rounded=fields.get("rounded") is True,
    )


def _size_of(stated: Any) -> float:
    return float(stated) if isinstance(stated, (int, float)) else 0.0


def _points_of(stated: Any, reading: SudokuPadReading) -> tuple[Point, ...]:
    """Return the points of a file as those of the board; none if one is no point."""
    try:
        points = tuple((row - reading.top, column - reading.left) for row, column in stated)
    except (TypeError, ValueError):
        return ()
    is_near = all(abs(row) < _FARTHEST and abs(column) < _FARTHEST for row, column in points)
    if is_near and len(points) <= _MOST_POINTS:
        return points
    return ()


def is_decoration(item: DrawnItem, fields: Mapping[str, Any], n: int) -> bool:
    """Return whether a shape cannot be seen, or only makes room or a background outside the grid."""
    if fields.get("class") == "board-position":
        return True
    names = set()
    for colour in (item.fill, item.border):
        if colour is not None:
            names.add(colour.name)
    is_white = names == {"white"}
    return not names or (is_white and not is_inside(item.points[0], n))
