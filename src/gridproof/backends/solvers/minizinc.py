"""MiniZinc by its command, with Gecode or another of the solvers that it finds.

Each question is a new process, which gives several grids at once: a second one proves that the first is not the only
one, and where there are many, later questions are for more.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from gridproof.backends.blocking import CommandSession, run_within
from gridproof.backends.isolation import EndableBackend
from gridproof.backends.protocol import Backend, Session, Values
from gridproof.errors import BackendFailure
from gridproof.limits import Watch
from gridproof.models.targets.scripts import MiniZincModel
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.runs import children
from gridproof.text import text_of

_FIRST, _GROWTH, _MOST = 2, 16, 2048
"""The most grids of the first answer, the factor for the next one, and the bound."""


class MiniZincSession(CommandSession[MiniZincModel]):
    """Writes a model for each question."""

    def __init__(self, solver: str, model: MiniZincModel) -> None:
        super().__init__(model)
        self._solver = solver
        self._rules = "\n".join(model.lines())

    def _begin(self, board: Board) -> None:
        self._given = [self._model.clause([literal]) for literal in self._model.literals(board)]
        self._grids: list[SymbolTuple] = []
        self._wanted, self._complete = _FIRST, False

    def _ask(self) -> SymbolTuple | None:
        if not self._grids and not self._complete:
            self._run()
        return self._grids.pop() if self._grids else None

    def _run(self) -> None:
        path = self._folder / "model.mzn"
        lines = [self._rules, *self._given, "solve satisfy;", "output [show(x)];"]
        path.write_text("\n".join(lines), encoding="ascii")
        words = ["minizinc", "--solver", self._solver, "-s", "-n", str(self._wanted), str(path)]
        conflicts = self._watch.conflicts_left()
        if conflicts is not None:
            words[-1:-1] = ["--fzn-flags", f"-fail {min(conflicts, 2**31 - 1)}"]
        code, out, err = run_within(self._watch, words, self._folder)
        failures = 0
        for number in re.findall(r"^%%%mzn-stat: failures=(\d+)$", out, re.MULTILINE):
            failures += int(number)
        self._count(failures, conflicts=failures)
        grids = []
        for numbers in re.findall(r"^\[([\d, ]+)\]$", out, re.MULTILINE):
            grids.append(tuple([int(number) for number in numbers.split(",")]))
        self._grids = list(dict.fromkeys(grids))  # auxiliaries may have several values for one grid
        self._complete = "==========" in out or "=====UNSATISFIABLE=====" in out
        self._wanted = min(self._wanted * _GROWTH, _MOST)
        if not self._grids and not self._complete:
            why = f"it gave no answer (exit code {code}) and wrote {text_of((err or out).strip()[-300:])}"
            raise BackendFailure(why) if code else self._unanswered(why)

    def _forbid(self, grid: SymbolTuple, board: Board) -> None:
        literals = self._model.x.of_grid(grid, board)
        self._given.append(self._model.clause([-literal for literal in literals]))


class MiniZinc(EndableBackend):
    """``minizinc``; its option ``solver`` as MiniZinc calls it."""

    name = "minizinc"
    family = "cp"
    accepts = "minizinc"
    summary = "MiniZinc with gecode"
    largest_short = 4

    def unavailable(self) -> str | None:
        if shutil.which("minizinc"):
            return None
        return "the program minizinc is not installed (Debian: apt install minizinc; else: minizinc.org)"

    def _known_options(self) -> Mapping[str, Values]:
        return {"solver": str}

    def _try(self, options: Mapping[str, str]) -> None:
        with tempfile.TemporaryDirectory(prefix="gridproof-") as name:
            path = Path(name) / "model.mzn"
            path.write_text("var bool: x; solve satisfy;", encoding="ascii")
            code, _, err = run_within(Watch(), ["minizinc", "--solver", options["solver"], str(path)], path.parent)
        if code:
            raise BackendFailure(err.strip()[-300:])

    @property
    def version(self) -> str:
        return children.version_of("minizinc")

    def open_here(self, model: MiniZincModel) -> Session:
        return MiniZincSession(self.options.get("solver", "gecode"), model)


def backends() -> Iterable[Backend]:
    """Return the backends of this module."""
    return [MiniZinc()]
