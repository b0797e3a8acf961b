"""Algorithm X with dancing links.

A solution is a choice of options (cell, symbol) that covers every item (each cell, each symbol of each
house) exactly once. A symbol of a house with fewer cells than symbols is a *secondary* item: it is covered at
most once, and never chosen. The options of an item hang in a circular list; choosing an option unlinks what it
rules out, and links that were cut still hold their old places. The item with fewest options is covered
first. Cost: a walk over all that a choice rules out, there and back, for each node; few nodes. Modelled on
Donald Knuth, "Dancing Links" (2000).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from copy import copy
from functools import lru_cache

from gridproof.backends.solvers.search.session import Failure, Journal, SearchBackend, depth_first
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple


def backends() -> list[SearchBackend]:
    """Return the backends of this module."""
    summary = "Algorithm X with dancing links, smallest item first"
    return [SearchBackend("search-exact-cover", summary, exact_cover, houses_only=True)]


def exact_cover(board: Board, journal: Journal) -> Generator[SymbolTuple, None, None]:
    """Search for covers of the board's items."""
    return _linked(board.geometry).copy().search(board, journal)


class ExactCover:
    """The links of an exact cover problem, as integers in Python lists.

    Items are cells, then the symbols of each house, from 1. They are linked left and right in a ring through 0. An
    option is a cell with a symbol; it has one node for each item it covers. The nodes of an item are linked up and down
    in a ring through the item itself. A node that is unlinked keeps its own links, so that it can be put back, in the
    reverse order.
    """

    def __init__(self, geometry: Geometry) -> None:
        self.symbol_count, self.cell_count = geometry.symbol_count, geometry.cell_count
        headers = range(self.cell_count + len(geometry.houses) * self.symbol_count + 1)
        self.left = [(item - 1) % len(headers) for item in headers]
        self.right = [(item + 1) % len(headers) for item in headers]
        self.up = list(headers)
        self.down = list(headers)
        self.size = [0] * len(headers)
        # What follows is the same for all copies: the item and the option of a node, the other nodes of its option.
        self.item = list(headers)
        self.option = [(0, 0)] * len(headers)
        self.others: list[tuple[int, ...]] = [()] * len(headers)
        self.nodes: dict[tuple[int, int], range] = {}  # of each option
        for cell in range(self.cell_count):
            for symbol in range(1, self.symbol_count + 1):
                houses = [self.cell_count + house * self.symbol_count + symbol for house in geometry.houses_of[cell]]
                nodes = self.nodes[cell, symbol] = range(len(self.item), len(self.item) + 1 + len(houses))
                for node, item in zip(nodes, (cell + 1, *houses), strict=True):
                    self.item.append(item)
                    self.option.append((cell, symbol))
                    self.others.append(tuple(other for other in nodes if other != node))
                    last = self.up[item]
                    self.up.append(last)
                    self.down.append(item)
                    self.down[last] = self.up[item] = node
                    self.size[item] += 1
        for number, house in enumerate(geometry.houses):
            if not geometry.is_full(house):
                self._leave_out(self.cell_count + number * self.symbol_count)

    def _leave_out(self, before: int) -> None:
        """Take the items of a house, which follow one item, out of the ring of those that have to be covered."""
        for item in range(before + 1, before + self.symbol_count + 1):
            left, right = self.left[item], self.right[item]
            self.right[left], self.left[right] = right, left
            self.left[item] = self.right[item] = item

    def copy(self) -> ExactCover:
        """Return the same problem with links of its own."""
        twin = copy(self)
        twin.left = self.left.copy()
        twin.right = self.right.copy()
        twin.size = self.size.copy()
        twin.up = self.up.copy()
        twin.down = self.down.copy()
        return twin

    def search(self, board: Board, journal: Journal) -> Generator[SymbolTuple, None, None]:
        """Yield each solution once. The links are those of the board from now on."""
        grid = list(board.clues)
        marks = board.marks or ()
        for (cell, symbol), nodes in self.nodes.items() if marks else ():
            if not marks[cell] >> (symbol - 1) & 1:
                self._unlink(nodes)
        for cell, clue in enumerate(board.clues):
            if clue:
                for node in self.nodes[cell, clue]:
                    self._cover(self.item[node])

        def tried(depth: int, item: int) -> Generator[int, None, None]:
            if not self.size[item]:
                journal.dead_end(self._failure(item))
            self._cover(item)
            node = self.down[item]
            while node != item:
                cell, symbol = self.option[node]
                grid[cell] = symbol
                journal.place(depth, cell, symbol)
                for other in self.others[node]:
                    self._cover(self.item[other])
                yield node
                for other in reversed(self.others[node]):
                    self._uncover(self.item[other])
                node = self.down[node]
            self._uncover(item)

        def choices(depth: int, last: int) -> Generator[int, None, None] | None:
            item = self._smallest()
            return tried(depth, item) if item else None

        yield from depth_first(0, choices, lambda last: tuple(grid))

    def _failure(self, item: int) -> Failure:
        """Return the cell, or the house and the symbol, that an item stands for."""
        if item <= self.cell_count:
            return item - 1
        house, symbol = divmod(item - self.cell_count - 1, self.symbol_count)
        return house, symbol + 1

    def _smallest(self) -> int:
        """Return the first item with the fewest options left; 0 when every item is covered."""
        right, size = self.right, self.size
        item = best = right[0]
        while item:
            if size[item] < size[best]:
                best = item
                if not size[best]:
                    break
            item = right[item]
        return best

    def _cover(self, item: int) -> None:
        """Take an item from the items and its options from all other items."""
        left, right = self.left[item], self.right[item]
        self.right[left], self.left[right] = right, left
        node = self.down[item]
        while node != item:
            self._unlink(self.others[node])
            node = self.down[node]

    def _uncover(self, item: int) -> None:
        """Undo ``_cover``, step by step in reverse."""
        up, down, size, items = self.up, self.down, self.size, self.item
        node = up[item]
        while node != item:
            for other in reversed(self.others[node]):
                up[down[other]] = down[up[other]] = other
                size[items[other]] += 1
            node = up[node]
        self.right[self.left[item]] = self.left[self.right[item]] = item

    def _unlink(self, nodes: Iterable[int]) -> None:
        up, down = self.up, self.down
        for node in nodes:
            above, below = up[node], down[node]
            down[above], up[below] = below, above
            self.size[self.item[node]] -= 1


_linked = lru_cache(maxsize=4)(ExactCover)
