"""Search with propagation: a settled cell takes its symbol from its peers, and a symbol goes where it must.

``search-propagate`` has the first of these rules. Every cell keeps its candidates. Assigning a symbol removes it from
the peers; a peer that is left with one candidate is assigned in turn, a peer left with none is a dead end. When nothing
moves any more, the cell with the fewest candidates is tried, on a copy of the candidates for each branch, so that there
is nothing to undo. Cost: a copy and its propagation for each node, which is expensive, and far fewer nodes.

``search-norvig`` has both: a symbol with one place left in a house goes there, too. Neither rule alone is strong;
together they solve many puzzles without a choice, and on the others they cut the tree from thousands of nodes to tens.
Of the cells with fewest candidates that one is tried with most peers of two candidates to which a symbol of it is one:
each of these is settled by a branch. Cost: a look at every cell of every house each time; choosing that cell halves the
tree of a hard puzzle.

Modelled on Peter Norvig, "Solving Every Sudoku Puzzle" (2006), who takes any of the cells with fewest candidates.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

from gridproof.backends.solvers.search.session import Failure, Journal, SearchBackend, depth_first, small_tests
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.rules.primitives import Primitive, Relation


def backends() -> list[SearchBackend]:
    """Return the backends of this module."""
    return [
        SearchBackend("search-propagate", "naked singles, then the cell with fewest candidates", propagate),
        SearchBackend("search-norvig", "naked and hidden singles, then a cell with fewest candidates", norvig),
    ]


def propagate(board: Board, journal: Journal) -> Generator[SymbolTuple, None, None]:
    """Search with the first rule."""
    return Propagation(board).search(journal)


def norvig(board: Board, journal: Journal) -> Generator[SymbolTuple, None, None]:
    """Search with both rules."""
    return BothRules(board).search(journal)


def turn_around(allowed: Sequence[int], symbol_count: int) -> tuple[int, ...]:
    """Return for each symbol of the second cell the mask of those that fit in the first. allowed: the other way."""
    backwards = [0] * symbol_count
    for first in range(symbol_count):
        for second in range(symbol_count):
            if allowed[first] >> second & 1:
                backwards[second] |= 1 << first
    return tuple(backwards)


class Propagation:
    """Candidates as masks; propagation; fewest candidates first; a copy for each branch.

    The rules of the board lie by cell: partners in pairs, with what fits each symbol; and tests of settled cells.
    """

    def __init__(self, board: Board) -> None:
        self._peers = board.geometry.peers
        self._board = board
        self._partners: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
        self._tests: dict[int, list[tuple[set[int], Primitive]]] = {}
        for cells, part in small_tests(board):
            if isinstance(part, Relation) and len(cells) == 2:
                allowed = part.allowed
                first, second = part.pairs[0]
                backwards = turn_around(allowed, board.geometry.symbol_count)
                self._partners.setdefault(first, []).append((second, allowed))
                self._partners.setdefault(second, []).append((first, backwards))
            else:
                for cell in cells:
                    self._tests.setdefault(cell, []).append((cells, part))

    def search(self, journal: Journal) -> Generator[SymbolTuple, None, None]:
        """Each solution once."""
        journal.propagations = 0
        masks = list(self._board.candidates)
        failed = self.propagate(masks, [cell for cell, mask in enumerate(masks) if not mask & (mask - 1)], journal)
        if failed is not None:
            journal.dead_end(failed)
            return

        def tried(depth: int, before: list[int], cell: int) -> Generator[list[int], None, None]:
            for place in range(before[cell].bit_length()):
                if before[cell] >> place & 1:
                    masks = before.copy()
                    masks[cell] = 1 << place
                    journal.place(depth, cell, place + 1)
                    failed = self.propagate(masks, [cell], journal)
                    if failed is None:
                        yield masks
                    else:
                        journal.dead_end(failed)

        def choices(depth: int, masks: list[int]) -> Generator[list[int], None, None] | None:
            cell = self.choose(masks)
            return None if cell is None else tried(depth, masks, cell)

        yield from depth_first(masks, choices, lambda masks: tuple([mask.bit_length() for mask in masks]))

    def choose(self, masks: list[int]) -> int | None:
        """The cell to branch on; none if all are settled."""
        open_cells = [(mask.bit_count(), cell) for cell, mask in enumerate(masks) if mask & (mask - 1)]
        return min(open_cells)[1] if open_cells else None

    def propagate(self, masks: list[int], settled: list[int], journal: Journal) -> Failure | None:
        """Take the symbols of the ``settled`` cells from their peers, and so on; the cell left empty, if any."""
        for cell in settled:  # the list grows while it is walked
            bit = masks[cell]
            for other, fitting in self._partners.get(cell, ()):
                mask = masks[other] & fitting[bit.bit_length() - 1]
                if not mask:
                    return other
                if mask != masks[other]:
                    masks[other] = mask
                    if not mask & (mask - 1):
                        journal.settled(other, mask.bit_length())
                        settled.append(other)
            for cells, test in self._tests.get(cell, ()):
                filled = all(not masks[c] & (masks[c] - 1) for c in cells)
                if filled and not test.allows([mask.bit_length() for mask in masks]):
                    return cell
            for peer in self._peers[cell]:
                if masks[peer] & bit:
                    mask = masks[peer] = masks[peer] ^ bit
                    if not mask:
                        return peer
                    if not mask & (mask - 1):
                        journal.settled(peer, mask.bit_length())
                        settled.append(peer)
        return None


class BothRules(Propagation):
    """Both rules; of the cells with fewest candidates the one whose branches settle most."""

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        # of the others, a symbol with one place left need not stand there
        geometry = board.geometry
        self._full_houses = []
        for index, house in enumerate(geometry.houses):
            if geometry.is_full(house):
                self._full_houses.append((index, house.cells))
        self._every_symbol = geometry.every_symbol

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
            for index, cells in self._full_houses:
                once = twice = 0
                for cell in cells:
                    twice |= once & masks[cell]
                    once |= masks[cell]
                if once != self._every_symbol:
                    return index, (~once & (once + 1)).bit_length()
                hidden = once & ~twice
                if not hidden:
                    continue
                for cell in cells:
                    mask = masks[cell]
                    symbols = mask & hidden
                    if symbols and mask & (mask - 1):
                        if symbols & (symbols - 1):
                            return cell
                        masks[cell] = symbols
                        journal.settled(cell, symbols.bit_length())
                        settled.append(cell)
            if not settled:
                return None
