"""Rules as ``rules.json`` states them: the kind and every parameter."""

from __future__ import annotations

from typing import Any

from gridproof.checker import known_kinds
from gridproof.errors import InputError
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule
from gridproof.rules.expressions import compiled


class NotCertified(InputError):
    """A board with a rule that certificates cannot state."""


def statement(rule: Rule, geometry: Geometry) -> dict[str, Any]:
    """Return a rule as plain values for JSON, with defaults that depend on the order as numbers."""
    said = {}
    for name, kind, value in rule.on_its_own().parameters():
        by_order = kind == "number" and isinstance(value, str)
        said[name] = compiled(value, {"n"})(n=geometry.order) if by_order else value
    return {"kind": rule.kind, "parameters": said}


def refuse_rules(board: Board) -> None:
    """Raise ``NotCertified`` for a board with a rule that the checker does not know, or that names no cells.

    Parameters
    ----------
    board
        The board with its rules.

    Returns
    -------
    None
        If certificates can state all rules.

    Raises
    ------
    NotCertified
        If they cannot, with the sentence of the first such rule.

    Examples
    --------
    >>> from gridproof import rules
    >>> board = Board.empty(Geometry.classic(2))
    >>> refuse_rules(board.with_rule("killer 3 r1c1 r1c2"))
    >>> refuse_rules(board.with_rule(rules.killer(3, [])))
    Traceback (most recent call last):
        ...
    gridproof.certificates.statements.NotCertified: not certified: rule 'the killer cage  sums to 3' names no cells
    """
    for rule in board.rules:
        said = rule.parameters()
        lists = [
            cells
            for _, kind, value in said
            for cells in ([value] if kind == "cells" else value if kind == "lines" else [])
        ]
        known = rule.called == rule.kind and known_kinds().get(rule.kind) == {name for name, _, _ in said}
        if not known or not all(lists):
            why = "names no cells" if known else "is of no kind that the checker knows (docs/certificates.md)"
            raise NotCertified(f"not certified: rule {rule.sentence(board.geometry)!r} {why}")
