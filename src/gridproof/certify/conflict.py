"""Why a board has no solution: a small set of cells whose clues and pencil marks contradict each other already.

What the board says of the other cells is left out, clues and pencil marks alike. (``explain`` asks which *clues*
contradict, and keeps all pencil marks.) The set is minimal: without what the board says of any one of its cells there
is a solution. That does not mean that no other is smaller. It is found by deletion from the cores of one incremental
SAT solver (Marques-Silva 2010, "Minimal unsatisfiability: models, algorithms and applications").
"""

from __future__ import annotations

from itertools import islice

from gridproof.backends._pysat_solvers import Solver, ask_in_slices
from gridproof.explain import always_has_a_grid
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.models.targets.cnf import Cnf
from gridproof.puzzle.board import Board

_SOLVER = "cadical153"


def conflicting_cells(board: Board, cnf: Cnf, limits: Limits = NO_LIMITS) -> tuple[int, ...] | None:
    """A minimal set of cells with no solution, ascending; ``None`` if the board has one.

    Empty where the rules alone have no solution. What can be seen at a glance comes first: a cell without a candidate
    by its own clue and marks, then two equal clues in a house. ``cnf``: the rules of the board's geometry. Raises
    ``Interrupted``.
    """
    geometry = board.geometry
    glance = _at_a_glance(board)
    if glance and always_has_a_grid(geometry):
        return glance
    watch = Watch(limits)
    switches = list(islice(cnf.activations(), geometry.cell_count))
    cell_of: dict[int, int] = {}
    with Solver(_SOLVER, cnf.clauses) as solver:
        for literal in cnf.literals(board):
            cell, _ = cnf.variables.cells.of(literal)
            cell_of[switches[cell]] = cell
            solver.add((-switches[cell], literal))

        def core(assumptions: list[int]) -> list[int] | None:
            satisfiable = ask_in_slices(solver, assumptions, watch)
            return None if satisfiable else sorted(solver.core())

        if glance:
            return glance if core([]) is None else ()
        left = core(sorted(cell_of))
        if left is None:
            return None
        for assumption in left:
            if assumption in left:
                fewer = core([other for other in left if other != assumption])
                left = left if fewer is None else fewer
        return tuple(cell_of[assumption] for assumption in left)


def _at_a_glance(board: Board) -> tuple[int, ...]:
    """Cells that contradict each other by their own clues and marks, minimal if the rules admit a grid; else none."""
    if 0 in board.candidates:
        return (board.candidates.index(0),)
    clash = next((found for found in board.contradictions() if found.kind == "clash"), None)
    return () if clash is None else tuple(sorted(clash.cells[:2]))
