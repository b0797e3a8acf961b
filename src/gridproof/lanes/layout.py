"""A geometry as index tables for the lane kernels.

Terms: the *state* of a puzzle is one bit per candidate, candidate ``cell * order + symbol - 1``. A *pair* is two
houses that share at least two cells, but not all; its *segment* is the shared cells. A *family* of a house is a set of
its pairs with disjoint segments, with the *rest* of its cells: for each symbol exactly one part of a family holds it.
A row's three boxes are a family, a box's three rows another, and its three columns a third. A *group* is the candidates
of a cell, or of a symbol in a house: one of them is true.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gridproof.errors import GeometryError

if TYPE_CHECKING:
    from gridproof.puzzle.geometry import Geometry

LARGEST_ORDER = 32
"""Candidate masks of a cell are 32 bits wide."""

BUSY_PERCENT = 40
"""Rounds go on while more than this share of the lanes still change; the others wait. Measured, flat from 30 to 60."""

WORTH_SHARING = 8
"""A search of fewer branches is left to its own lane: it is soon over."""

NEVER_SHARED = 1 << 62
"""The same where puzzles follow others, as when puzzles are made. Most of these have several solutions, and a shared
search that finds two is made again by one lane: with sharing that took a ninth longer."""

PATIENCE = 8
"""After so many branches without a solution, and again after as many, a search takes up its oldest branch. Measured."""

DIVING_ROOM = 24
"""A search with more stored branches goes on with the newest. So many rows of the stack more than its depth are enough:
a stored branch lies at most so many rows above its own depth."""

SHARED, WITHDRAWN, ALONE = 1, 2, 3
"""The states of a puzzle: searched by several lanes; waiting to be searched once more; searched by one lane alone. At
first, 0, one lane searches it."""


@dataclass(frozen=True)
class Family:
    """Disjoint segments of one house. ``sides`` names each as ``2 * pair + side``: side 0 is the pair's first house."""

    house: int
    sides: tuple[int, ...]
    rest: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Layout:
    """Index tables of one geometry.

    order: number of symbols. houses: (houses, order) cells. house_classes: houses that share no cell, as indices into
    ``houses``, so that a class can be updated at once. segments: cells of each pair. families: of every house that has
    pairs. bare: houses that have a cell in none of their segments. views_of: for each cell its segments, and
    ``len(segments) + n`` if it is such a cell of house ``bare[n]``. groups: (groups, order) candidates of the groups
    that are looked at for a branch: for each symbol the houses with one family at most, in the end the cells. A house
    with two, such as a box, would bring more branches, measured.
    """

    order: int
    houses: NDArray[np.int64]
    house_classes: tuple[NDArray[np.int64], ...]
    segments: tuple[tuple[int, ...], ...]
    families: tuple[Family, ...]
    bare: tuple[int, ...]
    views_of: tuple[tuple[int, ...], ...]
    groups: NDArray[np.int64]

    @property
    def cell_count(self) -> int:
        """The number of cells."""
        return self.order * self.order

    @property
    def candidate_count(self) -> int:
        """The number of candidates."""
        return self.order**3


@lru_cache(maxsize=64)
def layout_of(geometry: Geometry) -> Layout:
    """Return the tables of a geometry, which are kept.

    Raises ``GeometryError`` above order 32.
    """
    if geometry.order > LARGEST_ORDER:
        raise GeometryError(f"order {geometry.order}; the lane engine takes orders up to {LARGEST_ORDER}")
    order = geometry.order
    houses = [house.cells for house in geometry.houses]
    segments, sides_of = find_segments(houses, order)
    families = find_families(houses, segments, sides_of)
    bare = []
    views: list[Collection[int]] = list(segments)
    for house, cells in enumerate(houses):
        covered = {cell for side in sides_of[house] for cell in segments[side // 2]}
        if len(covered) < order:
            bare.append(house)
            views.append(set(cells) - covered)
    views_of: list[list[int]] = [[] for _ in range(order * order)]
    for number, view in enumerate(views):
        for cell in view:
            views_of[cell].append(number)
    return Layout(
        order=order,
        houses=np.array(houses, np.int64).reshape(len(houses), order),
        house_classes=find_classes(houses),
        segments=tuple(segments),
        families=tuple(families),
        bare=tuple(bare),
        views_of=tuple([tuple(numbers) for numbers in views_of]),
        groups=find_groups(houses, families, order),
    )


def find_classes(houses: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], ...]:
    """Return the houses, as numbers, in classes that share no cell."""
    sets = [frozenset(house) for house in houses]
    classes: list[list[int]] = []
    for number in range(len(houses)):
        _first_fit(classes, number, lambda a, b: sets[a].isdisjoint(sets[b]))
    return tuple([np.array(members, np.int64) for members in classes])


def find_segments(houses: Sequence[Sequence[int]], order: int) -> tuple[list[tuple[int, ...]], list[list[int]]]:
    """Return the cells that the houses of each pair share, and for each house its sides of pairs."""
    segments: list[tuple[int, ...]] = []
    sides_of: list[list[int]] = [[] for _ in houses]
    for second, second_cells in enumerate(houses):
        for first in range(second):
            shared = set(houses[first]) & set(second_cells)
            if 2 <= len(shared) < order:
                sides_of[first].append(2 * len(segments))
                sides_of[second].append(2 * len(segments) + 1)
                segments.append(tuple(sorted(shared)))
    return segments, sides_of


def find_families(
    houses: Sequence[Sequence[int]], segments: Sequence[Sequence[int]], sides_of: Sequence[Sequence[int]]
) -> list[Family]:
    """Return the families of all houses: each side of a pair is in the first family that it fits into."""
    sets = [frozenset(segment) for segment in segments]
    families: list[Family] = []
    for house, sides in enumerate(sides_of):
        groups: list[list[int]] = []
        for side in sides:
            _first_fit(groups, side, lambda a, b: sets[a // 2].isdisjoint(sets[b // 2]))
        for group in groups:
            rest = set(houses[house])
            for side in group:
                rest -= sets[side // 2]
            families.append(Family(house, tuple(group), tuple(sorted(rest))))
    return families


def find_groups(houses: Sequence[Sequence[int]], families: Sequence[Family], order: int) -> NDArray[np.int64]:
    """Return the candidates of the groups that are looked at for a branch; see ``Layout.groups``."""
    families_of = Counter([family.house for family in families])
    by_cell = np.arange(order**3).reshape(-1, order)
    lines = [by_cell[list(cells)] for house, cells in enumerate(houses) if families_of[house] < 2]
    groups = []
    for symbol in range(order):
        for line in lines:
            groups.append(line[:, symbol])
    groups.extend(by_cell)
    return np.array(groups, np.int64)


def _first_fit(groups: list[list[int]], item: int, compatible: Callable[[int, int], bool]) -> None:
    """Put ``item`` into the first group that it is compatible with throughout, else into a new one."""
    for group in groups:
        if all(compatible(item, member) for member in group):
            group.append(item)
            return
    groups.append([item])


def flatten(lists: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where each list begins among all values, and where the last one ends; and all values."""
    lengths = [len(values) for values in lists]
    starts = np.zeros(len(lists) + 1, np.int64)
    starts[1:] = np.cumsum(lengths, dtype=np.int64)
    return starts, np.array(list(chain.from_iterable(lists)), np.int64)
