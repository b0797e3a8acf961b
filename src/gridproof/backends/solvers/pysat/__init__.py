"""Every SAT solver that the installed PySAT brings, as a backend by its PySAT name.

A session loads the rules once. A board's clues are assumptions; a clause that forbids a grid already found carries an
activation literal, and when the board is done that literal is made false for good: nothing of the board is left.
Because retired clauses slow a solver down, the session loads a new solver every ``RENEW_AFTER`` boards.

If no decision is left on the trail when a grid is found, unit propagation led there, so there is no other and the
second query is left out. It is taken as proven where the solver made no decision at all or, with the options
of ``_solver``, no more decisions than it had conflicts (each conflict undoes one at least). That is sound only where
the solver really counts decisions: each solver is calibrated once on tiny formulas (``_decisions_when_forced``), and
where the test fails the shortcut is not taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import inf
from time import monotonic
from typing import Any

from gridproof.backends.blocking import check_names, value_of
from gridproof.backends.capabilities import Incremental
from gridproof.backends.guarding import EndableBackend, may_be_ended
from gridproof.backends.protocol import Backend, Package, Session
from gridproof.backends.solvers.pysat._session import LargeSession, PySatSession
from gridproof.backends.solvers.pysat._solver import Solver, loaded, quirks_of, trial
from gridproof.errors import BackendFailure, BackendUnavailable, Interrupted
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.models.large import LargeModel
from gridproof.models.targets.cnf import Cnf

_MOST_CLAUSES_HERE = 20_000
"""Clauses, a few more than a 9x9 board has, that are refuted in a moment."""

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
        self.origin = quirks_of(self.solver).origin
        self.seed_option = "seed" if "seed" in quirks_of(self.solver).settings else None

    @property
    def summary(self) -> str:  # type: ignore[override]
        fresh = ", a new solver for each question" if quirks_of(self.solver).fresh else ""
        return f"{self.name} through PySAT{fresh}"

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
        return self.unavailable() or quirks_of(self.solver).rejected or cannot_log(self.solver)

    def refute(self, clauses: Sequence[Sequence[int]], limits: Limits = NO_LIMITS) -> list[str] | None:
        """See ``Proofs.refute``. A solver that cannot be stopped works in a process of its own if it may have to be."""
        if reason := self.no_proofs():
            raise BackendUnavailable(f"{self.name}: {reason}")
        short = len(clauses) <= _MOST_CLAUSES_HERE
        if quirks_of(self.solver).stoppable or not may_be_ended(limits, short=short):
            return self.refute_here(clauses, limits)
        from gridproof.runs.calls import ChildDied, ChildExecutor  # which is rarely needed

        until = inf if limits.seconds is None else monotonic() + limits.seconds
        try:
            with ChildExecutor(1) as child:
                proof: list[str] | None
                proof = child.call(self.refute_here, list(clauses), Limits(conflicts=limits.conflicts), until=until)
                return proof
        except TimeoutError:
            raise Interrupted("seconds", limits.seconds) from None
        except ChildDied as problem:
            raise BackendFailure(f"{self.name}: its process ended without an answer") from problem

    def refute_here(self, clauses: Sequence[Sequence[int]], limits: Limits) -> list[str] | None:
        """Refute clauses in this process, by a solver that has loaded nothing else."""
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


__all__ = ["PySat", "PySatSession", "backends"]
