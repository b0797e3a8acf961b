"""The lanes of a batch in NumPy: what ``lane_steps`` does to one lane, done to all lanes at rest at once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gridproof.lanes.layout import Layout

Bits = NDArray[np.uint8]
Numbers = NDArray[np.int64]

WORTH_SHARING = 8
"""A search of fewer branches is left to its own lane: it is soon over."""

OWN, SHARED, WITHDRAWN, ALONE = 0, 1, 2, 3
"""How a puzzle is searched: by one lane so far; by several; not at present, to be searched once more; by one lane."""


def branch_cells(layout: Layout, bits: Bits) -> Numbers:
    """The cell to branch on for each of ``bits`` (lanes, cells, order), chosen as ``rounds.choose_cells`` says."""
    counts = bits.sum(axis=2, dtype=np.uint8)
    pairs = counts == 2
    in_house = np.minimum(pairs[:, layout.houses].sum(axis=2), 3)
    scores = np.where(pairs, in_house @ _membership(layout) & 15, 0)
    smallest = np.where(counts > 1, counts, 255).argmin(axis=1)
    return np.asarray(np.where(scores.any(axis=1), scores.argmax(axis=1), smallest))


@lru_cache(maxsize=64)
def _membership(layout: Layout) -> Numbers:
    matrix = np.zeros((len(layout.houses), layout.cell_count), np.int64)
    for cell, houses in enumerate(layout.houses_of):
        matrix[list(houses), cell] = 1
    return matrix


class Batch:
    """Which puzzle each lane searches, from which depth on, its depth and stored branches; results by puzzle."""

    def __init__(
        self,
        layout: Layout,
        clues: Bits,
        masks: NDArray[np.uint32],
        max_depth: int,
        max_branches: int,
        lanes: int,
    ) -> None:
        self.layout, self.clues, self.masks = layout, clues, masks
        self.max_depth, self.max_branches = max_depth, max_branches
        self.puzzle = np.full(lanes, -1, np.int64)
        self.base = np.zeros(lanes, np.int64)
        self.depth = np.zeros(lanes, np.int64)
        self.stack = np.empty((lanes, max_depth, -(-layout.candidate_count // 8)), np.uint8)
        self.waiting = 0
        self.again: list[int] = []
        self.mode = np.zeros(len(clues), np.uint8)
        self.codes = np.zeros(len(clues), np.uint8)
        self.first = np.zeros(clues.shape, np.uint8)
        self.second = np.zeros(clues.shape, np.uint8)
        self.branches = np.zeros(len(clues), np.int64)

    @property
    def busy(self) -> int:
        """Number of lanes at work."""
        return int((self.puzzle >= 0).sum())

    @property
    def waits(self) -> bool:
        """Whether puzzles wait for their first search."""
        return self.waiting < len(self.clues)

    def gather(self) -> Numbers:
        """At the end of a batch, keep half as many lanes again as are at work, in front. Returns which these were."""
        at_work = np.flatnonzero(self.puzzle >= 0)
        lanes = 64 * -(-3 * len(at_work) // 128)
        kept = np.concatenate([at_work, np.flatnonzero(self.puzzle < 0)])[:lanes]
        self.puzzle, self.base, self.depth = self.puzzle[kept], self.base[kept], self.depth[kept]
        self.stack = self.stack[kept]
        return at_work

    def attend(self, lanes: Numbers, bits: Bits, conflict: NDArray[np.bool_]) -> Bits:
        """See to ``lanes`` at rest, whose candidates are ``bits``. Returns what they go on with."""
        puzzles = self.puzzle[lanes]
        at_work = puzzles >= 0
        solved = at_work & ~conflict & (bits.sum(axis=2, dtype=np.uint8) == 1).all(axis=1)
        undecided = at_work & ~conflict & ~solved
        over = ~at_work
        over[solved] = self._record(puzzles[solved], bits[solved])
        deep = undecided & ((self.depth[lanes] == self.max_depth) | (self.branches[puzzles] >= self.max_branches))
        shared = self.mode[puzzles] == SHARED
        self.mode[puzzles[deep & shared]] = WITHDRAWN
        self.codes[puzzles[deep & ~shared]] = 3
        over |= deep
        self._branch(lanes, bits, np.flatnonzero(undecided & ~deep))
        back = ~over & (conflict | solved)
        over |= back & (self.depth[lanes] == self.base[lanes])
        over |= at_work & (self.mode[puzzles] == WITHDRAWN)
        back &= ~over
        slots = lanes[back]
        self.depth[slots] -= 1
        bits[back] = self._stored(slots, self.depth[slots])
        self.puzzle[lanes[over]] = -1
        self._repeat(np.unique(puzzles[over & at_work]))
        free = np.flatnonzero(over)
        bits[free] = 0
        following = self._next_puzzles(len(free))
        taken = free[: len(following)]
        self.puzzle[lanes[taken]] = following
        self.base[lanes[taken]] = 0
        self.depth[lanes[taken]] = 0
        bits[taken] = self._candidates(following)
        return bits

    def share(self) -> tuple[Numbers, Bits]:
        """Give idle lanes the oldest stored branches of busy ones, one from each: the lanes and their candidates.

        The oldest has most of the search below it. Without this the few longest searches would end a batch alone.
        """
        idle = np.flatnonzero(self.puzzle < 0)
        giving = (self.puzzle >= 0) & (self.depth > self.base) & (self.mode[self.puzzle] <= SHARED)
        givers = np.flatnonzero(giving & (self.branches[self.puzzle] >= WORTH_SHARING))[: len(idle)]
        idle = idle[: len(givers)]
        bits = self._stored(givers, self.base[givers])
        self.puzzle[idle] = self.puzzle[givers]
        self.mode[self.puzzle[givers]] = SHARED
        self.base[idle] = self.depth[idle] = self.base[givers]
        self.base[givers] += 1
        return idle, bits

    def _record(self, puzzles: Numbers, bits: Bits) -> NDArray[np.bool_]:
        """Record a grid for each of ``puzzles`` (shared ones may come repeatedly). Returns whose search that ends."""
        found = self.codes.astype(np.int64)
        np.add.at(found, puzzles, 1)
        self.mode[puzzles[(found[puzzles] > 1) & (self.mode[puzzles] == SHARED)]] = WITHDRAWN
        withdrawn = self.mode[puzzles] == WITHDRAWN
        grids = bits.argmax(axis=2).astype(np.uint8) + np.uint8(1)
        earlier = self.codes[puzzles] > 0
        fresh = ~earlier & ~withdrawn
        other = earlier & ~withdrawn
        self.first[puzzles[fresh]] = grids[fresh]
        self.second[puzzles[other]] = grids[other]
        self.codes[puzzles[~withdrawn]] += 1
        return np.asarray(earlier | withdrawn)

    def _branch(self, lanes: Numbers, bits: Bits, chosen: Numbers) -> None:
        """Fix the first symbol of the cell to branch on, and store the lane without that symbol."""
        slots = lanes[chosen]
        puzzles = self.puzzle[slots]
        np.add.at(self.branches, puzzles, 1)
        # Several lanes of one puzzle can pass the bound in one step; a lane alone stops before it.
        self.mode[puzzles[self.branches[puzzles] > self.max_branches]] = WITHDRAWN
        cells = branch_cells(self.layout, bits[chosen])
        symbols = bits[chosen, cells].argmax(axis=1)
        bits[chosen, cells, symbols] = 0
        packed = np.packbits(bits[chosen].reshape(len(chosen), self.layout.candidate_count), axis=1)
        self.stack[slots, self.depth[slots]] = packed
        bits[chosen, cells] = 0
        bits[chosen, cells, symbols] = 1
        self.depth[slots] += 1

    def _repeat(self, puzzles: Numbers) -> None:
        """Line up again those of ``puzzles`` that were withdrawn and that no lane searches any more."""
        withdrawn = puzzles[self.mode[puzzles] == WITHDRAWN]
        withdrawn = withdrawn[~np.isin(withdrawn, self.puzzle)]
        self.mode[withdrawn] = ALONE
        self.codes[withdrawn] = 0
        self.branches[withdrawn] = 0
        self.first[withdrawn] = 0
        self.again += withdrawn.tolist()

    def _next_puzzles(self, count: int) -> Numbers:
        """Up to ``count`` puzzles to be searched: first those to be repeated, then those that wait."""
        repeated, self.again = self.again[:count], self.again[count:]
        end = min(self.waiting + count - len(repeated), len(self.clues))
        following = np.array([*repeated, *range(self.waiting, end)], np.int64)
        self.waiting = end
        return following

    def _candidates(self, puzzles: Numbers) -> Bits:
        """The candidates given for ``puzzles``: (puzzles, cells, order)."""
        symbols = np.arange(1, self.layout.order + 1)
        if len(self.masks):
            return np.asarray(self.masks[puzzles][:, :, None] >> (symbols - 1).astype(np.uint32) & 1, np.uint8)
        clues = self.clues[puzzles][:, :, None]
        return np.asarray((clues == symbols) | (clues == 0), np.uint8)

    def _stored(self, slots: Numbers, depth: Numbers) -> Bits:
        """The branches that ``slots`` stored at ``depth``."""
        flat = np.unpackbits(self.stack[slots, depth], axis=1, count=self.layout.candidate_count)
        return flat.reshape(len(slots), self.layout.cell_count, self.layout.order)
