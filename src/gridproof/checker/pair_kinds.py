"""Kinds of rules that compare two cells at a time, or look at single cells; see ``machines``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise

from .machines import Line, Pairs, kind, never, one, pairs_that
from .statement import Cells, Shape
from .texts import comparison


def _near(line: Cells) -> Pairs:
    return [(a, b) for place, a in enumerate(line) for b in line[place + 1 : place + 3]]


def in_order(line: Cells) -> Pairs:
    """Any two cells in their order; each pair once, however often its cells are listed."""
    last = {cell: place for place, cell in enumerate(line)}
    first = {cell: place for place, cell in reversed([*enumerate(line)])}
    return ((a, b) for a in first for b in last if first[a] < last[b])


def _along(ways: Callable[[Cells], Pairs], lines: Iterable[Cells], fits: Callable[[int, int], bool]) -> Iterator[Line]:
    return pairs_that((pair for line in lines for pair in ways(line)), fits)


def _unmarked(shape: Shape, marked: tuple[Cells, ...]) -> Pairs:
    n, exempt = shape.order, {frozenset(pair) for pair in marked}
    right = [(cell, cell + 1) for cell in range(n * n) if (cell + 1) % n]
    down = [(cell, cell + n) for cell in range(n * n - n)]
    return [pair for pair in right + down if frozenset(pair) not in exempt]


@kind("anti-king", offsets="pairs of numbers")
@kind("anti-knight", offsets="pairs of numbers")
@kind("leaper", offsets="pairs of numbers")
def _leaper(shape: Shape, offsets: Cells) -> Iterator[Line]:
    """Two cells hold different symbols if they lie i rows and j columns apart, or j rows and i columns, for the first
    two numbers i, j of the offsets, or the next two, and so on."""
    n, sizes = shape.order, list(map(abs, offsets))
    leaps = {
        (i, s * j) for one in zip(sizes[::2], sizes[1::2], strict=True) for i, j in (one, one[::-1]) for s in (1, -1)
    }
    near = sorted(leap for leap in leaps if max(map(abs, leap)) < n)
    apart = ((a, a + i * n + j) for a in range(n * n) for i, j in near if a // n + i < n and 0 <= a % n + j < n)
    return pairs_that(apart, int.__ne__)


@kind("clone", lines="two lines of one length")
def _clone(shape: Shape, lines: tuple[Cells, Cells]) -> Iterator[Line]:
    """Each cell of the first line holds what the cell at the same place of the second line holds."""
    return pairs_that(zip(*lines, strict=True), int.__eq__)


@kind("difference", difference="number", cells="cells")
def _difference(shape: Shape, difference: int, cells: Cells) -> Iterator[Line]:
    """Any two neighbours in the list of cells differ by exactly the difference."""
    return pairs_that(pairwise(cells), lambda a, b: abs(a - b) == difference)


@kind("ratio", ratio="number", cells="cells")
def _ratio(shape: Shape, ratio: int, cells: Cells) -> Iterator[Line]:
    """One of any two neighbours in the list of cells holds the other's symbol times the ratio."""
    return pairs_that(pairwise(cells), lambda a, b: a == ratio * b or b == ratio * a)


@kind("xv", total="number", cells="cells")
def _xv(shape: Shape, total: int, cells: Cells) -> Iterator[Line]:
    """Any two neighbours in the list of cells add up to the total."""
    return pairs_that(pairwise(cells), lambda a, b: a + b == total)


@kind("inequality", cells="cells")
def _inequality(shape: Shape, cells: Cells) -> Iterator[Line]:
    """The symbols increase strictly from each cell in the list to the next."""
    return pairs_that(pairwise(cells), int.__lt__)


@kind("thermometer", lines="lines")
def _thermometer(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line the symbols increase strictly from each cell to the next."""
    return _along(pairwise, lines, int.__lt__)


@kind("slow-thermometer", lines="lines")
def _slow_thermometer(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line no symbol is smaller than that of the cell before."""
    return _along(pairwise, lines, int.__le__)


@kind("whispers", difference="number", lines="lines")
@kind("dutch-whispers", difference="number", lines="lines")
def _whispers(shape: Shape, difference: int, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line any two neighbours differ by at least the difference."""
    return _along(pairwise, lines, lambda a, b: abs(a - b) >= difference)


@kind("entropic", lines="lines")
def _entropic(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """With k = (n + 1) / 3, rounded down: on each line any two cells at most two places apart are not both low (at most
    k), not both high (above n - k) and not both in the middle (neither)."""
    n, k = shape.order, (shape.order + 1) // 3

    def level(symbol: int) -> int:  # where n = 1 all are one
        return (symbol > k) + (symbol > n - k)

    return _along(_near, lines, lambda a, b: level(a) != level(b))


@kind("modular", lines="lines")
def _modular(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line any two cells at most two places apart leave different remainders when divided by 3."""
    return _along(_near, lines, lambda a, b: a % 3 != b % 3)


@kind("nabner", lines="lines")
def _nabner(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line any two cells differ by at least 2."""
    return _along(in_order, lines, lambda a, b: abs(a - b) >= 2)


@kind("palindrome", lines="lines")
def _palindrome(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line the first cell holds what the last holds, the second what the last but one holds, and so on."""
    return _along(lambda line: zip(line[: len(line) // 2], line[::-1], strict=False), lines, int.__eq__)


@kind("relation", allow="text", lines="lines", pairs="consecutive or all")
def _relation(shape: Shape, allow: str, lines: tuple[Cells, ...], pairs: str) -> Iterator[Line]:
    """The comparison is true for the symbols a and b of any two neighbours on each line, b after a; if pairs is "all",
    of any two cells, b after a."""
    fits, n = comparison(allow), shape.order
    return _along(pairwise if pairs == "consecutive" else in_order, lines, lambda a, b: fits(a, b, n))


@kind("even", cells="cells")
def _even(shape: Shape, cells: Cells) -> Iterator[Line]:
    """Each of the cells holds an even symbol."""
    return (one(cell, lambda symbol: symbol % 2 == 0) for cell in cells)


@kind("odd", cells="cells")
def _odd(shape: Shape, cells: Cells) -> Iterator[Line]:
    """Each of the cells holds an odd symbol."""
    return (one(cell, lambda symbol: symbol % 2 == 1) for cell in cells)


def _outwards(shape: Shape, cells: Cells) -> Pairs:
    n, marked = shape.order, set(cells)
    for cell in sorted(marked):
        near = [(cell - n, cell >= n), (cell + n, cell < n * n - n), (cell - 1, cell % n), (cell + 1, (cell + 1) % n)]
        yield from ((cell, other) for other, there in near if there and other not in marked)


@kind("maximum", cells="cells")
def _maximum(shape: Shape, cells: Cells) -> Iterator[Line]:
    """Each of the cells holds more than any cell beside, above or below it that is not among them."""
    return pairs_that(_outwards(shape, cells), int.__gt__)


@kind("minimum", cells="cells")
def _minimum(shape: Shape, cells: Cells) -> Iterator[Line]:
    """Each of the cells holds less than any cell beside, above or below it that is not among them."""
    return pairs_that(_outwards(shape, cells), int.__lt__)


@kind("non-consecutive", marked="pairs of cells")
def _non_consecutive(shape: Shape, marked: tuple[Cells, ...]) -> Iterator[Line]:
    """No two cells side by side or one above the other differ by 1, except for the marked pairs."""
    return pairs_that(_unmarked(shape, marked), lambda a, b: abs(a - b) != 1)


@kind("negative-difference", differences="numbers", marked="pairs of cells")
def _negative_difference(shape: Shape, differences: Cells, marked: tuple[Cells, ...]) -> Iterator[Line]:
    """No two cells side by side or one above the other differ by one of the differences, except for the marked
    pairs."""
    return pairs_that(_unmarked(shape, marked), lambda a, b: abs(a - b) not in differences)


@kind("negative-ratio", ratios="numbers", marked="pairs of cells")
def _negative_ratio(shape: Shape, ratios: Cells, marked: tuple[Cells, ...]) -> Iterator[Line]:
    """No cell holds the symbol of a cell beside, above or below it times one of the ratios, except for the marked
    pairs."""
    return pairs_that(_unmarked(shape, marked), lambda a, b: not any(a == b * r or b == a * r for r in ratios))


@kind("negative-xv", totals="numbers", marked="pairs of cells")
def _negative_xv(shape: Shape, totals: Cells, marked: tuple[Cells, ...]) -> Iterator[Line]:
    """No two cells side by side or one above the other add up to one of the totals, except for the marked pairs."""
    return pairs_that(_unmarked(shape, marked), lambda a, b: a + b not in totals)


@kind("row-indexer", cells="cells")
def _row_indexer(shape: Shape, cells: Cells) -> Iterator[Line]:
    """If one of the cells, in row r, holds v, then row v of its column holds r; and if row v holds r, it holds v."""
    return _indexer(cells, [tuple(range(c, shape.order**2, shape.order)) for c in range(shape.order)])


@kind("column-indexer", cells="cells")
def _column_indexer(shape: Shape, cells: Cells) -> Iterator[Line]:
    """If one of the cells, in column c, holds v, then column v of its row holds c; and if column v holds c, it holds
    v."""
    return _indexer(cells, [tuple(range(r, r + shape.order)) for r in range(0, shape.order**2, shape.order)])


@kind("box-indexer", cells="cells")
def _box_indexer(shape: Shape, cells: Cells) -> Iterator[Line]:
    """If one of the cells, at place p of its region, holds v, then place v of the region holds p; and if place v holds
    p, it holds v. On a board without regions no grid fits."""
    return _indexer(cells, shape.regions) if shape.regions else iter([never()])


def _indexer(cells: Cells, units: Iterable[Cells]) -> Iterator[Line]:
    for cell in cells:
        for unit in units:
            if cell in unit:
                for v, other in enumerate(unit, 1):
                    fits = partial(_index, v, unit.index(cell) + 1)
                    if other != cell:  # else its own number is v
                        yield from pairs_that([(cell, other)], fits)


def _index(v: int, own: int, a: int, b: int) -> bool:
    return (a == v) == (b == own)


@kind("numbered-room", symbol="number", cells="cells")
def _numbered_room(shape: Shape, symbol: int, cells: Cells) -> Iterator[Line]:
    """The first cell holds some v that is at most the number of cells, and the v-th cell in the list holds the
    symbol."""
    yield one(cells[0], lambda v: v <= len(cells) and (cells[v - 1] != cells[0] or v == symbol))
    for place, cell in enumerate(cells, 1):
        yield from pairs_that([(cells[0], cell)], partial(_leads_to, place, symbol))


def _leads_to(place: int, symbol: int, v: int, found: int) -> bool:
    return v != place or found == symbol
