"""Backtracking with a set of free symbols.

The idea: cells in reading order; each house keeps the set of the symbols it holds. At a cell, the set of
free symbols is what the cell allows less the sets of its houses, and only those are tried. Cost: one set
built for each cell that is entered, one symbol added to (and taken from) a set per house for each
placement.

Modelled on the short Python programs that subtract row, column and box from ``set(range(1, 10))``.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from gridproof.backends.solvers.search.session import Journal, SearchBackend
from gridproof.backends.solvers.search.walk import ReadingOrder, allowed_symbols, reading_order
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid


def backends() -> list[SearchBackend]:
    """Return the backends of this module."""
    return [SearchBackend("search-sets", "reading order, the set of free symbols of each cell", Sets)]


class Sets(ReadingOrder):
    """Reading order; a Python set of free symbols."""

    def search(self, board: Board, journal: Journal) -> Generator[Grid, None, None]:
        """Each solution once; see ``Strategy.search``."""
        held: list[set[int]] = [set() for _ in self.geometry.houses]
        held_of = [tuple(held[index] for index in indices) for indices in self.geometry.houses_of]
        allowed = [frozenset(symbols) for symbols in allowed_symbols(board)]

        def symbols(cell: int) -> Iterator[int]:
            # Sorted, because a set has no order of its own: the tree must be the one of the other strategies.
            return iter(sorted(allowed[cell].difference(*held_of[cell])))

        def put(cell: int, symbol: int) -> None:
            for house in held_of[cell]:
                house.add(symbol)

        def take(cell: int, symbol: int) -> None:
            for house in held_of[cell]:
                house.remove(symbol)

        return reading_order(board, journal, symbols, put, take)
