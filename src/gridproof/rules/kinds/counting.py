"""Cells that hold some digits so many times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from gridproof.errors import InputError
from gridproof.puzzle.digits import Digit
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Dot, Mark, Outline, Shape
from gridproof.rules.foreign import FPuzzlesItem, IssItem
from gridproof.rules.primitives import AnyOf, Cells, Count, Domain, Primitive
from gridproof.rules.rule import Rule, parameter
from gridproof.text import counted


class CountingCircles(Rule):
    """A digit in a circle is the number of circles that hold it. State all circles of a board in one rule."""

    cells: Cells = parameter("cells", "all cells with a circle", once=True)

    kind = "counting-circles"
    words = "each digit in the circles {cells} stands in as many of them as its value"
    example = "counting-circles r1c1 r2c2"
    formats = (IssItem(type="CountingCircles", cells="cells"),)

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        digits = geometry.digits
        for digit in digits:
            none = Count.of(self.cells, digit, 0, 0, digits)
            yield AnyOf(((none,), (Count.of(self.cells, digit, digit, digit, digits),)))

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        digits = [grid[cell] for cell in self.cells]
        return all(digits.count(digit) == digit for digit in digits)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        return [Shape((cell,), "circle") for cell in self.cells]


class LookAndSay(Rule):
    """Of each digit that the clue names, the cage holds exactly as many as the clue gives.

    ``1 2 3 4`` is one 2 and three 4s. Digits that the clue does not name are free, unless ``only`` is stated.
    """

    values: tuple[int, ...] = parameter("numbers", "how many, then which digit, and so on")
    cells: Cells = parameter("cells", "the cells of the cage", once=True)
    only: bool = parameter("flag", "the cage holds no other digits", False)

    kind = "look-and-say"
    words = "the cage {cells} holds exactly {values} (how many, then which digit)"
    example = "look-and-say 1 2 r1c1 r1c2"

    def __post_init__(self) -> None:
        if len(self.values) % 2:
            raise InputError(f"{counted(len(self.values), 'number')}; expected pairs: how many, then which digit")

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        digits = self.values[1::2]
        for number, digit in zip(self.values[::2], digits, strict=True):
            yield Count.of(self.cells, digit, number, number, geometry.digits)
        if self.only:
            for cell in self.cells:
                yield Domain.of(cell, sorted(set(digits)), geometry.digits)

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        digits = [grid[cell] for cell in self.cells]
        counts = list(zip(self.values[::2], self.values[1::2], strict=True))
        if self.only and not set(digits) <= {digit for _, digit in counts}:
            return False
        return all(digits.count(Digit(digit)) == number for number, digit in counts)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        text = "".join(str(value) for value in self.values)
        yield Outline(self.cells, text, "teal")


class Quadruple(Rule):
    """The digits in the circle all stand in the cells around it.

    A digit that is given twice stands there at least twice.
    """

    values: tuple[int, ...] = parameter("numbers", "the digits in the circle")
    cells: Cells = parameter("cells", "the cells around the circle", once=True)

    kind = "quadruple"
    words = "{cells} hold {values:and} among them"
    example = "quadruple 1 2 r1c1 r1c2 r2c1 r2c2"
    formats = (
        FPuzzlesItem(key="quadruple", fields={"cells": "cells", "values": "values"}),
        IssItem(type="ContainAtLeast", arguments=("values",), cells="cells"),
    )

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        for value, times in Counter(self.values).items():
            yield Count.of(self.cells, value, times, len(self.cells), geometry.digits)

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        return not Counter(self.values) - Counter(grid[cell] for cell in self.cells)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        digits = geometry.digits
        texts = [geometry.symbol_text(digits.symbol(value)) for value in self.values if value in digits]
        yield Dot(self.cells, "white", " ".join(texts))
