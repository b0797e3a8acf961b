"""Killer cages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Mark, Outline
from gridproof.rules.primitives import Cells, Different, Primitive, Relation, Sum
from gridproof.rules.rule import Rule, differ, named_twice, parameter, unequal


class Killer(Rule):
    """The digits of a cage differ and add up to its sum.

    Without a sum they only differ. With ``repeats`` only the sum counts: digits may be equal where no house forbids it.
    """

    total: int | None = parameter("number", "the sum of the cage", None)
    cells: Cells = parameter("cells", "the cells of the cage")
    repeats: bool = parameter("flag", "digits may repeat", False)

    kind = "killer"
    words = "the killer cage {cells} sums to {total}"
    example = "killer 10 r1c1 r1c2 r2c1"
    aliases = ("cage", "killer-cage")
    formats = {
        "f-puzzles": {"key": "killercage", "cells": "cells", "total": "value", "unstated": 0},
        "iss": [
            {"type": "Cage", "args": ["total"], "unstated": 0, "cells": "cells"},
            {"type": "Sum", "args": ["total"], "cells": "cells", "only": {"repeats": True}},
            {"written": "AllDifferent", "cells": "cells"},
        ],
    }

    def senseless(self, geometry: Geometry) -> str | None:
        return super().senseless(geometry) or (None if self.repeats else named_twice(self.cells, geometry))

    def sentence(self, geometry: Geometry) -> str:
        if self.total is None:
            return super().sentence(geometry).replace("sums to any", "has different digits")
        return super().sentence(geometry) + (", and digits may repeat in it" if self.repeats else "")

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        if not self.repeats:
            yield Different(self.cells)
        if self.total is not None:
            distinct = not self.repeats or differ(self.cells, geometry)
            yield Sum(self.cells, (1,) * len(self.cells), self.total, distinct)

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        digits = [grid[cell] for cell in self.cells]
        return (self.repeats or len(set(digits)) == len(digits)) and (self.total is None or sum(digits) == self.total)

    def follows(self, geometry: Geometry) -> Iterable[Relation | Sum]:
        if not self.repeats:
            yield unequal(self.cells, geometry)
        if self.total is not None:
            yield Sum(self.cells, (1,) * len(self.cells), self.total, not self.repeats)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Outline(self.cells, "" if self.total is None else str(self.total))
