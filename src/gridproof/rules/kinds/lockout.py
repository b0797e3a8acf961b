"""Lockout lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line, Shape
from gridproof.rules.families import OnLines
from gridproof.rules.primitives import Cells, Primitive, Relation, Tuples
from gridproof.rules.rule import parameter


class Lockout(OnLines):
    """The ends of a lockout line differ by at least 4, and no digit on it lies between them or equals one of them.

    On a board of order n the least difference is (n + 1) / 2 - 1, rounded down, unless it is stated.
    """

    difference: int | None = parameter("number", "the least difference of the ends", None)

    kind = "lockout"
    words = "the digits inside {lines} lie outside the range of its ends, which differ by at least {difference}"
    mark = Line((), "blue", "thin")
    ends = Shape((), "diamond", colour="blue")
    example = "lockout r1c1 r1c2 r1c3"
    aliases = ("lockout-line",)
    formats = {
        "f-puzzles": {"key": "lockout", "lines": "lines", "difference": "value"},
        "iss": {"type": "Lockout", "args": ["difference"], "cells": "lines"},
    }

    def least(self, geometry: Geometry) -> int:
        """Return the least difference of the ends."""
        return (geometry.order + 1) // 2 - 1 if self.difference is None else self.difference

    def texts(self, geometry: Geometry) -> dict[str, str]:
        return super().texts(geometry) | {"difference": str(self.least(geometry))}

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        symbols, least = range(1, geometry.order + 1), self.least(geometry)
        outside = frozenset(v for v in product(symbols, repeat=3) if not min(v[0], v[2]) <= v[1] <= max(v[0], v[2]))
        yield Relation.of(((line[0], line[-1]),), geometry.order, lambda a, b: abs(a - b) >= least)
        for cell in line[1:-1]:
            yield Tuples((line[0], cell, line[-1]), outside)

    def fits(self, digits: Sequence[int], line: Cells, geometry: Geometry) -> bool:
        low, high = sorted((digits[0], digits[-1]))
        return high - low >= self.least(geometry) and not any(low <= digit <= high for digit in digits[1:-1])
