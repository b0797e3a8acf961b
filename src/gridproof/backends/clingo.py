"""clingo, a solver of answer set programs.

A program is ground once for each session. What a board adds is assumed. Each grid found is forbidden by a clause that
clingo forgets when the search for the board's answer sets ends; its own enumeration goes on from there.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from contextlib import ExitStack
from importlib import metadata, util
from typing import Any, ClassVar

from gridproof.backends._settings import check_names
from gridproof.backends.protocol import Backend, Family, Session, Statistics, Target
from gridproof.errors import BackendFailure, BackendUnavailable, Interrupted
from gridproof.limits import Limits, Watch
from gridproof.models.targets.asp import AspProgram
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid
from gridproof.runs.children import LONGEST_WAIT
from gridproof.runs.interrupts import ctrl_c_waits

_GROUPS = ("tester", "solve", "asp", "solver", "stats", "parse_ext", "parse_maxsat")
"""Groups of options, and options for files, at the top of its configuration."""


class ClingoSession(Session):
    """One ground program."""

    def __init__(self, model: AspProgram, options: Mapping[str, str]) -> None:
        import clingo

        super().__init__(model.problem)
        self._model = model
        self._statistics = Statistics()
        # what it says about atoms that only appear in the text is not meant for users
        self._control: Any = clingo.Control(["--models=0"], logger=lambda *_: None)
        _set_options(self._control, options)
        self._control.add("base", [], "\n".join(model.lines()))
        self._control.ground([("base", [])])
        self._atoms = [0] * (len(model.x.numbers) + 1)
        for atom in self._control.symbolic_atoms.by_signature("x", 2):
            cell, symbol = (argument.number for argument in atom.symbol.arguments)
            self._atoms[model.x(cell, symbol)] = atom.literal

    @property
    def statistics(self) -> Statistics:
        return self._statistics

    def _atom(self, literal: int) -> int:
        return self._atoms[literal] if literal > 0 else -self._atoms[-literal]

    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        watch = Watch(limits)
        assumed = list(map(self._atom, self._model.literals(board)))
        most = "umax" if limits.conflicts is None else min(limits.conflicts, 2**31)
        self._control.configuration.solve.solve_limit = str(most)
        self._statistics = Statistics()
        with ExitStack() as ended:
            try:
                with ctrl_c_waits():  # its thread never hears of it
                    handle = ended.enter_context(self._control.solve(assumptions=assumed, yield_=True, async_=True))
                while (found := self._next(handle, watch)) is not None:
                    grid = self._model.x.decode([v for v in self._model.x.numbers if found.is_true(self._atoms[v])])
                    watch.before_next_solution()
                    yield grid
                    found.context.add_clause([-self._atoms[v] for v in self._model.open_cells(grid, board)])
                    watch.before_search()
                    handle.resume()
            finally:
                ended.close()
                self._count(watch)

    def _next(self, handle: Any, watch: Watch) -> Any:
        """The next answer set, ``None`` if there are no more. Raises ``Interrupted``."""
        while True:
            watch.look()
            left = watch.remaining()
            if handle.wait(LONGEST_WAIT if left is None else min(left, LONGEST_WAIT)):
                break
        found = handle.model()
        if found is None and not (result := handle.get()).exhausted:
            if not result.interrupted and watch.limits.conflicts is None:
                raise BackendFailure("clingo stopped without an answer and without a limit")
            raise Interrupted("conflicts", watch.limits.conflicts)
        return found

    def _count(self, watch: Watch) -> None:
        counts = self._control.statistics["solving"]["solvers"]
        self._statistics = Statistics(
            decisions=int(counts["choices"]), conflicts=int(counts["conflicts"]), seconds=watch.elapsed
        )


class Clingo(Backend):
    """``clingo``."""

    name = "clingo"
    family: ClassVar[Family] = "asp"
    accepts: ClassVar[Target] = "asp"
    summary = "clingo, answer set programming"
    seed_option = "seed"

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        self.options = dict(options or {})

    def _configured(self, options: Mapping[str, str]) -> Backend:
        import clingo

        _set_options(clingo.Control(), options)
        return Clingo(options)

    @property
    def version(self) -> str:
        return metadata.version("clingo")

    def unavailable(self) -> str | None:
        return None if util.find_spec("clingo") else "clingo is not installed (pip install 'gridproof[asp]')"

    def _open(self, model: AspProgram) -> Session:
        return ClingoSession(model, self.options)


def _set_options(control: Any, options: Mapping[str, str]) -> None:
    """Options of clingo's configuration by the last part of their names, such as ``seed`` and ``heuristic``.

    Raises ``BackendUnavailable`` for what it has not or does not take.
    """
    whole = control.configuration
    known = {name: part for part in (whole, whole.solver, whole.asp) for name in part.keys if name not in _GROUPS}
    known["parallel_mode"] = whole.solve
    check_names("clingo", options, known)
    # it says what all the others are unless they are said
    for name in sorted(options, key=lambda name: name != "configuration"):
        try:
            setattr(known[name], name, options[name])
        except RuntimeError:
            help_text = " ".join(known[name].description(name).replace("%A", "VALUE").split())
            raise BackendUnavailable(f"clingo does not take {name} = {options[name]!r}: {help_text}") from None


def backends() -> Iterable[Backend]:
    """What this module brings."""
    return [Clingo()]
