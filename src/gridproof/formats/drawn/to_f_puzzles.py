"""Drawn items as drawings of f-puzzles, by the cells that they are at and their colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gridproof.formats.drawn.items import PIXELS, DrawnItem
from gridproof.formats.known.links.f_puzzles_drawing import Drawing, cell_names
from gridproof.formats.programs import find_place

_LINES = ("plain", "bulb", "ringed", "diagonal", "arrow")
"""The forms of items that are drawn through cells."""

_IN_CELLS = {"circle": 0.8, "end": 0.8, "square": 0.8, "diamond": 0.6, "shade": 1.0, "dot": 0.3, "corner": 0.4}
"""The forms of shapes, and their size in cells where it is not stated."""

_ROUND = ("circle", "end", "dot", "corner")

_LINE_WIDTH = 0.2
_INK = "#000000"
_GREY = "#C9C9C9"
_NO_COLOUR = "#FFFFFF00"


def draw_item(item: DrawnItem, n: int) -> Iterator[Drawing]:
    """Yield the drawings of an item on a board of order n; none of one that is at no cell, for which there is no place.

    Examples
    --------
    >>> list(draw_item(DrawnItem("tables", (), text="7", form="outside", cells=(0, 1)), 2))
    [('text', {'cells': ['R1C0'], 'value': '7', 'fontC': '#000000', 'size': 0.7})]
    """
    if not item.cells:
        return
    if item.form == "cage":
        yield "cage", {"cells": cell_names(item.cells, n), "value": item.text, "outlineC": _code(item, _INK)}
    elif item.form in _LINES:
        width = round(item.size / PIXELS, 3) or _LINE_WIDTH
        yield "line", {"lines": [cell_names(item.cells, n)], "outlineC": _code(item, _GREY), "width": width}
    elif item.form in ("outside", "pointer"):
        yield _draw_outside(item, n)
    elif item.form in _IN_CELLS and (item.colour is not None or not item.text):
        yield _draw_shape(item, n)
    else:
        yield "text", _text_at(cell_names(item.cells, n), item.text, 0.5)


def _draw_outside(item: DrawnItem, n: int) -> Drawing:
    """Return a text outside the grid; in the first of its cells if it sees but a part of a line."""
    text = item.text or " ".join([end.text for end in item.ends])
    place = find_place(item.cells, n, slanted=item.form == "pointer")
    if place is None:
        return "text", _text_at(cell_names(item.cells[:1], n), text, 0.4)
    row, column, _ = place
    return "text", _text_at([f"R{row}C{column}"], text, 0.7)


def _text_at(names: Sequence[str], text: str, size: float) -> dict[str, Any]:
    return {"cells": list(names), "value": text, "fontC": _INK, "size": size}


def _draw_shape(item: DrawnItem, n: int) -> Drawing:
    """Return a circle or a rectangle in a cell, between two or on the corner of four."""
    size = item.size or _IN_CELLS[item.form]
    fill = _NO_COLOUR if item.fill is None else item.fill.code
    border = fill if item.border is None else item.border.code
    if item.colour is None:
        border = _INK
    fields: dict[str, Any] = {"cells": cell_names(item.cells, n), "baseC": fill, "outlineC": border}
    fields |= {"width": size, "height": size}
    if item.text:
        fields |= {"value": item.text, "fontC": _INK}
    if item.form == "diamond":
        fields["angle"] = 45
    return "circle" if item.form in _ROUND or item.rounded else "rectangle", fields


def _code(item: DrawnItem, otherwise: str) -> str:
    return otherwise if item.colour is None else item.colour.code
