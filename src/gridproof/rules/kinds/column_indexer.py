"""Column indexers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.indexer import Indexer


@dataclass(frozen=True, kw_only=True)
class ColumnIndexer(Indexer):
    """A cell in column c with the digit v says that c stands in column v of the same row."""

    colour: ClassVar[str] = "red"
    kind: ClassVar[str] = "column-indexer"
    words: ClassVar[str] = "each of {cells} says in which column of its row its own column number stands"
    example: ClassVar[str] = "column-indexer r1c1"
    formats: ClassVar[Mapping[str, Any]] = {
        "f-puzzles": {"key": "columnindexer", "cells": "cells"},
        "iss": {"type": "Indexing", "args": ["C"], "cells": "cells"},
    }

    def line(self, cell: int, geometry: Geometry) -> Sequence[int]:
        n = geometry.order
        return range(cell // n * n, cell // n * n + n)

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        n = geometry.order
        return all(grid[cell // n * n + grid[cell] - 1] == cell % n + 1 for cell in self.cells)
