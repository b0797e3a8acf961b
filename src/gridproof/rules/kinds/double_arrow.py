"""Double arrows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line, Shape
from gridproof.rules.families import OnLines
from gridproof.rules.primitives import Cells, Primitive, Relation, Sum
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

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        if len(line) > 2:
            distinct = differ(line[1:-1], geometry) and differ((line[0], line[-1]), geometry)
            yield Sum(line, (-1, *(1,) * (len(line) - 2), -1), 0, distinct)

    def fits(self, digits: Sequence[int], line: Cells, geometry: Geometry) -> bool:
        return len(digits) < 3 or digits[0] + digits[-1] == sum(digits[1:-1])

    def line_implies(self, line: Cells, geometry: Geometry) -> Iterable[Relation | Sum]:
        if len(line) > 2:
            yield Sum(line, (1, *[-1] * (len(line) - 2), 1), 0)
