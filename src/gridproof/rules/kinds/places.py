"""Places in boxes and lines: indexing cells, which name the place of a digit there, and disjoint groups."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import partial
from typing import ClassVar

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Mark, Note, Shape
from gridproof.rules.foreign import FPuzzlesItem, IssItem
from gridproof.rules.primitives import NEVER, Cells, Different, Primitive, Relation
from gridproof.rules.rule import Rule, differ, parameter


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
        for cell in self.cells:
            line = self.line(cell, geometry)
            own_place = line.index(cell) + 1
            # in a house the own place stands nowhere else, so the cell names each cell that names it
            fits = names_each_other if differ(line, geometry) else names
            for place, other in enumerate(line, 1):
                yield Relation.of([(cell, other)], geometry.order, partial(fits, place, own_place))

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
        return range(cell % geometry.order, geometry.cell_count, geometry.order)

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        n = geometry.order
        return all(grid[(grid[cell] - 1) * n + cell % n] == cell // n + 1 for cell in self.cells)


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
        start = cell - cell % geometry.order
        return range(start, start + geometry.order)

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        n = geometry.order
        return all(grid[cell // n * n + grid[cell] - 1] == cell % n + 1 for cell in self.cells)


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

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        if geometry.region_of is None:
            return False
        for cell in self.cells:
            box = [other for other in range(len(grid)) if geometry.region_of[other] == geometry.region_of[cell]]
            if grid[box[grid[cell] - 1]] != box.index(cell) + 1:
                return False
        return True


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

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        regions: dict[int, list[int]] = {}
        for symbol, region in zip(grid, geometry.region_of or (), strict=False):
            regions.setdefault(region, []).append(symbol)
        places = zip(*regions.values(), strict=True)
        return bool(regions) and all(len(set(symbols)) == len(symbols) for symbols in places)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Note("disjoint groups")


def group_by_place(region_of: Sequence[int]) -> list[Cells]:
    """Return the cells at each place of the regions."""
    cells_of: dict[int, list[int]] = {}
    for cell, region in enumerate(region_of):
        cells_of.setdefault(region, []).append(cell)
    regions = [cells_of[region] for region in sorted(cells_of)]
    return list(zip(*regions, strict=True))
