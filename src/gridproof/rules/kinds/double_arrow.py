"""Double arrows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line, Mark, Shape
from gridproof.rules.primitives import Cells, Primitive, Relation, Sum
from gridproof.rules.rule import Rule, differ, parameter


@dataclass(frozen=True, kw_only=True)
class DoubleArrow(Rule):
    """The digits inside the line add up to the sum of the digits at its two ends.

    A line of fewer than three cells says nothing.
    """

    lines: tuple[Cells, ...] = parameter("lines", "each line with its ends")

    kind: ClassVar[str] = "double-arrow"
    words: ClassVar[str] = "the digits inside {lines} add up to those at its ends"
    example: ClassVar[str] = "double-arrow r1c1 r1c2 r1c3 r1c4"
    formats: ClassVar[Mapping[str, Any]] = {
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

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        for line in self.lines:
            yield Line(line, "grey", "thin")
            yield Shape((line[0],), "circle")
            yield Shape((line[-1],), "circle")
