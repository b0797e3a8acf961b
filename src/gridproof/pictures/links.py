"""Links between candidates: what a step in a chain rests on, numbered in order.

A strong link is a solid line and a weak one is dashed. It goes between the two candidates of its ends that are nearest
to each other; all candidates of an end have a ring. Lines are bent a little, because those of a house would cover each
other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import NamedTuple

from gridproof.pictures import colours
from gridproof.pictures.document import at, element, group, stroke, text_at

_BEND = 0.14
"""Distance by which a line is bent, in units of its length."""


class Link(NamedTuple):
    """A link. start, end: candidates as (cell, symbol), more than one for a group."""

    strong: bool
    start: tuple[tuple[int, int], ...]
    end: tuple[tuple[int, int], ...]


def draw_links(links: Sequence[Link], place_of: Callable[[tuple[int, int]], complex], font: float) -> list[str]:
    """Return the elements of links, numbered from 1.

    Parameters
    ----------
    links
        The links in order.
    place_of
        Gives the middle of a candidate.
    font
        The font size of candidates.
    """
    radius = 0.62 * font
    lines: dict[bool, str] = {True: "", False: ""}
    numbers: list[str] = []
    for number, link in enumerate(links, 1):
        start, end = find_nearest_ends(link, place_of)
        way = end - start
        if abs(way) <= 2 * radius:  # the rings touch, so there is no room for a line
            middle = (start + end) / 2 + 1.1j * radius * way / abs(way)
        else:
            edge = radius * way / abs(way)
            bend = _BEND * 1j * way
            middle = (start + end) / 2 + bend / 2
            lines[link.strong] += f"M{at(start + edge)}Q{at((start + end) / 2 + bend)} {at(end - edge)}"
        numbers += draw_number(number, middle, font)
    parts: list[str] = []
    if lines[True]:
        parts.append(stroke(lines[True], colours.FILLED, stroke_width=1.6))
    if lines[False]:
        parts.append(stroke(lines[False], colours.FILLED, stroke_width=1.2, stroke_dasharray="3 2.4"))
    parts += group(draw_rings(links, place_of, radius), fill="none", stroke=colours.FILLED, stroke_width="1")
    return parts + numbers


def find_nearest_ends(link: Link, place_of: Callable[[tuple[int, int]], complex]) -> tuple[complex, complex]:
    """Return the middles of the two candidates of a link that are nearest to each other."""
    pairs = [(place_of(one), place_of(other)) for one, other in product(link.start, link.end)]
    return min(pairs, key=lambda pair: abs(pair[1] - pair[0]))


def draw_rings(links: Iterable[Link], place_of: Callable[[tuple[int, int]], complex], radius: float) -> list[str]:
    """Return a ring around each candidate of some links."""
    candidates: dict[tuple[int, int], None] = {}
    for link in links:
        candidates |= dict.fromkeys(link.start + link.end)
    rings: list[str] = []
    for candidate in candidates:
        middle = place_of(candidate)
        rings.append(element("circle", cx=middle.real, cy=middle.imag, r=radius))
    return rings


def draw_number(number: int, middle: complex, font: float) -> list[str]:
    """Return a number on a small ground."""
    size = 0.85 * font
    width = 0.62 * size * len(str(number)) + 2
    corner = middle - complex(width, size) / 2
    ground = element(
        "rect", x=corner.real, y=corner.imag, width=width, height=size, rx="2", fill=colours.BACKGROUND, opacity=0.9
    )
    return [ground, text_at(middle, size, str(number), font_size=size, font_weight="bold", fill=colours.FILLED)]
