"""The bulk check finds the same of each grid as the check of one grid."""

from __future__ import annotations

import numpy as np
import pytest

from gridproof.lanes import check_grids
from gridproof.puzzle.geometry import Geometry
from lanes.lane_samples import GEOMETRIES, grids, is_solution


@pytest.mark.parametrize("name", ["2x2", "2x3 disjoint groups", "windoku", "latin 7"])
def test_the_bulk_check_is_the_check_of_each_grid(name: str) -> None:
    geometry = GEOMETRIES[name]()
    houses = np.array([house.cells for house in geometry.houses])
    order, cells = geometry.order, geometry.cell_count
    chance = np.random.default_rng(4)
    solutions = np.array(grids(geometry, 40, 4), np.uint8)
    clues = np.where(chance.random(solutions.shape) < 0.4, solutions, 0).astype(np.uint8)
    damaged = solutions.copy()
    for index in range(len(damaged)):  # one cell changed: a house fails, or a clue; or none changed
        if index % 4:
            damaged[index, chance.integers(cells)] = chance.integers(0, order + 2)
    relabelled = solutions % order + 1  # every house is right, clues are not
    for candidate in (solutions, damaged, relabelled.astype(np.uint8)):
        expected = [is_solution(geometry, *pair) for pair in zip(clues, candidate, strict=True)]
        assert check_grids(candidate, order, houses, clues).tolist() == expected
    assert check_grids(solutions, order, houses, clues).all()
    assert not check_grids(damaged, order, houses, clues).all()


def test_the_bulk_check_keeps_to_candidates() -> None:
    geometry = Geometry.classic(2)
    houses = np.array([house.cells for house in geometry.houses])
    grid = np.array(grids(geometry, 1, 1), np.uint8)
    none = np.zeros_like(grid)
    masks = (1 << (grid.astype(np.uint32) - 1)).astype(np.uint32)
    assert check_grids(grid, 4, houses, none, masks).all()
    masks[0, 3] = 15 & ~masks[0, 3]
    assert not check_grids(grid, 4, houses, none, masks).any()
