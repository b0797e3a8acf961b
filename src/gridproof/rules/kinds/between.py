"""Between lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line, Shape
from gridproof.rules.families import OnLines
from gridproof.rules.primitives import Cells, Primitive, Tuples


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

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        symbols = range(1, geometry.order + 1)
        inside = frozenset(v for v in product(symbols, repeat=3) if min(v[0], v[2]) < v[1] < max(v[0], v[2]))
        return [Tuples((line[0], cell, line[-1]), inside) for cell in line[1:-1]]

    def fits(self, digits: Sequence[int], line: Cells, geometry: Geometry) -> bool:
        low, high = sorted((digits[0], digits[-1]))
        return all(low < digit < high for digit in digits[1:-1])
