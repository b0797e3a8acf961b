"""Puzzles of small boards without rules, thousands at once: random full grids in the lanes, thinned together."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridproof.errors import InputError
from gridproof.generation.recipe import Generated, Recipe
from gridproof.generation.tally import Tally
from gridproof.lanes import MULTIPLE, UNIQUE, LaneEngine, LaneResult
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


def thin_in_lanes(recipe: Recipe, attempts: range, tally: Tally) -> list[Generated]:
    """Return the puzzles of some attempts, all of which are made together. attempts: their numbers."""
    engine = engine_of(recipe.shape)
    numbers = np.array(attempts)
    grids = full_grids(recipe.shape, recipe.seed, numbers)
    thinning = Thinning(place_groups(recipe, numbers), recipe.clue_range[0])

    def follow_up(puzzles: Array, found: LaneResult) -> tuple[Array, Array]:
        busy = thinning.take_codes(puzzles, found.codes)
        return busy, grids[busy] * thinning.next_clues(busy)

    every = np.arange(len(numbers))
    engine.verify_in_turn(grids * thinning.next_clues(every), follow_up)
    return choose_wanted(recipe, numbers, grids, thinning, tally)


def place_groups(recipe: Recipe, numbers: Array) -> Array:
    """Return for each attempt the place of each cell in the order in which clues go; -1 where none may stand."""
    random_keys = words(recipe.seed, numbers, "order", len(recipe.groups))
    place_of_group = np.argsort(np.argsort(random_keys, axis=1), axis=1)
    ranks = np.full((len(numbers), recipe.shape.cell_count), -1)
    cells_of_groups = [cell for group in recipe.groups for cell in group]
    sizes = [len(group) for group in recipe.groups]
    ranks[:, cells_of_groups] = np.repeat(place_of_group, sizes, axis=1)
    return ranks


def choose_wanted(recipe: Recipe, numbers: Array, grids: Array, thinning: Thinning, tally: Tally) -> list[Generated]:
    """Return the puzzles that the recipe takes, of attempts whose grids were thinned."""
    low, high = recipe.clue_range
    clue_counts = thinning.kept.sum(axis=1)
    tally.attempts += len(numbers)
    tally.clues.update(clue_counts[thinning.unique].tolist())
    wanted = thinning.unique & (clue_counts >= low) & (clue_counts <= high)
    if recipe.minimal:
        wanted &= thinning.minimal
    clues = grids * thinning.kept
    parts = (clues, grids, numbers, thinning.minimal)
    columns = [part[wanted].tolist() for part in parts]
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
    return words_from(start_word(seed, purpose), numbers, count)


def start_word(seed: int, purpose: str) -> Array:
    """Return the word that the random words of a seed begin with for a purpose."""
    return np.frombuffer(sha256(f"{seed} {purpose}".encode()).digest(), "<u8", 1)


def words_from(start: Array, numbers: Array, count: int) -> Array:
    """Return ``count`` random words for each number. start: one word for all numbers, or one for each."""
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
    if stuck.any():
        grids[stuck] = engine.verify(np.zeros((1, cells), np.uint8)).first
    if not grids.all():
        raise InputError(f"no full grid of {geometry.description}; expected a board that has one")
    walk = Walk(geometry, seed, numbers, grids)
    engine.verify_in_turn(walk.next_clues(np.arange(len(numbers))), walk.follow_up)
    names = np.argsort(words(seed, numbers, "names", order), axis=1).astype(np.uint8) + np.uint8(1)
    renamed: Array = np.take_along_axis(names, grids.astype(np.int64) - 1, axis=1)
    return renamed


class Walk:
    """The moves of ``full_grids``, in place. The grids of different numbers may be at different moves."""

    def __init__(self, geometry: Geometry, seed: int, numbers: Array, grids: Array) -> None:
        self._numbers = numbers
        self._grids = grids
        self._cells = geometry.cell_count
        self._least, self._spread = KEPT if geometry.order > 6 else KEPT_OF_SMALL
        self._starts = np.concatenate([start_word(seed, f"move {move}") for move in range(MOVES)])
        self._moves = np.zeros(len(grids), np.int64)

    def next_clues(self, walkers: Array) -> Array:
        """Return what the next move of some grids leaves of them. walkers: their places in the array."""
        start = self._starts[self._moves[walkers]]
        random_words = words_from(start, self._numbers[walkers], self._cells // 8 + 1)
        random_bytes = random_words.view(np.uint8)
        share = self._least + random_bytes[:, -1:] % self._spread  # of 256
        stays = random_bytes[:, : self._cells] < share
        return np.asarray(self._grids[walkers] * stays)

    def follow_up(self, walkers: Array, pair: LaneResult) -> tuple[Array, Array]:
        """Make a move of some grids. Returns those that have further moves, and what the next one leaves."""
        before = self._grids[walkers]
        at_first = (pair.codes == MULTIPLE) & (pair.first == before).all(axis=1)
        at_second = (pair.second == before).all(axis=1)
        self._grids[walkers[at_first]] = pair.second[at_first]
        self._grids[walkers[at_second]] = pair.first[at_second]
        self._moves[walkers] += 1
        walking = walkers[self._moves[walkers] < MOVES]
        return walking, self.next_clues(walking)


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


class Thinning:
    """Clues that are taken away from full grids, in the order of their ranks, as long as there is one solution.

    Several ranks are tried at once, first a quarter of them; where that leaves several solutions, half as many.

    Parameters
    ----------
    ranks
        For each puzzle the place of each cell in the order, from 0; cells of one rank go together. Those below 0 have
        no clue.
    least
        How many clues have to stay.

    Attributes
    ----------
    kept, unique, minimal
        For each puzzle the cells with a clue, whether there is one solution (else none is kept), and whether it is
        proven that no rank can be left out.
    """

    def __init__(self, ranks: Array, least: float) -> None:
        puzzles = len(ranks)
        self._ranks = ranks.astype(np.int16)
        self._least = least
        self.kept = np.zeros(ranks.shape, np.bool_)
        self.unique = np.ones(puzzles, np.bool_)
        self.minimal = np.ones(puzzles, np.bool_)
        self._ends = self._ranks.max(axis=1) + np.int16(1)
        # Ranks below are decided. Where some cells may have no clue, a first question is about these alone.
        self._decided = np.full(puzzles, -1 if (ranks < 0).any() else 0, np.int16)
        self._steps = np.maximum(self._ends // 4, 1)

    def _next_ends(self, puzzles: Array) -> Array:
        """Return for some puzzles the rank below which all that is undecided is tried next."""
        decided = self._decided[puzzles]
        after_step = np.minimum(decided + self._steps[puzzles], self._ends[puzzles])
        return np.where(decided < 0, np.int16(0), after_step)

    def next_clues(self, puzzles: Array) -> Array:
        """Return for some puzzles the cells that have a clue in their next question."""
        return np.asarray(self.kept[puzzles] | (self._ranks[puzzles] >= self._next_ends(puzzles)[:, None]))

    def take_codes(self, puzzles: Array, codes: Array) -> Array:
        """Take clues away, or let them stay, by the answers to the questions of some puzzles.

        codes: those of the lanes. Returns which of the puzzles have a further question.
        """
        first = self._decided[puzzles]
        last = self._next_ends(puzzles)
        ends = self._ends[puzzles]
        is_begun = first >= 0
        failed = puzzles[~is_begun & (codes != UNIQUE)]
        can_go = is_begun & (codes == UNIQUE)
        if self._least > 0:
            can_go &= self.next_clues(puzzles).sum(axis=1) >= self._least
        is_single = last == first + 1
        must_stay = is_begun & is_single & ~can_go
        staying = puzzles[must_stay]
        self.kept[staying] |= self._ranks[staying] == first[must_stay, None]
        self.minimal[puzzles] &= ~must_stay | (codes == MULTIPLE)
        self._decided[puzzles] = np.where(can_go | is_single, last, first)
        self.unique[failed] = False
        self._decided[failed] = self._ends[failed]
        halving = puzzles[is_begun & ~can_go]
        self._steps[halving] = np.maximum(self._steps[halving] // 2, 1)
        return np.asarray(puzzles[self._decided[puzzles] < ends])
