"""Locked candidates: all places of a symbol in one house lie in another, so it goes from the rest of that one.

*Pointing* is from a box or region to a line, *claiming* from a line to a box or region.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gridproof.explanations.steps.shapes import Shape
from gridproof.explanations.steps.step import Fact, Goal, Position


def _locked(from_line: bool) -> Callable[[Position, Goal], Iterator[Sequence[Fact]]]:
    def offers(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
        geometry = position.board.geometry
        for there in () if goal.placed else geometry.houses_of[goal.cell]:
            for here, house in enumerate(geometry.houses):
                places = position.places(here, goal.symbol)
                is_line = house.kind in ("row", "column")
                if is_line == from_line and goal.cell not in places and {*places} <= {*geometry.houses[there].cells}:
                    yield [Fact("place", here, goal.symbol), Fact("once", there)]

    return offers


SHAPES = (
    Shape("pointing", 10, _locked(from_line=False), twins=("locked pair", "locked triple")),
    Shape("claiming", 11, _locked(from_line=True), twins=("locked pair", "locked triple")),
)
