"""Search with propagation: a settled cell takes its symbol from its peers.

The idea: every cell keeps its candidates. Assigning a symbol removes it from the peers; a peer that is left
with one candidate is assigned in turn, a peer left with none is a dead end. When nothing moves any more,
the cell with the fewest candidates is tried, on a copy of the candidates for each branch, so that there is
nothing to undo. Cost: a copy and its propagation for each node, which is dear, and far fewer nodes.

Modelled on Peter Norvig, "Solving Every Sudoku Puzzle" (2006), without his second rule (a symbol with one
place left in a house goes there): only what the name says.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable

from gridproof.backends.protocol import Backend
from gridproof.backends.search.session import Journal, SearchBackend
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, Grid


def backends() -> Iterable[Backend]:
    """The backends of this module."""
    return [SearchBackend("search-propagate", "assign and remove, then the cell with fewest candidates", Propagate)]


class Propagate:
    """Candidates as masks; propagation; fewest candidates first; a copy for each branch."""

    def __init__(self, geometry: Geometry) -> None:
        self._peers = geometry.peers

    def search(self, board: Board, journal: Journal) -> Generator[Grid, None, None]:
        """Each solution once; see ``Strategy.search``."""
        journal.propagations = 0
        masks = list(board.candidates)
        failed = self.propagate(masks, [cell for cell, mask in enumerate(masks) if not mask & (mask - 1)], journal)
        if failed is not None:
            journal.dead_end(failed)
            return
        branches: list[tuple[list[int], int, list[int]]] = []  # candidates, the cell chosen, its bits still to try
        while True:
            open_cells = [(mask.bit_count(), cell) for cell, mask in enumerate(masks) if mask & (mask - 1)]
            if open_cells:
                cell = min(open_cells)[1]
                bits = [1 << place for place in reversed(range(masks[cell].bit_length())) if masks[cell] >> place & 1]
                branches.append((masks, cell, bits))
            else:
                yield tuple([mask.bit_length() for mask in masks])
            while branches:
                before, cell, bits = branches[-1]
                if not bits:
                    branches.pop()
                    continue
                masks = before.copy()
                masks[cell] = bits.pop()
                journal.place(len(branches), cell, masks[cell].bit_length())
                failed = self.propagate(masks, [cell], journal)
                if failed is None:
                    break
                journal.dead_end(failed)
            else:
                return

    def propagate(self, masks: list[int], settled: list[int], journal: Journal) -> int | None:
        """Take the symbols of the ``settled`` cells from their peers, and so on; the cell left empty, if any."""
        for cell in settled:  # the list grows while it is walked
            bit = masks[cell]
            for peer in self._peers[cell]:
                if masks[peer] & bit:
                    mask = masks[peer] = masks[peer] ^ bit
                    if not mask:
                        return peer
                    if not mask & (mask - 1):
                        journal.settled(peer, mask.bit_length())
                        settled.append(peer)
        return None
