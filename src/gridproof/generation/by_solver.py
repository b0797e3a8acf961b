"""A random grid of any board, and questions which clues leave no other, by a SAT solver: large boards, rules, cages."""

from __future__ import annotations

from contextlib import ExitStack
from functools import lru_cache
from itertools import compress
from random import Random
from typing import Any

from gridproof import backends
from gridproof.backends.protocol import Incremental
from gridproof.errors import InputError, Interrupted
from gridproof.generation.grids import random_grid
from gridproof.generation.killer import with_cages
from gridproof.generation.recipe import Recipe
from gridproof.lanes import MULTIPLE, OPEN, UNIQUE
from gridproof.limits import Limits, Watch
from gridproof.models import catalog
from gridproof.models.clauses import Cnf
from gridproof.models.targets.cnf import compile_cnf
from gridproof.puzzle.board import Problem
from gridproof.puzzle.geometry import SymbolTuple

SOLVER, ENCODING = "glucose4", "triad"

MOST_CONFLICTS = 20_000
"""Of the solver for one puzzle. On 16x16 and below a puzzle takes some hundred. A puzzle of 25x25 may need any number:
clues that are not decided by then stay. A number, unlike a time, gives the same puzzle on every machine."""

_SHAKES = 8
"""How often half of the cells of a grid get other symbols where they can."""


@lru_cache(maxsize=4)
def model_of(problem: Problem) -> Cnf:
    """Return the clauses of a problem, which are kept for the next puzzle."""
    return compile_cnf(problem, catalog.load(ENCODING))


class Question(ExitStack):
    """The grid of an attempt, and the question which of its symbols leave no other one.

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
        random, solvers, model = Random(f"{recipe.seed} {number}"), backends.find(SOLVER), model_of(recipe.problem)
        self._solver = self.enter_context(solvers.incremental(model.clauses))
        self.problem, self.grid = recipe.problem, some_grid(self._solver, model, random)
        if recipe.killer:
            self.problem = with_cages(self.problem, self.grid, random)
            model = compile_cnf(self.problem, model.encoding)
            self._solver = self.enter_context(solvers.incremental(model.clauses))
        self._literals = model.variables.cells.of_symbols(self.grid)
        self._solver.add([-literal for literal in self._literals])
        self._watch = Watch(Limits(conflicts=MOST_CONFLICTS))

    def codes(self, _: Any, given: Any) -> list[int]:
        """Return a code of the lanes for each row of an array: does the grid where it is true leave no other grid?"""
        return [self._code(cells) for cells in given.tolist()]

    def _code(self, given: list[bool]) -> int:
        try:
            several = self._solver.solve([*compress(self._literals, given)], self._watch)
        except Interrupted:
            return OPEN
        return MULTIPLE if several else UNIQUE


def some_grid(solver: Incremental, model: Cnf, random: Random) -> SymbolTuple:
    """Return a full grid of no known distribution: a pattern, or a solution, of which half is replaced several times.

    Raises ``InputError`` if there is none.
    """
    x, geometry = model.variables.cells, model.problem.geometry
    order, cells = geometry.order, range(geometry.cell_count)
    plain = geometry.regions is None and not geometry.families and not geometry.extra and not model.problem.rules
    solver.prefer(x(cell, random.randint(1, order)) for cell in cells)
    if plain:
        grid = random_grid(geometry, random)
    elif solver.solve():
        grid = model.decode(solver.model())
    else:
        raise InputError(f"no grid of {geometry.description} keeps the rules; expected rules that some grid keeps")
    for _ in range(_SHAKES):
        solver.prefer(x(cell, random.randint(1, order)) for cell in cells)
        solver.solve(random.sample(x.of_symbols(grid), len(cells) // 2))
        grid = model.decode(solver.model())
    return grid
