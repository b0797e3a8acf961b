"""Cells with a mark: even and odd ones, those above or below their neighbours, and extra regions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Literal

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Mark, Outline, Shape
from gridproof.rules.foreign import FPuzzlesItem, IssItem
from gridproof.rules.pairs import CellRule, Pair, PairRule, all_pairs, outwards
from gridproof.rules.primitives import Cells, Different, Primitive
from gridproof.rules.rule import parameter


class Even(CellRule):
    """Each of the cells holds an even digit."""

    kind = "even"
    words = "{cells:holds an even digit|hold even digits}"
    example = "even r1c1 r2c2"
    formats = (FPuzzlesItem(key="even", fields={"cells": "cell"}),)

    def allows(self, a: int) -> bool:
        return a % 2 == 0

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        return [Shape((cell,), "square", filled=True, colour="grey") for cell in self.cells]


class Odd(CellRule):
    """Each of the cells holds an odd digit."""

    kind = "odd"
    words = "{cells:holds an odd digit|hold odd digits}"
    example = "odd r1c1 r2c2"
    formats = (FPuzzlesItem(key="odd", fields={"cells": "cell"}),)

    def allows(self, a: int) -> bool:
        return a % 2 == 1

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        return [Shape((cell,), "circle", filled=True, colour="grey") for cell in self.cells]


class Given(CellRule):
    """Each of the cells holds one of the digits. A clue is a given of one digit; in a choice it may be one option."""

    values: tuple[int, ...] = parameter("numbers", "the digits")

    kind = "given"
    words = "{cells:holds|each hold} one of {values:or}"
    example = "given 2 4 r1c1 r1c2"

    def allows(self, a: int) -> bool:
        return a in self.values

    def sentence(self, geometry: Geometry) -> str:
        sentence = super().sentence(geometry)
        return sentence.replace("one of ", "") if len(self.values) == 1 else sentence

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        text = "".join(str(value) for value in self.values)
        return [Outline((cell,), text, "grey") for cell in self.cells]


class Extremes(PairRule):
    """A rule that compares each of some cells with its orthogonal neighbours that are not among them."""

    cells: Cells = parameter("cells", "all cells with this mark")

    sign: ClassVar[Literal["inwards", "outwards"]]
    """The signs at the sides of a cell."""

    def groups(self, geometry: Geometry) -> Sequence[Cells]:
        return [self.cells]

    def pairs_in(self, cells: Cells, geometry: Geometry) -> Iterable[Pair]:
        return outwards(cells, geometry)

    def draw(self, geometry: Geometry) -> Iterator[Mark]:
        for cell in self.cells:
            yield Shape((cell,), "shade", filled=True, colour="grey")
        for cell in self.cells:
            yield Shape((cell,), self.sign)


class Maximum(Extremes):
    """Each of the cells holds more than each orthogonal neighbour that is not among them.

    State all such cells of a board in one rule: neighbours that are both marked are not compared.
    """

    kind = "maximum"
    words = "{cells:is greater than its neighbours|are greater than their neighbours}"
    sign = "outwards"
    example = "maximum r2c2"
    formats = (
        FPuzzlesItem(key="maximum", fields={"cells": "cell"}, gather=True),
        IssItem(type="GreaterThan", is_read=False, pairs=True),
    )

    def allows(self, a: int, b: int, n: int) -> bool:
        return a > b


class Minimum(Extremes):
    """Each of the cells holds less than each orthogonal neighbour that is not among them.

    State all such cells of a board in one rule: neighbours that are both marked are not compared.
    """

    kind = "minimum"
    words = "{cells:is less than its neighbours|are less than their neighbours}"
    sign = "inwards"
    example = "minimum r2c2"
    formats = (
        FPuzzlesItem(key="minimum", fields={"cells": "cell"}, gather=True),
        IssItem(type="GreaterThan", is_read=False, pairs=True, turned=True),
    )

    def allows(self, a: int, b: int, n: int) -> bool:
        return a < b


class ExtraRegion(PairRule):
    """The digits of an extra region differ.

    With as many cells as there are digits it is a house: every digit stands in it once.
    """

    cells: Cells = parameter("cells", "the cells of the region", once=True)

    kind = "extra-region"
    words = "the digits of the extra region {cells} differ"
    example = "extra-region r1c1 r2c2 r3c3"
    aliases = ("different",)
    formats = (
        FPuzzlesItem(key="extraregion", fields={"cells": "cells"}),
        IssItem(type="AllDifferent", once=True, cells="cells"),
    )

    def groups(self, geometry: Geometry) -> Sequence[Cells]:
        return [self.cells]

    def pairs_in(self, cells: Cells, geometry: Geometry) -> Iterable[Pair]:
        return all_pairs(cells, geometry)

    def allows(self, a: int, b: int, n: int) -> bool:
        return a != b

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        return [Different(self.cells)]

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        return [Shape(self.cells, "shade", filled=True, colour="grey")]
