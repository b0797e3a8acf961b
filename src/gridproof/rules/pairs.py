"""Rules that compare pairs of cells: which pairs, and what their two digits have to be.

A kind states ``allows(a, b, n)``, from which both the model and the truth on a grid follow: there is nothing to state
twice about a comparison. ``tests/contract/test_rule_words.py`` has each kind's meaning once more, written apart.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import ClassVar, TypeAlias

from gridproof.puzzle.digits import Digit, Digits
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line, Mark, Note
from gridproof.rules.primitives import Cells, Domain, Primitive, Relation
from gridproof.rules.rule import Rule, parameter

Pair: TypeAlias = tuple[int, int]

HALF_OF_THE_NEIGHBOURS = ((0, 1), (1, 0))
"""The steps, down and right, to orthogonal neighbours, so that each pair of neighbours is met once."""

ALL_NEIGHBOURS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""The steps, down and right, to all orthogonal neighbours."""


# ---- which pairs -----------------------------------------------------------------------------------------------------


def each_cell(cells: Cells, geometry: Geometry) -> Iterator[Pair]:
    """Yield each cell with itself."""
    return zip(cells, cells, strict=True)


def consecutive(cells: Cells, geometry: Geometry) -> Iterator[Pair]:
    """Yield each cell of a line with the next one."""
    return pairwise(cells)


def near(cells: Cells, geometry: Geometry) -> Iterator[Pair]:
    """Yield the cells of a line that are one place apart, then those that are two places apart."""
    yield from pairwise(cells)
    yield from zip(cells, cells[2:], strict=False)


def all_pairs(cells: Cells, geometry: Geometry) -> Iterator[Pair]:
    """Yield all pairs of cells."""
    return combinations(cells, 2)


def mirrored(cells: Cells, geometry: Geometry) -> Iterator[Pair]:
    """Yield the first cell with the last, and so on inwards."""
    half = len(cells) // 2
    return zip(cells[:half], reversed(cells), strict=False)


def orthogonal(cells: Cells, geometry: Geometry) -> Iterator[Pair]:
    """Yield the cells that have a side in common."""
    inside = set(cells)
    for cell, other in apart(cells, HALF_OF_THE_NEIGHBOURS, geometry):
        if other in inside:
            yield cell, other


def outwards(cells: Cells, geometry: Geometry) -> Iterator[Pair]:
    """Yield each cell with those of its orthogonal neighbours that are not among the cells."""
    inside = set(cells)
    for cell, other in apart(cells, ALL_NEIGHBOURS, geometry):
        if other not in inside:
            yield cell, other


def apart(cells: Iterable[int], steps: Iterable[Pair], geometry: Geometry) -> Iterator[Pair]:
    """Yield each of some cells, in reading order, with the cells that are a step away, down and right."""
    steps = tuple(steps)
    rows, columns = geometry.shape
    for cell in sorted(set(cells)):
        row, column = divmod(cell, columns)
        for down, right in steps:
            if 0 <= row + down < rows and 0 <= column + right < columns:
                yield cell, (row + down) * columns + column + right


PAIRS: Mapping[str, Callable[[Cells, Geometry], Iterator[Pair]]] = {
    "each": each_cell,
    "consecutive": consecutive,
    "near": near,
    "all": all_pairs,
    "mirrored": mirrored,
    "orthogonal": orthogonal,
    "outwards": outwards,
}
"""The ways to take pairs of cells, by the names that kinds of the user's own use."""


# ---- rules -----------------------------------------------------------------------------------------------------------


class PairRule(Rule):
    """A rule that compares pairs of cells.

    A subclass states in ``groups`` the lists of cells in which there are pairs, in ``pairs_in`` which cells of a list
    are compared, and in ``allows`` what their digits have to be.
    """

    @abstractmethod
    def groups(self, geometry: Geometry) -> Sequence[Cells]:
        """Return the lists of cells in which pairs are compared."""

    @abstractmethod
    def allows(self, a: int, b: int, n: int) -> bool:
        """Return whether digits a and b may stand in a pair of cells on a board of n digits."""

    def pair_fits(self, a: Digit, b: Digit, digits: Digits) -> bool:
        """Return whether digits a and b, of those of a board, may stand in a pair of cells."""
        return self.allows(a, b, len(digits))

    def pairs_in(self, cells: Cells, geometry: Geometry) -> Iterable[Pair]:
        """Return the pairs that are compared in a list of cells: each cell and the next one."""
        return pairwise(cells)

    def find_pairs(self, geometry: Geometry) -> Iterator[Pair]:
        """Yield the pairs that the rule compares; a cell that is paired with itself has no effect."""
        for cells in self.groups(geometry):
            for first, second in self.pairs_in(cells, geometry):
                if first != second:
                    yield first, second

    def scope(self, geometry: Geometry) -> frozenset[int]:
        """Return the cells of all pairs."""
        return frozenset(cell for pair in self.find_pairs(geometry) for cell in pair)

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        """Return one relation over all pairs."""
        digits = geometry.digits
        pairs = tuple(dict.fromkeys(self.find_pairs(geometry)))
        return [Relation.of(pairs, digits, lambda a, b: self.pair_fits(a, b, digits))]

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        """Return whether the comparison is true of each pair."""
        digits = geometry.digits
        return all(self.pair_fits(grid[first], grid[second], digits) for first, second in self.find_pairs(geometry))


class CellRule(Rule):
    """A rule about each of some cells alone: a subclass states in ``allows`` which digits they may hold."""

    cells: Cells = parameter("cells", "the cells")

    @abstractmethod
    def allows(self, a: int) -> bool:
        """Return whether a cell may hold a digit."""

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        """Return a domain for each cell."""
        allowed = [digit for digit in geometry.digits if self.allows(digit)]
        return [Domain.of(cell, allowed, geometry.digits) for cell in self.cells]

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        """Return whether each cell holds such a digit."""
        return all(self.allows(grid[cell]) for cell in self.cells)


class PairsOnLines(PairRule):
    """A rule that compares cells of lines: each with the next one unless ``pairs_in`` states others."""

    lines: tuple[Cells, ...] = parameter("lines", "each line of cells")

    mark: ClassVar[Line]
    """The mark of a line."""

    def groups(self, geometry: Geometry) -> Sequence[Cells]:
        """Return the lines."""
        return self.lines

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        """Return the mark of each line."""
        return [replace(self.mark, cells=line) for line in self.lines]


class PairsOnBoard(PairRule):
    """A rule that compares cells of the whole board."""

    note: ClassVar[str]
    """The text beside the board that stands for the rule, with names of parameters in braces."""

    def groups(self, geometry: Geometry) -> Sequence[Cells]:
        """Return the whole board, as one list."""
        return [tuple(range(geometry.cell_count))]

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        """Return the text beside the board."""
        return [Note(self.note.format(**self.texts(geometry)))]
