"""The compiled search of the lanes: 512 at once, one bit each in a vector of eight words.

The candidate that each lane branches on is chosen for all lanes at once, bit by bit in *planes* of vectors.
"""

from __future__ import annotations

import os
from collections import namedtuple
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridproof.lanes.lane_steps import STRIDE, attend, count_bits, share
from gridproof.lanes.layout import BUSY_PERCENT, Layout, layout_of
from gridproof.lanes.rounds import (
    CHANGED,
    CONFLICT,
    SCRATCH,
    WORDS,
    aligned,
    compiled,
    count_cells,
    item,
    load,
    propagate_houses,
    propagate_segments,
    splat,
    store,
    transpose,
    typeof,
    uint64,
)
from gridproof.puzzle.geometry import Geometry

LANES = 64 * WORDS

CHOOSING_PERCENT = 30
"""Branches are chosen when more than this share of the lanes wait for one: that costs as much as two rounds."""

PASSES = 64
"""Passes of one call of ``run``, which take up to some hundred milliseconds: when it returns, Ctrl-C is delivered."""


Tables = namedtuple(
    "Tables",
    "order planes house_candidates house_flags segment_starts segment_cells family_starts family_sides rest_starts"
    " rest_cells bare_cells view_starts views groups",
)
"""``Layout`` as flat arrays, lists of lists with where each begins; cells as offsets into ``state``.

house_candidates, house_flags: for each house and place, the offset of the cell's first candidate in ``state`` and of
the cell in ``flags``. bare_cells: the cells of bare houses. planes: of the number of a group."""

Batch = namedtuple(
    "Batch",
    "clues masks allowed max_branches state flags by_lane parts scores status stack slots queue crew mode again codes"
    " first second branches",
)
"""Puzzles, what is known of them, and the state of the search.

slots: for each lane its puzzle (-1 when idle), the depth where its search began and its depth. queue: next puzzle, next
and number of puzzles to be searched again, listed in ``again``. crew: lanes at work on each puzzle. Codes: 0 none, 1
unique, 2 multiple, 3 open."""


# ---- where lanes branch ----------------------------------------------------------------------------------------------

PLANES = 4
"""Planes of a score, which stops at 15: to go on brings nothing on the classic board."""


@compiled
def count_part(state: Any, cells: Any, first: int, last: int, symbol: int) -> Any:
    """In how many of ``cells[first:last]`` the symbol is possible, up to three, as two planes."""
    low = splat(uint64(0))
    high = low
    for index in range(first, last):
        value = load(state, item(cells, index) + symbol)
        over = high & low & value
        high |= low & value
        low = (low ^ value) | over
    return low, high


@compiled
def plus(one: Any, two: Any, carry: Any) -> Any:
    """The sum of two bits and a carry: its lower and its upper bit."""
    half = one ^ two
    return half ^ carry, (one & two) | (half & carry)


@compiled
def add(one: Any, two: Any, carry: Any) -> Any:
    """The sum of two numbers and a carry, up to 15."""
    sum0, carry = plus(one[0], two[0], carry)
    sum1, carry = plus(one[1], two[1], carry)
    sum2, carry = plus(one[2], two[2], carry)
    sum3, carry = plus(one[3], two[3], carry)
    return sum0 | carry, sum1 | carry, sum2 | carry, sum3 | carry


@compiled
def is_less(one: Any, two: Any) -> Any:
    """The lanes where the first of two numbers is less than the second."""
    less = ~one[0] & two[0]
    less = (~one[1] & two[1]) | (~(one[1] ^ two[1]) & less)
    less = (~one[2] & two[2]) | (~(one[2] ^ two[2]) & less)
    return (~one[3] & two[3]) | (~(one[3] ^ two[3]) & less)


@compiled
def where(lanes: Any, one: Any, two: Any) -> Any:
    """The first of two numbers in some lanes, the second in the others."""
    return (
        (one[0] & lanes) | (two[0] & ~lanes),
        (one[1] & lanes) | (two[1] & ~lanes),
        (one[2] & lanes) | (two[2] & ~lanes),
        (one[3] & lanes) | (two[3] & ~lanes),
    )


@compiled
def store_number(target: Any, at: int, number: Any) -> None:
    """Write the planes of a number from ``at`` on."""
    store(target, at, number[0])
    store(target, at + WORDS, number[1])
    store(target, at + 2 * WORDS, number[2])
    store(target, at + 3 * WORDS, number[3])


@compiled
def load_number(source: Any, at: int) -> Any:
    """Read the planes of a number from ``at`` on."""
    return load(source, at), load(source, at + WORDS), load(source, at + 2 * WORDS), load(source, at + 3 * WORDS)


@compiled
def mark_wide_cells(state: Any, wide: Any, order: int) -> None:
    """Set ``wide`` for each cell: the lanes where it has three candidates or more."""
    for cell in range(order * order):
        once = splat(uint64(0))
        twice = once
        thrice = once
        for symbol in range(order):
            value = load(state, (cell * order + symbol) * WORDS)
            thrice |= twice & value
            twice |= once & value
            once |= value
        store(wide, cell * WORDS, thrice)


@compiled
def score_symbol(state: Any, tables: Any, wide: Any, symbol: int, parts: Any, scores: Any) -> None:
    """Write the scores of the candidates of a symbol to ``scores``: those of cell c from vector PLANES * order * c on.

    tables: see ``Tables``. symbol: as an offset into ``state``. parts: scratch, two vectors for each
    segment, then PLANES for each view.
    """
    zero = splat(uint64(0))
    order = tables.order
    nothing = zero, zero, zero, zero
    segments = tables.segment_starts.size - 1
    views_at = 2 * segments * WORDS
    stride = PLANES * WORDS
    for segment in range(segments):
        first, last = item(tables.segment_starts, segment), item(tables.segment_starts, segment + 1)
        low, high = count_part(state, tables.segment_cells, first, last, symbol)
        store(parts, 2 * segment * WORDS, low)
        store(parts, (2 * segment + 1) * WORDS, high)
        store_number(parts, views_at + segment * stride, (~low, ~high, zero, zero))
    for family in range(tables.family_starts.size - 1):
        first, last = item(tables.rest_starts, family), item(tables.rest_starts, family + 1)
        rest_low, rest_high = count_part(state, tables.rest_cells, first, last, symbol)
        first, last = item(tables.family_starts, family), item(tables.family_starts, family + 1)
        for index in range(first, last):
            at = views_at + (item(tables.family_sides, index) >> 1) * stride
            total = add(load_number(parts, at), (rest_low, rest_high, zero, zero), zero)
            for other in range(first, last):
                if other != index:
                    segment = item(tables.family_sides, other) >> 1
                    low = load(parts, 2 * segment * WORDS)
                    high = load(parts, (2 * segment + 1) * WORDS)
                    total = add(total, (low, high, zero, zero), zero)
            store_number(parts, at, total)
    for start in range(0, tables.bare_cells.size, order):
        total = nothing
        for place in range(start, start + order):
            value = load(state, item(tables.bare_cells, place) + symbol)
            total = add(total, (value, zero, zero, zero), zero)
        store_number(parts, views_at + (segments + start // order) * stride, total)
    for cell in range(tables.view_starts.size - 1):
        first, last = item(tables.view_starts, cell), item(tables.view_starts, cell + 1)
        total = load_number(parts, views_at + item(tables.views, first) * stride)
        carry = load(wide, cell * WORDS)
        for index in range(first + 1, last):
            total = add(total, load_number(parts, views_at + item(tables.views, index) * stride), carry)
            carry = zero
        store_number(scores, (cell * order * WORDS + symbol) * PLANES, total)


@compiled
def choose_pairs(state: Any, scores: Any, tables: Any, first: int, last: int, status: Any, at: int) -> None:
    """For each lane 1 + the number of the best pair's group, in binary: ``planes`` vectors of ``state`` from ``at`` on.

    Looked at are ``first`` to ``last``, as places in ``groups``. In the scratch of ``status`` stands the best score so
    far. Of equals the first stays; the number stays 0 if no pair scores.
    """
    zero = splat(uint64(0))
    order = tables.order
    best = load_number(status, SCRATCH)
    for start in range(first, last, order):
        once, twice, thrice = zero, zero, zero
        one = zero, zero, zero, zero
        two = one
        for place in range(start, start + order):
            candidate = item(tables.groups, place) * WORDS
            value = load(state, candidate)
            bits = load_number(scores, candidate * PLANES)
            later = value & once
            one = where(value & ~once, bits, one)
            two = where(later, bits, two)
            thrice |= twice & later
            twice |= later
            once |= value
        lower = where(is_less(one, two), one, two)
        more = is_less(best, lower) & twice & ~thrice
        best = where(more, lower, best)
        number = start // order + 1
        for plane in range(tables.planes):
            value = load(state, at + plane * WORDS) & ~more
            if number >> plane & 1:
                value |= more
            store(state, at + plane * WORDS, value)
    store_number(status, SCRATCH, best)


# ---- the search ------------------------------------------------------------------------------------------------------


@compiled
def count_scratch(status: Any) -> Any:
    """The number of bits in the scratch vector of ``status``."""
    number = np.int64(0)
    for word in range(WORDS):
        number += np.int64(count_bits(status[SCRATCH // WORDS, word]))
    return number


@partial(compiled, entry=True)
def run(batch: Any, tables: Any, passes: int) -> bool:
    """Make up to so many passes of the search over a batch. Return whether it is over; the batch holds the state."""
    zero = splat(uint64(0))
    state, flags, by_lane, status = batch.state, batch.flags, batch.by_lane, batch.status
    order, planes, groups = tables.order, tables.planes, tables.groups
    cells = order * order
    reports = cells * order * WORDS
    rows = batch.stack.shape[2]
    for _ in range(passes):
        for index in range(rows):
            transpose(state, index * 64 * WORDS, by_lane, index * STRIDE * WORDS)
        busy = attend(batch, tables)
        if not busy:
            return True
        if busy < batch.slots.shape[0]:
            busy += share(batch)
        for index in range(rows):
            transpose(by_lane, index * STRIDE * WORDS, state, index * 64 * WORDS)
        count_cells(state, flags, order)
        store(status, CONFLICT, zero)
        changing = busy
        while 100 * changing > BUSY_PERCENT * busy:
            store(status, CHANGED, zero)
            propagate_houses(state, flags, tables, status)
            propagate_segments(state, tables, batch.parts, status)
            store(status, SCRATCH, load(status, CHANGED) & ~load(status, CONFLICT))
            changing = count_scratch(status)
        conflict = load(status, CONFLICT)
        changed = load(status, CHANGED)
        # In a lane at rest the last round saw a candidate for every cell and for every symbol of every house. With one
        # candidate in each cell, this is a solution.
        solved = ~(conflict | changed)
        for cell in range(cells):
            solved &= load(flags, cell * WORDS)
        store(status, SCRATCH, ~(conflict | changed | solved))
        choosing = 100 * count_scratch(status) > CHOOSING_PERCENT * busy
        if not choosing:
            changed = ~(conflict | solved)
        store(state, reports, conflict)
        store(state, reports + WORDS, changed)
        store(state, reports + 2 * WORDS, solved)
        if choosing:
            mark_wide_cells(state, flags, order)
            store_number(status, SCRATCH, (zero, zero, zero, zero))
            chosen_at = reports + 3 * WORDS
            for plane in range(planes):
                store(state, chosen_at + plane * WORDS, zero)
            by_symbol = groups.size - cells * order
            for symbol in range(order):
                score_symbol(state, tables, flags, symbol * WORDS, batch.parts, batch.scores)
                first, last = symbol * by_symbol // order, (symbol + 1) * by_symbol // order
                choose_pairs(state, batch.scores, tables, first, last, status, chosen_at)
            choose_pairs(state, batch.scores, tables, by_symbol, groups.size, status, chosen_at)
    return False


@lru_cache(maxsize=64)
def _tables(layout: Layout) -> Tables:
    def flat(lists: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        return starts, np.array([value for values in lists for value in values], np.int64)

    cell_words = layout.order * WORDS
    segment_starts, segment_cells = flat(layout.segments)
    rest_starts, rest_cells = flat([family.rest for family in layout.families])
    return Tables(
        layout.order,
        len(layout.groups).bit_length(),
        layout.houses.ravel() * cell_words,
        layout.houses.ravel() * WORDS,
        segment_starts,
        segment_cells * cell_words,
        *flat([family.sides for family in layout.families]),
        rest_starts,
        rest_cells * cell_words,
        layout.houses[list(layout.bare)].ravel() * cell_words,
        *flat(layout.views_of),
        layout.groups.ravel(),
    )


def _state(
    layout: Layout, clues: NDArray[np.uint8], masks: NDArray[np.uint32], max_depth: int, max_branches: int
) -> tuple[Batch, Tables]:
    """Return the arguments of ``run`` at the beginning of a search."""
    order, tables = layout.order, _tables(layout)
    rows = -(-(layout.candidate_count + 3 + tables.planes) // 64)
    puzzles = len(clues)
    slots = np.zeros((LANES, 3), np.int64)
    slots[:, 0] = -1  # at first no lane has a puzzle
    batch = Batch(
        clues,
        masks,
        allowed=np.array([(1 << order) - 1] + [1 << symbol for symbol in range(order)], np.uint64),
        max_branches=max_branches,
        state=aligned(64 * rows),
        flags=aligned(layout.cell_count),
        by_lane=aligned(STRIDE * rows),
        parts=aligned(6 * len(layout.segments) + PLANES * len(layout.bare)),
        scores=aligned(PLANES * layout.candidate_count),
        status=aligned(2 + max(2 * order, PLANES)),
        stack=np.empty((LANES, max_depth, rows), np.uint64),
        slots=slots,
        queue=np.zeros(3, np.int64),
        crew=np.zeros(puzzles, np.int32),
        mode=np.zeros(puzzles, np.uint8),
        again=np.zeros(puzzles, np.int64),
        codes=np.zeros(puzzles, np.uint8),
        first=np.zeros(clues.shape, np.uint8),
        second=np.zeros(clues.shape, np.uint8),
        branches=np.zeros(puzzles, np.int64),
    )
    return batch, tables


def search(
    layout: Layout, clues: NDArray[np.uint8], masks: NDArray[np.uint32], max_depth: int, max_branches: int
) -> tuple[NDArray[Any], ...]:
    """Search every puzzle; ``masks`` of no rows stands for "from the clues". Return the fields of a ``LaneResult``."""
    batch, tables = _state(layout, clues, masks, max_depth, max_branches)
    while not run(batch, tables, PASSES):
        pass
    return batch.codes, batch.first, batch.second, batch.branches


def is_ready() -> bool:
    """Load the machine code. Return True if it is there, or if there is no folder to keep it in."""
    if run.signatures or run.stats.cache_path is None:
        return True
    return run._cache.load_overload(_signature(), run.targetctx) is not None


def compile_once() -> None:
    """Compile, and keep the machine code on the disk; of several processes that are to do so, one does."""
    with Path(__file__).open("rb") as this:
        with suppress(ImportError, OSError):
            import fcntl

            os.nice(5)
            fcntl.flock(this, fcntl.LOCK_EX)
        run.compile(_signature())


def _signature() -> tuple[Any, ...]:
    state = _state(layout_of(Geometry.classic(2)), np.zeros((1, 16), np.uint8), np.zeros((0, 16), np.uint32), 1, 1)
    return *map(typeof, state), typeof(PASSES)
