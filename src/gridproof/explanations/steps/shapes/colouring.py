"""Chains of alternatives: simple colouring, X-chain, remote pair and XY-chain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gridproof.explanations.steps.shapes import Shape, one_symbol
from gridproof.explanations.steps.step import Fact, Goal, Position


def _twice(position: Position, symbol: int) -> dict[int, set[int]]:
    """Return the places of a symbol in each house that has two."""
    houses = {house: {*position.places(house, symbol)} for house in range(len(position.board.geometry.houses))}
    return {house: places for house, places in houses.items() if len(places) == 2}


def _simple(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer each net of houses with two places, as far as they have places in common."""
    rest = _twice(position, goal.symbol)
    while rest:
        house, net = rest.popitem()
        houses = [house]
        while touching := [house for house, places in rest.items() if places & net]:
            net = net.union(*(rest.pop(house) for house in touching))
            houses += touching
        if len(houses) > 2:
            yield _alternatives(position, goal, houses, net)


def _x_chain(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer all houses with two places."""
    if houses := _twice(position, goal.symbol):
        yield _alternatives(position, goal, [*houses], set[int]().union(*houses.values()))


def _alternatives(position: Position, goal: Goal, houses: Sequence[int], cells: set[int]) -> list[Fact]:
    return [*(Fact("place", house, goal.symbol) for house in houses), *_once(position, {*cells, goal.cell})]


def _once(position: Position, cells: set[int]) -> list[Fact]:
    """Return the houses with two or more of some cells."""
    houses = position.board.geometry.houses
    return [Fact("once", number) for number, house in enumerate(houses) if len(cells.intersection(house.cells)) > 1]


def _remote_pair(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer all cells of each pair of symbols of which one is that of the goal."""
    bit = 1 << (goal.symbol - 1)
    for mask in {mask for mask in position.candidates if mask & bit and mask.bit_count() == 2 and not goal.placed}:
        yield _pairs(position, goal, [cell for cell, other in enumerate(position.candidates) if other == mask])


def _xy_chain(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer all cells with two symbols."""
    if not goal.placed:
        yield _pairs(position, goal, [c for c, mask in enumerate(position.candidates) if mask.bit_count() == 2])


def _pairs(position: Position, goal: Goal, cells: Sequence[int]) -> list[Fact]:
    cells = [cell for cell in cells if cell != goal.cell]
    return [*(Fact("cell", cell) for cell in cells), *_once(position, {*cells, goal.cell})]


def _is_chain(position: Position, goal: Goal, reason: Sequence[Fact]) -> bool:
    """Return whether a reason is longer than a pattern that has a name of its own."""
    return sum(fact.kind != "once" for fact in reason) > 2


SHAPES = (
    Shape("remote pair", 55, _remote_pair, _is_chain),
    Shape("simple colouring", 80, _simple, _is_chain, within=one_symbol),
    Shape("X-chain", 81, _x_chain, _is_chain, within=one_symbol),
    Shape("XY-chain", 82, _xy_chain, _is_chain),
)
