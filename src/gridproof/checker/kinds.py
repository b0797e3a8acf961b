"""What each kind of rule means: the sentence, as in ``docs/certificates.md``, and the lines that say it.

A sentence speaks of the symbols as numbers 1 .. n. A pair of a cell with itself says nothing. The lines of a rule
are numbered in the order in which they are given here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations, groupby, pairwise
from typing import Any, TypeAlias

from .machines import Choice, Distinct, Line, Machine, Part, Sets
from .texts import comparison, pattern

Cells: TypeAlias = tuple[int, ...]
Pairs: TypeAlias = Iterable[tuple[int, int]]

@dataclass(frozen=True, slots=True)
class Shape:
    """Order n; the regions, their cells in reading order; for each cell those that share a house with it."""

    order: int
    regions: tuple[Cells, ...]
    peers: list[set[int]]


@dataclass(frozen=True, slots=True)
class Kind:
    """sentence: what a rule of the kind says. parameters: the type of each. parts: what has to fit, all of it."""

    sentence: str
    parameters: dict[str, str]
    parts: Callable[..., Iterable[Part]]


KINDS: dict[str, Kind] = {}


def _kind(name: str, **parameters: str) -> Callable[[Callable[..., Iterable[Part]]], Callable[..., Iterable[Part]]]:
    def known(parts: Callable[..., Iterable[Part]]) -> Callable[..., Iterable[Part]]:
        KINDS[name] = Kind(" ".join((parts.__doc__ or "").split()), parameters, parts)
        return parts

    return known


# ---- machines ----------------------------------------------------------------------------------------------------


def _one(cell: int, fits: Callable[[int], bool]) -> Line:
    return Line((cell,), Machine(0, lambda _, symbol: 1 if fits(symbol) else None, bool))


def _pairs(pairs: Pairs, fits: Callable[[int, int], bool]) -> Iterator[Line]:
    """The first symbol is remembered until the second is read."""
    machine = Machine(0, lambda first, symbol: symbol if not first else -1 if fits(first, symbol) else None, bool)
    yield from (Line((a, b), machine) for a, b in dict.fromkeys(pairs) if a != b)


@lru_cache(maxsize=512)
def _total(weights: Cells, total: int, n: int) -> Machine:
    """After i cells: i, and the sum of what they hold, each times its weight. Stops where the rest cannot mend it."""
    ends = [0], [0]
    for weight in reversed(weights):
        for end, extreme in zip(ends, (min, max), strict=True):
            end.append(end[-1] + extreme(weight, weight * n))

    def step(state: tuple[int, int], symbol: int) -> tuple[int, int] | None:
        place, so_far = state[0] + 1, state[1] + weights[state[0]] * symbol
        left = len(weights) - place
        return (place, so_far) if ends[0][left] <= total - so_far <= ends[1][left] else None

    return Machine((0, 0), step, lambda state: bool(state[1] == total))


def _sum(shape: Shape, total: int, *sides: Iterable[tuple[int, int]], distinct: bool = False) -> Line:
    """Cells with their weights. distinct: the rule says that all cells of a weight differ, if houses do not."""
    cells, weights = zip(*(term for side in sides for term in side), strict=True)
    groups = tuple(tuple(cell for cell, w in zip(cells, weights, strict=True) if w == weight) for weight in dict.fromkeys(weights))
    differ = distinct or all(b in shape.peers[a] for group in groups for a, b in combinations(group, 2))

    def fits(sets: Sets) -> bool:
        return sum(weight * sum(symbols) for weight, symbols in zip(dict.fromkeys(weights), sets, strict=True)) == total

    return Line(cells, _total(weights, total, shape.order), Choice(groups if differ else (), fits))


def _times(cells: Iterable[int], weight: int) -> list[tuple[int, int]]:
    return [(cell, weight) for cell in cells]


@lru_cache(maxsize=512)
def _count(symbol: int, numbers: frozenset[int]) -> Machine:
    """How often the symbol was read."""
    return Machine(0, lambda found, read: found + (read == symbol), numbers.__contains__)


def _never() -> Line:
    return _one(0, lambda _: False)


# ---- comparisons of pairs ----------------------------------------------------------------------------------------


def _near(line: Cells) -> Pairs:
    return [(a, b) for place, a in enumerate(line) for b in line[place + 1 : place + 3]]


def _along(ways: Callable[[Cells], Pairs], lines: Iterable[Cells], fits: Callable[[int, int], bool]) -> Iterator[Line]:
    return _pairs((pair for line in lines for pair in ways(line)), fits)


def _unmarked(shape: Shape, marked: tuple[Cells, ...]) -> Pairs:
    n, exempt = shape.order, {frozenset(pair) for pair in marked}
    right = [(cell, cell + 1) for cell in range(n * n) if (cell + 1) % n]
    down = [(cell, cell + n) for cell in range(n * n - n)]
    return [pair for pair in right + down if frozenset(pair) not in exempt]


@_kind("anti-king", offsets="pairs of numbers")
@_kind("anti-knight", offsets="pairs of numbers")
@_kind("leaper", offsets="pairs of numbers")
def _leaper(shape: Shape, offsets: Cells) -> Iterator[Line]:
    """Two cells hold different symbols if they lie i rows and j columns apart, or j rows and i columns, for the first
    two numbers i, j of the offsets, or the next two, and so on."""
    n, sizes = shape.order, list(map(abs, offsets))
    leaps = {leap for i, j in zip(sizes[::2], sizes[1::2], strict=True) for leap in ((i, j), (j, i))}
    apart = [(a, b) for a, b in combinations(range(n * n), 2) if (b // n - a // n, abs(a % n - b % n)) in leaps]
    return _pairs(apart, int.__ne__)


@_kind("clone", lines="lines")
def _clone(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """The first cell of the first line holds what the first of the second line holds, and so on, until one of these two
    ends. Further lines say nothing."""
    return _pairs(zip(*lines[:2], strict=False) if len(lines) > 1 else (), int.__eq__)


@_kind("difference", difference="number", cells="cells")
def _difference(shape: Shape, difference: int, cells: Cells) -> Iterator[Line]:
    """Any two neighbours in the list of cells differ by exactly the difference."""
    return _pairs(pairwise(cells), lambda a, b: abs(a - b) == difference)


@_kind("ratio", ratio="number", cells="cells")
def _ratio(shape: Shape, ratio: int, cells: Cells) -> Iterator[Line]:
    """Of any two neighbours in the list of cells, one holds the other's symbol times the ratio."""
    return _pairs(pairwise(cells), lambda a, b: a == ratio * b or b == ratio * a)


@_kind("xv", total="number", cells="cells")
def _xv(shape: Shape, total: int, cells: Cells) -> Iterator[Line]:
    """Any two neighbours in the list of cells add up to the total."""
    return _pairs(pairwise(cells), lambda a, b: a + b == total)


@_kind("inequality", cells="cells")
def _inequality(shape: Shape, cells: Cells) -> Iterator[Line]:
    """The symbols increase strictly from each cell in the list to the next."""
    return _pairs(pairwise(cells), int.__lt__)


@_kind("thermometer", lines="lines")
def _thermometer(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line the symbols increase strictly from each cell to the next."""
    return _along(pairwise, lines, int.__lt__)


@_kind("slow-thermometer", lines="lines")
def _slow_thermometer(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line no symbol is smaller than that of the cell before."""
    return _along(pairwise, lines, int.__le__)


@_kind("whispers", difference="number", lines="lines")
@_kind("dutch-whispers", difference="number", lines="lines")
def _whispers(shape: Shape, difference: int, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line any two neighbours differ by at least the difference."""
    return _along(pairwise, lines, lambda a, b: abs(a - b) >= difference)


@_kind("entropic", lines="lines")
def _entropic(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """With k = (n + 1) / 3, rounded down: on each line any two cells at most two places apart are not both low (at most
    k), not both high (above n - k) and not both in the middle (neither)."""
    n, k = shape.order, (shape.order + 1) // 3

    def level(symbol: int) -> int:  # where n = 1 all are one
        return (symbol > k) + (symbol > n - k)

    return _along(_near, lines, lambda a, b: level(a) != level(b))


@_kind("modular", lines="lines")
def _modular(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line any two cells at most two places apart leave different remainders when divided by 3."""
    return _along(_near, lines, lambda a, b: a % 3 != b % 3)


@_kind("nabner", lines="lines")
def _nabner(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line any two cells differ by at least 2."""
    return _along(lambda line: combinations(line, 2), lines, lambda a, b: abs(a - b) >= 2)


@_kind("palindrome", lines="lines")
def _palindrome(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Line]:
    """On each line the first cell holds what the last holds, the second what the last but one holds, and so on."""
    return _along(lambda line: zip(line[: len(line) // 2], line[::-1], strict=False), lines, int.__eq__)


@_kind("relation", allow="text", lines="lines", pairs="consecutive or all")
def _relation(shape: Shape, allow: str, lines: tuple[Cells, ...], pairs: str) -> Iterator[Line]:
    """The comparison is true for the symbols a and b of any two neighbours on each line, b after a; if pairs is "all",
    of any two cells, b after a."""
    fits, n = comparison(allow), shape.order
    ways = pairwise if pairs == "consecutive" else lambda line: combinations(line, 2)
    return _along(ways, lines, lambda a, b: fits(a, b, n))


@_kind("even", cells="cells")
def _even(shape: Shape, cells: Cells) -> Iterator[Line]:
    """Each of the cells holds an even symbol."""
    return (_one(cell, lambda symbol: symbol % 2 == 0) for cell in cells)


@_kind("odd", cells="cells")
def _odd(shape: Shape, cells: Cells) -> Iterator[Line]:
    """Each of the cells holds an odd symbol."""
    return (_one(cell, lambda symbol: symbol % 2 == 1) for cell in cells)


def _outwards(shape: Shape, cells: Cells) -> Pairs:
    n = shape.order
    for cell in sorted(set(cells)):
        near = [(cell - n, cell >= n), (cell + n, cell < n * n - n), (cell - 1, cell % n), (cell + 1, (cell + 1) % n)]
        yield from ((cell, other) for other, there in near if there and other not in cells)


@_kind("maximum", cells="cells")
def _maximum(shape: Shape, cells: Cells) -> Iterator[Line]:
    """Each of the cells holds more than any cell beside, above or below it that is not among them."""
    return _pairs(_outwards(shape, cells), int.__gt__)


@_kind("minimum", cells="cells")
def _minimum(shape: Shape, cells: Cells) -> Iterator[Line]:
    """Each of the cells holds less than any cell beside, above or below it that is not among them."""
    return _pairs(_outwards(shape, cells), int.__lt__)


@_kind("non-consecutive", marked="pairs of cells")
def _non_consecutive(shape: Shape, marked: tuple[Cells, ...]) -> Iterator[Line]:
    """No two cells side by side or one above the other differ by 1, except for the marked pairs."""
    return _pairs(_unmarked(shape, marked), lambda a, b: abs(a - b) != 1)


@_kind("negative-difference", differences="numbers", marked="pairs of cells")
def _negative_difference(shape: Shape, differences: Cells, marked: tuple[Cells, ...]) -> Iterator[Line]:
    """No two cells side by side or one above the other differ by one of the differences, except for the marked pairs."""
    return _pairs(_unmarked(shape, marked), lambda a, b: abs(a - b) not in differences)


@_kind("negative-ratio", ratios="numbers", marked="pairs of cells")
def _negative_ratio(shape: Shape, ratios: Cells, marked: tuple[Cells, ...]) -> Iterator[Line]:
    """Of no two cells side by side or one above the other one holds the other's symbol times one of the ratios, except
    for the marked pairs."""
    return _pairs(_unmarked(shape, marked), lambda a, b: not any(a == b * r or b == a * r for r in ratios))


@_kind("negative-xv", totals="numbers", marked="pairs of cells")
def _negative_xv(shape: Shape, totals: Cells, marked: tuple[Cells, ...]) -> Iterator[Line]:
    """No two cells side by side or one above the other add up to one of the totals, except for the marked pairs."""
    return _pairs(_unmarked(shape, marked), lambda a, b: a + b not in totals)


@_kind("row-indexer", cells="cells")
def _row_indexer(shape: Shape, cells: Cells) -> Iterator[Line]:
    """If one of the cells, in row r, holds v, then row v of its column holds r; and if row v holds r, it holds v."""
    return _indexer(cells, [tuple(range(c, shape.order**2, shape.order)) for c in range(shape.order)])


@_kind("column-indexer", cells="cells")
def _column_indexer(shape: Shape, cells: Cells) -> Iterator[Line]:
    """If one of the cells, in column c, holds v, then column v of its row holds c; and if column v holds c, it holds
    v."""
    return _indexer(cells, [tuple(range(r, r + shape.order)) for r in range(0, shape.order**2, shape.order)])


@_kind("box-indexer", cells="cells")
def _box_indexer(shape: Shape, cells: Cells) -> Iterator[Line]:
    """If one of the cells, at place p of its region, holds v, then place v of the region holds p; and if place v holds
    p, it holds v. On a board without regions no grid fits."""
    return _indexer(cells, shape.regions) if shape.regions else iter([_never()])


def _indexer(cells: Cells, units: Iterable[Cells]) -> Iterator[Line]:
    for cell in cells:
        for unit in units:
            if cell in unit:
                for v, other in enumerate(unit, 1):
                    fits = partial(_index, v, unit.index(cell) + 1)
                    if other != cell:  # else its own number v is what it says
                        yield from _pairs([(cell, other)], fits)


def _index(v: int, own: int, a: int, b: int) -> bool:
    return (a == v) == (b == own)


@_kind("numbered-room", symbol="number", cells="cells")
def _numbered_room(shape: Shape, symbol: int, cells: Cells) -> Iterator[Line]:
    """The first cell holds some v that is at most the number of cells, and the v-th cell in the list holds the
    symbol."""
    yield _one(cells[0], lambda v: v <= len(cells) and (cells[v - 1] != cells[0] or v == symbol))
    for place, cell in enumerate(cells, 1):
        yield from _pairs([(cells[0], cell)], partial(_leads_to, place, symbol))


def _leads_to(place: int, symbol: int, v: int, found: int) -> bool:
    return v != place or found == symbol


# ---- different symbols -------------------------------------------------------------------------------------------


@_kind("extra-region", cells="cells")
def _extra_region(shape: Shape, cells: Cells) -> Iterator[Part]:
    """No two of the cells listed hold the same symbol."""
    yield Distinct(cells)


@_kind("disjoint-groups")
def _disjoint_groups(shape: Shape) -> Iterator[Part]:
    """No two cells at the same place of different regions hold the same symbol. On a board without regions no grid
    fits."""
    yield from map(Distinct, zip(*shape.regions, strict=True)) if shape.regions else [_never()]


@_kind("renban", lines="lines")
def _renban(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """On each line, where a cell that is listed twice counts once, no two cells hold the same symbol, and the largest
    symbol less the smallest is the number of cells less 1."""
    for line in lines:
        cells = tuple(dict.fromkeys(line))

        def step(read: int, symbol: int, size: int = len(cells)) -> int | None:
            more = read | 1 << symbol
            return None if more == read or more.bit_length() - (more & -more).bit_length() >= size else more

        yield Distinct(cells)
        yield Line(cells, Machine(0, step, bool), Choice((cells,), lambda sets: sets[0][-1] - sets[0][0] < len(sets[0])))


# ---- sums --------------------------------------------------------------------------------------------------------


@_kind("killer", total="number or null", cells="cells", repeats="flag")
def _killer(shape: Shape, total: int | None, cells: Cells, repeats: bool) -> Iterator[Part]:
    """The symbols of the cells listed add up to the total, unless it is null; and no two of them are equal, unless
    repeats is true."""
    if not repeats:
        yield Distinct(cells)
    if total is not None:
        yield _sum(shape, total, _times(cells, 1), distinct=not repeats)


@_kind("little-killer", total="number", cells="cells")
def _little_killer(shape: Shape, total: int, cells: Cells) -> Iterator[Part]:
    """The symbols of the cells listed add up to the total; they may be equal."""
    yield _sum(shape, total, _times(cells, 1))


@_kind("arrow", circle="cells", shafts="lines")
def _arrow(shape: Shape, circle: Cells, shafts: tuple[Cells, ...]) -> Iterator[Part]:
    """The symbols on each shaft add up to the number that the circle's symbols are in reading order, each a decimal
    digit; only the first of them may be above 9."""
    digits = sorted(circle)
    if shape.order > 9:
        yield from (_one(cell, lambda symbol: symbol <= 9) for cell in digits[1:])
    places = [(cell, -(10**power)) for power, cell in enumerate(reversed(digits))]
    yield from (_sum(shape, 0, _times(shaft, 1), places[::-1]) for shaft in shafts)


@_kind("double-arrow", lines="lines")
def _double_arrow(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """On each line of three cells or more, the first and the last add up to what all others add up to."""
    for first, *inside, last in (line for line in lines if len(line) > 2):
        yield _sum(shape, 0, _times([first], -1), _times(inside, 1), _times([last], -1))


@_kind("zipper", lines="lines")
def _zipper(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """On each line the first and the last cell, the second and the last but one, and so on, all have the same sum; on a
    line of an odd number of cells, three or more, the middle cell holds this sum."""
    for line in lines:
        half = len(line) // 2
        pairs = list(zip(line[:half], line[::-1], strict=False))
        if len(line) % 2:
            yield from (_sum(shape, 0, _times(pair, 1), [(line[half], -1)]) for pair in pairs)
        else:
            yield from (_sum(shape, 0, _times(pairs[0], 1), _times(pair, -1)) for pair in pairs[1:])


@_kind("region-sum", lines="lines")
def _region_sum(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """Each line is cut wherever it goes from one region to another, and all its parts add up to the same. On a board
    without regions no grid fits."""
    if not shape.regions:
        yield _never()
        return
    region_of = {cell: number for number, region in enumerate(shape.regions) for cell in region}
    for line in lines:
        first, *others = [tuple(part) for _, part in groupby(line, key=region_of.__getitem__)]
        yield from (_sum(shape, 0, _times(first, 1), _times(part, -1)) for part in others)


# ---- lines that are read cell by cell ----------------------------------------------------------------------------


@_kind("between", lines="lines")
def _between(shape: Shape, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """On each line every cell but the first and the last holds more than the smaller and less than the larger of these
    two."""
    machine = _three(lambda first, inner, last: min(first, last) < inner < max(first, last))
    yield from (Line((line[0], cell, line[-1]), machine) for line in lines for cell in line[1:-1])


@_kind("lockout", difference="number or null", lines="lines")
def _lockout(shape: Shape, difference: int | None, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """On each line the first and the last cell differ by at least the difference (if it is null, by (n + 1) / 2, rounded
    down, less 1), and every other cell holds less than the smaller or more than the larger of these two."""
    least = (shape.order + 1) // 2 - 1 if difference is None else difference
    machine = _three(lambda first, inner, last: not min(first, last) <= inner <= max(first, last))
    for line in lines:
        if line[0] == line[-1]:
            yield _one(line[0], lambda _: least <= 0)
        yield from _pairs([(line[0], line[-1])], lambda a, b: abs(a - b) >= least)
        yield from (Line((line[0], cell, line[-1]), machine) for cell in line[1:-1])


def _three(fits: Callable[[int, int, int], bool]) -> Machine:
    """Three symbols; the first two are remembered."""

    def step(read: Cells, symbol: int) -> Cells | None:
        return (*read, symbol) if len(read) < 2 or fits(*read, symbol) else None

    return Machine((), step, bool)


@_kind("sum-line", total="number", lines="lines")
def _sum_line(shape: Shape, total: int, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """Each line can be cut into parts of consecutive cells, each of which adds up to the total."""

    def step(so_far: int, symbol: int) -> int | None:
        return None if so_far + symbol > total else (so_far + symbol) % total

    yield from (Line(line, Machine(0, step, lambda so_far: so_far == 0)) for line in lines)


@_kind("sandwich", total="number", cells="cells")
def _sandwich(shape: Shape, total: int, cells: Cells) -> Iterator[Part]:
    """Exactly two of the cells listed hold 1 or n, and the symbols between these two add up to the total."""

    def step(state: tuple[int, int], symbol: int) -> tuple[int, int] | None:
        crusts, inside = state
        if symbol in (1, shape.order):
            return (crusts + 1, inside) if crusts < 2 else None
        inside += symbol if crusts == 1 else 0
        return (crusts, inside) if inside <= total else None

    yield Line(cells, Machine((0, 0), step, lambda state: bool(state == (2, total))))


@_kind("skyscraper", seen="number", cells="cells")
def _skyscraper(shape: Shape, seen: int, cells: Cells) -> Iterator[Part]:
    """Exactly so many of the cells listed hold more than every cell before them; the first one counts."""
    # n cells of which each two share a house hold n, and nothing is seen behind it
    whole = len(cells) == shape.order and all(b in shape.peers[a] for a, b in combinations(cells, 2))

    def step(state: tuple[int, int], symbol: int) -> tuple[int, int] | None:
        tallest, so_far = state
        if symbol <= tallest:
            return state
        return (symbol, so_far + 1) if so_far < seen else None

    yield Line(cells, Machine((0, 0), step, lambda end: end[1] == seen and (not whole or end[0] == shape.order)))


@_kind("x-sum", total="number", cells="cells")
def _x_sum(shape: Shape, total: int, cells: Cells) -> Iterator[Part]:
    """The first cell holds some v that is at most the number of cells, and the first v cells add up to the total."""

    def step(state: tuple[int, int] | None, symbol: int) -> tuple[int, int] | None:
        left, missing = state or (symbol, total)
        if not left:
            return left, missing
        return (left - 1, missing - symbol) if symbol <= missing else None

    yield Line(cells, Machine((), step, lambda state: state == (0, 0)))


@_kind("regex", pattern="text", lines="lines")
def _regex(shape: Shape, pattern: str, lines: tuple[Cells, ...]) -> Iterator[Part]:
    """The symbols along each line, written 1-9 and A-Z, match the whole pattern. Above order 35 no grid fits."""
    machine = _machine_of(pattern)
    yield from (Line(line, machine) for line in lines) if shape.order <= 35 else [_never()]


def _machine_of(text: str) -> Machine:
    return Machine(*pattern(text))


# ---- how many ----------------------------------------------------------------------------------------------------


@_kind("quadruple", values="numbers", cells="cells")
def _quadruple(shape: Shape, values: Cells, cells: Cells) -> Iterator[Part]:
    """Each of the values stands in at least as many of the cells listed as it is given times."""
    for value, times in Counter(values).items():
        yield Line(cells, _count(value, frozenset(range(times, len(cells) + 1))))


@_kind("look-and-say", values="pairs of numbers", cells="cells", only="flag")
def _look_and_say(shape: Shape, values: Cells, cells: Cells, only: bool) -> Iterator[Part]:
    """Of the values, the first says in how many of the cells listed the second stands, the third in how many the fourth
    stands, and so on; if only is true, the cells hold nothing else."""
    for times, symbol in zip(values[::2], values[1::2], strict=True):
        yield Line(cells, _count(symbol, frozenset([times])))
    yield from (_one(cell, values[1::2].__contains__) for cell in cells) if only else ()


@_kind("counting-circles", cells="cells")
def _counting_circles(shape: Shape, cells: Cells) -> Iterator[Part]:
    """A symbol that stands in one of the cells listed stands in exactly as many of them as it says."""
    yield from (Line(cells, _count(symbol, frozenset([0, symbol]))) for symbol in range(1, shape.order + 1))
