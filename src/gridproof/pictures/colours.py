"""The colours of all drawings, on a light page and on a dark one.

A drawing names the light colours in presentation attributes, which every viewer and every code host keeps. ``themed``
adds a style block that turns them into the dark ones where the page is dark; where it is stripped, the drawing stays
light, ground included.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, TypeAlias

from gridproof.rules.drawing import COLOURS

Theme: TypeAlias = Literal["auto", "light", "dark"]
"""``auto``: as the page around the drawing is."""

DARK: dict[str, str] = {}
"""The colour on a dark page for each light one."""


def _colour(light: str, dark: str) -> str:
    DARK[light] = dark
    return light


BACKGROUND = _colour("#ffffff", "#1b1b1f")
LINE = _colour("#1a1a1a", "#d6d6d6")
THIN_LINE = _colour("#a6a6a6", "#5c5c62")
CLUE = _colour("#111111", "#f4f4f4")
FILLED = _colour("#1d5fbf", "#8ab8ff")
CANDIDATE = _colour("#555555", "#b4b4b4")
ALARM = _colour("#c62828", "#ff9a8f")
HIGHLIGHT = _colour("#ffe08a", "#5c4a12")
HIGHLIGHT_EDGE = _colour("#a87c00", "#d9b44a")
"""Border of highlighted cells, which has three times the contrast of their ground."""
RING = _colour("#7b1fa2", "#d79bf0")
DIFFERS = _colour("#ffd9d2", "#552420")
GOOD = _colour("#0a6b4f", "#5fd0a8")
"""Solutions in a tree, restarts over time."""
TINTS = (
    _colour("#3b6ea8", "#7fb2ee"),
    _colour("#4d8b57", "#86cf92"),
    _colour("#a8763b", "#e3ae6d"),
    _colour("#8a4da8", "#cf95ec"),
    _colour("#a83b55", "#ee8299"),
    _colour("#3b9a9a", "#74d6d6"),
)
"""Shades of houses beyond rows, columns and boxes, laid on thinly: they add up where houses overlap."""

_MARKS = {
    "ink": ("#c4c4c4", "#3a3a3a", "#c4c4c4"),
    "grey": ("#4c4c52", "#8c8c8c", "#8f8f96"),
    "red": ("#7a3434", "#c05050", "#e08080"),
    "orange": ("#7d4e14", "#c77a1e", "#e0a050"),
    "yellow": ("#645a10", "#9c8d12", "#cfc04a"),
    "green": ("#27602c", "#3d8f45", "#70c078"),
    "teal": ("#1c615b", "#23867d", "#5cc0b6"),
    "blue": ("#2b5283", "#3f7cc4", "#7fb0ee"),
    "purple": ("#673a75", "#9c55b5", "#cc90e0"),
}
RULES = {name: _colour(COLOURS[name], dark) for name, (dark, _, _) in _MARKS.items()}
"""The colours of ``gridproof.rules.drawing``, with those of a dark page."""
RULE_LINES = {name: _colour(light, dark) for name, (_, light, dark) in _MARKS.items()}
"""The same colours for thin lines, which must be darker to be visible."""
DOTS = {"black": "#000001", "white": "#fffffe"}
"""A black dot is black and a white one white on any page; these two are therefore no other colour of a drawing."""

_COLOUR = re.compile(r"#[0-9a-f]{6}")
AS_THE_PAGE = (
    "[data-jp-theme-light=true] .gridproof,.vscode-light .gridproof{color-scheme:light}"
    "[data-jp-theme-light=false] .gridproof,.vscode-dark .gridproof{color-scheme:dark}"
)
"""The theme of JupyterLab and VS Code, in CSS. Elsewhere ``prefers-color-scheme`` decides."""
_PAGES = f".gridproof{{color-scheme:light dark}}{AS_THE_PAGE}"


def themed(parts: str, theme: Theme) -> tuple[str, str]:
    """Return a style block (or nothing) and the parts of an SVG for a theme."""
    if theme == "light":
        return "", parts
    if theme == "dark":
        return "", _COLOUR.sub(lambda match: DARK.get(match[0], match[0]), parts)
    used = sorted({colour for colour in _COLOUR.findall(parts) if colour in DARK})
    pairs = [(what, colour) for colour in used for what in ("fill", "stroke") if f'{what}="{colour}"' in parts]
    return f"<style>{write_style(pairs)}</style>", parts


def page_style() -> str:
    """Return a style for all drawings of a page that are made for the theme ``light``: it makes them as the page is.

    A page whose drawings change has it once, since a browser looks at the whole page anew when a style comes or goes.
    """
    return write_style([(what, colour) for colour in DARK for what in ("fill", "stroke")])


def write_style(pairs: Iterable[tuple[str, str]]) -> str:
    """Return the style that turns light colours into dark ones on a dark page. pairs: attributes and colours."""
    rules: list[str] = []
    for what, colour in pairs:
        rules.append(f'.gridproof [{what}="{colour}"]{{{what}:light-dark({colour},{DARK[colour]})}}')
    # within @supports, as simple converters leave out such a block, and stumble over light-dark
    return f"@supports (color:light-dark(#fff,#000)){{{_PAGES}{''.join(rules)}}}"


def declared(what: str, colour: str) -> str:
    """Return a declaration in a style: the light colour, then both for viewers with ``light-dark``."""
    return f"{what}:{colour};{what}:light-dark({colour},{DARK[colour]})"
