"""Tell drawings that copy a rule or only decorate from those that may be rules of their own."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from gridproof.formats.programs import LISTED_DRAWINGS, drawing, listed, short
from gridproof.formats.puzzle import Unread

_MARK = re.compile(r"from[A-Z]\w*|is\w+Constraint")
"""The name of a field that marks a drawing as the copy of a constraint which is stated beside it."""

_MESSAGE = re.compile(r"\s*(?:(?:FOW|FOGLIGHT)\b|(?:msgcorrect|title|author|rules|solution)\s*:)", re.IGNORECASE)

_STANDS_FOR: Mapping[str, frozenset[str]] = {
    # f-puzzles draws its own lines; of these the add-on draws a second one
    "line": frozenset(
        (
            *("renban", "whispers", "regionsumline", "entropicline", "modularline", "nabner"),
            *("doublearrow", "zipperline", "slowthermometer", "lockout"),
        )
    ),
    "cage": frozenset(("clone", "extraregion", "killercage")),
    "text": frozenset(("thermometer",)),
}
"""By the key of a drawing: the keys of rules that are often drawn so, over exactly the same cells."""

_CELL = re.compile(r"R(-?\d{1,3})C(-?\d{1,3})", re.IGNORECASE)

Outlines = dict[str, set[frozenset[str]]]
"""The cells of rules, by their key, as names."""


def outlines(item: Any) -> list[frozenset[str]]:
    """Return the cells of an item, as sets of names: of each of its lines, or of each of its lists of cells."""
    if not isinstance(item, dict):
        return []
    lists = item["lines"] if isinstance(item.get("lines"), list) else [item.get("cells"), item.get("cloneCells")]
    lists = [*lists, [item["cell"]]] if "cell" in item else lists
    return [
        frozenset(name.upper() for name in names if isinstance(name, str)) for names in lists if isinstance(names, list)
    ]


def unread_drawings(key: str, items: Sequence[Any], rules: Outlines) -> Iterator[Unread]:
    """Yield each drawing of a key that may be a rule of its own, with its place; the others are counted."""
    covered = [frozenset[str]().union(*cells) for cells in rules.values()]
    exact = {cells for name in _STANDS_FOR.get(key, ()) for cells in rules.get(name, ())}
    loose = [(number, item) for number, item in enumerate(items, 1) if not _decorates(key, item, covered, exact)]
    if copies := len(items) - len(loose):
        yield Unread(key, f"{copies} that stand for rules, messages or fog", False)
    for number, item in loose[:LISTED_DRAWINGS]:
        yield Unread(f"{key} {number} of {len(items)}", _description(item))
    if len(loose) > LISTED_DRAWINGS:
        yield Unread(key, f"{len(loose) - LISTED_DRAWINGS:,} more drawn")


def _decorates(key: str, item: Any, covered: Sequence[frozenset[str]], exact: Collection[frozenset[str]]) -> bool:
    """Return whether a drawing is no rule.

    covered: the cells of all rules of each key, which marked copies may cover. exact: the cells of single rules that
    are often drawn so.
    """
    if not isinstance(item, dict):
        return False
    text, drawn = _text(item), outlines(item)
    if _MESSAGE.match(text):
        return True
    if any(value and _MARK.fullmatch(name) for name, value in item.items()):
        return any(frozenset[str]().union(*drawn) <= cells for cells in covered)
    if key == "text" and text not in ("<", ">"):
        return not text  # it is invisible
    return bool(drawn) and (key == "text" or not text) and all(len(one) > 1 and one in exact for one in drawn)


def _text(item: Mapping[str, Any]) -> str:
    value = item.get("value")
    return "" if value is None else str(value).strip()


def _description(item: Any) -> str:
    """Return the words for what is drawn, and where."""
    if not isinstance(item, dict):
        return short(item)
    lines = item.get("lines")
    if isinstance(lines, list):
        where = "along " + " / ".join(_cells(line) for line in lines[:3])
    else:
        where = "at " + _cells(item.get("cells"))
    return drawing(where, _text(item))


def _cells(names: Any) -> str:
    known = [_CELL.fullmatch(str(name)) for name in names] if isinstance(names, list) else []
    return listed([match[0].lower() for match in known if match])
