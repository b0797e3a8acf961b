"""Which candidate each lane branches on, compiled: all lanes at once, numbers bit by bit in *planes* of vectors.

One side of a branch takes the candidate, the other removes it, and both sides have to bite, or the search grows on one
of them. So the candidate is one of a *pair*: the two left in a cell, or the two places left for a symbol in a house. To
remove one is to take the other. Of all pairs that one is taken whose lower score is highest.

The *score* of a candidate estimates what taking it removes. What is near in a box removes less that is new than what is
far: in the sum over the segments of a cell, candidates beyond the segment in its two houses count for, those within
against. For the classic board that makes 1 in the rest of row and column, 2 in the box outside both, 0 in the box
inside them, and with 1 for a cell of three candidates or more it takes 87 branches on hardest puzzles where counts of
what is removed take 120, and the cell of two candidates with most of such beside it 228.
"""

from __future__ import annotations

from typing import Any

from gridproof.lanes.rounds import SCRATCH, compiled, uint64
from gridproof.lanes.vectors import WORDS, item, load, splat, store

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
def add(one0: Any, one1: Any, one2: Any, one3: Any, two0: Any, two1: Any, two2: Any, two3: Any, carry: Any) -> Any:
    """The sum of two numbers of four planes and a carry, up to 15."""
    half = one0 ^ two0
    sum0 = half ^ carry
    carry = (one0 & two0) | (half & carry)
    half = one1 ^ two1
    sum1 = half ^ carry
    carry = (one1 & two1) | (half & carry)
    half = one2 ^ two2
    sum2 = half ^ carry
    carry = (one2 & two2) | (half & carry)
    half = one3 ^ two3
    sum3 = half ^ carry
    carry = (one3 & two3) | (half & carry)
    return sum0 | carry, sum1 | carry, sum2 | carry, sum3 | carry


@compiled
def store_four(target: Any, at: int, plane0: Any, plane1: Any, plane2: Any, plane3: Any) -> None:
    """Write four planes from ``at`` on."""
    store(target, at, plane0)
    store(target, at + WORDS, plane1)
    store(target, at + 2 * WORDS, plane2)
    store(target, at + 3 * WORDS, plane3)


@compiled
def load_four(source: Any, at: int) -> Any:
    """Read four planes from ``at`` on."""
    return load(source, at), load(source, at + WORDS), load(source, at + 2 * WORDS), load(source, at + 3 * WORDS)


@compiled
def mark_wide_cells(state: Any, wide: Any, order: int, cells: int) -> None:
    """Set ``wide`` for each cell: the lanes where it has three candidates or more."""
    for cell in range(cells):
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
def score_symbol(
    state: Any,
    segment_starts: Any,
    segment_cells: Any,
    family_starts: Any,
    family_sides: Any,
    rest_starts: Any,
    rest_cells: Any,
    bare_cells: Any,
    view_starts: Any,
    views: Any,
    wide: Any,
    order: int,
    symbol: int,
    parts: Any,
    scores: Any,
) -> None:
    """Write the scores of the candidates of a symbol to ``scores``: those of cell c from vector PLANES * order * c on.

    views: for each cell its segments, and as further numbers its bare houses. bare_cells: cells of the latter, as
    offsets into ``state``. parts: scratch, two vectors for each segment, then PLANES for each view.
    """
    zero = splat(uint64(0))
    segments = segment_starts.size - 1
    views_at = 2 * segments * WORDS
    stride = PLANES * WORDS
    for segment in range(segments):
        low, high = count_part(
            state, segment_cells, item(segment_starts, segment), item(segment_starts, segment + 1), symbol
        )
        store(parts, 2 * segment * WORDS, low)
        store(parts, (2 * segment + 1) * WORDS, high)
        store_four(parts, views_at + segment * stride, ~low, ~high, zero, zero)
    for family in range(family_starts.size - 1):
        first = item(family_starts, family)
        last = item(family_starts, family + 1)
        rest_low, rest_high = count_part(
            state, rest_cells, item(rest_starts, family), item(rest_starts, family + 1), symbol
        )
        for index in range(first, last):
            at = views_at + (item(family_sides, index) >> 1) * stride
            one0, one1, one2, one3 = load_four(parts, at)
            one0, one1, one2, one3 = add(one0, one1, one2, one3, rest_low, rest_high, zero, zero, zero)
            for other in range(first, last):
                if other != index:
                    segment = item(family_sides, other) >> 1
                    low = load(parts, 2 * segment * WORDS)
                    high = load(parts, (2 * segment + 1) * WORDS)
                    one0, one1, one2, one3 = add(one0, one1, one2, one3, low, high, zero, zero, zero)
            store_four(parts, at, one0, one1, one2, one3)
    for start in range(0, bare_cells.size, order):
        one0, one1, one2, one3 = zero, zero, zero, zero
        for place in range(start, start + order):
            value = load(state, item(bare_cells, place) + symbol)
            one0, one1, one2, one3 = add(one0, one1, one2, one3, value, zero, zero, zero, zero)
        store_four(parts, views_at + (segments + start // order) * stride, one0, one1, one2, one3)
    for cell in range(view_starts.size - 1):
        one0, one1, one2, one3 = load_four(parts, views_at + item(views, item(view_starts, cell)) * stride)
        carry = load(wide, cell * WORDS)
        for index in range(item(view_starts, cell) + 1, item(view_starts, cell + 1)):
            two0, two1, two2, two3 = load_four(parts, views_at + item(views, index) * stride)
            one0, one1, one2, one3 = add(one0, one1, one2, one3, two0, two1, two2, two3, carry)
            carry = zero
        store_four(scores, (cell * order * WORDS + symbol) * PLANES, one0, one1, one2, one3)


@compiled
def choose_pairs(
    state: Any, scores: Any, groups: Any, first: int, last: int, order: int, status: Any, at: int, planes: int
) -> None:
    """For each lane 1 + the number of the best pair's group, in binary: ``planes`` vectors of ``state`` from ``at`` on.

    groups: the candidates of each group; looked at are ``first`` to ``last``, as places in ``groups``. In the scratch
    of ``status`` stands the best score so far. Of equals the first stays; the number stays 0 if no pair scores.
    """
    zero = splat(uint64(0))
    best0, best1, best2, best3 = load_four(status, SCRATCH)
    for start in range(first, last, order):
        once, twice, thrice = zero, zero, zero
        one0, one1, one2, one3 = zero, zero, zero, zero
        two0, two1, two2, two3 = zero, zero, zero, zero
        for place in range(start, start + order):
            candidate = item(groups, place) * WORDS
            value = load(state, candidate)
            bit0, bit1, bit2, bit3 = load_four(scores, candidate * PLANES)
            later = value & once
            value &= ~once
            one0 |= bit0 & value
            one1 |= bit1 & value
            one2 |= bit2 & value
            one3 |= bit3 & value
            two0 |= bit0 & later
            two1 |= bit1 & later
            two2 |= bit2 & later
            two3 |= bit3 & later
            thrice |= twice & later
            twice |= later
            once |= value
        less = ~one0 & two0
        less = (~one1 & two1) | (~(one1 ^ two1) & less)
        less = (~one2 & two2) | (~(one2 ^ two2) & less)
        less = (~one3 & two3) | (~(one3 ^ two3) & less)
        one0 = (one0 & less) | (two0 & ~less)
        one1 = (one1 & less) | (two1 & ~less)
        one2 = (one2 & less) | (two2 & ~less)
        one3 = (one3 & less) | (two3 & ~less)
        more = one0 & ~best0
        more = (one1 & ~best1) | (~(one1 ^ best1) & more)
        more = (one2 & ~best2) | (~(one2 ^ best2) & more)
        more = (one3 & ~best3) | (~(one3 ^ best3) & more)
        more &= twice & ~thrice
        best0 = (best0 & ~more) | (one0 & more)
        best1 = (best1 & ~more) | (one1 & more)
        best2 = (best2 & ~more) | (one2 & more)
        best3 = (best3 & ~more) | (one3 & more)
        number = start // order + 1
        for plane in range(planes):
            value = load(state, at + plane * WORDS) & ~more
            if number >> plane & 1:
                value |= more
            store(state, at + plane * WORDS, value)
    store_four(status, SCRATCH, best0, best1, best2, best3)
