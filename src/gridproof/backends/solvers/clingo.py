"""clingo, a solver of answer set programs.

A program is ground once for each session. What a board adds is assumed. Each grid found is forbidden by a clause that
clingo forgets when the search for the board's answer sets ends; its own enumeration goes on from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from typing import Any

from gridproof.backends.blocking import BlockingSession
from gridproof.backends.protocol import Backend, Package, Session, Statistics, Values
from gridproof.errors import BackendFailure
from gridproof.models.targets.scripts import AspProgram
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.runs.children import LONGEST_WAIT
from gridproof.runs.interrupts import ctrl_c_waits

_GROUPS = ("tester", "solve", "asp", "solver", "stats", "parse_ext", "parse_maxsat")
"""Groups of options, and options for files, at the top of its configuration."""


class ClingoSession(BlockingSession[AspProgram]):
    """One ground program."""

    def __init__(self, model: AspProgram, options: Mapping[str, str]) -> None:
        import clingo

        super().__init__(model)
        self._search = ExitStack()
        # its messages about atoms that only appear in the text are not for users
        self._control: Any = clingo.Control(["--models=0"], logger=lambda *_: None)
        _set_options(self._control, options)
        self._control.add("base", [], "\n".join(model.lines()))
        self._control.ground([("base", [])])
        self._atoms = [0] * (len(model.x.numbers) + 1)
        for atom in self._control.symbolic_atoms.by_signature("x", 2):
            cell, symbol = (argument.number for argument in atom.symbol.arguments)
            self._atoms[model.x(cell, symbol)] = atom.literal

    def _begin(self, board: Board) -> None:
        assumed = []
        for literal in self._model.literals(board):
            atom = self._atoms[abs(literal)]
            assumed.append(atom if literal > 0 else -atom)
        conflicts = self._watch.limits.conflicts
        self._control.configuration.solve.solve_limit = "umax" if conflicts is None else str(min(conflicts, 2**31))
        self._answer_set: Any = None
        with ctrl_c_waits():  # it does not reach the thread of the search
            self._handle = self._search.enter_context(
                self._control.solve(assumptions=assumed, yield_=True, async_=True)
            )

    def _ask(self) -> SymbolTuple | None:
        """The next answer set: the search goes on where it stopped."""
        if self._answer_set:
            self._handle.resume()
        while True:
            self._watch.look()
            seconds = self._watch.remaining()
            if self._handle.wait(LONGEST_WAIT if seconds is None else min(seconds, LONGEST_WAIT)):
                break
        self._answer_set = model = self._handle.model()
        if model:
            return self._model.x.decode([v for v in self._model.x.numbers if model.is_true(self._atoms[v])])
        if self._handle.get().exhausted:
            return None
        raise self._unanswered("clingo stopped without an answer and without a limit")

    def _forbid(self, grid: SymbolTuple, board: Board) -> None:
        self._answer_set.context.add_clause([-self._atoms[v] for v in self._model.x.of_grid(grid, board)])

    def _end(self) -> None:
        self._search.close()
        counts = self._control.statistics["solving"]["solvers"]
        self._statistics = Statistics(
            decisions=int(counts["choices"]), conflicts=int(counts["conflicts"]), seconds=self._watch.elapsed
        )


class Clingo(Backend):
    """``clingo``."""

    name = "clingo"
    family = "asp"
    accepts = "asp"
    summary = "clingo, answer set programming"
    seed_option = "seed"

    package = Package("clingo", "clingo", "'gridproof[asp]'")

    def _known_options(self) -> Mapping[str, Values]:
        import clingo

        return dict.fromkeys(_configuration(clingo.Control()), str)

    def _try(self, options: Mapping[str, str]) -> None:
        import clingo

        _set_options(clingo.Control(), options)

    def _open(self, model: AspProgram) -> Session:
        return ClingoSession(model, self.options)


def _configuration(control: Any) -> dict[str, Any]:
    """The parts of clingo's configuration by the last part of the names of their options, such as ``seed``."""
    whole = control.configuration
    parts = {name: part for part in (whole, whole.solver, whole.asp) for name in part.keys if name not in _GROUPS}
    return parts | {"parallel_mode": whole.solve}


def _set_options(control: Any, options: Mapping[str, str]) -> None:
    parts = _configuration(control)
    # the option of that name sets all the others that are not given
    for name in sorted(options, key=lambda name: name != "configuration"):
        try:
            setattr(parts[name], name, options[name])
        except RuntimeError:
            help_text = " ".join(parts[name].description(name).replace("%A", "VALUE").split())
            raise BackendFailure(f"{name} is {help_text}") from None


def backends() -> Iterable[Backend]:
    """Return the backends of this module."""
    return [Clingo()]
