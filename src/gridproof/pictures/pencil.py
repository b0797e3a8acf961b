"""Pencil marks of a solver: digits in the corners and in the middle of cells, and colours of cells."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from gridproof.pictures import colours
from gridproof.pictures.document import element, group, text_at
from gridproof.puzzle.geometry import Geometry

PAINTS = ("grey", "red", "orange", "yellow", "green", "teal", "blue", "purple", "ink")
"""The colours that a solver has, by their numbers from 1."""

_CORNERS = (-1 - 1j, 1 - 1j, -1 + 1j, 1 + 1j, -1j, 1j, -1, 1)  # in the order in which they are taken
_REACH = 0.33  # from the middle of the cell to that of a corner mark, in cells, as all that follows
_CORNER_FONT = 0.23
_CENTRE_FONT = 0.29
_CENTRE_WIDTH = 0.86  # of all marks in the middle together
_DIGIT = 0.58  # the width of a digit, in units of the font size


@dataclass(frozen=True, slots=True)
class PencilMarks:
    """Marks of a solver, which restrict nothing.

    Attributes
    ----------
    corner, centre : mapping of int to int
        For a cell the mask of the symbols (bit symbol-1) that stand in its corners, and in its middle.
    paint : mapping of int to tuple of int
        For a cell its colours, as numbers of ``PAINTS`` from 1.
    """

    corner: Mapping[int, int] = field(default_factory=dict)
    centre: Mapping[int, int] = field(default_factory=dict)
    paint: Mapping[int, Sequence[int]] = field(default_factory=dict)

    def words(self, geometry: Geometry) -> dict[int, str]:
        """Return the marks and colours of each cell in words: ``corner 1 3, centre 4, red``."""
        parts: dict[int, list[str]] = {}
        for name, masks in (("corner", self.corner), ("centre", self.centre)):
            for cell, mask in masks.items():
                parts.setdefault(cell, []).append(f"{name} {' '.join(symbols_of(mask, geometry))}")
        for cell, paints in self.paint.items():
            parts.setdefault(cell, []).extend([PAINTS[paint - 1] for paint in paints])
        return {cell: ", ".join(words) for cell, words in parts.items()}


def draw_paint(pencil: PencilMarks, columns: int, cell: int) -> list[str]:
    """Draw the colours of cells; several colours of a cell as stripes side by side."""
    parts: list[str] = []
    for place, paints in sorted(pencil.paint.items()):
        row, column = divmod(place, columns)
        width = cell / max(1, len(paints))
        for number, paint in enumerate(paints):
            fill = colours.RULES[PAINTS[paint - 1]]
            x = column * cell + number * width
            parts.append(element("rect", x=x, y=row * cell, width=width, height=cell, fill=fill, fill_opacity=".65"))
    return parts


def draw_pencil(
    pencil: PencilMarks, empty: Collection[int], geometry: Geometry, cell: int, *, caged: bool
) -> list[str]:
    """Draw the marks in the corners and in the middle of empty cells.

    caged: whether cells have texts in their first corner, which is then taken last.
    """
    columns = geometry.columns
    places = _CORNERS[1:] + _CORNERS[:1] if caged else _CORNERS
    corners: list[str] = []
    centres: list[str] = []
    for place in sorted(empty):
        row, column = divmod(place, columns)
        middle = complex(column + 0.5, row + 0.5) * cell
        symbols = symbols_of(pencil.corner.get(place, 0), geometry)
        for number, text in enumerate(symbols):
            corner = places[number % len(places)] * _REACH * cell
            corners.append(text_at(middle + corner, _CORNER_FONT * cell, text, font_size=_CORNER_FONT * cell))
        text = "".join(symbols_of(pencil.centre.get(place, 0), geometry))
        if text:
            font = min(_CENTRE_FONT * cell, _CENTRE_WIDTH * cell / (_DIGIT * len(text)))
            centres.append(text_at(middle, font, text, font_size=font))
    return group(corners + centres, fill=colours.FILLED)


def symbols_of(mask: int, geometry: Geometry) -> list[str]:
    """Return the symbols of a mask as texts, in order."""
    return [geometry.symbol_text(symbol) for symbol in geometry.symbols if mask >> (symbol - 1) & 1]
