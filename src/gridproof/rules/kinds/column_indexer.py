"""Column indexers."""

from __future__ import annotations

from collections.abc import Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.families import Indexer


class ColumnIndexer(Indexer):
    """A cell in column c with the digit v says that c stands in column v of the same row."""

    colour = "red"
    kind = "column-indexer"
    words = "each of {cells} says in which column of its row its own column number stands"
    example = "column-indexer r1c1"
    formats = {
        "f-puzzles": {"key": "columnindexer", "cells": "cells"},
        "iss": {"type": "Indexing", "args": ["C"], "cells": "cells"},
    }

    def line(self, cell: int, geometry: Geometry) -> Sequence[int]:
        n = geometry.order
        return range(cell // n * n, cell // n * n + n)

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        n = geometry.order
        return all(grid[cell // n * n + grid[cell] - 1] == cell % n + 1 for cell in self.cells)
