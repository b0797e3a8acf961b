"""Random layouts of cages for killer puzzles."""

from __future__ import annotations

from random import Random

from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, SymbolTuple

SIZES = (2, 3, 3, 4)
"""The cells of a cage are as many as one of these, drawn at random, where there is room. With larger ones fewer layouts
leave one solution: every third of these on 9x9, but every tenth of cages of up to five."""

LARGEST_ORDER = 12
"""Of boards with cages: on larger ones the sums are millions of clauses."""


def with_cages(problem: Problem, grid: SymbolTuple, random: Random) -> Problem:
    """Return the problem with killer cages all over the board, whose sums are those of a grid.

    Examples
    --------
    >>> grid = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
    >>> problem = with_cages(Problem.of(Geometry.classic(2)), grid, Random(1))
    >>> len(problem.rules)
    6
    """
    name = problem.geometry.cell_name
    texts = [
        f"killer {sum(grid[cell] for cell in cage)} {' '.join(map(name, sorted(cage)))}"
        for cage in cages(problem.geometry, grid, random)
    ]
    return Board(problem.geometry, (0,) * len(grid), rules=problem.rules).with_rules(texts).problem


def cages(geometry: Geometry, grid: SymbolTuple, random: Random) -> list[list[int]]:
    """Return a random division of the board into connected cages, none of which holds a symbol twice.

    A cell that is left alone joins a cage beside it that has not its symbol yet, if there is one.
    """
    n = geometry.order
    found: list[list[int]] = []
    cage_of: dict[int, list[int]] = {}

    def beside(cells: list[int]) -> list[int]:
        steps = {(row + r, column + c) for row, column in (divmod(cell, n) for cell in cells) for r, c in _STEPS}
        return sorted({row * n + column for row, column in steps if 0 <= row < n and 0 <= column < n}.difference(cells))

    def fits(cell: int, cage: list[int]) -> bool:
        return grid[cell] not in [grid[member] for member in cage]

    for start in random.sample(range(n * n), n * n):
        if start in cage_of:
            continue
        cage, size = [start], random.choice(SIZES)
        while len(cage) < size and (free := [c for c in beside(cage) if c not in cage_of and fits(c, cage)]):
            cage.append(random.choice(free))
        near = [cage_of[cell] for cell in beside(cage) if cell in cage_of and fits(start, cage_of[cell])]
        if len(cage) == 1 and near:
            near[0].append(start)
            cage = near[0]
        else:
            found.append(cage)
        cage_of.update(dict.fromkeys(cage, cage))
    return found


_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
