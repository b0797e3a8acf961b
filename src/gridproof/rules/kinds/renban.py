"""Renban lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line
from gridproof.rules.families import OnLines
from gridproof.rules.primitives import AnyOf, Cells, Count, Different, Domain, Primitive, Relation, Sum
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
        "iss": {"type": "Renban", "cells": "lines", "once": True},
    }

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        cells = tuple(dict.fromkeys(line))
        size = len(cells)
        windows = [tuple(range(low, low + size)) for low in range(1, geometry.order - size + 2)]
        yield Different(cells)
        # that each symbol of a window stands somewhere follows from the rest; saying it halves the search
        yield AnyOf(
            tuple(
                (*(Domain(cell, window) for cell in cells), *(Count(cells, (s,), 1, size) for s in window))
                for window in windows
            )
        )

    def fits(self, digits: Sequence[int], line: Cells, geometry: Geometry) -> bool:
        held = sorted(dict(zip(line, digits, strict=True)).values())
        return held == list(range(held[0], held[0] + len(held)))

    def line_implies(self, line: Cells, geometry: Geometry) -> Iterable[Relation | Sum]:
        cells = tuple(dict.fromkeys(line))
        yield unequal(cells, geometry)
        yield Relation.of(tuple(combinations(cells, 2)), geometry.order, lambda a, b: abs(a - b) < len(cells))
