"""Exact, a pseudo-Boolean solver that learns by cutting planes.

What a board adds is assumed. What forbids a grid counts only while a variable of the board is true, which is made
false for good in the end. The solver works in slices of time, between which Ctrl-C is delivered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gridproof.backends.blocking import BlockingSession
from gridproof.backends.guarding import EndableBackend
from gridproof.backends.protocol import Backend, Package, Session, Values
from gridproof.errors import BackendFailure
from gridproof.models.targets.linear import LinearModel
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.runs.interrupts import ctrl_c_waits

RENEW_AFTER = 500
"""Boards that one solver serves before a session loads a new one."""

OPTIONS = (
    *("seed", "luby-base", "luby-mult", "var-weight", "var-sol", "var-objective", "var-conflict", "var-reason"),
    *("db-decay", "db-base", "db-exp", "db-scale", "db-safelbd", "db-maxlbd", "ca-multweaken", "ca-multiply"),
    *("ca-division", "ca-weaken-nonimplying", "ca-min", "ca-cancelingunknowns", "ca-liftdegree", "bits-overflow"),
    *("bits-reduced", "bits-learned", "inp-purelits", "inp-dombreaklim", "inp-probing", "inp-atmostone"),
)
"""Options of its search; it has others, for files and optimisation. It does not list them itself."""

_SLICE, _SHORT_SLICE = 0.25, 0.01
"""Seconds of a slice; the short one is for a limit of conflicts, which are counted between slices."""


class ExactSession(BlockingSession[LinearModel]):
    """One solver, loaded anew now and then."""

    def __init__(self, model: LinearModel, options: Mapping[str, str]) -> None:
        super().__init__(model)
        self._options = [*options.items()]
        self._names = [str(variable) for variable in model.x.numbers]
        self._load()

    def _load(self) -> None:
        with ctrl_c_waits():
            import exact

            self._solver: Any = exact.Exact(self._options)
        for variable in range(1, self._model.top + 1):
            self._solver.addVariable(str(variable))
        for row in self._model.statements():
            terms = [(weight, str(variable)) for variable, weight in row.terms.items() if weight]
            self._solver.addConstraint(terms, True, row.bound, row.equal, row.bound)
        self._boards = 0
        self._active = ""
        self._conflicts = self._counted()

    def _counted(self) -> int:
        """Conflicts so far. Among what it calls decisions are assumptions and its own probing."""
        return int(dict(self._solver.getStats())["conflicts"])

    def _begin(self, board: Board) -> None:
        if self._solver is None or self._boards >= RENEW_AFTER:
            self._load()
        self._boards += 1
        self._solver.addVariable(active := f"board {self._boards}")
        self._active = active
        given = [(str(abs(literal)), int(literal > 0)) for literal in self._model.literals(board)]
        self._solver.setAssumptions([*given, (self._active, 1)])

    def _ask(self) -> SymbolTuple | None:
        watch = self._watch
        while True:
            watch.before_question()
            seconds = watch.remaining()
            slice_ = _SLICE if watch.limits.conflicts is None else _SHORT_SLICE
            try:
                answer = self._solver.runFull(False, slice_ if seconds is None else max(min(seconds, slice_), 1e-3))
            except BaseException:
                self._solver = None
                raise
            before, self._conflicts = self._conflicts, self._counted()
            self._count(self._conflicts - before, conflicts=self._conflicts - before)
            if answer == "SAT":
                values = self._solver.getLastSolutionFor(self._names)
                return self._model.x.decode([number for number, value in enumerate(values, 1) if value])
            if answer in ("INCONSISTENT", "UNSAT"):
                return None
            if answer != "TIMEOUT":
                raise BackendFailure(f"exact answered {answer!r}")

    def _forbid(self, grid: SymbolTuple, board: Board) -> None:
        names = [str(variable) for variable in self._model.x.of_grid(grid, board)]
        self._solver.addConstraint([(1, name) for name in (*names, self._active)], False, 0, True, len(names))

    def _end(self) -> None:
        if self._solver is not None and self._active:
            self._solver.clearAssumptions()
            self._solver.fix(self._active, 0)
            self._active = ""


class Exact(EndableBackend):
    """``exact``."""

    name = "exact"
    family = "pb"
    accepts = "linear"
    summary = "Exact, pseudo-Boolean solving with cutting planes"
    seed_option = "seed"

    package = Package("exact", "exact", "'gridproof[pb]'")
    # beyond, it may work much longer than a slice before its search begins
    largest_short = 9

    def _known_options(self) -> Mapping[str, Values]:
        return dict.fromkeys(OPTIONS, str)

    def _try(self, options: Mapping[str, str]) -> None:
        import exact

        exact.Exact([*options.items()])

    def open_here(self, model: LinearModel) -> Session:
        return ExactSession(model, self.options)

    def _open(self, model: LinearModel) -> Session:
        return self.open_here(model) if model.geometry.order <= self.largest_short else super()._open(model)


def backends() -> Iterable[Backend]:
    """Return the backends of this module."""
    return [Exact()]
