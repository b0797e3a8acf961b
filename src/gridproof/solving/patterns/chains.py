"""Chains of cells with two symbols and houses with two places: wings, remote pairs, colouring and longer chains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations

from gridproof.solving.patterns import Pattern
from gridproof.solving.step import Fact, Goal, Position


def _pairs(position: Position, goal: Goal, cells: Iterable[int]) -> list[int]:
    """Return those of some cells that have two symbols left, unless the goal is to be filled or among them."""
    return [c for c in cells if c != goal.cell and position.candidates[c].bit_count() == 2 and not goal.placed]


def _ends(position: Position, goal: Goal) -> Iterator[tuple[int, int]]:
    """Yield two cells at a time that the goal sees, and that have its symbol and one more."""
    pairs = _pairs(position, goal, position.board.geometry.peers[goal.cell])
    return combinations([cell for cell in pairs if position.candidates[cell] >> (goal.symbol - 1) & 1], 2)


def _with_pivot(size: int, position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer two pairs and a pivot of so many symbols, which both see: without the goal's symbol, or with it."""
    peers, masks, bit = position.board.geometry.peers, position.candidates, 1 << (goal.symbol - 1)
    for one, other in _ends(position, goal):
        symbols = masks[one] | masks[other]
        for pivot in peers[one] if masks[one] != masks[other] else ():
            sees = pivot in peers[other] and (size == 2 or pivot in peers[goal.cell])
            if sees and masks[pivot] == (symbols if size == 3 else symbols & ~bit):
                yield [Fact("cell", cell) for cell in (one, other, pivot)]


def _w_wing(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer two equal pairs, and a house in which each of the two places of their other symbol is seen by one."""
    peers, masks = position.board.geometry.peers, position.candidates
    for one, other in _ends(position, goal):
        symbol = (masks[one] & ~(1 << (goal.symbol - 1))).bit_length()
        for house, (a, b) in _twice(position, symbol).items() if masks[one] == masks[other] else ():
            if (a in peers[one] and b in peers[other]) or (b in peers[one] and a in peers[other]):
                yield [Fact("cell", one), Fact("cell", other), Fact("place", house, symbol)]


def _remote_pair(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer all cells of each pair of symbols of which one is that of the goal."""
    masks, pairs = position.candidates, _pairs(position, goal, range(len(position.candidates)))
    for mask in {masks[cell] for cell in pairs if masks[cell] >> (goal.symbol - 1) & 1}:
        yield [Fact("cell", cell) for cell in pairs if masks[cell] == mask]


def _xy_chain(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer all cells with two symbols."""
    yield [Fact("cell", cell) for cell in _pairs(position, goal, range(len(position.candidates)))]


def _twice(position: Position, symbol: int) -> dict[int, list[int]]:
    """Return the places of a symbol in each house that has two."""
    places = {house: position.places(house, symbol) for house in range(len(position.board.geometry.houses))}
    return {house: cells for house, cells in places.items() if len(cells) == 2}


def _x_chain(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer all houses with two places."""
    yield [Fact("place", house, goal.symbol) for house in _twice(position, goal.symbol)]


def _colouring(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer each net of houses with two places, as far as they have places in common."""
    rest = _twice(position, goal.symbol)
    while rest:
        house, places = rest.popitem()
        net, houses = {*places}, [house]
        while touching := [other for other, cells in rest.items() if not net.isdisjoint(cells)]:
            net.update(*(rest.pop(other) for other in touching))
            houses += touching
        yield [Fact("place", house, goal.symbol) for house in houses]


def _is_chain(position: Position, reason: Sequence[Fact]) -> bool:
    """Return whether a reason is longer than a pattern that has a name of its own."""
    return sum(fact.kind != "once" for fact in reason) > 2


PATTERNS = (
    Pattern("remote pair", 55, _remote_pair, _is_chain),
    Pattern("W-wing", 65, _w_wing),
    Pattern("XY-wing", 66, partial(_with_pivot, 2)),
    Pattern("XYZ-wing", 67, partial(_with_pivot, 3)),
    Pattern("simple colouring", 80, _colouring, _is_chain, one_symbol=True),
    Pattern("X-chain", 81, _x_chain, _is_chain, one_symbol=True),
    Pattern("XY-chain", 82, _xy_chain, _is_chain),
)
