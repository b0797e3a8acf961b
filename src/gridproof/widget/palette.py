"""The palette of rules: each kind with its picture, and the form in which its values are typed."""

from __future__ import annotations

from functools import cache
from typing import Any

from gridproof.pictures.examples import example_board
from gridproof.pictures.svg import icon
from gridproof.puzzle.board import Board
from gridproof.rules import all_kinds
from gridproof.rules.drawing import Dot, Line, Mark, Outline, Outside
from gridproof.rules.kinds.outside import OutsideClue
from gridproof.rules.rule import REQUIRED, Parameter, Rule
from gridproof.widget.selection import FIRST, has_first_part

_GROUPS: dict[str, type[Mark]] = {
    "Cages": Outline,
    "Lines": Line,
    "Between cells": Dot,
    "Outside the grid": Outside,
}
"""The groups of kinds that are drawn by marks, each with its kind of mark, in their order."""

_IN_CELLS = "In cells"
_EVERYWHERE = "The whole board"
"""The groups of the other kinds: those that take cells, and those that take none."""

_FIRST = ("killer", "thermometer", "arrow", "whispers", "renban", "palindrome", "region-sum", "between", "sandwich")
"""The kinds that most puzzles have, in the order in which they stand before the others of their groups."""

_FIELDS = {"numbers": "text", "text": "text", "number": "number", "flag": "checkbox"}
"""The field of a form for each type of parameter that is typed."""


@cache
def build_palette() -> dict[str, Any]:
    """Return the ``groups`` with their kinds.

    A kind has a name, a sentence, a group, a form and, if it is drawn, a picture.
    """
    groups: dict[str, list[dict[str, Any]]] = {}
    for name in (*_GROUPS, _IN_CELLS, _EVERYWHERE):
        groups[name] = []
    kinds = all_kinds()
    others = [name for name in kinds if name not in _FIRST]
    for name in list(_FIRST) + others:
        kind = kinds[name]
        if kind.name_of_rules():
            continue  # rules about rules are typed, not chosen
        board = example_board(kind)
        group = find_group(kind, board)
        picture = "" if group == _EVERYWHERE else str(icon(board, theme="light"))
        form = make_form(kind)
        groups[group].append({"name": name, "title": kind.title(), "group": group, "svg": picture, "form": form})
    return {"groups": [{"name": name, "kinds": kinds} for name, kinds in groups.items()]}


def find_group(kind: type[Rule], example: Board) -> str:
    """Return the group of a kind: the first one by whose mark it is drawn."""
    marks = list(example.rules[0].draw(example.geometry))
    for group, mark in _GROUPS.items():
        if any(isinstance(drawn, mark) for drawn in marks):
            return group
    takes_cells = any(parameter.default is REQUIRED for parameter in kind.cell_parameters())
    return _IN_CELLS if takes_cells else _EVERYWHERE


def make_form(kind: type[Rule], rule: Rule | None = None) -> dict[str, Any]:
    """Return the form for a new rule of a kind, or for one that is there: title, text, and fields.

    A field has a name, a label, a type, a value and a help. A clue outside the grid looks ``straight`` or ``slanted``.
    """
    fields: list[tuple[str, str, str, object, str]] = []
    for parameter in kind.parameters():
        if parameter.type in _FIELDS:
            value = parameter.default if rule is None else rule.value(parameter.name)
            field = _FIELDS[parameter.type]
            fields.append((parameter.name, parameter.name, field, write_value(value, parameter), parameter.help))
    wanted = [parameter.help for parameter in kind.cell_parameters() if parameter.default is REQUIRED]
    outside = ""
    if issubclass(kind, OutsideClue):
        outside = "slanted" if kind.slanted else "straight"
        cells = "Click outside the grid, or select two cells from the edge inwards, in the direction of the clue"
    elif wanted:
        cells = f"Select {', then '.join(wanted)}"
    else:
        cells = "It holds on the whole board"
    if rule is None and has_first_part(kind):
        part = kind.cell_parameters()[0].name
        fields.append((FIRST, f"cells of the {part}", "number", "1", "more than one make a pill"))
    return {"title": kind.kind, "about": f"{kind.summary()} {cells}.", "fields": fields, "outside": outside}


def write_value(value: object, parameter: Parameter) -> object:
    """Return a value as it stands in a form; empty if none is stated, or if it depends on the order."""
    if value is REQUIRED or value is None or (parameter.type == "number" and isinstance(value, str)):
        return ""
    if isinstance(value, tuple):
        return " ".join(str(part) for part in value)
    return value
