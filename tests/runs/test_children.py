"""Child processes: the signals that reach them, their imports, and that they end, with all that they started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cli_runner import environment, runs
from gridproof.errors import BackendFailure, InputError
from gridproof.runs import children
from gridproof.runs.children import Child, run_command
from gridproof.runs.pool import ChildDied, ChildExecutor

pytestmark = pytest.mark.process

posix = pytest.mark.skipif(os.name != "posix", reason="signals and process groups of POSIX")


def echo(pipe: Connection, *arguments: object) -> None:
    pipe.send(arguments)
    while True:
        pipe.send(pipe.recv())


def start_another(pipe: Connection, *, session: bool = False) -> None:
    """A child with a child: their numbers, then it works for ever without a look at the pipe."""
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=session)
    pipe.send((os.getpid(), other.pid))
    while True:
        pass


def start_another_in_a_session(pipe: Connection) -> None:
    """The same with a group of its own, as MiniZinc does it."""
    start_another(pipe, session=True)


def assert_gone(*pids: int) -> None:
    deadline = time.monotonic() + 20
    while any(map(runs, pids)):
        assert time.monotonic() < deadline, f"{[pid for pid in pids if runs(pid)]} outlived what started them"
        time.sleep(0.02)


def test_it_is_given_its_arguments_and_answers() -> None:
    child = Child(echo, "one", 2)
    assert child.reply() == ("one", 2)
    child.pipe.send("three")
    assert child.reply() == "three"
    with pytest.raises(TimeoutError):
        child.reply(until=time.monotonic() + 0.01)
    assert child.alive
    child.end()
    child.end()
    assert not child.alive
    with pytest.raises((EOFError, OSError)):
        child.reply()


def test_a_child_that_nobody_holds_ends() -> None:
    child = Child(echo)
    child.reply()
    pid = child.pid
    assert pid is not None
    del child
    assert_gone(pid)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="this system does not show who started a process")
def test_it_ends_with_what_it_started_in_a_group_of_its_own() -> None:
    child = Child(start_another_in_a_session)
    pids = child.reply()
    child.end()
    assert_gone(*pids)


KILLED = """
import sys
from runs.test_children import start_another
from gridproof.runs import children
from gridproof.runs.children import Child, run_command

child = Child(start_another)
print(*child.reply(), flush=True)
{then}
"""


@posix
@pytest.mark.parametrize(("then", "number"), [("input()", signal.SIGKILL), ("raise SystemExit(3)", None)])
def test_it_ends_with_its_parent_however_that_ends(then: str, number: int | None) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED.format(then=then)],
        env=environment(PYTHONPATH=os.pathsep.join([str(Path(__file__).parents[1]), environment()["PYTHONPATH"]])),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdout is not None
        assert parent.stderr is not None
        pids = [int(word) for word in parent.stdout.readline().split()]
        if number is not None:
            parent.send_signal(number)
        assert parent.wait(20) == (3 if number is None else -number)
        assert_gone(*pids)
        assert parent.stderr.read() == ""


@posix
def test_ctrl_c_does_not_reach_it() -> None:
    child = Child(echo)
    child.reply()
    assert child.pid is not None
    assert os.getpgid(child.pid) == child.pid, "a terminal sends Ctrl-C to the group of its foreground process"
    os.kill(child.pid, signal.SIGINT)
    child.pipe.send("still there")
    assert child.reply() == "still there"
    child.end()


# ---- other programs --------------------------------------------------------------------------------------------------

LEAVES_ANOTHER = "sleep 600 & echo $! > {pid}; {then}"
"""A script as solvers are started by: it starts a process, and writes down its number."""


def script(folder: Path, then: str) -> tuple[list[str], Path]:
    """A command that starts another process, and the file with the number of that."""
    pid = folder / "pid"
    return ["/bin/sh", "-c", LEAVES_ANOTHER.format(pid=pid, then=then)], pid


@posix
@pytest.mark.parametrize("then", ["wait", "sleep 600", "exec sleep 600"])
def test_a_command_is_ended_at_its_limit_with_all_that_it_started(tmp_path: Path, then: str) -> None:
    command, pid = script(tmp_path, then)
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        run_command(command, tmp_path, 0.5)
    assert time.monotonic() - began < 3
    assert_gone(int(pid.read_text()))


@posix
def test_a_command_that_ends_leaves_nothing_behind(tmp_path: Path) -> None:
    command, pid = script(tmp_path, "echo done; exit 7")
    assert run_command(command, tmp_path, 60) == (7, "done\n", "")
    assert_gone(int(pid.read_text()))


@posix
@pytest.mark.parametrize("where", ["stdout", "stderr"])
def test_a_command_that_writes_without_end_is_ended(
    tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "MOST_OUTPUT", 2**20)
    began = time.monotonic()
    with pytest.raises(ValueError, match=f"it wrote more than 1 MB to {where}, and was ended"):
        run_command(["/bin/sh", "-c", f"yes >&{1 if where == 'stdout' else 2}"], tmp_path, 60)
    assert time.monotonic() - began < 20


@posix
def test_a_program_that_states_no_version_in_time_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "VERSION_SECONDS", 0.5)
    pid = tmp_path / "pid"
    program = tmp_path / "solver.sh"
    program.write_text(f"#!/bin/sh\n{LEAVES_ANOTHER.format(pid=pid, then='wait')}\n")
    program.chmod(0o755)
    began = time.monotonic()
    assert children.version_of(str(program)) == "unknown"
    assert time.monotonic() - began < 3
    assert_gone(int(pid.read_text()))


# ---- calls ---------------------------------------------------------------------------------------------------------


def ends(code: int) -> None:
    os._exit(code)


def fails(problem: BaseException) -> None:
    raise problem


def gives_what_cannot_be_sent() -> object:
    return lambda: None


@pytest.mark.parametrize("room", [0, 100, 10_000])
def test_arrays_come_back_whether_they_fit_into_shared_memory_or_not(room: int) -> None:
    arrays: list[NDArray[Any]] = [np.arange(n, dtype=np.int64) for n in (5, 0, 200, 7)]
    arrays.append(np.arange(40, dtype=np.uint8).reshape(5, 8)[:, ::2])  # not contiguous
    with ChildExecutor(1, room) as executor:
        first = executor.call(list, arrays)
        second = executor.call(list, arrays[::-1])  # in the same place of the memory
    for sent, received in zip(arrays + arrays[::-1], first + second, strict=True):
        assert (sent.dtype, sent.tolist()) == (received.dtype, received.tolist())
        received[:] = 1  # nobody else has it


def test_calls_come_back_fail_or_die_each_stand_alone() -> None:
    with ChildExecutor(2) as executor:
        calls = [executor.submit(ends, 7), *(executor.submit(divmod, 7, n) for n in (2, 3))]
        calls += [executor.submit(fails, InputError("by design")), executor.submit(gives_what_cannot_be_sent)]
        assert isinstance(calls[0].exception(), ChildDied)
        assert [call.result() for call in calls[1:3]] == [(3, 1), (2, 1)]
        with pytest.raises(InputError, match="by design"):
            calls[3].result()
        with pytest.raises(BackendFailure):
            calls[4].result()
        assert executor.submit(divmod, 7, 4).result() == (1, 3)
