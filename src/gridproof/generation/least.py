"""The search for the least form of a puzzle, row after row; compiled where numba is installed.

A *node* is a part of a symmetry: the rows placed so far, the columns as far as it matters, and the names of symbols.
Columns of a stack that have been alike until now (blank, or new symbols) are *tied*: they share one range of positions,
and the names of the symbols that were new in them are known up to the order of that range. A tie is broken only where
the next row differs. A depth-first search writes the form cell by cell and leaves a node that becomes greater than the
least form so far. Nodes that reach its end with the same form differ by automorphisms.
"""

from __future__ import annotations

from typing import Any

from gridproof.generation.least_nodes import (
    CARRIES,
    KNOWN,
    LEAVES,
    LOWEST,
    PAIR,
    TOP,
    KeptFunction,
    compiled,
    copy_node,
    go_on,
    place_column,
    place_row,
    push,
    push_new,
    work_of,
    write,
)

__all__ = ["LEAVES", "begin", "search", "work_of"]

BLANK_BAND = -2
"""The score of the first row of a blank band, of which all rows are blank."""

BLANK_ROW = -1
"""The score of another blank row."""


# ---- the search ------------------------------------------------------------------------------------------------------


@KeptFunction
def begin(work: Any, carries: bool) -> None:
    """Begin with a node for each side, or, for a grid that carries a puzzle, with the first pair of rows."""
    order = work.order
    square = order * order
    pairs = len(work.pairs)
    for cell in range(square):
        turned = square + cell % order * order + cell // order
        work.cells[turned] = work.cells[cell]
        work.cells[2 * square + turned] = work.cells[2 * square + cell]
    work.progress[TOP] = 0
    work.progress[KNOWN] = 0
    work.progress[LEAVES] = 0
    work.progress[LOWEST] = 0
    work.progress[CARRIES] = carries
    work.progress[PAIR] = 0 if carries else 2 * pairs
    if not carries or not pairs:
        for side in range(1 + (work.high == work.wide)):
            push_new(work, side)


@KeptFunction
def search(work: Any, steps: int) -> bool:
    """Make up to so many steps of the search. Return whether it is over."""
    progress = work.progress
    pairs = len(work.pairs)
    going_on = False
    for _ in range(steps):
        if not going_on:
            if progress[TOP] == 0:
                if progress[PAIR] == 2 * pairs:
                    return True
                choose_pair(work)
                continue
            copy_node(work, progress[TOP], 0)
            progress[TOP] -= 1
        place = work.place[0]
        position = work.position[0]
        going_on = False
        if place == 2 and progress[PAIR] < pairs:
            continue
        if place == work.order:
            finish_node(work)
        elif work.row_of[place] < 0:
            choose_row(work, place)
        elif place == 0 and work.column_of[position] < 0:
            choose_stack(work, position)
        else:
            going_on = write_cells(work, place, position)
    if going_on:
        push(work)
    return False


@compiled
def choose_pair(work: Any) -> None:
    """Take the next first and second row of a full grid; search only those whose second row can be the least."""
    order = work.order
    high = work.high
    progress = work.progress
    pairs = len(work.pairs)
    pair = progress[PAIR] % pairs
    first = pair // high
    second = first // high * high + pair % high
    looks_up = progress[PAIR] < pairs
    if first == second or (looks_up and is_known(work, pair, first, second)):
        progress[PAIR] += 1
        return
    if not looks_up:
        progress[PAIR] += 1
        if work.ranks[work.pairs[pair]] > progress[LOWEST]:
            return
    node = push_new(work, first // order)
    place_row(work, node, first % order, 0)
    place_row(work, node, second % order, 1)


@compiled
def is_known(work: Any, pair: int, first: int, second: int) -> bool:
    """Look up the least second row that a pair of rows can have; if it has just been searched, write it down.

    It depends only on which columns of the first row have the symbols of the second: on a permutation, whose number is
    written down in ``pairs``. ``ranks`` has for each permutation the row as a number, 0 where it is not known yet.
    """
    order = work.order
    cells = work.cells
    scores = work.scores
    progress = work.progress
    code = 0
    for column in range(order):
        scores[order + cells[first * order + column]] = column
    for column in range(order):
        source = scores[order + cells[second * order + column]]
        scores[column] = source
        for other in range(column):
            source -= scores[other] < scores[column]
        code = code * (order - column) + source
    work.pairs[pair] = code
    if progress[KNOWN]:
        for position in range(order, 2 * order):
            work.ranks[code] = work.ranks[code] * order + work.best[position]
        progress[KNOWN] = 0
    rank = work.ranks[code]
    if rank and (progress[LOWEST] == 0 or rank < progress[LOWEST]):
        progress[LOWEST] = rank
    return bool(rank)


@compiled
def finish_node(work: Any) -> None:
    """Count a node that has reached the end; write down its ties and the puzzle that is carried."""
    order = work.order
    square = order * order
    for column in range(order):
        work.ties[column] = work.tie_of[column]
    if work.progress[CARRIES]:
        for cell in range(square):
            row = (2 + work.side[0]) * order + work.row_of[cell // order]
            symbol = work.cells[row * order + work.column_of[cell % order]]
            value = 0
            if symbol:
                value = work.tie_of[work.origin_of[symbol]] + work.offset_of[symbol]
            if not write(work, square + cell, value):
                return
    work.progress[LEAVES] += 1


# ---- rows and stacks -------------------------------------------------------------------------------------------------


@compiled
def choose_row(work: Any, place: int) -> None:
    """Branch over the rows that may come next. Of blank rows of a band, and of blank bands, one stands for all."""
    order = work.order
    high = work.high
    scores = work.scores
    first = 0
    last = order
    if place % high:
        first = work.row_of[place - 1] // high * high
        last = first + high
    lowest = order + 1
    for row in range(first, last):
        scores[row] = order + 2
        if work.place_of[row] < 0:
            scores[row] = score_row(work, place, row)
            lowest = min(lowest, scores[row])
    if place and not write(work, place * order, max(lowest, 0)):
        return
    band = -1
    for row in range(first, last):
        if scores[row] == lowest and row // high != band:
            node = push(work)
            place_row(work, node, row, place)
            if lowest == BLANK_BAND:
                return
            band = row // high if lowest == BLANK_ROW else -1


@compiled
def score_row(work: Any, place: int, row: int) -> Any:
    """Return the least value that a row can begin with, or that it is blank."""
    high = work.high
    if are_blank(work, row, 1):
        begins_band = place % high == 0
        return BLANK_BAND if begins_band and are_blank(work, row // high * high, high) else BLANK_ROW
    line = (work.side[0] * work.order + row) * work.order
    lowest = work.order + 1
    for column in range(work.order):
        if work.tie_of[column] == 0:
            lowest = min(lowest, find_least_name(work, line, column, 0))
    return lowest


@compiled
def are_blank(work: Any, first: int, rows: int) -> bool:
    line = (work.side[0] * work.order + first) * work.order
    clues = 0
    for cell in range(line, line + rows * work.order):
        clues += work.cells[cell]
    return bool(clues == 0)


@compiled
def choose_stack(work: Any, position: int) -> None:
    """Branch over the stacks that may come next: those with the fewest clues in the first row have its least form."""
    order = work.order
    wide = work.wide
    scores = work.scores
    line = (work.side[0] * order + work.row_of[0]) * order
    fewest = order + 1
    for column in range(0, order, wide):
        scores[column] = order + 2
        if work.tie_of[column] < 0:
            scores[column] = 0
            for cell in range(line + column, line + column + wide):
                scores[column] += work.cells[cell] > 0
            fewest = min(fewest, scores[column])
    for column in range(0, order, wide):
        if scores[column] == fewest:
            node = push(work)
            for index in range(wide):
                work.column_of[node * order + position + index] = column + index
                work.tie_of[node * order + column + index] = position


# ---- cells -----------------------------------------------------------------------------------------------------------


@compiled
def write_cells(work: Any, place: int, position: int) -> Any:
    """Write the cells of the columns that are tied at a position, as far as they differ, and branch over the first.

    Return False if the form is greater than the least one so far.
    """
    order = work.order
    line = (work.side[0] * order + work.row_of[place]) * order
    cursor = place * order + position
    if place:
        behind = write_single_columns(work, line, place, position)
        if behind < 0:
            return False
        if behind > position:
            return go_on(work, behind - position)
    behind = find_end_of_tie(work, position)
    blanks = move_blanks_first(work, line, position, behind)
    if blanks:
        for index in range(blanks):
            write(work, cursor + index, 0)
        return go_on(work, blanks)
    if are_all_new(work, line, position, behind):
        return name_symbols(work, line, cursor, position, behind)
    return branch_over_columns(work, line, cursor, position, behind)


@compiled
def write_single_columns(work: Any, line: int, place: int, position: int) -> Any:
    """Write the cells of columns that are tied with no other. Return the position behind them, -1 if one is too great.

    To place a column may leave the next one alone, too.
    """
    order = work.order
    while position < order:
        is_last = position + 1 == order
        if not is_last and work.tie_of[work.column_of[position + 1]] == position:
            break
        column = work.column_of[position]
        if not write(work, place * order + position, find_least_name(work, line, column, position)):
            return -1
        if work.cells[line + column]:
            place_column(work, 0, line, column)
        position += 1
    return position


@compiled
def find_end_of_tie(work: Any, position: int) -> Any:
    """Return the position behind the columns that are tied at a position."""
    end = (position // work.wide + 1) * work.wide
    behind = position
    while behind < end and work.tie_of[work.column_of[behind]] == position:
        behind += 1
    return behind


@compiled
def move_blanks_first(work: Any, line: int, position: int, behind: int) -> Any:
    """Put the columns of a tie that are blank in this row before the others, which are a tie then. Return how many."""
    column_of = work.column_of
    blanks = 0
    for place in range(position, behind):
        column = column_of[place]
        if work.cells[line + column] == 0:
            column_of[place] = column_of[position + blanks]
            column_of[position + blanks] = column
            blanks += 1
    if blanks:
        for place in range(position + blanks, behind):
            work.tie_of[column_of[place]] = position + blanks
    return blanks


@compiled
def are_all_new(work: Any, line: int, position: int, behind: int) -> Any:
    """Return whether the symbols of a tie have no name yet, and are different ones."""
    for place in range(position, behind):
        symbol = work.cells[line + work.column_of[place]]
        if work.origin_of[symbol] >= 0:
            return False
        for other in range(position, place):
            if work.cells[line + work.column_of[other]] == symbol:
                return False
    return True


@compiled
def name_symbols(work: Any, line: int, cursor: int, position: int, behind: int) -> Any:
    """Name the new symbols of a tie, which stays one. Return False if the form is too great."""
    number = behind - position
    first_name = work.used[0] + 1
    for index in range(number):
        if not write(work, cursor + index, first_name + index):
            return False
        column = work.column_of[position + index]
        symbol = work.cells[line + column]
        work.origin_of[symbol] = column
        work.offset_of[symbol] = first_name - position
    work.used[0] += number
    return go_on(work, number)


@compiled
def branch_over_columns(work: Any, line: int, cursor: int, position: int, behind: int) -> Any:
    """Place each of the columns of a tie that have the least name first; go on with the last of them."""
    lowest = work.order + 1
    for place in range(position, behind):
        lowest = min(lowest, find_least_name(work, line, work.column_of[place], position))
    if not write(work, cursor, lowest):
        return False
    go_on(work, 1)
    chosen = -1
    for place in range(position, behind):
        column = work.column_of[place]
        if find_least_name(work, line, column, position) == lowest:
            if chosen >= 0:
                place_column(work, push(work), line, chosen)
            chosen = column
    place_column(work, 0, line, chosen)
    return True


@compiled
def find_least_name(work: Any, line: int, column: int, position: int) -> Any:
    """Return the least name that the symbol of a column can have in this row, if the column comes at this position."""
    symbol = work.cells[line + column]
    if symbol == 0:
        return 0
    source = work.origin_of[symbol]
    if source < 0:
        return work.used[0] + 1
    tie = work.tie_of[source]
    is_behind = tie == position and source != column
    return work.offset_of[symbol] + tie + is_behind
