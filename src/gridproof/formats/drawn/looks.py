"""Drawn items that look alike, in words: ``2 green lines``, ``3 white marks on edges``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gridproof.formats.drawn.geometry import meet
from gridproof.formats.drawn.items import Colour, DrawnItem


class Noun(NamedTuple):
    """The words for one item of a form, and for several."""

    one: str
    several: str


_NOUNS = {
    "plain": Noun("line", "lines"),
    "bulb": Noun("line with a bulb", "lines with a bulb"),
    "ringed": Noun("line between circles", "lines between circles"),
    "diagonal": Noun("line along a diagonal", "lines along a diagonal"),
    "arrow": Noun("arrow", "arrows"),
    "pointer": Noun("arrow outside", "arrows outside"),
    "dot": Noun("mark on an edge", "marks on edges"),
    "corner": Noun("mark on a corner", "marks on corners"),
    "circle": Noun("circle", "circles"),
    "square": Noun("square", "squares"),
    "diamond": Noun("diamond", "diamonds"),
    "shade": Noun("shaded cell", "shaded cells"),
    "text": Noun("text", "texts"),
    "outside": Noun("number outside", "numbers outside"),
    "unknown": Noun("other drawing", "other drawings"),
}
"""The words for the forms of items; an ``end`` is a part of a line."""


class Look(NamedTuple):
    """The look of a drawn item: what people tell it apart by."""

    form: str
    colour: Colour | None


def describe_looks(items: Sequence[DrawnItem]) -> list[str]:
    """Return in words how many items there are of each look, in the order of the file."""
    groups: dict[Look, list[DrawnItem]] = {}
    for item in items:
        if item.form in _NOUNS:
            groups.setdefault(Look(item.form, item.colour), []).append(item)
    return [describe_look(look, len(join_pieces(group))) for look, group in groups.items()]


def describe_look(look: Look, number: int) -> str:
    """Return in words how many items there are of a look."""
    if number == 1:
        noun = _NOUNS[look.form].one
    else:
        noun = _NOUNS[look.form].several
    colour = ""
    if look.colour is not None:
        colour = f"{look.colour.name} "
    return f"{number:,} {colour}{noun}"


def join_pieces(items: Sequence[DrawnItem]) -> list[list[DrawnItem]]:
    """Return items of one look in groups: the pieces of a line, which meet, are one."""
    groups: list[list[DrawnItem]] = []
    for item in items:
        joined = [item]
        apart = []
        for group in groups:
            if any(are_pieces(item, other) for other in group):
                joined += group
            else:
                apart.append(group)
        apart.append(joined)
        groups = apart
    return groups


def are_pieces(item: DrawnItem, other: DrawnItem) -> bool:
    """Return whether two items are pieces of a line: lines that meet."""
    return item.is_line and len(item.points) > 1 and len(other.points) > 1 and meet(item.points, other.points)
