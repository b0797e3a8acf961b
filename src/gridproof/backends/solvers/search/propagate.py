"""Search with propagation: a settled cell takes its symbol from its peers.

The idea: every cell keeps its candidates. Assigning a symbol removes it from the peers; a peer that is left
with one candidate is assigned in turn, a peer left with none is a dead end. When nothing moves any more,
the cell with the fewest candidates is tried, on a copy of the candidates for each branch, so that there is
nothing to undo. Cost: a copy and its propagation for each node, which is dear, and far fewer nodes.

Modelled on Peter Norvig, "Solving Every Sudoku Puzzle" (2006), without his second rule (a symbol with one
place left in a house goes there): only what the name promises. ``search-norvig`` has both.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import ClassVar

from gridproof.backends.solvers.search.session import Failure, Journal, SearchBackend, small_tests
from gridproof.backends.solvers.search.walk import depth_first
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, Grid
from gridproof.rules.primitives import Cells, Primitive, Relation


def backends() -> list[SearchBackend]:
    """Return the backends of this module."""
    return [SearchBackend("search-propagate", "naked singles, then the cell with fewest candidates", Propagate)]


class Propagate:
    """Candidates as masks; propagation; fewest candidates first; a copy for each branch."""

    knows_rules: ClassVar[bool] = True

    def __init__(self, geometry: Geometry) -> None:
        self._peers = geometry.peers

    def search(self, board: Board, journal: Journal) -> Generator[Grid, None, None]:
        """Each solution once; see ``Strategy.search``."""
        journal.propagations = 0
        masks = list(board.candidates)
        self._load(board)
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
                    if (failed := self.propagate(masks, [cell], journal)) is None:
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

    def _load(self, board: Board) -> None:
        """The rules of a board by cell: partners in pairs, with what fits each symbol; and tests of settled cells."""
        self._partners: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
        self._tests: dict[int, list[tuple[Cells, Primitive]]] = {}
        for cells, part in small_tests(board):
            if isinstance(part, Relation) and cells[0] != cells[1]:
                allowed, symbols = part.allowed, range(board.geometry.order)
                backwards = tuple(sum((allowed[a] >> b & 1) << a for a in symbols) for b in symbols)
                self._partners.setdefault(cells[0], []).append((cells[1], allowed))
                self._partners.setdefault(cells[1], []).append((cells[0], backwards))
            else:
                for cell in set(cells):
                    self._tests.setdefault(cell, []).append((cells, part))

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
