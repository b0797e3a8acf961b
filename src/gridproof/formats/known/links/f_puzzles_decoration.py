"""The drawings of f-puzzles that are no rules of their own: messages, fog, and copies of rules stated beside them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from gridproof.formats.known.links.further_rules import KEY
from gridproof.formats.known.links.items import ways_of_kinds

_COPY = re.compile(r"from[A-Z]\w*|is\w+Constraint")
"""The name of a field that marks a drawing as the copy of a constraint which is stated beside it."""

_MESSAGE = re.compile(r"\s*(?:(?:FOW|FOGLIGHT)\b|(?:msgcorrect|title|author|rules|solution)\s*:)", re.IGNORECASE)
_STANDS_FOR: Mapping[str, Collection[str]] = {
    "line": ("lockout",),
    "cage": ("clone", "extraregion", "killercage"),
    "text": ("thermometer",),
}
"""By the key of a drawing: the keys of rules that are often drawn so, over exactly the same cells.

A line may also stand for any rule that is not drawn otherwise.
"""


def is_decoration(key: str, item: Any, rules: Mapping[str, set[frozenset[str]]]) -> bool:
    """Return whether a drawing is a message, fog, or the copy of a rule. rules: their outlines, by their keys."""
    if not isinstance(item, dict):
        return False
    text = text_of(item)
    outlines = outlines_of(item)
    if _MESSAGE.match(text):
        return True
    if any(value and _COPY.fullmatch(name) for name, value in item.items()):
        cells = frozenset[str]().union(*outlines)
        return any(cells <= frozenset[str]().union(*of_key) for of_key in rules.values())
    if key == "text" and text not in ("<", ">"):
        return not text  # it is invisible
    if (text and key != "text") or not outlines:
        return False
    of_rules: set[frozenset[str]] = set()
    ways, _ = ways_of_kinds()
    for name, of_key in rules.items():
        is_undrawn_line = key == "line" and (name == KEY or not ways[name].item.is_drawn)
        if is_undrawn_line or name in _STANDS_FOR.get(key, ()):
            of_rules |= of_key
    return all(len(outline) > 1 and outline in of_rules for outline in outlines)


def outlines_of(item: Any) -> list[frozenset[str]]:
    """Return the cells of an item, as sets of names: of each of its lines, or of each of its lists of cells."""
    if not isinstance(item, dict):
        return []
    lists = [item.get("cells"), item.get("cloneCells")]
    if isinstance(item.get("lines"), list):
        lists = list(item["lines"])
    if "cell" in item:
        lists.append([item["cell"]])
    outlines = []
    for names in lists:
        if isinstance(names, list):
            outlines.append(frozenset(name.upper() for name in names if isinstance(name, str)))
    return outlines


def text_of(item: Mapping[str, Any]) -> str:
    value = item.get("value")
    return "" if value is None else str(value).strip()
