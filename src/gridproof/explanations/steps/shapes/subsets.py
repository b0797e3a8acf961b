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


def _naked(size: int, position: Position, goal: Goal, only: int | None = None) -> Iterator[Sequence[Fact]]:
    """Offer cells of a house of the goal that have as many symbols as they are, among them that of the goal."""
    for house in _houses(position, goal) if only is None else [only]:
        left = {cell: position.candidates[cell] for cell in _open(position, house) if cell != goal.cell}
        for cells in _tight(left, size, goal.symbol - 1):
            yield [Fact("once", house), *(Fact("cell", cell) for cell in cells)]


def _hidden(size: int, position: Position, goal: Goal, only: int | None = None) -> Iterator[Sequence[Fact]]:
    """Offer other symbols that have as many places in a house as they are, among them the cell of the goal."""
    for house in _houses(position, goal) if only is None else [only]:
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


def _other_side(position: Position, goal: Goal, reason: Sequence[Fact]) -> Iterator[tuple[str, Sequence[Fact]]]:
    """Return the subsets of the other sort in the same house."""
    naked = any(fact.kind == "once" for fact in reason)
    house = next(fact.number for fact in reason if fact.kind != "cell")
    for size in (2, 3, 4):
        for offer in (_hidden if naked else _naked)(size, position, goal, house):
            yield f"{'hidden' if naked else 'naked'} {SIZES[size]}", offer


def _locked(size: int, position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer naked subsets that are one in a second house, too."""
    for offer in _naked(size, position, goal):
        houses = [{*position.board.geometry.houses_of[fact.number]} for fact in offer if fact.kind == "cell"]
        if len(set.intersection(*houses)) > 1:
            yield offer


def _as_naked(position: Position, goal: Goal, reason: Sequence[Fact]) -> Iterator[tuple[str, Sequence[Fact]]]:
    yield f"naked {SIZES[len(reason) - 1]}", reason


def _has(facts: int, position: Position, goal: Goal, reason: Sequence[Fact]) -> bool:
    """Return whether all facts of an offer are needed: else it is a smaller subset."""
    return len(reason) == facts


SHAPES = (
    *(
        Shape(f"locked {SIZES[size]}", 6 + size, partial(_locked, size), partial(_has, size + 1), _as_naked)
        for size in (2, 3)
    ),
    *(
        Shape(f"{kind} {SIZES[size]}", 10 * size + n, partial(offers, size), partial(_has, size + 1 - n), _other_side)
        for size in (2, 3, 4)
        for n, (kind, offers) in enumerate([("naked", _naked), ("hidden", _hidden)])
    ),
)
