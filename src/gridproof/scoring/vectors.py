"""Scores of many grids at once, as arrays: puzzles of one geometry of full houses, without rules.

It is the same score as ``score_grid`` gives; a property of the tests holds them together. This module exists for NumPy
and imports it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gridproof.puzzle.geometry import Geometry

Symbols: TypeAlias = NDArray[np.uint8]
Flags: TypeAlias = NDArray[np.bool_]

NO_HOUSE = -1
"""The number of the broken house where there is none."""


@dataclass(frozen=True, eq=False)
class ScoreArrays:
    """Scores by row.

    Attributes
    ----------
    solved, consistent : array of bool, (rows,)
        See ``Score``.
    right, wrong, blank : array of bool, (rows, cells)
        The cells.
    before : array of int64, (rows,)
        The right cells before the first wrong one.
    first : array of int64, (rows,)
        The first wrong cell; -1 where there is none.
    house : array of int64, (rows,)
        The first house in which the symbol of that cell is twice; ``NO_HOUSE`` where there is none.
    share : array of float64, (rows,)
        The share of the cells to fill that are right.
    """

    solved: Flags
    consistent: Flags
    right: Flags
    wrong: Flags
    blank: Flags
    before: NDArray[np.int64]
    first: NDArray[np.int64]
    house: NDArray[np.int64]
    share: NDArray[np.float64]


def score_rows(geometry: Geometry, clues: Symbols, truth: Symbols, grids: Symbols) -> ScoreArrays:
    """Return the scores of grids.

    Parameters
    ----------
    geometry
        That of every puzzle.
    clues, grids : array of uint8, (rows, cells)
        The puzzles, and the grids of the answers; 0 for a blank.
    truth : array of uint8, (rows, cells)
        The only solution of each puzzle; a row of zeros where it has none or several.
    """
    rows = np.arange(len(grids))
    given = clues != 0
    filled = grids != 0
    is_known = truth.any(axis=1)
    clashes = _find_clashes(geometry, grids)
    has_clash = clashes.any(axis=1)
    keeps_clues = (~given | ~filled | (grids == clues)).all(axis=1)
    solved = filled.all(axis=1) & keeps_clues & ~has_clash
    compared = np.where(solved[:, None], grids, truth)
    is_compared = (is_known | solved)[:, None]
    right = filled & ~given & is_compared & (grids == compared)
    wrong = filled & np.where(given, grids != clues, is_compared & (grids != compared))
    any_wrong = wrong.any(axis=1)
    first = np.where(any_wrong, wrong.argmax(axis=1), -1)
    right_so_far = np.cumsum(right, axis=1)
    total = right_so_far[:, -1]
    before = np.where(any_wrong, right_so_far[rows, first], total)
    share = np.maximum(total - (wrong & given).sum(axis=1), 0) / np.maximum((~given).sum(axis=1), 1)
    share[solved] = 1.0
    return ScoreArrays(
        solved,
        keeps_clues & ~has_clash,
        right,
        wrong,
        ~filled,
        before,
        first,
        _house_of_first(geometry, grids, clashes, first),
        share,
    )


def _find_clashes(geometry: Geometry, grids: Symbols) -> NDArray[np.uint32]:
    """Return the symbols that each house holds twice, as masks with bit ``symbol``: (rows, houses)."""
    powers = np.ascontiguousarray(np.left_shift(np.uint32(1), grids, dtype=np.uint32).T)  # by cell
    clashes = np.zeros((len(grids), len(geometry.houses)), np.uint32)
    for number, house in enumerate(geometry.houses):
        once = np.zeros(len(grids), np.uint32)
        twice = np.zeros(len(grids), np.uint32)
        for cell in house.cells:
            twice |= once & powers[cell]
            once |= powers[cell]
        clashes[:, number] = twice & ~np.uint32(1)  # bit 0 is that of blanks
    return clashes


@lru_cache(maxsize=8)
def _houses_of(geometry: Geometry) -> NDArray[np.int64]:
    """Return the houses of each cell, (cells, most houses of a cell), filled up with ``NO_HOUSE``."""
    most = max(len(houses) for houses in geometry.houses_of)
    table = np.full((geometry.cell_count, most), NO_HOUSE, np.int64)
    for cell, houses in enumerate(geometry.houses_of):
        table[cell, : len(houses)] = sorted(houses)
    return table


def _house_of_first(
    geometry: Geometry, grids: Symbols, clashes: NDArray[np.uint32], first: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the first house in which the symbol of the first wrong cell is twice."""
    rows = np.arange(len(first))
    houses = _houses_of(geometry)[first]
    powers = np.left_shift(np.uint32(1), grids[rows, first], dtype=np.uint32)
    flags = (clashes[rows[:, None], houses] & powers[:, None]) != 0
    flags &= houses != NO_HOUSE
    return np.where((first >= 0) & flags.any(axis=1), houses[rows, flags.argmax(axis=1)], NO_HOUSE)
