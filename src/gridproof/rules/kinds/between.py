"""Between lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line, Mark, Shape
from gridproof.rules.primitives import Cells, Primitive, Tuples
from gridproof.rules.rule import Rule, parameter


@dataclass(frozen=True, kw_only=True)
class Between(Rule):
    """Every digit on the line lies strictly between the digits at its two ends.

    A line of fewer than three cells says nothing.
    """

    lines: tuple[Cells, ...] = parameter("lines", "each line with its ends")

    kind: ClassVar[str] = "between"
    words: ClassVar[str] = "the digits inside {lines} lie strictly between those at its ends"
    example: ClassVar[str] = "between r1c1 r1c2 r1c3"
    aliases: ClassVar[tuple[str, ...]] = ("between-line",)
    formats: ClassVar[Mapping[str, Any]] = {
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

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        for line in self.lines:
            yield Line(line, "grey", "thin")
            yield Shape((line[0],), "circle", filled=True, colour="grey")
            yield Shape((line[-1],), "circle", filled=True, colour="grey")
