"""X-sum clues."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.families import OutsideClue
from gridproof.rules.primitives import Automaton, Primitive
from gridproof.rules.rule import parameter


class XSum(OutsideClue):
    """The first digit says how many digits, itself included, add up to the clue outside the grid."""

    total: int = parameter("number", "the sum")

    kind = "x-sum"
    frame = "circle"
    words = "{sight}, as many digits as the first one says sum to {total}"
    example = "x-sum 1 row1"
    aliases = ("xsum",)
    formats = {
        "f-puzzles": {"key": "xsum", "cells": "sight", "total": "value"},
        "iss": {"type": "XSum", "clue": "total", "ends": True, "least": 1},
    }

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        def step(state: tuple[int, int], symbol: int) -> tuple[int, int] | None:
            cells, missing = state
            if cells < 0:
                cells = symbol
            if not cells:
                return state
            cells, missing = cells - 1, missing - symbol
            return (cells, missing) if missing >= cells and (cells or not missing) else None

        yield Automaton.of(self.cells, geometry.order, (-1, self.total), step, lambda state: state == (0, 0))

    def agrees(self, digits: Sequence[int], geometry: Geometry) -> bool:
        return digits[0] <= len(digits) and sum(digits[: digits[0]]) == self.total
