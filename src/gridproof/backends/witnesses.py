"""Witnesses that look for a missed solution if the reference does not finish.

The first witness is a solver of another origin than the
one that answered, on the clauses that the checker of certificates states: they share neither code nor clauses with the
answer, only the reading of the puzzle. The second is CP-SAT on a board with rules, which shares with the answer what
the rules expand into. ``docs/architecture.md`` lists what each has in common with the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from gridproof.backends import find
from gridproof.backends.models import compile_model, default_encoding
from gridproof.backends.protocol import Backend
from gridproof.errors import BackendUnavailable
from gridproof.limits import Watch
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.trust.crosscheck import Witness

Search: TypeAlias = Callable[[Board, Sequence[SymbolTuple], Watch], Iterator[SymbolTuple]]
"""The search of a witness; see ``Witness.solutions``."""

LARGEST_ORDER = 25
"""Largest order of a board that witnesses decide: its houses are stated whole, in up to 700,000 clauses."""

ON_THE_FORMULA = ("minisat22", "cadical153")
"""Solvers for the checker's formula, the preferred one first."""


def witnesses(backend: Backend | None, board: Board) -> Iterator[Witness]:
    """Yield the witnesses for an answer, the cheapest first; none for boards beyond ``LARGEST_ORDER``.

    Parameters
    ----------
    backend
        The backend that answered; ``None`` for the lanes, and for a search.
    board
        The board of the question.
    """
    if board.geometry.symbol_count > LARGEST_ORDER:
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
            clauses = state_for_checker(board, watch.limits).clauses_without(grids)
        except NotCertified as problem:
            raise BackendUnavailable(str(problem)) from None
        yield from grids  # they have passed the check
        with second.incremental(clauses) as solver:
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
