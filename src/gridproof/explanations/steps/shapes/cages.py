"""Killer cages: what they take from a house, and what the sum of houses leaves to a few cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product

from gridproof.explanations.steps.shapes import Shape, rules_of
from gridproof.explanations.steps.step import Fact, Goal, Position

MOST_CELLS = 3
"""Of innies and outies together."""

MOST_HOUSES = 3
"""Rows or columns side by side whose sum is taken together."""


def _in_house(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer the cages that have two cells or more in a house of the goal."""
    geometry = position.board.geometry
    scopes = {number: rule.scope(geometry) for number, rule in rules_of(position, "killer")}
    for house in geometry.houses_of[goal.cell] if scopes else ():
        cells = {*geometry.houses[house].cells}
        yield [Fact("once", house), *(Fact("rule", n) for n, scope in scopes.items() if len(scope & cells) > 1)]


def _has_cages(position: Position, goal: Goal, reason: Sequence[Fact]) -> bool:
    return 0 < sum(fact.kind == "rule" for fact in reason) < len(reason)


def _by_sum(outie: bool, position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer houses with the cages in them, or all cages that touch them, if few cells are in only one of both.

    outie: whether the goal is outside the houses.
    """
    geometry = position.board.geometry
    cages = [(number, rule, rule.scope(geometry)) for number, rule in rules_of(position, "killer") if rule.total]
    of_all = geometry.order * (geometry.order + 1) // 2
    for houses in _groups(position) if cages else ():
        cells = {cell for house in houses for cell in geometry.houses[house].cells}
        for chosen in ([c for c in cages if c[2] <= cells], [c for c in cages if c[2] & cells]):
            covered = {cell for _, _, scope in chosen for cell in scope}
            rest, overlap = [*(cells ^ covered)], len(covered) < sum(len(scope) for _, _, scope in chosen)
            if overlap or len(rest) > MOST_CELLS or goal.cell not in (covered - cells if outie else cells - covered):
                continue
            total = len(houses) * of_all - sum(rule.total for _, rule, _ in chosen)
            signs = [1 if cell in cells else -1 for cell in rest]
            if not _possible(position, goal, rest, signs, total):
                facts = [Fact("rule", number) for number, _, _ in chosen] + [Fact("once", house) for house in houses]
                yield facts + [Fact("cell", cell) for cell in cells - covered]


def _groups(position: Position) -> Iterator[list[int]]:
    """Yield each house, and rows or columns side by side."""
    houses = position.board.geometry.houses
    for number, house in enumerate(houses):
        lines = range(number, min(number + MOST_HOUSES, len(houses)))
        for last in lines if house.kind in ("row", "column") else [number]:
            if houses[last].kind == house.kind:
                yield [*range(number, last + 1)]


def _possible(position: Position, goal: Goal, cells: Sequence[int], signs: Sequence[int], total: int) -> bool:
    """Return whether cells can add up to a total against the goal."""
    peers, choices = position.board.geometry.peers, [position.symbols(cell) for cell in cells]
    at = cells.index(goal.cell)
    choices[at] = [symbol for symbol in choices[at] if (symbol == goal.symbol) != goal.placed]
    return any(
        sum(sign * symbol for sign, symbol in zip(signs, symbols, strict=True)) == total
        and not any(
            symbols[a] == symbols[b] and cells[b] in peers[cells[a]] for b in range(len(cells)) for a in range(b)
        )
        for symbols in product(*choices)
    )


SHAPES = (
    Shape("innie", 8, partial(_by_sum, False)),
    Shape("outie", 8.5, partial(_by_sum, True)),
    Shape("killer subset", 15, _in_house, _has_cages),
)
