"""Random layouts of cages for killer puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, SymbolTuple

SIZES = (2, 3, 3, 4)
"""The sizes of cages, of which one is drawn at random. With larger ones fewer layouts leave one solution: every tenth
of these on 9x9. A half of the puzzles are medium, and a half harder."""

SIZES_UP_TO = {1.1: (1, 2, 2, 3), 2.5: (2, 2, 3), 3.8: (2, 3, 3)}
"""For the most that a step may cost the sizes of cages with which most puzzles cost about as much; smaller ones would
give easier puzzles. The costs are those of the grades."""

LARGEST_ORDER = 12
"""Largest order of boards with cages: on larger ones the sums are millions of clauses."""


def sizes_for(most_cost: float) -> Sequence[int]:
    """Return the sizes of cages for puzzles of which no step costs more than ``most_cost``.

    Examples
    --------
    >>> sizes_for(2.5), sizes_for(3.0), sizes_for(float("inf"))
    ((2, 2, 3), (2, 3, 3), (2, 3, 3, 4))
    """
    for most, sizes in SIZES_UP_TO.items():
        if most_cost <= most:
            return sizes
    return SIZES


def with_cages(problem: Problem, grid: SymbolTuple, random: Random, sizes: Sequence[int] = SIZES) -> Problem:
    """Return the problem with killer cages all over the board, whose sums are those of a grid.

    sizes: of which the size of each cage is drawn.

    Examples
    --------
    >>> grid = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
    >>> problem = with_cages(Problem.of(Geometry.classic(2)), grid, Random(1))
    >>> len(problem.rules)
    6
    """
    name = problem.geometry.cell_name
    texts = []
    for cage in cages(problem.geometry, grid, random, sizes):
        total = sum(grid[cell] for cell in cage)
        names = [name(cell) for cell in sorted(cage)]
        texts.append(f"killer {total} {' '.join(names)}")
    return Board(problem.geometry, (0,) * len(grid), rules=problem.rules).with_rules(texts).problem


def cages(geometry: Geometry, grid: SymbolTuple, random: Random, sizes: Sequence[int] = SIZES) -> list[list[int]]:
    """Return a random division of the board into connected cages, none of which holds a symbol twice.

    A cell that is left alone, and was not drawn to be, joins a cage beside it that has not its symbol yet, if there is
    one.
    """
    order = geometry.order
    made: list[list[int]] = []
    cage_of: dict[int, list[int]] = {}
    for start in random.sample(range(order * order), order * order):
        if start in cage_of:
            continue
        size = random.choice(sizes)
        cage = [start]
        while len(cage) < size:
            free = []
            for cell in neighbours(cage, order):
                if cell not in cage_of and _fits(cell, cage, grid):
                    free.append(cell)
            if not free:
                break
            cage.append(random.choice(free))
        if len(cage) == 1 < size:
            for cell in neighbours(cage, order):
                if cell in cage_of and _fits(start, cage_of[cell], grid):
                    cage = cage_of[cell]
                    cage.append(start)
                    break
        if len(cage) == 1 or start == cage[0]:
            made.append(cage)
        cage_of.update(dict.fromkeys(cage, cage))
    return made


def _fits(cell: int, cage: Sequence[int], grid: SymbolTuple) -> bool:
    """Return whether no cell of a cage has the symbol of a cell."""
    return all(grid[member] != grid[cell] for member in cage)


def neighbours(cells: Sequence[int], order: int) -> list[int]:
    """Return the cells beside some cells that are none of them, in their order.

    Examples
    --------
    >>> neighbours([0, 1], 3)
    [2, 3, 4]
    """
    beside = set()
    for cell in cells:
        row, column = divmod(cell, order)
        if row > 0:
            beside.add(cell - order)
        if row < order - 1:
            beside.add(cell + order)
        if column > 0:
            beside.add(cell - 1)
        if column < order - 1:
            beside.add(cell + 1)
    return sorted(beside.difference(cells))
