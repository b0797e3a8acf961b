"""Rules: what one takes away by itself; what cages take from a house; what the sum of houses leaves to a few cells."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from gridproof.solving.patterns import Pattern, cell_facts
from gridproof.solving.position import Fact, Goal, Position

NAMES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""Kinds of rules, and what people call a step that one of them gives alone."""

MOST_CELLS = 3
"""Largest number of innies and outies together."""

MOST_HOUSES = 3
"""Largest number of rows or columns side by side whose sum is taken together."""


class RuleOnBoard(NamedTuple):
    """A rule of a board as a fact, with its cells."""

    fact: Fact
    rule: Any
    scope: frozenset[int]


def rules_of_kind(position: Position, kind: str) -> list[RuleOnBoard]:
    """Return the rules of a kind, each once."""
    rules = position.board.rules
    found: list[RuleOnBoard] = []
    for number, rule in enumerate(rules):
        if rule.kind == kind and rules.index(rule) == number:
            found.append(RuleOnBoard(Fact("rule", number), rule, rule.scope(position.board.geometry)))
    return found


# ---- one rule, and cages in a house ----------------------------------------------------------------------------------


def offer_rule(kind: str, position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer each rule of a kind that the goal is about, with the houses of its cells."""
    houses = position.board.geometry.houses
    for rule in rules_of_kind(position, kind):
        if goal.cell in rule.scope:
            facts = [rule.fact]
            for number, house in enumerate(houses):
                if len(rule.scope.intersection(house.cells)) > 1:
                    facts.append(Fact("once", number))
            yield facts


def offer_cages_in_house(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer the cages that have two cells or more in a house of the goal."""
    geometry = position.board.geometry
    cages = rules_of_kind(position, "killer")
    if not cages:
        return
    for house in geometry.houses_of[goal.cell]:
        inside = [cage.fact for cage in cages if len(cage.scope.intersection(geometry.houses[house].cells)) > 1]
        yield [Fact("once", house)] + inside


def has_cages(position: Position, reason: Sequence[Fact]) -> bool:
    """Return whether a reason needs cages, and something else besides."""
    cages = [fact for fact in reason if fact.kind == "rule"]
    return 0 < len(cages) < len(reason)


# ---- innies and outies -----------------------------------------------------------------------------------------------


def offer_innies(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer houses with cages that leave the goal and at most two other cells of them uncovered."""
    return offer_sum(position, goal, inside=True)


def offer_outies(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer houses with cages that stick out of them by the goal and at most two other cells."""
    return offer_sum(position, goal, inside=False)


def offer_sum(position: Position, goal: Goal, inside: bool) -> Iterator[Sequence[Fact]]:
    """Offer houses with the cages in them, or all cages that touch them, if few cells are in only one of both.

    inside: whether the goal is a cell of the houses.
    """
    cages = [cage for cage in rules_of_kind(position, "killer") if cage.rule.total]
    if not cages:
        return
    for houses in houses_to_sum(position):
        cells: set[int] = set()
        for house in houses:
            cells.update(position.board.geometry.houses[house].cells)
        enclosed = [cage for cage in cages if cage.scope <= cells]
        touching = [cage for cage in cages if cage.scope & cells]
        for chosen in (enclosed, touching):
            covered: set[int] = set().union(*[cage.scope for cage in chosen])
            are_apart = len(covered) == sum([len(cage.scope) for cage in chosen])
            is_wanted = goal.cell in (cells - covered if inside else covered - cells)
            if is_wanted and len(cells ^ covered) <= MOST_CELLS and are_apart:
                facts = [Fact("once", house) for house in houses]
                facts += cell_facts(cells - covered)
                facts += [cage.fact for cage in chosen]
                yield facts


def houses_to_sum(position: Position) -> Iterator[list[int]]:
    """Yield each house, and rows or columns side by side."""
    houses = position.board.geometry.houses
    for number, house in enumerate(houses):
        yield [number]
        if house.kind in ("row", "column"):
            for last in range(number + 1, number + MOST_HOUSES):
                if last < len(houses) and houses[last].kind == house.kind:
                    yield list(range(number, last + 1))


# ---- the patterns ----------------------------------------------------------------------------------------------------


def make_patterns() -> Iterator[Pattern]:
    """Yield the patterns of rules: those of one rule first, by its kind."""
    for number, (kind, name) in enumerate(NAMES.items()):
        yield Pattern(name, 5 + number / 100, partial(offer_rule, kind))
    yield Pattern("innie", 8, offer_innies)
    yield Pattern("outie", 8.5, offer_outies)
    yield Pattern("killer subset", 15, offer_cages_in_house, has_cages)


PATTERNS = tuple(make_patterns())
