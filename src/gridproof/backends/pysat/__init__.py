"""Every SAT solver that the installed PySAT brings, as a backend by its PySAT name.

A session loads the rules once. A board's clues are assumptions; a clause that forbids a grid already found carries an
activation literal, and when the board is done that literal is made false for good: nothing of the board is left.
Because retired clauses slow a solver down, the session loads a new solver every ``RENEW_AFTER`` boards.

If no decision is left on the trail when a grid is found, unit propagation led there, so there is no other and the
second query is not asked. It is taken as proven where the solver made no decision at all or, with the options
of ``_quirks``, no more decisions than it had conflicts (each conflict undoes one at least). That is sound only where
the solver really counts decisions: each solver is calibrated once on tiny formulas (``_decisions_when_forced``), and
where the test fails the shortcut is not taken.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from importlib import metadata, util
from typing import ClassVar

from gridproof.backends._guarded import GuardedSession
from gridproof.backends._settings import check_names, value_of
from gridproof.backends.capabilities import Incremental
from gridproof.backends.protocol import Backend, Family, Session, Target
from gridproof.backends.pysat._quirks import quirks_of
from gridproof.backends.pysat._session import PySatSession
from gridproof.backends.pysat._solver import loaded
from gridproof.errors import BackendUnavailable
from gridproof.limits import NO_LIMITS, Limits
from gridproof.models.large import LargeModel
from gridproof.models.targets.cnf import Cnf

LARGEST_SHORT = 9
"""The largest order of boards for whose end Ctrl-C can wait: each question takes milliseconds."""


class PySat(Backend):
    """A PySAT solver by its name; ``solver`` is the alias by which PySAT finds it."""

    family: ClassVar[Family] = "sat"
    accepts: ClassVar[Target] = "cnf"

    def __init__(
        self,
        name: str,
        solver: str | None = None,
        aliases: Iterable[str] = (),
        settings: Mapping[str, int] | None = None,
    ) -> None:
        self.name = name
        self.solver = solver or name
        self.aliases = tuple(alias for alias in aliases if alias != name)
        self.settings = dict(settings or {})
        self.seed_option = "seed" if "seed" in quirks_of(self.solver).settings else None

    @property
    def summary(self) -> str:  # type: ignore[override]
        fresh = ", a new solver for each question" if quirks_of(self.solver).fresh else ""
        return f"{self.name} through PySAT{fresh}"

    @property
    def version(self) -> str:
        return metadata.version("python-sat")

    def _configured(self, options: Mapping[str, str]) -> Backend:
        known = quirks_of(self.solver).settings
        if not known:
            return super()._configured(options)
        check_names(self.name, options, known)
        settings = {}
        for name, text in options.items():
            low, high = known[name]
            value = value_of(text)
            if not isinstance(value, int) or not low <= value <= high:
                raise BackendUnavailable(
                    f"{self.name}: {name} = {text!r}; expected a whole number from {low} to {high}"
                )
            settings[name] = int(value)
        return PySat(self.name, self.solver, settings=settings)

    def unavailable(self) -> str | None:
        if util.find_spec("pysat") is None:
            return "python-sat is not installed (pip install python-sat)"
        return _unavailable(self.solver)

    def _open(self, model: Cnf | LargeModel) -> Session:
        session = PySatSession(self.solver, model, self.settings)
        if quirks_of(self.solver).stoppable:
            return session
        opener, short = partial(PySatSession, self.solver), model.geometry.order <= LARGEST_SHORT
        return GuardedSession(self.name, opener, model, session, short=short)

    def no_incremental(self) -> str | None:
        quirks = quirks_of(self.solver)
        if quirks.fresh:
            return "it takes no assumptions, and each question needs a new solver"
        if not quirks.counts:
            return "it does not tell its decisions and conflicts"
        return self.unavailable() or (None if quirks.stoppable else "it cannot be stopped to go on later")

    def incremental(self, clauses: Iterable[Sequence[int]]) -> Incremental:
        if reason := self.no_incremental():
            raise BackendUnavailable(f"{self.name}: {reason}")
        return loaded(self.solver, clauses, settings=self.settings)

    def no_proofs(self) -> str | None:
        from gridproof.backends.pysat._proofs import cannot_log

        return self.unavailable() or quirks_of(self.solver).rejected or cannot_log(self.solver)

    def refute(self, clauses: Sequence[Sequence[int]], limits: Limits = NO_LIMITS) -> list[str] | None:
        from gridproof.backends.pysat._proofs import refute

        if reason := self.no_proofs():
            raise BackendUnavailable(f"{self.name}: {reason}")
        return refute(self.name, self.solver, clauses, limits, self.settings)


@lru_cache(maxsize=64)
def _unavailable(solver: str) -> str | None:
    """Why the installed PySAT cannot run a solver, found out by running it on a clause."""
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None  # a solver that PySAT half built complains when freed
    try:
        with loaded(solver, [[1]]) as tried:
            return None if tried.step([], 1) else "it finds no model of a single unit clause"
    except Exception as problem:
        if install := quirks_of(solver).install:
            return f"it is not installed ({install})"
        return f"this PySAT cannot run it ({type(problem).__name__}: {problem})"
    finally:
        sys.unraisablehook = hook


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


__all__ = ["PySat", "PySatSession", "backends"]
