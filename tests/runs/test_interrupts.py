"""Ctrl-C held back: nothing is raised in the middle, whichever thread the system gives the signal to; and the end of a
process from outside as an exception.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from pysat import _utils, solvers

from cli_runner import environment
from core_samples import UNIQUE
from gridproof import Board, Geometry, backends, parse, verify
from gridproof.backends.solvers import pysat
from gridproof.backends.solvers.pysat import _solver
from gridproof.certificates import certify
from gridproof.explanations import explain
from gridproof.models import catalog
from gridproof.runs.interrupts import Ended, _pysat, ctrl_c_waits, end_cleanly

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals are a POSIX matter"),
]


@pytest.fixture
def a_thread_that_takes_signals() -> Iterator[None]:
    """The system gives a signal that the main thread blocks to any other thread that does not."""
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    yield
    over.set()
    thread.join()


def press_ctrl_c() -> None:
    os.kill(os.getpid(), signal.SIGINT)
    until = time.monotonic() + 0.05
    while time.monotonic() < until:  # Python looks at signals between any two of its steps
        pass


def blocked() -> bool:
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.usefixtures("a_thread_that_takes_signals")
@pytest.mark.parametrize("times", [1, 3])
def test_it_comes_when_the_block_is_left(times: int) -> None:
    handler, done = signal.getsignal(signal.SIGINT), list[bool]()

    def hold() -> None:
        with ctrl_c_waits():
            for _ in range(times):
                press_ctrl_c()
            done.append(True)

    with pytest.raises(KeyboardInterrupt):
        hold()
    assert done
    assert signal.getsignal(signal.SIGINT) is handler
    assert not blocked()


def test_in_another_thread_it_is_the_main_threads_matter() -> None:
    seen: list[bool] = []

    def hold() -> None:
        with ctrl_c_waits():
            seen.append(blocked())
        seen.append(blocked())

    thread = threading.Thread(target=hold)
    thread.start()
    thread.join()
    assert seen == [True, False]


def test_it_reaches_no_child_not_even_the_first() -> None:
    program = "from runs import interrupt_samples; interrupt_samples.first_child()"
    path = os.pathsep.join([str(Path(__file__).parents[1]), environment()["PYTHONPATH"]])
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment(PYTHONPATH=path), capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("blocked\n", "")


def test_pysats_own_handler_is_never_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """PySAT installs it where this check finds the main thread."""
    stacks: list[str] = []

    def check() -> bool:
        stacks.append("".join(traceback.format_stack(limit=6)))
        return False

    monkeypatch.setattr(_utils.MainThread, "check", staticmethod(check))
    _pysat.cache_clear()
    _solver.trial.cache_clear()
    board, contradictory = parse(UNIQUE), Board(Geometry.latin(3), (1, 2, 0, 0, 0, 3, 0, 0, 0))
    for backend in backends.all_backends():
        if isinstance(backend, pysat.PySat) and not backend.unavailable():
            assert verify(board, backend, cross_check="none").is_unique
    for name in catalog.names():
        if (encoding := catalog.load(name)).target == "cnf":
            assert verify(Board.empty(Geometry.classic(2)), "cadical153", encoding).status == "multiple"
    assert explain(contradictory, conflicts=3).conflicts
    assert certify(contradictory)
    assert stacks == []
    assert solvers.MainThread is _utils.MainThread
    solvers.Solver(name="minisat22").solve()
    assert len(stacks) == 1, "other users of PySAT are not touched"


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_an_end_from_outside_is_an_exception_once(name: str) -> None:
    number = getattr(signal, name)

    def ended() -> None:
        try:
            os.kill(os.getpid(), number)
            time.sleep(60)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)  # it is being done

    with pytest.raises(Ended, match=f"ended by {name}") as caught, end_cleanly():
        ended()
    assert caught.value.code == caught.value.exit_code == 128 + number
    assert signal.getsignal(number) is signal.SIG_DFL


LOST = """
import signal, time
from gridproof.runs.interrupts import repeat_lost_ctrl_c

class Freed:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

{install}
try:
    Freed()
    time.sleep({seconds})
    print("went on")
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.parametrize(("install", "outcome"), [("repeat_lost_ctrl_c()", "stopped"), ("", "went on")])
def test_it_comes_once_more_where_an_object_was_freed(install: str, outcome: str) -> None:
    """Without the hook Python prints it and goes on."""
    program = LOST.format(install=install, seconds=20 if install else 0.2)
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True, timeout=60, check=False
    )
    assert run.stdout == f"{outcome}\n"
    assert (run.stderr == "") == bool(install)


def test_a_trial_of_a_solver_does_not_swallow_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: seen.append(type(lost.exc_value)))

    class Freed:
        def __init__(self, problem: type[BaseException]) -> None:
            self.problem = problem

        def __del__(self) -> None:
            raise self.problem

    def step(*_: object) -> bool:
        Freed(ValueError)
        Freed(KeyboardInterrupt)
        return True

    monkeypatch.setattr(_solver.Solver, "step", step)
    assert _solver.trial("glucose4", ((1, 2, 3),)) == (True, "")
    assert seen == [KeyboardInterrupt]
