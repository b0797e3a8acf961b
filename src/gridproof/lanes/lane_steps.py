"""The steps of one lane at a time: load a puzzle, branch, take up a stored branch, record a grid.

Here the state lies *by lane*: a lane is bit l of word w of every vector, its *slot* is ``WORDS * l + w``, and its
candidates are consecutive bits of the words ``by_lane[STRIDE * i + l, w]``, i = 0, 1, ... After the candidates follows
the report of ``passes``: conflict, changed, solved, whether the second of the chosen pair is taken, and the number of
its group.
"""

from __future__ import annotations

from typing import Any

from gridproof.lanes.batch_numba import LANES, STRIDE, WORDS
from gridproof.lanes.compiling import compiled
from gridproof.lanes.layout import ALONE, DIVING_ROOM, PATIENCE, SHARED, WITHDRAWN
from gridproof.lanes.vectors import count_ones, item, lowest_one, put, uint64

STEP = STRIDE * WORDS
"""Words between two words of a lane in ``by_lane``."""

SECOND, CHOSEN = 3, 4
"""Places in a report: whether the second of the pair is taken, and where the number of its group begins."""

BRANCHING, SOLVED, FAILED, FREE = 0, 1, 2, 3
"""The rows of ``Batch.at_rest``: lanes that branch, have a grid, have a contradiction, and have no puzzle."""


@compiled
def read_bits(words: Any, begin: int, step: int, start: int, count: int) -> Any:
    """Bits start .. start + count - 1 of the words at ``begin``, ``begin + step`` and so on; ``count`` at most 32."""
    shift = start & 63
    low = item(words, begin + (start >> 6) * step) >> uint64(shift)
    # of the next word, or of the same one: then what is too high goes with the mask
    high = (item(words, begin + ((start + count - 1) >> 6) * step) << uint64(1)) << uint64(63 - shift)
    return (low | high) & ((uint64(1) << uint64(count)) - uint64(1))


@compiled
def load_puzzle(batch: Any, slot: int, cells: Any, first: int, allowed: Any, order: int) -> None:
    """Write the candidates of a puzzle into a lane, without a report.

    cells: from ``first`` on the clue of each, or with nothing ``allowed`` its mask.
    """
    by_lane = batch.by_lane
    end = batch.stack.shape[2] * STEP
    gathered = uint64(0)
    bits = 0
    at = slot
    clued = allowed.size > 0
    for place in range(first, first + order * order):
        cell = item(cells, place)
        value = item(allowed, cell) if clued else uint64(cell)
        gathered |= value << uint64(bits)
        bits += order
        if bits >= 64:
            put(by_lane, at, gathered)
            at += STEP
            bits -= 64
            gathered = (value >> uint64(1)) >> uint64(order - bits - 1)
    while at < end:
        put(by_lane, at, gathered)
        gathered = uint64(0)
        at += STEP


@compiled
def record_grid(by_lane: Any, slot: int, grids: Any, first: int, order: int) -> None:
    """Write the symbols of a lane with one candidate in each cell to ``grids``, from ``first`` on."""
    last = first + order * order
    place = first
    at = slot
    symbol_of_bit = 1  # of bit 0 of the word, in the cell of ``place``
    while place < last:
        word = item(by_lane, at)
        while word and place < last:
            put(grids, place, symbol_of_bit + lowest_one(word))
            word &= word - uint64(1)
            symbol_of_bit -= order
            place += 1
        symbol_of_bit += 64
        at += STEP


@compiled
def copy_to_stack(batch: Any, slot: int, row: int) -> Any:
    """Store a lane in a row of its stack, with its report. Returns where the row begins."""
    words = batch.stack.shape[2]
    begin = (slot * batch.stack.shape[1] + row) * words
    for index in range(words):
        put(batch.stack, begin + index, item(batch.by_lane, index * STEP + slot))
    return begin


@compiled
def copy_from_stack(batch: Any, row: int, of_slot: int, slot: int, candidates: int) -> None:
    """Give a lane what is in a row of the stack of the lane ``of_slot``, with the other one of the pair to take."""
    words = batch.stack.shape[2]
    begin = (of_slot * batch.stack.shape[1] + row) * words
    for index in range(words):
        put(batch.by_lane, index * STEP + slot, item(batch.stack, begin + index))
    flip_bit(batch.by_lane, slot, STEP, candidates + SECOND)


@compiled
def flip_bit(words: Any, begin: int, step: int, bit: int) -> None:
    """Change a bit of the words at ``begin``, ``begin + step`` and so on."""
    at = begin + (bit >> 6) * step
    put(words, at, item(words, at) ^ (uint64(1) << uint64(bit & 63)))


@compiled
def branch(batch: Any, tables: Any, slot: int, puzzle: int) -> bool:
    """Store a lane that takes one of a pair. Returns whether it may go on.

    ``passes.take_chosen`` takes that one; when the stored lane is taken up, the other one.
    """
    is_deep = batch.slots[slot, 3] == batch.stack.shape[1] - DIVING_ROOM
    if is_deep or batch.branches[puzzle] == batch.max_branches:
        if batch.mode[puzzle] == SHARED:
            batch.mode[puzzle] = WITHDRAWN
        else:
            batch.codes[puzzle] = 3
        return False
    batch.branches[puzzle] += 1
    top = batch.slots[slot, 2]
    begin = copy_to_stack(batch, slot, top)
    batch.slots[slot, 2] += 1
    batch.slots[slot, 3] += 1
    batch.levels[slot, top] = batch.slots[slot, 3]
    if not read_bits(batch.stack, begin, 1, tables.order**3 + CHOSEN, tables.planes):
        branch_without_pair(batch, slot, begin, tables.order)
    return True


@compiled
def branch_without_pair(batch: Any, slot: int, begin: int, order: int) -> None:
    """Take the first candidate in a cell with fewest; store the lane, which lies at ``begin``, without it."""
    fewest = 65
    first = 0
    for cell in range(order * order):
        count = count_ones(read_bits(batch.stack, begin, 1, cell * order, order))
        if 1 < count < fewest:
            fewest = count
            first = cell * order
    left = read_bits(batch.stack, begin, 1, first, order)
    taken = lowest_one(left)
    flip_bit(batch.stack, begin, 1, first + taken)
    for symbol in range(taken + 1, order):
        if left >> uint64(symbol) & uint64(1):
            flip_bit(batch.by_lane, slot, STEP, first + symbol)


@compiled
def take_grid(batch: Any, slot: int, puzzle: int, order: int) -> Any:
    """Record the grid of a lane. Returns whether its search goes on.

    A second grid, or too many branches, end a search, and what it has found by then depends on the order. So a shared
    search is withdrawn there, to be repeated by one lane alone; proofs of "unique" and "none" visit every branch and
    do not depend on it.
    """
    mode, codes = batch.mode, batch.codes
    if mode[puzzle] == WITHDRAWN:
        return False
    if codes[puzzle] and mode[puzzle] == SHARED:
        mode[puzzle] = WITHDRAWN
        return False
    grids = batch.second if codes[puzzle] else batch.first
    record_grid(batch.by_lane, slot, grids, puzzle * order**2, order)
    codes[puzzle] += 1
    return codes[puzzle] < 2


@compiled
def go_back(batch: Any, slot: int, puzzle: int, candidates: int) -> bool:
    """Take up a stored branch of a lane, the newest or, in a long search without solution, the oldest; if there is one.

    Of many solutions none may be below the first branch that was taken.
    """
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
    copy_from_stack(batch, row, slot, slot, candidates)
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
    return -1


@compiled
def list_lanes(batch: Any, report_at: int) -> Any:
    """List the lanes at rest in ``at_rest`` by what has to be done. Returns how many there are in each of its rows.

    Every lane is written everywhere and counted in one row: a jump that depends on the lane is often guessed wrongly.
    """
    at_rest, slots = batch.at_rest, batch.slots
    branching, solved, failed, free = 0, 0, 0, 0
    for slot in range(LANES):
        report = int(read_bits(batch.by_lane, slot, STEP, report_at, 3))
        puzzle = item(slots, slot * slots.shape[1])
        is_free = puzzle < 0 or batch.mode[puzzle] == WITHDRAWN
        put(at_rest, BRANCHING * LANES + branching, slot)
        put(at_rest, SOLVED * LANES + solved, slot)
        put(at_rest, FAILED * LANES + failed, slot)
        put(at_rest, FREE * LANES + free, slot)
        branching += (report == 0) & (not is_free)
        solved += (report == 4) & (not is_free)
        failed += (report & 1) & (not is_free)
        free += is_free
    return branching, solved, failed, free


@compiled
def attend(batch: Any, tables: Any) -> Any:
    """See to every lane at rest; lanes that are free take the next puzzle. Returns the number of lanes at work."""
    at_rest, slots, order = batch.at_rest, batch.slots, tables.order
    branching, solved, failed, free = list_lanes(batch, order**3)
    for place in range(branching):
        slot = at_rest[BRANCHING, place]
        if not branch(batch, tables, slot, slots[slot, 0]):
            at_rest[FREE, free] = slot
            free += 1
    for place in range(solved):
        slot = at_rest[SOLVED, place]
        if take_grid(batch, slot, slots[slot, 0], order):
            at_rest[FAILED, failed] = slot
            failed += 1
        else:
            at_rest[FREE, free] = slot
            free += 1
    for place in range(failed):
        slot = at_rest[FAILED, place]
        if not go_back(batch, slot, slots[slot, 0], order**3):
            at_rest[FREE, free] = slot
            free += 1
    busy = LANES - free
    for place in range(free):
        busy += begin_next(batch, at_rest[FREE, place], order)
    return busy


@compiled
def begin_next(batch: Any, slot: int, order: int) -> bool:
    """Give the next puzzle to a lane that is free. Returns whether there is one."""
    slots = batch.slots
    if slots[slot, 0] >= 0:
        release(batch, slots[slot, 0])
    puzzle = next_puzzle(batch)
    slots[slot, 0] = puzzle
    if puzzle < 0:
        for index in range(batch.stack.shape[2]):  # without candidates it ends in a conflict at once, and stays there
            put(batch.by_lane, index * STEP + slot, uint64(0))
        return False
    if batch.masks.shape[0]:
        load_puzzle(batch, slot, batch.masks, puzzle * order**2, batch.allowed[:0], order)
    else:
        load_puzzle(batch, slot, batch.clues, puzzle * order**2, batch.allowed, order)
    slots[slot, 1] = 0
    slots[slot, 2] = 0
    slots[slot, 3] = 0
    batch.crew[puzzle] = 1
    return True


@compiled
def share(batch: Any, tables: Any) -> int:
    """Give idle lanes the oldest stored branches of busy ones, one from each. Returns how many were given.

    The oldest has most of the search below it. Without this the few longest searches would end a batch alone.
    """
    slots, mode = batch.slots, batch.mode
    given = 0
    idle = 0
    for slot in range(LANES):
        puzzle = slots[slot, 0]
        base = slots[slot, 1]
        few = puzzle < 0 or batch.branches[puzzle] < batch.worth_sharing
        if few or base == slots[slot, 2] or mode[puzzle] > SHARED:
            continue
        while idle < LANES and slots[idle, 0] >= 0:
            idle += 1
        if idle == LANES:
            break
        copy_from_stack(batch, base, slot, idle, tables.order**3)
        slots[slot, 1] = base + 1
        slots[idle, 0] = puzzle
        slots[idle, 1] = base
        slots[idle, 2] = base
        slots[idle, 3] = batch.levels[slot, base]
        batch.crew[puzzle] += 1
        mode[puzzle] = SHARED
        given += 1
    return given
