"""Kinds of rules over more cells: all different, sums, lines read cell by cell; see ``machines``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from .clauses import Sets
from .machines import (
    Choice,
    Distinct,
    Line,
    Machine,
    Part,
    Some,
    kind,
    never,
    one,
    pairs_that,
    share_houses,
    sum_of,
    times,
)
from .statement import Cells, Layout
from .texts import pattern as pattern_machine
from .texts import state_machine

# ---- different symbols -------------------------------------------------------------------------------------------


@kind("renban", lines="lines")
def _renban(layout: Layout, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """On each line no two cells hold the same symbol, and the largest symbol less the smallest is the number of cells
    less 1; a cell that is listed twice counts once."""
    for line in lines:
        cells = tuple(dict.fromkeys(line))

        def step(read: int, symbol: int, size: int = len(cells)) -> int | None:
            more = read | 1 << symbol
            return None if more == read or more.bit_length() - (more & -more).bit_length() >= size else more

        yield Distinct(cells)
        yield Line(cells, Machine(0, step, bool), Choice((cells,), has_no_gap))


def has_no_gap(sets: Sets) -> bool:
    (symbols,) = sets
    return symbols[-1] - symbols[0] < len(symbols)


# ---- sums --------------------------------------------------------------------------------------------------------


@kind("killer", total="number or null", cells="cells", repeats="flag")
def _killer(layout: Layout, total: int | None, cells: Cells, repeats: bool) -> Iterator[Part]:
    """The symbols of the cells listed add up to the total, unless it is null; and no two of them are equal, unless
    repeats is true."""
    if not repeats:
        yield Distinct(cells)
    if total is not None:
        yield sum_of(layout, total, times(cells, 1), distinct=not repeats)


@kind("rellik", total="number", cells="cells")
def _rellik(layout: Layout, total: int, cells: Cells) -> Iterator[Part]:
    """No two of the cells listed hold the same symbol, and no one or more of their symbols add up to the total."""

    def step(sums: int, symbol: int) -> int | None:
        sums |= (sums | 1) << symbol  # the bit 2^k: some of the symbols add up to k
        return None if total >= 0 and sums >> total & 1 else sums

    yield Distinct(cells)
    yield Line(cells, Machine(0, step, lambda _: True))


@kind("little-killer", total="number", cells="cells")
def _little_killer(layout: Layout, total: int, cells: Cells) -> Iterator[Part]:
    """The symbols of the cells listed add up to the total; they may be equal."""
    yield sum_of(layout, total, times(cells, 1))


@kind("arrow", circle="cells", shafts="lines")
def _arrow(layout: Layout, circle: Cells, shafts: tuple[Cells, ...]) -> Iterator[Part]:
    """The symbols on each shaft add up to the number that the circle's symbols are in reading order, each a decimal
    digit; only the first of them may be above 9."""
    digits = sorted(circle)
    if layout.last > 9:
        yield from (one(cell, lambda symbol: symbol <= 9) for cell in digits[1:])
    places = [(cell, -(10**power)) for power, cell in enumerate(reversed(digits))]
    yield from (sum_of(layout, 0, times(shaft, 1), places[::-1]) for shaft in shafts)


@kind("double-arrow", lines="lines")
def _double_arrow(layout: Layout, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """On each line of three cells or more, the first and the last add up to what all others add up to."""
    for line in lines:
        if len(line) > 2:
            yield sum_of(layout, 0, times(line[:1], -1), times(line[1:-1], 1), times(line[-1:], -1))


@kind("zipper", lines="lines")
def _zipper(layout: Layout, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """On each line the first and the last cell, the second and the last but one, and so on, all have the same sum; on a
    line of an odd number of cells, three or more, the middle cell holds this sum."""
    for line in lines:
        half = len(line) // 2
        pairs = list(zip(line[:half], line[::-1], strict=False))
        if len(line) % 2:
            for pair in pairs:
                yield sum_of(layout, 0, times(pair, 1), [(line[half], -1)])
        else:
            for pair in pairs[1:]:
                yield sum_of(layout, 0, times(pairs[0], 1), times(pair, -1))


@kind("region-sum", lines="lines")
def _region_sum(layout: Layout, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """Each line is cut wherever it goes from one region to another, and all its parts add up to the same. On a board
    without regions no grid fits."""
    if not layout.regions:
        yield never()
        return
    region_of = {cell: number for number, region in enumerate(layout.regions) for cell in region}
    for line in lines:
        parts = [tuple(part) for _, part in groupby(line, key=region_of.__getitem__)]
        for part in parts[1:]:
            yield sum_of(layout, 0, times(parts[0], 1), times(part, -1))


@kind("equal-sums", lines="lines")
def _equal_sums(layout: Layout, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """All lines add up to the same."""
    for line in lines[1:]:
        yield sum_of(layout, 0, times(lines[0], 1), times(line, -1))


@kind("linear-sum", total="number", factors="numbers", cells="cells")
def _linear_sum(layout: Layout, total: int, factors: Cells, cells: Cells) -> Iterator[Part]:
    """The symbols of the cells listed, each times the factor at its place (1 if there are no factors), add up to the
    total. On other numbers of factors than of cells no grid fits."""
    if factors and len(factors) != len(cells):
        yield never()
    else:
        yield sum_of(layout, total, zip(cells, factors or (1,) * len(cells), strict=True))


@kind("average-arrow", circle="cells", shafts="lines")
def _average_arrow(layout: Layout, circle: Cells, shafts: tuple[Cells, ...]) -> Iterator[Part]:
    """The symbols on each shaft add up to the symbol of the first cell of the circle times the number of cells of the
    shaft."""
    for shaft in shafts:
        yield sum_of(layout, 0, times(shaft, 1), [(circle[0], -len(shaft))])


@kind("bounded-cage", least="number", greatest="number", cells="cells", repeats="flag")
def _bounded_cage(layout: Layout, least: int, greatest: int, cells: Cells, repeats: bool) -> Iterator[Part]:
    """The symbols of the cells listed add up to the least number or more, and to the greatest or less; and no two of
    them are equal, unless repeats is true."""
    if not repeats:
        yield Distinct(cells)

    def step(so_far: int, symbol: int) -> int | None:
        return so_far + symbol if so_far + symbol <= greatest else None

    yield Line(cells, Machine(0, step, lambda total: bool(least <= total <= greatest)))


@kind("product-cage", product="number", cells="cells")
def _product_cage(layout: Layout, product: int, cells: Cells) -> Iterator[Part]:
    """The symbols of the cells listed multiply to the product."""

    def step(so_far: int, symbol: int) -> int | None:
        so_far *= symbol
        return so_far if so_far == 0 or (product and product % so_far == 0) else None

    def step_to_zero(so_far: int, symbol: int) -> int:
        return min(so_far * symbol, 1)

    yield Line(cells, Machine(1, step if product else step_to_zero, product.__eq__))


# ---- lines that are read cell by cell ----------------------------------------------------------------------------


@kind("between", lines="lines")
def _between(layout: Layout, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """On each line every cell but the first and the last holds more than the smaller and less than the larger of these
    two."""
    machine = _three(lambda first, inner, last: min(first, last) < inner < max(first, last))
    yield from (Line((line[0], cell, line[-1]), machine) for line in lines for cell in line[1:-1])


@kind("lockout", difference="number or null", lines="lines")
def _lockout(layout: Layout, difference: int | None, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """On each line the first and the last cell differ by at least the difference (if it is null, by (n + 1) / 2,
    rounded down, less 1), and every other cell holds less than the smaller or more than the larger of these two."""
    least = (layout.count + 1) // 2 - 1 if difference is None else difference
    machine = _three(lambda first, inner, last: not min(first, last) <= inner <= max(first, last))
    for line in lines:
        if line[0] == line[-1]:
            yield one(line[0], lambda _: least <= 0)
        yield from pairs_that([(line[0], line[-1])], lambda a, b: abs(a - b) >= least)
        yield from (Line((line[0], cell, line[-1]), machine) for cell in line[1:-1])


def _three(fits: Callable[[int, int, int], bool]) -> Machine:
    """Three symbols; the first two are remembered."""

    def step(read: tuple[int, ...], symbol: int) -> tuple[int, ...] | None:
        if len(read) == 2 and not fits(read[0], read[1], symbol):
            return None
        return read + (symbol,)

    return Machine((), step, bool)


@kind("same-difference", lines="lines")
def _same_difference(layout: Layout, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """On each line all neighbours differ by the same."""

    def step(state: tuple[int, ...], symbol: int) -> tuple[int, ...] | None:
        # nothing; then the last symbol; then the difference, too
        if not state:
            return (symbol,)
        difference = abs(symbol - state[0])
        return (symbol, difference) if state[1:] in ((), (difference,)) else None

    machine = Machine((), step, bool)
    yield from (Line(line, machine) for line in lines)


@kind("value-indexing", lines="lines")
def _value_indexing(layout: Layout, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """On each line the second cell holds some v from 1 to the number of cells behind it, and the v-th of these holds
    what the first cell holds."""

    found = (-1, -1)

    def step(state: tuple[int, ...], symbol: int) -> tuple[int, ...] | None:
        # nothing; then the symbol to be found; then how many cells on, too
        if len(state) < 2:
            return (*state, symbol)
        wanted, left = state
        if left > 1:
            return (wanted, left - 1)
        if left == 1:
            return found if symbol == wanted else None
        return state if state == found else None

    machine = Machine((), step, found.__eq__)
    yield from (Line(line, machine) for line in lines)


@kind("sum-line", total="number", lines="lines")
def _sum_line(layout: Layout, total: int, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """Each line can be cut into parts of consecutive cells, each of which adds up to the total."""
    for line in lines:
        yield Line(line, Machine(0, _parts_of(total), lambda so_far: so_far == 0))
        yield from _not_of_zeros(layout, total, line)


def _not_of_zeros(layout: Layout, total: int, line: Cells) -> Iterator[Part]:
    """Yield that some cell of a line does not hold 0, if it could and its parts have another total."""
    if layout.first == 0 and total != 0:
        yield Some(tuple([(one(cell, bool),) for cell in line]))


def _parts_of(total: int) -> Callable[[int, int], int | None]:
    """The step of a line that is cut into parts of a sum: the sum of the part so far, 0 at its end."""

    def step(so_far: int, symbol: int) -> int | None:
        so_far += symbol
        if so_far > total:
            return None
        return so_far % max(total, 1)

    return step


@kind("sum-loop", total="number", lines="lines")
def _sum_loop(layout: Layout, total: int, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """Each line, whose first cell follows its last, can be cut into parts of consecutive cells, each of which adds up
    to the total."""
    for line in lines:
        # what the last cells add to the part that goes on with the first cell
        begun = range(max(min(total, len(line) * layout.last + 1), 1 - layout.first))
        machines = [Machine(so_far, _parts_of(total), so_far.__eq__) for so_far in begun]
        yield Some(tuple([(Line(line, machine),) for machine in machines]))
        yield from _not_of_zeros(layout, total, line)


@kind("sandwich", total="number", cells="cells")
def _sandwich(layout: Layout, total: int, cells: Cells) -> Iterator[Part]:
    """Exactly two of the cells listed hold the smallest or the largest digit, and the symbols between these two add up
    to the total."""

    def step(state: tuple[int, int], symbol: int) -> tuple[int, int] | None:
        crusts, inside = state
        if symbol in (layout.first, layout.last):
            return (crusts + 1, inside) if crusts < 2 else None
        if crusts == 1:
            inside += symbol
        return (crusts, inside) if inside <= total else None

    yield Line(cells, Machine((0, 0), step, lambda state: bool(state == (2, total))))


@kind("lunchbox", total="number", cells="cells")
def _lunchbox(layout: Layout, total: int, cells: Cells) -> Iterator[Part]:
    """No two of the cells listed hold the same symbol, and those listed between the cell with the smallest and the cell
    with the largest of these symbols add up to the total."""

    def step(state: tuple[int, ...], symbol: int) -> tuple[int, ...]:
        if not state:
            return symbol, symbol, 0, 0
        # of the smallest and the largest so far the one that was read first, the other, what is between them and behind
        first, last, between, behind = state
        if min(first, last) <= symbol <= max(first, last):
            return first, last, between, min(behind + symbol, total + 1)
        if (symbol < last) == (last <= first):  # it takes the place of the last
            between += behind
            if first != last:
                between += last
        else:
            first, between = last, behind
        return first, symbol, min(between, total + 1), 0

    yield Distinct(cells)
    yield Line(cells, Machine((), step, lambda state: bool(state[2] == total)))


@kind("skyscraper", seen="number", cells="cells")
def _skyscraper(layout: Layout, seen: int, cells: Cells) -> Iterator[Part]:
    """As many of the cells listed as the number states, and no more, hold more than every cell before them, and more
    than 0; the first one counts."""
    # n cells of which each two share a house hold n, and nothing is seen behind it
    whole = len(cells) == layout.count and share_houses(layout, cells)

    def step(state: tuple[int, int], symbol: int) -> tuple[int, int] | None:
        tallest, so_far = state
        if symbol <= tallest:
            return state
        return (symbol, so_far + 1) if so_far < seen else None

    yield Line(cells, Machine((0, 0), step, lambda end: end[1] == seen and (not whole or end[0] == layout.last)))


@kind("hidden-skyscraper", symbol="number", cells="cells")
def _hidden_skyscraper(layout: Layout, symbol: int, cells: Cells) -> Iterator[Part]:
    """Some cell listed holds less than a cell before it, and the first such cell holds the symbol."""

    def step(tallest: int, read: int) -> int | None:
        if tallest > layout.last or read >= tallest:
            return max(tallest, read)
        return layout.last + 1 if read == symbol else None

    yield Line(cells, Machine(0, step, (layout.last + 1).__eq__))


@kind("x-sum", total="number", cells="cells")
def _x_sum(layout: Layout, total: int, cells: Cells) -> Iterator[Part]:
    """The first cell holds some v that is at most the number of cells, and the first v cells add up to the total."""

    def step(state: tuple[int, int] | None, symbol: int) -> tuple[int, int] | None:
        left, missing = state or (symbol, total)
        if not left:
            return left, missing
        return (left - 1, missing - symbol) if symbol <= missing else None

    yield Line(cells, Machine((), step, lambda state: state == (0, 0)))


@kind("regex", pattern="text", lines="lines")
def _regex(layout: Layout, pattern: str, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """The symbols along each line, written 0-9 and A-Z, match the whole pattern. With digits above 35 no grid fits."""
    machine = pattern_machine(pattern)
    if layout.last > 35:
        yield never()
        return
    for line in lines:
        yield Line(line, machine)


@kind("state-machine", states="states", lines="lines")
def _state_machine(layout: Layout, states: str, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """The symbols along each line lead from a state that is a start, by a step from state to state for each symbol, to
    a state that is an end."""
    machine = state_machine(states)
    yield from (Line(line, machine) for line in lines)
