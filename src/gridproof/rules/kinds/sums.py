"""Sums beyond cages: of groups with one sum, with factors, within bounds; averages, and products."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import prod

from gridproof.errors import InputError
from gridproof.puzzle.digits import Digit
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line, Mark, Outline, Shape
from gridproof.rules.primitives import Automaton, Cells, Count, Different, Primitive, Sum
from gridproof.rules.rule import Rule, differ, find_repeated, parameter
from gridproof.text import counted

GROUP_COLOURS = ("blue", "green", "orange", "purple", "teal", "red", "yellow")
"""The colours in which groups of cells are told apart."""


class EqualSums(Rule):
    """All groups of cells have the same sum, whatever it is.

    Digits may repeat in a group where no house forbids it. A magic square is such a rule of its rows, columns and
    diagonals; two single cells are equal.
    """

    lines: tuple[Cells, ...] = parameter("lines", "the cells of each group")

    kind = "equal-sums"
    words = "{lines} have the same sum"
    example = "equal-sums r1c1 r1c2 / r3c3 r3c4 r4c4"

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        return equate_sums(self.lines, geometry)

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        return len({sum(grid[cell] for cell in line) for line in self.lines}) <= 1

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        for number, line in enumerate(self.lines):
            yield Outline(line, "=", GROUP_COLOURS[number % len(GROUP_COLOURS)])


def equate_sums(groups: Sequence[Cells], geometry: Geometry) -> Iterator[Primitive]:
    """Yield a sum for each group but the smallest, which all others are compared with."""
    if not groups:
        return
    ordered = sorted(groups, key=len)
    smallest = ordered[0]
    for group in ordered[1:]:
        weights = Counter(smallest)
        weights.subtract(group)
        yield weighted_sum(weights, 0, geometry)


def weighted_sum(weights: Counter[int], total: int, geometry: Geometry) -> Sum:
    """Return that cells, each times its weight, add up to a total."""
    cells_of: dict[int, list[int]] = {}
    for cell, weight in weights.items():
        if weight:
            cells_of.setdefault(weight, []).append(cell)
    cells: list[int] = []
    coefficients: list[int] = []
    for weight, group in cells_of.items():
        cells += group
        coefficients += [weight] * len(group)
    distinct = all(differ(group, geometry) for group in cells_of.values())
    return Sum.of(tuple(cells), tuple(coefficients), total, geometry.digits, distinct=distinct)


class LinearSum(Rule):
    """Digits, each times its factor, add up to a number. A cell may be listed twice; its factors then add up.

    Without factors every digit counts once.
    """

    total: int = parameter("number", "the number")
    factors: tuple[int, ...] = parameter("numbers", "the factor of each cell, in their order", ())
    cells: Cells = parameter("cells", "the cells")

    kind = "linear-sum"
    words = "{cells} add up to {total}"
    example = "linear-sum 0 1 1 -2 r1c1 r1c2 r2c1"

    def __post_init__(self) -> None:
        if self.factors and len(self.factors) != len(self.cells):
            raise InputError(
                f"{len(self.factors)} factors for {counted(len(self.cells), 'cell')}; expected one for each"
            )

    def sentence(self, geometry: Geometry) -> str:
        if not self.factors:
            return super().sentence(geometry)
        factors = " ".join(str(factor) for factor in self.factors)
        return f"{super().sentence(geometry)}, times {factors}"

    def weights(self) -> Counter[int]:
        """Return the factor of each cell."""
        weights: Counter[int] = Counter()
        for cell, factor in zip(self.cells, self.factors or (1,) * len(self.cells), strict=True):
            weights[cell] += factor
        return weights

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        yield weighted_sum(self.weights(), self.total, geometry)

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        factors = self.factors or [1] * len(self.cells)
        products = [factor * grid[cell] for factor, cell in zip(factors, self.cells, strict=True)]
        return sum(products) == self.total

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Line(self.cells, "teal", "thin")


class AverageArrow(Rule):
    """The digit in the circle is the average of the digits along each shaft."""

    circle: Cells = parameter("cells", "the cell of the circle", once=True)
    shafts: tuple[Cells, ...] = parameter("lines", "the cells of each shaft, without the circle")

    kind = "average-arrow"
    words = "the digits along {shafts} have the average {circle}"
    example = "average-arrow r1c1 / r1c2 r1c3"

    def __post_init__(self) -> None:
        if len(self.circle) != 1:
            raise InputError(f"a circle of {len(self.circle)} cells; expected the one that holds the average")

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        for shaft in self.shafts:
            weights = Counter(shaft)
            weights[self.circle[0]] -= len(shaft)
            yield weighted_sum(weights, 0, geometry)

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        average = grid[self.circle[0]]
        return all(sum(grid[cell] for cell in shaft) == average * len(shaft) for shaft in self.shafts)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Shape(self.circle, "circle")
        for shaft in self.shafts:
            yield Line(self.circle + shaft, "orange", "thin", arrow=True)


class BoundedCage(Rule):
    """The digits of a cage differ, and their sum lies between two numbers, or equals one of them.

    A cage with the number ``<13`` has a sum of 12 at most. For several totals state a choice of cages.
    """

    least: int = parameter("number", "the least sum")
    greatest: int = parameter("number", "the greatest sum")
    cells: Cells = parameter("cells", "the cells of the cage")
    repeats: bool = parameter("flag", "digits may repeat", False)

    kind = "bounded-cage"
    words = "the cage {cells} sums to {least} at least and {greatest} at most"
    example = "bounded-cage 5 8 r1c1 r1c2 r2c1"

    def invalid_reason(self, geometry: Geometry) -> str | None:
        return super().invalid_reason(geometry) or (None if self.repeats else find_repeated(self.cells, geometry))

    def sentence(self, geometry: Geometry) -> str:
        return super().sentence(geometry) + (", and digits may repeat in it" if self.repeats else "")

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        def step(so_far: int, digit: int) -> int | None:
            return so_far + digit if so_far + digit <= self.greatest else None

        def is_enough(total: int) -> bool:
            return total >= self.least

        if not self.repeats:
            yield Different(self.cells)
        yield Automaton.of(self.cells, geometry.digits, 0, step, is_enough)

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        digits = [grid[cell] for cell in self.cells]
        return (self.repeats or len(set(digits)) == len(digits)) and self.least <= sum(digits) <= self.greatest

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Outline(self.cells, f"{self.least}-{self.greatest}")


class ProductCage(Rule):
    """The digits of a cage multiply to its number. They may repeat where no house forbids it."""

    product: int = parameter("number", "the product")
    cells: Cells = parameter("cells", "the cells of the cage")

    kind = "product-cage"
    words = "the digits of the cage {cells} multiply to {product}"
    example = "product-cage 12 r1c1 r1c2 r2c1"

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        if self.product == 0:
            yield Count.of(self.cells, 0, 1, len(self.cells), geometry.digits)
            return

        def step(missing: int, digit: int) -> int | None:
            # what the rest has to multiply to
            return missing // digit if digit and missing % digit == 0 else None

        def is_done(missing: int) -> bool:
            return missing == 1

        yield Automaton.of(self.cells, geometry.digits, self.product, step, is_done)

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        return prod(grid[cell] for cell in self.cells) == self.product

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Outline(self.cells, f"{self.product}\u00d7", "purple")
