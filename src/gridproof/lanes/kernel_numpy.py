"""The search of the lanes in NumPy, and the kernel ``auto``: NumPy until the compiled search is there.

Propagation works on words of 64 puzzles as in ``rounds``; the steps of single lanes are made for all of them at once on
rows of words.
"""

from __future__ import annotations

import subprocess
import sys
from collections import namedtuple
from functools import lru_cache
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridproof.lanes.batch_numpy import Batch, Bits, Numbers, Words, padded
from gridproof.lanes.layout import BUSY_PERCENT, Layout

WORDS = 32
"""Machine words per candidate: 2048 lanes, so that a call of NumPy has enough to do and the state stays in cache."""


def saturated(values: Words) -> tuple[Words, Words]:
    """Return the bits that at least one, and at least two, of ``values`` along the first axis have."""
    once = values[0].copy()
    twice = np.zeros_like(once)
    both = np.empty_like(once)
    for value in values[1:]:
        np.bitwise_and(once, value, out=both)
        twice |= both
        once |= value
    return once, twice


def propagate_houses(layout: Layout, state: Words, flags: Words) -> Words:
    """Naked and hidden singles of all houses, in place. Returns the lanes in conflict."""
    conflict = np.zeros(state.shape[-1], np.uint64)
    for members in layout.house_classes:
        cells = layout.houses[members].T
        values = state[cells]  # place, house, symbol, word
        flag = flags[cells][:, :, None]
        some = values & flag
        fixed = np.bitwise_or.reduce(some, axis=0)
        np.bitwise_or(flag, ~fixed, out=some)
        values &= some
        once, twice = saturated(values)
        conflict |= _any(~once | fixed & twice)
        np.bitwise_not(twice, out=twice)
        once &= twice
        np.bitwise_and(values, once, out=some)
        hidden = np.bitwise_or.reduce(some, axis=2)
        np.bitwise_or(once, ~hidden[:, :, None], out=some)
        values &= some
        state[cells] = values
        once, twice = saturated(np.moveaxis(values, 2, 0))
        conflict |= _any(~once | hidden & twice)
        np.bitwise_not(twice, out=twice)
        once &= twice
        flags[cells] = once
    return conflict


def _any(values: Words) -> Words:
    """The bits that any of ``values`` has, along the last axis."""
    return np.asarray(np.bitwise_or.reduce(values.reshape(-1, values.shape[-1]), axis=0))


def propagate_segments(tables: SegmentTables, state: Words) -> None:
    """Locked candidates, in place."""
    parts = np.empty((len(tables.starts) + 1, *state.shape[1:]), np.uint64)
    parts[-1] = 0
    if len(tables.starts):
        np.bitwise_or.reduceat(state[tables.cells], tables.starts, axis=0, out=parts[:-1])
    members = parts[tables.parts.T]
    _, twice = saturated(members)
    needed = np.empty((tables.rows, *state.shape[1:]), np.uint64)
    members &= ~twice
    needed[tables.sides.T] = members
    needed[-1] = 0
    opposite = needed[tables.opposite.T]
    once, twice = saturated(opposite)
    np.bitwise_not(once, out=once)
    opposite |= once
    opposite &= ~twice
    needed[tables.sides.T] = opposite  # from here on: what each part may keep
    needed[tables.rows - 1 - len(once) : -1] = once
    needed[-1] = ~np.uint64(0)
    for rows in tables.of_cell:
        state &= needed[rows]


SegmentTables = namedtuple("SegmentTables", "cells starts parts sides opposite of_cell rows")
"""``Layout.segments`` and ``Layout.families`` as tables, padded with the last row.

cells, starts: the cells of all parts (segments, then rests) and where each part begins. rows: number of them: side
2 * pair + side, then the rest of each family, then one that is not used. parts, sides, opposite: for each family and
member (the rest comes last) the part, its row, and the row of the pair's other side (the last for a rest). of_cell: for
each cell the rows of parts that it is in, as columns."""


@lru_cache(maxsize=64)
def segment_tables(layout: Layout) -> SegmentTables:
    parts: list[tuple[int, ...]] = list(layout.segments)
    sides_count = 2 * len(layout.segments)
    unused = sides_count + len(layout.families)
    members: list[list[tuple[int, int, int]]] = []  # part, row, row of the other side
    rows_of: list[list[int]] = [[] for _ in range(layout.cell_count)]
    for index, family in enumerate(layout.families):
        triples = [(side // 2, side, side ^ 1) for side in family.sides]
        for side in family.sides:
            for cell in layout.segments[side // 2]:
                rows_of[cell].append(side)
        if family.rest:
            triples.append((len(parts), unused, unused))
            parts.append(family.rest)
            for cell in family.rest:
                rows_of[cell].append(sides_count + index)
        members.append(triples)
    width = max(map(len, members), default=1)
    table = np.array(
        [triples + [(len(parts), unused, unused)] * (width - len(triples)) for triples in members], np.int64
    ).reshape(len(members), width, 3)
    cells = np.array([cell for part in parts for cell in part], np.int64)
    starts = np.cumsum([0, *map(len, parts)], dtype=np.int64)[:-1]
    by_part, sides, opposite = np.moveaxis(table, 2, 0)
    of_cell = tuple(map(np.ascontiguousarray, padded(rows_of, unused).T))
    return SegmentTables(cells, starts, by_part, sides, opposite, of_cell, unused + 1)


def lane_bits(words: Words) -> NDArray[np.bool_]:
    """Bits of a vector of words, lane by lane."""
    return np.unpackbits(words.astype("<u8", copy=False).view(np.uint8), bitorder="little").astype(np.bool_)


def transpose(state: Words) -> None:
    """64x64 bit transpositions, in place: bit b of word w of row 64 * i + k becomes bit k of word w of row 64 * i + b.

    Rows by candidate become rows by lane, and back. See ``rounds.transpose``.
    """
    width = 32
    mask = np.uint64(0xFFFFFFFF)
    while width:
        halves = state.reshape(len(state) // (2 * width), 2, width, state.shape[1])
        upper, lower = halves[:, 0], halves[:, 1]
        shift = np.uint64(width)
        swap = upper >> shift
        swap ^= lower
        swap &= mask
        lower ^= swap
        swap <<= shift
        upper ^= swap
        width >>= 1
        mask ^= mask << np.uint64(width)


def read_lanes(state: Words, lanes: Numbers) -> Words:
    """Of a transposed state the rows of ``lanes``: (lanes, words)."""
    return state.reshape(-1, 64, state.shape[1])[:, lanes & 63, lanes >> 6].T


def write_lanes(state: Words, lanes: Numbers, rows: Words) -> None:
    """The inverse of ``read_lanes``."""
    state.reshape(-1, 64, state.shape[1])[:, lanes & 63, lanes >> 6] = rows.T


def search(
    layout: Layout, clues: Bits, masks: NDArray[np.uint32], max_depth: int, max_branches: int
) -> tuple[Bits, Bits, Bits, Numbers]:
    """Search every puzzle; parameters and result as in ``kernel_numba.search``."""
    order, cells = layout.order, layout.cell_count
    words = max(1, min(WORDS, -(-len(clues) // 64)))
    batch = Batch(layout, clues, masks, max_depth, max_branches, 64 * words)
    tables = segment_tables(layout)
    lanes = np.arange(64 * words)
    by_lane = np.zeros((64 * batch.words, words), np.uint64)
    conflict = np.zeros(64 * words, np.bool_)
    solved = conflict
    while True:
        rows = batch.attend(lanes, read_lanes(by_lane, lanes), conflict[lanes], solved[lanes])
        write_lanes(by_lane, lanes, rows)
        busy = batch.busy
        if not busy:
            return batch.codes, batch.first, batch.second, batch.branches
        if 64 < len(batch.puzzle) >= 4 * busy and batch.waiting == len(clues):
            rows = read_lanes(by_lane, batch.gather())
            words = len(batch.puzzle) // 64
            by_lane = np.zeros((64 * batch.words, words), np.uint64)
            write_lanes(by_lane, np.arange(busy), rows)
        if busy < len(batch.puzzle):
            idle, rows = batch.share()
            write_lanes(by_lane, idle, rows)
            busy += len(idle)
        transpose(by_lane)
        state = by_lane[: layout.candidate_count].reshape(cells, order, words)
        once, twice = saturated(np.moveaxis(state, 1, 0))
        flags = once & ~twice
        contradictory = np.zeros(words, np.uint64)
        changing = busy
        while 100 * changing > BUSY_PERCENT * busy:
            before, flags_before = state.copy(), flags.copy()
            contradictory |= propagate_houses(layout, state, flags)
            propagate_segments(tables, state)
            before ^= state
            # A flag that was behind the state means that other cells have not seen it yet: not a fixpoint.
            changed = (_any(before) | _any(flags_before ^ flags)) & ~contradictory
            changing = int(lane_bits(changed).sum())
        conflict = lane_bits(contradictory)
        solved = lane_bits(np.bitwise_and.reduce(flags, axis=0) & ~contradictory)
        lanes = np.flatnonzero(~lane_bits(changed))
        transpose(by_lane)


# ---- the kernel auto -------------------------------------------------------------------------------------------------

MANY = 20_000  # puzzles for which the search is compiled; for a tenth of them it is loaded
PATIENCE = 0.3  # seconds of work after which it is compiled, however few puzzles are left; a tenth as for MANY
_SLICES = 2_048, 16_384  # puzzles for NumPy at a time: first, later

# by a child of the child, if the system forks: it survives the end of this process, which ends all that it started
_COMPILE = """import os
if not hasattr(os, "fork") or not os.fork():
    if hasattr(os, "nice"):
        os.nice(5)
    from gridproof.lanes import kernel_numba
    kernel_numba.run.compile()
"""
_MESSAGE = "gridproof: numba compiles the lanes in the background, once; until then NumPy does the work"


class Kernels:
    """The kernels of this process: the seconds that NumPy has worked, and the compiled search when it is there.

    numba takes several seconds to compile the search, once after each installation; after that the machine code lies on
    the disk and is loaded within 50 ms. So few puzzles are left to NumPy, more load the code, and where there is none
    yet, it is compiled for many in a process in the background, which goes on to its end whatever happens here.
    """

    seconds = 0.0
    best: Any = None
    compiler: Any = None

    def look(self, puzzles: int) -> Any:
        """Return the best search if it is there, and worth it for so many puzzles. If not, have it compiled."""
        if self.best is None and (10 * puzzles >= MANY or 10 * self.seconds > PATIENCE):
            try:
                from gridproof.lanes import kernel_numba
            except ImportError:  # numba is not installed
                self.best = search
                return self.best
            if kernel_numba.run.is_ready():
                self.best = kernel_numba.search
            elif self.compiler is None and (puzzles >= MANY or self.seconds > PATIENCE):
                if sys.stderr is not None and sys.stderr.isatty():
                    print(_MESSAGE, file=sys.stderr)
                silent: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
                self.compiler = subprocess.Popen([sys.executable, "-c", _COMPILE], start_new_session=True, **silent)
        return self.best


kernels = Kernels()


def automatic(
    layout: Layout, clues: Bits, masks: NDArray[np.uint32], max_depth: int, max_branches: int
) -> tuple[NDArray[Any], ...]:
    """Search every puzzle, as both kernels do: a puzzle depends neither on the kernel nor on its neighbours."""
    parts, done = [], 0
    while done < len(clues):
        started, best = perf_counter(), kernels.look(len(clues) - done)
        end = len(clues) if best else done + _SLICES[kernels.seconds > 0]
        parts.append((best or search)(layout, clues[done:end], masks[done:end], max_depth, max_branches))
        done = end
        kernels.seconds += perf_counter() - started
    return parts[0] if len(parts) == 1 else tuple(map(np.concatenate, zip(*parts, strict=True)))
