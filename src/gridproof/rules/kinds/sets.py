"""Cells as sets: which digits they hold, how many different ones, and how many of some sort."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from gridproof.errors import InputError
from gridproof.puzzle.digits import Digit
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Mark, Outline, Shape
from gridproof.rules.foreign import IssItem
from gridproof.rules.kinds.sums import GROUP_COLOURS
from gridproof.rules.primitives import AnyOf, Automaton, Cells, Count, Different, Domain, Primitive, check_effort
from gridproof.rules.rule import Rule, differ, parameter


class SameValues(Rule):
    """All groups of cells hold the same digits, each as often, in any order. Groups of one cell each are equal."""

    lines: tuple[Cells, ...] = parameter("lines", "the cells of each group")

    kind = "same-values"
    words = "{lines} hold the same digits"
    example = "same-values r1c1 r1c2 / r3c3 r3c4"

    def __post_init__(self) -> None:
        if len({len(line) for line in self.lines}) > 1:
            given = " and ".join(str(len(line)) for line in self.lines)
            raise InputError(f"groups of {given} cells; expected as many in each")

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        for other in self.lines[1:]:
            first = self.lines[0]
            if differ(first, geometry) and differ(other, geometry):
                yield from hold_all_of(first, other, geometry)
                yield from hold_all_of(other, first, geometry)
                continue
            for digit in geometry.digits:
                options: list[tuple[Primitive, ...]] = []
                for times in range(len(first) + 1):
                    as_often = [Count.of(cells, digit, times, times, geometry.digits) for cells in (first, other)]
                    options.append(tuple(as_often))
                yield AnyOf(tuple(options))

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        sorted_digits = {tuple(sorted(grid[cell] for cell in line)) for line in self.lines}
        return len(sorted_digits) <= 1

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        for number, line in enumerate(self.lines):
            yield Outline(line, "", GROUP_COLOURS[number % len(GROUP_COLOURS)])


def hold_all_of(cells: Cells, others: Cells, geometry: Geometry) -> Iterator[Primitive]:
    """Yield that the digit of each cell also stands in one of the others."""
    digits = geometry.digits
    for cell in set(cells).difference(others):
        for digit in digits:
            rest = [other_digit for other_digit in digits if other_digit != digit]
            options: list[tuple[Primitive, ...]] = [(Domain.of(cell, rest, digits),)]
            options += [(Domain.of(other, (digit,), digits),) for other in others]
            yield AnyOf(tuple(options))


class CountDistinct(Rule):
    """The digit in a cell is the number of different digits in other cells, among which it may stand itself."""

    circle: Cells = parameter("cells", "the cell that counts", once=True)
    cells: Cells = parameter("cells", "the cells whose digits are counted")

    kind = "count-distinct"
    words = "{circle} holds the number of different digits in {cells}"
    example = "count-distinct r1c1 / r1c2 r2c3 r3c2"

    def __post_init__(self) -> None:
        if len(self.circle) != 1:
            raise InputError(f"{len(self.circle)} cells that count; expected one")

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        counter = self.circle[0]
        cells = tuple(dict.fromkeys(self.cells))
        if differ(cells, geometry):
            yield Domain.of(counter, (len(cells),), geometry.digits)
            return
        options: list[tuple[Primitive, ...]] = []
        for number in range(1, min(len(cells), geometry.symbol_count) + 1):
            for held in combinations(geometry.digits, number):
                check_effort(len(options) * len(cells))
                option: list[Primitive] = [Domain.of(counter, (number,), geometry.digits)]
                option += [Domain.of(cell, held, geometry.digits) for cell in cells]
                option += [Count.of(cells, digit, 1, len(cells), geometry.digits) for digit in held]
                options.append(tuple(option))
        yield AnyOf(tuple(options))

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        return len({grid[cell] for cell in self.cells}) == grid[self.circle[0]]

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Outline(self.cells, "", "green")
        yield Shape(self.circle, "circle", colour="green")


class EqualityCage(Rule):
    """The digits of a cage differ, as many are even as odd, and as many are low as high.

    Low and high are the lower and the upper half of all digits; if their number is odd, the one in the middle does not
    stand in the cage.
    """

    cells: Cells = parameter("cells", "the cells of the cage", once=True)

    kind = "equality-cage"
    words = "{cells} hold different digits, as many even as odd and as many low as high"
    example = "equality-cage r1c1 r1c2 r2c1 r2c2"
    formats = (IssItem(type="EqualityCage", cells="cells"),)

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        low, high = halves(geometry)

        def count_even(more: int, digit: int) -> int:
            return more + 1 if digit % 2 == 0 else more - 1

        def count_low(more: int, digit: int) -> int | None:
            if digit in low:
                return more + 1
            return more - 1 if digit in high else None

        def is_balanced(more: int) -> bool:
            return more == 0

        yield Different(self.cells)
        yield Automaton.of(self.cells, geometry.digits, 0, count_even, is_balanced)
        yield Automaton.of(self.cells, geometry.digits, 0, count_low, is_balanced)

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        digits = [grid[cell] for cell in self.cells]
        middle = geometry.digits.first + geometry.digits.last
        low = [digit for digit in digits if 2 * digit < middle]
        high = [digit for digit in digits if 2 * digit > middle]
        odd = [digit for digit in digits if digit % 2]
        is_balanced = len(low) == len(high) and 2 * len(odd) == len(digits)
        return is_balanced and len(low) + len(high) == len(digits) == len(set(digits))

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Outline(self.cells, "=", "orange")


def halves(geometry: Geometry) -> tuple[range, range]:
    """Return the low and the high digits of a board; one in the middle is neither."""
    digits = geometry.digits
    half = len(digits) // 2
    return range(digits.first, digits.first + half), range(digits.last - half + 1, digits.last + 1)
