"""Backtracking that keeps nothing but the board.

The idea: cells in reading order; before a symbol is placed, its cell's row, column and box (and any other
house) are scanned on the board itself for the same symbol. Nothing to keep up to date, nothing to undo but
the cell. Cost: up to one look at every cell of every house for each symbol of a cell.

Modelled on the ``is_valid(board, row, column, number)`` of countless tutorials.
"""

from __future__ import annotations

from collections.abc import Generator

from gridproof.backends.solvers.search.session import Journal, SearchBackend
from gridproof.backends.solvers.search.walk import ReadingOrder, reading_order, scanned
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid


def backends() -> list[SearchBackend]:
    """Return the backends of this module."""
    return [SearchBackend("search-scan", "reading order, scans the houses on the board itself", Scan)]


class Scan(ReadingOrder):
    """Reading order; no state beyond the board."""

    def search(self, board: Board, journal: Journal) -> Generator[Grid, None, None]:
        """Each solution once; see ``Strategy.search``."""
        grid = list(board.clues)
        return reading_order(board, journal, scanned(board, grid, journal), grid=grid)
