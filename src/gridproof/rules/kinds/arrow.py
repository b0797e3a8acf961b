"""Arrows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.errors import InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line, Mark, Shape
from gridproof.rules.primitives import Cells, Domain, Primitive, Relation, Sum
from gridproof.rules.rule import Rule, differ, parameter


class Arrow(Rule):
    """The digits on each shaft of an arrow add up to the number in its circle.

    Digits may repeat on a shaft where no house forbids it. A pill (a circle of several cells) is read in reading order
    as one decimal number; above order 9 only its first digit may exceed 9 (as in the Interactive Sudoku Solver).
    """

    circle: Cells = parameter("cells", "the circle, or the cells of a pill", once=True)
    shafts: tuple[Cells, ...] = parameter("lines", "the cells of each shaft, without the circle")

    kind = "arrow"
    words = "the digits along {shafts} add up to the number in {circle}"
    example = "arrow r1c1 / r1c2 r1c3"
    formats = {"f-puzzles": {"key": "arrow", "circle": "cells", "shafts": "lines", "drop first": True}}

    def __post_init__(self) -> None:
        if not self.circle:
            raise InputError("an arrow without a circle; expected the cell that holds the sum")

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        pill = tuple(sorted(self.circle))
        weights = tuple(-(10 ** (len(pill) - 1 - place)) for place in range(len(pill)))
        for cell in pill[1:]:
            if geometry.order > 9:
                yield Domain(cell, tuple(range(1, 10)))
        for shaft in self.shafts:
            yield Sum((*shaft, *pill), (1,) * len(shaft) + weights, 0, differ(shaft, geometry))

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        digits = [grid[cell] for cell in sorted(self.circle)]
        if any(digit > 9 for digit in digits[1:]):
            return False
        number = int("".join(map(str, digits)))
        return all(sum(grid[cell] for cell in shaft) == number for shaft in self.shafts)

    def follows(self, geometry: Geometry) -> Iterable[Relation | Sum]:
        places = [10**place for place in reversed(range(len(self.circle)))]
        for shaft in self.shafts:
            yield Sum((*sorted(self.circle), *shaft), (*places, *[-1] * len(shaft)), 0)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Shape(self.circle, "circle" if len(self.circle) == 1 else "pill")
        for shaft in self.shafts:
            yield Line((self.circle[-1], *shaft), "grey", "thin", arrow=True)
