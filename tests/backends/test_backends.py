"""Finding backends. What each must do is in contract/test_backend_contract.py; plug-ins are in test_liars.py."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from cli_runner import environment
from core_samples import FOUR, NINE, UNIQUE
from gridproof import backends, limits
from gridproof import pipeline as pipeline_module
from gridproof.backends import solvers
from gridproof.backends.isolation import EndableBackend, EndableSession
from gridproof.backends.protocol import Backend, Model, Session
from gridproof.backends.solvers import pysat
from gridproof.backends.solvers.pysat import PySat, PySatSession, _solver
from gridproof.backends.solvers.pysat._solver import quirks_of
from gridproof.errors import BackendFailure, BackendUnavailable, Interrupted
from gridproof.limits import Limits
from gridproof.models import catalog, cnf_rules
from gridproof.models.clauses import Builder
from gridproof.models.targets.cnf import compile_cnf
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.primitives import Primitive
from gridproof.runs.children import Child
from gridproof.trust import reference
from rules.rule_truth import backend_for_each_target
from rules.test_rules_truth import test_every_backend_takes_a_rule_or_refuses_it_by_name as takes_or_refuses

DOC = (Path(__file__).parents[2] / "docs" / "backends.md").read_text(encoding="utf-8")
FILE = DOC[DOC.index("from collections.abc") : DOC.index("```\n\nOther packages")].replace(
    '"my-solver"', '"dropped-in"'
)
"""The backend that docs/backends.md begins with."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A further folder in which ``gridproof.backends`` looks for modules."""
    monkeypatch.setattr(solvers, "__path__", [*solvers.__path__, str(tmp_path)])
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("gridproof.backends.solvers.dropped")]:
        del sys.modules[name]
    importlib.invalidate_caches()


def names() -> list[str]:
    return [backend.name for backend in backends.all_backends()]


def test_a_file_is_found_because_it_is_there(folder: Path) -> None:
    before = names()
    (folder / "dropped_in.py").write_text(FILE)
    (folder / "_dropped_helper.py").write_text("raise RuntimeError('nobody imports this')")
    (folder / "dropped_other.py").write_text("'''A module that brings no backends.'''")
    (folder / "dropped_package").mkdir()
    (folder / "dropped_package" / "__init__.py").write_text("")
    (folder / "dropped_package" / "deep.py").write_text(FILE.replace("dropped-in", "dropped-deep"))
    importlib.invalidate_caches()
    assert set(names()) - set(before) == {"dropped-in", "dropped-deep"}
    assert backends.find("dropped-in").unavailable() == "this is the template"


def test_the_backend_of_the_docs_refuses_a_rule_by_its_name(folder: Path) -> None:
    """As the contract kits demand it of a file that begins as the docs have it, once there is nothing missing."""
    body = FILE[FILE.index("    def unavailable") : FILE.index("    def refuses")]
    (folder / "dropped_in.py").write_text(FILE.replace(body, ""))
    importlib.invalidate_caches()
    backend = backends.find("dropped-in")
    assert backend.unavailable() is None
    takes_or_refuses(backend)


def test_an_unknown_name_is_an_error_with_those_that_are_known() -> None:
    with pytest.raises(BackendUnavailable) as error:
        backends.find("nobody")
    for name in names():
        assert name in str(error.value)


def test_finding_one_imports_no_solver_of_another() -> None:
    script = (
        "import sys; from gridproof import backends; backends.find('reference'); backends.find('cp-sat');"
        "print(*sorted(name for name in ('pysat', 'ortools', 'numpy') if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment(), check=True)
    assert done.stdout.split() == []


# ---- PySAT ---------------------------------------------------------------------------------------------------------


def sat() -> list[Backend]:
    return [backend for backend in backends.all_backends() if isinstance(backend, PySat)]


def test_every_solver_of_pysat_is_there() -> None:
    from pysat.solvers import SolverNames

    known = {name for name, value in vars(SolverNames).items() if isinstance(value, tuple) and name[0] != "_"}
    assert {backend.name for backend in sat()} == known
    usable = [backend.name for backend in sat() if not backend.unavailable()]
    assert len(usable) >= 15


def session_of(name: str) -> Session:
    return backends.find(name).open(compile_cnf(NINE, catalog.load("triad")))


def test_a_session_loads_a_new_solver_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pysat, "RENEW_AFTER", 3)
    board = Board.from_symbols(NINE, UNIQUE)
    solution = list(reference.solutions(board))
    with session_of("cadical153") as session:
        assert isinstance(session, PySatSession)
        solvers = []
        for _ in range(7):
            assert list(session.solutions(board)) == solution
            assert session.statistics.propagations
            solvers.append(session._solver)
    assert len(set(map(id, solvers))) == 3
    assert solvers[0] is solvers[2]
    assert solvers[2] is not solvers[3]


@pytest.mark.parametrize("name", ["cadical153", "minisat22"])
def test_a_solver_that_breaks_is_left_alone_and_replaced(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an exception in the middle of a solve no call may reach the solver: CaDiCaL aborts the process for one."""
    board = Board.from_symbols(NINE, UNIQUE)
    with session_of(name) as session:
        assert isinstance(session, PySatSession)
        broken = session._solver
        calls: list[str] = []

        class Broken:
            def __getattr__(self, called: str) -> Callable[..., object]:
                def call(*_: object) -> object:
                    calls.append(called)
                    if "solve" in called:
                        raise RuntimeError("it broke")
                    return {"conflicts": 0, "decisions": 0, "propagations": 0, "restarts": 0}

                return call

        monkeypatch.setattr(broken, "_solver", Broken())
        with pytest.raises(BackendFailure):
            list(session.solutions(board))
        assert "solve_limited" in calls
        assert calls[calls.index("solve_limited") + 1 :] == []
        assert session._solver is not broken
        assert list(session.solutions(board)) == list(reference.solutions(board))


FORCED = (
    ([[-3, 1], [-1, 2]], [3]),
    ([[-3, 1], [-1, 2], [3, 4, 5, 6]], [3, 4, 5, 6]),
    ([[-3, 1], [-1, 2], [-3, 4], [-4, -5, 6]], [3, 5]),
)
OPEN = (([[1, 2], [-1, -2], [3, 4]], [3, 4]), ([[1, 2, 3], [-1, -2], [-1, -3], [-2, -3], [4, 5]], [4, 5]))


def decisions(solver: str, formula: list[list[int]], assumptions: list[int]) -> list[int]:
    """The decisions of three solves in a row, -1 where they are not counted. The later ones must count, too."""
    counts = []
    with _solver.Solver(solver, formula) as tried:
        for _ in range(3):
            before = tried.counters().get("decisions", 0)
            tried.solve(assumptions)
            counts.append(tried.counters().get("decisions", -1) - before)
    return counts


def test_the_shortcut_is_taken_only_where_it_is_sound() -> None:
    """A solver that counts no decisions proves nothing by having made none."""
    assert quirks_of("cadical153").forced == 0, "else the default is slower than stated"
    for backend in sat():
        assert isinstance(backend, PySat)
        quirks = quirks_of(backend.solver)
        if backend.unavailable() or quirks.fresh:
            continue
        if quirks.forced is not None:
            assert {count for one in FORCED for count in decisions(backend.solver, *one)} == {quirks.forced}
            assert min(count for one in OPEN for count in decisions(backend.solver, *one)) > quirks.forced
        with backend.open(compile_cnf(FOUR, catalog.load("extended"))) as session:
            for first in ((1, 2, 3, 4), (4, 1, 2, 3)):
                board = Board(FOUR, (*first, *[0] * 12))
                assert len(list(session.solutions(board))) == 12


# ---- in a child process ----------------------------------------------------------------------------------------------


def endable_session() -> EndableSession:
    session = session_of("lingeling")
    assert isinstance(session, EndableSession)
    return session


def child_of(session: EndableSession) -> Child:
    assert session._isolated._child is not None
    return session._isolated._child


@pytest.mark.slow
def test_a_solver_that_cannot_be_stopped_is_ended() -> None:
    board, empty = Board.from_symbols(NINE, UNIQUE), Board.empty(NINE)
    solution = list(reference.solutions(board))
    limits = Limits(seconds=100)
    with endable_session() as session:
        assert list(session.solutions(board)) == solution
        assert session._isolated._child is None, "without a time limit it stays in this process"
        assert list(session.solutions(board, limits)) == solution
        child = child_of(session)
        assert child.alive
        assert list(session.solutions(board, limits)) == solution
        assert child_of(session) is child, "the child serves board after board"
        assert session.statistics.propagations
        running = session.solutions(empty, limits)
        next(running)
        running.close()
        assert list(session.solutions(board, limits)) == solution
        assert child_of(session) is child, "closed early: it waits for the next board"
        child_of(session).end()
        assert list(session.solutions(board, limits)) == solution, "a child that died is replaced"
        running = session.solutions(empty, limits)
        next(running)
        child_of(session).end()
        with pytest.raises(BackendFailure, match="its process ended"):
            list(running)
    assert session._isolated._child is None


@pytest.mark.slow
def test_ctrl_c_does_not_wait_for_a_board_with_rules() -> None:
    """Rules make 9x9 boards that a solver works on for minutes."""
    board = Board.from_symbols(NINE, UNIQUE)
    ruled = board.with_rule("different r1c1 r2c2")
    for puzzle, in_child in ((board, False), (ruled, True)):
        backend = backends.find("lingeling")
        with backend.open(compile_cnf(puzzle.problem, catalog.load("triad"))) as session:
            assert isinstance(session, EndableSession)
            assert list(session.solutions(puzzle)) == list(reference.solutions(puzzle))
            assert (session._isolated._child is not None) == in_child


class DyingWhenRead(EndableBackend):
    """A backend that ends the process that it is sent to."""

    name = "dying"
    largest_short = 0

    def open_here(self, model: Model) -> Session:
        raise NotImplementedError

    def __reduce__(self) -> tuple[object, ...]:
        return os._exit, (3,)


def test_a_child_that_dies_before_it_takes_the_rules_is_not_waited_for() -> None:
    sixteen = Geometry.classic(4)
    rules = compile_cnf(sixteen, catalog.load("extended"))  # more than the system keeps for a child to read
    with (
        EndableSession(DyingWhenRead(), rules) as session,
        pytest.raises(BackendFailure, match="dying: its process ended"),
    ):
        list(session.solutions(Board.empty(sixteen), Limits(seconds=100)))


# ---- failures that are no solver's fault -------------------------------------------------------------------------


def test_what_mathopt_raises_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    from ortools.math_opt.python import mathopt

    def fails(*_: object, **__: object) -> None:
        try:
            raise RuntimeError("HighsStatus: kError\n[INTERNAL]")
        except RuntimeError:
            raise AttributeError("no attribute 'canonical_code'") from None

    with Pipeline("highs") as pipeline:
        assert pipeline.verify("1... ..2. .3.. ...4").is_unique
        monkeypatch.setattr(mathopt, "solve", fails)
        verdict = pipeline.verify("1... ..2. .3.. ....")
        assert verdict.status == "undecided"
        assert verdict.reason == "HIGHS gave up with an error: HighsStatus: kError [INTERNAL]"
        monkeypatch.undo()
        assert pipeline.verify("1... ..2. .3.. ...4").is_unique


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["cadical153", "cp-sat", *(one.name for one in backend_for_each_target())])
def test_a_time_limit_ends_the_making_of_a_model(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(10**9))
    board = Board.empty(NINE)
    for place in range(1, 10):
        board = board.with_rule(f"killer 45 row{place}").with_rule(f"killer 45 col{place}")
    translated: list[object] = []
    add_all = cnf_rules.add_all

    def counted(primitives: Iterable[Primitive], to: Builder, label: str) -> None:
        translated.append(primitives)
        add_all(primitives, to, label)

    monkeypatch.setattr(cnf_rules, "add_all", counted)
    with Pipeline(backend, limits=Limits(seconds=5), cross_check="none") as pipeline:
        pipeline.verify(Board.empty(NINE))  # the houses are compiled, the solver is imported
        monkeypatch.setattr(limits, "monotonic", lambda: float(next(clock)))  # each look takes a second
        verdict = pipeline.verify(board)
    assert (verdict.status, verdict.reason) == ("undecided", "stopped by the limit of 5 seconds")
    assert len(translated) < 6


@pytest.mark.parametrize("where", ["compile_model", "session"])
def test_memory_that_runs_out_is_undecided(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    with Pipeline() as pipeline:
        if where == "session":
            pipeline.verify(UNIQUE)
            monkeypatch.setattr(_solver.Solver, "step", full)
        else:
            monkeypatch.setattr(pipeline_module, "compile_model", full)
        verdict = pipeline.verify(UNIQUE)
        assert (verdict.status, verdict.reason) == ("undecided", "there was not enough memory")
        counted = pipeline.count(UNIQUE)
        assert (counted.number, counted.complete, counted.reason) == (0, False, "there was not enough memory")
        with pytest.raises(Interrupted, match="not enough memory"):
            next(pipeline.solutions(UNIQUE))
        monkeypatch.undo()
        assert pipeline.verify(UNIQUE).is_unique
