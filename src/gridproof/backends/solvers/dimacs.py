"""Any SAT solver that reads DIMACS files, by its command: ``dimacs:cadical -q``.

Its output is read as the SAT competitions have it (``s`` and ``v`` lines) or, for MiniSat and its relatives, from the
file that it writes. In the command ``{cnf}``, ``{model}`` and ``{proof}`` stand for files; without them the formula
comes last, and what some solvers need besides is in a table here. Each question is a new process.
"""

from __future__ import annotations

import re
import shlex
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gridproof.backends.blocking import CommandSession, run_within
from gridproof.backends.isolation import EndableBackend
from gridproof.backends.protocol import Backend, Session, proof_of
from gridproof.errors import BackendFailure, BackendUnavailable, InputError, Interrupted
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.models.clauses import Cnf
from gridproof.models.targets.cnf import LargeModel
from gridproof.models.variables import Clause
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.runs import children
from gridproof.text import text_of

_FIGURES = ("decisions", "conflicts", "propagations", "restarts")


@dataclass(frozen=True, slots=True)
class Known:
    """The arguments of a program: those for files, for a limit of conflicts, and for a proof."""

    files: tuple[str, ...] = ("{cnf}",)
    conflicts: tuple[str, ...] = ()
    proof: tuple[str, ...] = ()


KNOWN = {
    "cadical": Known(conflicts=("-c", "{conflicts}"), proof=("--no-binary", "{cnf}", "{proof}")),
    "kissat": Known(conflicts=("--conflicts={conflicts}",), proof=("--no-binary", "{cnf}", "{proof}")),
    "minisat": Known(files=("{cnf}", "{model}")),
}
"""By the name of the program."""

ORIGINS = {"cadical": "cadical", "minisat": "minisat", "glucose": "minisat", "maple": "minisat"}
"""The program that a solver was made from, by a part of its name."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The output of a solver."""

    code: int
    out: str
    err: str
    model: str

    @property
    def satisfiable(self) -> bool | None:
        """The solver's answer, ``None`` if it has none."""
        line = re.search(r"^s (SATISFIABLE|UNSATISFIABLE|UNKNOWN)\s*$", self.out, re.MULTILINE)
        word = line[1] if line else (self.model.split(maxsplit=1) or [""])[0]
        words = {"SATISFIABLE": True, "SAT": True, "UNSATISFIABLE": False, "UNSAT": False}
        return words.get(word) if word else {10: True, 20: False}.get(self.code)

    def literals(self) -> list[int]:
        """The model. Raises ``BackendFailure`` if there is none."""
        lines = [line[1:] for line in self.out.splitlines() if line[:2] in ("v", "v ")]
        lines = lines or self.model.splitlines()[1:]
        if not lines:
            raise BackendFailure("it reports SATISFIABLE without a model; expected v lines (an option may be missing)")
        words = " ".join(lines).split()
        try:
            numbers = [int(word) for word in words]
        except ValueError as problem:
            raise BackendFailure(f"its model cannot be read: {text_of(problem, most=100)}") from None
        return [number for number in numbers if number]

    def count(self, what: str) -> int | None:
        """A figure of its statistics, such as conflicts."""
        figure = re.search(rf"^(?:c )?{what}\s*:\s*(\d+)", self.out, re.MULTILINE)
        return int(figure[1]) if figure else None

    def failure(self, watch: Watch) -> Exception:
        """Return the reason why there is no answer: its limit came first, or it broke."""
        if watch.limits.conflicts is not None and self.code == 0:
            return Interrupted("conflicts", watch.limits.conflicts)
        words = text_of((self.err or self.out).strip()[-200:] or "nothing")
        return BackendFailure(f"it gave no answer (exit code {self.code}) and wrote {words}")


class DimacsSession(CommandSession[Cnf | LargeModel]):
    """Writes a file for each question."""

    def __init__(self, backend: Dimacs, model: Cnf | LargeModel) -> None:
        super().__init__(model)
        self._backend = backend

    def _begin(self, board: Board) -> None:
        self._board = board
        self._clauses = self._model.clauses_of(board)
        self._forbidden: list[Clause] = []

    def _ask(self) -> SymbolTuple | None:
        with (self._folder / "cnf").open("w", encoding="ascii") as out:
            self._clauses.write_dimacs(out, self._board, *self._forbidden, names=False)
        outcome = self._backend.solve(self._folder, self._watch)
        figures = {}
        for name in _FIGURES:
            number = outcome.count(name)
            if number is not None:
                figures[name] = number
        self._count(figures.get("conflicts", 0), **figures)
        if not outcome.satisfiable:
            if outcome.satisfiable is None:
                raise outcome.failure(self._watch)
            return None
        true = set(outcome.literals())
        model = []
        for variable in range(1, self._clauses.variable_count + 1):
            model.append(variable if variable in true else -variable)
        return self._clauses.decode(model)

    def _forbid(self, grid: SymbolTuple, board: Board) -> None:
        self._forbidden.append(self._clauses.blocking_clause(grid))


class Dimacs(EndableBackend):
    """A SAT solver by its command.

    Parameters
    ----------
    command
        The program and its arguments, as in a shell. Without one the backend is only there to explain how to give it.

    Examples
    --------
    >>> Dimacs().unavailable()
    "it needs a command, such as -b 'dimacs:cadical -q' or -b dimacs:minisat"
    """

    family = "sat"
    accepts = "cnf"
    summary = "any solver of DIMACS files, by its command"
    largest_short = 4

    def __init__(self, command: str = "") -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as problem:
            raise BackendUnavailable(f"dimacs:{command}: {problem}; expected a command") from None
        self.name = f"dimacs:{command}" if command else "dimacs"
        program = Path(self._words[0]).stem.casefold() if self._words else ""
        self._known = KNOWN.get(program, Known())
        for part, origin in ORIGINS.items():
            if part in program:
                self.origin = origin
                break

    @property
    def version(self) -> str:
        return children.version_of(self._words[0]) if self._words else "unknown"

    def configured(self, text: str) -> Backend:
        return Dimacs(text.strip())

    def unavailable(self) -> str | None:
        if not self._words:
            return "it needs a command, such as -b 'dimacs:cadical -q' or -b dimacs:minisat"
        program = self._words[0]
        return None if shutil.which(program) else f"no program {program!r} is installed here"

    def open_here(self, model: Cnf | LargeModel) -> Session:
        return DimacsSession(self, model)

    def solve(self, folder: Path, watch: Watch, *more: str) -> Outcome:
        """Run the command on the formula in the folder. ``more`` replaces the usual arguments for files."""
        files = {name: str(folder / name) for name in ("cnf", "model", "proof")}
        for name in ("model", "proof"):
            Path(files[name]).unlink(missing_ok=True)
        words = list(self._words)
        if not any("{cnf}" in word for word in words):
            words += more or self._known.files
        conflicts = watch.conflicts_left()
        if conflicts is not None:
            words[1:1] = self._known.conflicts
            files["conflicts"] = str(min(conflicts, 2**31 - 1))
        for name, value in files.items():
            words = [word.replace(f"{{{name}}}", value) for word in words]
        code, out, err = run_within(watch, words, folder)
        model = Path(files["model"])
        outcome = Outcome(code, out, err, model.read_text(errors="replace") if model.exists() else "")
        if conflicts is not None and not self._known.conflicts:
            # it worked beyond the limit: that is no answer within it
            spent = outcome.count("conflicts")
            if spent is None:
                known = " or ".join(name for name, known in KNOWN.items() if known.conflicts)
                problem = f"{self._words[0]!r} does not report its conflicts"
                raise InputError(f"{problem}; expected no limit on them, or {known}")
            if spent > conflicts:
                raise Interrupted("conflicts", watch.limits.conflicts)
        return outcome

    def no_proofs(self) -> str | None:
        reason = self.unavailable()
        if reason:
            return reason
        if self._known.proof or any("{proof}" in word for word in self._words):
            return None
        known = " or ".join(name for name, known in KNOWN.items() if known.proof)
        return f"it has no stated way to write a DRAT proof; expected {known}, or {{cnf}} and {{proof}} in the command"

    def refute(self, clauses: Sequence[Sequence[int]], limits: Limits = NO_LIMITS) -> list[str] | None:
        reason = self.no_proofs()
        if reason:
            raise BackendUnavailable(f"{self.name}: {reason}")
        watch = Watch(limits)
        with tempfile.TemporaryDirectory(prefix="gridproof-") as name:
            folder = Path(name)
            with (folder / "cnf").open("w", encoding="ascii") as out:
                top = max((abs(literal) for clause in clauses for literal in clause), default=0)
                out.write(f"p cnf {top} {len(clauses)}\n")
                for clause in clauses:
                    out.write(" ".join([str(literal) for literal in clause]) + " 0\n")
            outcome = self.solve(folder, watch, *self._known.proof)
            if outcome.satisfiable is None:
                raise outcome.failure(watch)
            if outcome.satisfiable:
                return None
            try:
                return proof_of((folder / "proof").read_text(encoding="ascii").splitlines())
            except (OSError, UnicodeDecodeError) as problem:
                raise BackendFailure(f"{self.name}: no proof as text: {text_of(problem)}") from None


def backends() -> Iterable[Backend]:
    """Return the backends of this module."""
    return [Dimacs()]
