"""Places in boxes and lines: cells that name the place of a digit there, flatmates, and disjoint groups."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import zip_longest
from typing import ClassVar

from gridproof.errors import InputError
from gridproof.puzzle.digits import Digit, Digits
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line, Mark, Note, Shape
from gridproof.rules.foreign import FPuzzlesItem, IssItem
from gridproof.rules.primitives import NEVER, AnyOf, Cells, Different, Domain, Primitive, Relation
from gridproof.rules.rule import Rule, differ, parameter
from gridproof.text import counted


class Indexer(Rule):
    """A cell at place i of its line with the digit v means that i stands at place v of that line."""

    cells: Cells = parameter("cells", "the indexing cells")

    colour: ClassVar[str]

    @abstractmethod
    def line(self, cell: int, geometry: Geometry) -> Sequence[int]:
        """Return the cells that a cell is about, in the order in which they are counted; ``holds`` is without it."""

    def scope(self, geometry: Geometry) -> frozenset[int]:
        lines = [self.line(cell, geometry) for cell in self.cells]
        return frozenset().union(*lines)

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        digits = geometry.digits
        for cell in self.cells:
            line = self.line(cell, geometry)
            own_place = line.index(cell) + 1
            if digits.first < 1 or digits.last > len(line):  # some digits name no place
                yield Domain.of(cell, range(1, len(line) + 1), digits)
            # in a house the own place stands nowhere else, so the cell names each cell that names it
            fits = names_each_other if differ(line, geometry) else names
            for place, other in enumerate(line, 1):
                yield Relation.of([(cell, other)], digits, partial(fits, place, own_place))

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        return [Shape((cell,), "shade", filled=True, colour=self.colour) for cell in self.cells]


def names(place: int, own_place: int, a: int, b: int) -> bool:
    """Return whether a cell that holds a, if it names a place of its line, is named by the cell there, with b."""
    return a != place or b == own_place


def names_each_other(place: int, own_place: int, a: int, b: int) -> bool:
    """Return whether a cell that holds a names a place of its line exactly if the cell there, with b, names it."""
    return (a == place) == (b == own_place)


class RowIndexer(Indexer):
    """A cell in row r with the digit v means that r stands in row v of the same column."""

    colour = "teal"
    kind = "row-indexer"
    words = "the digit in {cells} is the row of its column in which the number of its own row stands"
    example = "row-indexer r1c1"
    formats = (
        FPuzzlesItem(key="rowindexer", is_drawn=False, fields={"cells": "cells"}),
        IssItem(type="Indexing", arguments=("R",), cells="cells"),
    )

    def line(self, cell: int, geometry: Geometry) -> Sequence[int]:
        return range(cell % geometry.columns, geometry.cell_count, geometry.columns)

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        rows, columns = geometry.shape
        for cell in self.cells:
            row, column = divmod(cell, columns)
            if not 1 <= grid[cell] <= rows or grid[(grid[cell] - 1) * columns + column] != row + 1:
                return False
        return True


class ColumnIndexer(Indexer):
    """A cell in column c with the digit v means that c stands in column v of the same row."""

    colour = "red"
    kind = "column-indexer"
    words = "the digit in {cells} is the column of its row in which the number of its own column stands"
    example = "column-indexer r1c1"
    formats = (
        FPuzzlesItem(key="columnindexer", is_drawn=False, fields={"cells": "cells"}),
        IssItem(type="Indexing", arguments=("C",), cells="cells"),
    )

    def line(self, cell: int, geometry: Geometry) -> Sequence[int]:
        start = cell - cell % geometry.columns
        return range(start, start + geometry.columns)

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        columns = geometry.columns
        for cell in self.cells:
            row, column = divmod(cell, columns)
            if not 1 <= grid[cell] <= columns or grid[row * columns + grid[cell] - 1] != column + 1:
                return False
        return True


class BoxIndexer(Indexer):
    """A cell at place i of its box with the digit v means that i stands at place v of that box.

    Places are counted in reading order.

    On a board without boxes or regions the rule has no meaning, and no grid fulfils it.
    """

    colour = "purple"
    kind = "box-indexer"
    words = "the digit in {cells} is the place in its box at which the number of its own place stands"
    example = "box-indexer r1c1"
    formats = (FPuzzlesItem(key="boxindexer", is_drawn=False, fields={"cells": "cells"}),)

    def impossible(self, geometry: Geometry, candidates: Sequence[int] = ()) -> str | None:
        return super().impossible(geometry, candidates) if geometry.region_of else "the board has no regions"

    def line(self, cell: int, geometry: Geometry) -> Sequence[int]:
        regions = geometry.region_of or range(geometry.cell_count)
        return [other for other, region in enumerate(regions) if region == regions[cell]]

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        return super().expand(geometry) if geometry.region_of else [NEVER]

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        if geometry.region_of is None:
            return False
        for cell in self.cells:
            box = [other for other in range(len(grid)) if geometry.region_of[other] == geometry.region_of[cell]]
            if not 1 <= grid[cell] <= len(box) or grid[box[grid[cell] - 1]] != box.index(cell) + 1:
                return False
        return True


class ValueIndexing(Rule):
    """The second cell of a line is the place, from the third cell on, at which the digit of the first one stands."""

    lines: tuple[Cells, ...] = parameter("lines", "each line: the digit, its place, and the cells where it stands")

    kind = "value-indexing"
    words = "on {lines} the second digit is the place behind it of the first digit"
    example = "value-indexing r1c1 r1c2 r2c3 r2c4 r3c3"
    formats = (IssItem(type="ValueIndexing", cells="lines"),)

    def __post_init__(self) -> None:
        for line in self.lines:
            if len(line) < 3:
                raise InputError(f"a line of {counted(len(line), 'cell')}; expected three or more")

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        for first, second, *others in self.lines:
            options: list[tuple[Primitive, ...]] = []
            for place, other in enumerate(others, 1):
                same = Relation.of([(first, other)], geometry.digits, int.__eq__)
                options.append((Domain.of(second, (place,), geometry.digits), same))
            yield AnyOf(tuple(options))

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        for line in self.lines:
            first, place, *others = [grid[cell] for cell in line]
            if not 1 <= place <= len(others) or others[place - 1] != first:
                return False
        return True

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        return [Line(line, "red", "thin", arrow=True) for line in self.lines]


class DutchFlatmates(Rule):
    """Each 5 on a board of order 9 has a 1 above it or a 9 below it; it may have both.

    On others it is the digit in the middle, the lower one of two, and the smallest and the largest digit.
    """

    kind = "dutch-flatmates"
    words = "each digit in the middle has the smallest one above it or the largest one below it"
    example = "dutch-flatmates"
    formats = (IssItem(type="DutchFlatmates"),)

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        digits = geometry.digits
        columns = geometry.columns
        middle = middle_of(digits)
        others = [digit for digit in digits if digit != middle]
        for cell in range(geometry.cell_count):
            options: list[tuple[Primitive, ...]] = [(Domain.of(cell, others, digits),)]
            if cell >= columns:
                options.append((Domain.of(cell - columns, (digits.first,), digits),))
            if cell + columns < geometry.cell_count:
                options.append((Domain.of(cell + columns, (digits.last,), digits),))
            yield AnyOf(tuple(options))

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        digits = geometry.digits
        columns = geometry.columns
        for cell, digit in enumerate(grid):
            above = grid[cell - columns] if cell >= columns else None
            below = grid[cell + columns] if cell + columns < len(grid) else None
            if digit == middle_of(digits) and above != digits.first and below != digits.last:
                return False
        return True

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Note("Dutch flatmates")


def middle_of(digits: Digits) -> int:
    """Return the digit in the middle, the lower one of two."""
    return digits.first + (len(digits) - 1) // 2


class DisjointGroups(Rule):
    """Cells at the same place of all boxes or regions hold different digits. Places are counted in reading order."""

    kind = "disjoint-groups"
    words = "cells at the same place of their boxes differ"
    example = "disjoint-groups"
    formats = (
        FPuzzlesItem(flag="disjointgroups"),
        IssItem(type="DisjointSets", regions="usual"),
    )

    def impossible(self, geometry: Geometry, candidates: Sequence[int] = ()) -> str | None:
        return super().impossible(geometry, candidates) if geometry.region_of else "the board has no regions"

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        if geometry.region_of is None:
            return [NEVER]
        return [Different(cells) for cells in group_by_place(geometry.region_of)]

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        regions: dict[int, list[int]] = {}
        for digit, region in zip(grid, geometry.region_of or (), strict=False):
            regions.setdefault(region, []).append(digit)
        places = zip_longest(*regions.values())
        for digits in places:
            held = [digit for digit in digits if digit is not None]
            if len(set(held)) < len(held):
                return False
        return bool(regions)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Note("disjoint groups")


def group_by_place(region_of: Sequence[int]) -> list[Cells]:
    """Return the cells at each place of the regions."""
    sizes: Counter[int] = Counter()
    groups: list[list[int]] = []
    for cell, region in enumerate(region_of):
        place = sizes[region]
        sizes[region] += 1
        if place == len(groups):
            groups.append([])
        groups[place].append(cell)
    return [tuple(group) for group in groups]
