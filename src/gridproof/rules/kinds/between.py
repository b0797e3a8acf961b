"""Between lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line, Shape
from gridproof.rules.families import OnLines
from gridproof.rules.primitives import Primitive, Tuples


class Between(OnLines):
    """Every digit on the line lies strictly between the digits at its two ends.

    A line of fewer than three cells says nothing.
    """

    kind = "between"
    words = "the digits inside {lines} lie strictly between those at its ends"
    mark = Line((), "grey", "thin")
    ends = Shape((), "circle", filled=True, colour="grey")
    example = "between r1c1 r1c2 r1c3"
    aliases = ("between-line",)
    formats = {
        "f-puzzles": {"key": "betweenline", "lines": "lines"},
        "iss": {"type": "Between", "cells": "lines"},
    }

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        symbols = range(1, geometry.order + 1)
        inside = frozenset(v for v in product(symbols, repeat=3) if min(v[0], v[2]) < v[1] < max(v[0], v[2]))
        for line in self.lines:
            for cell in line[1:-1]:
                yield Tuples((line[0], cell, line[-1]), inside)

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        for line in self.lines:
            low, high = sorted((grid[line[0]], grid[line[-1]]))
            if not all(low < grid[cell] < high for cell in line[1:-1]):
                return False
        return True
