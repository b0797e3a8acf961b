"""Quadruples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Dot, Mark
from gridproof.rules.primitives import Cells, Count, Primitive
from gridproof.rules.rule import Rule, parameter


class Quadruple(Rule):
    """The digits in the circle all stand in the cells around it.

    A digit that is given twice stands there at least twice.
    """

    values: tuple[int, ...] = parameter("numbers", "the digits in the circle")
    cells: Cells = parameter("cells", "the cells around the circle", once=True)

    kind = "quadruple"
    words = "{cells} hold {values} among them"
    example = "quadruple 1 2 r1c1 r1c2 r2c1 r2c2"
    formats = {
        "f-puzzles": {"key": "quadruple", "cells": "cells", "values": "values"},
        "iss": {"type": "ContainAtLeast", "args": ["values"], "cells": "cells"},
    }

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        for value, times in Counter(self.values).items():
            yield Count(self.cells, (value,), times, len(self.cells))

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        return not Counter(self.values) - Counter(grid[cell] for cell in self.cells)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Dot(self.cells, "white", " ".join(map(geometry.symbol_text, filter(geometry.order.__ge__, self.values))))
