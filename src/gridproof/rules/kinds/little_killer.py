"""Little killer clues."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.families import OutsideClue
from gridproof.rules.primitives import Primitive, Relation, Sum
from gridproof.rules.rule import differ, parameter


class LittleKiller(OutsideClue):
    """The digits along a diagonal add up to the clue outside the grid. They may repeat where no house forbids it."""

    total: int = parameter("number", "the sum")

    kind = "little-killer"
    words = "the diagonal {cells} sums to {total}"
    slanted = True
    example = "little-killer 10 r1c2-r2c1"
    formats = {
        "f-puzzles": {"key": "littlekillersum", "cells": "sight", "slanted": True, "total": "value"},
        "iss": {"type": "LittleKiller", "clue": "total"},
    }

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        yield Sum(self.cells, (1,) * len(self.cells), self.total, differ(self.cells, geometry))

    def agrees(self, digits: Sequence[int], geometry: Geometry) -> bool:
        return sum(digits) == self.total

    def follows(self, geometry: Geometry) -> Iterable[Relation | Sum]:
        yield Sum(self.cells, (1,) * len(self.cells), self.total)
