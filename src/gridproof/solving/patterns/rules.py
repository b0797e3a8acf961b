"""Rules: what one takes away by itself; what cages take from a house; what the sum of houses leaves to a few cells."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from gridproof.solving.patterns import Pattern
from gridproof.solving.step import Fact, Goal, Position

NAMES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""Kinds of rules, and what people call a step that one of them gives alone."""

MOST_CELLS = 3
"""Of innies and outies together."""

MOST_HOUSES = 3
"""Rows or columns side by side whose sum is taken together."""


def _rules(position: Position, kind: str) -> Iterator[tuple[Fact, Any, frozenset[int]]]:
    """Yield the rules of a kind, each once, as facts, with their cells."""
    rules = position.board.rules
    for number, rule in enumerate(rules):
        if rule.kind == kind and rules.index(rule) == number:
            yield Fact("rule", number), rule, rule.scope(position.board.geometry)


def _alone(kind: str, position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    return ([fact] for fact, _, scope in _rules(position, kind) if goal.cell in scope)


def _in_house(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer the cages that have two cells or more in a house of the goal."""
    geometry, cages = position.board.geometry, [*_rules(position, "killer")]
    for house in geometry.houses_of[goal.cell] if cages else ():
        cells = {*geometry.houses[house].cells}
        yield [Fact("once", house), *(fact for fact, _, scope in cages if len(scope & cells) > 1)]


def _has_cages(position: Position, reason: Sequence[Fact]) -> bool:
    return 0 < sum(fact.kind == "rule" for fact in reason) < len(reason)


def _by_sum(outie: bool, position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer houses with the cages in them, or all cages that touch them, if few cells are in only one of both.

    outie: whether the goal is outside the houses.
    """
    cages = [cage for cage in _rules(position, "killer") if cage[1].total]
    for houses in _groups(position) if cages else ():
        cells = {cell for house in houses for cell in position.board.geometry.houses[house].cells}
        for chosen in ([cage for cage in cages if cage[2] <= cells], [cage for cage in cages if cage[2] & cells]):
            covered, overlap = {c for _, _, scope in chosen for c in scope}, sum(len(scope) for *_, scope in chosen)
            wanted = covered - cells if outie else cells - covered
            if goal.cell in wanted and len(cells ^ covered) <= MOST_CELLS and overlap == len(covered):
                facts = [Fact("once", house) for house in houses] + [Fact("cell", c) for c in cells - covered]
                yield facts + [fact for fact, _, _ in chosen]


def _groups(position: Position) -> Iterator[list[int]]:
    """Yield each house, and rows or columns side by side."""
    houses = position.board.geometry.houses
    for number, house in enumerate(houses):
        for last in range(number, number + (MOST_HOUSES if house.kind in ("row", "column") else 1)):
            if last < len(houses) and houses[last].kind == house.kind:
                yield [*range(number, last + 1)]


PATTERNS = (
    *(Pattern(name, 5 + n / 100, partial(_alone, kind)) for n, (kind, name) in enumerate(NAMES.items())),
    Pattern("innie", 8, partial(_by_sum, False)),
    Pattern("outie", 8.5, partial(_by_sum, True)),
    Pattern("killer subset", 15, _in_house, _has_cages),
)
