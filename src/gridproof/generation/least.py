"""The search for the least form of a puzzle, row after row; compiled where numba is installed.

A *node* is a part of a symmetry: the rows placed so far, the columns as far as it matters, and the names of symbols.
Columns of a stack that have been alike until now (blank, or new symbols) are *tied*: they share one range of positions,
and the names of the symbols that were new in them are known up to the order of that range. A tie is broken only where
the next row differs. A depth-first search writes the form cell by cell and leaves a node that becomes greater than the
least form so far. Nodes that reach its end with the same form differ by automorphisms.

All arrays are flat, so that lists do where numba is missing.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from math import factorial
from typing import Any

try:
    from gridproof.lanes.compiling import KeptFunction, compiled
except ImportError:

    def compiled(function: Callable[..., Any]) -> Any:
        """Leave the function as it is."""
        return function

    KeptFunction: Any = compiled  # type: ignore[no-redef]


Work = namedtuple("Work", "order high wide width cells ranks pairs nodes scores best progress ties")
"""One search: sizes, what is searched, and the state.

high, wide: rows of a band and columns of a stack. cells: a puzzle, as it is and transposed; or a grid, and then the
puzzle that it carries. ranks, pairs: see ``_is_known``. nodes: of this width each: the one in work, then the stack of
open ones. best: the form of the puzzle or grid, and then that of the puzzle that is carried. ties: for each column the
position where its tie begins."""

TOP, KNOWN, LEAVES, CARRIES, PAIR, LOWEST = range(6)
"""In ``progress``: the number of open nodes, the cells known of ``best``, how many nodes have reached it; whether there
is a puzzle to be carried; the next pair of rows, first of all to be looked up, then of all to be searched; the lowest
of their ranks."""

_LARGEST_LOOKED_UP = 9
"""Of the orders of grids. A table of all permutations of a row would be too large for more."""

_BLANK_BAND, _BLANK_ROW = -2, -1

SIDE, PLACE, POSITION, USED, LISTS = range(5)
"""In a node: the side, the place of the row to be written, the position in it, and the number of symbols named. Then
the row of each place and the place of each row, the column of each position and for each column the position where its
tie begins, and for each symbol the column where it was new and its name, counted from the position of that column; -1
for none."""


def numbers(size: int, kind: str = "int64") -> Any:
    """Return so many zeros."""
    if not hasattr(search, "py_func"):
        return [0] * size
    import numpy as np

    return np.zeros(size, kind)


def work_of(order: int, high: int, wide: int) -> Work:
    """Return a search without a puzzle."""
    square, width, small = order * order, LISTS + 6 * order + 2, 1 < order <= _LARGEST_LOOKED_UP
    searched = map(numbers, (4 * square, factorial(order) * small, (1 + (high == wide)) * order * high * small))
    nodes = numbers(width * (3 * square + 4), "int16")
    state = map(numbers, (2 * order + 1, 2 * square, 6, order))
    return Work(order, high, wide, width, *searched, nodes, *state)  # type: ignore[call-arg]


@KeptFunction
def begin(work: Any, carries: bool) -> None:
    """Begin with a node for each side, or, for a grid that carries a puzzle, with the first pair of rows."""
    square, cells, progress, pairs = work.order * work.order, work.cells, work.progress, len(work.pairs)
    for cell in range(square):
        turned = square + cell % work.order * work.order + cell // work.order
        cells[turned], cells[2 * square + turned] = cells[cell], cells[2 * square + cell]
    progress[TOP], progress[KNOWN], progress[LEAVES], progress[LOWEST] = 0, 0, 0, 0
    progress[CARRIES], progress[PAIR] = carries, 0 if carries else 2 * pairs
    if not carries or not pairs:
        for side in range(1 + (work.high == work.wide)):
            _push_new(work, side)


@KeptFunction
def search(work: Any, steps: int) -> bool:
    """Make up to so many steps of the search. Return whether it is over."""
    order, width, nodes, progress = work.order, work.width, work.nodes, work.progress
    pairs, going_on = len(work.pairs), False
    for _ in range(steps):
        if not going_on:
            if progress[TOP] == 0:
                if progress[PAIR] == 2 * pairs:
                    return True
                _choose_pair(work)
                continue
            for index in range(width):
                nodes[index] = nodes[progress[TOP] * width + index]
            progress[TOP] -= 1
        place, position = nodes[PLACE], nodes[POSITION]
        going_on = False
        if place == 2 and progress[PAIR] < pairs:
            continue
        if place == order:
            _finish(work)
        elif nodes[LISTS + place] < 0:
            _choose_row(work, place)
        elif place == 0 and nodes[LISTS + 2 * order + position] < 0:
            _choose_stack(work, position)
        else:
            going_on = _write_cells(work, place, position)
    if going_on:
        _push(work)
    return False


@compiled
def _choose_pair(work: Any) -> None:
    """Take the next first and second row of a full grid; search only those whose second row can be the least."""
    order, high, progress, pairs = work.order, work.high, work.progress, len(work.pairs)
    pair = progress[PAIR] % pairs
    first = pair // high
    second = first // high * high + pair % high
    looks_up = progress[PAIR] < pairs
    if first == second or (looks_up and _is_known(work, pair, first, second)):
        progress[PAIR] += 1
        return
    if not looks_up:
        progress[PAIR] += 1
        if work.ranks[work.pairs[pair]] > progress[LOWEST]:
            return
    _push_new(work, first // order)
    node = work.width + LISTS
    for place in range(2):
        row = (first, second)[place] % order
        work.nodes[node + place], work.nodes[node + order + row] = row, place


@compiled
def _is_known(work: Any, pair: int, first: int, second: int) -> bool:
    """Look up the least second row that a pair of rows can have; if it has just been searched, write it down.

    It depends only on which columns of the first row have the symbols of the second: on a permutation, whose number is
    written down in ``pairs``. ``ranks`` has for each permutation the row as a number, 0 where it is not known yet.
    """
    order, cells, best, scores, progress = work.order, work.cells, work.best, work.scores, work.progress
    code = 0
    for column in range(order):
        scores[order + cells[first * order + column]] = column
    for column in range(order):
        source = scores[column] = scores[order + cells[second * order + column]]
        for other in range(column):
            source -= scores[other] < scores[column]
        code = code * (order - column) + source
    work.pairs[pair] = code
    if progress[KNOWN]:
        for position in range(order, 2 * order):
            work.ranks[code] = work.ranks[code] * order + best[position]
        progress[KNOWN] = 0
    rank = work.ranks[code]
    if rank and (progress[LOWEST] == 0 or rank < progress[LOWEST]):
        progress[LOWEST] = rank
    return bool(rank)


@compiled
def _finish(work: Any) -> None:
    """Count a node that has reached the end; write down its ties and the puzzle that is carried."""
    order, nodes, square = work.order, work.nodes, work.order * work.order
    for column in range(order):
        work.ties[column] = nodes[LISTS + 3 * order + column]
    for cell in range(square * work.progress[CARRIES]):
        row = 2 * order + nodes[SIDE] * order + nodes[LISTS + cell // order]
        symbol, value = work.cells[row * order + nodes[LISTS + 2 * order + cell % order]], 0
        if symbol:
            origin = LISTS + 4 * order + symbol
            value = nodes[LISTS + 3 * order + nodes[origin]] + nodes[origin + order + 1]
        if not write(work, square + cell, value):
            return
    work.progress[LEAVES] += 1


@compiled
def _push_new(work: Any, side: int) -> None:
    for index in range(work.width):
        work.nodes[index] = 0 if index < LISTS else -1
    work.nodes[SIDE] = side
    _push(work)


@compiled
def _push(work: Any) -> Any:
    """Put a copy of the node in work on the stack. Return where it stands."""
    work.progress[TOP] += 1
    top = work.progress[TOP] * work.width
    for index in range(work.width):
        work.nodes[top + index] = work.nodes[index]
    return top


@compiled
def _choose_row(work: Any, place: int) -> None:
    """Branch over the rows that may come next. Of blank rows of a band, and of blank bands, one stands for all."""
    order, high, nodes, scores = work.order, work.high, work.nodes, work.scores
    placed, first, last = LISTS + order, 0, order
    if place % high:
        first = nodes[LISTS + place - 1] // high * high
        last = first + high
    lowest = order + 1
    for row in range(first, last):
        scores[row] = order + 2
        if nodes[placed + row] < 0:
            scores[row] = _score(work, place, row)
            lowest = min(lowest, scores[row])
    if place and not write(work, place * order, max(lowest, 0)):
        return
    band = -1
    for row in range(first, last):
        if scores[row] == lowest and row // high != band:
            node = _push(work)
            nodes[node + LISTS + place], nodes[node + placed + row] = row, place
            if lowest == _BLANK_BAND:
                return
            band = row // high if lowest == _BLANK_ROW else -1


@compiled
def _score(work: Any, place: int, row: int) -> Any:
    """Return the least value that a row can begin with, or that it is blank."""
    order, high, nodes = work.order, work.high, work.nodes
    if _are_blank(work, row, 1):
        return _BLANK_BAND if place % high == 0 and _are_blank(work, row // high * high, high) else _BLANK_ROW
    lowest = order + 1
    for column in range(order):
        if nodes[LISTS + 3 * order + column] == 0:
            lowest = min(lowest, _value(work, (nodes[SIDE] * order + row) * order, column, 0))
    return lowest


@compiled
def _are_blank(work: Any, first: int, rows: int) -> bool:
    line = (work.nodes[SIDE] * work.order + first) * work.order
    clues = 0
    for cell in range(line, line + rows * work.order):
        clues += work.cells[cell]
    return bool(clues == 0)


@compiled
def _choose_stack(work: Any, position: int) -> None:
    """Branch over the stacks that may come next: those with the fewest clues in the first row have its least form."""
    order, wide, cells, nodes, scores = work.order, work.wide, work.cells, work.nodes, work.scores
    at, tie, line = LISTS + 2 * order, LISTS + 3 * order, (nodes[SIDE] * order + nodes[LISTS]) * order
    fewest = order + 1
    for column in range(0, order, wide):
        scores[column] = order + 2
        if nodes[tie + column] < 0:
            scores[column] = 0
            for cell in range(line + column, line + column + wide):
                scores[column] += cells[cell] > 0
            fewest = min(fewest, scores[column])
    for column in range(0, order, wide):
        if scores[column] == fewest:
            node = _push(work)
            for index in range(wide):
                nodes[node + at + position + index] = column + index
                nodes[node + tie + column + index] = position


@compiled
def _write_cells(work: Any, place: int, position: int) -> Any:
    """Write the cells of the columns that are tied at a position, as far as they differ, and branch over the first.

    Return False if the form is greater than the least one so far.
    """
    order, wide, nodes, cells = work.order, work.wide, work.nodes, work.cells
    at, tie, origin, offset = (LISTS + 2 * order, LISTS + 3 * order, LISTS + 4 * order, LISTS + 5 * order + 1)
    line, cursor = (nodes[SIDE] * order + nodes[LISTS + place]) * order, place * order + position
    alone = position
    while place and alone < order and (alone + 1 == order or nodes[tie + nodes[at + alone + 1]] != alone):
        column = nodes[at + alone]
        if not write(work, place * order + alone, _value(work, line, column, alone)):
            return False
        if cells[line + column]:
            _place_column(work, 0, line, column)
        alone += 1
    if alone > position:
        return _go_on(work, alone - position)
    behind, end, blanks, new = position, (position // wide + 1) * wide, 0, 0
    while behind < end and nodes[tie + nodes[at + behind]] == position:
        column = nodes[at + behind]
        symbol = cells[line + column]
        if symbol == 0:  # to the front
            nodes[at + behind], nodes[at + position + blanks] = nodes[at + position + blanks], column
            blanks += 1
        elif nodes[origin + symbol] < 0:
            new += 1
            for index in range(position, behind):
                new -= cells[line + nodes[at + index]] == symbol
        behind += 1
    if blanks:
        for index in range(position + blanks, behind):
            nodes[tie + nodes[at + index]] = position + blanks
        for index in range(blanks):
            write(work, cursor + index, 0)
        return _go_on(work, blanks)
    if new == behind - position:
        for index in range(new):
            if not write(work, cursor + index, nodes[USED] + 1 + index):
                return False
            column = nodes[at + position + index]
            nodes[origin + cells[line + column]] = column
            nodes[offset + cells[line + column]] = nodes[USED] + 1 - position
        nodes[USED] += new
        return _go_on(work, new)
    lowest, chosen = order + 1, -1
    for index in range(position, behind):
        lowest = min(lowest, _value(work, line, nodes[at + index], position))
    if not write(work, cursor, lowest):
        return False
    _go_on(work, 1)
    for index in range(position, behind):
        if _value(work, line, nodes[at + index], position) == lowest:
            if chosen >= 0:
                _place_column(work, _push(work), line, chosen)
            chosen = nodes[at + index]
    _place_column(work, 0, line, chosen)
    return True


@compiled
def _value(work: Any, line: int, column: int, position: int) -> Any:
    """Return the least name that the symbol of a column can have in this row, if the column comes at this position."""
    order, nodes = work.order, work.nodes
    symbol = work.cells[line + column]
    if symbol == 0:
        return 0
    source = nodes[LISTS + 4 * order + symbol]
    if source < 0:
        return nodes[USED] + 1
    first = nodes[LISTS + 3 * order + source]
    return nodes[LISTS + 5 * order + 1 + symbol] + first + (first == position and source != column)


@compiled
def _place_column(work: Any, node: int, line: int, column: int) -> None:
    """Place a column first of those that it is tied with, and then the one in which its symbol was new."""
    nodes, origin = work.nodes, node + LISTS + 4 * work.order + work.cells[line + column]
    _place_first(work, node, column)
    if nodes[origin] < 0:
        nodes[origin] = column
        nodes[node + USED] += 1
        nodes[origin + work.order + 1] = nodes[node + USED] - nodes[node + LISTS + 3 * work.order + column]
    else:
        _place_first(work, node, nodes[origin])


@compiled
def _place_first(work: Any, node: int, column: int) -> None:
    nodes, at, tie = work.nodes, node + LISTS + 2 * work.order, node + LISTS + 3 * work.order
    first = nodes[tie + column]
    for position in range(first, (first // work.wide + 1) * work.wide):
        other = nodes[at + position]
        if other == column:
            nodes[at + position], nodes[at + first] = nodes[at + first], column
        elif nodes[tie + other] == first:
            nodes[tie + other] = first + 1


@compiled
def _go_on(work: Any, cells: int) -> Any:
    work.nodes[POSITION] += cells
    if work.nodes[POSITION] == work.order:
        work.nodes[POSITION] = 0
        work.nodes[PLACE] += 1
    return True


@compiled
def write(work: Any, cell: int, value: int) -> bool:
    """Write a cell of the form. Return False if the form is greater than the least one so far."""
    best, progress = work.best, work.progress
    if cell < progress[KNOWN]:
        if value >= best[cell]:
            return bool(value == best[cell])
        progress[LEAVES] = 0
    best[cell] = value
    progress[KNOWN] = cell + 1
    return True
