"""Algorithm X with dancing links.

A solution is a choice of options (cell, symbol) that covers every item (each cell, each symbol of each
house) exactly once. The options of an item hang in a circular list; choosing an option unlinks what it
rules out, and links that were cut still know where to go back. The item with fewest options is covered
first. Cost: a walk over all that a choice rules out, there and back, for each node; few nodes. Modelled on
Donald Knuth, "Dancing Links" (2000).
"""

from __future__ import annotations

from collections.abc import Generator
from typing import ClassVar

from gridproof.backends.search.links import Links
from gridproof.backends.search.session import Failure, Journal, SearchBackend
from gridproof.backends.search.walk import depth_first
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, Grid


def backends() -> list[SearchBackend]:
    """The backends of this module."""
    return [SearchBackend("search-exact-cover", "Algorithm X with dancing links, smallest item first", ExactCover)]


class ExactCover:
    """Items: cells, then the symbols of each house, from 1. Options: (cell, symbol). Linked once per
    geometry."""

    knows_rules: ClassVar[bool] = False

    def __init__(self, geometry: Geometry) -> None:
        self.order, self.cell_count = geometry.order, geometry.cell_count
        self.choices = [(cell, symbol) for cell in range(self.cell_count) for symbol in range(1, self.order + 1)]
        options = []
        for cell, symbol in self.choices:
            houses = geometry.houses_of[cell]
            options.append([cell + 1] + [self.cell_count + house * self.order + symbol for house in houses])
        self.links = Links(self.cell_count + len(geometry.houses) * self.order, options)

    def search(self, board: Board, journal: Journal) -> Generator[Grid, None, None]:
        """Each solution once; see ``Strategy.search``."""
        links, grid, marks = self.links.copy(), list(board.clues), board.marks or ()
        for option, (cell, symbol) in enumerate(self.choices if marks else ()):
            if not marks[cell] >> (symbol - 1) & 1:
                links.drop(option)
        for cell, clue in enumerate(board.clues):
            if clue:
                for item in links.items_of(cell * self.order + clue - 1):
                    links.cover(item)

        def tried(depth: int, item: int) -> Generator[int, None, None]:
            if not links.size[item]:
                journal.dead_end(self.failure(item))
            links.cover(item)
            node = links.down[item]
            while node != item:
                cell, symbol = self.choices[links.option[node]]
                grid[cell] = symbol
                journal.place(depth, cell, symbol)
                links.choose(node)
                yield node
                links.give_back(node)
                node = links.down[node]
            links.uncover(item)

        def choices(depth: int, last: int) -> Generator[int, None, None] | None:
            item = links.smallest()
            return tried(depth, item) if item else None

        return depth_first(0, choices, lambda last: tuple(grid))

    def failure(self, item: int) -> Failure:
        """The cell, or the house and the symbol, that an item stands for."""
        if item <= self.cell_count:
            return item - 1
        house, symbol = divmod(item - self.cell_count - 1, self.order)
        return house, symbol + 1
