"""The palette of rules: each kind with its picture, and the forms in which its values are typed."""

from __future__ import annotations

from functools import cache
from typing import Any

from gridproof.formats import Puzzle
from gridproof.pictures.examples import example_board
from gridproof.pictures.svg import icon
from gridproof.rules import all_kinds
from gridproof.rules.drawing import Dot, Line, Mark, Outline, Outside
from gridproof.rules.kind import Kind
from gridproof.rules.kinds.outside import OutsideClue
from gridproof.rules.rule import REQUIRED, Rule

_GROUPS: dict[str, type[Mark]] = {"Cages": Outline, "Lines": Line, "Between cells": Dot, "Outside the grid": Outside}
_CELLS, _OTHERS = "In cells", "The whole board"
_FIRST = ("killer", "thermometer", "arrow", "whispers", "renban", "palindrome", "region-sum", "between", "sandwich")
"""The kinds that most puzzles have, in the order in which they stand before the others of their groups."""
_TYPES = {"numbers": "text", "text": "text", "number": "number", "flag": "checkbox"}


@cache
def palette() -> list[dict[str, Any]]:
    """Return each group with its kinds: name, sentence and, if the kind is drawn, a picture."""
    groups: dict[str, list[dict[str, str]]] = {name: [] for name in (*_GROUPS, _CELLS, _OTHERS)}
    place = {name: number for number, name in enumerate(_FIRST)}
    for kind in sorted(all_kinds().values(), key=lambda kind: place.get(kind.name, len(place))):
        board = example_board(kind)
        [rule] = board.rules
        marks = [*rule.draw(board.geometry)]
        drawn = [name for name, mark in _GROUPS.items() if any(isinstance(one, mark) for one in marks)]
        group = (drawn or [_CELLS if any(p.default is REQUIRED for p in kind.of_cells) else _OTHERS])[0]
        picture = str(icon(board)) if group != _OTHERS else ""
        groups[group].append({"name": kind.name, "title": kind.sentence, "svg": picture})
    return [{"name": name, "kinds": kinds} for name, kinds in groups.items() if kinds]


def rule_form(kind: Kind, rule: Rule | None = None) -> dict[str, Any]:
    """Return the form for the values of a new rule, or of one that is there."""
    fields = []
    for p in kind.parameters:
        value = p.default if rule is None else rule.value(p.name)
        if value is REQUIRED or value is None or (p.type == "number" and isinstance(value, str)):
            value = ""  # nothing is stated, or a default that depends on the order
        if p.type in _TYPES:
            shown = " ".join(map(str, value)) if isinstance(value, tuple) else value
            fields.append((p.name, p.name, _TYPES[p.type], shown, p.help))
    wanted = [p.help for p in kind.of_cells if p.default is REQUIRED]
    cells = f"Select {', then '.join(wanted)}" if wanted else "It holds on the whole board"
    if issubclass(kind.rule, OutsideClue):
        cells = "Select two cells from the edge inwards, in the direction in which the clue looks"
    buttons = [("add", "Add")] if rule is None else [("change", "Change"), ("delete", "Delete")]
    form = _form(kind.name, f"{kind.summary} {cells}.", fields, *buttons)
    return form | {"kind": rule.called if rule else kind.name}


def new_form(order: int) -> dict[str, Any]:
    """Return the form for a new board."""
    shapes = [("boxes", "boxes"), ("latin", "Latin square"), ("jigsaw", "jigsaw, regions to be painted")]
    fields = [("order", "symbols", "number", order, "1 to 25"), ("shape", "shape", "select", "boxes", shapes)]
    fields += [(name, name, "checkbox", False, "") for name in ("diagonals", "windoku")]
    return _form("New board", "", fields, ("new", "Begin"))


def paint_form(order: int, rest: int) -> dict[str, Any]:
    """Return the form for painting regions. rest: how many cells have none yet."""
    left = f"{rest} cells have no region yet." if rest else "All cells have a region."
    return _form("Regions", f"Select {order} cells and paint them as a region. {left}", [], ("paint", "Paint"))


def about_form(puzzle: Puzzle) -> dict[str, Any]:
    """Return the form for title, author and the rules in words."""
    fields = [("title", "title", "text", puzzle.title, ""), ("author", "author", "text", puzzle.author, "")]
    fields.append(("prose", "rules in words", "area", puzzle.prose, ""))
    return _form("About the puzzle", "Links and TOML keep this.", fields, ("name", "Keep"))


def _form(title: str, about: str, fields: list[Any], *buttons: tuple[str, str]) -> dict[str, Any]:
    """Return a form. fields: name, label, type, value, and help or choices. buttons: name and text."""
    return {"title": title, "about": about, "fields": fields, "buttons": [*buttons, ("close", "Close")]}
