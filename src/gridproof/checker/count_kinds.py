"""Kinds of rules about cells that differ, how many cells hold something, how many symbols differ, how many lines are
less; see ``machines``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, zip_longest

from .findings import Refusal
from .machines import Distinct, Line, Machine, Part, Some, count_of, kind, never, one
from .statement import Cells, Layout


@kind("extra-region", cells="cells")
def _extra_region(layout: Layout, cells: Cells) -> Iterator[Part]:
    """No two of the cells listed hold the same symbol."""
    yield Distinct(cells)


@kind("disjoint-groups")
def _disjoint_groups(layout: Layout) -> Iterator[Part]:
    """No two cells at the same place of different regions hold the same symbol. On a board without regions no grid
    fits."""
    if not layout.regions:
        yield never()
    for cells in zip_longest(*layout.regions):
        yield Distinct(tuple([cell for cell in cells if cell is not None]))


@kind("quadruple", values="numbers", cells="cells")
def _quadruple(layout: Layout, values: Cells, cells: Cells) -> Iterator[Part]:
    """Each of the values stands in at least as many of the cells listed as it is given times."""
    for value, number in Counter(values).items():
        yield Line(cells, count_of(value, range(number, len(cells) + 1)))


@kind("look-and-say", values="pairs of numbers", cells="cells", only="flag")
def _look_and_say(layout: Layout, values: Cells, cells: Cells, only: bool) -> Iterator[Part]:
    """The first of the values states in how many of the cells listed the second stands, the third in how many the
    fourth stands, and so on; if only is true, the cells hold nothing else."""
    for number, symbol in zip(values[::2], values[1::2], strict=True):
        yield Line(cells, count_of(symbol, (number,)))
    if only:
        for cell in cells:
            yield one(cell, values[1::2].__contains__)


@kind("counting-circles", cells="cells")
def _counting_circles(layout: Layout, cells: Cells) -> Iterator[Part]:
    """A symbol that stands in one of the cells listed stands in exactly as many of them as it states."""
    yield from (Line(cells, count_of(symbol, (0, symbol))) for symbol in layout.digits)


@kind("same-values", lines="lines")
def _same_values(layout: Layout, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """On all lines each symbol stands as often as on the first."""
    for line in lines[1:]:
        for symbol in layout.digits:
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
    rounded down, as many hold one of the first k digits as one of the last k, and none anything else."""
    k = layout.count // 2
    digits = layout.digits
    yield Distinct(cells)
    odd = [digit for digit in digits if digit % 2 == 1]
    even = [digit for digit in digits if digit % 2 == 0]
    yield Line(cells, _balance(odd, even))
    yield Line(cells, _balance(digits[:k], digits[len(digits) - k :]))


def _balance(some: Sequence[int], others: Sequence[int]) -> Machine:
    """As many of some symbols as of others, and nothing else."""

    def step(more: int, symbol: int) -> int | None:
        if symbol in some:
            return more + 1
        return more - 1 if symbol in others else None

    return Machine(0, step, (0).__eq__)


@kind("full-rank", rank="number", cells="cells")
def _full_rank(layout: Layout, rank: int, cells: Cells) -> Iterator[Part]:
    """Of the numbers that the symbols in rows and columns are, read from either end, rank less 1 are lower than that of
    the cells listed, which are one of these lines, and no other is equal to it; and the cells of the first and of the
    last row and column differ. Where the cells are no such line no grid fits."""
    if not layout.rows == layout.columns == layout.count:
        raise Refusal("bad-rules", "full-rank on a board whose rows do not hold every digit", "rules.json")
    n = layout.count
    rows = [tuple(range(row * n, row * n + n)) for row in range(n)]
    columns = [tuple(range(column, n * n, n)) for column in range(n)]
    sides = [rows, [row[::-1] for row in rows], columns, [column[::-1] for column in columns]]
    others = [side for side in sides if cells not in side]
    if len(others) == 4:
        yield never()
        return
    for side in sides:
        yield Distinct(tuple([line[0] for line in side]))
    # each symbol begins one number at each side: four numbers, whose ranks follow each other
    begin, place = divmod(rank - 1, 4)
    begin += layout.first
    yield one(cells[0], begin.__eq__)
    options: list[tuple[Part, ...]] = []
    for lower_sides in combinations(range(len(others)), place):
        option: list[Part] = []
        for number, side in enumerate(others):
            machine = _compared(begin, number in lower_sides)
            for line in side:
                in_turns = chain.from_iterable(zip(line[1:], cells[1:], strict=True))
                option.append(Line((line[0], *in_turns), machine))
        options.append(tuple(option))
    yield Some(tuple(options)) if options else never()


@lru_cache(maxsize=512)
def _compared(begin: int, is_lower: bool) -> Machine:
    """Reads the first symbol of a number, which may be another than that of both, and then two numbers in turns: the
    first of them is lower, or higher."""

    def step(state: str | int, symbol: int) -> str | int | None:
        if state == "begin":
            return "equal" if symbol == begin else "settled"
        if state == "equal":
            return symbol  # that of the first number
        if isinstance(state, str):
            return state
        if symbol == state:
            return "equal"
        return "settled" if (state < symbol) == is_lower else None

    return Machine("begin", step, "settled".__eq__)
