"""Box indexers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Mark, Shape
from gridproof.rules.primitives import NEVER, Cells, Equivalent, Primitive
from gridproof.rules.rule import Rule, parameter


@dataclass(frozen=True, kw_only=True)
class BoxIndexer(Rule):
    """A cell at place i of its box with the digit v says that i stands at place v of that box.

    Places are counted in reading order.

    On a board without boxes or regions the rule has no meaning, and no grid fulfils it.
    """

    cells: Cells = parameter("cells", "the indexing cells")

    kind: ClassVar[str] = "box-indexer"
    words: ClassVar[str] = "each of {cells} says at which place of its box its own place number stands"
    example: ClassVar[str] = "box-indexer r1c1"
    formats: ClassVar[Mapping[str, Any]] = {"f-puzzles": {"key": "boxindexer", "cells": "cells"}}

    def impossible(self, geometry: Geometry) -> str | None:
        return "the board has no regions" if geometry.region_of is None else None

    def scope(self, geometry: Geometry) -> frozenset[int]:
        regions = geometry.region_of or range(geometry.cell_count)
        return frozenset(o for cell in self.cells for o, region in enumerate(regions) if region == regions[cell])

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        if geometry.region_of is None:
            yield NEVER
            return
        for cell in self.cells:
            box = [other for other, region in enumerate(geometry.region_of) if region == geometry.region_of[cell]]
            for v, other in enumerate(box, 1):
                yield Equivalent((cell, v), (other, box.index(cell) + 1))

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        if geometry.region_of is None:
            return False
        for cell in self.cells:
            box = [other for other in range(len(grid)) if geometry.region_of[other] == geometry.region_of[cell]]
            if grid[box[grid[cell] - 1]] != box.index(cell) + 1:
                return False
        return True

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        return [Shape((cell,), "shade", filled=True, colour="purple") for cell in self.cells]
