"""PySAT's solvers under one face: made with the options we want, asked within limits, let go of when they broke."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, Self

from gridproof.errors import BackendFailure, Interrupted
from gridproof.limits import Watch
from gridproof.runs.interrupts import PysatsHandlerOff, ctrl_c_waits

_FIRST_SLICE = 500
"""Conflicts of the first slice of a solve under a time limit; later slices aim at ``_SLICE_SECONDS``."""

_SLICE_SECONDS = 0.05

_SLICE = 2000
"""Conflicts of a slice without a time limit, where slices are there for Ctrl-C: a number that does not depend on the
clock, so that the same questions get the same answers. Fewer would keep CaDiCaL from changing its strategy, which it
does after 1,000 conflicts. With these, Latin squares of order 40 to 50 took no longer than in one piece; a slice takes
10 ms at order 9 and up to 0.5 s at order 49."""

_LARGEST_BUDGET = 2**30
"""Conflicts: what every solver's counter can hold."""


_NONE: Mapping[str, int] = {}
_COUNTED = {"inprocessing": 0, "chrono": 0, "lucky": 0}
OPTIONS = {"cadical153": _COUNTED, "cadical195": _COUNTED}
"""No inprocessing: conflicts and decisions of the search are counted and no others. No chronological backtracking: 5
to 8 % faster here. No lucky phases: models found by guesses that are not counted as decisions."""


ALONE: Mapping[str, Mapping[str, int]] = {name: {"forcephase": 1} for name in OPTIONS}
"""Further options for a board that is compiled alone: decisions always set a candidate to true. On hard boards of order
64 and 100 that took 4 to 33 seconds where the default was stopped unfinished at 20."""


def new_solver(name: str, clauses: Iterable[Sequence[int]], settings: Mapping[str, int] = _NONE, **options: Any) -> Any:
    """A PySAT solver with these clauses; ``settings`` go to a solver that can be configured beyond ``OPTIONS``."""
    from pysat.solvers import Solver as PySatSolver

    with ctrl_c_waits():  # a solver that PySAT half made complains when it is freed
        owner = PySatSolver(name=name, **options)
    if name in OPTIONS:
        owner.solver.configure({**OPTIONS[name], **settings})
    deque(map(owner.solver.add_clause, clauses), maxlen=0)
    return owner


def is_fresh(name: str) -> bool:
    """Whether the solver answers one question only, so that each needs a new one."""
    return name.startswith("kissat")


def is_stoppable(name: str) -> bool:
    """Whether the solver stops after so many conflicts, and goes on when it is asked again."""
    return not is_fresh(name) and name != "lingeling"


class Solver:
    """One PySAT solver with clauses loaded that takes more clauses and assumptions: the usual, incremental kind.

    broken: an error left it in the middle, and it takes no more calls. slice: conflicts between two moments at which
    Ctrl-C is delivered, without a time limit.
    """

    broken = False

    def __init__(self, name: str, clauses: Iterable[Sequence[int]], **options: Any) -> None:
        self.name = name
        self.slice = _SLICE if is_stoppable(name) else _LARGEST_BUDGET
        self._owner: Any = new_solver(name, clauses, **options)
        # the solver proper; its owner only passes every call on, and frees it when nobody holds the owner any more
        self._solver = self._owner.solver

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.delete()

    def add(self, clause: Sequence[int]) -> None:
        self._solver.add_clause(clause)

    def prefer(self, literals: Iterable[int]) -> None:
        """Have decisions make these literals true, in solvers that let themselves be told one by one."""
        with suppress(NotImplementedError):
            self._solver.set_phases(list(literals))

    def solve(self, assumptions: list[int]) -> bool:
        """Whether there is a model."""
        answer = None
        while answer is None:
            answer = self.solve_limited(assumptions, self.slice)
        return answer

    def solve_limited(self, assumptions: list[int], conflicts: int) -> bool | None:
        """``None`` if so many conflicts (or somewhat more: some solvers look only at restarts) did not suffice."""
        try:
            with PysatsHandlerOff():
                answer = self._within(assumptions, conflicts)
        except Exception:
            self.abandon()
            raise
        return answer

    def _within(self, assumptions: list[int], conflicts: int) -> bool | None:
        answer: bool | None
        if self.name == "lingeling":  # it cannot be told beforehand
            before = self.counters()["conflicts"]
            answer = bool(self._solver.solve(assumptions))
            return answer if self.counters()["conflicts"] - before <= conflicts else None
        self._solver.conf_budget(conflicts)
        answer = self._solver.solve_limited(assumptions)
        return answer

    def model(self) -> list[int]:
        """The literals that are true in the model of the last solve, by variable from 1."""
        model: list[int] = self._solver.get_model()
        return model

    def core(self) -> list[int]:
        """Assumptions of the last solve, which found no model, that cannot all be true."""
        core: list[int] = self._solver.get_core() or []
        return core

    def counters(self) -> dict[str, int]:
        """What it counted since it was made; nothing from a solver that was left in the middle."""
        counters: dict[str, int] = {} if self.broken else self._solver.accum_stats() or {}
        return counters

    def delete(self) -> None:
        """Free it; no more calls."""
        with ctrl_c_waits():  # PySAT would free once more what an exception in between leaves noted as not freed
            if self._owner is not None:
                self._owner.delete()
            self._owner = self._solver = None

    def abandon(self) -> None:
        """Let go of a solver that was left in the middle: any call, and even to free it, may crash the process."""
        self.broken = True
        self._solver.delete = _nothing
        self._owner.delete = _nothing


def _nothing() -> None:
    pass


class FreshSolver(Solver):
    """A solver that takes neither assumptions nor, once it has solved, clauses: each question loads a new one."""

    def __init__(self, name: str, clauses: Iterable[Sequence[int]], **options: Any) -> None:
        self.name = name
        self.slice = _LARGEST_BUDGET
        self._clauses = list(clauses)
        self._options = options
        self._owner = self._solver = None

    def prefer(self, literals: Iterable[int]) -> None:
        pass

    def add(self, clause: Sequence[int]) -> None:
        self._clauses.append(clause)

    def solve_limited(self, assumptions: list[int], conflicts: int) -> bool | None:
        self._load(assumptions)
        return super().solve_limited([], conflicts)

    def _load(self, assumptions: list[int]) -> None:
        self.delete()
        self._owner = new_solver(self.name, [*self._clauses, *([literal] for literal in assumptions)], **self._options)
        self._solver = self._owner.solver

    def counters(self) -> dict[str, int]:
        return {}


def loaded(name: str, clauses: Iterable[Sequence[int]], **options: Any) -> Solver:
    """A solver of the kind that the name asks for."""
    return (FreshSolver if is_fresh(name) else Solver)(name, clauses, **options)


def ask_in_slices(solver: Solver, assumptions: list[int], watch: Watch) -> bool:
    """Whether there is a model; asked in slices of conflicts, between which the clock is looked at.

    A solver that cannot be stopped is asked once: it keeps a limit of conflicts, if any. Raises ``Interrupted``.
    """
    if watch.deadline is None and watch.limits.conflicts is None:
        return solver.solve(assumptions)
    timed = watch.deadline is not None and is_stoppable(solver.name)
    slice_ = _FIRST_SLICE if timed else solver.slice
    while True:
        watch.look()
        left = watch.conflicts_left()
        if left == 0:  # some solvers look at their budget so rarely that they answered in spite of it
            raise Interrupted("conflicts", watch.limits.conflicts)
        budget = slice_ if left is None else min(slice_, left)
        before, started = solver.counters().get("conflicts", 0), monotonic()
        answer = solver.solve_limited(assumptions, budget)
        # a solver that does not tell its conflicts used up what it was given if it has no answer
        spent = solver.counters().get("conflicts", before + (budget if answer is None else 0)) - before
        watch.conflicts += spent
        if answer is not None:
            return answer
        if left is not None and spent >= left:
            raise Interrupted("conflicts", watch.limits.conflicts)
        if timed:
            aim = _SLICE_SECONDS / max(monotonic() - started, 1e-6)
            slice_ = max(1, min(4 * budget, int(budget * aim), _LARGEST_BUDGET))


def failure(name: str, problem: Exception) -> BackendFailure:
    """What to raise for an exception that came out of the solver of the backend ``name``."""
    return BackendFailure(f"{name}: {type(problem).__name__}: {problem}")
