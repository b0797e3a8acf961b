"""Drawn items: how each looks, whichever program drew it, and which of them are one mark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import dist

from gridproof.formats.drawn.colours import Colour
from gridproof.formats.drawn.geometry import Point

LINES = ("lines", "arrows")
"""The keys of items that have points; the others have a centre, or cells."""

PIXELS = 64
"""Units of the thickness of a line that are the side of a cell."""


@dataclass(frozen=True, eq=False)
class DrawnItem:
    """A drawn item, or several at one place that are one mark.

    Parameters
    ----------
    key
        The key of its list: ``lines``, ``arrows``, ``overlays``, ``underlays`` or ``cages``.
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
    parts
        Where the parts of the puzzle stand in the file that it is.
    name
        What the file itself calls it, such as ``Renban``.
    others
        The colours of further shapes at the same place, which are parts of the mark.
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
    parts: tuple[str, ...] = ()
    name: str = ""
    others: tuple[Colour, ...] = ()

    @property
    def is_line(self) -> bool:
        """True if it is drawn along points."""
        return self.key in LINES

    @property
    def colour(self) -> Colour | None:
        """The colour that people see first."""
        return self.fill or self.border


def merge_items(items: Iterable[DrawnItem]) -> Iterator[DrawnItem]:
    """Yield the items; those at one place of an edge, of a corner or outside as one, such as a circle and its text."""
    groups: dict[object, list[DrawnItem]] = {}
    for item in items:
        place: object = item
        if item.points and not item.is_line and item.form != "hidden":
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
        others = dict.fromkeys([item.colour for item in with_ink if item.colour is not None])
        others.pop(first.colour, None)  # type: ignore[arg-type]
        words = " ".join(text for _, text in sorted(texts))
        parts: list[str] = []
        for item in group:
            parts += item.parts
        yield replace(first, text=words, points=(place,), parts=tuple(parts), others=tuple(others))  # type: ignore[arg-type]


_TURNS = {"<": "<∧>∨", ">": ">∨<∧", "^": "∧>∨<", "v": "∨<∧>"}
"""Signs between cells, and what they look like turned by 0, 90, 180 and 270 degrees."""


def turn_sign(text: str, angle: object) -> str:
    """Return a text as it looks when it is turned by an angle in degrees, clockwise; only signs are turned.

    Examples
    --------
    >>> turn_sign(">", 90), turn_sign("7", 90)
    ('∨', '7')
    """
    if text in _TURNS and isinstance(angle, (int, float)) and angle % 90 == 0 and angle:
        return _TURNS[text][int(angle) // 90 % 4]
    return text
