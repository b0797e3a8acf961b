"""Counting circles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Mark, Shape
from gridproof.rules.primitives import AnyOf, Cells, Count, Primitive
from gridproof.rules.rule import Rule, parameter


class CountingCircles(Rule):
    """A digit in a circle says how many circles hold that digit. State all circles of a board in one rule."""

    cells: Cells = parameter("cells", "all cells with a circle", once=True)

    kind = "counting-circles"
    words = "each digit in the circles {cells} stands in as many of them as it says"
    example = "counting-circles r1c1 r2c2"
    formats = {"iss": {"type": "CountingCircles", "cells": "cells"}}

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        for digit in range(1, geometry.order + 1):
            none = Count(self.cells, (digit,), 0, 0)
            yield AnyOf(((none,), (Count(self.cells, (digit,), digit, digit),)))

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        digits = [grid[cell] for cell in self.cells]
        return all(digits.count(digit) == digit for digit in digits)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        return [Shape((cell,), "circle") for cell in self.cells]
