"""A random grid of any board, and whether some clues leave others, by a SAT solver: large boards, rules, cages."""

from __future__ import annotations

from contextlib import ExitStack
from functools import lru_cache
from random import Random

from gridproof import backends
from gridproof.backends.protocol import Incremental
from gridproof.errors import InputError, Interrupted
from gridproof.generation.grids import random_grid
from gridproof.generation.killer import sizes_for, with_cages
from gridproof.generation.recipe import Recipe
from gridproof.limits import Limits, Watch
from gridproof.models import catalog
from gridproof.models.clauses import Cnf
from gridproof.models.targets.cnf import compile_cnf
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.solving.path import SolvingPath

SOLVER = "glucose4"
"""The solver that makes puzzles."""

ENCODING = "triad"
"""The encoding of the boards that it gets."""

MOST_CONFLICTS = 20_000
"""Most conflicts of the solver for one puzzle. On 16x16 and below a puzzle takes some hundred. A puzzle of 25x25 may
need any number: clues that are not decided by then stay. A number, unlike a time, gives the same puzzle on every
machine."""

PLACEMENT_CONFLICTS = 200
"""Most conflicts for the question whether a symbol can be placed. Where they do not suffice another one is tried. With
nine placements each, 98 of 100 non-consecutive grids of 9x9 are different ones, and 100 under an anti-knight rule."""

SHAKES = 8
"""Number of times that half of the cells of a large grid without rules get other symbols where they can."""


@lru_cache(maxsize=4)
def model_of(problem: Problem) -> Cnf:
    """Return the clauses of a problem, which are kept for the next puzzle."""
    return compile_cnf(problem, catalog.load(ENCODING))


class Attempt(ExitStack):
    """The grid of an attempt, and a solver that finds whether some of its symbols leave another grid.

    Parameters
    ----------
    recipe, number
        The recipe and the number of the attempt.

    Attributes
    ----------
    problem : Problem
        The problem of the recipe; for killer puzzles with cages for this grid.
    grid : tuple of int
        The grid.

    Raises
    ------
    InputError
        If no grid keeps houses and rules.
    """

    def __init__(self, recipe: Recipe, number: int) -> None:
        super().__init__()
        random = Random(f"{recipe.seed} {number}")
        model = model_of(recipe.problem)
        self._solver = self._open(model)
        self.problem = recipe.problem
        self.grid = draw_grid(self._solver, model, random)
        if recipe.killer:
            self.problem = with_cages(self.problem, self.grid, random, sizes_for(recipe.most_cost))
            model = compile_cnf(self.problem, model.encoding)
            self._solver = self._open(model)
        self._literals = model.variables.cells.of_symbols(self.grid)
        self._solver.add([-literal for literal in self._literals])
        self._kept_count = 0
        self._are_enough = set(range(len(self.grid)))  # the last clues that were found to leave no other grid
        self._watch = Watch(Limits(conflicts=MOST_CONFLICTS))
        self._most_cost = recipe.most_cost

    def _open(self, model: Cnf) -> Incremental:
        """Return a solver with the clauses of a model, which is closed at the end of the attempt."""
        return self.enter_context(backends.find(SOLVER).incremental(model.clauses))

    def is_unique(self, kept: list[int], rest: list[int]) -> bool | None:
        """Return whether some symbols leave no other grid; ``None`` if the solver does not decide.

        kept: their cells, of those that are given in all further questions, too. rest: the other cells.
        """
        for cell in kept[self._kept_count :]:
            # An assumption would be made again for each question, and after each restart.
            self._solver.add([self._literals[cell]])
        self._kept_count = len(kept)
        clues = {*kept, *rest}
        assumptions = [self._literals[cell] for cell in rest]
        taken = self._are_enough - clues
        if len(taken) == 1 and clues < self._are_enough:
            # Any other grid differs there, or it would fit the clues that were enough.
            assumptions.insert(0, -self._literals[taken.pop()])
        try:
            is_unique = not self._solver.solve(assumptions, self._watch)
        except Interrupted:
            return None
        if is_unique:
            self._are_enough = clues
        else:
            # Another grid is found sooner near this one; the solver would go on from the one that it has found.
            self._solver.prefer(self._literals)
        return is_unique

    def is_easy_enough(self, kept: list[int], rest: list[int]) -> bool | None:
        """Return whether the symbols leave no other grid, and no step to it costs too much; ``None`` if one does."""
        is_unique = self.is_unique(kept, rest)
        if not is_unique:
            return is_unique
        clues = [0] * len(self.grid)
        for cell in kept + rest:
            clues[cell] = self.grid[cell]
        board = Board.trusted(self.problem.geometry, tuple(clues), rules=self.problem.rules)
        with SolvingPath(board, most=self._most_cost) as path:
            while together := path.next_round():
                for step in together:
                    path.take(step)
            return None if path.is_too_dear else True


def draw_grid(solver: Incremental, model: Cnf, random: Random) -> SymbolTuple:
    """Return a full grid of no known distribution. Raises ``InputError`` if there is none."""
    geometry = model.problem.geometry
    if geometry.regions is None and not geometry.families and not geometry.extra and not model.problem.rules:
        return shake_grid(solver, model, random)
    return place_symbols(solver, model, random)


def place_symbols(solver: Incremental, model: Cnf, random: Random) -> SymbolTuple:
    """Return a grid in which some random cells, one after another, got the first random symbol that left a grid.

    As many cells as there are symbols: the solver chooses the symbols of the others.

    A solver's own choice would not do: under an anti-knight rule it finds the same grid whatever it prefers, and then
    half of that grid leaves no other.
    """
    geometry = model.problem.geometry
    literal_of = model.variables.cells
    if not solver.solve():
        raise InputError(f"no grid of {geometry.description} keeps the rules; expected rules that some grid keeps")
    grid = model.decode(solver.model())
    placed: list[int] = []
    for cell in random.sample(range(geometry.cell_count), geometry.order):
        for symbol in random.sample(range(1, geometry.order + 1), geometry.order):
            if symbol == grid[cell]:
                break  # the grid at hand shows that it can be placed
            try:
                can_be_placed = solver.solve(
                    [*placed, literal_of(cell, symbol)], Watch(Limits(conflicts=PLACEMENT_CONFLICTS))
                )
            except Interrupted:
                continue
            if can_be_placed:
                grid = model.decode(solver.model())
                break
        placed.append(literal_of(cell, grid[cell]))
    return grid


def shake_grid(solver: Incremental, model: Cnf, random: Random) -> SymbolTuple:
    """Return a random grid of which half of the cells, several times, got other symbols where they could."""
    geometry = model.problem.geometry
    literal_of = model.variables.cells

    def prefer_random_symbols() -> None:
        symbols = [random.randint(1, geometry.order) for _ in range(geometry.cell_count)]
        solver.prefer(literal_of.of_symbols(symbols))

    prefer_random_symbols()
    grid = random_grid(geometry, random)
    for _ in range(SHAKES):
        prefer_random_symbols()
        solver.solve(random.sample(literal_of.of_symbols(grid), len(grid) // 2))
        grid = model.decode(solver.model())
    return grid
