"""Boards one by one: each is propagated, and a new solver loads only what is left of it (``models.large.reduced``).

For large boards, where the rules of the whole geometry are far more than any one board needs. No clue is assumed and
no rule outlives its board, so blocking clauses need no activation literal. Where propagation leaves thousands of
candidates open, solutions are guessed first (``models.large.marginals``); that there is no further one, or none at all,
only the solver says.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import TYPE_CHECKING

from gridproof.backends._pysat_solvers import ALONE, Solver, ask_in_slices, failure, loaded
from gridproof.backends.protocol import Session, Statistics
from gridproof.errors import Interrupted
from gridproof.limits import Limits, Watch
from gridproof.models.large import LargeModel
from gridproof.models.large.marginals import guesses
from gridproof.models.large.propagation import Reduction, reduce
from gridproof.models.large.reduced import ReducedCnf, compile_reduction
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid

if TYPE_CHECKING:
    from gridproof.backends.pysat import PySat


class BoardSession(Session):
    """A session that holds nothing between boards."""

    def __init__(self, backend: PySat, rules: LargeModel) -> None:
        super().__init__(rules.problem)
        self._backend = backend
        self._encoding = rules.encoding
        self._counters: dict[str, int] = {}
        self._seconds = 0.0

    @property
    def statistics(self) -> Statistics:
        """Counts are the solver's own; 0 where propagation or a guess left it nothing to do."""
        count = self._counters.get
        return Statistics(
            count("decisions"),
            count("conflicts"),
            count("propagations"),
            count("restarts"),
            seconds=self._seconds,
        )

    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        watch = Watch(limits)
        self._counters = dict.fromkeys(("decisions", "conflicts", "propagations", "restarts"), 0)
        self._seconds = 0.0
        try:
            reduction = reduce(board, watch)
        finally:
            self._seconds = watch.elapsed
        if reduction.contradiction:
            return
        if (grid := reduction.grid) is not None:
            watch.before_next_solution()
            yield grid
            return
        found: list[Grid] = []
        for grid in self._guessed(reduction, watch):
            found.append(grid)
            watch.before_next_solution()
            yield grid
            watch.before_search()
        yield from self._solve(compile_reduction(reduction, self._encoding), found, watch)

    def _guessed(self, reduction: Reduction, watch: Watch) -> Generator[Grid, None, None]:
        try:
            for grid in guesses(reduction, watch):
                self._seconds = watch.elapsed
                yield grid
        finally:
            self._seconds = watch.elapsed

    def _solve(self, cnf: ReducedCnf, found: list[Grid], watch: Watch) -> Generator[Grid, None, None]:
        """All solutions but those found already."""
        solver = self._loaded(cnf, watch)
        try:
            for grid in found:
                solver.add(cnf.blocking_clause(grid))
            while True:
                watch.before_search()
                try:
                    more = self._ask(solver, watch)
                except Interrupted:
                    raise
                except Exception as problem:
                    raise failure(self._backend.name, problem) from problem
                if not more:
                    return
                grid = cnf.decode(solver.model())
                watch.before_next_solution()
                yield grid
                solver.add(cnf.blocking_clause(grid))
        finally:
            solver.delete()

    def _loaded(self, cnf: ReducedCnf, watch: Watch) -> Solver:
        name = self._backend.solver
        try:
            solver = loaded(name, _watched(cnf, watch), settings=ALONE.get(name, {}))
            solver.prefer(range(1, cnf.reduction.candidate_count + 1))
        finally:
            self._seconds = watch.elapsed
        return solver

    def _ask(self, solver: Solver, watch: Watch) -> bool:
        try:
            return ask_in_slices(solver, [], watch)
        finally:
            self._counters = solver.counters()
            self._seconds = watch.elapsed


def _watched(cnf: ReducedCnf, watch: Watch) -> Iterator[Sequence[int]]:
    """The clauses; millions of them take seconds to load, and these count."""
    for piece in cnf.pieces():
        watch.look()
        yield from piece
