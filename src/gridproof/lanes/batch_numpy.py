"""The lanes of a batch in NumPy: the steps of ``lane_steps`` and the choice of a candidate, for all lanes at once."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gridproof.lanes.layout import ALONE, DIVING_ROOM, PATIENCE, SHARED, WITHDRAWN, Layout
from gridproof.lanes.search_task import FollowUp, Numbers, SearchResult, SearchTask

Bits = NDArray[np.uint8]
Words = NDArray[np.uint64]


def unpack_bits(rows: Words, count: int) -> Bits:
    """Return the first ``count`` bits of each of ``rows``, a byte each."""
    return np.unpackbits(rows.astype("<u8", copy=False).view(np.uint8), axis=1, count=count, bitorder="little")


def pack_bits(bits: Bits, words: int) -> Words:
    """Return the inverse of ``unpack_bits``: rows of so many words."""
    rows = np.zeros((len(bits), 8 * words), np.uint8)
    octets = np.packbits(bits, axis=1, bitorder="little")
    rows[:, : octets.shape[1]] = octets
    return rows.view("<u8").astype(np.uint64, copy=False)


class Batch:
    """The puzzle of each lane, its stored branches and its depth; results by puzzle.

    base, top: the first and the next row of its stack. level: its depth. levels: those of the rows of its stack. The
    candidates of a lane are here a row of ``words`` words.
    """

    def __init__(self, task: SearchTask, lanes: int, follow_up: FollowUp | None) -> None:
        self.layout = task.layout
        self.follow_up = follow_up
        self.clues = task.clues if follow_up is None else task.clues.copy()
        self.masks = task.masks
        self.max_depth = task.max_depth
        self.max_branches = task.max_branches
        self.worth_sharing = task.worth_sharing
        self.puzzle = np.full(lanes, -1, np.int64)
        self.base = np.zeros(lanes, np.int64)
        self.top = np.zeros(lanes, np.int64)
        self.level = np.zeros(lanes, np.int64)
        self.words = -(-task.layout.candidate_count // 64)
        self.stack = np.empty((task.max_depth + DIVING_ROOM, lanes, self.words), np.uint64)
        self.levels = np.zeros((task.max_depth + DIVING_ROOM, lanes), np.int64)
        self.waiting = 0
        self.again: list[int] = []
        self.mode = np.zeros(len(task.clues), np.uint8)
        self.found = SearchResult.blank(task)
        self.codes, self.first, self.second, self.branches = self.found

    @property
    def busy(self) -> int:
        """Number of lanes at work."""
        return int((self.puzzle >= 0).sum())

    def gather(self) -> Numbers:
        """At the end of a batch, keep half as many lanes again as are at work, in front. Returns which these were."""
        at_work = np.flatnonzero(self.puzzle >= 0)
        lanes = 64 * -(-3 * len(at_work) // 128)
        kept = np.concatenate([at_work, np.flatnonzero(self.puzzle < 0)])[:lanes]
        self.puzzle = self.puzzle[kept]
        self.base = self.base[kept]
        self.top = self.top[kept]
        self.level = self.level[kept]
        self.levels = self.levels[:, kept]
        used = int(self.top.max())
        stack = np.empty((len(self.stack), len(kept), self.words), np.uint64)
        stack[:used] = self.stack[:used, kept]
        self.stack = stack
        return at_work

    def attend(self, lanes: Numbers, rows: Words, conflict: NDArray[np.bool_], solved: NDArray[np.bool_]) -> Words:
        """See to ``lanes`` at rest, whose candidates are ``rows``. Returns what they go on with."""
        puzzles = self.puzzle[lanes]
        at_work = puzzles >= 0
        solved = at_work & solved
        undecided = at_work & ~conflict & ~solved
        over = ~at_work
        over[solved] = self._record(puzzles[solved], rows[solved])
        deep = undecided & ((self.level[lanes] == self.max_depth) | (self.branches[puzzles] >= self.max_branches))
        shared = self.mode[puzzles] == SHARED
        self.mode[puzzles[deep & shared]] = WITHDRAWN
        self.codes[puzzles[deep & ~shared]] = 3
        over |= deep
        self._branch(lanes, rows, np.flatnonzero(undecided & ~deep))
        back = ~over & (conflict | solved)
        over |= back & (self.top[lanes] == self.base[lanes])
        over |= at_work & (self.mode[puzzles] == WITHDRAWN)
        back &= ~over
        rows[back] = self._go_back(lanes[back])
        self.puzzle[lanes[over]] = -1
        self._end(np.unique(puzzles[over & at_work]))
        free = np.flatnonzero(over)
        rows[free] = 0
        following = self._next_puzzles(len(free))
        taken = free[: len(following)]
        self.puzzle[lanes[taken]] = following
        self.base[lanes[taken]] = 0
        self.top[lanes[taken]] = 0
        self.level[lanes[taken]] = 0
        rows[taken] = self._candidates(following)
        return rows

    def share(self) -> tuple[Numbers, Words]:
        """Give idle lanes the oldest stored branches of busy ones, one from each: the lanes and their candidates.

        The oldest has most of the search below it. Without this the few longest searches would end a batch alone.
        """
        idle = np.flatnonzero(self.puzzle < 0)
        giving = (self.puzzle >= 0) & (self.top > self.base) & (self.mode[self.puzzle] <= SHARED)
        givers = np.flatnonzero(giving & (self.branches[self.puzzle] >= self.worth_sharing))[: len(idle)]
        idle = idle[: len(givers)]
        rows = self.stack[self.base[givers], givers]
        self.puzzle[idle] = self.puzzle[givers]
        self.mode[self.puzzle[givers]] = SHARED
        self.base[idle] = self.top[idle] = self.base[givers]
        self.level[idle] = self.levels[self.base[givers], givers]
        self.base[givers] += 1
        return idle, rows

    def _record(self, puzzles: Numbers, rows: Words) -> NDArray[np.bool_]:
        """Record a grid for each of ``puzzles`` (shared ones may come repeatedly). Returns whose search that ends."""
        totals = self.codes.astype(np.int64)
        np.add.at(totals, puzzles, 1)
        self.mode[puzzles[(totals[puzzles] > 1) & (self.mode[puzzles] == SHARED)]] = WITHDRAWN
        withdrawn = self.mode[puzzles] == WITHDRAWN
        bits = unpack_bits(rows, self.layout.candidate_count)
        symbols = np.flatnonzero(bits.view(np.bool_)) % self.layout.order + 1
        grids = symbols.astype(np.uint8).reshape(len(rows), self.layout.cell_count)
        earlier = self.codes[puzzles] > 0
        fresh = ~earlier & ~withdrawn
        other = earlier & ~withdrawn
        self.first[puzzles[fresh]] = grids[fresh]
        self.second[puzzles[other]] = grids[other]
        self.codes[puzzles[~withdrawn]] += 1
        return np.asarray(earlier | withdrawn)

    def _branch(self, lanes: Numbers, rows: Words, chosen: Numbers) -> None:
        """Take the candidate to branch on, and store the lane without it."""
        slots = lanes[chosen]
        puzzles = self.puzzle[slots]
        np.add.at(self.branches, puzzles, 1)
        # Several lanes of one puzzle can pass the bound in one step; a lane alone stops before it.
        self.mode[puzzles[self.branches[puzzles] > self.max_branches]] = WITHDRAWN
        before = rows[chosen]
        count = self.layout.candidate_count
        candidates = choose_candidates(self.layout, np.ascontiguousarray(unpack_bits(before, count).T))
        taken = np.zeros_like(before)
        taken[np.arange(len(chosen)), candidates >> 6] = np.uint64(1) << (candidates & 63).astype(np.uint64)
        self.level[slots] += 1
        self.levels[self.top[slots], slots] = self.level[slots]
        self.stack[self.top[slots], slots] = before ^ taken
        others = rows_without_cell(self.layout)[candidates // self.layout.order]
        rows[chosen] = before & others | taken
        self.top[slots] += 1

    def _go_back(self, slots: Numbers) -> Words:
        """Take up a stored branch of each lane, as ``lane_steps.go_back`` does. Returns their candidates."""
        puzzles = self.puzzle[slots]
        is_long = (self.codes[puzzles] == 0) & (self.branches[puzzles] % PATIENCE == PATIENCE - 1)
        is_oldest = is_long & (self.top[slots] <= DIVING_ROOM)
        self.top[slots] -= ~is_oldest
        taken = np.where(is_oldest, self.base[slots], self.top[slots])
        self.base[slots] += is_oldest
        self.level[slots] = self.levels[taken, slots]
        return np.asarray(self.stack[taken, slots])

    def _end(self, puzzles: Numbers) -> None:
        """See to those of ``puzzles`` that no lane searches any more.

        Those that were withdrawn are lined up again, and those that others follow are lined up with these.
        """
        is_searched = np.zeros(len(self.codes) + 1, np.bool_)
        is_searched[self.puzzle] = True  # the last one stands for lanes without a puzzle
        ended = puzzles[~is_searched[puzzles]]
        is_withdrawn = self.mode[ended] == WITHDRAWN
        withdrawn = ended[is_withdrawn]
        self.mode[withdrawn] = ALONE
        self._line_up(withdrawn)
        done = ended[~is_withdrawn]
        if self.follow_up is not None and len(done):
            following, clues = self.follow_up(done, self.clues[done], self.found.rows(done))
            self.clues[following] = clues
            self.mode[following] = 0
            self._line_up(following)

    def _line_up(self, puzzles: Numbers) -> None:
        """Have some puzzles searched that were searched before."""
        self.found.forget(puzzles)
        self.again += puzzles.tolist()

    def _next_puzzles(self, count: int) -> Numbers:
        """Up to ``count`` puzzles to be searched: first those to be repeated, then those that wait."""
        repeated = np.array(self.again[:count], np.int64)
        self.again = self.again[count:]
        end = min(self.waiting + count - len(repeated), len(self.clues))
        following = np.arange(self.waiting, end)
        self.waiting = end
        return np.concatenate([repeated, following])

    def _candidates(self, puzzles: Numbers) -> Words:
        """The candidates given for ``puzzles``."""
        order = self.layout.order
        if len(self.masks):
            bits = np.asarray(self.masks[puzzles][:, :, None] >> np.arange(order, dtype=np.uint32) & 1, np.uint8)
        else:
            allowed = np.concatenate([np.ones((1, order), np.uint8), np.eye(order, dtype=np.uint8)])
            bits = allowed.view(f"V{order}")[:, 0][self.clues[puzzles]].view(np.uint8)
        return pack_bits(bits.reshape(len(puzzles), self.layout.candidate_count), self.words)


# ---- where lanes branch -------------------------------------------------------------------------------------------


def choose_candidates(layout: Layout, bits: Bits) -> Numbers:
    """Return the candidate to branch on for each lane of ``bits`` (candidates, lanes); see the package."""
    order = layout.order
    cells = layout.cell_count
    lanes = bits.shape[1]
    tables = choice_tables_of(layout)
    # A cell, a part and a view more, without candidates, which count for nothing: the tables are filled up with them.
    state = np.zeros((cells + 1, order, lanes), np.uint8)
    state[:cells] = bits.reshape(cells, order, lanes)
    counts = np.zeros((len(tables.parts), order, lanes), np.uint8)
    for column in tables.parts.T:
        counts += state.take(column, axis=0)
    np.minimum(counts, 3, out=counts)
    segments = len(layout.segments)
    views = np.zeros((segments + len(layout.bare) + 1, order, lanes), np.uint8)
    np.subtract(3, counts[:segments], out=views[:segments])
    for column in tables.beyond.T:
        views[:segments] += counts.take(column, axis=0)
    for number, house in enumerate(layout.bare):
        views[segments + number] = state.take(layout.houses[house], axis=0).sum(axis=0, dtype=np.uint8)
    np.minimum(views, 15, out=views)
    is_wide = state[:cells].sum(axis=1, dtype=np.uint8) > 2
    scores = np.repeat((is_wide & tables.several)[:, None], order, axis=1).view(np.uint8)
    for column in tables.views.T:
        scores += views.take(column, axis=0)
    np.minimum(scores, 15, out=scores)
    scores |= state[:cells] - np.uint8(1)  # 255 where there is no candidate
    flat = scores.reshape(layout.candidate_count, lanes)
    lower = flat.take(layout.groups[:, 0], axis=0)
    sizes = bits.take(layout.groups[:, 0], axis=0)
    for column in layout.groups.T[1:]:
        np.minimum(lower, flat.take(column, axis=0), out=lower)
        sizes += bits.take(column, axis=0)
    lower[sizes != 2] = 0
    best = lower.argmax(axis=0)
    none = np.flatnonzero(lower[best, np.arange(lanes)] == 0)
    counted = bits[:, none].reshape(cells, order, len(none)).sum(axis=1, dtype=np.uint8)
    # The groups of the cells come last.
    best[none] = len(layout.groups) - cells + np.where(counted > 1, counted, 255).argmin(axis=0)
    every = np.arange(lanes)
    members = layout.groups[best]
    flat[:, none] = 1 - bits[:, none]  # there the first candidate of the cell
    return np.asarray(members[every, flat[members, every[:, None]].argmin(axis=1)])


@lru_cache(maxsize=64)
def rows_without_cell(layout: Layout) -> Words:
    """Return for each cell the row of all candidates of other cells."""
    order, cells, count = layout.order, layout.cell_count, layout.candidate_count
    bits = np.repeat(1 - np.eye(cells, dtype=np.uint8), order, axis=1)
    return pack_bits(bits, -(-count // 64))


ChoiceTables = namedtuple("ChoiceTables", "parts beyond views several")
"""The cells that scores are counted from, as tables.

parts: cells of each segment, then of each family's rest. beyond: for each segment the parts beyond it in its two
houses. views: for each cell. several: cells with more than one view."""


@lru_cache(maxsize=64)
def choice_tables_of(layout: Layout) -> ChoiceTables:
    segments = len(layout.segments)
    beyond: list[list[int]] = [[] for _ in range(segments)]
    for number, family in enumerate(layout.families):
        for side in family.sides:
            beyond[side // 2] += [each // 2 for each in family.sides if each != side]
            beyond[side // 2].append(segments + number)
    parts: list[tuple[int, ...]] = list(layout.segments)
    for family in layout.families:
        parts.append(family.rest)
    parts.append(())
    return ChoiceTables(
        parts=to_table(parts, layout.cell_count),
        beyond=to_table(beyond, len(parts) - 1),
        views=to_table(layout.views_of, segments + len(layout.bare)),
        several=np.array([[len(views) > 1] for views in layout.views_of]),
    )


def to_table(lists: Sequence[Sequence[int]], filler: int) -> Numbers:
    """Return lists of numbers as the rows of a table, filled up with a filler."""
    width = max([len(values) for values in lists], default=0)
    table = np.full((len(lists), width), filler, np.int64)
    for row, values in enumerate(lists):
        table[row, : len(values)] = values
    return table
