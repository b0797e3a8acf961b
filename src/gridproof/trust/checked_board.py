"""A board as the checker of certificates reads it: the files that state it, and the formula that the checker writes.

The formula shares with an answer nothing but the reading of the puzzle: the meaning of the rules, their clauses and
those of the houses come from ``gridproof.checker``. So it serves certificates, and as a second opinion.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

from gridproof.checker import known_kinds
from gridproof.checker.findings import CheckerLimits, Clock, Refusal
from gridproof.checker.formula import (
    Formula,
    formula,
    grid_clauses,
    groups_of,
    refuse_too_many,
    rule_clauses,
    true_literals,
)
from gridproof.checker.machines import Unrolled
from gridproof.checker.rules import Rule as StatedRule
from gridproof.checker.rules import parse_rules
from gridproof.checker.statement import Layout, parse_cells, parse_geometry
from gridproof.errors import InputError
from gridproof.limits import Limits
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule

LARGEST_PLAIN = 9
"""Largest number of digits of a board whose clauses are given to a solver as they are stated."""


class NotCertified(InputError):
    """A board that certificates cannot state."""


class StatementForSolver(NamedTuple):
    """Clauses, and groups of literals of which at most one is true, as ``Backend.incremental`` takes them."""

    clauses: Sequence[Sequence[int]]
    at_most_one: Sequence[Sequence[int]] = ()


@dataclass(frozen=True, slots=True)
class CheckedBoard:
    """A board in the words of the checker.

    Attributes
    ----------
    files : mapping
        ``board.txt``, ``geometry.json`` and ``rules.json``.
    layout, board, rules
        The content of these files as the checker parses it.
    unrolled
        The machines of the rules, for the clauses of their parts.
    """

    files: Mapping[str, bytes]
    layout: Layout
    board: Mapping[int, frozenset[int]]
    rules: tuple[StatedRule, ...]
    unrolled: Unrolled

    def formula(
        self,
        forbidden: Iterable[Sequence[int]] = (),
        cells: Iterable[int] | None = None,
        rules: Iterable[int] | None = None,
    ) -> Formula:
        """Return the checker's formula.

        Parameters
        ----------
        forbidden
            Grids that the formula excludes.
        cells, rules
            The restricted cells, and the rules (from 0), that the formula states; all by default.

        Raises
        ------
        NotCertified
            If the formula is larger than the checker reads.
        """
        board = self.board
        if cells is not None:
            board = {cell: self.board[cell] for cell in cells}
        stated_rules: Sequence[StatedRule] = self.rules
        if rules is not None:
            stated_rules = [self.rules[number] for number in rules]
        digits = Digits(self.layout.first, self.layout.last)
        excluded = [digits.of(grid) for grid in forbidden]
        try:
            return formula(self.layout, board, stated_rules, excluded, self.unrolled)
        except Refusal as refusal:
            raise NotCertified(f"not certified: {refusal.finding.message}") from None

    def for_solver(self, grids: Iterable[Sequence[int]]) -> StatementForSolver:
        """Return a statement with the same models as the checker's formula that excludes some grids.

        On a usual board the literals that the board settles stand in all clauses, and some clauses stand there twice: a
        solver finds that out sooner than we do. On a larger board there are so many that it pays to reduce them.

        Raises
        ------
        NotCertified
            If they are more than the checker reads.
        """
        if self.layout.count > LARGEST_PLAIN:
            return StatementForSolver(self.formula(grids).clauses)
        digits = Digits(self.layout.first, self.layout.last)
        excluded = [digits.of(grid) for grid in grids]
        fresh = count(len(self.layout.cells) * self.layout.count + 1)
        clauses: list[Sequence[int]] = [(literal,) for literal in true_literals(self.layout, self.board)]
        groups = groups_of(self.layout)
        clauses += [group for group, is_full in groups if is_full]
        try:
            clauses += rule_clauses(self.rules, self.unrolled, fresh)
            refuse_too_many(clauses, self.unrolled.limits)
        except Refusal as refusal:
            raise NotCertified(f"not certified: {refusal.finding.message}") from None
        clauses += grid_clauses(self.layout, excluded)
        return StatementForSolver(clauses, [group for group, _ in groups])


def state_for_checker(board: Board, limits: Limits | None = None) -> CheckedBoard:
    """Return the statement of a board.

    Parameters
    ----------
    board
        The board with its rules.
    limits
        The seconds for reading the rules; those of the checker by default.

    Returns
    -------
    CheckedBoard

    Raises
    ------
    NotCertified
        For a rule of a kind that is not in the checker, a rule without cells, or one that is too large for it.

    Examples
    --------
    >>> stated = state_for_checker(Board.empty(Geometry.classic(2)).with_rule("killer 3 r1c1 r1c2"))
    >>> stated.formula().variables, stated.files["rules.json"].decode().splitlines()[1]
    (65, '{"kind": "killer", "parameters": {"total": 3, "cells": [0, 1], "repeats": false}}')
    """
    refuse_rules(board)
    bounds = CheckerLimits()
    files = {"board.txt": board_txt(board), **_geometry_file(board.geometry)}
    files["rules.json"] = rules_json(board.rules, board.geometry)
    clock = Clock(limits.seconds if limits and limits.seconds else bounds.seconds)
    try:
        layout = _layout(board.geometry)
        rules = parse_rules(files["rules.json"], layout, bounds, clock)
        cells = parse_cells(files["board.txt"], "board.txt", layout, bounds)
    except Refusal as refusal:
        raise NotCertified(f"not certified: {refusal.finding.message}") from None
    return CheckedBoard(files, layout, cells, rules, Unrolled(layout, bounds, clock))


def refuse_rules(board: Board) -> None:
    """Raise ``NotCertified`` for a board with a rule of a kind that is not in the checker.

    Examples
    --------
    >>> from gridproof import rules
    >>> board = Board.empty(Geometry.classic(2))
    >>> refuse_rules(board.with_rule("killer 3 r1c1 r1c2"))
    """
    known = known_kinds()
    for rule in board.rules:
        if not is_known(rule, known):
            why = "is of no kind that is in the checker (docs/certificates.md)"
            if rule.remark(board.geometry):
                why = "is about further cells, whose digits no file of a certificate states"
            raise NotCertified(f"not certified: rule {rule.sentence(board.geometry)!r} {why}")


def is_known(rule: Rule, known: Mapping[str, set[str]]) -> bool:
    """Return whether the checker has the kind of a rule, and those of all rules in it. known: as ``known_kinds``."""
    parameters = {name for name, _, _ in rule.stated_values()}
    # a user's kind may be called like one of ours
    if rule.name_or_path != rule.kind or known.get(rule.kind) != parameters:
        return False
    name_of_rules = rule.name_of_rules()
    return not name_of_rules or all(is_known(inner, known) for inner in rule.value(name_of_rules))


def board_txt(board: Board) -> bytes:
    """Return ``board.txt``: a line for each row; cells with pencil marks list their digits."""
    geometry = board.geometry
    if board.marks is None and geometry.symbol_characters:
        return grid_txt(board.clues, geometry)
    cells = []
    for clue, symbol_mask in zip(board.clues, board.candidates, strict=True):
        if not clue and symbol_mask == geometry.every_symbol:
            cells.append(".")
            continue
        digits = [geometry.symbol_text(s) for s in geometry.symbols if symbol_mask >> (s - 1) & 1]
        cells.append(",".join(digits) or "-")
    return _write_rows(cells, geometry, " ")


def grid_txt(symbols: Sequence[int], geometry: Geometry) -> bytes:
    """Return a grid as ``board.txt`` and ``solution.txt`` have it; 0 is a blank cell."""
    cells = [geometry.symbol_text(symbol) if symbol else "." for symbol in symbols]
    return _write_rows(cells, geometry, "" if geometry.symbol_characters else " ")


def _write_rows(cells: Sequence[str], geometry: Geometry, between: str) -> bytes:
    """Return a line for each row."""
    lines = []
    for first in range(0, geometry.cell_count, geometry.columns):
        lines.append(between.join(cells[first : first + geometry.columns]) + "\n")
    return "".join(lines).encode("ascii")


def rules_json(rules: Iterable[Rule], geometry: Geometry) -> bytes:
    """Return ``rules.json``: kind and every parameter of each rule, defaults that depend on the order as numbers."""
    lines = [json.dumps(json_of(rule, geometry)) for rule in rules]
    return ('{"rules": [\n' + ",\n".join(lines) + "\n]}\n").encode("ascii")


def json_of(rule: Rule, geometry: Geometry) -> dict[str, Any]:
    """Return a rule as ``rules.json`` has it; the rules of a choice stand in it in the same way."""
    values: dict[str, Any] = {}
    for name, kind, value in rule.stand_alone().stated_values():
        values[name] = value
        if kind == "rules":
            values[name] = [json_of(inner, geometry) for inner in value]
    values.update(rule.numbers(geometry))
    return {"kind": rule.kind, "parameters": values}


_NAMED_HOUSES = ("row", "column", "box", "region")
"""Kinds of houses that follow from order, boxes and regions."""


@lru_cache(maxsize=16)
def _layout(geometry: Geometry) -> Layout:
    return parse_geometry(_geometry_file(geometry)["geometry.json"], CheckerLimits())[0]


@lru_cache(maxsize=16)
def _geometry_file(geometry: Geometry) -> dict[str, bytes]:
    """Return ``geometry.json``: the order, boxes, regions of a jigsaw and further houses.

    Of a board with other digits or sides it has these in place of the order.
    """
    regions = []
    further = []
    for house in geometry.houses[: len(geometry.houses) - len(geometry.extra)]:
        if house.kind == "region":
            regions.append(house.cells)
        elif house.kind not in _NAMED_HOUSES:
            further.append(house.cells)
    further += [house.cells for house in geometry.extra]
    stated: dict[str, object] = {}
    if geometry.is_plain:
        stated["order"] = geometry.order
    else:
        stated["rows"] = geometry.rows
        stated["columns"] = geometry.columns
        stated["digits"] = [geometry.digits.first, geometry.digits.last]
    stated.update(boxes=geometry.box_shape, regions=regions, houses=further)
    return {"geometry.json": f"{json.dumps(stated)}\n".encode("ascii")}
