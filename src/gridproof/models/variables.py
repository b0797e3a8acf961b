"""Variables of a CNF: x[cell, symbol] and auxiliaries, each with a name; the only allocator of auxiliaries.

x[cell, symbol] is the number ``cell * order + symbol`` (1 .. order**3), so that no table is needed to go either way.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from gridproof.puzzle.geometry import Geometry


@dataclass(frozen=True, slots=True)
class Auxiliaries:
    """A run of auxiliary variables ``first .. last`` that belong together.

    label: what they are for, such as ``row 1 = 5``. over: the literals they are about. meaning: ``any`` if the (one)
    variable is true exactly when one of ``over`` is, else the at-most-one scheme that brought them.
    """

    first: int
    last: int
    label: str
    over: tuple[int, ...]
    meaning: str


class Variables:
    """All variables of one model: the cell variables of a geometry, and auxiliaries added in order."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self.cell_variables = geometry.order**3
        self.count = self.cell_variables
        self.auxiliaries: list[Auxiliaries] = []

    def cell(self, cell: int, symbol: int) -> int:
        """The variable that is true when ``cell`` holds ``symbol`` (1 .. order)."""
        return cell * self.geometry.order + symbol

    def add(self, number: int, label: str, over: tuple[int, ...], meaning: str) -> int:
        """Allocate ``number`` auxiliaries that belong together; returns the first."""
        first = self.count + 1
        self.count += number
        if number:
            self.auxiliaries.append(Auxiliaries(first, self.count, label, over, meaning))
        return first

    def name(self, variable: int) -> str:
        """``x[r1c1=5]`` for a cell variable, ``any[...]`` or ``ladder[row 1 = 5].2`` for an auxiliary.

        Raises ``IndexError`` for a number that is no variable of this model.
        """
        if not 1 <= variable <= self.count:
            raise IndexError(f"variable {variable}; expected 1 to {self.count}")
        if variable <= self.cell_variables:
            cell, symbol = divmod(variable - 1, self.geometry.order)
            return f"x[{self.geometry.cell_name(cell)}={self.geometry.symbol_text(symbol + 1)}]"
        block = self.auxiliaries[bisect_right(self.auxiliaries, variable, key=lambda b: b.first) - 1]
        number = f".{variable - block.first + 1}" if block.last > block.first else ""
        return f"{block.meaning}[{block.label}]{number}"

    def __iter__(self) -> Iterator[int]:
        return iter(range(1, self.count + 1))
