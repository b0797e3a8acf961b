"""Backtracking that works out as little as it can, as late as it can.

The idea: at each level the first empty cell is looked for anew on the board; its candidates come from a
generator that scans for one only when one is needed. Nothing is planned ahead, nothing kept but the
board. The generators of all levels are closed the moment the caller has enough, the deepest first, and a
cell is rolled back when its generator has no more to give. Cost: a look for the empty cell at each level on
top of the scans of ``search-scan``.

Modelled on programs written with ``yield``, where each level hands candidates to the next on demand.
"""

from __future__ import annotations

from collections.abc import Generator

from gridproof.backends.solvers.search.session import Journal, SearchBackend
from gridproof.backends.solvers.search.walk import ReadingOrder, depth_first, lawful, scanned
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid


def backends() -> list[SearchBackend]:
    """Return the backends of this module."""
    return [SearchBackend("search-lazy", "first empty cell anew at each level, candidates on demand", Lazy)]


class Lazy(ReadingOrder):
    """First empty cell anew at each level; candidates from a lazy generator."""

    def search(self, board: Board, journal: Journal) -> Generator[Grid, None, None]:
        """Each solution once; see ``Strategy.search``."""
        grid = list(board.clues)
        fitting = scanned(board, grid, journal)
        symbols = lawful(fitting, board, journal, grid) if board.rules else fitting

        def tried(depth: int, cell: int) -> Generator[int, None, None]:
            candidates, symbol = symbols(cell), 0
            try:
                for symbol in candidates:
                    grid[cell] = symbol
                    journal.place(depth, cell, symbol)
                    yield symbol
                    grid[cell] = 0
                if not symbol:
                    journal.dead_end(cell)
            finally:
                candidates.close()

        def choices(depth: int, last: int) -> Generator[int, None, None] | None:
            return tried(depth, grid.index(0)) if 0 in grid else None

        yield from depth_first(-1, choices, lambda last: tuple(grid))
