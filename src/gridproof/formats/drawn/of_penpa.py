"""The drawn items of a link of Penpa+."""

from __future__ import annotations

from gridproof.formats.drawn.colours import Colour
from gridproof.formats.drawn.items import DrawnItem
from gridproof.formats.known.links.penpa import Mark, PenpaReading
from gridproof.formats.known.links.penpa_payloads import PenpaData
from gridproof.formats.programs import Drawing

_FARTHEST = 100
"""Rows and columns that a point may lie off the board."""

_MOST_POINTS = 300
"""Points of a line that is looked at."""


def items_of_penpa(data: PenpaData) -> tuple[list[DrawnItem], int]:
    """Return the items of the data of a link, and the order of its board."""
    reading = PenpaReading(data)
    reading.read_puzzle()
    return [item_of_penpa(drawing) for drawing in reading.drawings], reading.size


def item_of_penpa(drawing: Drawing) -> DrawnItem:
    """Return the item of a drawing."""
    mark: Mark = drawing.entry
    parts = (drawing.where,)
    if mark.key == "cages":
        return DrawnItem("cages", (), text=mark.text, form="cage", cells=mark.cells, parts=parts)
    is_near = all(abs(row) < _FARTHEST and abs(column) < _FARTHEST for row, column in mark.points)
    points = mark.points if is_near and len(mark.points) <= _MOST_POINTS else ()
    return DrawnItem(
        mark.key,
        points,
        fill=Colour.of(mark.colour),
        size=mark.size,
        rounded=mark.rounded,
        text=" ".join(mark.text.split()),
        parts=parts,
        name=mark.name,
    )
