"""Every SAT solver that the installed PySAT brings, as a backend by its PySAT name.

A session loads the rules once. A board's clues are assumptions; a clause that forbids a grid already found carries an
activation literal, and when the board is done that literal is made false for good: nothing of the board is left.
Because retired clauses slow a solver down, the session loads a new solver every ``RENEW_AFTER`` boards.

An encoding that propagates clues makes clauses for each board (``models.reduced``): a new solver loads them, nothing of
the board is left to be assumed, and what forbids a grid needs no activation literal.

If no decision is left on the trail when a grid is found, unit propagation led there, so there is no other and the
second query is left out. It is taken as proven where the solver made no decision at all or, with the options
of ``_solver``, no more decisions than it had conflicts (each conflict undoes one at least). That is sound only where
the solver really counts decisions: each solver is calibrated once on tiny formulas (``_decisions_when_forced``), and
where the test fails the shortcut is not taken.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from gridproof.backends.blocking import check_names, value_of
from gridproof.backends.guarding import EndableBackend
from gridproof.backends.protocol import Backend, Incremental, Package, Session, Statistics
from gridproof.backends.solvers.pysat._solver import NO_SETTINGS, Solver, loaded, quirks_of, trial
from gridproof.errors import BackendUnavailable, Interrupted
from gridproof.limits import NO_LIMITS, Limits, Watch, watched
from gridproof.models.clauses import Clauses, Cnf
from gridproof.models.targets.cnf import LargeModel
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid

_CONTRADICTION = ((1, 2), (1, -2), (-1, 2), (-1, -2))


class PySat(EndableBackend):
    """A PySAT solver.

    Parameters
    ----------
    name
        Its name in PySAT.
    solver
        The alias by which PySAT finds it, if not its name.
    aliases
        All its aliases.

    Examples
    --------
    >>> PySat("cadical153").no_proofs() is None
    True
    """

    family = "sat"
    accepts = "cnf"
    package = Package("pysat", "python-sat", "python-sat")
    largest_short = 9  # each question takes milliseconds

    def __init__(self, name: str, solver: str | None = None, aliases: Iterable[str] = ()) -> None:
        self.name = name
        self.solver = solver or name
        self.aliases = tuple(alias for alias in aliases if alias != name)
        quirks = quirks_of(self.solver)
        self.summary = f"{name} through PySAT{', a new solver for each question' * quirks.fresh}"
        self.origin = quirks.origin
        self.seed_option = "seed" if "seed" in quirks.settings else None

    def _read(self, options: Mapping[str, str]) -> Mapping[str, Any]:
        known = quirks_of(self.solver).settings
        if not known:
            return super()._read(options)
        check_names(self.name, options, known)
        settings = {}
        for name, text in options.items():
            low, high = known[name]
            value = value_of(text)
            if not isinstance(value, int) or not low <= value <= high:
                place = f"{self.name}: {name} = {text!r}"
                raise BackendUnavailable(f"{place}; expected a whole number from {low} to {high}")
            settings[name] = int(value)
        return settings

    def unavailable(self) -> str | None:
        return super().unavailable() or _unavailable(self.solver)

    def open_here(self, model: Cnf | LargeModel) -> Session:
        if isinstance(model, LargeModel):
            return LargeSession(self.solver, model, self.options)
        return PySatSession(self.solver, model, self.options)

    def _open(self, model: Cnf | LargeModel) -> Session:
        return self.open_here(model) if quirks_of(self.solver).stoppable else super()._open(model)

    def no_incremental(self) -> str | None:
        quirks = quirks_of(self.solver)
        if quirks.fresh:
            return "it takes no assumptions, and each question needs a new solver"
        if not quirks.counts:
            return "it does not count its decisions and conflicts"
        return self.unavailable() or (None if quirks.stoppable else "it cannot be stopped to go on later")

    def incremental(self, clauses: Iterable[Sequence[int]]) -> Incremental:
        if reason := self.no_incremental():
            raise BackendUnavailable(f"{self.name}: {reason}")
        return loaded(self.solver, clauses, settings=self.options)

    def no_proofs(self) -> str | None:
        if not quirks_of(self.solver).stoppable:
            return "it cannot be stopped"
        return self.unavailable() or quirks_of(self.solver).rejected or cannot_log(self.solver)

    def refute(self, clauses: Sequence[Sequence[int]], limits: Limits = NO_LIMITS) -> list[str] | None:
        if reason := self.no_proofs():
            raise BackendUnavailable(f"{self.name}: {reason}")
        with Solver(self.solver, clauses, settings=self.options, with_proof=True) as proving:
            return None if proving.solve((), Watch(limits)) else proving.proof()


@lru_cache(maxsize=64)
def _unavailable(solver: str) -> str | None:
    """Return the reason why the installed PySAT cannot run a solver, found out by running it on a clause."""
    answer, problem = trial(solver, [[1]], lambda tried: tried.step([], 1))
    if answer:
        return None
    if not problem:
        return "it finds no model of a single unit clause"
    if install := quirks_of(solver).install:
        return f"it is not installed ({install})"
    return f"this PySAT cannot run it ({problem})"


@lru_cache(maxsize=64)
def cannot_log(solver: str) -> str | None:
    """Return the reason why a solver logs no proofs, right or wrong, or ``None`` if it does."""
    _, problem = trial(solver, _CONTRADICTION, lambda tried: (tried.step([], 10), tried.proof()), with_proof=True)
    return "it logs no proofs" if problem else None


def backends() -> Iterable[Backend]:
    """Return a backend for each solver that the installed PySAT names."""
    from pysat.solvers import SolverNames

    known = {name: aliases for name, aliases in vars(SolverNames).items() if isinstance(aliases, tuple)}
    # not every name stands among its own aliases, by which alone PySAT finds a solver
    return [
        PySat(name, name if name in aliases else aliases[0], aliases)
        for name, aliases in known.items()
        if not name.startswith("_")
    ]


RENEW_AFTER = 1000
"""Boards that one solver serves before a session loads a new one."""

_FIGURES = ("decisions", "conflicts", "propagations", "restarts")


class _SolverSession(Session):
    """The common part of the sessions below: a solver's name, its counters, and the question to it."""

    _solver: Solver | None = None
    _forced: int | None = None

    def __init__(self, solver: str, model: Cnf | LargeModel, settings: Mapping[str, int] = NO_SETTINGS) -> None:
        super().__init__(model.problem)
        self._name, self._settings = solver, settings
        self._seconds = 0.0
        self._before: Mapping[str, int] = {}
        self._after: Mapping[str, int] = {}

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

    def _ask(self, solver: Solver, assumptions: list[int], watch: Watch) -> bool:
        watch.before_search()
        try:
            return solver.solve(assumptions, watch)
        finally:
            self._after = solver.counters()
            self._seconds = watch.elapsed


class PySatSession(_SolverSession):
    """One solver with the clauses of all boards loaded."""

    def __init__(self, solver: str, model: Cnf, settings: Mapping[str, int] = NO_SETTINGS) -> None:
        super().__init__(solver, model, settings)
        self._model, self._quirks = model, quirks_of(solver)
        # with a user's settings there may be more in its decisions and conflicts
        if not self._quirks.fresh and not settings:
            self._forced = _decisions_when_forced(solver)
        self._renew()

    def _renew(self) -> Solver:
        self._drop()
        self._solver = loaded(self._name, self._model.clauses, settings=self._settings)
        self._activations = self._model.activations()
        self._boards = 0
        return self._solver

    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        watch, model, solver = Watch(limits), self._model, self._solver
        if solver is None or self._boards >= RENEW_AFTER:
            solver = self._renew()
        self._boards += 1
        self._seconds = 0.0
        self._before = self._after = solver.counters()
        assumptions = model.literals(board)
        active = 0
        try:
            while self._ask(solver, assumptions, watch):
                grid = model.decode(solver.model())
                watch.before_next_solution()
                # with no assumption at all a solver may guess a model without counting decisions
                proven = bool(assumptions) and self._no_decision_left()
                yield grid
                if proven:
                    return
                if not active:
                    active = next(self._activations)
                    assumptions.append(active)
                solver.add([*model.blocking_clause(grid, board), -active])
        finally:
            # leave nothing of the board behind
            if solver.broken or (active and self._quirks.fresh):
                self._renew()
            elif active:
                solver.add([-active])

    def _no_decision_left(self) -> bool:
        if self._forced is None:
            return False
        decisions = self._after["decisions"] - self._before["decisions"] - self._forced
        if not self._quirks.options:
            return decisions == 0
        # Without inprocessing all conflicts are of the search, where each undoes at least one decision.
        return decisions == self._after["conflicts"] - self._before["conflicts"]


class LargeSession(_SolverSession):
    """A solver for each board, with what propagation leaves of it loaded."""

    def __init__(self, solver: str, model: LargeModel, settings: Mapping[str, int] = NO_SETTINGS) -> None:
        super().__init__(solver, model, settings)
        self._encoding = model.encoding

    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        from gridproof.models.propagation import reduce
        from gridproof.models.reduced import compile_reduction

        watch = Watch(limits)
        self._seconds = 0.0
        self._before = self._after = dict.fromkeys(_FIGURES, 0)
        try:
            with watched(watch):
                reduction = reduce(board, watch)
            self._seconds = watch.elapsed
            if reduction.contradiction:
                return
            if reduction.grid is not None:
                watch.before_next_solution()
                yield reduction.grid
                return
            with watched(watch):
                clauses = compile_reduction(reduction, self._encoding)
            self._solver = solver = loaded(self._name, _watched(clauses, watch), alone=True, settings=self._settings)
            solver.prefer(range(1, reduction.candidate_count + 1))
            while self._ask(solver, [], watch):
                grid = clauses.decode(solver.model())
                watch.before_next_solution()
                yield grid
                solver.add(clauses.blocking_clause(grid))
        except Interrupted:
            self._seconds = watch.elapsed
            raise
        finally:
            self._drop()


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
    """Return the decisions that the solver counts where propagation alone finds the model; ``None`` if unknown.

    Some count the look for a variable that finds none left. Trusted only if the count is the same whatever the
    formula and the assumptions, and more where something is left to decide.
    """
    forced = {count for formula, assumptions in _FORCED for count in _decisions(solver, formula, assumptions)}
    left_open = {count for formula, assumptions in _OPEN for count in _decisions(solver, formula, assumptions)}
    return min(forced) if len(forced) == 1 and min(forced) >= 0 and min(left_open) > min(forced) else None


def _decisions(solver: str, formula: Sequence[Sequence[int]], assumptions: list[int]) -> list[int]:
    """Return the decisions of three solves in a row, -1 where they are not counted. The later ones must count, too."""
    counts = []
    with Solver(solver, formula) as tried:
        for _ in range(3):
            before = tried.counters().get("decisions", 0)
            tried.solve(assumptions)
            counts.append(tried.counters().get("decisions", -1) - before)
    return counts
