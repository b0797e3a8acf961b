"""The compiled search: passes of rounds, steps of single lanes, and the choice of the candidates to branch on.

That candidate is chosen for all lanes at once, bit by bit in *planes* of vectors.
"""

from __future__ import annotations

from typing import Any

from gridproof.lanes.batch_numba import PLANES, STRIDE, WORDS
from gridproof.lanes.compiling import KeptFunction, compiled
from gridproof.lanes.lane_steps import CHOSEN, attend, share
from gridproof.lanes.layout import BUSY_PERCENT
from gridproof.lanes.rounds import (
    CHANGED,
    CONFLICT,
    SCRATCH,
    count_cells,
    propagate_houses,
    propagate_segments,
    transpose,
)
from gridproof.lanes.vectors import count_ones, item, load, splat, store, uint64

CHOOSING_PERCENT = 30
"""Branches are chosen when more than this share of the lanes wait for one: that costs as much as two rounds."""


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
def add_others(parts: Any, views_at: int, segment: int, one: int, two: int) -> None:
    """Add the symbols in two other segments of one of a segment's houses to its view."""
    zero = splat(uint64(0))
    at = views_at + segment * PLANES * WORDS
    in_one = load(parts, 2 * one * WORDS), load(parts, (2 * one + 1) * WORDS), zero, zero
    in_two = load(parts, 2 * two * WORDS), load(parts, (2 * two + 1) * WORDS), zero, zero
    store_number(parts, at, add(load_number(parts, at), add(in_one, in_two, zero), zero))


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
        first = item(tables.segment_starts, segment)
        last = item(tables.segment_starts, segment + 1)
        low, high = count_part(state, tables.segment_cells, first, last, symbol)
        store(parts, 2 * segment * WORDS, low)
        store(parts, (2 * segment + 1) * WORDS, high)
        store_number(parts, views_at + segment * stride, (~low, ~high, zero, zero))
    for family in range(tables.family_starts.size - 1):
        first = item(tables.rest_starts, family)
        last = item(tables.rest_starts, family + 1)
        has_no_rest = first == last
        rest_low, rest_high = count_part(state, tables.rest_cells, first, last, symbol)
        first = item(tables.family_starts, family)
        last = item(tables.family_starts, family + 1)
        if has_no_rest and last - first == 3:  # as on nearly all boards, and cheaper than six additions
            one = item(tables.family_sides, first) >> 1
            two = item(tables.family_sides, first + 1) >> 1
            three = item(tables.family_sides, first + 2) >> 1
            add_others(parts, views_at, one, two, three)
            add_others(parts, views_at, two, one, three)
            add_others(parts, views_at, three, one, two)
            continue
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
        first = item(tables.view_starts, cell)
        last = item(tables.view_starts, cell + 1)
        total = load_number(parts, views_at + item(tables.views, first) * stride)
        carry = load(wide, cell * WORDS)
        for index in range(first + 1, last):
            total = add(total, load_number(parts, views_at + item(tables.views, index) * stride), carry)
            carry = zero
        store_number(scores, (cell * order * WORDS + symbol) * PLANES, total)


@compiled
def choose_pairs(state: Any, scores: Any, tables: Any, first: int, last: int, status: Any, at: int) -> None:
    """For each lane 1 + the number of the best pair's group, in binary: ``planes`` vectors of ``state`` from ``at`` on.

    Before these, a vector has the lanes where the pair's second candidate has the lower score. Looked at are ``first``
    to ``last``, as places in ``groups``. In the scratch of ``status`` stands the best score so far. Of equals the first
    stays; the number stays 0 if no pair scores.
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
        is_second = is_less(two, one)
        lower = where(is_second, two, one)
        more = is_less(best, lower) & twice & ~thrice
        best = where(more, lower, best)
        store(state, at - WORDS, (load(state, at - WORDS) & ~more) | (is_second & more))
        number = start // order + 1
        for plane in range(tables.planes):
            value = load(state, at + plane * WORDS) & ~more
            if number >> plane & 1:
                value |= more
            store(state, at + plane * WORDS, value)
    store_number(status, SCRATCH, best)


@compiled
def take_chosen(state: Any, tables: Any, status: Any, at: int) -> None:
    """Take one of the chosen pair of each lane that has one, by removing the other one, and forget the choice.

    at: where ``state`` has the number of the pair's group, as in ``choose_pairs``.
    """
    zero = splat(uint64(0))
    some = zero
    for plane in range(tables.planes):
        some |= load(state, at + plane * WORDS)
    store(status, SCRATCH, some)
    if not count_scratch(status):
        return
    order = tables.order
    is_second = load(state, at - WORDS)
    for start in range(0, tables.groups.size, order):
        number = start // order + 1
        lanes = some
        for plane in range(tables.planes):
            value = load(state, at + plane * WORDS)
            lanes &= value if number >> plane & 1 else ~value
        seen = zero
        for place in range(start, start + order):
            candidate = item(tables.groups, place) * WORDS
            value = load(state, candidate)
            # the second if the first is taken, and the first if the second is
            store(state, candidate, value & ~(lanes & (seen ^ is_second)))
            seen |= value
    for plane in range(-1, tables.planes):
        store(state, at + plane * WORDS, zero)


# ---- the search ------------------------------------------------------------------------------------------------------


@compiled
def count_scratch(status: Any) -> Any:
    """The number of bits in the scratch vector of ``status``."""
    number = 0
    for word in range(WORDS):
        number += count_ones(item(status, SCRATCH + word))
    return number


@KeptFunction
def run(batch: Any, tables: Any, passes: int) -> bool:
    """Make up to so many passes of the search over a batch. Return whether it is over; the batch holds the state."""
    zero = splat(uint64(0))
    state, flags, by_lane, status = batch.state, batch.flags, batch.by_lane, batch.status
    order, planes, groups = tables.order, tables.planes, tables.groups
    cells = order * order
    reports = cells * order * WORDS
    chosen_at = reports + CHOSEN * WORDS
    rows = batch.stack.shape[2]
    for _ in range(passes):
        for index in range(rows):
            transpose(state, index * 64 * WORDS, by_lane, index * STRIDE * WORDS)
        busy = attend(batch, tables)
        if not busy:
            return True
        if busy < batch.slots.shape[0]:
            busy += share(batch, tables)
        for index in range(rows):
            transpose(by_lane, index * STRIDE * WORDS, state, index * 64 * WORDS)
        take_chosen(state, tables, status, chosen_at)
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
        resting = ~(conflict | changed | solved)
        store(status, SCRATCH, resting)
        choosing = 100 * count_scratch(status) > CHOOSING_PERCENT * busy
        if not choosing:
            changed = ~(conflict | solved)
        store(state, reports, conflict)
        store(state, reports + WORDS, changed)
        store(state, reports + 2 * WORDS, solved)
        if choosing:
            mark_wide_cells(state, flags, order)
            store_number(status, SCRATCH, (zero, zero, zero, zero))
            by_symbol = groups.size - cells * order
            for symbol in range(order):
                score_symbol(state, tables, flags, symbol * WORDS, batch.parts, batch.scores)
                first, last = symbol * by_symbol // order, (symbol + 1) * by_symbol // order
                choose_pairs(state, batch.scores, tables, first, last, status, chosen_at)
            choose_pairs(state, batch.scores, tables, by_symbol, groups.size, status, chosen_at)
            for plane in range(-1, planes):
                at = chosen_at + plane * WORDS
                store(state, at, load(state, at) & resting)
    return False
