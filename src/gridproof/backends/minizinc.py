"""MiniZinc by its command, with Gecode or another of the solvers that it finds.

Each question is a new process, which is asked for several grids at once: a second one would tell that the first is not
the only one, and more are asked for where there are many.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import ClassVar

from gridproof.backends._blocking import BlockingSession
from gridproof.backends._guarded import GuardedSession
from gridproof.backends._settings import check_names
from gridproof.backends.protocol import Backend, Family, Session, Target
from gridproof.errors import BackendFailure, Interrupted
from gridproof.limits import Watch
from gridproof.models.targets.minizinc import MiniZincModel
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid
from gridproof.runs import commands
from gridproof.runs.foreign import text_of

LARGEST_SHORT = 4
"""The largest order of boards that are solved without a child process that ends the command with this one."""

_FIRST, _GROWTH, _MOST = 2, 16, 2048
"""Grids that the first question asks for, how many times more the next one does, and the most."""


class MiniZincSession(BlockingSession):
    """Writes a model for each question."""

    def __init__(self, solver: str, model: MiniZincModel) -> None:
        super().__init__(model.problem)
        self._solver, self._model = solver, model
        self._rules = "\n".join(model.lines())
        self._folder = tempfile.TemporaryDirectory(prefix="gridproof-")

    def close(self) -> None:
        super().close()
        self._folder.cleanup()

    def _begin(self, board: Board) -> None:
        self._given = [self._model.clause([literal]) for literal in self._model.literals(board)]
        self._found: list[Grid] = []
        self._wanted, self._complete = _FIRST, False

    def _ask(self, watch: Watch) -> Grid | None:
        if not self._found and not self._complete:
            self._run(watch)
        return self._found.pop() if self._found else None

    def _run(self, watch: Watch) -> None:
        folder = Path(self._folder.name)
        lines = [self._rules, *self._given, "solve satisfy;", "output [show(x)];"]
        (folder / "model.mzn").write_text("\n".join(lines), encoding="ascii")
        words = ["minizinc", "--solver", self._solver, "-s", "-n", str(self._wanted), str(folder / "model.mzn")]
        if (left := watch.conflicts_left()) is not None:
            words[-1:-1] = ["--fzn-flags", f"-fail {min(left, 2**31 - 1)}"]
        seconds = watch.remaining()
        try:
            code, out, err = commands.run(words, folder, None if seconds is None or seconds > 10**6 else seconds)
        except TimeoutError:
            raise Interrupted("seconds", watch.limits.seconds) from None
        failures = sum(map(int, re.findall(r"^%%%mzn-stat: failures=(\d+)$", out, re.MULTILINE)))
        self._count(watch, failures, conflicts=failures)
        grids = [tuple(map(int, said.split(","))) for said in re.findall(r"^\[([\d, ]+)\]$", out, re.MULTILINE)]
        self._found = list(dict.fromkeys(grids))  # auxiliaries may have several values for one grid
        self._complete = "==========" in out or "=====UNSATISFIABLE=====" in out
        self._wanted = min(self._wanted * _GROWTH, _MOST)
        if not self._found and not self._complete:
            if left is not None and not code:
                raise Interrupted("conflicts", watch.limits.conflicts)
            raise BackendFailure(
                f"it gave no answer (exit code {code}) and said {text_of((err or out).strip()[-300:])}"
            )

    def _forbid(self, grid: Grid, board: Board) -> None:
        literals = self._model.open_cells(grid, board)
        self._given.append(self._model.clause([-literal for literal in literals]))


class MiniZinc(Backend):
    """``minizinc``; ``solver`` as MiniZinc calls it."""

    family: ClassVar[Family] = "cp"
    accepts: ClassVar[Target] = "minizinc"
    name = "minizinc"

    def __init__(self, solver: str = "gecode") -> None:
        self.solver = solver
        self.summary = f"MiniZinc with {solver}"

    def unavailable(self) -> str | None:
        if shutil.which("minizinc"):
            return None
        return "the program minizinc is not installed (Debian: apt install minizinc; else: minizinc.org)"

    def _configured(self, options: Mapping[str, str]) -> Backend:
        check_names(self.name, options, ["solver"])
        return MiniZinc(options["solver"])

    @property
    def version(self) -> str:
        return commands.version_of("minizinc")

    def _open(self, model: MiniZincModel) -> Session:
        short = model.geometry.order <= LARGEST_SHORT
        return GuardedSession(self.name, partial(MiniZincSession, self.solver), model, grace=1.0, short=short)


def backends() -> Iterable[Backend]:
    """What this module brings."""
    return [MiniZinc()]
