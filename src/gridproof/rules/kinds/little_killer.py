"""Little killer clues."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.bounds import sum_may_be
from gridproof.rules.drawing import Mark, Outside
from gridproof.rules.primitives import Cells, Primitive, Relation, Sum
from gridproof.rules.rule import Rule, differ, parameter


@dataclass(frozen=True, kw_only=True)
class LittleKiller(Rule):
    """The digits along a diagonal add up to the clue outside the grid. They may repeat where no house forbids it."""

    total: int = parameter("number", "the sum")
    cells: Cells = parameter("cells", "the cells in the order in which the clue sees them")

    kind: ClassVar[str] = "little-killer"
    words: ClassVar[str] = "the diagonal {cells} sums to {total}"
    example: ClassVar[str] = "little-killer 10 r1c2-r2c1"
    formats: ClassVar[Mapping[str, Any]] = {
        "f-puzzles": {"key": "littlekillersum", "cells": "sight", "slanted": True, "total": "value"},
        "iss": {"type": "LittleKiller", "clue": "total"},
    }

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        yield Sum(self.cells, (1,) * len(self.cells), self.total, differ(self.cells, geometry))

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        return sum(grid[cell] for cell in self.cells) == self.total

    def may_hold(self, candidates: Sequence[int], geometry: Geometry) -> bool:
        return sum_may_be(candidates, self.cells, self.total) and super().may_hold(candidates, geometry)

    def follows(self, geometry: Geometry) -> Iterable[Relation | Sum]:
        yield Sum(self.cells, (1,) * len(self.cells), self.total)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Outside(self.cells, str(self.total), slanted=True)
