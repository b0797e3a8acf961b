"""Why a board has no solution: a small set of rules, and of cells whose clues and pencil marks contradict them already.

What the board says of the other cells is left out, clues and pencil marks alike. (``explain`` asks which *clues*
contradict, and keeps all pencil marks.) The set is minimal: without what the board says of any one of its cells, and
without any one of its rules, there is a solution. That does not mean that no other is smaller.
"""

from __future__ import annotations

from collections.abc import Sequence

from gridproof import backends
from gridproof.backends.protocol import Backend
from gridproof.explanations.conflicts import always_has_a_grid, contradicting, minimal
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.models.clauses import Clause
from gridproof.models.targets.cnf import Cnf
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.puzzle.board import Board


def conflict(
    board: Board,
    cnf: Cnf,
    rules: Sequence[Sequence[Clause]] = (),
    limits: Limits = NO_LIMITS,
    backend: str | Backend = DEFAULT_BACKEND,
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Find a minimal set of cells and rules that has no solution.

    Obvious conflicts come first: a cell whose own clue and marks leave no candidate, then two equal clues in a house.

    Parameters
    ----------
    board, cnf
        The board, and the clauses of its houses.
    rules
        The clauses of each rule.
    limits
        When to stop.
    backend
        A solver that takes assumptions (``Backend.no_incremental``).

    Returns
    -------
    tuple of cells and rules, or None
        Both ascending, and empty if the houses alone have no solution; ``None`` if the board has a solution.

    Raises
    ------
    Interrupted
        If a limit comes first.
    BackendUnavailable
        If the backend takes no assumptions.

    Examples
    --------
    Row 1 has no place for a 3:

    >>> from gridproof import parse
    >>> from gridproof.models import catalog
    >>> from gridproof.models.targets.cnf import compile_cnf
    >>> board = parse("12.. ..3. .... ...4")
    >>> conflict(board, compile_cnf(board.geometry, catalog.load("extended")))
    ((0, 1, 6), ())
    """
    geometry = board.geometry
    glance = _at_a_glance(board)
    if glance and always_has_a_grid(geometry):
        return glance, ()
    watch = Watch(limits)
    top = max([cnf.variables.count, *(abs(literal) for rule in rules for clause in rule for literal in clause)])
    switches = range(top + 1, top + 1 + geometry.cell_count + len(rules))
    solvers = backends.offering(backend, "find a conflict", lambda one: one.no_incremental())
    with solvers.incremental(cnf.clauses) as solver:
        if glance:
            return (glance if solver.solve((), watch) else ()), ()
        used = {geometry.cell_count + number for number in range(len(rules))}
        for number, rule in enumerate(rules, geometry.cell_count):
            for clause in rule:
                solver.add((-switches[number], *clause))
        for literal in cnf.literals(board):
            cell, _ = cnf.variables.cells.of(literal)
            used.add(cell)
            solver.add((-switches[cell], literal))
        found = minimal([switches[one] for one in sorted(used)], contradicting(solver, watch))
    if found is None:
        return None
    places = [switches.index(one) for one in found]
    cells = tuple(place for place in places if place < geometry.cell_count)
    return cells, tuple(place - geometry.cell_count for place in places[len(cells) :])


def _at_a_glance(board: Board) -> tuple[int, ...]:
    """Cells that contradict each other by their own clues and marks, minimal if the rules admit a grid; else none."""
    if 0 in board.candidates:
        return (board.candidates.index(0),)
    clash = next((found for found in board.contradictions() if found.kind == "clash"), None)
    return () if clash is None else tuple(sorted(clash.cells[:2]))
