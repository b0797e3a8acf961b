"""Skyscraper clues."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Mark, Outside
from gridproof.rules.primitives import Automaton, Cells, Primitive
from gridproof.rules.rule import Rule, differ, parameter


@dataclass(frozen=True, kw_only=True)
class Skyscraper(Rule):
    """The clue outside the grid says how many digits are larger than all before them; the first one counts."""

    seen: int = parameter("number", "how many are seen")
    cells: Cells = parameter("cells", "the cells in the order in which the clue sees them")

    kind: ClassVar[str] = "skyscraper"
    words: ClassVar[str] = "{seen} skyscrapers are seen along {cells}"
    example: ClassVar[str] = "skyscraper 2 row1"
    formats: ClassVar[Mapping[str, Any]] = {
        "f-puzzles": {"key": "skyscraper", "cells": "sight", "seen": "value"},
        "iss": {"type": "Skyscraper", "clue": "seen"},
    }

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        def step(state: object, symbol: int) -> tuple[int, int] | None:
            assert isinstance(state, tuple)
            tallest, seen = state
            if symbol <= tallest:
                return tallest, seen
            return (symbol, seen + 1) if seen < self.seen else None

        # in a house the largest symbol stands somewhere and ends what is seen: half the states
        whole = len(self.cells) == geometry.order and differ(self.cells, geometry)
        ends = {(geometry.order if whole else tallest, self.seen) for tallest in range(geometry.order + 1)}
        yield Automaton.of(self.cells, geometry.order, (0, 0), step, ends.__contains__)

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        digits = [grid[cell] for cell in self.cells]
        return sum(digit > max(digits[:place], default=0) for place, digit in enumerate(digits)) == self.seen

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Outside(self.cells, str(self.seen))
