"""Every SAT solver that the installed PySAT brings, as a backend by its PySAT name.

A session loads the rules once. A board's clues are assumptions; a clause that forbids a grid already found carries an
activation literal, and when the board is done that literal is made false for good: nothing of the board is left.
Because retired clauses slow a solver down, the session loads a new solver every ``RENEW_AFTER`` boards.

If no decision is left on the trail when a grid is found, unit propagation led there, so there is no other and the
second query is not asked. It is taken as proven where the solver made no decision at all or, with the options of
``OPTIONS``, no more decisions than it had conflicts (each conflict undoes one at least). That is sound only where the
solver really counts decisions: each solver is calibrated once on tiny formulas (``_decisions_when_forced``), and where
the test fails the shortcut is not taken.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable, Sequence
from functools import lru_cache, partial
from importlib import metadata, util
from typing import ClassVar, Literal

from gridproof.backends._guarded import GuardedSession
from gridproof.backends._pysat_solvers import OPTIONS, Solver, ask_in_slices, failure, is_fresh, is_stoppable, loaded
from gridproof.backends.protocol import Backend, Session, Statistics, Target
from gridproof.errors import BackendUnavailable, Interrupted
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.models.large import LargeModel
from gridproof.models.targets.cnf import Cnf
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid

_LARGEST_HERE = 9
"""The largest order of boards without further rules that stay in this process without a time limit, if the solver
cannot be stopped: each question takes milliseconds."""

RENEW_AFTER = 1000
"""Boards that one solver serves before a session loads a new one."""


class PySatSession(Session):
    """One solver with the rules loaded; see the module's docstring for how boards come and go."""

    def __init__(self, backend: PySat, cnf: Cnf) -> None:
        super().__init__(cnf.problem)
        self._backend = backend
        self._cnf = cnf
        self._forced = None if backend.fresh else _decisions_when_forced(backend.solver)
        self._seconds = 0.0
        self._load()

    def _load(self) -> None:
        self._solver = loaded(self._backend.solver, self._cnf.clauses)
        self._activations = self._cnf.activations()
        self._boards = 0
        self._before: dict[str, int] = {}
        self._after: dict[str, int] = {}

    def _renew(self) -> None:
        self._solver.delete()
        self._load()

    def close(self) -> None:
        super().close()
        self._solver.delete()

    @property
    def statistics(self) -> Statistics:
        if not self._after:
            return Statistics(seconds=self._seconds)
        after, before = self._after, self._before
        # what the solver counts for finding out that nothing is left to decide is no decision
        decisions = after["decisions"] - before["decisions"] - (self._forced or 0)
        return Statistics(
            decisions if decisions > 0 else 0,
            after["conflicts"] - before["conflicts"],
            after["propagations"] - before["propagations"],
            after["restarts"] - before["restarts"],
            seconds=self._seconds,
        )

    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        if self._boards >= RENEW_AFTER:
            self._renew()
        self._boards += 1
        watch = Watch(limits)
        self._seconds = 0.0
        self._before = self._after = self._solver.counters()
        assumptions = self._cnf.literals(board)
        active = 0
        try:
            while True:
                watch.before_search()
                if not self._ask(assumptions, watch):
                    return
                grid = self._cnf.decode(self._solver.model())
                watch.before_next_solution()
                # with no assumption at all a solver may guess a model without counting decisions
                proven = bool(assumptions) and self._no_decision_left()
                yield grid
                if proven:
                    return
                if not active:
                    active = next(self._activations)
                    assumptions.append(active)
                self._solver.add([*self._cnf.blocking_clause(grid, board), -active])
        finally:
            self._retire(active)

    def _ask(self, assumptions: list[int], watch: Watch) -> bool:
        """Whether there is a (further) model. Raises ``Interrupted``, ``BackendFailure`` or ``KeyboardInterrupt``."""
        try:
            return ask_in_slices(self._solver, assumptions, watch)
        except Interrupted:
            raise
        except Exception as problem:
            raise failure(self._backend.name, problem) from problem
        finally:
            self._after = self._solver.counters()
            self._seconds = watch.elapsed

    def _no_decision_left(self) -> bool:
        if self._forced is None:
            return False
        decisions = self._after["decisions"] - self._before["decisions"] - self._forced
        if self._backend.solver not in OPTIONS:
            return decisions == 0
        # Without inprocessing all conflicts are of the search, where each undoes at least one decision.
        return decisions == self._after["conflicts"] - self._before["conflicts"]

    def _retire(self, active: int) -> None:
        """Leave nothing of a board behind."""
        if self._solver.broken or (active and self._backend.fresh):
            self._renew()
        elif active:
            self._solver.add([-active])


class PySat(Backend):
    """A PySAT solver by its name; ``solver`` is the alias by which PySAT finds it."""

    family: ClassVar[Literal["sat", "cp", "search"]] = "sat"
    accepts: ClassVar[Target] = "cnf"

    def __init__(self, name: str, solver: str | None = None, aliases: Iterable[str] = ()) -> None:
        self.name = name
        self.solver = solver or name
        self.aliases = tuple(alias for alias in aliases if alias != name)

    @property
    def fresh(self) -> bool:
        """Whether each question needs a new solver, because it takes no assumptions."""
        return is_fresh(self.solver)

    @property
    def stoppable(self) -> bool:
        """Whether it can be asked to stop after so many conflicts, and then to go on."""
        return is_stoppable(self.solver)

    @property
    def summary(self) -> str:  # type: ignore[override]
        return f"{self.name} through PySAT" + (", a new solver for each question" if self.fresh else "")

    @property
    def version(self) -> str:
        return metadata.version("python-sat")

    def unavailable(self) -> str | None:
        if util.find_spec("pysat") is None:
            return "python-sat is not installed (pip install python-sat)"
        return _unavailable(self.solver)

    def _open(self, model: Cnf | LargeModel) -> Session:
        session = _session(self, model)
        if self.stoppable:
            return session
        short = model.problem.geometry.order <= _LARGEST_HERE and not model.problem.rules
        return GuardedSession(self.name, partial(_session, self), model, session, short=short)

    def no_proofs(self) -> str | None:
        from gridproof.backends._pysat_proofs import no_proofs

        return self.unavailable() or no_proofs(self.solver)

    def refute(self, clauses: Sequence[Sequence[int]], limits: Limits = NO_LIMITS) -> list[str] | None:
        from gridproof.backends._pysat_proofs import refute

        if reason := self.no_proofs():
            raise BackendUnavailable(f"{self.name}: {reason}")
        return refute(self, clauses, limits)


def _session(backend: PySat, model: Cnf | LargeModel) -> Session:
    if isinstance(model, Cnf):
        return PySatSession(backend, model)
    from gridproof.backends._pysat_boards import BoardSession

    return BoardSession(backend, model)


@lru_cache(maxsize=64)
def _unavailable(solver: str) -> str | None:
    """Why the installed PySAT cannot run a solver, found out by running it on a clause."""
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None  # a solver that PySAT half built complains when freed
    try:
        with loaded(solver, [[1]]) as tried:
            return None if tried.solve([]) else "it finds no model of a single unit clause"
    except Exception as problem:
        return f"this PySAT cannot run it ({type(problem).__name__}: {problem})"
    finally:
        sys.unraisablehook = hook


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


def backends() -> Iterable[Backend]:
    """A backend for each solver that the installed PySAT knows by name."""
    if util.find_spec("pysat") is None:
        return []
    from pysat.solvers import SolverNames

    known = {name: aliases for name, aliases in vars(SolverNames).items() if isinstance(aliases, tuple)}
    # not every name stands among its own aliases, by which alone PySAT finds a solver
    return [
        PySat(name, name if name in aliases else aliases[0], aliases)
        for name, aliases in known.items()
        if not name.startswith("_")
    ]
