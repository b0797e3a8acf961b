"""Algorithm X with dancing links.

A solution is a choice of options (cell, symbol) that covers every item (each cell, each symbol of each
house) exactly once. The options of an item hang in a circular list; choosing an option unlinks what it
rules out, and links that were cut still hold their old places. The item with fewest options is covered
first. Cost: a walk over all that a choice rules out, there and back, for each node; few nodes. Modelled on
Donald Knuth, "Dancing Links" (2000).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from copy import copy
from functools import lru_cache

from gridproof.backends.solvers.search.session import Failure, Journal, SearchBackend, depth_first
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, Grid


def backends() -> list[SearchBackend]:
    """Return the backends of this module."""
    summary = "Algorithm X with dancing links, smallest item first"
    return [SearchBackend("search-exact-cover", summary, exact_cover, houses_only=True)]


def exact_cover(board: Board, journal: Journal) -> Generator[Grid, None, None]:
    """Search for covers of the board's items."""
    return _linked(board.geometry).search(board, journal)


class ExactCover:
    """Items: cells, then the symbols of each house, from 1. Options: (cell, symbol). Linked once for a geometry."""

    def __init__(self, geometry: Geometry) -> None:
        self.order, self.cell_count = geometry.order, geometry.cell_count
        self.choices = [(cell, symbol) for cell in range(self.cell_count) for symbol in range(1, self.order + 1)]
        options = []
        for cell, symbol in self.choices:
            houses = geometry.houses_of[cell]
            options.append([cell + 1] + [self.cell_count + house * self.order + symbol for house in houses])
        self.links = Links(self.cell_count + len(geometry.houses) * self.order, options)

    def search(self, board: Board, journal: Journal) -> Generator[Grid, None, None]:
        """Each solution once."""
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
                for other in links.others[node]:
                    links.cover(links.item[other])
                yield node
                for other in reversed(links.others[node]):
                    links.uncover(links.item[other])
                node = links.down[node]
            links.uncover(item)

        def choices(depth: int, last: int) -> Generator[int, None, None] | None:
            item = links.smallest()
            return tried(depth, item) if item else None

        yield from depth_first(0, choices, lambda last: tuple(grid))

    def failure(self, item: int) -> Failure:
        """The cell, or the house and the symbol, that an item stands for."""
        if item <= self.cell_count:
            return item - 1
        house, symbol = divmod(item - self.cell_count - 1, self.order)
        return house, symbol + 1


_linked = lru_cache(maxsize=4)(ExactCover)


class Links:
    """The links of an exact cover problem, as integers in Python lists: ``options`` gives the items of each option.

    Items are 1 .. ``item_count`` and are linked left and right in a ring through 0. Every option has one node for each
    item it covers; the nodes of an item are linked up and down in a ring through the item itself. A node that is
    unlinked keeps its own links, so that it can be put back, in the reverse order.
    """

    def __init__(self, item_count: int, options: Sequence[Sequence[int]]) -> None:
        headers = range(item_count + 1)
        self.left = [(item - 1) % len(headers) for item in headers]
        self.right = [(item + 1) % len(headers) for item in headers]
        self.up, self.down, self.size = list(headers), list(headers), [0] * len(headers)
        # What follows is the same for all copies: the item and the option of a node, the other nodes of its option.
        self.item = list(headers)
        self.option = [-1] * len(headers)
        self.others: list[tuple[int, ...]] = [()] * len(headers)
        self.first: list[int] = []  # the first node of each option
        for option, items in enumerate(options):
            first = len(self.item)
            self.first.append(first)
            nodes = range(first, first + len(items))
            for node, item in zip(nodes, items, strict=True):
                self.item.append(item)
                self.option.append(option)
                self.others.append(tuple(other for other in nodes if other != node))
                last = self.up[item]
                self.up.append(last)
                self.down.append(item)
                self.down[last] = self.up[item] = node
                self.size[item] += 1

    def copy(self) -> Links:
        """The same problem with links of its own."""
        twin = copy(self)
        twin.left, twin.right, twin.size = self.left.copy(), self.right.copy(), self.size.copy()
        twin.up, twin.down = self.up.copy(), self.down.copy()
        return twin

    def items_of(self, option: int) -> list[int]:
        """The items that an option covers."""
        first = self.first[option]
        return [self.item[node] for node in (first, *self.others[first])]

    def smallest(self) -> int:
        """The first item with the fewest options left; 0 when every item is covered."""
        right, size = self.right, self.size
        item = best = right[0]
        while item:
            if size[item] < size[best]:
                best = item
                if not size[best]:
                    break
            item = right[item]
        return best

    def drop(self, option: int) -> None:
        """Take an option out for good, before anything is covered."""
        first = self.first[option]
        self._unlink((first, *self.others[first]))

    def cover(self, item: int) -> None:
        """Take an item from the items and its options from all other items."""
        left, right = self.left[item], self.right[item]
        self.right[left], self.left[right] = right, left
        node = self.down[item]
        while node != item:
            self._unlink(self.others[node])
            node = self.down[node]

    def uncover(self, item: int) -> None:
        """Undo ``cover``, step by step in reverse."""
        up, down, size, items = self.up, self.down, self.size, self.item
        node = up[item]
        while node != item:
            for other in reversed(self.others[node]):
                up[down[other]] = down[up[other]] = other
                size[items[other]] += 1
            node = up[node]
        self.right[self.left[item]] = self.left[self.right[item]] = item

    def _unlink(self, nodes: tuple[int, ...]) -> None:
        up, down = self.up, self.down
        for node in nodes:
            above, below = up[node], down[node]
            down[above], up[below] = below, above
            self.size[self.item[node]] -= 1
