"""The primitive of a number that has a rank among others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gridproof.puzzle.digits import Digits
from gridproof.rules.primitives import Cells, Option, OwnPrimitive, Relation


@dataclass(frozen=True)
class Ranked(OwnPrimitive):
    """Of the numbers that begin as one number does, so many are lower, the others higher, and none is equal.

    Attributes
    ----------
    number : tuple of int
        The cells of the number.
    groups : tuple of tuple of tuple of int
        The cells of the other numbers, as many for each. In each group the first cells hold every symbol once, which is
        for houses to state; so one number of each group begins as this one does.
    lower : int
        In how many groups that one is lower.
    """

    number: Cells
    groups: tuple[tuple[Cells, ...], ...]
    lower: int

    def scope(self) -> set[int]:
        """Return the cells of all numbers."""
        cells = set(self.number)
        for group in self.groups:
            cells = cells.union(*group)
        return cells

    def allows(self, grid: Sequence[int]) -> bool:
        """Return whether the grid fits."""
        own = [grid[cell] for cell in self.number]
        lower = 0
        for group in self.groups:
            for cells in group:
                symbols = [grid[cell] for cell in cells]
                if symbols == own:
                    return False
                if symbols[0] == own[0] and symbols < own:
                    lower += 1
        return lower == self.lower

    def explain_impossible(self, masks: Sequence[int], digits: Digits) -> str | None:
        """Return ``None``: before the cells are full there is no reason that is easy to see."""
        return None

    def negate(self, symbol_count: int) -> list[Option]:
        """Return the ways in which it is broken: another rank, or an equal number."""
        ways: list[Option] = []
        for lower in range(len(self.groups) + 1):
            if lower != self.lower:
                ways.append((replace(self, lower=lower),))
        equal = tuple([1 << number for number in range(symbol_count)])
        for group in self.groups:
            for cells in group:
                pairs = tuple(zip(self.number, cells, strict=True))
                ways.append((Relation(pairs, equal),))
        return ways
