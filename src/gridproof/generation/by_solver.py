"""Puzzles of any board, one after another, by a SAT solver that holds houses and rules: large boards, rules, cages."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from functools import lru_cache
from random import Random

from gridproof import backends
from gridproof.backends.protocol import Incremental
from gridproof.errors import InputError, Interrupted
from gridproof.explanations.minimiser import minimise
from gridproof.generation.instances import random_grid
from gridproof.generation.killer import with_cages
from gridproof.generation.recipe import Generated, Recipe
from gridproof.limits import Limits, Watch
from gridproof.models import catalog
from gridproof.models.clauses import Cnf
from gridproof.models.targets.cnf import compile_cnf
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Grid
from gridproof.puzzle.grid import Grid as ShownGrid

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


def by_solver(recipe: Recipe, numbers: range) -> list[Generated]:
    """Make the puzzles of some numbers; a number may give none.

    Raises ``InputError`` if no grid keeps houses and rules.
    """
    return [made for number in numbers if (made := _one(recipe, number))]


def _one(recipe: Recipe, number: int) -> Generated | None:
    random, watch = Random(f"{recipe.seed} {number}"), Watch(Limits(conflicts=MOST_CONFLICTS))
    solvers, problem = backends.find(SOLVER), recipe.problem
    model = model_of(problem)
    with ExitStack() as stack:
        solver = stack.enter_context(solvers.incremental(model.clauses))
        grid = some_grid(solver, model, random)
        if recipe.killer:
            problem = with_cages(problem, grid, random)
            model = compile_cnf(problem, model.encoding)
            solver = stack.enter_context(solvers.incremental(model.clauses))
        literals = model.variables.cells.of_symbols(grid)
        solver.add([-literal for literal in literals])
        order = random.sample(recipe.groups, len(recipe.groups))
        kept, minimal = _needed(solver, watch, literals, order, recipe.span[0])
    if kept is None or len(kept) > recipe.span[1] or (recipe.minimal and not minimal):
        return None
    clues = tuple(grid[cell] if cell in kept else 0 for cell in range(len(grid)))
    board = Board(problem.geometry, clues, rules=problem.rules)
    return Generated(board, ShownGrid(grid, board), number, minimal)


def some_grid(solver: Incremental, model: Cnf, random: Random) -> Grid:
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
        raise InputError(f"no grid of {model.problem}; expected rules that some grid keeps")
    for _ in range(_SHAKES):
        solver.prefer(x(cell, random.randint(1, order)) for cell in cells)
        solver.solve(random.sample(x.of_symbols(grid), len(cells) // 2))
        grid = model.decode(solver.model())
    return grid


def _needed(
    solver: Incremental, watch: Watch, literals: list[int], order: list[tuple[int, ...]], least: float
) -> tuple[set[int] | None, bool]:
    """Find cells whose clues leave no other grid, of groups that go in this order, and at least so many cells.

    Returns ``None`` if all together leave several. Also whether no group can be left out; so it is only if the solver
    came to an end.
    """
    enough_so_far: list[tuple[int, ...]] | None = None

    def cells_of(groups: Iterable[tuple[int, ...]]) -> list[int]:
        return [cell for group in groups for cell in group]

    def unique(groups: list[tuple[int, ...]]) -> bool:
        return not solver.solve([literals[cell] for cell in cells_of(groups)], watch)

    def enough(groups: list[tuple[int, ...]]) -> list[tuple[int, ...]] | None:
        nonlocal enough_so_far
        if len(cells_of(groups)) < least or not unique(groups):
            return None
        core = set(solver.core())
        fewer = [group for group in groups if any(literals[cell] in core for cell in group)]
        enough_so_far = groups if len(cells_of(fewer)) < least else fewer
        return enough_so_far

    try:
        kept = minimise(order, enough)
        if kept is None:
            return None, False
        size = len(cells_of(kept))
        minimal = not any(
            size - len(group) < least and unique([other for other in kept if other is not group]) for group in kept
        )
        return set(cells_of(kept)), minimal
    except Interrupted:
        return None if enough_so_far is None else set(cells_of(enough_so_far)), False
