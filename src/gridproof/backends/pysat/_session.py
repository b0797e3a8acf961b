"""A session of one of PySAT's solvers: what a board adds to the clauses is assumed.

Clauses for all boards of a problem are loaded once; see the package's docstring for how boards come and go. An encoding
that propagates clues makes clauses for each board (``models.large``): a new solver loads them, nothing of the board is
left to be assumed, and what forbids a grid needs no activation literal. Where propagation leaves thousands of
candidates open, solutions are guessed first (``models.large.marginals``); that there is no further one, or none at all,
only the solver says.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import lru_cache

from gridproof.backends.protocol import Session, Statistics
from gridproof.backends.pysat._quirks import quirks_of
from gridproof.backends.pysat._solver import NO_SETTINGS, Solver, loaded
from gridproof.limits import Limits, Watch
from gridproof.models.clauses import Clauses
from gridproof.models.large import LargeModel
from gridproof.models.targets.cnf import Cnf
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid

RENEW_AFTER = 1000
"""Boards that one solver serves before a session loads a new one."""

_FIGURES = ("decisions", "conflicts", "propagations", "restarts")


class PySatSession(Session):
    """One solver with the clauses of all boards loaded, or one board's at a time."""

    def __init__(self, solver: str, model: Cnf | LargeModel, settings: Mapping[str, int] = NO_SETTINGS) -> None:
        super().__init__(model.problem)
        self._name, self._settings = solver, settings
        self._model = model
        self._quirks = quirks_of(solver)
        self._forced: int | None = None
        self._seconds = 0.0
        self._solver: Solver | None = None
        self._before: Mapping[str, int] = {}
        self._after: Mapping[str, int] = {}
        if isinstance(model, Cnf):
            # with a user's settings there may be more in its decisions and conflicts
            if not self._quirks.fresh and not settings:
                self._forced = _decisions_when_forced(solver)
            self._renew(model)

    def _renew(self, model: Cnf) -> None:
        self._drop()
        self._solver = loaded(self._name, model.clauses, settings=self._settings)
        self._activations = model.activations()
        self._boards = 0

    def _drop(self) -> None:
        if self._solver is not None:
            self._solver.close()
            self._solver = None

    def close(self) -> None:
        super().close()
        self._drop()

    @property
    def statistics(self) -> Statistics:
        """Counts are the solver's own; 0 where it was left nothing to do."""
        if not self._after:
            return Statistics(seconds=self._seconds)
        counts = {name: self._after[name] - self._before[name] for name in _FIGURES}
        # what the solver counts for finding out that nothing is left to decide is no decision
        counts["decisions"] = max(counts["decisions"] - (self._forced or 0), 0)
        return Statistics(**counts, seconds=self._seconds)

    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        watch = Watch(limits)
        self._seconds = 0.0
        if isinstance(self._model, Cnf):
            clauses: Clauses = self._model
            if self._boards >= RENEW_AFTER:
                self._renew(self._model)
            self._boards += 1
            assert self._solver is not None
            self._before = self._after = self._solver.counters()
        elif (left_open := (yield from self._beforehand(self._model, board, watch))) is not None:
            clauses = left_open
        else:
            return
        solver = self._solver
        assert solver is not None
        assumptions = clauses.literals(board)
        active = 0
        try:
            while True:
                watch.before_search()
                try:
                    if not solver.solve(assumptions, watch):
                        return
                finally:
                    self._after = solver.counters()
                    self._seconds = watch.elapsed
                grid = clauses.decode(solver.model())
                watch.before_next_solution()
                # with no assumption at all a solver may guess a model without counting decisions
                proven = bool(assumptions) and self._no_decision_left()
                yield grid
                if proven:
                    return
                if clauses is not self._model:
                    solver.add(clauses.blocking_clause(grid))
                    continue
                if not active:
                    active = next(self._activations)
                    assumptions.append(active)
                solver.add([*clauses.blocking_clause(grid, board), -active])
        finally:
            self._retire(active)

    def _no_decision_left(self) -> bool:
        if self._forced is None:
            return False
        decisions = self._after["decisions"] - self._before["decisions"] - self._forced
        if not self._quirks.options:
            return decisions == 0
        # Without inprocessing all conflicts are of the search, where each undoes at least one decision.
        return decisions == self._after["conflicts"] - self._before["conflicts"]

    def _retire(self, active: int) -> None:
        """Leave nothing of a board behind."""
        if not isinstance(self._model, Cnf):
            self._drop()
        elif self._solver is not None and (self._solver.broken or (active and self._quirks.fresh)):
            self._renew(self._model)
        elif self._solver is not None and active:
            self._solver.add([-active])

    def _beforehand(self, model: LargeModel, board: Board, watch: Watch) -> Generator[Grid, None, Clauses | None]:
        """What is found without the solver; then the clauses of all else, which it has loaded, unless that was all."""
        from gridproof.models.large.marginals import guesses
        from gridproof.models.large.propagation import reduce
        from gridproof.models.large.reduced import compile_reduction

        self._before = self._after = dict.fromkeys(_FIGURES, 0)
        try:
            reduction = reduce(board, watch)
        finally:
            self._seconds = watch.elapsed
        if reduction.contradiction:
            return None
        if reduction.grid is not None:
            watch.before_next_solution()
            yield reduction.grid
            return None
        found = []
        try:
            for grid in guesses(reduction, watch):
                self._seconds = watch.elapsed
                found.append(grid)
                watch.before_next_solution()
                yield grid
                watch.before_search()
            clauses = compile_reduction(reduction, model.encoding)
            self._solver = loaded(self._name, _watched(clauses, watch), alone=True, settings=self._settings)
            self._solver.prefer(range(1, reduction.candidate_count + 1))
            for grid in found:
                self._solver.add(clauses.blocking_clause(grid))
        finally:
            self._seconds = watch.elapsed
        return clauses


def _watched(clauses: Clauses, watch: Watch) -> Iterator[Sequence[int]]:
    """The clauses; millions of them take seconds to load, and these count."""
    for piece in clauses.pieces():
        watch.look()
        yield from piece


_FORCED = (
    ([[-3, 1], [-1, 2]], [3]),
    ([[-3, 1], [-1, 2], [3, 4, 5, 6]], [3, 4, 5, 6]),
    ([[-3, 1], [-1, 2], [-3, 4], [-4, -5, 6]], [3, 5]),
)
_OPEN = (([[1, 2], [-1, -2], [3, 4]], [3, 4]), ([[1, 2, 3], [-1, -2], [-1, -3], [-2, -3], [4, 5]], [4, 5]))


@lru_cache(maxsize=64)
def _decisions_when_forced(solver: str) -> int | None:
    """How many decisions the solver counts where propagation alone finds the model; ``None`` if it does not tell.

    Some count the look for a variable that finds none left. Trusted only if the count is the same whatever the
    formula and the assumptions, and more where something is left to decide.
    """
    forced = {count for formula, assumptions in _FORCED for count in _decisions(solver, formula, assumptions)}
    left_open = {count for formula, assumptions in _OPEN for count in _decisions(solver, formula, assumptions)}
    return min(forced) if len(forced) == 1 and min(forced) >= 0 and min(left_open) > min(forced) else None


def _decisions(solver: str, formula: Sequence[Sequence[int]], assumptions: list[int]) -> list[int]:
    """Decisions of three solves in a row (-1 where it does not say): a solver that worked before must count, too."""
    counts = []
    with Solver(solver, formula) as tried:
        for _ in range(3):
            before = tried.counters().get("decisions", 0)
            tried.solve(assumptions)
            counts.append(tried.counters().get("decisions", -1) - before)
    return counts
