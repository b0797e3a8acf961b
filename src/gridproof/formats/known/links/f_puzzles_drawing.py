"""The marks of rules as drawings of f-puzzles: lines, circles, rectangles, texts and cages without a meaning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from gridproof.formats.programs import find_place
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule
from gridproof.rules.drawing import COLOURS, Dot, Line, Mark, Note, Outline, Outside, Shape

Drawing: TypeAlias = tuple[str, dict[str, Any]]
"""A drawing: the key of its list, and its fields."""

_WIDTHS = {"thin": 0.1, "normal": 0.2, "thick": 0.35}
_BLACK = "#000000"
_WHITE = "#FFFFFF"
_NO_COLOUR = "#FFFFFF00"
_SIGNS = {"inwards": "\u2192\u2190", "outwards": "\u2190\u2192"}
"""The text in a cell whose sides have signs."""


def draw_copies(rule: Rule, geometry: Geometry) -> Iterator[Drawing]:
    """Yield the drawings of a rule, marked as its copies, so that no reader takes them for one more."""
    for key, fields in draw_marks(rule.draw(geometry), geometry.order):
        yield key, {**fields, "fromConstraint": rule.kind, "isNewConstraint": True}


def draw_marks(marks: Iterable[Mark], n: int) -> Iterator[Drawing]:
    """Yield the drawings of marks on a board of order n; a note about the whole board is none."""
    for mark in marks:
        match mark:
            case Line():
                yield from draw_line(mark, n)
            case Outline():
                colours = {"outlineC": COLOURS[mark.colour], "fontC": _BLACK}
                yield "cage", {"cells": cell_names(mark.cells, n), "value": mark.text, **colours}
            case Shape():
                yield from draw_shape(mark, n)
            case Dot():
                yield draw_dot(mark, n)
            case Outside():
                yield from draw_clue(mark, n)
            case Note():
                pass


def cell_names(cells: Iterable[int], n: int) -> list[str]:
    """Return the names of cells."""
    return [f"R{cell // n + 1}C{cell % n + 1}" for cell in cells]


def draw_line(mark: Line, n: int) -> Iterator[Drawing]:
    """Yield a line, and the disc that it begins with, if it has one."""
    colour = COLOURS[mark.colour]
    yield "line", {"lines": [cell_names(mark.cells, n)], "outlineC": colour, "width": _WIDTHS[mark.width]}
    if mark.bulb:
        yield "circle", _shape_in(mark.cells[:1], n, colour, colour, 0.8)


def draw_shape(mark: Shape, n: int) -> Iterator[Drawing]:
    """Yield a shape behind the symbols; of shaded cells, and of signs at the sides, one in each cell."""
    colour = COLOURS[mark.colour]
    fill = _NO_COLOUR
    if mark.filled:
        fill = colour
    match mark.shape:
        case "circle" | "pill":
            yield "circle", _shape_in(mark.cells, n, fill, colour, 0.8)
        case "square":
            yield "rectangle", _shape_in(mark.cells, n, fill, colour, 0.8)
        case "diamond":
            yield "rectangle", _shape_in(mark.cells, n, fill, colour, 0.6) | {"angle": 45}
        case "shade":
            for cell in mark.cells:
                yield "rectangle", _shape_in([cell], n, colour, colour, 1)
        case sign:
            for cell in mark.cells:
                yield "text", _text_in([cell], n, _SIGNS[sign], 0.4)


def draw_dot(mark: Dot, n: int) -> Drawing:
    """Return a dot, or a text, on the border between two cells or on the corner of four."""
    text = mark.text
    if mark.fill == "none":
        return "text", _text_in(mark.cells, n, text, 0.4)
    size = 0.3
    if len(mark.cells) > 2:
        size = 0.7
    fill, ink = _WHITE, _BLACK
    if mark.fill == "black":
        fill, ink = _BLACK, _WHITE
    fields: dict[str, Any] = {"cells": cell_names(mark.cells, n), "baseC": fill, "outlineC": _BLACK, "fontC": ink}
    return "circle", {**fields, "width": size, "height": size, "value": text}


def draw_clue(mark: Outside, n: int) -> Iterator[Drawing]:
    """Yield a text outside the grid; of a clue that sees part of a row or a column only, in its first cell."""
    place = find_place(mark.cells, n, slanted=mark.slanted)
    if place is not None:
        row, column, _ = place
        fields = {"cells": [f"R{row}C{column}"], "value": mark.text, "fontC": _BLACK, "size": 0.7}
        yield "text", fields
    else:
        yield "line", {"lines": [cell_names(mark.cells, n)], "outlineC": COLOURS["grey"], "width": _WIDTHS["thin"]}
        yield "text", _text_in(mark.cells[:1], n, mark.text, 0.4)


def _shape_in(cells: Sequence[int], n: int, fill: str, border: str, size: float) -> dict[str, Any]:
    """Return the fields of a circle or rectangle around some cells, of which one has this size."""
    rows = [cell // n for cell in cells]
    columns = [cell % n for cell in cells]
    fields: dict[str, Any] = {"cells": cell_names(cells, n), "baseC": fill, "outlineC": border}
    fields["width"] = max(columns) - min(columns) + size
    fields["height"] = max(rows) - min(rows) + size
    return fields


def _text_in(cells: Sequence[int], n: int, text: str, size: float) -> dict[str, Any]:
    return {"cells": cell_names(cells, n), "value": text, "fontC": _BLACK, "size": size}
