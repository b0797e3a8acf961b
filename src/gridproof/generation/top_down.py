"""Puzzles "top-down": a random full grid, from which clues are taken away as long as there is one solution.

Small boards without rules are made in the lanes, thousands at once; others by a SAT solver, one by one. All random
numbers depend on the seed and the number of the attempt alone, so that a puzzle does not depend on those that are made
with it, nor on how many of them there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gridproof.errors import InputError
from gridproof.generation.by_solver import Question
from gridproof.generation.recipe import Generated, Recipe
from gridproof.lanes import MULTIPLE, UNIQUE, LaneEngine
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.grid import Grid

MOVES = 40
"""Moves of the chain to a random grid. On 9x9, means over grids change no more from 40 on (docs/generation.md)."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIXING = (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB))

Array = NDArray[Any]

Codes: TypeAlias = Callable[[Array, Array], ArrayLike]
"""Takes the numbers of some puzzles and, for each of them, which cells have a clue. Returns codes of the lanes."""


def attempts(recipe: Recipe, numbers: range) -> Iterator[Generated]:
    """Make the puzzles of some attempts; one may give none. Raises ``InputError`` if no grid keeps houses and rules."""
    if recipe.in_lanes:
        engine, grids = engine_of(recipe.shape), full_grids(recipe.shape, recipe.seed, np.array(numbers))

        def in_lanes(at: Array, given: Array) -> Array:
            return engine.verify(np.where(given, grids[at], np.uint8(0))).codes

        yield from _puzzles(recipe, recipe.problem, np.array(numbers), grids, in_lanes)
        return
    for number in numbers:
        with Question(recipe, number) as question:
            one = np.array([number]), np.array([question.grid])
            yield from _puzzles(recipe, question.problem, *one, question.codes)


def _puzzles(recipe: Recipe, problem: Problem, numbers: Array, grids: Array, codes: Codes) -> list[Generated]:
    """Take clues away from the grids of some attempts, and return the puzzles that the recipe wants."""
    drawn = words(recipe.seed, numbers, "order", len(recipe.groups))
    places = np.argsort(np.argsort(drawn, axis=1), axis=1)
    ranks = np.full(grids.shape, -1)  # of cells that may have no clue
    inside = [cell for group in recipe.groups for cell in group]
    ranks[:, inside] = np.repeat(places, list(map(len, recipe.groups)), axis=1)
    low, high = recipe.span
    kept, unique, minimal = thinned(codes, ranks, low)
    counts = kept.sum(axis=1)
    made = []
    for at in np.flatnonzero(unique & (counts >= low) & (counts <= high) & (minimal | (not recipe.minimal))).tolist():
        board = Board.trusted(problem.geometry, tuple(np.where(kept[at], grids[at], 0).tolist()), rules=problem.rules)
        made.append(Generated(board, Grid(grids[at].tolist(), board), int(numbers[at]), bool(minimal[at])))
    return made


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

    A move erases half of the cells or more, at random, and finds the first two solutions of what is left. If the
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


def thinned(codes: Codes, ranks: Array, least: float) -> tuple[Array, Array, Array]:
    """Take clues away from full grids, in the order of their ranks, as long as there is one solution.

    Parameters
    ----------
    codes
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
    kept = np.zeros(ranks.shape, np.bool_)
    unique, minimal = np.ones((2, len(ranks)), np.bool_)
    ends = ranks.max(axis=1) + 1
    done = np.zeros(len(ranks), np.int64)  # ranks below are decided
    if (ranks < 0).any():
        unique = np.asarray(codes(np.arange(len(ranks)), ranks >= 0)) == UNIQUE
        done = np.where(unique, done, ends)
    steps = np.maximum(ends // 4, 1)
    while len(busy := np.flatnonzero(done < ends)):
        first = done[busy]
        last = np.minimum(first + steps[busy], ends[busy])
        given = kept[busy] | (ranks[busy] >= last[:, None])
        found = np.asarray(codes(busy, given))
        go, alone = (found == UNIQUE) & (given.sum(axis=1) >= least), last == first + 1
        kept[busy] |= (alone & ~go)[:, None] & (ranks[busy] == first[:, None])
        minimal[busy] &= ~alone | go | (found == MULTIPLE)
        done[busy] = np.where(go | alone, last, first)
        steps[busy] = np.where(go, steps[busy], np.maximum(steps[busy] // 2, 1))
    return kept, unique, minimal
