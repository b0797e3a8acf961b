"""Zipper lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line
from gridproof.rules.families import OnLines
from gridproof.rules.primitives import Cells, Primitive, Relation, Sum
from gridproof.rules.rule import differ


class Zipper(OnLines):
    """Two cells at the same distance from the middle of a zipper line have the same sum everywhere.

    On a line of an odd number of cells that sum is the digit in the middle.
    """

    kind = "zipper"
    words = "mirrored cells of the zipper line {lines} have the same sum"
    mark = Line((), "purple")
    example = "zipper r1c1 r1c2 r1c3"
    aliases = ("zipper-line",)
    formats = {
        "f-puzzles": {"key": "zipperline", "lines": "lines"},
        "iss": {"type": "Zipper", "cells": "lines"},
    }

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        pairs = [(line[k], line[-1 - k]) for k in range(len(line) // 2)]
        if len(line) % 2:
            for pair in pairs:
                yield Sum((*pair, line[len(line) // 2]), (1, 1, -1), 0, differ(pair, geometry))
        else:
            for pair in pairs[1:]:
                distinct = differ(pairs[0], geometry) and differ(pair, geometry)
                yield Sum((*pairs[0], *pair), (1, 1, -1, -1), 0, distinct)

    def fits(self, digits: Sequence[int], line: Cells, geometry: Geometry) -> bool:
        half = len(digits) // 2
        sums = {one + other for one, other in zip(digits[:half], digits[::-1][:half], strict=True)}
        if len(digits) % 2 and half:
            sums.add(digits[half])
        return len(sums) <= 1

    def line_implies(self, line: Cells, geometry: Geometry) -> Iterable[Relation | Sum]:
        half = len(line) // 2
        for one, other in zip(line[1:half], line[::-1][1:], strict=False):
            yield Sum((line[0], line[-1], one, other), (1, 1, -1, -1), 0)
        if half and len(line) % 2:
            yield Sum((line[0], line[-1], line[half]), (1, 1, -1), 0)
