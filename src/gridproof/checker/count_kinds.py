"""Kinds of rules about how many cells hold something, and how many different symbols there are; see ``machines``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .machines import Distinct, Line, Machine, Part, count_of, kind, one
from .statement import Cells, Layout


@kind("quadruple", values="numbers", cells="cells")
def _quadruple(layout: Layout, values: Cells, cells: Cells) -> Iterator[Part]:
    """Each of the values stands in at least as many of the cells listed as it is given times."""
    for value, number in Counter(values).items():
        yield Line(cells, count_of(value, range(number, len(cells) + 1)))


@kind("look-and-say", values="pairs of numbers", cells="cells", only="flag")
def _look_and_say(layout: Layout, values: Cells, cells: Cells, only: bool) -> Iterator[Part]:
    """The first of the values says in how many of the cells listed the second stands, the third says in how many the
    fourth stands, and so on; if only is true, the cells hold nothing else."""
    for number, symbol in zip(values[::2], values[1::2], strict=True):
        yield Line(cells, count_of(symbol, (number,)))
    if only:
        for cell in cells:
            yield one(cell, values[1::2].__contains__)


@kind("counting-circles", cells="cells")
def _counting_circles(layout: Layout, cells: Cells) -> Iterator[Part]:
    """A symbol that stands in one of the cells listed stands in exactly as many of them as it says."""
    yield from (Line(cells, count_of(symbol, (0, symbol))) for symbol in range(1, layout.order + 1))


@kind("same-values", lines="lines")
def _same_values(layout: Layout, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """On all lines each symbol stands as often as on the first."""
    for line in lines[1:]:
        for symbol in range(1, layout.order + 1):
            yield Line(lines[0] + line, _as_many(symbol, len(lines[0])))


def _as_many(symbol: int, size: int) -> Machine:
    """As many of the first cells, of this number, hold the symbol as of all others."""

    def step(state: tuple[int, int], read: int) -> tuple[int, int]:
        place, more = state
        if read == symbol:
            more += 1 if place < size else -1
        return place + 1, more

    def is_even(state: tuple[int, int]) -> bool:
        return state[1] == 0

    return Machine((0, 0), step, is_even)


@kind("count-distinct", circle="cells", cells="cells")
def _count_distinct(layout: Layout, circle: Cells, cells: Cells) -> Iterator[Part]:
    """The first cell of the circle holds the number of different symbols in the cells listed."""

    def step(state: tuple[int, int], symbol: int) -> tuple[int, int] | None:
        # the symbols that are still to come, and those that were read, as bits
        left, read = state
        if left < 0:
            return symbol, 0
        if not read >> symbol & 1:
            left -= 1
        return (left, read | 1 << symbol) if left >= 0 else None

    # what comes last is read once, as a cell that is listed twice adds nothing
    different = tuple(dict.fromkeys(cells))
    yield Line(circle[:1] + different, Machine((-1, 0), step, lambda state: bool(state[0] == 0)))


@kind("equality-cage", cells="cells")
def _equality_cage(layout: Layout, cells: Cells) -> Iterator[Part]:
    """No two of the cells listed hold the same symbol; as many hold an even one as an odd one; and, with k = n / 2,
    rounded down, as many hold at most k as more than n - k, and none anything else."""
    n = layout.order
    k = n // 2
    yield Distinct(cells)
    odd = range(1, n + 1, 2)
    even = range(2, n + 1, 2)
    yield Line(cells, _balance(odd, even))
    yield Line(cells, _balance(range(1, k + 1), range(n - k + 1, n + 1)))


def _balance(some: range, others: range) -> Machine:
    """As many of some symbols as of others, and nothing else."""

    def step(more: int, symbol: int) -> int | None:
        if symbol in some:
            return more + 1
        return more - 1 if symbol in others else None

    return Machine(0, step, (0).__eq__)
