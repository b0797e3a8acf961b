"""Options after a backend's name, and backends by the path of their file."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli_runner import environment, run
from core_samples import FOUR, NINE, UNIQUE, UNIQUE_SOLUTION, usable_backends
from gridproof import backends
from gridproof.backends.models import compile_model, default_encoding
from gridproof.backends.protocol import Backend
from gridproof.errors import BackendUnavailable, InputError
from gridproof.limits import NO_LIMITS, Limits
from gridproof.puzzle.board import Board
from gridproof.trust import reference

TAKEN = [
    "cp-sat:num_workers=2,random_seed=7,search_branching=FIXED_SEARCH",
    "cadical153:seed=3,lucky=1,inprocessing=1",
    "cadical195:chrono=1, phase=0",
    "clingo:configuration=handy,seed=3,heuristic=vsids",
    "z3:random_seed=5",
    "highs:random_seed=3,presolve=off",
    "scip:cuts=off,heuristics=low,threads=1",
    "minizinc:solver=org.gecode.gecode",
]

REFUSED = [
    ("cp-sat:num_worker=2", "cp-sat has no option 'num_worker'; expected one of num_workers"),
    ("cp-sat:num_workers=two", "num_workers = 'two'; expected a value of the type int"),
    ("cp-sat:search_branching=x", "expected one of AUTOMATIC_SEARCH"),
    ("cp-sat:num_workers=-1", "cp-sat does not take num_workers = '-1': .*should be in"),
    ("cp-sat:stop_after_presolve=true", "cp-sat does not take stop_after_presolve = 'true': UNKNOWN"),
    ("cp-sat:max_time_in_seconds=1", "cp-sat has no option 'max_time_in_seconds'"),
    ("cadical153:sed=1", "cadical153 has no option 'sed'; expected one of block.*seed"),
    ("cadical153:seed=-1", "seed = '-1'; expected a whole number from 0 to 2000000000"),
    ("cp-sat:random_seed=1,random_seed=2", "expected each option once"),
    ("minisat22:seed=1", "minisat22 has no option 'seed'; it has none"),
    ("clingo:sed=1", "clingo has no option 'sed'; expected .*seed"),
    ("clingo:seed=x", "clingo does not take seed = 'x'"),
    ("z3:seed=1", "z3 has no option 'seed'; expected .*random_seed"),
    ("z3:phase=x", "z3 does not take phase = 'x': .*invalid phase selection"),
    ("z3:random_seed=x", "random_seed = 'x'; expected a whole number from 0 to 4294967295"),
    ("highs:cuts=off", "highs has no option 'cuts'; expected one of heuristics, presolve, random_seed"),
    ("scip:presolve=maybe", "presolve = 'maybe'; expected one of off, low, medium, high"),
    ("minizinc:solver=nosuch", "minizinc does not take solver = 'nosuch': .*nosuch"),
    ("dimacs:'x", "No closing quotation"),
]


def usable(name: str) -> None:
    try:
        reason = backends.find(name.partition(":")[0]).unavailable()
    except BackendUnavailable:
        return
    if reason and not name.startswith("dimacs"):
        pytest.skip(reason)


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKEN)
def test_options_are_taken(name: str) -> None:
    usable(name)
    backend = backends.find(name)
    assert backend.name == name
    board = Board(FOUR, (1, 2, 3, 4, *[0] * 12))
    with backend.open(compile_model(FOUR, backend, default_encoding(backend))) as session:
        assert set(session.solutions(board)) == set(reference.solutions(board))
        assert len(list(session.solutions(board, Limits(seconds=100)))) == 12  # in a process of its own, for some
    # a name without options means the same as before
    assert backends.find(name.partition(":")[0]).name == name.partition(":")[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cadical153:forcephase=1,phase=0", "cadical153:forcephase=1,phase=1"),
        ("cp-sat", "cp-sat:search_branching=RANDOMIZED_SEARCH"),
        ("clingo:rand_freq=1.0,seed=3", "clingo:rand_freq=1.0,seed=4"),
        ("z3", "z3:phase=random,random_seed=5"),
    ],
)
def test_options_reach_the_solver(one: str, other: str) -> None:
    """A search with another beginning finds another grid first."""
    usable(one)
    assert first(backends.find(one)) != first(backends.find(other))


def first(backend: Backend) -> tuple[int, ...]:
    with backend.open(compile_model(NINE, backend, default_encoding(backend))) as session:
        return next(session.solutions(Board.empty(NINE)))


@pytest.mark.parametrize(
    "backend", [one for one in usable_backends() if one.seed_option], ids=lambda backend: backend.name
)
def test_a_seed_is_one_of_its_options(backend: Backend) -> None:
    seeded = f"{backend.name}:{backend.seed_option}=1"
    assert backends.find(seeded).name == seeded


@pytest.mark.parametrize(("name", "message"), REFUSED)
def test_what_is_no_option_is_an_error_that_lists_what_is(name: str, message: str) -> None:
    usable(name)
    with pytest.raises(BackendUnavailable, match=message) as refused:
        backends.find(name)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 1000


# ---- a file of one's own ---------------------------------------------------------------------------------------------

MINE = """
from gridproof.backends.solvers.reference import ReferenceBackend

class Mine(ReferenceBackend):
    name = "mine"

def backends():
    print("looked for")
    return [Mine()]
"""


@pytest.mark.slow
def test_a_backend_by_the_path_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    backend = backends.find(str(path))
    assert backend.name == str(path)
    assert pickle.loads(pickle.dumps(backend)).name == str(path)
    for more in ([], ["--seconds", "100"]):  # here, and in a process of its own
        done = run("verify", "-q", "-b", str(path), *more, UNIQUE)
        assert (done.returncode, done.stdout) == (0, f"unique\t{UNIQUE_SOLUTION}\n".encode())
    done = run("compare", "easy", "-b", str(path), "--sample", "1", "--repeat", "1", "--quiet")
    assert done.returncode == 0
    assert str(path) in done.stdout.decode()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "FileNotFoundError"),
        ("x = 1 / 0", "ZeroDivisionError: division by zero"),
        ("def backends(:", "SyntaxError"),
        ("x = 1", "brings 0 backends; expected a function backends"),
        (MINE.replace("[Mine()]", "[Mine(), Mine()]"), "brings 2 backends"),
        (MINE.replace("[Mine()]", "[7]"), "expected backends"),
        (MINE.replace("[Mine()]", "7"), "TypeError"),
        ("raise SystemExit(3)", "SystemExit"),
    ],
)
def test_a_file_that_brings_none(text: str | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    if text is not None:
        path.write_text(text)
    with pytest.raises(BackendUnavailable, match=f"{path}.*{message}"):
        backends.find(str(path))


@pytest.mark.slow
def test_trying_an_option_leaves_the_handler_of_ctrl_c() -> None:
    """After CP-SAT's trial Python's handler is there; the system's would end the process."""
    code = """
import signal
from gridproof.backends import find
find("cp-sat:num_workers=1")
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("delivered")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=False)
    assert (done.returncode, done.stdout) == (0, "delivered\n")


@pytest.mark.parametrize(("board", "limits"), [(5, NO_LIMITS), (UNIQUE, NO_LIMITS), (Board.empty(FOUR), 5)])
def test_a_session_takes_boards_and_limits(board: Any, limits: Any) -> None:
    with backends.find("reference").open(FOUR) as session, pytest.raises(InputError, match="expected a Board"):
        session.solutions(board, limits)


def test_a_word_with_a_zero_byte_is_an_error() -> None:
    usable("minizinc")
    with pytest.raises(BackendUnavailable, match="null byte"):
        backends.find("minizinc:solver=\x00")
