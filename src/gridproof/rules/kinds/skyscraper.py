"""Skyscraper clues."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.families import OutsideClue
from gridproof.rules.primitives import Automaton, Primitive
from gridproof.rules.rule import differ, parameter


class Skyscraper(OutsideClue):
    """The clue outside the grid says how many digits are larger than all before them; the first one counts."""

    seen: int = parameter("number", "how many are seen")

    kind = "skyscraper"
    frame = "square"
    words = "{sight}, {seen:skyscraper is|skyscrapers are} seen"
    example = "skyscraper 2 row1"
    formats = {
        "f-puzzles": {"key": "skyscraper", "cells": "sight", "seen": "value"},
        "iss": {"type": "Skyscraper", "clue": "seen", "ends": True, "least": 1},
    }

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        def step(state: tuple[int, int], symbol: int) -> tuple[int, int] | None:
            tallest, seen = state
            if symbol <= tallest:
                return tallest, seen
            return (symbol, seen + 1) if seen < self.seen else None

        # in a house the largest symbol stands somewhere and ends what is seen: half the states
        whole = len(self.cells) == geometry.order and differ(self.cells, geometry)
        ends = {(geometry.order if whole else tallest, self.seen) for tallest in range(geometry.order + 1)}
        yield Automaton.of(self.cells, geometry.order, (0, 0), step, ends.__contains__)

    def agrees(self, digits: Sequence[int], geometry: Geometry) -> bool:
        return sum(digit > max(digits[:place], default=0) for place, digit in enumerate(digits)) == self.seen
