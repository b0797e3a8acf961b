"""The colours of all drawings of boards: what each is on a light page, and what it becomes on a dark one.

A drawing names the light colours in presentation attributes, which every viewer and every code host keeps. ``themed``
adds a style block that turns them into the dark ones where the page is dark; where it is stripped, the drawing stays
light, ground included.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Theme: TypeAlias = Literal["auto", "light", "dark"]
"""``auto``: as the page around the drawing is."""

BACKGROUND = "#ffffff"
LINE = "#1a1a1a"
THIN_LINE = "#a6a6a6"
CLUE = "#111111"
FILLED = "#1d5fbf"
CANDIDATE = "#555555"
ALARM = "#c62828"
HIGHLIGHT = "#ffe08a"
RING = "#7b1fa2"
DIFFERS = "#ffd9d2"
SECOND = "#efe0f4"
"""The ground of the second group in a table, where the ring, a style, may be stripped."""
TINTS = ("#3b6ea8", "#4d8b57", "#a8763b", "#8a4da8", "#a83b55", "#3b9a9a")
"""Shades of houses beyond rows, columns and boxes, laid on thinly: they add up where houses overlap."""

RULES = {
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
"""What the marks of rules call a colour: light enough that symbols on top are legible."""
RULE_LINES = {
    "ink": RULES["ink"],
    "grey": "#8c8c8c",
    "red": "#c05050",
    "orange": "#c77a1e",
    "yellow": "#9c8d12",
    "green": "#3d8f45",
    "teal": "#23867d",
    "blue": "#3f7cc4",
    "purple": "#9c55b5",
}
"""The same colours for what is thin: it must be darker to be seen."""
DOTS = {"black": "#000001", "white": "#fffffe"}
"""A black dot is black and a white one white on any page; these two are therefore no other colour of a drawing."""

TREE = {
    "line": "#6b6b6b",
    "text": LINE,
    "solution": "#0a6b4f",
    "dead": "#a8321a",
    "counted": CANDIDATE,
}
TIMELINE = {"decisions": "#1f4e9c", "conflicts": "#b3261e", "restarts": "#2e7d32", "text": "#333333", "axis": CANDIDATE}

DARK = {
    BACKGROUND: "#1b1b1f",
    LINE: "#d6d6d6",
    THIN_LINE: "#5c5c62",
    CLUE: "#f4f4f4",
    FILLED: "#8ab8ff",
    CANDIDATE: "#b4b4b4",
    ALARM: "#ff9a8f",
    HIGHLIGHT: "#5c4a12",
    RING: "#d79bf0",
    DIFFERS: "#552420",
    SECOND: "#3d2b45",
    TINTS[0]: "#7fb2ee",
    TINTS[1]: "#86cf92",
    TINTS[2]: "#e3ae6d",
    TINTS[3]: "#cf95ec",
    TINTS[4]: "#ee8299",
    TINTS[5]: "#74d6d6",
    TREE["line"]: "#a0a0a0",
    TREE["solution"]: "#5fd0a8",
    TREE["dead"]: "#ff8a70",
    TIMELINE["decisions"]: "#8ab0ff",
    TIMELINE["conflicts"]: "#ff8f85",
    TIMELINE["restarts"]: "#84d488",
    TIMELINE["text"]: "#d0d0d0",
    RULES["ink"]: "#c4c4c4",
    RULES["grey"]: "#4c4c52",
    RULES["red"]: "#7a3434",
    RULES["orange"]: "#7d4e14",
    RULES["yellow"]: "#645a10",
    RULES["green"]: "#27602c",
    RULES["teal"]: "#1c615b",
    RULES["blue"]: "#2b5283",
    RULES["purple"]: "#673a75",
    RULE_LINES["grey"]: "#8f8f96",
    RULE_LINES["red"]: "#e08080",
    RULE_LINES["orange"]: "#e0a050",
    RULE_LINES["yellow"]: "#cfc04a",
    RULE_LINES["green"]: "#70c078",
    RULE_LINES["teal"]: "#5cc0b6",
    RULE_LINES["blue"]: "#7fb0ee",
    RULE_LINES["purple"]: "#cc90e0",
}
"""The same on a dark page. ``DOTS`` stay as they are."""

_COLOUR = re.compile(r"#[0-9a-f]{6}")
_PAGES = (
    ".gridproof{color-scheme:light dark}"
    "[data-jp-theme-light=true] .gridproof,.vscode-light .gridproof{color-scheme:light}"
    "[data-jp-theme-light=false] .gridproof,.vscode-dark .gridproof{color-scheme:dark}"
)
"""A page alone tells its theme by ``prefers-color-scheme``; notebooks in JupyterLab and VS Code say it themselves."""


def themed(parts: str, theme: Theme) -> tuple[str, str]:
    """(a style block, or nothing; the parts of an SVG) for a theme."""
    if theme == "light":
        return "", parts
    if theme == "dark":
        return "", _COLOUR.sub(lambda match: DARK.get(match[0], match[0]), parts)
    used = sorted({colour for colour in _COLOUR.findall(parts) if colour in DARK})
    rules = [
        f'.gridproof [{what}="{colour}"]{{{what}:light-dark({colour},{DARK[colour]})}}'
        for colour in used
        for what in ("fill", "stroke")
        if f'{what}="{colour}"' in parts
    ]
    # within @supports, as converters that know little of CSS leave out such a block, and stumble over light-dark
    return f"<style>@supports (color:light-dark(#fff,#000)){{{_PAGES}{''.join(rules)}}}</style>", parts


def declared(what: str, colour: str, before: str = "") -> str:
    """A declaration for a ``style`` attribute: the light colour, and both for viewers that know ``light-dark``."""
    return f"{what}:{before}{colour};{what}:{before}light-dark({colour},{DARK[colour]})"
