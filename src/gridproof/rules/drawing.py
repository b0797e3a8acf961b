"""The marks of rules, as data: a kind of rule states its marks, and a picture draws them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gridproof.rules.primitives import Cells

COLOURS = {
    "ink": "#3a3a3a",
    "grey": "#c9c9c9",
    "red": "#f0a8a8",
    "orange": "#f6bd7c",
    "yellow": "#eee27a",
    "green": "#8fd694",
    "teal": "#86d6cf",
    "blue": "#9cc4f2",
    "purple": "#d8a6e6",
}
"""The colours of marks on a light page: light enough that symbols on top are legible."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line through the middles of cells. ``arrow``: it ends in an arrow head; ``bulb``: it begins with a disc."""

    cells: Cells
    colour: str
    width: Literal["thin", "normal", "thick"] = "normal"
    arrow: bool = False
    bulb: bool = False


@dataclass(frozen=True, slots=True)
class Outline:
    """A dashed line inside the border of some cells, with a text in the first of them: a cage."""

    cells: Cells
    text: str = ""
    colour: str = "ink"


@dataclass(frozen=True, slots=True)
class Shape:
    """A disc, square, diamond or pill behind the symbols of some cells (one, but for a pill), or the cells shaded.

    ``inwards`` and ``outwards`` are signs at the sides of a cell that point to its middle, or away from it.
    """

    cells: Cells
    shape: Literal["circle", "square", "diamond", "pill", "shade", "inwards", "outwards"]
    filled: bool = False
    colour: str = "ink"


@dataclass(frozen=True, slots=True)
class Dot:
    """A mark on the border between two cells, or on the corner of four: a dot, or a text such as X.

    The text ``<`` is a sign that is narrow towards the first of two cells.
    """

    cells: Cells
    fill: Literal["white", "black", "none"] = "none"
    text: str = ""


@dataclass(frozen=True, slots=True)
class Outside:
    """A text outside the grid, beside the first cell of a line of sight; ``slanted`` with an arrow for diagonals.

    ``frame``: the line around it, by which kinds of clues differ.
    """

    cells: Cells
    text: str
    slanted: bool = False
    frame: Literal["", "circle", "square", "diamond"] = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A rule about the whole board, as a line of text beside it."""

    text: str


@dataclass(frozen=True, slots=True)
class Sketch:
    """An item as another program drew it, of whatever meaning: a line through points, or a shape around one.

    Points are rows and columns, and the width is in cells. The label is written where it begins.
    """

    points: tuple[tuple[float, float], ...]
    width: float
    colour: str
    rounded: bool = True
    label: str = ""


Mark: TypeAlias = Line | Outline | Shape | Dot | Outside | Note
