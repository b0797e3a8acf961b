"""Compiled rounds of propagation: 512 puzzles at once, one bit each in a vector of eight words.

The state is an array of vectors, one per candidate; ``flags`` has one per cell: the lanes where the cell has exactly
one candidate left. Accumulating "at least one" and "at least two" of a group with AND and OR is the usual bit-sliced
counter, saturated at two.
"""

from __future__ import annotations

from typing import Any

from gridproof.lanes.batch_numba import WORDS
from gridproof.lanes.compiling import compiled
from gridproof.lanes.vectors import item, load, splat, store, uint64

CONFLICT = 0
CHANGED = WORDS
SCRATCH = 2 * WORDS
"""Offsets in ``status``: lanes found contradictory, lanes changed in this round, then 2 * order vectors of scratch."""


@compiled
def count_cells(state: Any, flags: Any, order: int) -> None:
    """Set ``flags`` from ``state``."""
    zero = splat(uint64(0))
    for cell in range(order * order):
        once = zero
        twice = zero
        for symbol in range(order):
            value = load(state, (cell * order + symbol) * WORDS)
            twice |= once & value
            once |= value
        store(flags, cell * WORDS, once & ~twice)


@compiled
def propagate_houses(state: Any, flags: Any, tables: Any, status: Any) -> None:
    """Naked and hidden singles of every house, in place, house after house.

    tables: see ``batch_numba.Tables``. Sets bits of ``status``: a conflict is a cell or a house without a candidate, a
    symbol settled twice in a house, or a cell that two symbols need.
    """
    zero = splat(uint64(0))
    order, candidates, singles = tables.order, tables.house_candidates, tables.house_flags
    conflict = load(status, CONFLICT)
    changed = load(status, CHANGED)
    fixed_at = SCRATCH + order * WORDS
    for start in range(0, candidates.size, order):
        for symbol in range(order):
            once = zero
            twice = zero
            fixed = zero
            clash = zero
            for place in range(start, start + order):
                value = load(state, item(candidates, place) + symbol * WORDS)
                single = value & load(flags, item(singles, place))
                twice |= once & value
                once |= value
                clash |= fixed & single
                fixed |= single
            conflict |= ~once | clash
            store(status, SCRATCH + symbol * WORDS, once & ~twice)
            store(status, fixed_at + symbol * WORDS, fixed)
        for place in range(start, start + order):
            at = item(candidates, place)
            flag = load(flags, item(singles, place))
            hidden = zero
            clash = zero
            for symbol in range(order):
                value = load(state, at + symbol * WORDS) & load(status, SCRATCH + symbol * WORDS)
                clash |= hidden & value
                hidden |= value
            once = zero
            twice = zero
            for symbol in range(order):
                before = load(state, at + symbol * WORDS)
                value = before & (flag | ~load(status, fixed_at + symbol * WORDS))
                value &= load(status, SCRATCH + symbol * WORDS) | ~hidden
                twice |= once & value
                once |= value
                changed |= before ^ value
                store(state, at + symbol * WORDS, value)
            conflict |= ~once | clash
            single = once & ~twice
            # A flag that was behind the state means that other cells have not seen it yet: not a fixpoint.
            changed |= flag ^ single
            store(flags, item(singles, place), single)
    store(status, CONFLICT, conflict)
    store(status, CHANGED, changed)


@compiled
def cells_with(state: Any, cells: Any, first: int, last: int, symbol: int) -> Any:
    """Return the lanes where at least one of ``cells[first:last]`` may hold the symbol."""
    some = splat(uint64(0))
    for index in range(first, last):
        some |= load(state, item(cells, index) + symbol)
    return some


@compiled
def propagate_segments(state: Any, tables: Any, parts: Any, status: Any) -> None:
    """Locked candidates, in place: what a house needs in a segment leaves the rest of the segment's other house.

    tables: see ``batch_numba.Tables``. ``parts`` is scratch: one vector per segment ("the segment has the symbol", then
    "it may keep the symbol"), two per segment ("the first, the second house needs it there"), and one per family ("the
    cells in none of its segments may keep it").
    """
    zero = splat(uint64(0))
    segment_starts, segment_cells = tables.segment_starts, tables.segment_cells
    family_starts, family_sides = tables.family_starts, tables.family_sides
    rest_starts, rest_cells = tables.rest_starts, tables.rest_cells
    part_starts, parts_of = tables.part_starts, tables.parts_of
    changed = load(status, CHANGED)
    segments = segment_starts.size - 1
    families = family_starts.size - 1
    needed_at = segments * WORDS
    rests_at = 3 * segments * WORDS
    for symbol in range(0, tables.order * WORDS, WORDS):
        for segment in range(segments):
            begin, end = item(segment_starts, segment), item(segment_starts, segment + 1)
            store(parts, segment * WORDS, cells_with(state, segment_cells, begin, end, symbol))
        for family in range(families):
            first = item(family_starts, family)
            last = item(family_starts, family + 1)
            begin, end = item(rest_starts, family), item(rest_starts, family + 1)
            once = cells_with(state, rest_cells, begin, end, symbol)
            twice = zero
            for index in range(first, last):
                some = load(parts, (item(family_sides, index) >> 1) * WORDS)
                twice |= once & some
                once |= some
            for index in range(first, last):
                side = item(family_sides, index)
                store(parts, needed_at + side * WORDS, load(parts, (side >> 1) * WORDS) & ~twice)
        for family in range(families):
            first = item(family_starts, family)
            last = item(family_starts, family + 1)
            once = zero
            twice = zero
            for index in range(first, last):
                needed = load(parts, needed_at + (item(family_sides, index) ^ 1) * WORDS)
                twice |= once & needed
                once |= needed
            store(parts, rests_at + family * WORDS, ~once)
            for index in range(first, last):
                side = item(family_sides, index)
                keep = ~twice & (~once | load(parts, needed_at + (side ^ 1) * WORDS))
                if side & 1:  # families go by houses, so that the first house of the segment has been here
                    keep &= load(parts, (side >> 1) * WORDS)
                store(parts, (side >> 1) * WORDS, keep)
        for cell in range(part_starts.size - 1):
            at = cell * tables.order * WORDS + symbol
            before = load(state, at)
            value = before
            for index in range(item(part_starts, cell), item(part_starts, cell + 1)):
                value &= load(parts, item(parts_of, index))
            changed |= before ^ value
            store(state, at, value)
    store(status, CHANGED, changed)


@compiled
def exchange(one: Any, two: Any, width: int, mask: Any) -> Any:
    """Exchange the bits of the first vector that lie beyond a width with those of the second below it.

    mask: the bits below it, in each block of twice the width.
    """
    shift, keep = splat(uint64(width)), splat(mask)
    swap = ((one >> shift) ^ two) & keep
    return one ^ (swap << shift), two ^ swap


@compiled
def exchange_in_eight(source: Any, source_at: int, target: Any, target_at: int, width: int, masks: Any) -> None:
    """Make three steps of a transposition on eight vectors ``width`` rows apart, which stay in registers.

    masks: those of four times the width, of twice the width, and of the width.
    """
    step = width * WORDS
    a, b = load(source, source_at), load(source, source_at + step)
    c, d = load(source, source_at + 2 * step), load(source, source_at + 3 * step)
    e, f = load(source, source_at + 4 * step), load(source, source_at + 5 * step)
    g, h = load(source, source_at + 6 * step), load(source, source_at + 7 * step)
    a, e = exchange(a, e, 4 * width, masks[0])
    b, f = exchange(b, f, 4 * width, masks[0])
    c, g = exchange(c, g, 4 * width, masks[0])
    d, h = exchange(d, h, 4 * width, masks[0])
    a, c = exchange(a, c, 2 * width, masks[1])
    b, d = exchange(b, d, 2 * width, masks[1])
    e, g = exchange(e, g, 2 * width, masks[1])
    f, h = exchange(f, h, 2 * width, masks[1])
    a, b = exchange(a, b, width, masks[2])
    c, d = exchange(c, d, width, masks[2])
    e, f = exchange(e, f, width, masks[2])
    g, h = exchange(g, h, width, masks[2])
    store(target, target_at, a)
    store(target, target_at + step, b)
    store(target, target_at + 2 * step, c)
    store(target, target_at + 3 * step, d)
    store(target, target_at + 4 * step, e)
    store(target, target_at + 5 * step, f)
    store(target, target_at + 6 * step, g)
    store(target, target_at + 7 * step, h)


@compiled
def transpose(source: Any, source_at: int, target: Any, target_at: int) -> None:
    """Eight 64x64 bit transpositions at once: 64 vectors of ``source`` to 64 vectors of ``target``, offsets in words.

    Bit b of word w of vector k becomes bit k of word w of vector b. Source: the block-swapping transposition of Warren,
    "Hacker's Delight", section 7-3.
    """
    first_from, first_at = source, source_at
    width, apart = 8, 1
    masks = uint64(0x00000000FFFFFFFF), uint64(0x0000FFFF0000FFFF), uint64(0x00FF00FF00FF00FF)
    for _ in range(2):
        for eight in range(0, 8 * apart, apart):
            exchange_in_eight(first_from, first_at + eight * WORDS, target, target_at + eight * WORDS, width, masks)
        first_from, first_at = target, target_at
        width, apart = 1, 8
        masks = uint64(0x0F0F0F0F0F0F0F0F), uint64(0x3333333333333333), uint64(0x5555555555555555)
