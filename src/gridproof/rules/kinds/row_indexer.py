"""Row indexers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Mark, Shape
from gridproof.rules.primitives import Cells, Equivalent, Primitive
from gridproof.rules.rule import Rule, parameter


@dataclass(frozen=True, kw_only=True)
class RowIndexer(Rule):
    """A cell in row r with the digit v says that r stands in row v of the same column."""

    cells: Cells = parameter("cells", "the indexing cells")

    kind: ClassVar[str] = "row-indexer"
    words: ClassVar[str] = "each of {cells} says in which row of its column its own row number stands"
    example: ClassVar[str] = "row-indexer r1c1"
    formats: ClassVar[Mapping[str, Any]] = {
        "f-puzzles": {"key": "rowindexer", "cells": "cells"},
        "iss": {"type": "Indexing", "args": ["R"], "cells": "cells"},
    }

    def scope(self, geometry: Geometry) -> frozenset[int]:
        n = geometry.order
        return frozenset(other for cell in self.cells for other in range(cell % n, n * n, n))

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        n = geometry.order
        for cell in self.cells:
            row, column = divmod(cell, n)
            for v in range(1, n + 1):
                yield Equivalent((cell, v), ((v - 1) * n + column, row + 1))

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        n = geometry.order
        return all(grid[(grid[cell] - 1) * n + cell % n] == cell // n + 1 for cell in self.cells)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        return [Shape((cell,), "shade", filled=True, colour="teal") for cell in self.cells]
