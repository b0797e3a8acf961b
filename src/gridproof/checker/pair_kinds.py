"""Kinds of rules that compare two cells at a time, or look at single cells; see ``machines``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise

from .findings import Refusal
from .machines import Line, Machine, Pairs, kind, never, one, pairs_that
from .statement import Cells, Layout
from .texts import comparison


def _near(line: Cells) -> Pairs:
    return [(a, b) for place, a in enumerate(line) for b in line[place + 1 : place + 3]]


def in_order(line: Cells) -> Pairs:
    """Any two cells in their order; each pair once, however often its cells are listed."""
    last = {cell: place for place, cell in enumerate(line)}
    first: dict[int, int] = {}
    for place, cell in reversed(list(enumerate(line))):  # in this order docs/certificates.md has the clauses
        first[cell] = place
    return ((a, b) for a in first for b in last if first[a] < last[b])


def _along(ways: Callable[[Cells], Pairs], lines: Iterable[Cells], fits: Callable[[int, int], bool]) -> Iterator[Line]:
    return pairs_that((pair for line in lines for pair in ways(line)), fits)


def _unmarked(layout: Layout, marked: tuple[Cells, ...]) -> Pairs:
    columns = layout.columns
    exempt = {frozenset(pair) for pair in marked}
    right = [(cell, cell + 1) for cell in layout.cells if (cell + 1) % columns]
    down = [(cell, cell + columns) for cell in layout.cells[:-columns]]
    return [pair for pair in right + down if frozenset(pair) not in exempt]


@kind("anti-king", offsets="pairs of numbers")
@kind("anti-knight", offsets="pairs of numbers")
@kind("leaper", offsets="pairs of numbers")
def _leaper(layout: Layout, offsets: Cells) -> Iterator[Line]:
    """Two cells hold different symbols if they lie i rows and j columns apart, or j rows and i columns, for the first
    two numbers i, j of the offsets, or the next two, and so on."""
    return pairs_that(cells_apart(layout, offsets), int.__ne__)


def cells_apart(layout: Layout, offsets: Cells) -> Pairs:
    """Each two cells that lie so far apart, the upper one first."""
    sizes = [abs(offset) for offset in offsets]
    leaps: set[tuple[int, int]] = set()  # rows down, columns to the right
    for i, j in zip(sizes[::2], sizes[1::2], strict=True):
        leaps.update([(i, j), (i, -j), (j, i), (j, -i)])
    ordered = sorted(leaps)
    for cell in layout.cells:
        row, column = divmod(cell, layout.columns)
        for down, right in ordered:
            if row + down < layout.rows and 0 <= column + right < layout.columns:
                yield cell, cell + down * layout.columns + right


@kind("anti-queen", digits="numbers")
def _anti_queen(layout: Layout, digits: Cells) -> Iterator[Line]:
    """Two cells that lie as many rows as columns apart do not both hold one of the digits; if there are none, no
    symbol."""
    offsets: Cells = ()
    for distance in range(1, max(layout.rows, layout.columns)):
        offsets += (distance, distance)

    def fits(a: int, b: int) -> bool:
        return a != b or bool(digits and a not in digits)

    return pairs_that(cells_apart(layout, offsets), fits)


@kind("anti-taxicab")
def _anti_taxicab(layout: Layout) -> Iterator[Line]:
    """Two cells that hold the same symbol s are not s apart, counting the rows and the columns between them."""
    for distance in layout.digits:
        offsets: Cells = ()
        for rows in range(distance + 1):
            offsets += (rows, distance - rows)
        yield from pairs_that(cells_apart(layout, offsets), partial(_not_both, distance))


def _not_both(symbol: int, a: int, b: int) -> bool:
    return not a == b == symbol


@kind("dutch-flatmates")
def _dutch_flatmates(layout: Layout) -> Iterator[Line]:
    """With m the digit in the middle of all n, or the lower one of two: a cell holds m only if the cell above it holds
    the smallest digit or the cell below it the largest."""
    columns = layout.columns
    m = layout.first + (layout.count - 1) // 2
    for cell in layout.cells:
        row = cell // columns
        if layout.rows == 1:
            yield one(cell, lambda symbol: symbol != m)
        elif row == 0:
            yield Line((cell, cell + columns), _flatmates(m, (layout.last,)))
        elif row == layout.rows - 1:
            yield Line((cell, cell - columns), _flatmates(m, (layout.first,)))
        else:
            yield Line((cell, cell - columns, cell + columns), _flatmates(m, (layout.first, layout.last)))


def _flatmates(m: int, mates: Cells) -> Machine:
    """Reads a cell, and then cells beside it; if it holds m, one of these has to be the flatmate for its side."""

    def step(state: tuple[int, bool], symbol: int) -> tuple[int, bool]:
        place, is_missing = state
        if place == 0:
            return 1, symbol == m
        return place + 1, is_missing and symbol != mates[place - 1]

    def has_mate(state: tuple[int, bool]) -> bool:
        return not state[1]

    return Machine((0, False), step, has_mate)


@kind("clone", lines="two lines of one length")
def _clone(layout: Layout, lines: tuple[Cells, Cells]) -> Iterator[Line]:
    """Each cell of the first line holds what the cell at the same place of the second line holds."""
    return pairs_that(zip(*lines, strict=True), int.__eq__)


@kind("difference", difference="number", cells="cells")
def _difference(layout: Layout, difference: int, cells: Cells) -> Iterator[Line]:
    """Any two neighbours in the list of cells differ by exactly the difference."""
    return pairs_that(pairwise(cells), lambda a, b: abs(a - b) == difference)


@kind("ratio", ratio="number", cells="cells")
def _ratio(layout: Layout, ratio: int, cells: Cells) -> Iterator[Line]:
    """One of any two neighbours in the list of cells holds the other's symbol times the ratio."""
    return pairs_that(pairwise(cells), lambda a, b: a == ratio * b or b == ratio * a)


@kind("xv", total="number", cells="cells")
def _xv(layout: Layout, total: int, cells: Cells) -> Iterator[Line]:
    """Any two neighbours in the list of cells add up to the total."""
    return pairs_that(pairwise(cells), lambda a, b: a + b == total)


@kind("inequality", cells="cells")
def _inequality(layout: Layout, cells: Cells) -> Iterator[Line]:
    """The symbols increase strictly from each cell in the list to the next."""
    return pairs_that(pairwise(cells), int.__lt__)


@kind("thermometer", lines="lines")
def _thermometer(layout: Layout, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line the symbols increase strictly from each cell to the next."""
    return _along(pairwise, lines, int.__lt__)


@kind("slow-thermometer", lines="lines")
def _slow_thermometer(layout: Layout, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line no symbol is smaller than that of the cell before."""
    return _along(pairwise, lines, int.__le__)


@kind("whispers", difference="number", lines="lines")
@kind("dutch-whispers", difference="number", lines="lines")
def _whispers(layout: Layout, difference: int, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line any two neighbours differ by at least the difference."""
    return _along(pairwise, lines, lambda a, b: abs(a - b) >= difference)


@kind("entropic", lines="lines")
def _entropic(layout: Layout, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """With k = (n + 1) / 3, rounded down: on each line any two cells at most two places apart are not both low (one of
    the first k digits), not both high (one of the last k) and not both in the middle (neither)."""
    k = (layout.count + 1) // 3

    def level(symbol: int) -> int:  # where n = 1 all are one
        return (symbol >= layout.first + k) + (symbol > layout.last - k)

    return _along(_near, lines, lambda a, b: level(a) != level(b))


@kind("modular", modulus="number", lines="lines")
def _modular(layout: Layout, modulus: int, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line any two cells fewer places apart than the modulus leave different remainders when divided by it."""
    if modulus < 1:
        raise Refusal("bad-rules", f"the modulus {modulus}; expected 1 or more", "rules.json")

    def near(line: Cells) -> Pairs:
        return [(a, b) for place, a in enumerate(line) for b in line[place + 1 : place + modulus]]

    return _along(near, lines, lambda a, b: a % modulus != b % modulus)


@kind("parity-line", lines="lines")
def _parity_line(layout: Layout, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line of any two neighbours one is even and one is odd."""
    return _along(pairwise, lines, lambda a, b: (a + b) % 2 == 1)


@kind("nabner", lines="lines")
def _nabner(layout: Layout, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line any two cells differ by at least 2."""
    return _along(in_order, lines, lambda a, b: abs(a - b) >= 2)


@kind("palindrome", lines="lines")
def _palindrome(layout: Layout, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line the first cell holds what the last holds, the second what the last but one holds, and so on."""
    return _along(lambda line: zip(line[: len(line) // 2], line[::-1], strict=False), lines, int.__eq__)


@kind("relation", allow="text", lines="lines", pairs="consecutive or all")
def _relation(layout: Layout, allow: str, lines: tuple[Cells, ...], pairs: str) -> Iterator[Line]:
    """The comparison is true for the symbols a and b of any two neighbours on each line, b after a; if pairs is "all",
    of any two cells, b after a."""
    fits = comparison(allow)
    n = layout.count
    return _along(pairwise if pairs == "consecutive" else in_order, lines, lambda a, b: fits(a, b, n))


@kind("even", cells="cells")
def _even(layout: Layout, cells: Cells) -> Iterator[Line]:
    """Each of the cells holds an even symbol."""
    return (one(cell, lambda symbol: symbol % 2 == 0) for cell in cells)


@kind("given", values="numbers", cells="cells")
def _given(layout: Layout, values: Cells, cells: Cells) -> Iterator[Line]:
    """Each of the cells holds one of the values."""
    return (one(cell, values.__contains__) for cell in cells)


@kind("odd", cells="cells")
def _odd(layout: Layout, cells: Cells) -> Iterator[Line]:
    """Each of the cells holds an odd symbol."""
    return (one(cell, lambda symbol: symbol % 2 == 1) for cell in cells)


def _outwards(layout: Layout, cells: Cells) -> Pairs:
    columns = layout.columns
    marked = set(cells)
    for cell in sorted(marked):
        row, column = divmod(cell, columns)
        for near_row, near_column in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            near = near_row * columns + near_column
            if 0 <= near_row < layout.rows and 0 <= near_column < columns and near not in marked:
                yield cell, near


@kind("maximum", cells="cells")
def _maximum(layout: Layout, cells: Cells) -> Iterator[Line]:
    """Each of the cells holds more than any cell beside, above or below it that is not among them."""
    return pairs_that(_outwards(layout, cells), int.__gt__)


@kind("minimum", cells="cells")
def _minimum(layout: Layout, cells: Cells) -> Iterator[Line]:
    """Each of the cells holds less than any cell beside, above or below it that is not among them."""
    return pairs_that(_outwards(layout, cells), int.__lt__)


@kind("non-consecutive", marked="pairs of cells")
def _non_consecutive(layout: Layout, marked: tuple[Cells, ...]) -> Iterator[Line]:
    """No two cells side by side or one above the other differ by 1, except for the marked pairs."""
    return pairs_that(_unmarked(layout, marked), lambda a, b: abs(a - b) != 1)


@kind("negative-difference", differences="numbers", marked="pairs of cells")
def _negative_difference(layout: Layout, differences: Cells, marked: tuple[Cells, ...]) -> Iterator[Line]:
    """No two cells side by side or one above the other differ by one of the differences, except for the marked
    pairs."""
    return pairs_that(_unmarked(layout, marked), lambda a, b: abs(a - b) not in differences)


@kind("negative-ratio", ratios="numbers", marked="pairs of cells")
def _negative_ratio(layout: Layout, ratios: Cells, marked: tuple[Cells, ...]) -> Iterator[Line]:
    """No cell holds the symbol of a cell beside, above or below it times one of the ratios, except for the marked
    pairs."""
    return pairs_that(_unmarked(layout, marked), lambda a, b: not any(a == b * r or b == a * r for r in ratios))


@kind("negative-xv", totals="numbers", marked="pairs of cells")
def _negative_xv(layout: Layout, totals: Cells, marked: tuple[Cells, ...]) -> Iterator[Line]:
    """No two cells side by side or one above the other add up to one of the totals, except for the marked pairs."""
    return pairs_that(_unmarked(layout, marked), lambda a, b: a + b not in totals)


@kind("row-indexer", cells="cells")
def _row_indexer(layout: Layout, cells: Cells) -> Iterator[Line]:
    """If one of the cells, in row r, holds v, then there is a row v, and in its column that row holds r; and if row v
    holds r, it holds v."""
    return _indexer(cells, [tuple(layout.cells[c :: layout.columns]) for c in range(layout.columns)])


@kind("column-indexer", cells="cells")
def _column_indexer(layout: Layout, cells: Cells) -> Iterator[Line]:
    """If one of the cells, in column c, holds v, then there is a column v, and in its row that column holds c; and if
    column v holds c, it holds v."""
    return _indexer(cells, [tuple(layout.cells[r : r + layout.columns]) for r in layout.cells[:: layout.columns]])


@kind("box-indexer", cells="cells")
def _box_indexer(layout: Layout, cells: Cells) -> Iterator[Line]:
    """If one of the cells, at place p of its region, holds v, then the region has a place v, which holds p; and if
    place v holds p, it holds v. On a board without regions no grid fits."""
    return _indexer(cells, layout.regions) if layout.regions else iter([never()])


def _indexer(cells: Cells, units: Iterable[Cells]) -> Iterator[Line]:
    for cell in cells:
        for unit in units:
            if cell in unit:
                yield one(cell, range(1, len(unit) + 1).__contains__)
                for v, other in enumerate(unit, 1):
                    fits = partial(_index, v, unit.index(cell) + 1)
                    if other != cell:  # else its own number is v
                        yield from pairs_that([(cell, other)], fits)


def _index(v: int, own: int, a: int, b: int) -> bool:
    return (a == v) == (b == own)


@kind("numbered-room", symbol="number", cells="cells")
def _numbered_room(layout: Layout, symbol: int, cells: Cells) -> Iterator[Line]:
    """The first cell holds some v from 1 to the number of cells, and the v-th cell in the list holds the symbol."""
    yield one(cells[0], lambda v: 1 <= v <= len(cells) and (cells[v - 1] != cells[0] or v == symbol))
    for place, cell in enumerate(cells, 1):
        yield from pairs_that([(cells[0], cell)], partial(leads_to, place, symbol))


def leads_to(place: int, symbol: int, v: int, found: int) -> bool:
    return v != place or found == symbol
