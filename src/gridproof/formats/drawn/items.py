"""Drawn items of a SudokuPad file by their form: a line with a bulb, a dot on an edge, a number outside the grid, ...

The form follows from shape, place and ends alone. Colours only select among items of one form, and only together with
the words of a sentence.
"""

from __future__ import annotations

import colorsys
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist, floor
from typing import Any

from gridproof.formats.drawn.geometry import Point, is_inside, visited
from gridproof.formats.programs import is_empty, sights
from gridproof.puzzle.houses import diagonals
from gridproof.rules.drawing import Sketch

Colour = tuple[float, float, float]
"""Hue in degrees, lightness and saturation from 0 to 1."""

_LONG = {"c": "color", "th": "thickness", "w": "width", "r": "rounded", "c1": "borderColor", "c2": "backgroundColor"}
_MOST_POINTS = 300
_SIGNS = {"<": 1, "∧": 1, "^": 1, "⌃": 1, ">": -1, "∨": -1, "⌄": -1, "v": -1}
"""Signs between two cells; 1 if they are narrow towards the first."""
LISTS = ("lines", "arrows", "overlays", "underlays")


@dataclass(frozen=True, eq=False)
class Item:
    """A drawn item, or several at one place that are one mark.

    where, what: as unread parts name it. form: see ``forms_of``. points: of a line; of a shape its centre. ends: the
    shapes that belong to a line. size: width of a shape, thickness of a line. number: of a cage or a text.
    """

    where: str
    what: str
    form: str
    points: tuple[Point, ...]
    cells: tuple[int, ...] = ()
    fill: Colour | None = None
    border: Colour | None = None
    size: float = 0
    rounded: bool = False
    text: str = ""
    unique: bool = False
    ends: tuple[Item, ...] = ()

    def sketch(self) -> Sketch | None:
        """Return how the item looks; ``None`` for a cage or a text alone."""
        if not self.points or (colour := self.fill or self.border) is None:
            return None
        rgb = colorsys.hls_to_rgb(colour[0] / 360, *colour[1:])
        code = "#" + "".join(f"{round(255 * part):02x}" for part in rgb)
        return Sketch(self.points, self.size / (64 if len(self.points) > 1 else 1), code, self.rounded)


def colour_of(text: object) -> Colour | None:
    """Return the colour of a text such as ``#rrggbbaa`` on white paper; ``None`` for none, or one that is no colour.

    Examples
    --------
    >>> colour_of("#0f0")
    (120.0, 0.5, 1.0)
    >>> colour_of("#0000") is None
    True
    """
    code = str(text or "").lstrip("#")
    if not re.fullmatch(r"(?:[0-9a-fA-F]{1}|[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})", code):
        return None
    code = code * 3 if len(code) == 1 else code
    code = code if len(code) > 4 else "".join(2 * digit for digit in code)
    *rgb, alpha = (int(f"{code}ff"[k : k + 2], 16) / 255 for k in range(0, 8, 2))
    hue, lightness, saturation = colorsys.rgb_to_hls(*(1 - alpha * (1 - part) for part in rgb))
    return (round(hue * 360, 1), lightness, saturation) if alpha else None


def is_white(colour: Colour) -> bool:
    """Return whether a colour can hardly be told from white paper."""
    return colour[1] > 0.93


# ---- from the file to items ------------------------------------------------------------------------------------------


def items_of(reading: Any) -> list[Item]:
    """Return the items of a file, without decoration. reading: as the format ``sudokupad`` makes it."""
    return forms_of(_merged([item for key in LISTS for item in _listed(reading, key)]), reading.size)


def _listed(reading: Any, key: str) -> Iterator[Item]:
    value, is_line = reading.data.get(key), key in ("lines", "arrows")
    entries = [entry for entry in (value if isinstance(value, list) else [value]) if not is_empty(entry)]
    for number, entry in enumerate(entries, 1):
        where, what = f"{key} {number} of {len(entries)}", reading.describe(entry)
        fields: dict[str, Any] = entry if isinstance(entry, dict) else {}
        stated = {_LONG.get(name, name): field for name, field in fields.items()}
        text = " ".join(str(stated.get("text", "")).split())
        points = _points(stated.get("wayPoints") if is_line else [stated.get("center")], reading)
        if not points or (text and stated.get("angle") not in (None, 0)):
            yield Item(where, what, "unknown", ())
            continue
        size = stated.get("thickness" if is_line else "width")
        item = Item(
            where,
            what,
            key,
            points,
            fill=colour_of(stated.get("color" if is_line else "backgroundColor")),
            border=None if is_line else colour_of(stated.get("borderColor")),
            size=float(size) if isinstance(size, (int, float)) else 0.0,
            rounded=stated.get("rounded") is True,
            text=text,
        )
        if is_line or not _is_decoration(item, stated, reading.size):
            yield item


def _points(stated: Any, reading: Any) -> tuple[Point, ...]:
    """Return the points of a file as those of the board; none if one is no point."""
    try:
        points = tuple((row - reading.top, column - reading.left) for row, column in stated)
    except (TypeError, ValueError):
        return ()
    near = all(abs(x) < 100 for point in points for x in point)
    return points if near and len(points) <= _MOST_POINTS else ()


def _is_decoration(item: Item, stated: Mapping[str, Any], n: int) -> bool:
    """Return whether a shape cannot be seen, or only makes room or a background outside the grid."""
    inks = [colour for colour in (item.fill, item.border) if colour is not None]
    unseen = all(is_white(colour) for colour in inks) and not is_inside(item.points[0], n)
    return not item.text and (stated.get("class") == "board-position" or not inks or unseen)


def _merged(items: list[Item]) -> Iterator[Item]:
    """Yield the items; those at one place of an edge, of a corner or outside as one, such as a circle and its text."""
    groups: dict[object, list[Item]] = {}
    for item in items:
        place: object = item
        if item.form in ("overlays", "underlays"):
            spot = tuple(round(2 * x) / 2 for x in item.points[0])
            if dist(spot, item.points[0]) <= 0.2 and any(x % 1 == 0 or x < 0 for x in spot):
                place = spot
        groups.setdefault(place, []).append(item)
    for place, group in groups.items():
        inked = [item for item in group if item.fill or item.border] or group
        text = " ".join(text for _, text in sorted({(item.points, item.text) for item in group if item.text}))
        named = ", ".join(dict.fromkeys(item.where for item in group))
        yield group[0] if len(group) == 1 else replace(inked[0], where=named, text=text, points=(place,))  # type: ignore[arg-type]


# ---- the form of an item ---------------------------------------------------------------------------------------------


def forms_of(items: Iterator[Item], n: int) -> list[Item]:
    """Return items with their forms and cells.

    ``plain``, ``bulb``, ``ringed`` (a circle at both ends) and ``diagonal`` lines; an ``arrow`` with its circle, or a
    ``pointer`` outside; ``dot`` on an edge, ``corner``, ``circle``, ``square``, ``shade`` in a cell, text ``outside``.
    """
    given = [*items]
    lines = [item for item in given if item.form in ("lines", "arrows")]
    shapes = [item if item.form == "unknown" else _shape(item, n) for item in given if item not in lines]
    formed = [_line(item, [shape for shape in shapes if shape.form == "circle"], n) for item in lines]
    bulbs = [item for item in formed if item.form == "bulb"]
    used = {end for item in bulbs for end in item.ends}
    formed = [
        replace(item, form="plain", ends=()) if item.form == "ringed" and used & {*item.ends} else item
        for item in formed
    ]
    for bulb in bulbs:  # of which there are more while pieces that lead on from a thermometer are found
        for place, item in enumerate(formed):
            touching = [item.form == "plain" and item.cells[end] in bulb.cells for end in (0, -1)]
            if sum(touching) == 1 and (item.fill, item.size) == (bulb.fill, bulb.size):
                formed[place] = replace(item, form="bulb", cells=item.cells[:: 1 if touching[0] else -1])
                bulbs.append(formed[place])
    texts = [item for item in shapes if item.form == "outside"]
    formed = [_pointer(item, texts, n) if item.form == "pointer" else item for item in formed]
    ends = {end for item in formed for end in item.ends}
    parts = {(end.form, end.cells) for end in ends if end.form != "outside"}
    return [
        *formed,
        *(replace(item, form="end") if item in ends or (item.form, item.cells) in parts else item for item in shapes),
    ]


def _shape(item: Item, n: int) -> Item:
    (row, column), inside = item.points[0], is_inside(item.points[0], n)
    on_line = [abs(x - round(x)) < 0.06 for x in (row, column)]
    central = [abs(x - floor(x) - 0.5) < 0.11 for x in (row, column)]
    first, second = (round(x) if on else floor(x) for x, on in zip((row, column), on_line, strict=True))
    cell, form = first * n + second, "unknown"
    if not inside and re.fullmatch(r"\d{1,3}", item.text):
        place = (floor(row) + 1, floor(column) + 1, "")
        return replace(item, form="outside", cells=sights(n, slanted=False).get(place, ()))
    if inside and all(central):
        form = "text" if item.text else "circle" if item.rounded else "shade" if item.size >= 0.95 else "square"
        return replace(item, form=form, cells=(cell,))
    if inside and all(on_line):
        return replace(item, form="corner", cells=(cell - n - 1, cell - n, cell - 1, cell))
    across = item.text in _SIGNS and (item.text in "<>") == on_line[0]
    if inside and sum(on_line) == sum(central) == 1 and (not across or item.text == "v"):
        pair = (cell - (n if on_line[0] else 1), cell)
        return replace(item, form="dot", cells=pair[:: _SIGNS.get(item.text, 1)])
    return replace(item, form=form)


def _line(item: Item, circles: Sequence[Item], n: int) -> Item:
    first, last = item.points[0], item.points[-1]
    if item.form == "arrows" and not is_inside(first, n):
        return replace(item, form="pointer")
    corners = {(round(r), round(c)) for r, c in item.points if max(abs(r - round(r)), abs(c - round(c))) < 0.06}
    for ends, house in zip(({(0, 0), (n, n)}, {(0, n), (n, 0)}), diagonals(n), strict=True):
        if (corners == ends and len(item.points) == 2) or (0 < item.size <= 4 and visited(item.points, n) == house):
            return replace(item, form="diagonal", cells=house)
    cells = visited(item.points, n)
    if len(cells) == 1 and first == last and len(item.points) == 5 and item.form == "lines":
        return replace(item, form="diamond", cells=cells)
    if len(cells) < 2:
        return replace(item, form="unknown")
    item = replace(item, cells=cells)
    first_ends, last_ends = ([end for end in circles if end.cells[0] == cell] for cell in (cells[0], cells[-1]))
    rings = [next((end for end in ends if end.size >= 0.5), None) for ends in (first_ends, last_ends)]
    if item.form == "arrows":
        return replace(item, form="arrow", ends=(rings[0],)) if rings[0] else replace(item, form="unknown")
    filled = [end for end in {*first_ends, *last_ends} if end.fill == item.fill is not None]
    bulbs = {end.cells for end in filled}
    if len(bulbs) == 1 and len({*cells}) == len(cells):
        return replace(item, form="bulb", cells=cells if cells[:1] in bulbs else cells[::-1], ends=tuple(filled))
    if rings[0] and rings[1] and len(bulbs) != 1:
        return replace(item, form="ringed", ends=(rings[0], rings[1]))
    return replace(item, form="plain")


def _pointer(item: Item, texts: Sequence[Item], n: int) -> Item:
    """Return an arrow outside with its number, which stands where it begins, and the cells of its diagonal."""
    (row, column), (r, c) = item.points[0], item.points[-1]
    down, right, place = (r > row) - (r < row), (c > column) - (c < column), (floor(row), floor(column))
    numbers = [text for text in texts if tuple(map(floor, text.points[0])) == place]
    places = [(place[0] + k * down, place[1] + k * right) for k in range(1, n + 2)]
    cells = tuple(a * n + b for a, b in places if 0 <= a < n and 0 <= b < n)
    if len(numbers) != 1 or not down or not right or not all(-2 <= x <= n + 1 for x in (row, column)):
        cells = ()
    return replace(item, ends=tuple(numbers[:1]), cells=cells)
