"""Numbered rooms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.families import OutsideClue
from gridproof.rules.primitives import Domain, Primitive, Relation
from gridproof.rules.rule import parameter


class NumberedRoom(OutsideClue):
    """The first digit says in which cell, counted along the row or column, the clue outside the grid stands."""

    symbol: int = parameter("number", "the digit that is found there")

    kind = "numbered-room"
    frame = "diamond"
    words = "{sight}, the first digit says where {symbol} stands"
    example = "numbered-room 2 row1"
    formats = {"iss": {"type": "NumberedRoom", "clue": "symbol", "ends": True}}

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        first = self.cells[0]
        for place, cell in enumerate(self.cells, 1):
            if cell == first:
                if self.symbol != 1:
                    yield Domain(first, tuple(range(2, geometry.order + 1)))
                continue
            yield Relation.of(((first, cell),), geometry.order, partial(self._fits, place))
        yield Domain(first, tuple(range(1, len(self.cells) + 1)))

    def _fits(self, place: int, a: int, b: int) -> bool:
        return a != place or b == self.symbol

    def agrees(self, digits: Sequence[int], geometry: Geometry) -> bool:
        return digits[0] <= len(digits) and digits[digits[0] - 1] == self.symbol
