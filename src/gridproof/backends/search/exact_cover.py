"""Algorithm X with dancing links.

A solution is a choice of options (cell, symbol) that covers every item (each cell, each symbol of each
house) exactly once. The options of an item hang in a circular list; choosing an option unlinks what it
rules out, and links that were cut still know where to go back. The item with fewest options is covered
first. Cost: a walk over all that a choice rules out, there and back, for each node; few nodes. Modelled on
Donald Knuth, "Dancing Links" (2000).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import ClassVar

from gridproof.backends.protocol import Backend
from gridproof.backends.search.links import Links
from gridproof.backends.search.session import Failure, Journal, SearchBackend
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, Grid


def backends() -> Iterable[Backend]:
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
        tried: list[tuple[int, int]] = []  # for each level, the item covered and the node of the option chosen
        while True:
            item = links.smallest()
            if item:
                if not links.size[item]:
                    journal.dead_end(self.failure(item))
                links.cover(item)
                tried.append((item, item))
            else:
                yield tuple(grid)
            while tried:
                item, node = tried.pop()
                if node != item:
                    links.give_back(node)
                node = links.down[node]
                if node != item:
                    cell, symbol = self.choices[links.option[node]]
                    grid[cell] = symbol
                    tried.append((item, node))
                    journal.place(len(tried), cell, symbol)
                    links.choose(node)
                    break
                links.uncover(item)
            else:
                return

    def failure(self, item: int) -> Failure:
        """The cell, or the house and the symbol, that an item stands for."""
        if item <= self.cell_count:
            return item - 1
        house, symbol = divmod(item - self.cell_count - 1, self.order)
        return house, symbol + 1
