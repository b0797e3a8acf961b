"""The primitive of one orthogonally connected region."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from gridproof.puzzle.digits import Digits, Symbol
from gridproof.rules.bounds import mask_of
from gridproof.rules.primitives import Cells, OwnPrimitive


@dataclass(frozen=True)
class Connected(OwnPrimitive):
    """The cells that hold one of some symbols are one region: each is reached from each other through neighbours.

    Attributes
    ----------
    cells : tuple of int
        The cells among which the region is, in reading order or any other.
    symbols : tuple of int
        The symbols of the region.
    neighbours : tuple of tuple of int
        The places, among the cells, of the neighbours of each cell.
    size : int
        The number of cells of the region; with 0 it is any from 1 on.
    most : int
        The most cells that the houses of the board allow, on which a translation may count.
    """

    cells: Cells
    symbols: tuple[Symbol, ...]
    neighbours: tuple[tuple[int, ...], ...]
    size: int
    most: int

    def scope(self) -> set[int]:
        """Return the cells among which the region is."""
        return set(self.cells)

    def allows(self, grid: Sequence[int]) -> bool:
        """Return whether the grid fits."""
        inside = {place for place, cell in enumerate(self.cells) if grid[cell] in self.symbols}
        if not inside or self.size not in (0, len(inside)):
            return False
        return self.reach(inside, min(inside)) == inside

    def reach(self, among: Set[int], start: int) -> set[int]:
        """Return the places that are reached from one of them through others."""
        reached = {start}
        to_visit = [start]
        while to_visit:
            for place in self.neighbours[to_visit.pop()]:
                if place in among and place not in reached:
                    reached.add(place)
                    to_visit.append(place)
        return reached

    def explain_impossible(self, masks: Sequence[int], digits: Digits) -> str | None:
        """Explain that no cells that may belong to the region reach all that must, or are enough."""
        symbols = mask_of(self.symbols)
        possible = {place for place, cell in enumerate(self.cells) if masks[cell] & symbols}
        needed = {place for place in possible if not masks[self.cells[place]] & ~symbols}
        starts = sorted(needed)[:1] or sorted(possible)
        if self.size and len(needed) > self.size:
            starts = []
        for start in starts:
            reached = self.reach(possible, start)
            if needed <= reached and len(reached) >= self.size:
                return None
        return "the cells of these digits cannot be one region"
