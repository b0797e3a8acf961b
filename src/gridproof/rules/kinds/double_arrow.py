"""Double arrows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line, Shape
from gridproof.rules.families import OnLines
from gridproof.rules.primitives import Primitive, Relation, Sum
from gridproof.rules.rule import differ


class DoubleArrow(OnLines):
    """The digits inside the line add up to the sum of the digits at its two ends.

    A line of fewer than three cells says nothing.
    """

    kind = "double-arrow"
    words = "the digits inside {lines} add up to those at its ends"
    mark = Line((), "grey", "thin")
    ends = Shape((), "circle")
    example = "double-arrow r1c1 r1c2 r1c3 r1c4"
    formats = {
        "f-puzzles": {"key": "doublearrow", "lines": "lines"},
        "iss": {"type": "DoubleArrow", "cells": "lines"},
    }

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        for line in self.lines:
            if len(line) > 2:
                distinct = differ(line[1:-1], geometry) and differ((line[0], line[-1]), geometry)
                yield Sum(line, (-1, *(1,) * (len(line) - 2), -1), 0, distinct)

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        return all(
            len(line) < 3 or grid[line[0]] + grid[line[-1]] == sum(grid[cell] for cell in line[1:-1])
            for line in self.lines
        )

    def follows(self, geometry: Geometry) -> Iterable[Relation | Sum]:
        for line in self.lines:
            if len(line) > 2:
                yield Sum(line, (1, *[-1] * (len(line) - 2), 1), 0)
