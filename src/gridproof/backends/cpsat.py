"""OR-Tools CP-SAT as a backend, one thread by default.

Its own enumeration is not used: duplicates have been reported (google/or-tools #3670, #4270, #4640), and auxiliary
variables would multiply solutions. Each grid found is forbidden in a copy of the model and the solver asked again
until it says that there are no more. Presolve is off: the boards are small, it costs more than it saves, and open
reports (google/or-tools #5274) concern it.

A first grid found without a branch follows from the board by propagation alone, so there is no other and the second
question is not asked. That holds with the default parameters only: presolve and symmetry breaking may drop solutions,
and with several workers a local search finds grids without branching. With any other parameters it is always asked.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from importlib import metadata, util
from typing import Any, ClassVar

from gridproof.backends._settings import check_names, value_of
from gridproof.backends.protocol import Backend, Family, Session, Statistics, Target
from gridproof.errors import BackendFailure, BackendUnavailable, Interrupted
from gridproof.limits import Limits, Watch
from gridproof.models.targets.cp_sat import CpSatModel
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid
from gridproof.runs.interrupts import ctrl_c_waits, stoppable

DEFAULT_PARAMETERS: Mapping[str, int | bool] = {
    "num_workers": 1,
    "cp_model_presolve": False,
    "symmetry_level": 0,
    "linearization_level": 0,
    "use_sat_inprocessing": False,
    "cp_model_probing_level": 0,
}
"""Parameters of ``SatParameters`` that every session sets; ``CpSat(parameters)`` overrides and adds. What they switch
off pays on problems that take longer than a board of this size does."""


class CpSatSession(Session):
    """One solver with one model; the domains of the model change from board to board."""

    def __init__(self, model: CpSatModel, parameters: Mapping[str, Any]) -> None:
        with ctrl_c_waits():  # broken into, it cannot be imported any more
            from ortools.sat.python import cp_model

        super().__init__(model.problem)
        self._model = model
        self._cp_model = cp_model
        self._solver = cp_model.CpSolver()
        for name, value in parameters.items():
            _set_parameter(self._solver.parameters, name, value)
        self._statistics = Statistics()
        self._scratch: Any = None
        self._branches_tell = parameters == DEFAULT_PARAMETERS
        # its own handler of Ctrl-C ends a solve just as a limit would, and leaves the system's default handler behind
        self._solver.parameters.catch_sigint_signal = False

    @property
    def statistics(self) -> Statistics:
        return self._statistics

    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        watch = Watch(limits)
        self._statistics = Statistics(0, 0, 0)
        if 0 in board.candidates:
            return
        model = self._model
        model.widen()  # Ctrl-C may have ended the widening after the last board
        try:
            model.narrow(board)
            asked = model.model
            while (grid := self._next(asked, watch)) is not None:
                watch.before_next_solution()
                proven = self._branches_tell and self._statistics.decisions == 0
                yield grid
                if proven:
                    return
                if asked is model.model:
                    asked = self._copy()
                model.block(asked, grid)
        finally:
            model.widen()

    def _copy(self) -> Any:
        if self._scratch is None:
            self._scratch = self._cp_model.CpModel()  # making one takes as long as a solve
        self._scratch.proto.copy_from(self._model.model.proto)
        return self._scratch

    def _next(self, asked: Any, watch: Watch) -> Grid | None:
        """The next grid, or ``None`` if there are no more. Raises ``Interrupted`` or ``BackendFailure``."""
        watch.before_search()
        solver, parameters = self._solver, self._solver.parameters
        if (seconds := watch.remaining()) is not None:
            watch.look()
            parameters.max_time_in_seconds = seconds
        if (conflicts := watch.conflicts_left()) is not None:
            if not conflicts:  # it looks at its limit so rarely that it may have answered in spite of it
                raise Interrupted("conflicts", watch.limits.conflicts)
            parameters.max_number_of_conflicts = min(conflicts, 2**62)
        try:
            status = stoppable(lambda: solver.solve(asked), solver.stop_search)
        finally:
            parameters.clear_max_time_in_seconds()
            parameters.clear_max_number_of_conflicts()
        self._count(watch)
        name = solver.status_name(status)
        if name in ("OPTIMAL", "FEASIBLE"):
            return self._model.decode(list(solver.response_proto.solution))
        if name == "INFEASIBLE":
            return None
        if name != "UNKNOWN":
            raise BackendFailure(f"CP-SAT answered {name}: {solver.solution_info()}")
        watch.look()
        if watch.conflicts_left() == 0:
            raise Interrupted("conflicts", watch.limits.conflicts)
        if seconds is not None:
            raise Interrupted("seconds", watch.limits.seconds)
        if conflicts is not None:
            raise Interrupted("conflicts", watch.limits.conflicts)
        raise BackendFailure("CP-SAT stopped without an answer and without a limit")

    def _count(self, watch: Watch) -> None:
        response, before = self._solver.response_proto, self._statistics
        watch.conflicts += response.num_conflicts
        self._statistics = Statistics(
            decisions=(before.decisions or 0) + response.num_branches,
            conflicts=(before.conflicts or 0) + response.num_conflicts,
            propagations=(before.propagations or 0)
            + response.num_binary_propagations
            + response.num_integer_propagations,
            seconds=watch.elapsed,
        )


class CpSat(Backend):
    """``cp-sat``; ``parameters`` are fields of CP-SAT's ``SatParameters`` (such as ``{"num_workers": 2}``)."""

    name = "cp-sat"
    family: ClassVar[Family] = "cp"
    accepts: ClassVar[Target] = "cp-sat"
    summary = "OR-Tools CP-SAT"
    aliases = ("cpsat",)
    seed_option = "random_seed"

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        self.parameters = {**DEFAULT_PARAMETERS, **(parameters or {})}

    def _configured(self, options: Mapping[str, str]) -> Backend:
        with ctrl_c_waits():
            from ortools.sat.python import cp_model

        parameters = cp_model.CpSolver().parameters
        check_names(self.name, options, [name for name in dir(parameters) if hasattr(parameters, f"clear_{name}")])
        values = {name: value_of(text) for name, text in options.items()}
        for name, value in values.items():
            _set_parameter(parameters, name, value)
        return CpSat(values)

    @property
    def version(self) -> str:
        return metadata.version("ortools")

    def unavailable(self) -> str | None:
        return None if util.find_spec("ortools") else "ortools is not installed (pip install ortools)"

    def _open(self, model: CpSatModel) -> Session:
        return CpSatSession(model, self.parameters)


def _set_parameter(parameters: Any, name: str, value: Any) -> None:
    if not hasattr(parameters, name):
        raise BackendUnavailable(f"cp-sat has no parameter {name!r}; expected a field of SatParameters")
    kind = type(getattr(parameters, name))
    named = getattr(kind, "__members__", {})
    try:
        setattr(parameters, name, named.get(value, value))
    except (AttributeError, TypeError, ValueError):
        expected = f"one of {', '.join(named)}" if named else f"a value of the type {kind.__name__}"
        raise BackendUnavailable(f"cp-sat: {name} = {value!r}; expected {expected}") from None


def backends() -> Iterable[Backend]:
    """What this module brings."""
    return [CpSat()]
