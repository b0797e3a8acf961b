"""Puzzles of small boards without rules, thousands at once: random full grids in the lanes, thinned together."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gridproof.errors import InputError
from gridproof.generation.recipe import Generated, Recipe
from gridproof.generation.tally import Tally
from gridproof.lanes import MULTIPLE, UNIQUE, LaneEngine
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.grid import Grid
from gridproof.scattering import GOLDEN, scatter

MOVES = 40
"""Moves of the chain to a random grid. On 9x9, means over grids change no more from 40 on (docs/generation.md)."""

KEPT, KEPT_OF_SMALL = (108, 32), (77, 52)
"""The least share of the cells that stay in a move, in parts of 256, and how many parts more it may be. On 9x9, where
fewer stay, the grid is seldom one of the first two solutions; on 4x4, where more stay, it is too often the only one."""

Array = NDArray[Any]

FindCodes: TypeAlias = Callable[[Array, Array], ArrayLike]
"""Takes the numbers of some puzzles and, for each of them, which cells have a clue. Returns codes of the lanes."""


def thin_in_lanes(recipe: Recipe, attempts: range, tally: Tally) -> list[Generated]:
    """Return the puzzles of some attempts, all of which are made together. attempts: their numbers."""
    engine = engine_of(recipe.shape)
    numbers = np.array(attempts)
    grids = full_grids(recipe.shape, recipe.seed, numbers)

    def find_codes(at: Array, given: Array) -> Array:
        return engine.verify(grids[at] * given).codes

    return thin_grids(recipe, numbers, grids, find_codes, tally)


def thin_grids(recipe: Recipe, numbers: Array, grids: Array, find_codes: FindCodes, tally: Tally) -> list[Generated]:
    """Take clues away from the grids of some attempts, and return the puzzles that the recipe wants."""
    random_keys = words(recipe.seed, numbers, "order", len(recipe.groups))
    place_of_group = np.argsort(np.argsort(random_keys, axis=1), axis=1)
    ranks = np.full(grids.shape, -1)  # of cells that may have no clue
    cells_of_groups = [cell for group in recipe.groups for cell in group]
    sizes = [len(group) for group in recipe.groups]
    ranks[:, cells_of_groups] = np.repeat(place_of_group, sizes, axis=1)
    low, high = recipe.clue_range
    kept, unique, minimal = thin(find_codes, ranks, low)
    clue_counts = kept.sum(axis=1)
    tally.attempts += len(numbers)
    tally.clues.update(clue_counts[unique].tolist())
    wanted = unique & (clue_counts >= low) & (clue_counts <= high)
    if recipe.minimal:
        wanted &= minimal
    clues = grids * kept
    columns = [clues[wanted].tolist(), grids[wanted].tolist(), numbers[wanted].tolist(), minimal[wanted].tolist()]
    made = []
    for clues_of_one, grid, number, is_minimal in zip(*columns, strict=True):
        board = Board.trusted(recipe.shape, tuple(clues_of_one))
        made.append(Generated(board, Grid(grid, board), number, is_minimal))
    return made


def words(seed: int, numbers: Array, purpose: str, count: int) -> Array:
    """Return ``count`` random 64-bit words for each number: splitmix64 (Steele, Lea and Flood 2014).

    Examples
    --------
    >>> int(words(1, np.array([7, 8]), "test", 3)[1, 2]) == int(words(1, np.array([8]), "test", 3)[0, 2])
    True
    """
    start = np.frombuffer(sha256(f"{seed} {purpose}".encode()).digest(), "<u8", 1)
    keys = scatter(numbers.astype(np.uint64) * GOLDEN + start)
    counters = np.arange(1, count + 1, dtype=np.uint64) * GOLDEN
    return scatter(keys[:, None] + counters)


@lru_cache(maxsize=4)
def engine_of(geometry: Geometry) -> LaneEngine:
    """Return the lanes of a geometry, which are kept."""
    return LaneEngine(geometry)


def full_grids(geometry: Geometry, seed: int, numbers: Array) -> Array:
    """Return a random full grid for each number: a Markov chain whose limit is uniform.

    A move erases about half of the cells, at random, and finds the first two solutions of what is left. If the
    grid is one of them, it becomes the other one. The two depend on what is left only, so that each move leads as
    easily back as there, and keeps the uniform distribution. In the end the symbols are renamed at random.

    Raises
    ------
    InputError
        If the board has no full grid.
    """
    engine, order, cells = engine_of(geometry), geometry.order, geometry.cell_count
    begun = np.zeros((len(numbers), cells), np.uint8)
    for place, house in enumerate(choose_houses_apart(geometry)):
        begun[:, house] = np.argsort(words(seed, numbers, f"house {place}", order), axis=1) + 1
    grids: Array = engine.verify(begun).first
    stuck = ~grids.any(axis=1)
    grids[stuck] = engine.verify(np.zeros((1, cells), np.uint8)).first
    if not grids.all():
        raise InputError(f"no full grid of {geometry.description}; expected a board that has one")
    least, spread = KEPT if order > 6 else KEPT_OF_SMALL
    for move in range(MOVES):
        random_bytes = words(seed, numbers, f"move {move}", cells // 8 + 1).view(np.uint8)
        share = least + random_bytes[:, -1:] % spread  # of 256
        stays = random_bytes[:, :cells] < share
        pair = engine.verify(grids * stays)
        at_first = (pair.codes == MULTIPLE) & (pair.first == grids).all(axis=1)
        at_second = (pair.second == grids).all(axis=1)
        grids[at_first] = pair.second[at_first]
        grids[at_second] = pair.first[at_second]
    names = np.argsort(words(seed, numbers, "names", order), axis=1).astype(np.uint8) + np.uint8(1)
    renamed: Array = np.take_along_axis(names, grids.astype(np.int64) - 1, axis=1)
    return renamed


def choose_houses_apart(geometry: Geometry) -> list[list[int]]:
    """Return houses that have no house in common with each other, such as the boxes of a diagonal."""
    chosen: list[list[int]] = []
    met: set[int] = set()
    for house in reversed(geometry.houses):
        touched = {number for cell in house.cells for number in geometry.houses_of[cell]}
        if not touched & met:
            chosen.append(list(house.cells))
            met |= touched
    return chosen


def thin(find_codes: FindCodes, ranks: Array, least: float) -> tuple[Array, Array, Array]:
    """Take clues away from full grids, in the order of their ranks, as long as there is one solution.

    Several ranks are tried at once, first a quarter of them; where that leaves several solutions, half as many.

    Parameters
    ----------
    find_codes
        What finds out how many solutions there are.
    ranks
        For each puzzle the place of each cell in the order, from 0; cells of one rank go together. Those below 0 have
        no clue.
    least
        How many clues have to stay.

    Returns
    -------
    kept, unique, minimal
        For each puzzle the cells with a clue, whether there is one solution (else none is kept), and whether it is
        proven that no rank can be left out.
    """
    puzzles = len(ranks)
    ranks = ranks.astype(np.int16)
    kept = np.zeros(ranks.shape, np.bool_)
    unique = np.ones(puzzles, np.bool_)
    minimal = np.ones(puzzles, np.bool_)
    ends = ranks.max(axis=1) + np.int16(1)
    decided = np.zeros(puzzles, np.int16)  # ranks below are
    if (ranks < 0).any():
        unique = np.asarray(find_codes(np.arange(puzzles), ranks >= 0)) == UNIQUE
        decided = np.where(unique, decided, ends)
    steps = np.maximum(ends // 4, 1)
    while True:
        busy = np.flatnonzero(decided < ends)
        if not len(busy):
            return kept, unique, minimal
        first = decided[busy]
        ranks_of_busy = ranks[busy]
        last = np.minimum(first + steps[busy], ends[busy])
        given = kept[busy] | (ranks_of_busy >= last[:, None])
        codes = np.asarray(find_codes(busy, given))
        can_go = codes == UNIQUE
        if least > 0:
            can_go &= given.sum(axis=1) >= least
        is_single = last == first + 1
        must_stay = is_single & ~can_go
        staying = busy[must_stay]
        kept[staying] |= ranks_of_busy[must_stay] == first[must_stay, None]
        minimal[busy] &= ~must_stay | (codes == MULTIPLE)
        decided[busy] = np.where(can_go | is_single, last, first)
        halved = np.maximum(steps[busy] // 2, 1)
        steps[busy] = np.where(can_go, steps[busy], halved)
