"""One connected region of the cells that hold some digits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.puzzle.digits import Digit
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.cells import shortened_runs
from gridproof.rules.drawing import Mark, Note, Outline
from gridproof.rules.primitives import Cells, Primitive
from gridproof.rules.regions import Connected
from gridproof.rules.rule import Rule, parameter


class ConnectedDigits(Rule):
    """The cells that hold one of some digits form one orthogonally connected region.

    There is at least one such cell, and exactly as many as stated, if a size is. Without cells the rule is about the
    whole grid; with cells only these count, also as the way from one to another.
    """

    values: tuple[int, ...] = parameter("numbers", "the digits of the region")
    size: int | None = parameter("number", "the number of its cells", default=None)
    cells: Cells = parameter("cells", "the cells among which the region is", default=(), once=True)

    kind = "connected"
    words = "the cells with {values:or} form one connected region"
    example = "connected 1 2 3 4"
    can_be_negated = False

    def sentence(self, geometry: Geometry) -> str:
        sentence = super().sentence(geometry)
        if self.size is not None:
            sentence = sentence.replace("one connected region", f"one connected region of size {self.size}")
        if self.cells:
            sentence += f" among {shortened_runs(self.cells, geometry)}"
        return sentence

    def among(self, geometry: Geometry) -> Cells:
        """Return the cells among which the region is."""
        return self.cells or tuple(range(geometry.cell_count))

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        digits = geometry.digits
        cells = self.among(geometry)
        place_of = {cell: place for place, cell in enumerate(cells)}
        neighbours = []
        for cell in cells:
            neighbours.append(tuple([place_of[other] for other in geometry.neighbours(cell) if other in place_of]))
        symbols = tuple([digits.symbol(digit) for digit in digits if digit in self.values])
        most = most_of(cells, len(symbols), geometry)
        yield Connected(cells, symbols, tuple(neighbours), self.size_or_none(cells), most)

    def size_or_none(self, cells: Cells) -> int:
        """Return the size that is stated, 0 if none is; one that no region has becomes one more than all cells."""
        if self.size is None:
            return 0
        return self.size if self.size > 0 else len(cells) + 1

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        rest = {cell for cell in self.among(geometry) if grid[cell] in self.values}
        if not rest or self.size not in (None, len(rest)):
            return False
        border = {rest.pop()}
        while border:
            touched = {other for cell in border for other in geometry.neighbours(cell)}
            border = rest & touched
            rest -= border
        return not rest

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        if self.cells:
            yield Outline(self.cells, "", "teal")
        yield Note(self.sentence(geometry))


def most_of(cells: Cells, symbol_count: int, geometry: Geometry) -> int:
    """Return the largest number of the cells that can hold one of so many symbols: each house has each symbol once."""
    rest = set(cells)
    most = 0
    for house in geometry.houses:
        if house.kind == "row":
            in_row = rest.intersection(house.cells)
            most += min(len(in_row), symbol_count)
            rest -= in_row
    return most + len(rest)
