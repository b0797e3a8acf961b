"""Backtracking that works out as little as it can, as late as it can.

The idea: at each level the first empty cell is looked for anew on the board; its candidates come from a
generator that scans for one only when it is asked for one. Nothing is planned ahead, nothing kept but the
board. The generators of all levels are closed the moment the caller has enough, the deepest first, and a
cell is rolled back when its generator has no more to give. Cost: a look for the empty cell at each level on
top of the scans of ``search-scan``.

Modelled on programs written with ``yield``, where each level hands candidates to the next on demand.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import ClassVar

from gridproof.backends.protocol import Backend
from gridproof.backends.search.session import Journal, SearchBackend
from gridproof.backends.search.walk import allowed_symbols, fits, houses_by_cell, lawful
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, Grid


def backends() -> Iterable[Backend]:
    """The backends of this module."""
    return [SearchBackend("search-lazy", "first empty cell anew at each level, candidates on demand", Lazy)]


class Lazy:
    """First empty cell anew at each level; candidates from a lazy generator."""

    knows_rules: ClassVar[bool] = True

    def __init__(self, geometry: Geometry) -> None:
        self._houses = houses_by_cell(geometry)

    def search(self, board: Board, journal: Journal) -> Generator[Grid, None, None]:
        """Each solution once; see ``Strategy.search``."""
        grid = list(board.clues)
        allowed = allowed_symbols(board)

        def fitting(cell: int) -> Generator[int, None, None]:
            return self.candidates(grid, cell, allowed[cell], journal)

        symbols = lawful(fitting, board, journal, grid) if board.rules else fitting
        levels: list[tuple[int, Generator[int, None, None]]] = []  # cells being filled, with what they may still hold
        try:
            while True:
                if 0 in grid:
                    cell = grid.index(0)
                    levels.append((cell, symbols(cell)))
                else:
                    yield tuple(grid)
                while levels:
                    cell, candidates = levels[-1]
                    last, grid[cell] = grid[cell], 0
                    symbol = next(candidates, 0)
                    if symbol:
                        grid[cell] = symbol
                        journal.place(len(levels), cell, symbol)
                        break
                    if not last:
                        journal.dead_end(cell)
                    levels.pop()
                else:
                    return
        finally:
            while levels:
                cell, candidates = levels.pop()
                candidates.close()

    def candidates(
        self, grid: list[int], cell: int, allowed: tuple[int, ...], journal: Journal
    ) -> Generator[int, None, None]:
        """The symbols that fit into ``cell`` of ``grid``, each worked out when it is asked for."""
        for symbol in allowed:
            if fits(grid, self._houses[cell], symbol):
                yield symbol
            else:
                journal.refused += 1
