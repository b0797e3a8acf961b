"""The steps of one lane at a time: load a puzzle, branch, take up a stored branch, record a grid.

Here the state lies *by lane*: the candidates of lane l of word w are consecutive bits of the words
``by_lane[STRIDE * i + l, w]``, i = 0, 1, ... After the candidates follow the reports of ``passes``: conflict,
changed, solved, whether the second of the pair to branch on comes first, and the number of its group.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.lanes.batch_numba import STRIDE, WORDS
from gridproof.lanes.compiling import compiled
from gridproof.lanes.layout import ALONE, DIVING_ROOM, PATIENCE, SHARED, WITHDRAWN, WORTH_SHARING
from gridproof.lanes.vectors import uint64


@compiled
def count_bits(word: Any) -> Any:
    word = word - ((word >> uint64(1)) & uint64(0x5555555555555555))
    word = (word & uint64(0x3333333333333333)) + ((word >> uint64(2)) & uint64(0x3333333333333333))
    word = (word + (word >> uint64(4))) & uint64(0x0F0F0F0F0F0F0F0F)
    return (word * uint64(0x0101010101010101)) >> uint64(56)


@compiled
def read_bits(by_lane: Any, lane: int, word: int, start: int, count: int) -> Any:
    """Bits start .. start + count - 1 of a lane, ``count`` at most 32."""
    row = (start >> 6) * STRIDE + lane
    shift = start & 63
    value = by_lane[row, word] >> uint64(shift)
    if shift + count > 64:
        value |= by_lane[row + STRIDE, word] << uint64(64 - shift)
    return value & ((uint64(1) << uint64(count)) - uint64(1))


@compiled
def load_puzzle(by_lane: Any, lane: int, word: int, cells: Any, allowed: Any, order: int) -> None:
    """Write the candidates of a puzzle into a lane. cells: the clue of each, or with nothing ``allowed`` its mask."""
    gathered = uint64(0)
    bits = 0
    row = lane
    clued = allowed.size > 0
    for cell in range(cells.size):
        value = allowed[cells[cell]] if clued else uint64(cells[cell])
        gathered |= value << uint64(bits)
        bits += order
        if bits >= 64:
            by_lane[row, word] = gathered
            row += STRIDE
            bits -= 64
            gathered = value >> uint64(order - bits)
    if bits:
        by_lane[row, word] = gathered


@compiled
def record_grid(by_lane: Any, lane: int, word: int, grid: Any, order: int) -> None:
    """Write the symbols of a lane with one candidate in each cell to ``grid``."""
    everything = (uint64(1) << uint64(order)) - uint64(1)
    row = lane
    rest = by_lane[row, word]
    bits = 64
    for cell in range(grid.size):
        value = rest
        if bits >= order:
            rest >>= uint64(order)
            bits -= order
        else:
            row += STRIDE
            following = by_lane[row, word]
            value |= following << uint64(bits)
            rest = following >> uint64(order - bits)
            bits += 64 - order
        grid[cell] = count_bits((value & everything) - uint64(1)) + uint64(1)


@compiled
def branch_candidate(by_lane: Any, lane: int, word: int, tables: Any, chosen: Any, is_second: Any) -> Any:
    """The candidate to branch on: one of the two left in group ``chosen - 1``, or the first in a cell with fewest."""
    order, groups = tables.order, tables.groups
    start = (np.int64(chosen) - 1) * order
    if not chosen:
        fewest = uint64(65)
        for cell in range(order * order):
            count = count_bits(read_bits(by_lane, lane, word, cell * order, order))
            if uint64(1) < count < fewest:
                fewest = count
                start = groups.size + (cell - order * order) * order  # the groups of the cells come last
    while not read_bits(by_lane, lane, word, groups[start], 1):
        start += 1
    if is_second:
        start += 1
        while not read_bits(by_lane, lane, word, groups[start], 1):
            start += 1
    return groups[start]


@compiled
def branch(batch: Any, lane: int, word: int, order: int, candidate: int) -> None:
    """Give a cell the symbol of ``candidate`` in the lane; store the lane without it."""
    by_lane, stack = batch.by_lane, batch.stack
    slot = lane * WORDS + word
    top = batch.slots[slot, 2]
    for index in range(stack.shape[2]):
        stack[slot, top, index] = by_lane[index * STRIDE + lane, word]
    stack[slot, top, candidate >> 6] ^= uint64(1) << uint64(candidate & 63)
    batch.slots[slot, 2] += 1
    batch.slots[slot, 3] += 1
    batch.levels[slot, top] = batch.slots[slot, 3]
    first = candidate - candidate % order
    siblings = read_bits(by_lane, lane, word, first, order) ^ (uint64(1) << uint64(candidate - first))
    index = (first >> 6) * STRIDE + lane
    shift = first & 63
    by_lane[index, word] ^= siblings << uint64(shift)
    if shift + order > 64:
        by_lane[index + STRIDE, word] ^= siblings >> uint64(64 - shift)


@compiled
def follow_up(batch: Any, tables: Any, lane: int, word: int, puzzle: int) -> Any:
    """See to one lane at rest: record its grid, branch, or go back. Returns whether its search goes on.

    A second grid, or too many branches, end a search, and what it has found by then depends on the order. So a shared
    search is withdrawn there, to be repeated by one lane alone; proofs of "unique" and "none" visit every branch and
    do not depend on it.
    """
    by_lane, mode, codes = batch.by_lane, batch.mode, batch.codes
    slot = lane * WORDS + word
    candidates = tables.order**3
    report = read_bits(by_lane, lane, word, candidates, 3)
    if not report & uint64(7):
        is_deep = batch.slots[slot, 3] == batch.stack.shape[1] - DIVING_ROOM
        if is_deep or batch.branches[puzzle] == batch.max_branches:
            if mode[puzzle] == SHARED:
                mode[puzzle] = WITHDRAWN
            else:
                codes[puzzle] = 3
            return False
        batch.branches[puzzle] += 1
        is_second = read_bits(by_lane, lane, word, candidates + 3, 1)
        chosen = read_bits(by_lane, lane, word, candidates + 4, tables.planes)
        candidate = branch_candidate(by_lane, lane, word, tables, chosen, is_second)
        branch(batch, lane, word, tables.order, candidate)
        return True
    if report & uint64(4):
        if codes[puzzle] and mode[puzzle] == SHARED:
            mode[puzzle] = WITHDRAWN
            return False
        grid = batch.second[puzzle] if codes[puzzle] else batch.first[puzzle]
        record_grid(by_lane, lane, word, grid, tables.order)
        codes[puzzle] += 1
        if codes[puzzle] == 2:
            return False
    return go_back(batch, lane, word, puzzle)


@compiled
def go_back(batch: Any, lane: int, word: int, puzzle: int) -> bool:
    """Take up a stored branch of a lane, the newest or, in a long search without solution, the oldest; if there is one.

    Of many solutions none may be below the first branch that was taken.
    """
    slot = lane * WORDS + word
    base = batch.slots[slot, 1]
    top = batch.slots[slot, 2]
    if top == base:
        return False
    is_long = not batch.codes[puzzle] and batch.branches[puzzle] % PATIENCE == PATIENCE - 1
    row = top - 1
    if is_long and top <= DIVING_ROOM:
        row = base
        batch.slots[slot, 1] = base + 1
    else:
        batch.slots[slot, 2] = row
    batch.slots[slot, 3] = batch.levels[slot, row]
    for index in range(batch.stack.shape[2]):
        batch.by_lane[index * STRIDE + lane, word] = batch.stack[slot, row, index]
    return True


@compiled
def release(batch: Any, puzzle: int) -> None:
    """Take a lane off a puzzle. One that is withdrawn is lined up again when no lane searches it any more."""
    batch.crew[puzzle] -= 1
    if batch.mode[puzzle] == WITHDRAWN and batch.crew[puzzle] == 0:
        batch.mode[puzzle] = ALONE
        batch.codes[puzzle] = 0
        batch.branches[puzzle] = 0
        batch.first[puzzle, :] = 0
        batch.again[batch.queue[2]] = puzzle
        batch.queue[2] += 1


@compiled
def next_puzzle(batch: Any) -> Any:
    """Return the next puzzle to be searched, first of those that are lined up again; -1 if there is none."""
    queue = batch.queue
    if queue[1] < queue[2]:
        queue[1] += 1
        return batch.again[queue[1] - 1]
    if queue[0] < batch.clues.shape[0]:
        queue[0] += 1
        return queue[0] - 1
    return np.int64(-1)


@compiled
def attend(batch: Any, tables: Any) -> Any:
    """See to every lane at rest; lanes that are free take the next puzzle. Returns the number of lanes at work."""
    by_lane, slots, mode = batch.by_lane, batch.slots, batch.mode
    report_at = tables.order**3
    busy = 0
    for lane in range(64):
        for word in range(WORDS):
            slot = lane * WORDS + word
            puzzle = slots[slot, 0]
            if puzzle >= 0:
                goes_on = mode[puzzle] != WITHDRAWN
                if goes_on and read_bits(by_lane, lane, word, report_at, 2) != uint64(2):
                    goes_on = follow_up(batch, tables, lane, word, puzzle)
                if goes_on:
                    busy += 1
                    continue
                slots[slot, 0] = -1
                release(batch, puzzle)
            following = next_puzzle(batch)
            if following < 0:
                if puzzle >= 0:  # Newly idle: without candidates it ends in a conflict at once, and stays there.
                    for index in range(batch.stack.shape[2]):
                        by_lane[index * STRIDE + lane, word] = uint64(0)
                continue
            if batch.masks.shape[0]:
                load_puzzle(by_lane, lane, word, batch.masks[following], batch.allowed[:0], tables.order)
            else:
                load_puzzle(by_lane, lane, word, batch.clues[following], batch.allowed, tables.order)
            slots[slot, 0] = following
            slots[slot, 1] = 0
            slots[slot, 2] = 0
            slots[slot, 3] = 0
            batch.crew[following] = 1
            busy += 1
    return busy


@compiled
def share(batch: Any) -> int:
    """Give idle lanes the oldest stored branches of busy ones, one from each. Returns how many were given.

    The oldest has most of the search below it. Without this the few longest searches would end a batch alone.
    """
    slots, stack, mode = batch.slots, batch.stack, batch.mode
    given = 0
    idle = 0
    for slot in range(slots.shape[0]):
        puzzle = slots[slot, 0]
        base = slots[slot, 1]
        few = puzzle < 0 or batch.branches[puzzle] < WORTH_SHARING
        if few or base == slots[slot, 2] or mode[puzzle] > SHARED:
            continue
        while idle < slots.shape[0] and slots[idle, 0] >= 0:
            idle += 1
        if idle == slots.shape[0]:
            break
        for index in range(stack.shape[2]):
            batch.by_lane[index * STRIDE + idle // WORDS, idle % WORDS] = stack[slot, base, index]
        slots[slot, 1] = base + 1
        slots[idle, 0] = puzzle
        slots[idle, 1] = base
        slots[idle, 2] = base
        slots[idle, 3] = batch.levels[slot, base]
        batch.crew[puzzle] += 1
        mode[puzzle] = SHARED
        given += 1
    return given
