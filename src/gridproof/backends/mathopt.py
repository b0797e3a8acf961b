"""HiGHS and SCIP, solvers of mixed integer programs, through OR-Tools' MathOpt.

HiGHS' own package cannot be imported beside OR-Tools, in either order: each finds symbols of the other's library.

MathOpt cannot interrupt HiGHS, and SCIP only with complaints on standard error. So they work in a child process where
they may have to be ended. A conflict, for limits, is a node of branch and bound; each question has at least one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from functools import partial
from importlib import metadata, util
from typing import Any, ClassVar

from gridproof.backends._blocking import BlockingSession
from gridproof.backends._guarded import GuardedSession
from gridproof.backends._settings import check_names
from gridproof.backends.protocol import Backend, Family, Session, Target
from gridproof.errors import BackendFailure, BackendUnavailable, Interrupted
from gridproof.limits import Watch
from gridproof.models.targets.linear import LinearModel, Row
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid
from gridproof.runs.interrupts import ctrl_c_waits

LARGEST_SHORT = 4
"""The largest order of boards for whose end Ctrl-C can wait."""

GRACE = 2.0
"""Seconds that a solver has beyond its limit: it looks at the clock now and then."""

_EMPHASES = ("off", "low", "medium", "high")

_LONGEST = 10**8
"""Seconds: what the library takes for a time."""


class MathOptSession(BlockingSession):
    """One model; the bounds of its variables change from board to board."""

    def __init__(self, solver: str, options: Mapping[str, str], model: LinearModel) -> None:
        with ctrl_c_waits():
            from ortools.math_opt.python import mathopt

        super().__init__(model.problem)
        self._solver, self._model, self._mathopt = solver, model, mathopt
        self._loaded: Any = mathopt.Model()
        self._variables = [None, *(self._loaded.add_binary_variable() for _ in range(model.top))]
        for row in model.rows():
            self._add(row)
        self._options: dict[str, Any] = {
            name: int(text) if text.isdigit() else mathopt.Emphasis[text.upper()] for name, text in options.items()
        }
        self._bounded: list[int] = []
        self._forbidden: list[Any] = []

    def _add(self, row: Row) -> Any:
        terms = self._mathopt.fast_sum([weight * self._variables[v] for v, weight in row.terms.items()])
        return self._loaded.add_linear_constraint(lb=row.bound, ub=row.bound if row.equal else float("inf"), expr=terms)

    def _begin(self, board: Board) -> None:
        for literal in self._model.literals(board):
            variable: Any = self._variables[abs(literal)]
            self._bounded.append(abs(literal))
            if literal > 0:
                variable.lower_bound = 1
            else:
                variable.upper_bound = 0

    def _ask(self, watch: Watch) -> Grid | None:
        if any(self._variables[v].lower_bound > self._variables[v].upper_bound for v in self._bounded):
            return None  # a clue that is not among the pencil marks of its cell
        mathopt = self._mathopt
        left = watch.conflicts_left()
        seconds = watch.remaining()
        parameters = mathopt.SolveParameters(
            time_limit=None if seconds is None else timedelta(seconds=min(seconds, _LONGEST)),
            node_limit=None if left is None else min(left, 2**31 - 1),
            **self._options,
        )
        result = mathopt.solve(self._loaded, mathopt.SolverType[self._solver], params=parameters)
        nodes = result.solve_stats.node_count
        self._count(watch, max(nodes, 1), nodes=nodes)
        reason = result.termination.reason.name
        if reason in ("OPTIMAL", "FEASIBLE"):
            values = result.variable_values(self._variables[1 : self._model.x.numbers.stop])
            return self._model.x.decode([number for number, value in enumerate(values, 1) if value > 0.5])
        if reason == "INFEASIBLE":
            return None
        watch.look()
        if left is not None:
            raise Interrupted("conflicts", watch.limits.conflicts)
        if seconds is not None:
            raise Interrupted("seconds", watch.limits.seconds)
        raise BackendFailure(f"it stopped without an answer: {reason} {result.termination.detail}")

    def _forbid(self, grid: Grid, board: Board) -> None:
        row = self._model.clause([-variable for variable in self._model.open_cells(grid, board)])
        self._forbidden.append(self._add(row))

    def _end(self) -> None:
        while self._forbidden:
            self._loaded.delete_linear_constraint(self._forbidden.pop())
        while self._bounded:
            variable: Any = self._variables[self._bounded.pop()]
            variable.lower_bound, variable.upper_bound = 0, 1


class MathOpt(Backend):
    """A solver by what MathOpt calls it."""

    family: ClassVar[Family] = "mip"
    accepts: ClassVar[Target] = "linear"
    seed_option = "random_seed"

    def __init__(self, name: str, solver: str, title: str, options: Mapping[str, str] | None = None) -> None:
        self.name, self.solver, self.title = name, solver, title
        self.options = dict(options or {})
        self.summary = f"{title}, mixed integer programming, through OR-Tools' MathOpt"

    def _configured(self, options: Mapping[str, str]) -> Backend:
        known = {"random_seed": ("a whole number",), "presolve": _EMPHASES, "heuristics": _EMPHASES}
        if self.solver == "GSCIP":
            known |= {"cuts": _EMPHASES, "threads": ("a whole number",)}
        check_names(self.name, options, known)
        for name, text in options.items():
            if text not in known[name] and not (known[name] is not _EMPHASES and text.isdigit()):
                raise BackendUnavailable(f"{self.name}: {name} = {text!r}; expected {' or '.join(known[name])}")
        return MathOpt(self.name, self.solver, self.title, options)

    @property
    def version(self) -> str:
        return metadata.version("ortools")

    def unavailable(self) -> str | None:
        return None if util.find_spec("ortools") else "ortools is not installed (pip install ortools)"

    def _open(self, model: LinearModel) -> Session:
        short = model.geometry.order <= LARGEST_SHORT
        return GuardedSession(
            self.name, partial(MathOptSession, self.solver, self.options), model, grace=GRACE, short=short
        )


def backends() -> Iterable[Backend]:
    """What this module brings."""
    return [MathOpt("highs", "HIGHS", "HiGHS"), MathOpt("scip", "GSCIP", "SCIP")]
