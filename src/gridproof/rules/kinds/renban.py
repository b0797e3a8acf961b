"""Renban lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import combinations

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line
from gridproof.rules.families import OnLines
from gridproof.rules.primitives import AnyOf, Count, Different, Domain, Primitive, Relation, Sum
from gridproof.rules.rule import unequal


class Renban(OnLines):
    """The digits of a renban line are consecutive numbers in any order, none of them twice.

    A line that ends where it began has that cell once.
    """

    kind = "renban"
    words = "the digits of the renban line {lines} are consecutive, in any order"
    mark = Line((), "purple", "thick")
    example = "renban r1c1 r1c2 r2c2"
    formats = {
        "f-puzzles": {"key": "renban", "lines": "lines"},
        "iss": {"type": "Renban", "cells": "lines"},
    }

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        for line in self.lines:
            cells = tuple(dict.fromkeys(line))
            size = len(cells)
            yield Different(cells)
            windows = [tuple(range(low, low + size)) for low in range(1, geometry.order - size + 2)]
            # that each symbol of a window stands somewhere follows from the rest; saying it halves the search
            yield AnyOf(
                tuple(
                    (*(Domain(cell, window) for cell in cells), *(Count(cells, (s,), 1, size) for s in window))
                    for window in windows
                )
            )

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        for line in self.lines:
            digits = sorted(grid[cell] for cell in set(line))
            if digits != list(range(digits[0], digits[0] + len(digits))):
                return False
        return True

    def follows(self, geometry: Geometry) -> Iterable[Relation | Sum]:
        for line in self.lines:
            cells = tuple(dict.fromkeys(line))
            yield unequal(cells, geometry)
            pairs = tuple(combinations(cells, 2))
            yield Relation.of(pairs, geometry.order, partial(_nearer, len(cells)))


def _nearer(size: int, a: int, b: int) -> bool:
    return abs(a - b) < size
