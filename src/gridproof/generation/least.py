"""The search for the least form of a grid or puzzle, row after row; compiled where numba is installed.

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
from functools import partial
from typing import Any

try:
    from gridproof.lanes.rounds import compiled
except ImportError:

    def compiled(function: Callable[..., Any], *, entry: bool = False) -> Any:
        """Leave the function as it is."""
        return function


Work = namedtuple("Work", "order high wide width share cells counts nodes words best progress scores carried least")
"""One search: sizes, what is searched (for both sides, as it is and transposed), and the state.

high, wide: rows of a band and columns of a stack. counts: for each side and row the clues in each stack, then of the
row and of its band, and whether a symbol is twice in the row. nodes: the stack of open nodes, of this width each.
carried: a puzzle whose least image under the symmetries of the least form is wanted, in ``least``; else that has the
positions where ties of columns begin."""

TOP, KNOWN, LEAVES, IMAGES = range(4)
"""In ``progress``: the node in work, the cells known of ``best``, how many nodes have reached it, and ``least``."""

_BLANK_BAND, _BLANK_ROW = -2, -1

SIDE, PLACE, POSITION, USED, LISTS = range(5)
"""In a node: the side, the place of the row to be written, the position in it, and the number of symbols named."""


def numbers(size: int, kind: str = "int64") -> Any:
    """Return so many zeros."""
    if not hasattr(search, "py_func"):
        return [0] * size
    import numpy as np

    return np.zeros(size, kind)


def width(order: int) -> int:
    """Return the size of a node, which is a number of words."""
    return -(-(LISTS + 7 * order + 2) // 4) * 4


def nodes(order: int) -> tuple[Any, Any, int]:
    """Return room for all nodes that can be open, the same in words, and the words of a node."""
    room = numbers(width(order) * (3 * order * order + 4), "int16")
    words = room.view("int64") if hasattr(room, "view") else room
    return room, words, width(order) * len(words) // len(room)


@partial(compiled, entry=True)
def search(work: Any, steps: int) -> bool:
    """Make up to so many steps of the search. Return whether it is over."""
    order, nodes, progress = work.order, work.nodes, work.progress
    while progress[TOP] >= 0 and steps > 0:
        steps -= 1
        node = progress[TOP] * work.width
        place, position = nodes[node + PLACE], nodes[node + POSITION]
        going_on = True
        if place == order:
            _finish(work, node)
            going_on = False
        elif nodes[node + LISTS + place] < 0:
            going_on = _choose_row(work, node, place)
        elif place == 0 and position % work.wide == 0 and nodes[node + LISTS + 2 * order + position] < 0:
            _choose_stack(work, node, position)
        else:
            going_on = _write_cells(work, node, place, position)
        if not going_on:
            progress[TOP] -= 1
    return bool(progress[TOP] < 0)


@compiled
def _choose_row(work: Any, node: int, place: int) -> bool:
    """Branch over the rows that may come next. Of blank rows of a band, and of blank bands, one stands for all."""
    order, high, nodes, counts, scores = work.order, work.high, work.nodes, work.counts, work.scores
    rows, placed = node + LISTS, node + LISTS + order
    first, last = 0, order
    if place % high:
        first = nodes[rows + place - 1] // high * high
        last = first + high
    lowest = order + 1
    for row in range(first, last):
        scores[row] = order + 1
        if nodes[placed + row] < 0:
            about = (nodes[node + SIDE] * order + row) * (order + 3)
            if counts[about + order] == 0:
                scores[row] = _BLANK_BAND if place % high == 0 and counts[about + order + 1] == 0 else _BLANK_ROW
            elif place:
                scores[row] = _lowest(work, node, row)
            else:
                scores[row] = 0
            lowest = min(lowest, scores[row])
    if place and not _write(work, place * order, max(lowest, 0)):
        return False
    chosen = band = -1
    for row in range(first, last):
        if scores[row] == lowest and row // high != band:
            if chosen < 0:
                chosen = row
            elif lowest > _BLANK_BAND:
                _place_row(work, _copy(work, node), place, row)
            band = row // high if lowest < 0 else -1
    _place_row(work, node, place, chosen)
    return True


@compiled
def _place_row(work: Any, node: int, place: int, row: int) -> None:
    work.nodes[node + LISTS + place] = row
    work.nodes[node + LISTS + work.order + row] = place


@compiled
def _choose_stack(work: Any, node: int, position: int) -> None:
    """Branch over the stacks that may come next: those with the fewest clues in the first row have its least form."""
    order, wide, nodes, counts = work.order, work.wide, work.nodes, work.counts
    where = node + LISTS + 3 * order
    about = (nodes[node + SIDE] * order + nodes[node + LISTS]) * (order + 3)
    fewest = order + 1
    for stack in range(order // wide):
        if nodes[where + stack * wide] < 0:
            fewest = min(fewest, counts[about + stack])
    chosen = -1
    for stack in range(order // wide):
        if nodes[where + stack * wide] < 0 and counts[about + stack] == fewest:
            if chosen < 0:
                chosen = stack
            else:
                _place_stack(work, _copy(work, node), position, stack)
    _place_stack(work, node, position, chosen)


@compiled
def _place_stack(work: Any, node: int, position: int, stack: int) -> None:
    order, wide, nodes = work.order, work.wide, work.nodes
    at, where, start = node + LISTS + 2 * order, node + LISTS + 3 * order, node + LISTS + 4 * order
    for index in range(wide):
        nodes[at + position + index] = stack * wide + index
        nodes[where + stack * wide + index] = position + index
        nodes[start + position + index] = position


@compiled
def _write_cells(work: Any, node: int, place: int, position: int) -> bool:
    """Write the cells of the columns that are tied at a position, as far as they differ, and branch over the first."""
    order, nodes, cells = work.order, work.nodes, work.cells
    at, where, start = node + LISTS + 2 * order, node + LISTS + 3 * order, node + LISTS + 4 * order
    origin, offset = node + LISTS + 5 * order, node + LISTS + 6 * order + 1
    about = nodes[node + SIDE] * order + nodes[node + LISTS + place]
    line, cursor = about * order, place * order + position
    alone = position
    while place and alone < order and (alone + 1 == order or nodes[start + alone + 1] != alone):
        column = nodes[at + alone]
        if not _write(work, place * order + alone, _value(work, node, line, column, alone)):
            return False
        if cells[line + column]:
            _place_column(work, node, line, column)
        alone += 1
    if alone > position:
        _go_on(work, node, alone - position)
        return True
    behind, blanks, new = position, 0, 0
    while behind < order and nodes[start + behind] == position:
        column = nodes[at + behind]
        symbol = cells[line + column]
        if symbol == 0:  # to the front
            other = nodes[at + position + blanks]
            nodes[at + behind], nodes[where + other] = other, behind
            nodes[at + position + blanks], nodes[where + column] = column, position + blanks
            blanks += 1
        elif nodes[origin + symbol] < 0:
            new += 1
        behind += 1
    if blanks:
        for index in range(position + blanks, behind):
            nodes[start + index] = position + blanks
        for index in range(blanks):
            _write(work, cursor + index, 0)
        _go_on(work, node, blanks)
        return True
    if new == behind - position and not work.counts[about * (order + 3) + order + 2]:
        for index in range(new):
            if not _write(work, cursor + index, nodes[node + USED] + 1 + index):
                return False
            column = nodes[at + position + index]
            nodes[origin + cells[line + column]] = column
            nodes[offset + cells[line + column]] = nodes[node + USED] + 1 - position
        nodes[node + USED] += new
        _go_on(work, node, new)
        return True
    lowest, chosen, equal = order + 1, -1, 0
    for index in range(position, behind):
        value = _value(work, node, line, nodes[at + index], position)
        if value < lowest:
            lowest, chosen, equal = value, nodes[at + index], 0
        equal += value == lowest
    if not _write(work, cursor, lowest):
        return False
    _go_on(work, node, 1)
    if equal > 1:
        for index in range(position, behind):
            column = nodes[at + index]
            if column != chosen and _value(work, node, line, column, position) == lowest:
                _place_column(work, _copy(work, node), line, column)
    _place_column(work, node, line, chosen)
    return True


@compiled
def _value(work: Any, node: int, line: int, column: int, position: int) -> Any:
    """Return the least name that the symbol of a column can have in this row, if the column comes at this position."""
    order, nodes = work.order, work.nodes
    symbol = work.cells[line + column]
    if symbol == 0:
        return 0
    source = nodes[node + LISTS + 5 * order + symbol]
    if source < 0:
        return nodes[node + USED] + 1
    first = nodes[node + LISTS + 4 * order + nodes[node + LISTS + 3 * order + source]]
    return nodes[node + LISTS + 6 * order + 1 + symbol] + first + (first == position and source != column)


@compiled
def _place_column(work: Any, node: int, line: int, column: int) -> None:
    """Place a column first of those that it is tied with, and then the one in which its symbol was new."""
    order, nodes = work.order, work.nodes
    position = _place_first(work, node, column)
    symbol = work.cells[line + column]
    origin = node + LISTS + 5 * order + symbol
    if nodes[origin] < 0:
        nodes[origin] = column
        nodes[node + USED] += 1
        nodes[origin + order + 1] = nodes[node + USED] - position
    else:
        _place_first(work, node, nodes[origin])


@compiled
def _place_first(work: Any, node: int, column: int) -> Any:
    order, nodes = work.order, work.nodes
    at, where, start = node + LISTS + 2 * order, node + LISTS + 3 * order, node + LISTS + 4 * order
    now = nodes[where + column]
    first = nodes[start + now]
    other = nodes[at + first]
    nodes[at + now], nodes[where + other] = other, now
    nodes[at + first], nodes[where + column] = column, first
    behind = first + 1
    while behind < order and nodes[start + behind] == first:
        nodes[start + behind] = first + 1
        behind += 1
    return first


@compiled
def _lowest(work: Any, node: int, row: int) -> Any:
    """Return the least value that a row can begin with."""
    order, nodes = work.order, work.nodes
    line = (nodes[node + SIDE] * order + row) * order
    lowest, behind = order + 1, 0
    while behind < order and nodes[node + LISTS + 4 * order + behind] == 0:
        lowest = min(lowest, _value(work, node, line, nodes[node + LISTS + 2 * order + behind], 0))
        behind += 1
    return lowest


@compiled
def _go_on(work: Any, node: int, cells: int) -> None:
    work.nodes[node + POSITION] += cells
    if work.nodes[node + POSITION] == work.order:
        work.nodes[node + POSITION] = 0
        work.nodes[node + PLACE] += 1


@compiled
def _copy(work: Any, node: int) -> Any:
    """Put a copy of a node on the stack. Return where it stands."""
    work.progress[TOP] += 1
    copy = work.progress[TOP] * work.width
    source, target = node // work.width * work.share, work.progress[TOP] * work.share
    for index in range(work.share):
        work.words[target + index] = work.words[source + index]
    return copy


@compiled
def _write(work: Any, cell: int, value: int) -> bool:
    """Write a cell of the form. Return False if the form is greater than the least one so far."""
    best, progress = work.best, work.progress
    if cell < progress[KNOWN]:
        if value >= best[cell]:
            return bool(value == best[cell])
        progress[LEAVES] = 0
    best[cell] = value
    progress[KNOWN] = cell + 1
    return True


@compiled
def _finish(work: Any, node: int) -> None:
    """Count a node that has reached the end; write down its ties, or carry the puzzle and keep its least image."""
    order, nodes, least, progress = work.order, work.nodes, work.least, work.progress
    progress[LEAVES] += 1
    at, where, start = node + LISTS + 2 * order, node + LISTS + 3 * order, node + LISTS + 4 * order
    if not len(work.carried):
        for index in range(order):
            least[index] = nodes[start + index]
        return
    less = progress[LEAVES] == 1
    for place in range(order):
        line = (nodes[node + SIDE] * order + nodes[node + LISTS + place]) * order
        for position in range(order):
            symbol, value = work.carried[line + nodes[at + position]], 0
            if symbol:
                origin = node + LISTS + 5 * order + symbol
                value = nodes[where + nodes[origin]] + nodes[origin + order + 1]
            cell = place * order + position
            if not less and value > least[cell]:
                return
            less = less or value < least[cell]
            if less:
                least[cell] = value
    progress[IMAGES] = 1 if less else progress[IMAGES] + 1


@partial(compiled, entry=True)
def begin(work: Any, sides: int) -> None:
    """Begin with a node for each side, which is the cells as they are and transposed."""
    order, high, wide, nodes, cells, counts = work.order, work.high, work.wide, work.nodes, work.cells, work.counts
    for cell in range(order * order):
        other = order * order + cell % order * order + cell // order
        cells[other] = cells[cell]
        if len(work.carried):
            work.carried[other] = work.carried[cell]
    for index in range(2 * order * (order + 3)):
        counts[index] = 0
    for row in range(2 * order):
        about = row * (order + 3)
        for column in range(order):
            symbol = cells[row * order + column]
            if symbol:
                counts[about + column // wide] += 1
                counts[about + order] += 1
                for mate in range(row // high * high, row // high * high + high):
                    counts[mate * (order + 3) + order + 1] += 1
                for other in range(column):
                    if cells[row * order + other] == symbol:
                        counts[about + order + 2] = 1
    for side in range(sides):
        for index in range(work.width):
            nodes[side * work.width + index] = 0 if index < LISTS else -1
        nodes[side * work.width + SIDE] = side
    work.progress[TOP], work.progress[KNOWN], work.progress[LEAVES], work.progress[IMAGES] = sides - 1, 0, 0, 0
