"""The nodes of the search for least forms: their arrays, and what is placed in them.

Node 0 is the one in work; the others are the stack of open ones. Each list of a node is a flat array for all nodes, so
that lists do where numba is missing, and the node in work is indexed by place, row, column or symbol alone.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from typing import Any, NamedTuple

try:
    from gridproof.lanes.compiling import KeptFunction as KeptFunction
    from gridproof.lanes.compiling import compiled as compiled

    COMPILES = True
except ImportError:
    COMPILES = False

    def compiled(function: Callable[..., Any]) -> Any:
        """Leave the function as it is."""
        return function

    KeptFunction: Any = compiled  # type: ignore[no-redef]


class Work(NamedTuple):
    """One search: its sizes, what is searched, and its nodes. In all lists of nodes -1 is for none."""

    order: int
    """The number of symbols."""

    high: int
    """The number of rows of a band."""

    wide: int
    """The number of columns of a stack."""

    cells: Any
    """A puzzle, as it is and transposed; or a grid, and then the puzzle that it carries, likewise."""

    ranks: Any
    """For each permutation of a row the least second row that it can lead to, as a number; 0 where it is not known."""

    pairs: Any
    """For each pair of a first and a second row the permutation that leads from one to the other."""

    scores: Any
    """Room for counting."""

    best: Any
    """The form of the puzzle or grid, and then that of the puzzle that is carried."""

    progress: Any
    """The stage of the search; see ``TOP`` and the others."""

    ties: Any
    """For each column the position where its tie begins, at the end of the search."""

    side: Any
    """0 for the puzzle as it is, 1 for the transposed one."""

    place: Any
    """The place of the row to be written."""

    position: Any
    """The position in that row."""

    used: Any
    """The number of symbols that have a name."""

    row_of: Any
    """The row of each place."""

    place_of: Any
    """The place of each row."""

    column_of: Any
    """The column of each position."""

    tie_of: Any
    """For each column the position where its tie begins."""

    origin_of: Any
    """For each symbol the column where it was new."""

    offset_of: Any
    """The name of each symbol, counted from the position where the tie of that column begins."""


TOP, KNOWN, LEAVES, CARRIES, PAIR, LOWEST = range(6)
"""The places in ``progress``: the number of open nodes, the cells known of ``best``, how many nodes have reached it;
whether there is a puzzle to be carried; the next pair of rows, first of all to be looked up, then of all to be
searched; the lowest of their ranks."""

LARGEST_LOOKED_UP = 9
"""Largest order with a table of all permutations of a row: for more it would be too large."""


def numbers(size: int, kind: str = "int64") -> Any:
    """Return so many zeros."""
    if not COMPILES:
        return [0] * size
    import numpy as np

    return np.zeros(size, kind)


def work_of(order: int, high: int, wide: int) -> Work:
    """Return a search without a puzzle."""
    square = order * order
    permutations = 0
    pairs = 0
    if 1 < order <= LARGEST_LOOKED_UP:
        permutations = factorial(order)
        sides = 2 if high == wide else 1
        pairs = sides * order * high
    nodes = 3 * square + 4
    arrays = {
        "cells": numbers(4 * square),
        "ranks": numbers(permutations),
        "pairs": numbers(pairs),
        "scores": numbers(2 * order + 1),
        "best": numbers(2 * square),
        "progress": numbers(6),
        "ties": numbers(order),
    }
    for name in ("side", "place", "position", "used"):
        arrays[name] = numbers(nodes, "int16")
    for name in ("row_of", "place_of", "column_of", "tie_of"):
        arrays[name] = numbers(nodes * order, "int16")
    for name in ("origin_of", "offset_of"):
        arrays[name] = numbers(nodes * (order + 1), "int16")
    return Work(order=order, high=high, wide=wide, **arrays)


@compiled
def copy_node(work: Any, source: int, target: int) -> None:
    work.side[target] = work.side[source]
    work.place[target] = work.place[source]
    work.position[target] = work.position[source]
    work.used[target] = work.used[source]
    order = work.order
    for index in range(order):
        work.row_of[target * order + index] = work.row_of[source * order + index]
        work.place_of[target * order + index] = work.place_of[source * order + index]
        work.column_of[target * order + index] = work.column_of[source * order + index]
        work.tie_of[target * order + index] = work.tie_of[source * order + index]
    symbols = order + 1
    for symbol in range(symbols):
        work.origin_of[target * symbols + symbol] = work.origin_of[source * symbols + symbol]
        work.offset_of[target * symbols + symbol] = work.offset_of[source * symbols + symbol]


@compiled
def push(work: Any) -> Any:
    """Put a copy of the node in work on the stack. Return its number."""
    work.progress[TOP] += 1
    top = work.progress[TOP]
    copy_node(work, 0, top)
    return top


@compiled
def push_new(work: Any, side: int) -> Any:
    """Put a node in which nothing is placed on the stack. Return its number."""
    work.side[0] = side
    work.place[0] = 0
    work.position[0] = 0
    work.used[0] = 0
    for index in range(work.order):
        work.row_of[index] = -1
        work.place_of[index] = -1
        work.column_of[index] = -1
        work.tie_of[index] = -1
    for symbol in range(work.order + 1):
        work.origin_of[symbol] = -1
        work.offset_of[symbol] = -1
    return push(work)


@compiled
def place_row(work: Any, node: int, row: int, place: int) -> None:
    work.row_of[node * work.order + place] = row
    work.place_of[node * work.order + row] = place


@compiled
def place_column(work: Any, node: int, line: int, column: int) -> None:
    """Place a column first of those that it is tied with, and then the one in which its symbol was new."""
    symbol = node * (work.order + 1) + work.cells[line + column]
    _place_first(work, node, column)
    if work.origin_of[symbol] < 0:
        work.origin_of[symbol] = column
        work.used[node] += 1
        work.offset_of[symbol] = work.used[node] - work.tie_of[node * work.order + column]
    else:
        _place_first(work, node, work.origin_of[symbol])


@compiled
def _place_first(work: Any, node: int, column: int) -> None:
    """Break a tie: a column gets its first position, and the others are tied behind it."""
    columns = node * work.order
    tie_of = work.tie_of
    first = tie_of[columns + column]
    end = (first // work.wide + 1) * work.wide
    for place in range(columns + first, columns + end):
        other = work.column_of[place]
        if other == column:
            work.column_of[place] = work.column_of[columns + first]
            work.column_of[columns + first] = column
        elif tie_of[columns + other] == first:
            tie_of[columns + other] = first + 1


@compiled
def go_on(work: Any, cells: int) -> Any:
    """Go on behind some cells that are written."""
    work.position[0] += cells
    if work.position[0] == work.order:
        work.position[0] = 0
        work.place[0] += 1
    return True


@compiled
def write(work: Any, cell: int, value: int) -> bool:
    """Write a cell of the form. Return False if the form is greater than the least one so far."""
    best = work.best
    progress = work.progress
    if cell < progress[KNOWN]:
        if value >= best[cell]:
            return bool(value == best[cell])
        progress[LEAVES] = 0
    best[cell] = value
    progress[KNOWN] = cell + 1
    return True
