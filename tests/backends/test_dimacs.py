"""SAT solvers by their command: what they may print, how they are stopped, and what they prove.

The programs here are made up: each is MiniSat through PySAT with a form of its own for its results. Real ones are
run through the contract kits where they are installed.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cli_runner import runs
from contract.test_proofs import refusals
from core_samples import FOUR, NINE, UNIQUE, pigeons
from gridproof import backends, checker, verify
from gridproof.backends.protocol import Backend
from gridproof.certificates import certify
from gridproof.errors import BackendFailure, BackendUnavailable, InputError, Interrupted
from gridproof.formats import parse
from gridproof.limits import Limits
from gridproof.models import catalog
from gridproof.models.targets.cnf import compile_cnf
from gridproof.puzzle.board import Board
from gridproof.trust import reference
from gridproof.trust.answer import Status
from gridproof.trust.record import VerdictRecord

pytestmark = pytest.mark.process

BODY = """
import sys, time, subprocess
from pysat.formula import CNF
from pysat.solvers import Solver

def solve():
    with Solver("minisat22", bootstrap_with=CNF(from_file=sys.argv[1])) as solver:
        return solver.solve(), solver.get_model() or []

"""

WAYS = {
    "competition": """
answer, model = solve()
print("c a remark\\nc conflicts: 7 or so")
print("s SATISFIABLE" if answer else "s UNSATISFIABLE")
for first in range(0, len(model), 50):
    print("v", *model[first:first + 50])
if answer:
    print("v 0")
sys.exit(10 if answer else 20)
""",
    "exit code for none": """
answer, model = solve()
if answer:
    print("s SATISFIABLE\\nv", *(v for v in model if v > 0), 0)
sys.exit(10 if answer else 20)
""",
    "minisat": """
answer, model = solve()
print("conflicts             : 3              (0 /sec)")
with open(sys.argv[2], "w") as out:
    out.write("SAT\\n" + " ".join(map(str, model)) + " 0\\n" if answer else "UNSAT\\n")
""",
}

Made = Callable[..., Backend]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """A backend whose command is a Python program with this text."""

    def make(text: str, arguments: str = "", name: str = "solver") -> Backend:
        path = tmp_path / f"{name}.py"
        path.write_text(BODY + text)
        return backends.find(f"dimacs:{shlex.quote(sys.executable)} {shlex.quote(str(path))} {arguments}")

    return make


@pytest.mark.parametrize("way", WAYS)
def test_what_solvers_print_is_read(made: Made, way: str) -> None:
    backend = made(WAYS[way], "{cnf} {model}" if way == "minisat" else "")
    first_rows = Board(FOUR, (1, 2, 3, 4, 3, 4, 1, 2, *[0] * 8))
    number = reference.count(first_rows)
    assert number > 1
    with backend.open(compile_cnf(FOUR, catalog.load("triad"))) as session:
        assert set(session.solutions(first_rows)) == set(reference.solutions(first_rows))
        conflicts = {"competition": 7, "minisat": 3}.get(way)  # of each question
        assert session.statistics.conflicts == (conflicts and (number + 1) * conflicts)
        assert list(session.solutions(Board(FOUR, (1, 1, *[0] * 14)))) == []
    verdict = verify(UNIQUE, backend)
    assert (verdict.status, str(verdict.evidence.reference)) == (Status.UNIQUE, "agrees")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sys.exit('no such option')", r"exit code 1\) and wrote no such option"),
        ("pass", r"exit code 0\) and wrote nothing"),
        ("print('s UNKNOWN')", "gave no answer"),
        ("print('s SATISFIABLE')", "without a model; expected v lines"),
        ("print('s SATISFIABLE\\nv 1 2 three 0')", "model cannot be read.*three"),
        ("import os; os.kill(os.getpid(), 9)", "exit code -9"),
        ("print('\\x1b[31mred'); sys.exit(3)", r"x1b\[31mred"),
    ],
)
def test_what_is_no_answer_is_a_failure(made: Made, text: str, message: str) -> None:
    with (
        made(text).open(compile_cnf(FOUR, catalog.load("triad"))) as session,
        pytest.raises(BackendFailure, match=message),
    ):
        list(session.solutions(Board.empty(FOUR)))


def test_a_wrong_answer_is_seen(made: Made) -> None:
    assert verify(UNIQUE, made("print('s UNSATISFIABLE')")).status == Status.DISAGREEMENT
    assert verify(UNIQUE, made("print('s SATISFIABLE\\nv 1 0')")).status == Status.DISAGREEMENT


def test_what_is_no_grid_stands_in_the_reason_and_not_among_the_solutions(made: Made) -> None:
    verdict = verify(UNIQUE, made("print('s SATISFIABLE\\nv 1 0')"))
    record = VerdictRecord.of(verdict)
    assert (record.verdict, record.solution, record.second_solution) == ("disagreement", None, None)
    assert "the backend's solution 1 is none: r1c1 holds 1 but its clue is 5" in (record.reason or "")
    assert verdict.reproducer()["solutions"][0][:2] == (1, 0)


# ---- limits ----------------------------------------------------------------------------------------------------------


def test_a_solver_that_hangs_is_ended_with_all_that_it_started(made: Made, tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    program = (
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(mark)!r}, 'w').write(str(child.pid))\ntime.sleep(600)"
    )
    for shape in (FOUR, NINE):
        mark.unlink(missing_ok=True)
        with (
            made(program).open(compile_cnf(shape, catalog.load("triad"))) as session,
            pytest.raises(Interrupted) as stop,
        ):
            list(session.solutions(Board.empty(shape), Limits(seconds=2)))
        assert stop.value.limit == "seconds"
        assert mark.exists(), "it had begun"
        _wait_for_the_end_of(int(mark.read_text()))


def _wait_for_the_end_of(pid: int) -> None:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        if not runs(pid):
            return
        time.sleep(0.02)
    os.kill(pid, 9)
    pytest.fail("what the solver had started still runs")


def next_to(board: Board) -> Board:
    """The board with a solution of it."""
    return Board(board.geometry, next(reference.solutions(board)))


def test_a_limit_of_conflicts(made: Made) -> None:
    cnf = compile_cnf(FOUR, catalog.load("triad"))
    board = Board(FOUR, (1, 2, 3, 4, *[0] * 12))
    with made(WAYS["competition"]).open(cnf) as session:  # it prints 7 for each question
        with pytest.raises(Interrupted) as stop:
            list(session.solutions(board, Limits(conflicts=6)))
        assert (stop.value.limit, stop.value.value) == ("conflicts", 6)
        assert len(list(session.solutions(next_to(board), Limits(conflicts=1000)))) == 1
    with (
        made(WAYS["exit code for none"]).open(cnf) as session,
        pytest.raises(InputError, match="does not report its conflicts; expected no limit on them, or cadical"),
    ):
        list(session.solutions(board, Limits(conflicts=6)))


# ---- programs and their names -----------------------------------------------------------------------------------


def test_the_version_is_the_one_that_the_program_prints(tmp_path: Path) -> None:
    for number, (text, version) in enumerate(
        [("Some solver, version 1.2.3 of 2020", "1.2.3"), ("sc2021", "sc2021"), ("no such option", "unknown")]
    ):
        program = tmp_path / f"solver{number}"
        program.write_text(f"#!/bin/sh\necho {text}\n")
        program.chmod(0o755)
        assert backends.find(f"dimacs:{program} -q").version == version


def test_a_missing_part_is_named() -> None:
    assert "dimacs:cadical" in str(backends.find("dimacs").unavailable())
    missing = backends.find("dimacs:no-such-solver -q")
    assert missing.unavailable() == "no program 'no-such-solver' is installed here"
    with pytest.raises(BackendUnavailable, match=r"^dimacs:no-such-solver -q: no program"):
        verify(UNIQUE, missing)


# ---- proofs ----------------------------------------------------------------------------------------------------------

PROVING = """
answer, model = solve()
with Solver("cadical153", bootstrap_with=CNF(from_file=sys.argv[1]), with_proof=True) as solver:
    answer = solver.solve()
    if not answer:
        open(sys.argv[2], "w").write("\\n".join(solver.get_proof()) + "\\n")
print("s SATISFIABLE" if answer else "s UNSATISFIABLE")
if answer:
    print("v", *model, 0)
"""


def test_a_proof_by_a_place_in_the_command(made: Made, tmp_path: Path) -> None:
    assert "{proof} in the command" in str(made(WAYS["competition"]).no_proofs())
    backend = made(PROVING, "{cnf} {proof}")
    assert backend.no_proofs() is None
    proof = backend.refute(pigeons(4))
    assert proof is not None
    assert proof[-1] == "0"
    assert backend.refute(pigeons(3)[1:]) is None
    assert checker.check(certify(parse("1.....2........3"), backend).write(tmp_path / "proof")).accepted
    with pytest.raises(BackendFailure, match="no proof as text"):
        made(
            WAYS["competition"].replace("answer, model = solve()", "answer, model = False, []"), "{cnf} {proof}"
        ).refute([[1]])


@pytest.mark.skipif(shutil.which("cadical") is None, reason="cadical is not installed (Debian: apt install cadical)")
def test_proofs_of_cadical(tmp_path: Path) -> None:
    backend = backends.find("dimacs:cadical -q")
    assert list(refusals(backend, tmp_path)) == []
    assert backend.refute([[1, 2]]) is None
    with pytest.raises(Interrupted) as stop:
        backend.refute(pigeons(7), Limits(conflicts=10))
    assert stop.value.limit == "conflicts"
    with pytest.raises(Interrupted) as stop:
        backend.refute(pigeons(12), Limits(seconds=0.2))
    assert stop.value.limit == "seconds"
