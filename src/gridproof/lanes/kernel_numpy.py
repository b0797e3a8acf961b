"""The search of the lanes in NumPy.

Propagation works on words of 64 puzzles as in ``rounds``; the steps of single lanes are made for all of them at once on
rows of words.
"""

from __future__ import annotations

from collections import namedtuple
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridproof.lanes.batch_numpy import Batch, Words, to_table
from gridproof.lanes.layout import BUSY_PERCENT, Layout, flatten
from gridproof.lanes.search_task import FollowUp, Numbers, SearchResult, SearchTask

WORDS = 32
"""Machine words per candidate: 2048 lanes, so that a call of NumPy has enough to do and the state stays in cache."""


def count_bits(values: Words) -> tuple[Words, Words]:
    """Return the bits that at least one, and at least two, of ``values`` along the first axis have."""
    once = values[0].copy()
    twice = np.zeros(once.shape, np.uint64)
    both = np.empty(once.shape, np.uint64)
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
        values = state.take(cells, axis=1)  # symbol, place, house, word
        flag = flags.take(cells, axis=0)
        some = values & flag
        fixed = np.bitwise_or.reduce(some, axis=1)
        np.bitwise_or(flag, ~fixed[:, None], out=some)
        values &= some
        once, twice = count_bits(values.swapaxes(0, 1))
        conflict |= any_of(~once | fixed & twice)
        np.bitwise_not(twice, out=twice)
        once &= twice
        np.bitwise_and(values, once[:, None], out=some)
        hidden = np.bitwise_or.reduce(some, axis=0)
        np.bitwise_or(once[:, None], ~hidden, out=some)
        values &= some
        state[:, cells] = values
        once, twice = count_bits(values)
        conflict |= any_of(~once | hidden & twice)
        np.bitwise_not(twice, out=twice)
        once &= twice
        flags[cells] = once
    return conflict


def any_of(values: Words) -> Words:
    """Return the bits that any of some words has, along the last axis."""
    while values.ndim > 1:  # one axis after the other, as NumPy is slow where rows are short
        values = np.bitwise_or.reduce(values, axis=0)
    return values


def propagate_segments(tables: SegmentTables, state: Words) -> None:
    """Locked candidates, in place."""
    order, _, words = state.shape
    parts = np.zeros((order, len(tables.starts) + 1, words), np.uint64)
    if len(tables.starts):
        np.bitwise_or.reduceat(state.take(tables.cells, axis=1), tables.starts, axis=1, out=parts[:, :-1])
    members = parts.take(tables.parts.T, axis=1)  # symbol, member, family, word
    _, twice = count_bits(members.swapaxes(0, 1))
    needed = np.empty((order, tables.rows, words), np.uint64)
    members &= ~twice[:, None]
    needed[:, tables.sides.T] = members
    needed[:, -1] = 0
    opposite = needed.take(tables.opposite.T, axis=1)
    once, twice = count_bits(opposite.swapaxes(0, 1))
    np.bitwise_not(once, out=once)
    opposite |= once[:, None]
    opposite &= ~twice[:, None]
    needed[:, tables.sides.T] = opposite  # from here on: what each part may keep
    needed[:, tables.rows - 1 - once.shape[1] : -1] = once
    needed[:, -1] = ~np.uint64(0)
    for rows in tables.of_cell:
        state &= needed.take(rows, axis=1)


SegmentTables = namedtuple("SegmentTables", "cells starts parts sides opposite of_cell rows")
"""``Layout.segments`` and ``Layout.families`` as tables, filled up with the last row.

cells, starts: the cells of all parts (segments, then rests) and where each part begins. rows: number of them: side
2 * pair + side, then the rest of each family, then one that is not used. parts, sides, opposite: for each family and
member (the rest comes last) the part, its row, and the row of the pair's other side (the last for a rest). of_cell: for
each cell the rows of parts that it is in, as columns."""


@lru_cache(maxsize=64)
def segment_tables(layout: Layout) -> SegmentTables:
    """Return the segments and families of a geometry as tables."""
    parts: list[tuple[int, ...]] = list(layout.segments)
    sides_count = 2 * len(layout.segments)
    unused = sides_count + len(layout.families)
    members: list[list[Member]] = []
    rows_of: list[list[int]] = [[] for _ in range(layout.cell_count)]
    for index, family in enumerate(layout.families):
        members_here = []
        for side in family.sides:
            members_here.append(Member(part=side // 2, row=side, opposite=side ^ 1))
            for cell in layout.segments[side // 2]:
                rows_of[cell].append(side)
        if family.rest:
            members_here.append(Member(part=len(parts), row=unused, opposite=unused))
            parts.append(family.rest)
            for cell in family.rest:
                rows_of[cell].append(sides_count + index)
        members.append(members_here)
    width = max([len(members_here) for members_here in members], default=1)
    filler = Member(part=len(parts), row=unused, opposite=unused)
    for members_here in members:
        members_here += [filler] * (width - len(members_here))
    table = np.array(members, np.int64).reshape(len(members), width, 3)
    by_part, sides, opposite = np.moveaxis(table, 2, 0)
    starts, cells = flatten(parts)
    of_cell = tuple(np.ascontiguousarray(column) for column in to_table(rows_of, unused).T)
    return SegmentTables(cells, starts[:-1], by_part, sides, opposite, of_cell, unused + 1)


class Member(NamedTuple):
    """A member of a family: its part, its row, and the row of the other side of its pair."""

    part: int
    row: int
    opposite: int


def lane_bits(words: Words) -> NDArray[np.bool_]:
    """Bits of a vector of words, lane by lane."""
    return np.unpackbits(words.astype("<u8", copy=False).view(np.uint8), bitorder="little").astype(np.bool_)


def transpose(state: Words) -> None:
    """64x64 bit transpositions, in place: bit b of word w of row 64 * i + k becomes bit k of word w of row 64 * i + b.

    Rows by candidate become rows by lane, and back. ``rounds.transpose`` does the same.
    """
    width = 32
    mask = np.uint64(0xFFFFFFFF)
    while width:
        halves = state.reshape(len(state) // (2 * width), 2, width, state.shape[1])
        upper = halves[:, 0]
        lower = halves[:, 1]
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
    """Return the rows of ``lanes`` of a transposed state: (lanes, words)."""
    return state.reshape(-1, 64, state.shape[1])[:, lanes & 63, lanes >> 6].T


def write_lanes(state: Words, lanes: Numbers, rows: Words) -> None:
    """The inverse of ``read_lanes``."""
    state.reshape(-1, 64, state.shape[1])[:, lanes & 63, lanes >> 6] = rows.T


def search(task: SearchTask) -> SearchResult:
    """Search every puzzle."""
    return search_puzzles(task, None)


def search_in_turn(task: SearchTask, follow_up: FollowUp) -> None:
    """Search every puzzle, and those that follow.

    Each follows at once, in the same lane: a call of NumPy takes as long for one lane at work as for hundreds.
    """
    search_puzzles(task, follow_up)


def search_puzzles(task: SearchTask, follow_up: FollowUp | None) -> SearchResult:
    """Return what is found of every puzzle, or of the last that follows it."""
    layout = task.layout
    order, cells = layout.order, layout.cell_count
    words = max(1, min(WORDS, -(-len(task.clues) // 64)))
    batch = Batch(task, 64 * words, follow_up)
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
            return batch.found
        if 64 < len(batch.puzzle) >= 4 * busy and batch.waiting == len(task.clues):
            rows = read_lanes(by_lane, batch.gather())
            words = len(batch.puzzle) // 64
            by_lane = np.zeros((64 * batch.words, words), np.uint64)
            write_lanes(by_lane, np.arange(busy), rows)
        if busy < len(batch.puzzle):
            idle, rows = batch.share()
            write_lanes(by_lane, idle, rows)
            busy += len(idle)
        transpose(by_lane)
        by_cell = by_lane[: layout.candidate_count].reshape(cells, order, words)
        state = by_cell.transpose(1, 0, 2).copy()
        once, twice = count_bits(state)
        flags = once & ~twice
        contradictory = np.zeros(words, np.uint64)
        changing = busy
        while 100 * changing > BUSY_PERCENT * busy:
            before = state.copy()
            flags_before = flags.copy()
            contradictory |= propagate_houses(layout, state, flags)
            propagate_segments(tables, state)
            before ^= state
            # A flag that was behind the state means that other cells have not seen it yet: not a fixpoint.
            changed = (any_of(before) | any_of(flags_before ^ flags)) & ~contradictory
            changing = int(lane_bits(changed).sum())
        conflict = lane_bits(contradictory)
        solved = lane_bits(np.bitwise_and.reduce(flags, axis=0) & ~contradictory)
        lanes = np.flatnonzero(~lane_bits(changed))
        by_cell[:] = state.transpose(1, 0, 2)
        transpose(by_lane)
