"""Row indexers."""

from __future__ import annotations

from collections.abc import Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.families import Indexer


class RowIndexer(Indexer):
    """A cell in row r with the digit v says that r stands in row v of the same column."""

    colour = "teal"
    kind = "row-indexer"
    words = "each of {cells} says in which row of its column its own row number stands"
    example = "row-indexer r1c1"
    formats = {
        "f-puzzles": {"key": "rowindexer", "cells": "cells"},
        "iss": {"type": "Indexing", "args": ["R"], "cells": "cells"},
    }

    def line(self, cell: int, geometry: Geometry) -> Sequence[int]:
        n = geometry.order
        return range(cell % n, n * n, n)

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        n = geometry.order
        return all(grid[(grid[cell] - 1) * n + cell % n] == cell // n + 1 for cell in self.cells)
