"""Full house, hidden single and naked single: one place for a symbol, or one symbol for a cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gridproof.explanations.steps.shapes import Shape
from gridproof.explanations.steps.step import Fact, Goal, Position


def _places(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer each house of the cell as the one in which the symbol has no other place; boxes first, as people look."""
    if goal.placed:
        for house in reversed(position.board.geometry.houses_of[goal.cell]):
            yield [Fact("place", house, goal.symbol)]


def _is_full_house(position: Position, goal: Goal, reason: Sequence[Fact]) -> bool:
    cells = position.board.geometry.houses[reason[0].number].cells
    return sum(not position.entries[cell] for cell in cells) == 1


def _cell(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    if goal.placed:
        yield [Fact("cell", goal.cell)]


SHAPES = (
    Shape("full house", 0, _places, _is_full_house),
    Shape("hidden single", 1, _places, twins=("naked single",)),
    Shape("naked single", 2, _cell),
)
