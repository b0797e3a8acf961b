"""Why a board has no solution: a small set of cells whose clues and pencil marks contradict each other already.

What the board says of the other cells is left out, clues and pencil marks alike. (``explain`` asks which *clues*
contradict, and keeps all pencil marks.) The set is minimal: without what the board says of any one of its cells there
is a solution. That does not mean that no other is smaller.
"""

from __future__ import annotations

from itertools import islice

from gridproof import backends
from gridproof.backends.protocol import Backend
from gridproof.explain.conflicts import always_has_a_grid, minimal
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.models.targets.cnf import Cnf
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.puzzle.board import Board


def conflicting_cells(
    board: Board, cnf: Cnf, limits: Limits = NO_LIMITS, backend: str | Backend = DEFAULT_BACKEND
) -> tuple[int, ...] | None:
    """A minimal set of cells with no solution, ascending; ``None`` if the board has one.

    Empty where the houses alone have no solution. What can be seen at a glance comes first: a cell without a candidate
    by its own clue and marks, then two equal clues in a house. ``cnf``: the houses of the board's geometry. backend:
    one that can be asked under assumptions (``Backend.no_incremental``). Raises ``Interrupted`` and
    ``BackendUnavailable``.
    """
    geometry = board.geometry
    glance = _at_a_glance(board)
    if glance and always_has_a_grid(geometry):
        return glance
    watch = Watch(limits)
    switches = list(islice(cnf.activations(), geometry.cell_count))
    solvers = backends.offering(backend, "find a conflict", lambda one: one.no_incremental())
    with solvers.incremental(cnf.clauses) as solver:
        if glance:
            return glance if solver.solve((), watch) else ()
        used = set()
        for literal in cnf.literals(board):
            cell, _ = cnf.variables.cells.of(literal)
            used.add(cell)
            solver.add((-switches[cell], literal))
        found = minimal(solver, [switches[cell] for cell in sorted(used)], watch)
    return None if found is None else tuple(map(switches.index, found))


def _at_a_glance(board: Board) -> tuple[int, ...]:
    """Cells that contradict each other by their own clues and marks, minimal if the rules admit a grid; else none."""
    if 0 in board.candidates:
        return (board.candidates.index(0),)
    clash = next((found for found in board.contradictions() if found.kind == "clash"), None)
    return () if clash is None else tuple(sorted(clash.cells[:2]))
