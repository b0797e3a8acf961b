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
_WIDTH = {"numbers": "text", "text": "text", "number": "number", "flag": "checkbox"}


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
        if p.type in ("cells", "lines"):
            continue
        value = p.default if rule is None else rule.value(p.name)
        if p.type == "flag":
            shown: Any = value is True
        elif value is REQUIRED or value is None or (p.type == "number" and isinstance(value, str)):
            shown = ""  # nothing is stated, or a default that depends on the order
        else:
            shown = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
        fields.append({"name": p.name, "label": p.name, "type": _WIDTH[p.type], "value": shown, "help": p.help})
    wanted = [p for p in kind.of_cells if p.default is REQUIRED]
    cells = "Select " + ", then ".join(p.help for p in wanted) if wanted else "It holds on the whole board"
    if issubclass(kind.rule, OutsideClue):
        cells = "Select two cells from the edge inwards, in the direction in which the clue looks"
    buttons = [("add", "Add"), ("close", "Close")]
    if rule is not None:
        buttons = [("change", "Change"), ("delete", "Delete"), ("close", "Close")]
    return {
        "kind": kind.name,
        "title": kind.name,
        "about": f"{kind.summary} {cells}.",
        "fields": fields,
        "buttons": buttons,
    }


def new_form(order: int) -> dict[str, Any]:
    """Return the form for a new board."""
    shapes = [["boxes", "boxes"], ["latin", "Latin square"], ["jigsaw", "jigsaw, regions to be painted"]]
    return {
        "title": "New board",
        "about": "",
        "fields": [
            {"name": "order", "label": "symbols", "type": "number", "value": str(order), "help": "1 to 25"},
            {"name": "shape", "label": "shape", "type": "select", "value": "boxes", "choices": shapes},
            {"name": "diagonals", "label": "diagonals", "type": "checkbox", "value": False},
            {"name": "windoku", "label": "windoku", "type": "checkbox", "value": False},
        ],
        "buttons": [("new", "Begin"), ("close", "Close")],
    }


def paint_form(order: int, rest: int) -> dict[str, Any]:
    """Return the form for painting regions. rest: how many cells have none yet."""
    left = f"{rest} cells have no region yet." if rest else "All cells have a region."
    return {
        "title": "Regions",
        "about": f"Select {order} cells and paint them as a region. {left}",
        "fields": [],
        "buttons": [("paint", "Paint"), ("close", "Close")],
    }


def about_form(puzzle: Puzzle) -> dict[str, Any]:
    """Return the form for title, author and the rules in words."""
    return {
        "title": "About the puzzle",
        "about": "Links and TOML keep this.",
        "fields": [
            {"name": "title", "label": "title", "type": "text", "value": puzzle.title},
            {"name": "author", "label": "author", "type": "text", "value": puzzle.author},
            {"name": "prose", "label": "rules in words", "type": "area", "value": puzzle.prose},
        ],
        "buttons": [("name", "Keep"), ("close", "Close")],
    }
