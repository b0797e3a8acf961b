"""Drawn items of a SudokuPad file, and how each looks: its points, colours, size and text."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import dist
from typing import Any

from gridproof.formats.drawn.geometry import Point, is_inside
from gridproof.formats.known.links.sudokupad import SudokuPadReading
from gridproof.formats.programs import entries_of
from gridproof.rules.drawing import Sketch

LISTS = ("lines", "arrows", "overlays", "underlays")
"""The keys of drawings in a file."""

LINES = ("lines", "arrows")
"""Those of them whose items have points; the others have a centre."""

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

_PIXELS = 64
"""Units of the thickness of a line that are the side of a cell."""


@dataclass(frozen=True)
class Colour:
    """A colour on white paper: its hue in degrees, its lightness and saturation from 0 to 1.

    Examples
    --------
    >>> Colour.of("#0f0").name, Colour.of("#67f067ff").name, Colour.of("#cfcfcf").name
    ('green', 'green', 'grey')
    >>> Colour.of("#0000") is None
    True
    """

    hue: float
    lightness: float
    saturation: float

    @classmethod
    def of(cls, text: object) -> Colour | None:
        """Return the colour of a text such as ``#rrggbbaa``; ``None`` for none, or one that is no colour."""
        code = str(text or "").lstrip("#")
        if not re.fullmatch(r"(?:[0-9a-fA-F]{1}|[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})", code):
            return None
        if len(code) == 1:
            code *= 3
        if len(code) <= 4:
            code = "".join(2 * digit for digit in code)
        code = f"{code}ff"
        parts = []
        for place in range(0, 8, 2):
            parts.append(int(code[place : place + 2], 16) / 255)
        alpha = parts[3]
        if not alpha:
            return None
        on_paper = [1 - alpha * (1 - part) for part in parts[:3]]
        hue, lightness, saturation = colorsys.rgb_to_hls(*on_paper)
        return cls(round(hue * 360, 1), lightness, saturation)

    @property
    def code(self) -> str:
        """The colour as ``#rrggbb``."""
        rgb = colorsys.hls_to_rgb(self.hue / 360, self.lightness, self.saturation)
        return "#" + "".join(f"{round(255 * part):02x}" for part in rgb)

    @property
    def name(self) -> str:
        """The name that people give to such a colour."""
        if self.lightness > 0.93:
            return "white"
        if self.lightness < 0.15:
            return "black"
        if self.saturation < 0.15:
            return "grey"
        for name, end in _LAST_HUES.items():
            if self.hue < end:
                return name
        return "red"


_LAST_HUES = {
    "red": 15,
    "orange": 42,
    "yellow": 70,
    "green": 165,
    "turquoise": 190,
    "blue": 252,
    "purple": 300,
    "pink": 345,
}
"""The hue in degrees where each name ends; red again follows the last."""


@dataclass(frozen=True, eq=False)
class DrawnItem:
    """A drawn item, or several at one place that are one mark.

    Parameters
    ----------
    key
        The key of its list in the file.
    points
        Of a line; of a shape its centre. None if the file states no points.
    fill, border
        Its colours.
    size
        The width of a shape in cells, the thickness of a line in pixels.
    rounded
        Whether a shape is round.
    text
        The text in it.
    form, cells, ends
        What it may be by its form, the cells that it is at, and the shapes that belong to a line; see ``forms``.
    """

    key: str
    points: tuple[Point, ...]
    fill: Colour | None = None
    border: Colour | None = None
    size: float = 0
    rounded: bool = False
    text: str = ""
    form: str = "unknown"
    cells: tuple[int, ...] = ()
    ends: tuple[DrawnItem, ...] = ()

    @property
    def is_line(self) -> bool:
        """True if it is drawn along points."""
        return self.key in LINES

    @property
    def colour(self) -> Colour | None:
        """The colour that people see first."""
        return self.fill or self.border

    def sketch(self) -> Sketch | None:
        """Return how the item looks; ``None`` for a text alone."""
        if not self.points or self.colour is None:
            return None
        width = self.size / _PIXELS if len(self.points) > 1 else self.size
        return Sketch(self.points, width, self.colour.code, self.rounded)


def items_of(reading: SudokuPadReading) -> list[DrawnItem]:
    """Return the items of a file, without decoration; those at one place of an edge or a corner are one."""
    items: list[DrawnItem] = []
    for key in LISTS:
        for entry in entries_of(reading.data.get(key)):
            items += read_entry(key, entry, reading)
    return list(merge_items(items))


def read_entry(key: str, entry: Any, reading: SudokuPadReading) -> Iterator[DrawnItem]:
    """Yield the item of an entry of the file; none for decoration."""
    fields: dict[str, Any] = {}
    if isinstance(entry, dict):
        for name in entry:
            fields[_LONG_NAMES.get(name) or name] = entry[name]
    text = " ".join(str(fields.get("text", "")).split())
    is_turned = bool(text) and fields.get("angle") not in (None, 0)
    if key in LINES:
        item = read_line(key, fields, reading)
    else:
        item = read_shape(key, fields, reading)
    if not item.points or is_turned:
        yield DrawnItem(key, ())
    elif item.is_line or text or not is_decoration(item, fields, reading.size):
        yield replace(item, text=text)


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


def merge_items(items: Iterable[DrawnItem]) -> Iterator[DrawnItem]:
    """Yield the items; those at one place of an edge, of a corner or outside as one, such as a circle and its text."""
    groups: dict[object, list[DrawnItem]] = {}
    for item in items:
        place: object = item
        if item.points and not item.is_line:
            row, column = item.points[0]
            spot = (round(2 * row) / 2, round(2 * column) / 2)
            is_between = any(number % 1 == 0 or number < 0 for number in spot)
            if is_between and dist(spot, item.points[0]) <= 0.2:
                place = spot
        groups.setdefault(place, []).append(item)
    for place, group in groups.items():
        if len(group) == 1:
            yield group[0]
            continue
        with_ink = []
        texts = set()
        for item in group:
            if item.colour is not None:
                with_ink.append(item)
            if item.text:
                texts.add((item.points, item.text))
        first = with_ink[0] if with_ink else group[0]
        words = " ".join(text for _, text in sorted(texts))
        yield replace(first, text=words, points=(place,))  # type: ignore[arg-type]
