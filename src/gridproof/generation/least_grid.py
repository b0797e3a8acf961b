"""The search for the least form of a full grid, and for the least puzzle that goes with it.

The first row of the form is 1 2 3 ... in any case. So a first row and an order of the columns give all symbols their
names, and the other rows their order: by their first symbols. What is searched are the first two rows and the orders of
the columns for which the second row is least. It is written from left to right: a symbol has its name from the column
where it stands in the first row. If that has no position yet, it gets the first that is free in its stack, and a stack
without a place the first that is free, because so the name is least. Choices are only the columns that have no position
when their turn comes.

The least second row depends only on which column of the first row has each symbol of the second. Up to order 9 it is
looked up in a table, which fills as grids come, so that few pairs of rows are searched.
"""

from __future__ import annotations

from collections import namedtuple
from functools import partial
from math import factorial
from typing import Any

from gridproof.generation.least import KNOWN, LEAVES, TOP, compiled, numbers, turn, write

Work = namedtuple(
    "Work", "order high wide width sides cells carried columns ranks codes nodes rows best least progress"
)
"""One search: sizes, the grid and the puzzle (as they are and transposed), and the state.

columns: for each row of both the column of each symbol. ranks: for each permutation of the columns the least second row
as a number, 0 for those that have not come yet; codes: for each pair of rows the place of its permutation there. nodes: the stack of open nodes, each of this width. rows: those
of the form, and for each name the row that begins with it. least: the least image of the puzzle."""

IMAGES, PAIR, LOWEST = 3, 4, 5
"""In ``progress``, beside what ``least`` has there: how many nodes led to ``least``; the next pair of rows, first of all
to be looked up, then of all to be searched; and the lowest of their ranks."""

_LARGEST_LOOKED_UP = 9

FIRST, SECOND, POSITION, STACKS, LISTS = range(5)
"""In a node: first and second row, the position to be written, how many stacks have a place. Then for each stack its
next free position, for each column its position, and for each position its column; -1 for none."""


def work_of(order: int, high: int, wide: int) -> Work:
    """Return a search without a grid."""
    square, width, sides = order * order, LISTS + 3 * order, 1 + (high == wide)
    permutations = factorial(order) if order <= _LARGEST_LOOKED_UP else 0
    sizes = [2 * square, 2 * square, 2 * order * (order + 1), permutations, sides * order * high]
    sizes += [width * (square + 1), 2 * order + 1, square, square, 6]
    return Work(order, high, wide, width, sides, *map(numbers, sizes))


@partial(compiled, entry=True)
def search(work: Any, steps: int) -> bool:
    """Make up to so many steps of the search. Return whether it is over."""
    order, high, nodes, progress = work.order, work.high, work.nodes, work.progress
    for _ in range(steps):
        node = progress[TOP] * work.width
        if progress[TOP] >= 0:
            progress[TOP] -= 1
            if nodes[node + POSITION] < order:
                _write_cell(work, node)
            elif progress[PAIR] >= len(work.codes):
                _finish(work, node)
            continue
        pairs = len(work.codes)
        if progress[PAIR] == 2 * pairs:
            return True
        pair = progress[PAIR] % pairs
        first = pair // high
        second = first // high * high + pair % high
        if first == second or (progress[PAIR] < pairs and _is_known(work, pair, first, second)):
            progress[PAIR] += 1
            continue
        if progress[PAIR] >= pairs:
            progress[PAIR] += 1
            if len(work.ranks) and work.ranks[work.codes[pair]] > progress[LOWEST]:
                continue
        progress[TOP] = 0
        for index in range(work.width):
            nodes[index] = 0 if index < LISTS else -1
        nodes[FIRST], nodes[SECOND] = first, second
    return False


@compiled
def _is_known(work: Any, pair: int, first: int, second: int) -> bool:
    """Look up the least second row of a pair of rows. If it has just been searched alone, write it down."""
    order, rows, best, progress = work.order, work.rows, work.best, work.progress
    code = 0
    for column in range(order):
        rows[column] = work.columns[first * (order + 1) + work.cells[second * order + column]]
        below = rows[column]
        for other in range(column):
            below -= rows[other] < rows[column]
        code = code * (order - column) + below
    work.codes[pair] = code
    if progress[KNOWN] > order:
        for position in range(order, 2 * order):
            work.ranks[code] = work.ranks[code] * order + best[position]
        progress[KNOWN] = order
    if work.ranks[code] == 0:
        return False
    if progress[LOWEST] == 0 or work.ranks[code] < progress[LOWEST]:
        progress[LOWEST] = work.ranks[code]
    return True


@compiled
def _write_cell(work: Any, node: int) -> None:
    """Write the next cell of the second row, or put a node for each column that may stand there on the stack."""
    order, wide, nodes, progress = work.order, work.wide, work.nodes, work.progress
    position, where = nodes[node + POSITION], node + LISTS + order
    column = nodes[where + order + position]
    if column >= 0:
        symbol = work.cells[nodes[node + SECOND] * order + column]
        source = work.columns[nodes[node + FIRST] * (order + 1) + symbol]
        if nodes[where + source] < 0:
            _place(work, node, source)
        if write(work, order + position, nodes[where + source] + 1):
            nodes[node + POSITION] += 1
            progress[TOP] += 1
        return
    chosen = -1
    for column in range(order):
        free = nodes[node + LISTS + column // wide]
        if nodes[where + column] < 0 and (free == position or (free < 0 and nodes[node + STACKS] * wide == position)):
            progress[TOP] += 1
            if chosen < 0:
                chosen = column
                continue
            copy = progress[TOP] * work.width
            for index in range(work.width):
                nodes[copy + index] = nodes[node + index]
            _place(work, copy, column)
    _place(work, node, chosen)


@compiled
def _place(work: Any, node: int, column: int) -> None:
    """Give a column the first position that is free in its stack."""
    nodes, free, where = work.nodes, node + LISTS + column // work.wide, node + LISTS + work.order
    if nodes[free] < 0:
        nodes[free] = nodes[node + STACKS] * work.wide
        nodes[node + STACKS] += 1
    nodes[where + column] = nodes[free]
    nodes[where + work.order + nodes[free]] = column
    nodes[free] += 1


@compiled
def _finish(work: Any, node: int) -> None:
    """Write the other rows of the form. Keep the image of the puzzle if it is the least one."""
    order, high, nodes, rows, progress = work.order, work.high, work.nodes, work.rows, work.progress
    where, at = node + LISTS + order, node + LISTS + 2 * order
    names, side = nodes[node + FIRST] * (order + 1), nodes[node + FIRST] // order * order
    for row in range(side, side + order):
        rows[order + nodes[where + work.columns[names + work.cells[row * order + nodes[at]]]]] = row
    place = 0
    for name in range(order):
        if rows[order + name] >= 0:
            band = rows[order + name] // high
            for other in range(name, order):
                if rows[order + other] // high == band:
                    rows[place] = rows[order + other]
                    rows[order + other] = -1
                    place += 1
    for cell in range(2 * order, order * order):
        symbol = work.cells[rows[cell // order] * order + nodes[at + cell % order]]
        if not write(work, cell, nodes[where + work.columns[names + symbol]] + 1):
            return
    progress[LEAVES] += 1
    less = progress[LEAVES] == 1
    for cell in range(order * order):
        symbol = work.carried[rows[cell // order] * order + nodes[at + cell % order]]
        value = nodes[where + work.columns[names + symbol]] + 1 if symbol else 0
        if not less and value > work.least[cell]:
            return
        less = less or value < work.least[cell]
        if less:
            work.least[cell] = value
    progress[IMAGES] = 1 if less else progress[IMAGES] + 1


@partial(compiled, entry=True)
def begin(work: Any) -> None:
    """Begin with the first pair of rows. ``cells`` and ``carried`` hold a grid and a puzzle."""
    order, cells, progress = work.order, work.cells, work.progress
    turn(work, cells)
    turn(work, work.carried)
    for cell in range(2 * order * order):
        work.columns[cell // order * (order + 1) + cells[cell]] = cell % order
    for name in range(order):
        work.best[name] = name + 1
    progress[TOP], progress[KNOWN], progress[LEAVES], progress[LOWEST] = -1, order, 0, 0
    progress[PAIR] = 0 if len(work.ranks) else len(work.codes)
