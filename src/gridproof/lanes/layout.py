"""A geometry as index tables for the lane kernels.

Terms: the *state* of a puzzle is one bit per candidate, candidate ``cell * order + symbol - 1``. A *pair* is two
houses that share at least two cells, but not all; its *segment* is the shared cells. A *family* of a house is a set of
its pairs with disjoint segments, with the *rest* of its cells: for each symbol exactly one part of a family holds it.
A row's three boxes are a family, a box's three rows another, and its three columns a third. A *group* is the candidates
of a cell, or of a symbol in a house: one of them is true.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
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
        return self.order * self.order

    @property
    def candidate_count(self) -> int:
        return self.order**3


@lru_cache(maxsize=64)
def layout_of(geometry: Geometry) -> Layout:
    """The tables of ``geometry``, cached.

    Raises ``GeometryError`` above order 32.
    """
    if geometry.order > LARGEST_ORDER:
        raise GeometryError(f"order {geometry.order}; the lane engine takes orders up to {LARGEST_ORDER}")
    order, houses = geometry.order, [house.cells for house in geometry.houses]
    sets = [frozenset(house) for house in houses]
    classes: list[list[int]] = []
    for index in range(len(sets)):
        _first_fit(classes, index, lambda one, other: sets[one].isdisjoint(sets[other]))
    segments: list[tuple[int, ...]] = []
    sides_of: list[list[int]] = [[] for _ in sets]
    for second, second_cells in enumerate(sets):
        for first in range(second):
            shared = sets[first] & second_cells
            if 2 <= len(shared) < order:
                sides_of[first].append(2 * len(segments))
                sides_of[second].append(2 * len(segments) + 1)
                segments.append(tuple(sorted(shared)))
    families: list[Family] = []
    for house, sides in enumerate(sides_of):
        groups: list[list[int]] = []
        for side in sides:
            _first_fit(groups, side, lambda a, b: set(segments[a // 2]).isdisjoint(segments[b // 2]))
        for group in groups:
            rest = sets[house].difference(*(segments[side // 2] for side in group))
            families.append(Family(house, tuple(group), tuple(sorted(rest))))
    covered = [{cell for side in sides for cell in segments[side // 2]} for sides in sides_of]
    bare = [house for house, cells in enumerate(covered) if len(cells) < order]
    views_of: list[list[int]] = [[] for _ in range(order * order)]
    for number, cells in enumerate([*segments, *(sets[house] - covered[house] for house in bare)]):
        for cell in cells:
            views_of[cell].append(number)
    families_of = Counter(family.house for family in families)
    by_cell = np.arange(order**3).reshape(-1, order)
    lines = [by_cell[list(cells)] for house, cells in enumerate(houses) if families_of[house] < 2]
    by_house = [line[:, symbol] for symbol in range(order) for line in lines]
    return Layout(
        order,
        np.array(houses, np.int64).reshape(len(houses), order),
        tuple(np.array(members, np.int64) for members in classes),
        tuple(segments),
        tuple(families),
        tuple(bare),
        tuple(map(tuple, views_of)),
        np.array([*by_house, *by_cell], np.int64),
    )


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
