"""HiGHS and SCIP, solvers of mixed integer programs, through OR-Tools' MathOpt.

HiGHS' own package cannot be imported beside OR-Tools, in either order: each finds symbols of the other's library.

MathOpt cannot interrupt HiGHS, and SCIP only with complaints on standard error. So they work in a child process where
they may have to be ended. A conflict, for limits, is a node of branch and bound; each question has at least one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from gridproof.backends.blocking import BlockingSession
from gridproof.backends.isolation import EndableBackend
from gridproof.backends.protocol import Backend, Package, Session, Values
from gridproof.errors import Interrupted
from gridproof.models.targets.linear import LinearModel, Row
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.runs.interrupts import ctrl_c_waits
from gridproof.text import text_of

_NUMBERS = range(2**31)

_LONGEST = 10**8
"""Seconds: what the library takes for a time."""


class MathOptSession(BlockingSession[LinearModel]):
    """One model; the bounds of its variables change from board to board."""

    def __init__(self, solver: str, options: Mapping[str, Any], model: LinearModel) -> None:
        with ctrl_c_waits():
            from ortools.math_opt.python import mathopt

        super().__init__(model)
        self._solver, self._options, self._mathopt = solver, options, mathopt
        self._loaded: Any = mathopt.Model()
        self._variables: list[Any] = [None]  # they are numbered from 1
        for _ in range(model.top):
            self._variables.append(self._loaded.add_binary_variable())
        for row in model.statements():
            self._add(row)
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

    def _ask(self) -> SymbolTuple | None:
        mathopt = self._mathopt
        conflicts = self._watch.conflicts_left()
        seconds = self._watch.remaining()
        parameters = mathopt.SolveParameters(
            time_limit=None if seconds is None else timedelta(seconds=min(seconds, _LONGEST)),
            node_limit=None if conflicts is None else min(conflicts, 2**31 - 1),
            **self._options,
        )
        try:
            result = mathopt.solve(self._loaded, mathopt.SolverType[self._solver], params=parameters)
        except (AttributeError, RuntimeError, ValueError) as problem:
            # the solver's own error is in the context: what MathOpt makes of it fails in its turn
            error = text_of(problem.__context__ or problem, most=200)
            raise Interrupted(f"{self._solver} gave up with an error: {error}") from problem
        nodes = result.solve_stats.node_count
        self._count(max(nodes, 1), nodes=nodes)
        reason = result.termination.reason.name
        if reason in ("OPTIMAL", "FEASIBLE"):
            values = result.variable_values(self._variables[1 : self._model.x.numbers.stop])
            return self._model.x.decode([number for number, value in enumerate(values, 1) if value > 0.5])
        if reason == "INFEASIBLE":
            return None
        if reason in ("NUMERICAL_ERROR", "IMPRECISE", "OTHER_ERROR"):
            raise Interrupted(f"{self._solver} gave up with an error: {reason} {text_of(result.termination.detail)}")
        raise self._unanswered(f"it stopped without an answer: {reason} {result.termination.detail}", timed=True)

    def _forbid(self, grid: SymbolTuple, board: Board) -> None:
        row = self._model.clause([-variable for variable in self._model.x.of_grid(grid, board)])
        self._forbidden.append(self._add(row))

    def _end(self) -> None:
        while self._forbidden:
            self._loaded.delete_linear_constraint(self._forbidden.pop())
        while self._bounded:
            variable: Any = self._variables[self._bounded.pop()]
            variable.lower_bound, variable.upper_bound = 0, 1


class MathOpt(EndableBackend):
    """A solver of mixed integer programs.

    Parameters
    ----------
    name
        The name of the backend.
    solver
        What MathOpt calls the solver.
    title
        What its makers call it.
    """

    family = "mip"
    accepts = "linear"
    seed_option = "random_seed"
    package = Package("ortools", "ortools", "ortools")
    grace = 2.0  # it looks at the clock now and then
    largest_short = 4

    def __init__(self, name: str, solver: str, title: str) -> None:
        self.name, self.solver = name, solver
        self.summary = f"{title}, mixed integer programming, through OR-Tools' MathOpt"

    def _known_options(self) -> Mapping[str, Values]:
        from ortools.math_opt.python.parameters import Emphasis

        emphases = {word: Emphasis[word.upper()] for word in ("off", "low", "medium", "high")}
        known: dict[str, Values] = {"random_seed": _NUMBERS, "presolve": emphases, "heuristics": emphases}
        return known | ({"cuts": emphases, "threads": _NUMBERS} if self.solver == "GSCIP" else {})

    def open_here(self, model: LinearModel) -> Session:
        return MathOptSession(self.solver, self.options, model)


def backends() -> Iterable[Backend]:
    """Return the backends of this module."""
    return [MathOpt("highs", "HIGHS", "HiGHS"), MathOpt("scip", "GSCIP", "SCIP")]
