"""Ctrl-C held back: nothing is raised in the middle, whichever thread the system gives the signal to; and the end of a
process from outside as an exception.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from gridproof.runs.interrupts import Ended, ctrl_c_waits, ended_cleanly

pytestmark = pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals are a POSIX matter")


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


def test_without_it_nothing_is_raised_and_all_is_as_before() -> None:
    handler = signal.getsignal(signal.SIGINT)
    with ctrl_c_waits():
        assert blocked()
    assert signal.getsignal(signal.SIGINT) is handler
    assert not blocked()


@pytest.mark.usefixtures("a_thread_that_takes_signals")
def test_a_handler_of_the_users_own_is_called_afterwards() -> None:
    calls: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: calls.append(number))
    try:
        with ctrl_c_waits():
            press_ctrl_c()
            assert not calls
        assert calls == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)


def test_what_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with ctrl_c_waits():
            press_ctrl_c()
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


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


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_an_end_from_outside_is_an_exception_once(name: str) -> None:
    number = getattr(signal, name)

    def ended() -> None:
        try:
            os.kill(os.getpid(), number)
            time.sleep(60)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)  # it is being done

    with pytest.raises(Ended, match=f"ended by {name}") as caught, ended_cleanly():
        ended()
    assert caught.value.code == caught.value.exit_code == 128 + number
    assert signal.getsignal(number) is signal.SIG_DFL


def test_who_ignores_a_signal_goes_on_to_do_so() -> None:
    """As below ``nohup``."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ended_cleanly():
            os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_in_another_thread_signals_are_left_alone() -> None:
    found: list[object] = []

    def look() -> None:
        with ended_cleanly():
            found.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [signal.SIG_DFL]
