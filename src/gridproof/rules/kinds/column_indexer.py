"""Column indexers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Mark, Shape
from gridproof.rules.primitives import Cells, Equivalent, Primitive
from gridproof.rules.rule import Rule, parameter


@dataclass(frozen=True, kw_only=True)
class ColumnIndexer(Rule):
    """A cell in column c with the digit v says that c stands in column v of the same row."""

    cells: Cells = parameter("cells", "the indexing cells")

    kind: ClassVar[str] = "column-indexer"
    words: ClassVar[str] = "each of {cells} says in which column of its row its own column number stands"
    example: ClassVar[str] = "column-indexer r1c1"
    formats: ClassVar[Mapping[str, Any]] = {
        "f-puzzles": {"key": "columnindexer", "cells": "cells"},
        "iss": {"type": "Indexing", "args": ["C"], "cells": "cells"},
    }

    def scope(self, geometry: Geometry) -> frozenset[int]:
        n = geometry.order
        return frozenset(other for cell in self.cells for other in range(cell // n * n, cell // n * n + n))

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        n = geometry.order
        for cell in self.cells:
            row, column = divmod(cell, n)
            for v in range(1, n + 1):
                yield Equivalent((cell, v), (row * n + v - 1, column + 1))

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        n = geometry.order
        return all(grid[cell // n * n + grid[cell] - 1] == cell % n + 1 for cell in self.cells)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        return [Shape((cell,), "shade", filled=True, colour="red") for cell in self.cells]
