"""Search with propagation by two rules: a settled cell takes its symbol from its peers; a symbol goes where it must.

The idea: as ``search-propagate``, with the second rule of the essay: a symbol with one place left in a house goes
there. Neither rule alone is strong; together they solve many puzzles without a choice, and on the others they cut the
tree from thousands of nodes to tens. Of the cells with fewest candidates that one is tried with most peers of two
candidates to which a symbol of it is one: each of these is settled by a branch. Cost: a look at every cell of every
house each time; choosing that cell halves the tree of a hard puzzle.

Modelled on Peter Norvig, "Solving Every Sudoku Puzzle" (2006), who takes any of the cells with fewest candidates.
"""

from __future__ import annotations

from typing import ClassVar

from gridproof.backends.solvers.search.propagate import Propagate
from gridproof.backends.solvers.search.session import Failure, Journal, SearchBackend
from gridproof.puzzle.geometry import Geometry


def backends() -> list[SearchBackend]:
    """Return the backends of this module."""
    return [SearchBackend("search-norvig", "naked and hidden singles, then a cell with fewest candidates", Norvig)]


class Norvig(Propagate):
    """Both rules; of the cells with fewest candidates the one whose branches settle most."""

    knows_rules: ClassVar[bool] = True

    def __init__(self, geometry: Geometry) -> None:
        super().__init__(geometry)
        self._houses = [house.cells for house in geometry.houses]
        self._every_symbol = (1 << geometry.order) - 1

    def choose(self, masks: list[int]) -> int | None:
        """The cell to branch on; none if all are settled."""
        counts = [mask.bit_count() for mask in masks]
        fewest = min((count for count in counts if count > 1), default=None)
        best, most = None, -1
        for cell, count in enumerate(counts):
            if count == fewest:
                forced = sum(1 for peer in self._peers[cell] if masks[peer] & masks[cell] and counts[peer] == 2)
                if forced > most:
                    best, most = cell, forced
        return best

    def propagate(self, masks: list[int], settled: list[int], journal: Journal) -> Failure | None:
        """Take the symbols of the ``settled`` cells from their peers, place those with one place left, and so on."""
        while True:
            failed = super().propagate(masks, settled, journal)
            if failed is not None:
                return failed
            settled = []
            for index, cells in enumerate(self._houses):
                once = twice = 0
                for cell in cells:
                    twice |= once & masks[cell]
                    once |= masks[cell]
                if once != self._every_symbol:
                    return index, (~once & (once + 1)).bit_length()
                if not (hidden := once & ~twice):
                    continue
                for cell in cells:
                    mask = masks[cell]
                    if (symbols := mask & hidden) and mask & (mask - 1):
                        if symbols & (symbols - 1):
                            return cell
                        masks[cell] = symbols
                        journal.settled(cell, symbols.bit_length())
                        settled.append(cell)
            if not settled:
                return None
