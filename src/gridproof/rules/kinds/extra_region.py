"""Extra regions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Mark, Shape
from gridproof.rules.primitives import Cells, Different, Primitive, Relation, Sum
from gridproof.rules.rule import Rule, parameter, unequal


@dataclass(frozen=True, kw_only=True)
class ExtraRegion(Rule):
    """The digits of an extra region differ.

    With as many cells as symbols it is a house: every digit stands in it once.
    """

    cells: Cells = parameter("cells", "the cells of the region")

    kind: ClassVar[str] = "extra-region"
    words: ClassVar[str] = "the digits of the extra region {cells} differ"
    example: ClassVar[str] = "extra-region r1c1 r2c2 r3c3"
    aliases: ClassVar[tuple[str, ...]] = ("different",)
    formats: ClassVar[Mapping[str, Any]] = {
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
