"""Puzzles "top-down": a random full grid, from which clues are taken away as long as there is one solution.

Small boards without rules are made in the lanes, thousands at once; others by a SAT solver, one by one, for which
nothing of NumPy is imported. All random numbers depend on the seed and the number of the attempt alone, so that a
puzzle does not depend on those that are made with it, nor on how many of them there are.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import NamedTuple, TypeAlias

from gridproof.generation.by_solver import Attempt
from gridproof.generation.recipe import Generated, Recipe
from gridproof.generation.tally import Tally
from gridproof.puzzle.board import Board
from gridproof.puzzle.grid import Grid

WORD = (1 << 64) - 1
"""The largest word of 64 bits."""

GOLDEN = 0x9E3779B97F4A7C15
"""The step of SplitMix64, as in ``gridproof.scattering``, which needs NumPy."""

IsUnique: TypeAlias = Callable[[list[int], list[int]], bool | None]
"""Takes the cells with a clue: those that keep it for good, and the others. Returns whether there is one solution;
``None`` if that is not decided."""


class Thinned(NamedTuple):
    """A grid from which clues were taken away.

    kept: for each cell whether its clue stays. is_unique: whether there is one solution (else none is kept).
    is_minimal: whether it is proven that no rank can be left out.
    """

    kept: list[bool]
    is_unique: bool
    is_minimal: bool


def attempts(recipe: Recipe, numbers: range, tally: Tally) -> Iterator[Generated]:
    """Make the puzzles of some attempts, of which each may give one; those that the recipe does not take are left out.

    Parameters
    ----------
    recipe
        What the puzzles must be like; their cost is not looked at.
    numbers
        The numbers of the attempts.
    tally
        Where attempts and their puzzles are counted, wanted or not.

    Raises
    ------
    InputError
        If no grid keeps houses and rules.
    """
    if recipe.in_lanes:
        from gridproof.generation.in_lanes import thin_in_lanes  # with NumPy, which other puzzles do not need

        yield from thin_in_lanes(recipe, numbers, tally)
        return
    for number in numbers:
        made = thin_by_solver(recipe, number, tally)
        if made is not None:
            yield made


def thin_by_solver(recipe: Recipe, number: int, tally: Tally) -> Generated | None:
    """Return the puzzle of an attempt that a SAT solver makes; ``None`` if the recipe does not take it."""
    ranks = ranks_of_cells(recipe, number)
    low, high = recipe.clue_range
    with Attempt(recipe, number) as attempt:
        enough = attempt.is_easy_enough if recipe.thins_by_cost else attempt.is_unique
        thinned = thin_one(enough, ranks, low)
        problem, grid = attempt.problem, attempt.grid
    tally.attempts += 1
    if not thinned.is_unique:
        return None
    clue_count = sum(thinned.kept)
    tally.clues[clue_count] += 1
    if not low <= clue_count <= high or (recipe.minimal and not thinned.is_minimal):
        return None
    clues = [symbol if stays else 0 for symbol, stays in zip(grid, thinned.kept, strict=True)]
    board = Board.trusted(problem.geometry, tuple(clues), rules=problem.rules)
    return Generated(board, Grid(list(grid), board), number, thinned.is_minimal)


def ranks_of_cells(recipe: Recipe, number: int) -> list[int]:
    """Return the place of each cell in the order in which clues are taken away, and -1 where none may stand."""
    keys = random_words(recipe.seed, number, "order", len(recipe.groups))
    in_order = sorted(range(len(keys)), key=keys.__getitem__)
    ranks = [-1] * recipe.shape.cell_count
    for rank, group in enumerate(in_order):
        for cell in recipe.groups[group]:
            ranks[cell] = rank
    return ranks


def random_words(seed: int, number: int, purpose: str, count: int) -> list[int]:
    """Return ``count`` random 64-bit words for a number: those of ``words`` in the lanes, without NumPy.

    Examples
    --------
    >>> random_words(1, 7, "test", 3)[:2] == random_words(1, 7, "test", 2)
    True
    """
    start = int.from_bytes(sha256(f"{seed} {purpose}".encode()).digest()[:8], "little")
    key = scatter_word(number * GOLDEN + start)
    return [scatter_word(key + counter * GOLDEN) for counter in range(1, count + 1)]


def scatter_word(word: int) -> int:
    """Return a word scattered: the finaliser of SplitMix64 (Steele, Lea and Flood 2014).

    Examples
    --------
    >>> hex(scatter_word(GOLDEN))
    '0xe220a8397b1dcdaf'
    """
    mixed = word & WORD
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB & WORD
    return mixed ^ (mixed >> 31)


def thin_one(is_unique: IsUnique, ranks: list[int], least: int) -> Thinned:
    """Take clues away from a full grid, in the order of their ranks, as long as there is one solution.

    Several ranks are tried at once, first a quarter of them; where that leaves several solutions, half as many.

    Parameters
    ----------
    is_unique
        What finds out whether there is one solution.
    ranks
        The place of each cell in the order, from 0; cells of one rank go together. Those below 0 have no clue.
    least
        How many clues have to stay.
    """
    end = max(ranks) + 1
    in_order = sorted([cell for cell, rank in enumerate(ranks) if rank >= 0], key=ranks.__getitem__)
    starts = [bisect_left(in_order, rank, key=ranks.__getitem__) for rank in range(end + 1)]
    kept: list[int] = []
    if len(in_order) < len(ranks) and not is_unique(kept, in_order):
        return Thinned([False] * len(ranks), is_unique=False, is_minimal=True)
    is_minimal = True
    first = 0  # the ranks below are decided
    step = max(end // 4, 1)
    while first < end:
        last = min(first + step, end)
        rest = in_order[starts[last] :]
        unique = is_unique(kept, rest)
        if unique and len(kept) + len(rest) >= least:
            first = last
            continue
        if last == first + 1:
            kept += in_order[starts[first] : starts[last]]
            is_minimal = is_minimal and unique is False
            first = last
        step = max(step // 2, 1)
    stays = [False] * len(ranks)
    for cell in kept:
        stays[cell] = True
    return Thinned(stays, is_unique=True, is_minimal=is_minimal)
