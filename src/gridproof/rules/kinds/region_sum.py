"""Region sum lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, ClassVar

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line, Mark
from gridproof.rules.primitives import NEVER, Cells, Primitive, Relation, Sum
from gridproof.rules.rule import Rule, differ, parameter


@dataclass(frozen=True, kw_only=True)
class RegionSum(Rule):
    """Each part of the line that lies in one region has the same sum.

    A line that comes back to a region begins a new part, as in dclamage's and the Interactive Sudoku Solver. On a board
    without boxes or regions the rule has no meaning, and no grid fulfils it.
    """

    lines: tuple[Cells, ...] = parameter("lines", "each line of cells")

    kind: ClassVar[str] = "region-sum"
    words: ClassVar[str] = "the parts of {lines} in each region have the same sum"
    example: ClassVar[str] = "region-sum r1c3 r1c4 r1c5"
    aliases: ClassVar[tuple[str, ...]] = ("region-sum-line",)
    formats: ClassVar[Mapping[str, Any]] = {
        "f-puzzles": {"key": "regionsumline", "lines": "lines"},
        "iss": {"type": "RegionSumLine", "cells": "lines"},
    }

    def impossible(self, geometry: Geometry) -> str | None:
        return "the board has no regions" if geometry.region_of is None else super().impossible(geometry)

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        region_of = geometry.region_of
        if region_of is None:
            yield NEVER
            return
        for line in self.lines:
            first, *others = [tuple(part) for _, part in groupby(line, key=lambda cell: region_of[cell])]
            for part in others:
                distinct = differ(first, geometry) and differ(part, geometry)
                yield Sum((*first, *part), (1,) * len(first) + (-1,) * len(part), 0, distinct)

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        if geometry.region_of is None:
            return False
        for line in self.lines:
            sums = [0]
            for place, cell in enumerate(line):
                if place and geometry.region_of[cell] != geometry.region_of[line[place - 1]]:
                    sums.append(0)
                sums[-1] += grid[cell]
            if len(set(sums)) > 1:
                return False
        return True

    def follows(self, geometry: Geometry) -> Iterable[Relation | Sum]:
        region_of = geometry.region_of or ()
        for line in self.lines if region_of else ():
            parts: list[list[int]] = [[]]
            for cell in line:
                if parts[-1] and region_of[cell] != region_of[parts[-1][-1]]:
                    parts.append([])
                parts[-1].append(cell)
            for one, other in pairwise(parts):
                yield Sum((*one, *other), (*[1] * len(one), *[-1] * len(other)), 0)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        return [Line(line, "blue", "thick") for line in self.lines]
