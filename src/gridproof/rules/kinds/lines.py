"""Lines whose digits are compared as a whole, or with their ends."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import ClassVar

from gridproof.puzzle.digits import Digit
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.consecutive import state_consecutive
from gridproof.rules.drawing import Line, Mark, Shape
from gridproof.rules.foreign import ForeignItem, FPuzzlesItem, IssItem
from gridproof.rules.primitives import (
    MOST_STEPS,
    NEVER,
    AnyOf,
    Automaton,
    Cells,
    Domain,
    Primitive,
    Relation,
    Sum,
)
from gridproof.rules.rule import Rule, differ, parameter


class OnLines(Rule):
    """A rule about each of some lines. ``mark`` and ``ends`` are the marks of a line, and of each of its two ends.

    A kind states what one line expands into and, separately, which digits along it fit.
    """

    lines: tuple[Cells, ...] = parameter("lines", "each line of cells, with both ends")

    mark: ClassVar[Line]
    ends: ClassVar[Shape | None] = None

    @abstractmethod
    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        """Return one line in primitives; see ``expand``."""

    @abstractmethod
    def fits(self, digits: Sequence[Digit], line: Cells, geometry: Geometry) -> bool:
        """Return whether digits along a line keep the rule; see ``holds``."""

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        for line in self.lines:
            yield from self.expand_line(line, geometry)

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        for line in self.lines:
            digits = [grid[cell] for cell in line]
            if not self.fits(digits, line, geometry):
                return False
        return True

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        for line in self.lines:
            yield replace(self.mark, cells=line)
            if self.ends:
                yield replace(self.ends, cells=(line[0],))
                yield replace(self.ends, cells=(line[-1],))


class Between(OnLines):
    """Every digit on the line lies strictly between the digits at its two ends.

    A line of fewer than three cells has no effect.
    """

    kind = "between"
    words = "the digits inside {lines} lie strictly between those at its ends"
    mark = Line((), "grey", "thin")
    ends = Shape((), "circle", filled=True, colour="grey")
    example = "between r1c1 r1c2 r1c3"
    aliases = ("between-line",)
    formats = (
        FPuzzlesItem(key="betweenline", fields={"lines": "lines"}),
        IssItem(type="Between", cells="lines", shortest=3),
    )

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        return _inner_cells(line, geometry, lambda first, cell, last: min(first, last) < cell < max(first, last))

    def fits(self, digits: Sequence[Digit], line: Cells, geometry: Geometry) -> bool:
        low, high = sorted((digits[0], digits[-1]))
        return all(low < digit < high for digit in digits[1:-1])


def _inner_cells(line: Cells, geometry: Geometry, fits: Callable[[int, int, int], bool]) -> Iterable[Primitive]:
    """Return that the first cell, each of the inner ones, and the last fit together."""

    def step(read: tuple[int, ...], digit: int) -> tuple[int, ...] | None:
        return (*read, digit) if len(read) < 2 or fits(read[0], read[1], digit) else None

    for cell in line[1:-1]:
        yield Automaton.of((line[0], cell, line[-1]), geometry.digits, (), step, lambda _: True)


class DoubleArrow(OnLines):
    """The digits inside the line add up to the sum of the digits at its two ends.

    A line of fewer than three cells has no effect.
    """

    kind = "double-arrow"
    words = "the digits inside {lines} add up to those at its ends"
    mark = Line((), "grey", "thin")
    ends = Shape((), "circle")
    example = "double-arrow r1c1 r1c2 r1c3 r1c4"
    formats = (
        FPuzzlesItem(key="doublearrow", is_drawn=False, fields={"lines": "lines"}),
        IssItem(type="DoubleArrow", cells="lines", shortest=3),
    )

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        if len(line) > 2:
            distinct = differ(line[1:-1], geometry) and differ((line[0], line[-1]), geometry)
            weights = (-1,) + (1,) * (len(line) - 2) + (-1,)
            yield Sum.of(line, weights, 0, geometry.digits, distinct=distinct)

    def fits(self, digits: Sequence[Digit], line: Cells, geometry: Geometry) -> bool:
        return len(digits) < 3 or digits[0] + digits[-1] == sum(digits[1:-1])


class Lockout(OnLines):
    """The ends of a lockout line differ by at least 4, and no digit on it lies between them or equals one of them.

    On a board of n digits the least difference is (n + 1) / 2 - 1, rounded down, unless it is stated.
    """

    difference: int | None = parameter("number", "the least difference of the ends", None)

    kind = "lockout"
    words = "the digits inside {lines} lie outside the range of its ends, which differ by at least {difference}"
    mark = Line((), "blue", "thin")
    ends = Shape((), "diamond", colour="blue")
    example = "lockout r1c1 r1c2 r1c3"
    aliases = ("lockout-line",)
    formats = (
        FPuzzlesItem(key="lockout", fields={"lines": "lines", "difference": "value"}),
        IssItem(type="Lockout", arguments=("difference",), cells="lines", shortest=3),
    )

    def least(self, geometry: Geometry) -> int:
        """Return the least difference of the ends."""
        return (geometry.symbol_count + 1) // 2 - 1 if self.difference is None else self.difference

    def texts(self, geometry: Geometry) -> dict[str, str]:
        return super().texts(geometry) | {"difference": str(self.least(geometry))}

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        least = self.least(geometry)
        yield Relation.of(((line[0], line[-1]),), geometry.digits, lambda a, b: abs(a - b) >= least)
        yield from _inner_cells(line, geometry, lambda a, cell, b: not min(a, b) <= cell <= max(a, b))

    def fits(self, digits: Sequence[Digit], line: Cells, geometry: Geometry) -> bool:
        low, high = sorted((digits[0], digits[-1]))
        return high - low >= self.least(geometry) and not any(low <= digit <= high for digit in digits[1:-1])


class RegionSum(OnLines):
    """Each part of the line that lies in one region has the same sum.

    A line that comes back to a region begins a new part, as in dclamage's and the Interactive Sudoku Solver. On a board
    without boxes or regions the rule has no meaning, and no grid fulfils it.
    """

    kind = "region-sum"
    words = "the parts of the line {lines} have the same sum, cut where it leaves a region"
    mark = Line((), "blue", "thick")
    example = "region-sum r1c3 r1c4 r1c5"
    aliases = ("region-sum-line",)
    formats = (
        FPuzzlesItem(key="regionsumline", is_drawn=False, fields={"lines": "lines"}),
        IssItem(type="RegionSumLine", cells="lines", regions="any"),
    )

    def impossible(self, geometry: Geometry, candidates: Sequence[int] = ()) -> str | None:
        return super().impossible(geometry, candidates) if geometry.region_of else "the board has no regions"

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        region_of = geometry.region_of
        if region_of is None:
            yield NEVER
            return
        first, *rest = cut_at_regions(line, region_of)
        for part in rest:
            distinct = differ(first, geometry) and differ(part, geometry)
            weights = (1,) * len(first) + (-1,) * len(part)
            yield Sum.of(first + part, weights, 0, geometry.digits, distinct=distinct)

    def fits(self, digits: Sequence[Digit], line: Cells, geometry: Geometry) -> bool:
        if geometry.region_of is None:
            return False
        sums = [0]
        for place, digit in enumerate(digits):
            if place and geometry.region_of[line[place]] != geometry.region_of[line[place - 1]]:
                sums.append(0)
            sums[-1] += digit
        return len(set(sums)) == 1


def cut_at_regions(line: Cells, region_of: Sequence[int]) -> list[Cells]:
    """Return the parts of a line, which is cut wherever the next cell is in another region."""
    parts: list[list[int]] = []
    for place, cell in enumerate(line):
        if place == 0 or region_of[cell] != region_of[line[place - 1]]:
            parts.append([])
        parts[-1].append(cell)
    return [tuple(part) for part in parts]


class Renban(OnLines):
    """The digits of a renban line are consecutive numbers in any order, none of them twice.

    A line that ends where it began has that cell once.
    """

    kind = "renban"
    words = "the digits of the renban line {lines} are consecutive, in any order"
    mark = Line((), "purple", "thick")
    example = "renban r1c1 r1c2 r2c2"
    formats = (
        FPuzzlesItem(key="renban", is_drawn=False, fields={"lines": "lines"}),
        IssItem(type="Renban", cells="lines", once=True),
    )

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        return state_consecutive(tuple(dict.fromkeys(line)), geometry.digits)

    def fits(self, digits: Sequence[Digit], line: Cells, geometry: Geometry) -> bool:
        held = sorted(dict(zip(line, digits, strict=True)).values())
        return held == list(range(held[0], held[0] + len(held)))


class SameDifference(OnLines):
    """All neighbours on a line have the same difference, whatever it is; each line has its own."""

    kind = "same-difference"
    words = "neighbours on {lines} all have the same difference"
    mark = Line((), "red", "normal")
    example = "same-difference r1c1 r1c2 r2c2"

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        pairs = [pair for pair in pairwise(line) if pair[0] != pair[1]]
        has_a_cell_twice_in_a_row = len(pairs) < len(line) - 1
        options: list[tuple[Primitive, ...]] = []
        for difference in range(1 if has_a_cell_twice_in_a_row else geometry.symbol_count):
            options.append((Relation.of(pairs, geometry.digits, partial(_differ_by, difference)),))
        if pairs:
            yield AnyOf(tuple(options))

    def fits(self, digits: Sequence[Digit], line: Cells, geometry: Geometry) -> bool:
        return len({abs(a - b) for a, b in pairwise(digits)}) <= 1


def _differ_by(difference: int, a: int, b: int) -> bool:
    return abs(a - b) == difference


class SumLine(OnLines):
    """The line can be cut into runs of neighbours that each add up to the sum: 10, unless it is stated.

    Each cell of the line belongs to exactly one run.
    """

    total: int = parameter("number", "the sum of each run", 10)

    closed: ClassVar[bool] = False
    kind = "sum-line"
    words = "{lines} can be cut into runs that each sum to {total}"
    mark = Line((), "orange")
    example = "sum-line r1c1 r1c2 r1c3"
    aliases: ClassVar[tuple[str, ...]] = ("ten-line",)
    formats: ClassVar[tuple[ForeignItem, ...]] = (IssItem(type="SumLine", arguments=("total",), cells="lines"),)

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        def step(runs: frozenset[tuple[int, int]], digit: int) -> frozenset[tuple[int, int]] | None:
            after = set()
            for first, so_far in runs:
                if so_far + digit <= self.total:
                    after.add((first, (so_far + digit) % max(self.total, 1)))
            return frozenset(after) or None

        def is_cut(runs: frozenset[tuple[int, int]]) -> bool:
            return any(first == so_far for first, so_far in runs)

        # what the first cells add to a run that the last ones began, and the sum of the run so far
        digits = geometry.digits
        least = max(min(self.total, len(line) * digits.last + 1), 1) if self.closed else 1
        starts = [frozenset([(first, first)]) for first in range(least)]
        if least * least * len(line) * len(digits) > MOST_STEPS:
            starts = [frozenset().union(*starts)]  # one machine, whose states are sets
        machines = [Automaton.of(line, digits, start, step, is_cut) for start in starts]
        if len(machines) == 1:
            yield machines[0]
        else:
            yield AnyOf(tuple([(machine,) for machine in machines]))
        if 0 in digits and self.total != 0:  # a line of 0s is no run
            others = [digit for digit in digits if digit != 0]
            yield AnyOf(tuple([(Domain.of(cell, others, digits),) for cell in line]))

    def fits(self, digits: Sequence[Digit], line: Cells, geometry: Geometry) -> bool:
        turns = range(len(digits)) if self.closed else [0]
        for turn in turns:
            if self.can_be_cut([*digits[turn:], *digits[:turn]]):
                return True
        return False

    def can_be_cut(self, digits: Sequence[Digit]) -> bool:
        """Return whether digits, from the first one on, are runs that add up to the sum; a 0 may end a run."""
        if sum(digits) == 0:
            return self.total == 0
        run = 0
        for digit in digits:
            run += digit
            if run > self.total:
                return False
            if run == self.total:
                run = 0
        return not run


class SumLoop(SumLine):
    """The closed line can be cut into runs of neighbours that each add up to the sum: 10, unless it is stated.

    The first cell follows the last, each is stated once, and each belongs to exactly one run.
    """

    closed = True
    kind = "sum-loop"
    words = "the loop {lines} can be cut into runs that each sum to {total}"
    example = "sum-loop r1c1 r1c2 r2c2 r2c1"
    aliases = ()
    formats = ()


class Zipper(OnLines):
    """Two cells at the same distance from the middle of a zipper line have the same sum everywhere.

    On a line of an odd number of cells that sum is the digit in the middle.
    """

    kind = "zipper"
    words = "mirrored cells of the zipper line {lines} have the same sum"
    mark = Line((), "purple")
    example = "zipper r1c1 r1c2 r1c3"
    aliases = ("zipper-line",)
    formats = (
        FPuzzlesItem(key="zipperline", is_drawn=False, fields={"lines": "lines"}),
        IssItem(type="Zipper", cells="lines"),
    )

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        pairs = [(line[k], line[-1 - k]) for k in range(len(line) // 2)]
        digits = geometry.digits
        if len(line) % 2:
            middle = line[len(line) // 2]
            for pair in pairs:
                yield Sum.of((*pair, middle), (1, 1, -1), 0, digits, distinct=differ(pair, geometry))
        else:
            for pair in pairs[1:]:
                distinct = differ(pairs[0], geometry) and differ(pair, geometry)
                yield Sum.of(pairs[0] + pair, (1, 1, -1, -1), 0, digits, distinct=distinct)

    def fits(self, digits: Sequence[Digit], line: Cells, geometry: Geometry) -> bool:
        half = len(digits) // 2
        sums = {digits[place] + digits[-1 - place] for place in range(half)}
        if len(digits) % 2 and half:
            sums.add(digits[half])
        return len(sums) <= 1
