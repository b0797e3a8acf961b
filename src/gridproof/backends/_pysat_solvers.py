"""PySAT's solvers under one face: made with the options we want, asked within limits, let go of when they broke."""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, Self

from gridproof.errors import BackendFailure, Interrupted
from gridproof.limits import Watch
from gridproof.runs.interrupts import ctrl_c_waits

_FIRST_SLICE = 500
"""Conflicts of the first slice of a solve under a time limit; later slices aim at ``_SLICE_SECONDS``."""

_SLICE_SECONDS = 0.05

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


class Solver:
    """One PySAT solver with clauses loaded that takes more clauses and assumptions: the usual, incremental kind.

    broken: it was left in the middle (by Ctrl-C) and takes no more calls.
    """

    broken = False

    def __init__(self, name: str, clauses: Iterable[Sequence[int]], **options: Any) -> None:
        self.name = name
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
        try:
            return bool(self._solver.solve(assumptions))
        except BaseException as problem:
            self._left_in_the_middle(problem)
            raise

    def solve_limited(self, assumptions: list[int], conflicts: int) -> bool | None:
        """``None`` if so many conflicts (or somewhat more: some solvers look only at restarts) did not suffice."""
        try:
            self._solver.conf_budget(conflicts)
            answer: bool | None = self._solver.solve_limited(assumptions)
        except BaseException as problem:
            self._left_in_the_middle(problem)
            raise
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

    def _left_in_the_middle(self, problem: BaseException) -> None:
        self.abandon()
        raise_if_ctrl_c(problem)


def raise_if_ctrl_c(problem: BaseException) -> None:
    """Ctrl-C in the middle of a solver comes out as an error of PySAT's own: raises ``KeyboardInterrupt`` for that."""
    if isinstance(problem, Exception) and "keyboard interrupt" in str(problem).lower():
        # PySAT's own handler jumped out of the solver and is still installed
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.getsignal(signal.SIGINT))
        raise KeyboardInterrupt from None


def _nothing() -> None:
    pass


class FreshSolver(Solver):
    """A solver that takes neither assumptions nor, once it has solved, clauses: each question loads a new one."""

    def __init__(self, name: str, clauses: Iterable[Sequence[int]], **options: Any) -> None:
        self.name = name
        self._clauses = list(clauses)
        self._options = options
        self._owner = self._solver = None

    def prefer(self, literals: Iterable[int]) -> None:
        pass

    def add(self, clause: Sequence[int]) -> None:
        self._clauses.append(clause)

    def solve(self, assumptions: list[int]) -> bool:
        self._load(assumptions)
        return super().solve([])

    def solve_limited(self, assumptions: list[int], conflicts: int) -> bool | None:
        self._load(assumptions)
        return super().solve_limited([], conflicts)

    def _load(self, assumptions: list[int]) -> None:
        self.delete()
        self._owner = new_solver(self.name, [*self._clauses, *([literal] for literal in assumptions)], **self._options)
        self._solver = self._owner.solver

    def counters(self) -> dict[str, int]:
        return {}


def ask_in_slices(solver: Solver, assumptions: list[int], watch: Watch, *, restarts: bool) -> bool:
    """Whether there is a model; under limits asked in slices of conflicts, between which the clock is looked at.

    restarts: whether the solver begins anew with each slice. Raises ``Interrupted``.
    """
    if watch.deadline is None and watch.limits.conflicts is None:
        return solver.solve(assumptions)
    slice_ = _FIRST_SLICE
    while True:
        watch.look()
        left = watch.conflicts_left()
        if left == 0:  # some solvers look at their budget so rarely that they answered in spite of it
            raise Interrupted("conflicts", watch.limits.conflicts)
        slices = [] if watch.deadline is None else [slice_]
        budget = min([_LARGEST_BUDGET, *slices, *([] if left is None else [left])])
        before, started = solver.counters().get("conflicts", 0), monotonic()
        answer = solver.solve_limited(assumptions, budget)
        # a solver that does not tell its conflicts used up what it was given if it has no answer
        spent = solver.counters().get("conflicts", before + (budget if answer is None else 0)) - before
        watch.conflicts += spent
        if answer is not None:
            return answer
        if left is not None and spent >= left:
            raise Interrupted("conflicts", watch.limits.conflicts)
        aim = _SLICE_SECONDS / max(monotonic() - started, 1e-6)
        slice_ = budget * 4 if restarts else max(1, min(4 * budget, int(budget * aim)))


def failure(name: str, problem: Exception) -> BackendFailure:
    """What to raise for an exception that came out of the solver of the backend ``name``."""
    return BackendFailure(f"{name}: {type(problem).__name__}: {problem}")
