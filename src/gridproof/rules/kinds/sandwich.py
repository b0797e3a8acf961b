"""Sandwich clues."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.families import OutsideClue
from gridproof.rules.primitives import Automaton, Primitive
from gridproof.rules.rule import parameter


class Sandwich(OutsideClue):
    """The digits between the smallest and the largest symbol of a row or column add up to the clue outside the grid.

    These two may stand in either order. With 0 they are neighbours.
    """

    total: int = parameter("number", "the sum between 1 and the largest symbol")

    kind = "sandwich"
    words = "{sight}, the digits between 1 and {n} sum to {total}"
    example = "sandwich 5 row1"
    formats = {
        "f-puzzles": {"key": "sandwichsum", "cells": "sight", "total": "value"},
        "iss": {"type": "Sandwich", "clue": "total"},
    }

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        crusts = (1, geometry.order)

        def step(state: tuple[str, int], symbol: int) -> tuple[str, int] | None:
            stage, so_far = state
            if symbol in crusts:
                return {"before": ("between", 0), "between": ("after", so_far)}.get(stage)
            if stage == "between":
                return (stage, so_far + symbol) if so_far + symbol <= self.total else None
            return stage, so_far

        yield Automaton.of(self.cells, geometry.order, ("before", 0), step, lambda s: s == ("after", self.total))

    def agrees(self, digits: Sequence[int], geometry: Geometry) -> bool:
        crusts = [place for place, digit in enumerate(digits) if digit in (1, geometry.order)]
        return len(crusts) == 2 and sum(digits[crusts[0] + 1 : crusts[1]]) == self.total
