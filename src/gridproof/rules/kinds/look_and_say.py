"""Look-and-say cages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.errors import InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Mark, Outline
from gridproof.rules.primitives import Cells, Count, Domain, Primitive
from gridproof.rules.rule import Rule, parameter


class LookAndSay(Rule):
    """Of each digit that the clue names, the cage holds exactly as many as the clue says.

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
            raise InputError(f"{len(self.values)} numbers; expected pairs: how many, then which digit")

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        times, digits = self.values[::2], self.values[1::2]
        for number, digit in zip(times, digits, strict=True):
            yield Count(self.cells, (digit,), number, number)
        if self.only:
            for cell in self.cells:
                yield Domain(cell, tuple(sorted(set(digits))))

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        digits = [grid[cell] for cell in self.cells]
        counts = list(zip(self.values[::2], self.values[1::2], strict=True))
        if self.only and not set(digits) <= {digit for _, digit in counts}:
            return False
        return all(digits.count(digit) == number for number, digit in counts)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Outline(self.cells, "".join(map(str, self.values)), "teal")
