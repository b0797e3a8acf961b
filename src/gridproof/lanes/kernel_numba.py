"""The compiled search: 512 lanes of bit-parallel propagation, each lane the depth-first search of one puzzle.

The state lives in two forms: *by candidate* (``rounds``), where all lanes propagate at once, and *by lane*, where a
lane's candidates are consecutive bits, as new puzzles are loaded and branches are stored. Bit transposition leads from
one to the other. A lane whose puzzle is finished takes the next puzzle, so that lanes stay busy to the end of the
batch; a lane whose propagation goes on is left as it is.

Each puzzle's search is a function of the puzzle alone, not of its neighbours: see ``kernel_numpy``, which makes the
same one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridproof.lanes.choice import PLANES, choose_pairs, mark_wide_cells, score_symbol, store_four
from gridproof.lanes.lane_steps import STRIDE, attend, count_bits, share
from gridproof.lanes.layout import Layout
from gridproof.lanes.rounds import (
    CHANGED,
    CONFLICT,
    SCRATCH,
    compiled,
    count_cells,
    propagate_houses,
    propagate_segments,
    transpose,
    uint64,
)
from gridproof.lanes.vectors import WORDS, aligned, load, splat, store

LANES = 64 * WORDS

BUSY_PERCENT = 40
"""Rounds go on while more than this share of the lanes still change; the others wait. Measured, flat from 30 to 60."""

CHOOSING_PERCENT = 30
"""Branches are chosen when more than this share of the lanes wait for one: that costs as much as two rounds."""

PASSES = 64
"""Passes of one call of ``run``, which take up to some hundred milliseconds: when it returns, Ctrl-C is delivered."""


@compiled
def run(
    clues: Any,
    masks: Any,
    allowed: Any,
    order: int,
    planes: int,
    house_candidates: Any,
    house_flags: Any,
    segment_starts: Any,
    segment_cells: Any,
    family_starts: Any,
    family_sides: Any,
    rest_starts: Any,
    rest_cells: Any,
    bare_cells: Any,
    view_starts: Any,
    views: Any,
    groups: Any,
    state: Any,
    flags: Any,
    by_lane: Any,
    scratch: Any,
    scores: Any,
    status: Any,
    stack: Any,
    slots: Any,
    queue: Any,
    crew: Any,
    mode: Any,
    again: Any,
    max_branches: int,
    busy_percent: int,
    codes: Any,
    first: Any,
    second: Any,
    branches: Any,
    counters: Any,
    passes: int,
) -> bool:
    """So many passes of the search over a batch; whether it is over. What it needs to go on is in its arguments.

    slots, queue, crew, mode, again: see ``attend``; at first no lane has a puzzle. counters: passes, rounds, and lanes
    at work summed over passes.
    """
    zero = splat(uint64(0))
    cells = order * order
    reports = cells * order * WORDS
    rows = stack.shape[2]
    for _ in range(passes):
        for index in range(rows):
            transpose(state, index * 64 * WORDS, by_lane, index * STRIDE * WORDS)
        busy = attend(
            by_lane, clues, masks, allowed, order, planes, groups, stack, slots, queue, crew, mode, again, max_branches,
            codes, first, second, branches,
        )  # fmt: skip
        if not busy:
            return True
        if busy < slots.shape[0]:
            busy += share(by_lane, stack, slots, crew, mode, branches)
        for index in range(rows):
            transpose(by_lane, index * STRIDE * WORDS, state, index * 64 * WORDS)
        count_cells(state, flags, order, cells)
        store(status, CONFLICT, zero)
        counters[0] += 1
        counters[2] += busy
        changing = busy
        while 100 * changing > busy_percent * busy:
            store(status, CHANGED, zero)
            propagate_houses(state, flags, house_candidates, house_flags, order, status)
            propagate_segments(
                state, segment_starts, segment_cells, family_starts, family_sides, rest_starts, rest_cells, order,
                scratch, status,
            )  # fmt: skip
            counters[1] += 1
            store(status, SCRATCH, load(status, CHANGED) & ~load(status, CONFLICT))
            changing = 0
            for word in range(WORDS):
                changing += np.int64(count_bits(status[SCRATCH // WORDS, word]))
        conflict = load(status, CONFLICT)
        changed = load(status, CHANGED)
        # In a lane at rest the last round saw a candidate for every cell and for every symbol of every house. With one
        # candidate in each cell, this is a solution.
        solved = ~(conflict | changed)
        for cell in range(cells):
            solved &= load(flags, cell * WORDS)
        store(status, SCRATCH, ~(conflict | changed | solved))
        waiting = np.int64(0)
        for word in range(WORDS):
            waiting += np.int64(count_bits(status[SCRATCH // WORDS, word]))
        choosing = 100 * waiting > CHOOSING_PERCENT * busy
        if not choosing:
            changed = ~(conflict | solved)
        store(state, reports, conflict)
        store(state, reports + WORDS, changed)
        store(state, reports + 2 * WORDS, solved)
        if choosing:
            mark_wide_cells(state, flags, order, cells)
            store_four(status, SCRATCH, zero, zero, zero, zero)
            for plane in range(planes):
                store(state, reports + (3 + plane) * WORDS, zero)
            by_symbol = groups.size - cells * order
            for symbol in range(order):
                score_symbol(
                    state, segment_starts, segment_cells, family_starts, family_sides, rest_starts, rest_cells,
                    bare_cells, view_starts, views, flags, order, symbol * WORDS, scratch, scores,
                )  # fmt: skip
                choose_pairs(
                    state, scores, groups, symbol * by_symbol // order, (symbol + 1) * by_symbol // order, order,
                    status, reports + 3 * WORDS, planes,
                )  # fmt: skip
            choose_pairs(state, scores, groups, by_symbol, groups.size, order, status, reports + 3 * WORDS, planes)
    return False


@lru_cache(maxsize=64)
def _tables(layout: Layout) -> tuple[NDArray[np.int64], ...]:
    def flat(lists: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        return starts, np.array([value for values in lists for value in values], np.int64)

    cell_words = layout.order * WORDS
    view_starts, views = flat(layout.views_of)
    segment_starts, segment_cells = flat(layout.segments)
    family_starts, family_sides = flat([family.sides for family in layout.families])
    rest_starts, rest_cells = flat([family.rest for family in layout.families])
    return (
        layout.houses.ravel() * cell_words,
        layout.houses.ravel() * WORDS,
        segment_starts,
        segment_cells * cell_words,
        family_starts,
        family_sides,
        rest_starts,
        rest_cells * cell_words,
        layout.houses[list(layout.bare)].ravel() * cell_words,
        view_starts,
        views,
        layout.groups.ravel(),
    )


def search(
    layout: Layout,
    clues: NDArray[np.uint8],
    masks: NDArray[np.uint32],
    max_depth: int,
    max_branches: int,
    busy_percent: int = BUSY_PERCENT,
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int64], tuple[int, ...]]:
    """Search every puzzle; ``masks`` of no rows stands for "from the clues".

    Returns codes, first and second solutions, branches, all by puzzle, and (passes, rounds, lanes at work).
    """
    order = layout.order
    planes = len(layout.groups).bit_length()
    rows = -(-(layout.candidate_count + 3 + planes) // 64)
    puzzles = clues.shape[0]
    codes = np.zeros(puzzles, np.uint8)
    first = np.zeros(clues.shape, np.uint8)
    second = np.zeros(clues.shape, np.uint8)
    branches = np.zeros(puzzles, np.int64)
    counters = np.zeros(3, np.int64)
    allowed = np.array([(1 << order) - 1] + [1 << symbol for symbol in range(order)], np.uint64)
    parts = aligned(6 * len(layout.segments) + PLANES * len(layout.bare))
    scores = aligned(PLANES * layout.candidate_count)
    slots = np.zeros((LANES, 3), np.int64)
    slots[:, 0] = -1
    arguments = (
        clues, masks, allowed, order, planes, *_tables(layout), aligned(64 * rows), aligned(layout.cell_count),
        aligned(STRIDE * rows), parts, scores, aligned(2 + max(2 * order, PLANES)),
        np.empty((LANES, max_depth, rows), np.uint64), slots, np.zeros(3, np.int64), np.zeros(puzzles, np.int32),
        np.zeros(puzzles, np.uint8), np.zeros(puzzles, np.int64), max_branches, busy_percent, codes, first, second,
        branches, counters, PASSES,
    )  # fmt: skip
    while not run(*arguments):
        pass
    return codes, first, second, branches, tuple(int(count) for count in counters)
