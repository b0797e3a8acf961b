"""Cells a chess piece's move apart differ, or cells that are as far apart as their digit states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import combinations, product
from typing import ClassVar

from gridproof.errors import InputError
from gridproof.puzzle.digits import Digit
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Mark, Note
from gridproof.rules.foreign import FPuzzlesItem, IssItem
from gridproof.rules.pairs import Pair, PairsOnBoard, apart
from gridproof.rules.primitives import Cells, Primitive, Relation
from gridproof.rules.rule import Rule, parameter


class Leaper(PairsOnBoard):
    """Cells that are a leap apart hold different digits.

    A leap is so many rows and so many columns, or the other way round, in any direction.
    """

    offsets: tuple[int, ...] = parameter("numbers", "rows and columns of the leap; several leaps one after the other")

    kind = "leaper"
    words = "cells that are a leap of {offsets} apart differ"
    note = "leaper {offsets}"
    example = "leaper 1 3"
    aliases: ClassVar[tuple[str, ...]] = ("anti-leaper",)

    def __post_init__(self) -> None:
        if not self.offsets or len(self.offsets) % 2:
            given = " ".join(str(number) for number in self.offsets)
            raise InputError(f"offsets = {given!r}; expected pairs: how many rows, then how many columns")

    def pairs_in(self, cells: Cells, geometry: Geometry) -> Iterable[Pair]:
        return apart(cells, half_of_the_leaps(self.offsets), geometry)

    def allows(self, a: int, b: int, n: int) -> bool:
        return a != b


class AntiKnight(Leaper):
    """Cells that are a knight's move apart hold different digits."""

    offsets: tuple[int, ...] = parameter("numbers", "rows and columns of the move", (1, 2))

    kind = "anti-knight"
    words = "cells a knight's move apart differ"
    note = "anti-knight"
    example = "anti-knight"
    aliases: ClassVar[tuple[str, ...]] = ()
    formats = (FPuzzlesItem(flag="antiknight"), IssItem(type="AntiKnight"))


class AntiKing(Leaper):
    """Cells that are a king's move apart hold different digits, also those that touch only at a corner."""

    offsets: tuple[int, ...] = parameter("numbers", "rows and columns of the move", (1, 1))

    kind = "anti-king"
    words = "cells that touch at a corner differ"
    note = "anti-king"
    example = "anti-king"
    aliases: ClassVar[tuple[str, ...]] = ()
    formats = (FPuzzlesItem(flag="antiking"), IssItem(type="AntiKing"))


class AntiQueen(PairsOnBoard):
    """No two cells on a diagonal, however far apart, both hold one of the digits: a queen's move apart they differ.

    Without digits it is all of them. Rows and columns are houses in any case.
    """

    digits: tuple[int, ...] = parameter("numbers", "the digits; all if none is stated", ())

    kind = "anti-queen"
    words = "cells a queen's move apart do not both hold {digits}"
    note = "anti-queen {digits}"
    example = "anti-queen 9"
    aliases = ("queen",)

    def texts(self, geometry: Geometry) -> dict[str, str]:
        texts = super().texts(geometry)
        return texts if self.digits else texts | {"digits": "the same digit"}

    def pairs_in(self, cells: Cells, geometry: Geometry) -> Iterable[Pair]:
        steps = []
        for distance in range(1, min(geometry.shape)):
            steps += [(distance, distance), (distance, -distance)]
        return apart(cells, steps, geometry)

    def allows(self, a: int, b: int, n: int) -> bool:
        return a != b or (self.digits != () and a not in self.digits)


class AntiTaxicab(Rule):
    """Two cells that hold the same digit are not that many steps apart.

    Steps go to neighbours in rows and columns: r1c1 and r2c3 are three steps apart, so that they do not both hold 3.
    """

    kind = "anti-taxicab"
    words = "no two cells that hold the same digit are that many steps apart"
    example = "anti-taxicab"
    formats = (IssItem(type="AntiTaxicab"),)

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        for digit in geometry.digits:
            if digit > 0:
                pairs = tuple(apart(range(geometry.cell_count), steps_of_length(digit), geometry))
                yield Relation.of(pairs, geometry.digits, partial(self._differ, digit))

    @staticmethod
    def _differ(digit: int, a: int, b: int) -> bool:
        return a != b or a != digit

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        columns = geometry.columns
        for first, second in combinations(range(geometry.cell_count), 2):
            steps = abs(first // columns - second // columns) + abs(first % columns - second % columns)
            if grid[first] == grid[second] == steps:
                return False
        return True

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Note("anti-taxicab")


def steps_of_length(length: int) -> list[Pair]:
    """Return the ways, down and right, of so many steps in rows and columns, one for each two opposite ones."""
    ways = []
    for down in range(length + 1):
        ways.append((down, length - down))
        if 0 < down < length:
            ways.append((down, down - length))
    return ways


def half_of_the_leaps(offsets: Sequence[int]) -> list[Pair]:
    """Return the steps, down and right, of all leaps, one for each two opposite ones."""
    steps = set()
    for rows, columns in zip(offsets[::2], offsets[1::2], strict=True):
        for down, right in ((rows, columns), (columns, rows)):
            for vertical, horizontal in product((1, -1), repeat=2):
                steps.add((down * vertical, right * horizontal))
    return sorted(step for step in steps if step > (0, 0))
