"""One interface to PySAT's solvers, which work with our options and within limits, and are dropped if they break; the
table of their peculiarities.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from importlib import import_module
from itertools import combinations
from time import monotonic
from typing import Any

from gridproof.backends.protocol import proof_of
from gridproof.errors import NO_MEMORY, BackendFailure, Interrupted
from gridproof.limits import Watch
from gridproof.models.variables import Clause
from gridproof.runs.interrupts import Closing, PysatsHandlerOff, ctrl_c_waits


@dataclass(frozen=True, slots=True, kw_only=True)
class Quirks:
    """The peculiarities of a solver; by default it has none.

    Parameters
    ----------
    fresh
        It answers one question only and takes no assumptions: each question needs a new solver.
    stoppable
        It stops after a number of conflicts, and goes on at the next question.
    budget
        It takes the number of conflicts after which it stops beforehand.
    counts
        It counts its decisions and conflicts.
    install
        What brings it, if PySAT does not.
    options
        What it is configured with.
    alone
        What it is configured with besides for clauses that hold one board alone.
    origin
        The program that it was made from: MiniSat, for most.
    forced
        The decisions that it counts where propagation alone finds the model: some count the look for a variable that
        finds none left. ``None`` where that was not measured, or depends on the formula and the assumptions.
    settings
        Options that users may set: name -> the values. PySAT ignores unknown ones.
    rejected
        Why checkers reject the proofs that it logs; empty if they do not. tests/contract/test_proofs.py fails if a
        reason is missing here, or does not belong here any more.
    hints
        It can name the clauses that each step of a proof follows from.
    takes_groups
        It takes groups of literals of which at most one is true as they are.
    """

    fresh: bool = False
    stoppable: bool = True
    budget: bool = True
    counts: bool = True
    install: str = ""
    options: Mapping[str, int] = field(default_factory=dict)
    alone: Mapping[str, int] = field(default_factory=dict)
    origin: str = "minisat"
    forced: int | None = None
    settings: Mapping[str, range] = field(default_factory=dict)
    rejected: str = ""
    hints: bool = False
    takes_groups: bool = False


_SWITCHES = (
    *("block", "bump", "bumpreason", "chronoalways", "condition", "cover", "decompose", "deduplicate", "elim", "flush"),
    *("forcephase", "inprocessing", "instantiate", "lucky", "minimize", "phase", "probe", "reduce", "rephase"),
    *("restart", "reverse", "score", "shuffle", "stabilize", "stabilizeonly", "subsume", "ternary", "transred"),
    *("vivify", "walk"),
)
_CADICAL_SETTINGS = dict.fromkeys(_SWITCHES, range(2)) | {"seed": range(2 * 10**9 + 1), "chrono": range(3)}
"""The switches that guide the search, among the options that versions 1.5.3 and 1.9.5 list."""

_CADICAL = Quirks(
    # No inprocessing: conflicts and decisions of the search are counted and no others. No chronological backtracking:
    # 5 to 8 % faster here. No lucky phases: models found by guesses that are not counted as decisions.
    options={"inprocessing": 0, "chrono": 0, "lucky": 0},
    # Decisions always set a candidate to true. On hard boards of order 64 and 100 that took 4 to 33 seconds where the
    # default was stopped unfinished at 20.
    alone={"forcephase": 1},
    settings=_CADICAL_SETTINGS,
    origin="cadical",
    forced=0,
)

_LIKE_MINISAT = ("glucose", "maplechrono", "maplecm", "mergesat", "mgh", "minisat", "minisatep")

QUIRKS: dict[str, Quirks] = {
    **dict.fromkeys(_LIKE_MINISAT, Quirks(forced=2)),
    **dict.fromkeys(("gluecard", "minicard"), Quirks(forced=2, takes_groups=True)),
    "cadical103": Quirks(origin="cadical", forced=0),
    "cadical153": _CADICAL,
    "cadical195": replace(_CADICAL, hints=True),
    "cadical": Quirks(origin="cadical"),
    "cms": Quirks(counts=False, install="pip install 'gridproof[cryptosat]'"),
    "ergo": Quirks(forced=1),
    "kissat": Quirks(fresh=True, stoppable=False),
    "lingeling": Quirks(stoppable=False, budget=False),
    "maplesat": Quirks(
        rejected="the variables in its proofs are numbered one too high, so checkers reject them", forced=2
    ),
}
"""By PySAT's name of the solver, without the version at its end where all versions are alike."""


def quirks_of(name: str) -> Quirks:
    """Return the peculiarities of a solver, by the name that PySAT finds it by."""
    return QUIRKS.get(name) or QUIRKS.get(name.rstrip("0123456789")) or Quirks()


# where PySAT keeps the solver proper, for its compiled functions, and how their names begin
_COMPILED = {
    "cadical153": ("cadical", "cadical153"),
    "cadical195": ("cadical", "cadical195"),
    "gluecard3": ("gluecard", "gluecard3"),
    "glucose4": ("glucose", "glucose41"),
    "minisat22": ("minisat", "minisat22"),
}

_FIRST_SLICE = 500
"""Conflicts of the first slice of a solve under a time limit, which shows how long they take."""

_SLICE_SECONDS = 0.05
"""What a slice under a time limit aims at where a whole one would take too long."""

_LONGEST_SLICE_SECONDS = 0.5
"""How long a whole slice may take under a time limit."""

_SLICE = 3000
"""Conflicts of a slice without a time limit, where slices are there for Ctrl-C: a number that does not depend on the
clock, so that the same questions get the same answers. CaDiCaL searches with frequent restarts for the first 1,000
conflicts of a slice, and with few after that, which puzzles with rules need: slices of 1,000 take 1.2 to 2.0 times as
long. A slice takes 15 ms, 0.7 s at order 49."""

_LARGEST_BUDGET = 2**30
"""Conflicts: what every solver's counter can hold."""


class Solver(Closing):
    """One PySAT solver with clauses loaded. It keeps to ``gridproof.backends.protocol.Incremental``.

    Parameters
    ----------
    name
        By which PySAT finds the solver.
    clauses
        What it begins with.
    at_most_one
        Groups of literals of which at most one is true.
    alone
        Whether they hold one board alone.
    settings
        What a user sets, besides or instead of what we do.
    with_proof
        Whether it logs a proof from its first clause on.

    Attributes
    ----------
    broken
        An error left it in the middle, and it takes no more calls.
    """

    broken = False

    def __init__(
        self,
        name: str,
        clauses: Iterable[Sequence[int]],
        *,
        at_most_one: Iterable[Sequence[int]] = (),
        alone: bool = False,
        settings: Mapping[str, int] | None = None,
        with_proof: bool = False,
    ) -> None:
        self.name = name
        self._quirks = quirks_of(name)
        self._with_proof = with_proof
        self._settings = dict(self._quirks.options)
        if alone:
            self._settings.update(self._quirks.alone)
        self._settings.update(settings or {})
        # conflicts between two moments at which Ctrl-C is delivered
        self._slice = _SLICE if self._quirks.stoppable else _LARGEST_BUDGET
        self._at_most_one = at_most_one
        self._load(clauses)

    def _load(self, clauses: Iterable[Sequence[int]]) -> None:
        from pysat.solvers import Solver as PySatSolver

        with ctrl_c_waits():  # to free a solver that PySAT half made prints an error
            # not every solver has this option, even if it is False
            options = {"with_proof": True} if self._with_proof else {}
            self._owner: Any = PySatSolver(name=self.name, **options)
        # the solver proper; its owner only passes every call on, and frees it when it is freed itself
        self._solver = self._owner.solver
        self._configure()
        add = self._solver.add_clause
        if self.name in _COMPILED:  # without PySAT's layer, which takes a third of the time
            attribute, prefix = _COMPILED[self.name]
            add = partial(getattr(import_module("pysolvers"), f"{prefix}_add_cl"), getattr(self._solver, attribute))
        for group in self._at_most_one:
            if self._quirks.takes_groups:
                self._solver.add_atmost(group, 1)
            else:
                for first, second in combinations(group, 2):
                    add((-first, -second))
        deque(map(add, clauses), maxlen=0)

    def _configure(self) -> None:
        """Give its options to the solver, which has no clauses yet."""
        if self._settings:
            self._solver.configure(self._settings)

    def add(self, clause: Sequence[int]) -> None:
        """See ``Incremental``, as for all that is not explained here."""
        self._solver.add_clause(clause)

    def prefer(self, literals: Iterable[int]) -> None:
        with suppress(NotImplementedError):
            self._solver.set_phases(list(literals))

    def solve(self, assumptions: Sequence[int] = (), watch: Watch | None = None) -> bool:
        """Solve in slices of conflicts, between which Ctrl-C is delivered and the clock is looked at.

        A solver that cannot be stopped gets a single call: it keeps a limit of conflicts, if any.
        """
        try:
            if watch is None or (watch.deadline is None and watch.limits.conflicts is None):
                answer = self.step(assumptions, self._slice)
                while answer is None:
                    answer = self.step(assumptions, self._slice)
                return answer
            return self._watched(assumptions, watch)
        except Interrupted:
            raise
        except MemoryError:
            raise Interrupted(NO_MEMORY) from None
        except Exception as problem:
            raise BackendFailure(f"{self.name}: {type(problem).__name__}: {problem}") from problem

    def _watched(self, assumptions: Sequence[int], watch: Watch) -> bool:
        timed = watch.deadline is not None and self._quirks.stoppable
        slice_ = _FIRST_SLICE if timed else self._slice
        while True:
            watch.before_question()
            remaining = watch.conflicts_left()
            budget = slice_ if remaining is None else min(slice_, remaining)
            before = self.counters().get("conflicts", 0)
            started = monotonic()
            answer = self.step(assumptions, budget)
            # a solver that does not count its conflicts used up its budget if it has no answer
            spent = self.counters().get("conflicts", before + (budget if answer is None else 0)) - before
            watch.conflicts += spent
            if answer is not None:
                return answer
            if remaining is not None and spent >= remaining:
                raise Interrupted("conflicts", watch.limits.conflicts)
            if timed:
                slice_ = self._next_slice(budget, monotonic() - started, watch)

    def _next_slice(self, budget: int, seconds: float, watch: Watch) -> int:
        """Return the conflicts of the next slice under a time limit, if the last budget took so many seconds."""
        per_second = budget / max(seconds, 1e-6)
        aim = int(per_second * _SLICE_SECONDS)
        whole = self._slice / per_second
        left = watch.remaining() or 0.0
        if whole < min(_LONGEST_SLICE_SECONDS, left):
            aim = max(aim, self._slice)
        return max(1, min(6 * budget, aim, _LARGEST_BUDGET))

    def step(self, assumptions: Sequence[int], conflicts: int) -> bool | None:
        """``None`` if so many conflicts (or somewhat more: some solvers look only at restarts) did not suffice."""
        try:
            with PysatsHandlerOff():
                return self._within(assumptions, conflicts)
        except Exception:
            self.abandon()
            raise

    def _within(self, assumptions: Sequence[int], conflicts: int) -> bool | None:
        answer: bool | None
        if not self._quirks.budget:
            before = self.counters()["conflicts"]
            answer = bool(self._solver.solve(assumptions))
            return answer if self.counters()["conflicts"] - before <= conflicts else None
        self._solver.conf_budget(conflicts)
        if hasattr(self._solver, "time_limit"):  # CryptoMiniSat's, which PySAT sets to None before each question
            self._solver.time_limit = 1e9
        answer = self._solver.solve_limited(assumptions)
        return answer

    def model(self) -> list[int]:
        model: list[int] = self._solver.get_model()
        return model

    def core(self) -> list[int]:
        return list(self._solver.get_core() or ())

    def proof(self) -> list[str]:
        """The proof logged so far; see ``proof_of``."""
        return proof_of(self._owner.get_proof())

    def counters(self) -> Mapping[str, int]:
        """Nothing from a solver that was left in the middle, or that does not count."""
        counters: dict[str, int] = {}
        with suppress(NotImplementedError):
            counters = {} if self.broken else self._solver.accum_stats() or {}
        return counters

    def close(self) -> None:
        with ctrl_c_waits():  # PySAT would free once more what an exception in between leaves noted as not freed
            if self._owner is not None:
                self._owner.delete()
            self._owner = self._solver = None

    def abandon(self) -> None:
        """Let go of a solver that was left in the middle: any call, and even to free it, may crash the process."""
        self.broken = True
        self._solver.delete = self._owner.delete = lambda: None


class FreshSolver(Solver):
    """A solver that takes neither assumptions nor, once it has solved, clauses: each question loads a new one."""

    def _load(self, clauses: Iterable[Sequence[int]]) -> None:
        self._clauses = list(clauses)
        self._owner = self._solver = None

    def prefer(self, literals: Iterable[int]) -> None:
        pass

    def add(self, clause: Sequence[int]) -> None:
        self._clauses.append(clause)

    def _within(self, assumptions: Sequence[int], conflicts: int) -> bool | None:
        self.close()
        clauses = list(self._clauses)
        for literal in assumptions:
            clauses.append([literal])
        super()._load(clauses)
        return super()._within([], conflicts)

    def counters(self) -> Mapping[str, int]:
        return {}


@lru_cache(maxsize=128)
def trial(name: str, clauses: Sequence[Clause], with_proof: bool = False) -> tuple[bool | None, str]:
    """Solve clauses by a new solver, with a proof if that is wanted. Return the answer and any error."""
    usual = sys.unraisablehook

    def hook(problem: sys.UnraisableHookArgs) -> None:
        """Ignore that a solver which PySAT half made cannot be freed; but not Ctrl-C."""
        if isinstance(problem.exc_value, KeyboardInterrupt):
            usual(problem)

    sys.unraisablehook = hook
    try:
        with (FreshSolver if quirks_of(name).fresh else Solver)(name, clauses, with_proof=with_proof) as tried:
            answer = tried.step([], 10)
            if with_proof:
                tried.proof()
            return answer, ""
    except Exception as problem:
        return None, f"{type(problem).__name__}: {problem}"
    finally:
        sys.unraisablehook = usual
