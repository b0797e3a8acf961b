"""Puzzles for the tests of the lane engine: of many geometries, most with one solution, others with several or none."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gridproof.lanes import LaneResult
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.trust import reference

HAS_NUMBA = importlib.util.find_spec("numba") is not None
KERNELS: list[Any] = ["numpy", pytest.param("numba", marks=pytest.mark.skipif(not HAS_NUMBA, reason="no numba"))]
"""Both kernels: what is tested for one is tested for the other."""

JIGSAW = "AAAABB AABBBB CCCDDD CCDDDC EEEEFF EEFFFF"

GEOMETRIES: dict[str, Callable[[], Geometry]] = {
    "latin 1": lambda: Geometry.latin(1),
    "latin 2": lambda: Geometry.latin(2),
    "latin 5 diagonals": lambda: Geometry.latin(5).with_diagonals(),
    "latin 7": lambda: Geometry.latin(7),
    "2x2": lambda: Geometry.classic(2),  # 64 candidates: just one word
    "2x2 diagonals": lambda: Geometry.classic(2).with_diagonals(),
    "2x3": lambda: Geometry.classic(2, 3),
    "2x3 disjoint groups": lambda: Geometry.classic(2, 3).with_disjoint_groups(),
    "jigsaw 6": lambda: Geometry.jigsaw(JIGSAW),
    "2x4": lambda: Geometry.classic(2, 4),  # 512 candidates: a whole number of words
    "3x3": lambda: Geometry.classic(3),
    "3x3 diagonals": lambda: Geometry.classic(3).with_diagonals(),
    "windoku": lambda: Geometry.classic(3).with_windoku(),
}


def grids(geometry: Geometry, count: int, seed: int) -> list[tuple[int, ...]]:
    """Different-looking grids: one that the reference finds, its symbols relabelled at random."""
    chance = random.Random(seed)
    found: list[tuple[int, ...]] = []
    order = geometry.order
    while len(found) < count:
        base = list(islice(_solutions(geometry, chance), 3))
        for grid in base:
            names = chance.sample(range(1, order + 1), order)
            found.append(tuple(names[symbol - 1] for symbol in grid))
    return found[:count]


def _solutions(geometry: Geometry, chance: random.Random) -> Iterator[tuple[int, ...]]:
    while True:
        clues = [0] * geometry.cell_count
        for symbol in range(1, geometry.order // 2):
            clues[chance.randrange(geometry.cell_count)] = symbol
        found = list(islice(reference.solutions(Board(geometry, tuple(clues))), 3))
        if found:
            yield from found
            return


def puzzles(geometry: Geometry, count: int, seed: int) -> NDArray[np.uint8]:
    """Puzzles (count, cells) of all densities; every fifth has a wrong clue, so that few of these have a solution."""
    chance = random.Random(seed)
    sources = grids(geometry, 12, seed)
    table = np.zeros((count, geometry.cell_count), np.uint8)
    for row in range(count):
        grid = chance.choice(sources)
        share = chance.choice((0.3, 0.4, 0.5, 0.7))
        kept = [cell for cell in range(geometry.cell_count) if chance.random() < share]
        table[row, kept] = [grid[cell] for cell in kept]
        if row % 5 == 0:
            table[row, chance.randrange(geometry.cell_count)] = chance.randint(1, geometry.order)
    return table


def is_solution(geometry: Geometry, clues: NDArray[np.uint8], grid: NDArray[np.uint8]) -> bool:
    """The check of one grid, cell by cell, for want of trust in the bulk check."""
    symbols = set(range(1, geometry.order + 1))
    values = grid.tolist()
    if any({values[cell] for cell in house.cells} != symbols for house in geometry.houses):
        return False
    return all(clue in (0, value) for clue, value in zip(clues.tolist(), values, strict=True))


def same(left: LaneResult, right: LaneResult) -> bool:
    """Return whether two results are equal in every respect."""
    names = ("codes", "first", "second", "branches")
    return all(np.array_equal(getattr(left, name), getattr(right, name)) for name in names)
