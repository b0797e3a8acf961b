"""Cells a chess piece's move apart differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import ClassVar

from gridproof.errors import InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.foreign import FPuzzlesItem, IssItem
from gridproof.rules.pairs import Pair, PairsOnBoard, apart
from gridproof.rules.primitives import Cells
from gridproof.rules.rule import parameter


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


def half_of_the_leaps(offsets: Sequence[int]) -> list[Pair]:
    """Return the steps, down and right, of all leaps, one for each two opposite ones."""
    steps = set()
    for rows, columns in zip(offsets[::2], offsets[1::2], strict=True):
        for down, right in ((rows, columns), (columns, rows)):
            for vertical, horizontal in product((1, -1), repeat=2):
                steps.add((down * vertical, right * horizontal))
    return sorted(step for step in steps if step > (0, 0))
