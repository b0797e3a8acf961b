"""Why a board has no solution: a small set of cells whose clues and pencil marks contradict each other already.

The set is minimal (without any one of its cells there is a solution), which does not mean that no other is smaller. It
is found by deletion from the cores of one incremental SAT solver (Marques-Silva 2010, "Minimal unsatisfiability:
models, algorithms and applications").
"""

from __future__ import annotations

from gridproof.backends._pysat_solvers import Solver, ask_in_slices
from gridproof.board import Board
from gridproof.certify.formula import board_units
from gridproof.cnf import Cnf
from gridproof.limits import NO_LIMITS, Limits, Watch

_SOLVER = "cadical153"


def conflicting_cells(board: Board, cnf: Cnf, limits: Limits = NO_LIMITS) -> tuple[int, ...] | None:
    """A minimal set of cells with no solution, ascending; ``None`` if the board has one.

    Empty where the rules alone have no solution. What can be seen at a glance comes first: a cell without a candidate
    by its own clue and marks, then two equal clues in a house. ``cnf``: the rules of the board's geometry. Raises
    ``Interrupted``.
    """
    if 0 in board.candidates:
        return (board.candidates.index(0),)
    clash = next((found for found in board.contradictions() if found.kind == "clash"), None)
    if clash is not None:
        return tuple(sorted(clash.cells[:2]))
    units = {cell: board_units(board, (cell,)) for cell in range(board.geometry.cell_count)}
    watch = Watch(limits)
    cell_of = {cnf.variables.count + 1 + cell: cell for cell, said in units.items() if said}
    with Solver(_SOLVER, cnf.clauses) as solver:
        for assumption, cell in cell_of.items():
            for (literal,) in units[cell]:
                solver.add((-assumption, literal))

        def core(assumptions: list[int]) -> list[int] | None:
            satisfiable = ask_in_slices(solver, assumptions, watch, restarts=False)
            return None if satisfiable else sorted(solver.core())

        left = core(list(cell_of))
        if left is None:
            return None
        for assumption in left:
            if assumption in left:
                fewer = core([other for other in left if other != assumption])
                left = left if fewer is None else fewer
        return tuple(cell_of[assumption] for assumption in left)
