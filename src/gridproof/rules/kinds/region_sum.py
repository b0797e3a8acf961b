"""Region sum lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line
from gridproof.rules.families import OnLines
from gridproof.rules.primitives import NEVER, Cells, Primitive, Relation, Sum
from gridproof.rules.rule import differ


class RegionSum(OnLines):
    """Each part of the line that lies in one region has the same sum.

    A line that comes back to a region begins a new part, as in dclamage's and the Interactive Sudoku Solver. On a board
    without boxes or regions the rule has no meaning, and no grid fulfils it.
    """

    kind = "region-sum"
    words = "the parts of the line {lines} have the same sum, cut where it leaves a region"
    mark = Line((), "blue", "thick")
    example = "region-sum r1c3 r1c4 r1c5"
    aliases = ("region-sum-line",)
    formats = {
        "f-puzzles": {"key": "regionsumline", "lines": "lines"},
        "iss": {"type": "RegionSumLine", "cells": "lines", "regions": "any"},
    }

    def impossible(self, geometry: Geometry) -> str | None:
        return "the board has no regions" if geometry.region_of is None else super().impossible(geometry)

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        region_of = geometry.region_of
        if region_of is None:
            yield NEVER
            return
        first, *rest = [tuple(part) for _, part in groupby(line, key=region_of.__getitem__)]
        for part in rest:
            distinct = differ(first, geometry) and differ(part, geometry)
            yield Sum((*first, *part), (1,) * len(first) + (-1,) * len(part), 0, distinct)

    def fits(self, digits: Sequence[int], line: Cells, geometry: Geometry) -> bool:
        if geometry.region_of is None:
            return False
        sums = [0]
        for place, digit in enumerate(digits):
            if place and geometry.region_of[line[place]] != geometry.region_of[line[place - 1]]:
                sums.append(0)
            sums[-1] += digit
        return len(set(sums)) == 1

    def line_implies(self, line: Cells, geometry: Geometry) -> Iterable[Relation | Sum]:
        if region_of := geometry.region_of:
            cuts = [place for place in range(1, len(line)) if region_of[line[place]] != region_of[line[place - 1]]]
            parts = [line[start:end] for start, end in pairwise([0, *cuts, len(line)])]
            for one, other in pairwise(parts):
                yield Sum((*one, *other), (*[1] * len(one), *[-1] * len(other)), 0)
