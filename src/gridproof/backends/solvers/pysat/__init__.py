"""Every SAT solver that the installed PySAT brings, as a backend by its PySAT name.

A session loads the rules once. A board's clues are assumptions; a clause that forbids a grid already found carries an
activation literal, and when the board is done that literal is made false for good: nothing of the board is left.
Because retired clauses slow a solver down, the session loads a new solver every ``RENEW_AFTER`` boards.

An encoding that propagates clues makes clauses for each board (``models.reduced``): a new solver loads them, nothing of
the board is left to be assumed, and what forbids a grid needs no activation literal.

If no decision is left on the trail when a grid is found, unit propagation led there, so there is no other and the
second query is left out. It is taken as proven where the solver made no decision at all or, with the options
of ``_solver``, no more decisions than it had conflicts (each conflict undoes one at least). That is sound only where
the solver really counts decisions: ``Quirks.forced`` has what each counts then, and tests hold the table to tiny
formulas; where it has nothing, the shortcut is not taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from gridproof.backends.blocking import BlockingSession, M
from gridproof.backends.isolation import EndableBackend
from gridproof.backends.protocol import Backend, HintedStep, Incremental, Package, Session, Statistics, Values
from gridproof.backends.solvers.pysat._hints import HintingSolver, fails_to_hint
from gridproof.backends.solvers.pysat._solver import FreshSolver, Solver, quirks_of, trial
from gridproof.errors import BackendUnavailable
from gridproof.limits import NO_LIMITS, Limits, Watch, watched
from gridproof.models.clauses import Clauses, Cnf
from gridproof.models.targets.cnf import LargeModel
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple

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
    grace = None
    largest_short = 9  # each question takes milliseconds

    def __init__(self, name: str, solver: str | None = None, aliases: Iterable[str] = ()) -> None:
        self.name = name
        self.solver = solver or name
        self.aliases = tuple(alias for alias in aliases if alias != name)
        self.quirks = quirks = quirks_of(self.solver)
        self.summary = f"{name} through PySAT{', a new solver for each question' * quirks.fresh}"
        self.origin = quirks.origin
        self.seed_option = "seed" if "seed" in quirks.settings else None

    def _known_options(self) -> Mapping[str, Values]:
        return self.quirks.settings

    def unavailable(self) -> str | None:
        reason = super().unavailable()
        if reason:
            return reason
        satisfiable, problem = trial(self.solver, ((1,),))  # the installed PySAT may name solvers that it cannot run
        if problem and self.quirks.install:
            return f"it is not installed ({self.quirks.install})"
        return None if satisfiable else f"this PySAT cannot run it ({problem or 'it finds no model of a unit clause'})"

    def open_here(self, model: Cnf | LargeModel) -> Session:
        return LargeSession(self, model) if isinstance(model, LargeModel) else PySatSession(self, model)

    def _open(self, model: Cnf | LargeModel) -> Session:
        return self.open_here(model) if self.quirks.stoppable else super()._open(model)

    def loaded(self, clauses: Iterable[Sequence[int]], **options: Any) -> Solver:
        """Return a solver with clauses loaded; ``options`` as for ``Solver``."""
        return (FreshSolver if self.quirks.fresh else Solver)(self.solver, clauses, settings=self.options, **options)

    def no_incremental(self) -> str | None:
        if self.quirks.fresh:
            return "it takes no assumptions, and each question needs a new solver"
        if not self.quirks.counts:
            return "it does not count its decisions and conflicts"
        return self.unavailable() or (None if self.quirks.stoppable else "it cannot be stopped to go on later")

    def incremental(self, clauses: Iterable[Sequence[int]], at_most_one: Iterable[Sequence[int]] = ()) -> Incremental:
        reason = self.no_incremental()
        if reason:
            raise BackendUnavailable(f"{self.name}: {reason}")
        return self.loaded(clauses, at_most_one=at_most_one)

    def no_proofs(self) -> str | None:
        if not self.quirks.stoppable:
            return "it cannot be stopped"
        reason = self.unavailable() or quirks_of(self.solver).rejected
        if reason:
            return reason
        return "it logs no proofs" if trial(self.solver, _CONTRADICTION, with_proof=True)[1] else None

    def refute(self, clauses: Sequence[Sequence[int]], limits: Limits = NO_LIMITS) -> list[str] | None:
        reason = self.no_proofs()
        if reason:
            raise BackendUnavailable(f"{self.name}: {reason}")
        with self.loaded(clauses, with_proof=True) as proving:
            return None if proving.solve((), Watch(limits)) else proving.proof()

    def no_hints(self) -> str | None:
        if not self.quirks.hints:
            return super().no_hints()
        return self.no_proofs() or fails_to_hint(self.solver)

    def refute_with_hints(
        self, clauses: Sequence[Sequence[int]], limits: Limits = NO_LIMITS
    ) -> list[HintedStep] | None:
        reason = self.no_hints()
        if reason:
            raise BackendUnavailable(f"{self.name}: {reason}")
        watch = Watch(limits)
        with HintingSolver(self.solver, clauses, alone=True, settings=self.options) as proving, watched(watch):
            return None if proving.solve((), watch) else proving.steps(len(clauses))


def backends() -> Iterable[Backend]:
    """Return a backend for each solver that the installed PySAT names."""
    from pysat.solvers import SolverNames

    found = []
    for name, aliases in vars(SolverNames).items():
        if isinstance(aliases, tuple) and not name.startswith("_"):
            # not every name stands among its own aliases, by which alone PySAT finds a solver
            solver = name if name in aliases else aliases[0]
            found.append(PySat(name, solver, aliases))
    return found


RENEW_AFTER = 1000
"""Boards that one solver serves before a session loads a new one."""

_FIGURES = ("decisions", "conflicts", "propagations", "restarts")


class _SolverSession(BlockingSession[M]):
    """The common part of the sessions below: the solver, its counters, and the question to it."""

    _forced: int | None = None

    def __init__(self, backend: PySat, model: M) -> None:
        super().__init__(model)
        self._backend, self._quirks = backend, backend.quirks
        self._solver: Any = None
        self._before: Mapping[str, int] = dict.fromkeys(_FIGURES, 0)

    def _drop(self) -> None:
        if self._solver is not None:
            self._solver.close()
            self._solver = None

    def close(self) -> None:
        super().close()
        self._drop()

    def _solve(self, assumptions: list[int], clauses: Clauses) -> SymbolTuple | None:
        """Return the grid of a model, ``None`` if there is none, and keep the solver's own counts."""
        solver = self._solver
        try:
            return clauses.decode(solver.model()) if solver.solve(assumptions, self._watch) else None
        finally:
            counts = {}
            after = solver.counters()
            if after:
                for name in _FIGURES:
                    counts[name] = after[name] - self._before[name]
                # what the solver counts for finding out that nothing is left to decide is no decision
                decisions = counts["decisions"] - (self._forced or 0)
                # Without inprocessing all conflicts are of the search, where each undoes at least one decision. With no
                # assumption at all a solver may guess a model without counting decisions.
                undone = counts["conflicts"] if self._quirks.options else 0
                self._last = self._forced is not None and bool(assumptions) and decisions == undone
                counts["decisions"] = max(decisions, 0)
            self._statistics = Statistics(**counts, seconds=self._watch.elapsed)


class PySatSession(_SolverSession[Cnf]):
    """One solver with the clauses of all boards loaded."""

    def __init__(self, backend: PySat, model: Cnf) -> None:
        super().__init__(backend, model)
        # with a user's options there may be more in its decisions and conflicts
        self._forced = None if backend.options else self._quirks.forced
        self._active = 0
        self._renew()

    def _renew(self) -> None:
        self._drop()
        self._solver = self._backend.loaded(self._model.clauses)
        self._activations = count(self._model.variable_count + 1)
        self._boards = 0

    def _begin(self, board: Board) -> None:
        if self._solver is None or self._boards >= RENEW_AFTER:
            self._renew()
        self._boards += 1
        self._before = self._solver.counters()
        self._assumptions = self._model.literals(board)

    def _ask(self) -> SymbolTuple | None:
        return self._solve(self._assumptions, self._model)

    def _forbid(self, grid: SymbolTuple, board: Board) -> None:
        if not self._active:
            self._active = next(self._activations)
            self._assumptions.append(self._active)
        self._solver.add([*self._model.blocking_clause(grid, board), -self._active])

    def _end(self) -> None:
        """Leave nothing of the board behind."""
        if self._solver.broken or (self._active and self._quirks.fresh):
            self._renew()
        elif self._active:
            self._solver.add([-self._active])
        self._active = 0


class LargeSession(_SolverSession[LargeModel]):
    """A solver for each board, with what propagation leaves of it loaded."""

    def _begin(self, board: Board) -> None:
        watch = self._watch
        try:
            with watched(watch):
                self._clauses = self._model.clauses_of(board)
        finally:
            self._add_figures(watch, **dict.fromkeys(_FIGURES, 0))
        self._reduction = reduction = self._clauses.reduction
        if not reduction.contradiction and reduction.candidate_count:
            self._solver = self._backend.loaded(_watched(self._clauses, watch), alone=True)
            self._solver.prefer(range(1, reduction.candidate_count + 1))

    def _ask(self) -> SymbolTuple | None:
        if self._solver is None:
            self._last = True
            return self._reduction.grid
        return self._solve([], self._clauses)

    def _forbid(self, grid: SymbolTuple, board: Board) -> None:
        self._solver.add(self._clauses.blocking_clause(grid))

    def _end(self) -> None:
        self._drop()


def _watched(clauses: Clauses, watch: Watch) -> Iterator[Sequence[int]]:
    """The clauses; millions of them take seconds to load, and these count."""
    for piece in clauses.pieces():
        watch.look()
        yield from piece
