"""Thousands of puzzles at once by the lanes: full grids at random, then clues taken away as long as they can be.

All random numbers depend on the seed and the number of the puzzle alone, so that a puzzle does not depend on those that
are made with it, nor on how many of them there are.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridproof.errors import InputError
from gridproof.generation.recipe import Generated, Recipe
from gridproof.lanes import MULTIPLE, UNIQUE, LaneEngine
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.grid import Grid

LARGEST_ORDER = 9
"""Larger boards go to a SAT solver: with few clues the lanes would search too long."""

MOVES = 40
"""Moves of the chain to a random grid. On 9x9, means over grids change no more from 40 on (docs/generation.md)."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIXING = (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB))

Array = NDArray[Any]


def words(seed: int, numbers: Array, purpose: str, count: int) -> Array:
    """Return ``count`` random 64-bit words for each number: splitmix64 (Steele, Lea and Flood 2014).

    Examples
    --------
    >>> int(words(1, np.array([7, 8]), "test", 3)[1, 2]) == int(words(1, np.array([8]), "test", 3)[0, 2])
    True
    """

    def mixed(word: Array) -> Array:
        for shift, factor in _MIXING:
            word = (word ^ (word >> shift)) * factor
        word ^= word >> np.uint64(31)
        return word

    start = np.frombuffer(sha256(f"{seed} {purpose}".encode()).digest(), "<u8", 1)
    keys = mixed(numbers.astype(np.uint64) * _GOLDEN + start)
    drawn: Array = mixed(keys[:, None] + np.arange(1, count + 1, dtype=np.uint64) * _GOLDEN)
    return drawn


@lru_cache(maxsize=4)
def engine_of(geometry: Geometry) -> LaneEngine:
    """Return the lanes of a geometry, which are kept."""
    return LaneEngine(geometry)


def full_grids(geometry: Geometry, seed: int, numbers: Array) -> Array:
    """Return a random full grid for each number: a Markov chain whose limit is uniform.

    A move erases half of the cells or more, at random, and asks for the first two solutions of what is left. If the
    grid is one of them, it becomes the other one. The two depend on what is left only, so that each move leads as
    easily back as there, and keeps the uniform distribution. In the end the symbols are renamed at random.

    Raises
    ------
    InputError
        If the board has no full grid.
    """
    engine, order, cells = engine_of(geometry), geometry.order, geometry.cell_count
    begun = np.zeros((len(numbers), cells), np.uint8)
    for place, house in enumerate(_apart(geometry)):
        begun[:, house] = np.argsort(words(seed, numbers, f"house {place}", order), axis=1) + 1
    grids = engine.verify(begun).first
    stuck = ~grids.any(axis=1)
    grids[stuck] = engine.verify(np.zeros((1, cells), np.uint8)).first
    if not grids.all():
        raise InputError(f"no full grid of {geometry.description}; expected a board that has one")
    for move in range(MOVES):
        drawn = words(seed, numbers, f"move {move}", cells // 8 + 1).view(np.uint8)
        share = 77 + drawn[:, -1:] % 52  # of 256: from 30 % to 50 % of the cells stay
        pair = engine.verify(np.where(drawn[:, :cells] < share, grids, np.uint8(0)))
        at_first = (pair.codes == MULTIPLE) & (pair.first == grids).all(axis=1)
        at_second = (pair.second == grids).all(axis=1)
        grids = np.where(at_first[:, None], pair.second, np.where(at_second[:, None], pair.first, grids))
    names = np.argsort(words(seed, numbers, "names", order), axis=1).astype(np.uint8) + np.uint8(1)
    return np.take_along_axis(names, grids.astype(np.int64) - 1, axis=1)


def _apart(geometry: Geometry) -> list[list[int]]:
    """Return houses that have no house in common with each other, such as the boxes of a diagonal."""
    chosen: list[list[int]] = []
    met: set[int] = set()
    for house in reversed(geometry.houses):
        touched = {number for cell in house.cells for number in geometry.houses_of[cell]}
        if not touched & met:
            chosen.append(list(house.cells))
            met |= touched
    return chosen


def thinned(engine: LaneEngine, grids: Array, ranks: Array, least: float) -> tuple[Array, Array]:
    """Take clues away from full grids, in the order of their ranks, as long as there is one solution ("top-down").

    Parameters
    ----------
    engine
        Of the boards.
    grids, ranks
        For each puzzle the grid, and for each cell its place in the order, from 0; cells of one rank go together.
    least
        How many clues have to stay.

    Returns
    -------
    kept, minimal
        For each puzzle the cells with a clue, and whether no rank can be left out.
    """
    kept = np.zeros(grids.shape, np.bool_)
    minimal = np.ones(len(grids), np.bool_)
    ends = ranks.max(axis=1) + 1
    done = np.zeros(len(grids), np.int64)  # ranks below are decided
    steps = np.maximum(ends // 4, 1)
    while len(busy := np.flatnonzero(done < ends)):
        first = done[busy]
        last = np.minimum(first + steps[busy], ends[busy])
        given = kept[busy] | (ranks[busy] >= last[:, None])
        codes = engine.verify(np.where(given, grids[busy], np.uint8(0))).codes
        enough = given.sum(axis=1) >= least
        go, alone = (codes == UNIQUE) & enough, last == first + 1
        kept[busy] |= (alone & ~go)[:, None] & (ranks[busy] == first[:, None])
        minimal[busy] &= ~alone | go | (codes == MULTIPLE)
        done[busy] = np.where(go | alone, last, first)
        steps[busy] = np.where(go, steps[busy], np.maximum(steps[busy] // 2, 1))
    return kept, minimal


def by_lanes(recipe: Recipe, numbers: range) -> list[Generated]:
    """Make the puzzles of some numbers; a number may give none."""
    geometry, tried = recipe.shape, np.array(numbers)
    engine, grids = engine_of(geometry), full_grids(geometry, recipe.seed, tried)
    outside = np.full(geometry.cell_count, True)
    group_of = np.zeros(geometry.cell_count, np.int64)
    for number, group in enumerate(recipe.groups):
        outside[list(group)], group_of[list(group)] = False, number
    drawn = words(recipe.seed, tried, "order", len(recipe.groups))
    places = np.argsort(np.argsort(drawn, axis=1), axis=1)
    if outside.any():
        unique = engine.verify(np.where(outside, np.uint8(0), grids)).codes == UNIQUE
        tried, grids, places = tried[unique], grids[unique], places[unique]
    # cells outside the pattern go with the first rank, in which they are gone already
    ranks = np.where(outside, -1, places[:, group_of])
    kept, minimal = thinned(engine, grids, ranks, recipe.span[0])
    counts = kept.sum(axis=1)
    wanted = (counts >= recipe.span[0]) & (counts <= recipe.span[1]) & (minimal | (not recipe.minimal))
    clues = np.where(kept, grids, np.uint8(0))
    made = []
    for at in np.flatnonzero(wanted).tolist():
        board = Board.trusted(geometry, tuple(clues[at].tolist()))
        solution = Grid(grids[at].tolist(), board)
        made.append(Generated(board, solution, int(tried[at]), bool(minimal[at])))
    return made
