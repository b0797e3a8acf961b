"""Backtracking with tables of what is taken: the textbook program.

The idea: cells in reading order; one Boolean table for each kind of house (``row[r][symbol]``,
``column[c][symbol]``, ``box[b][symbol]``) holds whether a symbol is taken there. A symbol that is placed is
entered in all of them and struck out again on return. Cost: one look-up per house for each symbol of a
cell, one entry per house for each placement.

Modelled on the backtracker of programming courses, where three such tables are the usual answer.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from gridproof.backends.solvers.search.session import Journal, SearchBackend
from gridproof.backends.solvers.search.walk import ReadingOrder, allowed_symbols, reading_order
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid


def backends() -> list[SearchBackend]:
    """Return the backends of this module."""
    return [SearchBackend("search-tables", "reading order, Boolean tables of taken symbols", Tables)]


class Tables(ReadingOrder):
    """Reading order; a Boolean table per kind of house."""

    def search(self, board: Board, journal: Journal) -> Generator[Grid, None, None]:
        """Each solution once; see ``Strategy.search``."""
        geometry = self.geometry
        kinds: dict[str, list[list[bool]]] = {house.kind: [] for house in geometry.houses}
        lines: list[list[bool]] = []  # the line of each house in the table of its kind
        for house in geometry.houses:
            lines.append([False] * (geometry.order + 1))
            kinds[house.kind].append(lines[-1])
        lines_of = [tuple(lines[index] for index in indices) for indices in geometry.houses_of]
        allowed = allowed_symbols(board)

        def symbols(cell: int) -> Iterator[int]:
            for symbol in allowed[cell]:
                for taken in lines_of[cell]:
                    if taken[symbol]:
                        journal.refused += 1
                        break
                else:
                    yield symbol

        def put(cell: int, symbol: int) -> None:
            for taken in lines_of[cell]:
                taken[symbol] = True

        def take(cell: int, symbol: int) -> None:
            for taken in lines_of[cell]:
                taken[symbol] = False

        return reading_order(board, journal, symbols, put, take)
