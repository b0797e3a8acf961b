"""Sum lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line
from gridproof.rules.families import OnLines
from gridproof.rules.primitives import Automaton, Cells, Primitive
from gridproof.rules.rule import parameter


class SumLine(OnLines):
    """The line can be cut into runs of neighbours that each add up to the sum: 10, unless it is stated.

    Each cell of the line belongs to exactly one run.
    """

    total: int = parameter("number", "the sum of each run", 10)

    kind = "sum-line"
    words = "{lines} can be cut into runs that each sum to {total}"
    mark = Line((), "orange")
    example = "sum-line r1c1 r1c2 r1c3"
    aliases = ("ten-line",)
    formats = {"iss": {"type": "SumLine", "args": ["total"], "cells": "lines"}}

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        def step(so_far: int, symbol: int) -> int | None:
            after = so_far + symbol
            return None if after > self.total else after % self.total

        yield Automaton.of(line, geometry.order, 0, step, lambda so_far: so_far == 0)

    def fits(self, digits: Sequence[int], line: Cells, geometry: Geometry) -> bool:
        run = 0
        for digit in digits:
            run += digit
            if run > self.total:
                return False
            if run == self.total:
                run = 0
        return not run
