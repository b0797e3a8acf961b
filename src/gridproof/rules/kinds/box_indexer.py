"""Box indexers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.families import Indexer
from gridproof.rules.primitives import NEVER, Primitive


class BoxIndexer(Indexer):
    """A cell at place i of its box with the digit v says that i stands at place v of that box.

    Places are counted in reading order.

    On a board without boxes or regions the rule has no meaning, and no grid fulfils it.
    """

    colour = "purple"
    kind = "box-indexer"
    words = "each of {cells} says at which place of its box its own place number stands"
    example = "box-indexer r1c1"
    formats = {"f-puzzles": {"key": "boxindexer", "cells": "cells"}}

    def impossible(self, geometry: Geometry) -> str | None:
        return "the board has no regions" if geometry.region_of is None else None

    def line(self, cell: int, geometry: Geometry) -> Sequence[int]:
        regions = geometry.region_of or range(geometry.cell_count)
        return [other for other, region in enumerate(regions) if region == regions[cell]]

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        return super().expand(geometry) if geometry.region_of else [NEVER]

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        if geometry.region_of is None:
            return False
        for cell in self.cells:
            box = [other for other in range(len(grid)) if geometry.region_of[other] == geometry.region_of[cell]]
            if grid[box[grid[cell] - 1]] != box.index(cell) + 1:
                return False
        return True
