"""The palette of rules: each kind with its picture, and the form in which its values are typed."""

from __future__ import annotations

from functools import cache
from typing import Any

from gridproof.pictures.examples import example_board
from gridproof.pictures.svg import icon
from gridproof.rules import all_kinds
from gridproof.rules.drawing import Dot, Line, Mark, Outline, Outside
from gridproof.rules.kinds.outside import OutsideClue
from gridproof.rules.rule import REQUIRED, Rule

_GROUPS: dict[str, type[Mark]] = {"Cages": Outline, "Lines": Line, "Between cells": Dot, "Outside the grid": Outside}
_CELLS, _OTHERS = "In cells", "The whole board"
_FIRST = ("killer", "thermometer", "arrow", "whispers", "renban", "palindrome", "region-sum", "between", "sandwich")
"""The kinds that most puzzles have, in the order in which they stand before the others of their groups."""
_TYPES = {"numbers": "text", "text": "text", "number": "number", "flag": "checkbox"}


@cache
def palette() -> list[dict[str, Any]]:
    """Return each group with its kinds: name, sentence, form and, if the kind is drawn, a picture."""
    groups: dict[str, list[dict[str, Any]]] = {name: [] for name in (*_GROUPS, _CELLS, _OTHERS)}
    for kind in sorted(all_kinds().values(), key=lambda kind: [*_FIRST, kind.kind].index(kind.kind)):
        board = example_board(kind)
        marks = [*board.rules[0].draw(board.geometry)]
        drawn = [name for name, mark in _GROUPS.items() if any(isinstance(one, mark) for one in marks)]
        group = (drawn or [_CELLS if any(p.default is REQUIRED for p in kind.cell_parameters()) else _OTHERS])[0]
        picture = str(icon(board)) if group != _OTHERS else ""
        groups[group].append({"name": kind.kind, "title": kind.title(), "svg": picture, "form": rule_form(kind)})
    return [{"name": name, "kinds": kinds} for name, kinds in groups.items()]


def rule_form(kind: type[Rule], rule: Rule | None = None) -> dict[str, Any]:
    """Return the form for a new rule of a kind, or for one that is there: title, text, and fields.

    A field has a name, a label, a type, a value and a help.
    """
    fields = []
    for p in kind.parameters():
        value = p.default if rule is None else rule.value(p.name)
        if value is REQUIRED or value is None or (p.type == "number" and isinstance(value, str)):
            value = ""  # nothing is stated, or a default that depends on the order
        if p.type in _TYPES:
            shown = " ".join(map(str, value)) if isinstance(value, tuple) else value
            fields.append((p.name, p.name, _TYPES[p.type], shown, p.help))
    wanted = [p.help for p in kind.cell_parameters() if p.default is REQUIRED]
    cells = f"Select {', then '.join(wanted)}" if wanted else "It holds on the whole board"
    if issubclass(kind, OutsideClue):
        cells = "Select two cells from the edge inwards, in the direction in which the clue looks"
    return {"title": kind.kind, "about": f"{kind.summary()} {cells}.", "fields": fields}
