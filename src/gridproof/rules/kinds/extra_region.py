"""Extra regions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Mark, Shape
from gridproof.rules.primitives import Cells, Different, Primitive, Relation, Sum
from gridproof.rules.rule import Rule, parameter, unequal


class ExtraRegion(Rule):
    """The digits of an extra region differ.

    With as many cells as symbols it is a house: every digit stands in it once.
    """

    cells: Cells = parameter("cells", "the cells of the region", once=True)

    kind = "extra-region"
    words = "the digits of the extra region {cells} differ"
    example = "extra-region r1c1 r2c2 r3c3"
    aliases = ("different",)
    formats = {
        "f-puzzles": {"key": "extraregion", "cells": "cells"},
        "iss": {"type": "AllDifferent", "cells": "cells"},
    }

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        yield Different(self.cells)

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        return len({grid[cell] for cell in self.cells}) == len(self.cells)

    def follows(self, geometry: Geometry) -> Iterable[Relation | Sum]:
        yield unequal(self.cells, geometry)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Shape(self.cells, "shade", filled=True, colour="grey")
