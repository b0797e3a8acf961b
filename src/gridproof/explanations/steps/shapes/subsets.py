"""Naked and hidden subsets: as many symbols as cells in a house, seen from the cells or from the symbols.

What is naked in some cells of a house is hidden in the other open ones, so each subset has a *twin*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations

from gridproof.explanations.steps.shapes import Shape, union
from gridproof.explanations.steps.step import Fact, Goal, Position

SIZES = {2: "pair", 3: "triple", 4: "quad"}


def _naked(size: int, position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer cells of a house of the goal that have as many symbols as they are, among them that of the goal."""
    for house in _houses(position, goal):
        left = {cell: position.candidates[cell] for cell in _open(position, house) if cell != goal.cell}
        for cells in _tight(left, size, goal.symbol - 1):
            yield [Fact("once", house), *(Fact("cell", cell) for cell in cells)]


def _hidden(size: int, position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer other symbols that have as many places in a house as they are, among them the cell of the goal."""
    for house in _houses(position, goal):
        left = {s: union(1 << cell for cell in position.places(house, s)) for s in _unplaced(position, house)}
        left.pop(goal.symbol, None)
        for symbols in _tight(left, size, goal.cell):
            yield [Fact("place", house, symbol) for symbol in symbols]


def _tight(left: dict[int, int], size: int, needed: int) -> Iterator[tuple[int, ...]]:
    """Yield the keys of as many sets as their union has members, if the needed one is among these."""
    for keys in combinations([key for key, mask in left.items() if 1 < mask.bit_count() <= size], size):
        mask = union(left[key] for key in keys)
        if mask.bit_count() == size and mask >> needed & 1:
            yield keys


def _houses(position: Position, goal: Goal) -> Sequence[int]:
    """Return the houses of the cell of a goal, boxes first, as people look; none if it is to be filled."""
    return () if goal.placed else position.board.geometry.houses_of[goal.cell][::-1]


def _open(position: Position, house: int) -> list[int]:
    return [cell for cell in position.board.geometry.houses[house].cells if not position.entries[cell]]


def _unplaced(position: Position, house: int) -> list[int]:
    placed = {position.entries[cell] for cell in position.board.geometry.houses[house].cells}
    return [symbol for symbol in range(1, position.board.geometry.order + 1) if symbol not in placed]


def _locked(size: int, position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer naked subsets of two houses that take something from both."""
    geometry, masks = position.board.geometry, position.candidates
    for offer in _naked(size, position, goal):
        cells = [fact.number for fact in offer if fact.kind == "cell"]
        mask, houses = (
            union(masks[cell] for cell in cells),
            set.intersection(*({*geometry.houses_of[c]} for c in cells)),
        )
        rest = [[masks[cell] & mask for cell in geometry.houses[house].cells if cell not in cells] for house in houses]
        if len(rest) > 1 and all(map(any, rest)):
            yield offer


SHAPES = (
    *(
        Shape(f"locked {SIZES[size]}", 10 + size, partial(_locked, size), twins=(f"naked {SIZES[size]}",))
        for size in (2, 3)
    ),
    *(
        Shape(
            f"{kind} {SIZES[size]}",
            10 * size + n,
            partial(offers, size),
            twins=tuple(f"{other} {s}" for s in SIZES.values()),
        )
        for size in SIZES
        for n, (kind, offers, other) in enumerate([("naked", _naked, "hidden"), ("hidden", _hidden, "naked")])
    ),
)
