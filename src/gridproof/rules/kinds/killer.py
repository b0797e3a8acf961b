"""Sums: killer cages, cages that avoid a sum, lunchboxes, and arrows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from gridproof.errors import InputError
from gridproof.puzzle.digits import Digit
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line, Mark, Outline, Shape
from gridproof.rules.foreign import FPuzzlesItem, IssItem
from gridproof.rules.primitives import AnyOf, Automaton, Cells, Different, Domain, Primitive, Sum
from gridproof.rules.rule import Rule, differ, find_repeated, parameter


class Killer(Rule):
    """The digits of a cage differ and add up to its sum.

    Without a sum they only differ. With ``repeats`` only the sum counts: digits may be equal where no house forbids it.
    """

    total: int | None = parameter("number", "the sum of the cage", None)
    cells: Cells = parameter("cells", "the cells of the cage")
    repeats: bool = parameter("flag", "digits may repeat", False)

    kind = "killer"
    words = "the killer cage {cells} sums to {total}"
    example = "killer 10 r1c1 r1c2 r2c1"
    aliases = ("cage", "killer-cage")
    formats = (
        FPuzzlesItem(key="killercage", fields={"cells": "cells", "total": "value"}, number_for_none=0),
        IssItem(type="Cage", arguments=("total",), number_for_none=0, cells="cells"),
        IssItem(type="Sum", arguments=("total",), cells="cells", only={"repeats": True}),
        IssItem(type="AllDifferent", is_read=False, cells="cells"),
    )

    def invalid_reason(self, geometry: Geometry) -> str | None:
        return super().invalid_reason(geometry) or (None if self.repeats else find_repeated(self.cells, geometry))

    def sentence(self, geometry: Geometry) -> str:
        if self.total is None:
            return super().sentence(geometry).replace("sums to any", "has different digits")
        return super().sentence(geometry) + (", and digits may repeat in it" if self.repeats else "")

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        if not self.repeats:
            yield Different(self.cells)
        if self.total is not None:
            distinct = not self.repeats or differ(self.cells, geometry)
            yield Sum.of(self.cells, (1,) * len(self.cells), self.total, geometry.digits, distinct=distinct)

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        digits = [grid[cell] for cell in self.cells]
        return (self.repeats or len(set(digits)) == len(digits)) and (self.total is None or sum(digits) == self.total)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Outline(self.cells, "" if self.total is None else str(self.total))


class Rellik(Rule):
    """The digits of a cage differ, and no one, two or more of them add up to the number of the cage."""

    total: int = parameter("number", "the sum that does not occur")
    cells: Cells = parameter("cells", "the cells of the cage", once=True)

    kind = "rellik"
    words = "the digits of the cage {cells} differ, and none, alone or with others, sum to {total}"
    example = "rellik 5 r1c1 r1c2 r2c1"
    aliases = ("rellik-cage",)
    formats = (IssItem(type="RellikCage", arguments=("total",), least=1, cells="cells"),)

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        def step(sums: int, digit: int) -> int | None:
            # a bit for each sum of some digits, up to the number
            sums = (sums | sums << digit | 1 << digit) & ((2 << max(self.total, 0)) - 1)
            return None if self.total >= 0 and sums >> self.total else sums

        yield Different(self.cells)
        yield Automaton.of(self.cells, geometry.digits, 0, step, lambda sums: True)

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        digits = [grid[cell] for cell in self.cells]
        sums = {sum(some) for size in range(1, len(digits) + 1) for some in combinations(digits, size)}
        return len(set(digits)) == len(digits) and self.total not in sums

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Outline(self.cells, f"\u2260{self.total}", "red")


class Lunchbox(Rule):
    """The digits of a box differ, and those between its smallest and its largest one add up to the sum.

    The box is a line of cells; its smallest and largest digit may stand in either order.
    """

    total: int = parameter("number", "the sum between the smallest and the largest digit")
    cells: Cells = parameter("cells", "the cells of the box, from one end to the other", once=True)

    kind = "lunchbox"
    words = "the digits of {cells} differ, and those between the smallest and the largest sum to {total}"
    example = "lunchbox 3 r1c1 r1c2 r1c3"
    formats = (IssItem(type="Lunchbox", arguments=("total",), cells="cells"),)

    def invalid_reason(self, geometry: Geometry) -> str | None:
        few = "fewer than two cells, so nothing is between them" if len(self.cells) < 2 else None
        return super().invalid_reason(geometry) or few

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        yield Different(self.cells)
        options: list[tuple[Primitive, ...]] = []
        for low, high in combinations(geometry.digits, 2):
            if sum(range(low + 1, high)) >= self.total:
                options.append((self._between(low, high, geometry),))
        yield AnyOf(tuple(options))

    def _between(self, low: int, high: int, geometry: Geometry) -> Automaton:
        """Return the machine of boxes with this smallest and this largest digit."""

        def step(state: tuple[int | None, int], digit: int) -> tuple[int | None, int] | None:
            # the end that was read first, if any, and the sum since then, -1 behind the other end
            first, so_far = state
            if not low <= digit <= high:
                return None
            if low < digit < high:
                after = so_far + digit if first is not None and so_far >= 0 else so_far
                return (first, after) if after <= self.total else None
            if first is None:
                return digit, 0
            return (first, -1) if digit != first and so_far == self.total else None

        return Automaton.of(self.cells, geometry.digits, (None, 0), step, lambda state: state[1] < 0)

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        digits = [grid[cell] for cell in self.cells]
        first, last = sorted([digits.index(min(digits)), digits.index(max(digits))])
        return len(set(digits)) == len(digits) and sum(digits[first + 1 : last]) == self.total

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Outline(self.cells, str(self.total), "orange")


class Arrow(Rule):
    """The digits on each shaft of an arrow add up to the number in its circle.

    Digits may repeat on a shaft where no house forbids it. A pill (a circle of several cells) is read in reading order
    as one decimal number, of which only the first digit may exceed 9 (as in the Interactive Sudoku Solver).
    """

    circle: Cells = parameter("cells", "the circle, or the cells of a pill", once=True)
    shafts: tuple[Cells, ...] = parameter("lines", "the cells of each shaft, without the circle")

    kind = "arrow"
    words = "the digits along {shafts} add up to the number in {circle}"
    example = "arrow r1c1 / r1c2 r1c3"
    formats = (FPuzzlesItem(key="arrow", fields={"circle": "cells", "shafts": "lines"}, drop_first=True),)

    def __post_init__(self) -> None:
        if not self.circle:
            raise InputError("an arrow without a circle; expected the cell that holds the sum")

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        pill = tuple(sorted(self.circle))
        weights = tuple(-(10 ** (len(pill) - 1 - place)) for place in range(len(pill)))
        digits = geometry.digits
        if digits.last > 9:
            for cell in pill[1:]:
                yield Domain.of(cell, range(10), digits)
        for shaft in self.shafts:
            weights_of_all = (1,) * len(shaft) + weights
            yield Sum.of(shaft + pill, weights_of_all, 0, digits, distinct=differ(shaft, geometry))

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        number = 0
        for place, cell in enumerate(sorted(self.circle)):
            if place > 0 and grid[cell] > 9:
                return False
            number = 10 * number + grid[cell]
        for shaft in self.shafts:
            digits = [grid[cell] for cell in shaft]
            if sum(digits) != number:
                return False
        return True

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Shape(self.circle, "circle" if len(self.circle) == 1 else "pill")
        for shaft in self.shafts:
            yield Line(self.circle[-1:] + shaft, "grey", "thin", arrow=True)
