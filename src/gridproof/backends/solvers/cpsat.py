"""OR-Tools CP-SAT as a backend, one thread by default.

Its own enumeration is not used: duplicates have been reported (google/or-tools #3670, #4270, #4640), and auxiliary
variables would multiply solutions. Each grid found is forbidden in a copy of the model and the solver called again
until it finds that there are no more. Presolve is off: the boards are small, it costs more than it saves, and open
reports (google/or-tools #5274) concern it.

A first grid found without a branch follows from the board by propagation alone, so there is no other and the second
question is left out. That holds with the default parameters only: presolve and symmetry breaking may drop solutions,
and with several workers a local search finds grids without branching.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gridproof.backends.blocking import BlockingSession
from gridproof.backends.protocol import Backend, Package, Session, Values
from gridproof.errors import BackendFailure
from gridproof.models.targets.cp_sat import CpSatModel
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.runs.interrupts import ctrl_c_waits, run_stoppable

DEFAULT_PARAMETERS: Mapping[str, int | bool] = {
    "num_workers": 1,
    "cp_model_presolve": False,
    "symmetry_level": 0,
    "linearization_level": 0,
    "use_sat_inprocessing": False,
    "cp_model_probing_level": 0,
}
"""Parameters of ``SatParameters`` that every session sets; options override them. What they switch off pays on problems
that take longer than a board of this size does."""


_LIMITS = ("max_time_in_seconds", "max_deterministic_time", "max_number_of_conflicts", "catch_sigint_signal")
"""Parameters that sessions set for the limits of each board."""


def _ortools() -> Any:
    with ctrl_c_waits():  # broken into, it cannot be imported any more
        from ortools.sat.python import cp_model
    return cp_model


def _new_solver(parameters: Mapping[str, Any]) -> Any:
    solver = _ortools().CpSolver()
    for name, value in parameters.items():
        setattr(solver.parameters, name, value)
    # its own handler of Ctrl-C ends a solve just as a limit would, and leaves the system's default handler behind
    solver.parameters.catch_sigint_signal = False
    return solver


class CpSatSession(BlockingSession[CpSatModel]):
    """One solver with one model; the domains of the model change from board to board."""

    def __init__(self, model: CpSatModel, parameters: Mapping[str, Any]) -> None:
        super().__init__(model)
        self._scratch = _ortools().CpModel()  # making one takes as long as a solve
        self._solver = _new_solver(parameters)
        self._branches_tell = parameters == DEFAULT_PARAMETERS

    def _begin(self, board: Board) -> None:
        self._model.widen()  # Ctrl-C may have ended the widening after the last board
        self._model.narrow(board)
        self._current = self._model.model

    def _ask(self) -> SymbolTuple | None:
        solver, parameters, watch = self._solver, self._solver.parameters, self._watch
        seconds = watch.remaining()
        if seconds is not None:
            parameters.max_time_in_seconds = seconds
        conflicts = watch.conflicts_left()
        if conflicts is not None:
            parameters.max_number_of_conflicts = min(conflicts, 2**62)
        try:
            status = run_stoppable(lambda: solver.solve(self._current), solver.stop_search)
        finally:
            parameters.clear_max_time_in_seconds()
            parameters.clear_max_number_of_conflicts()
        response = solver.response_proto
        self._count(
            response.num_conflicts,
            decisions=response.num_branches,
            conflicts=response.num_conflicts,
            propagations=response.num_binary_propagations + response.num_integer_propagations,
        )
        name = solver.status_name(status)
        if name in ("OPTIMAL", "FEASIBLE"):
            self._last = self._branches_tell and self._statistics.decisions == 0
            return self._model.decode(list(response.solution))
        if name == "INFEASIBLE":
            return None
        if name != "UNKNOWN":
            raise BackendFailure(f"CP-SAT answered {name}: {solver.solution_info()}")
        raise self._unanswered("CP-SAT stopped without an answer and without a limit", timed=True)

    def _forbid(self, grid: SymbolTuple, board: Board) -> None:
        if self._current is self._model.model:
            self._scratch.proto.copy_from(self._current.proto)
            self._current = self._scratch
        self._model.block(self._current, grid)

    def _end(self) -> None:
        self._model.widen()


class CpSat(Backend):
    """``cp-sat``; its options are fields of ``SatParameters``."""

    name = "cp-sat"
    family = "cp"
    accepts = "cp-sat"
    summary = "OR-Tools CP-SAT"
    aliases = ("cpsat",)
    origin = "cp-sat"
    seed_option = "random_seed"

    package = Package("ortools", "ortools", "ortools")

    def _known_options(self) -> Mapping[str, Values]:
        parameters = _new_solver({}).parameters
        names = [name for name in dir(parameters) if hasattr(parameters, f"clear_{name}") and name not in _LIMITS]
        kinds = {name: type(getattr(parameters, name)) for name in names}
        return {name: getattr(kind, "__members__", kind) for name, kind in kinds.items()}

    def _try(self, options: Mapping[str, Any]) -> None:
        solver = _new_solver(options)
        # it looks at the range of values when it solves, and with some it gives no answer even to an empty model
        status = solver.status_name(solver.solve(_ortools().CpModel()))
        if status != "OPTIMAL":
            raise BackendFailure(solver.solution_info() or status)

    def _open(self, model: CpSatModel) -> Session:
        return CpSatSession(model, {**DEFAULT_PARAMETERS, **self.options})


def backends() -> Iterable[Backend]:
    """Return the backends of this module."""
    return [CpSat()]
