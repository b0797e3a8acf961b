"""Witnesses that look for a missed solution if the reference does not finish.

The first witness is a solver of another origin than the
one that answered, on the clauses that the checker of certificates states: they share neither code nor clauses with the
answer, only the reading of the puzzle. The second is CP-SAT on a board with rules, which shares with the answer what
the rules expand into. On a large board without rules the witness is a proof: singles are propagated once more, apart
from the answer, a solver refutes that what they leave has another solution, and each step of its proof is checked by
the rule of the checker. ``docs/architecture.md`` lists what each has in common with the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TypeAlias

from gridproof import backends
from gridproof.backends.models import compile_model, default_encoding
from gridproof.backends.proofs import objection_to_proof
from gridproof.backends.protocol import Backend
from gridproof.errors import BackendFailure, BackendUnavailable
from gridproof.limits import Limits, Watch
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.trust.crosscheck import LARGE_ORDER, Witness
from gridproof.trust.open_board import Contradicted, OpenBoard

Search: TypeAlias = Callable[[Board, Sequence[SymbolTuple], Watch], Iterator[SymbolTuple]]
"""The search of a witness; see ``Witness.solutions``."""

ON_THE_FORMULA = ("gluecard3", "cadical153")
"""Solvers for the checker's formula, the preferred one first. Gluecard, of MiniSat's family, takes the groups of cells
and houses as they are; others get 11,000 clauses for those of a usual board."""

PROVER = "cadical195"
"""The solver whose proofs are checked. It may be the one that answered, since nothing rests on it."""

find = cache(backends.find)
"""The backend of a name. Each answer needs one, and to walk the folders of solvers takes 0.3 ms."""

LOOKS = 4096
"""Clauses that are written between two looks at the clock."""


def witnesses(backend: Backend | None, board: Board) -> Iterator[Witness]:
    """Yield the witnesses for an answer, the cheapest first; none for boards with rules above ``LARGE_ORDER``.

    Parameters
    ----------
    backend
        The backend that answered; ``None`` for the lanes, and for a search.
    board
        The board of the question.
    """
    if board.geometry.symbol_count > LARGE_ORDER:
        if not board.rules:
            yield Witness("checked proof", _by_proof)
        return
    origin = backend and (backend.origin or backend.name)
    for name in ON_THE_FORMULA:
        second = find(name)
        if second.origin != origin and not second.unavailable():
            yield Witness(f"second solver {name}/checker", _on_the_formula(second))
            break
    second = find("cp-sat")
    if board.rules and (second.origin or second.name) != origin and not second.unavailable():
        yield Witness(f"second solver {second.name}", _by_session(second))


def _on_the_formula(second: Backend) -> Search:
    def solutions(board: Board, grids: Sequence[SymbolTuple], watch: Watch) -> Iterator[SymbolTuple]:
        from gridproof.trust.checked_board import NotCertified, state_for_checker  # which most answers do not need

        n = board.geometry.symbol_count
        try:
            stated = state_for_checker(board, watch.limits).for_solver(grids)
        except NotCertified as problem:
            raise BackendUnavailable(str(problem)) from None
        yield from grids  # they have passed the check
        with second.incremental(*stated) as solver:
            if solver.solve((), watch):
                cell_count = board.geometry.cell_count
                symbols = [0] * cell_count
                for literal in solver.model()[: cell_count * n]:  # of cell 0, symbol 1 first
                    if literal > 0:
                        symbols[(literal - 1) // n] = (literal - 1) % n + 1
                yield tuple(symbols)

    return solutions


def _by_session(second: Backend) -> Search:
    def solutions(board: Board, grids: Sequence[SymbolTuple], watch: Watch) -> Iterator[SymbolTuple]:
        # to import a solver and to load the rules is no work on the board
        with second.open(compile_model(board.problem, second, default_encoding(second), watch.limits)) as session:
            yield from session.solutions(board, watch.limits)

    return solutions


def _by_proof(board: Board, grids: Sequence[SymbolTuple], watch: Watch) -> Iterator[SymbolTuple]:
    """Yield the grids that propagation does not exclude, and another solution of what it leaves, if there is one."""
    try:
        left = OpenBoard(board, watch)
    except Contradicted:
        return
    clauses = []
    for number, clause in enumerate(left.clauses()):
        if number % LOOKS == 0:
            watch.look()
        clauses.append(clause)
    for grid in grids:
        forbidding = left.clause_against(grid)
        if forbidding is None:
            continue
        yield grid
        if not forbidding:  # every cell is settled
            return
        clauses.append(forbidding)
    prover = find(PROVER)
    steps = prover.refute_with_hints(clauses, Limits(watch.remaining() or watch.limits.seconds, watch.limits.conflicts))
    if steps is None:
        with prover.incremental(clauses) as solver:
            solver.solve((), watch)
            yield left.grid_of(set(solver.model()))
        return
    objection = objection_to_proof(clauses, steps, watch)
    if objection:
        raise BackendFailure(f"{prover.name}: {objection}")
