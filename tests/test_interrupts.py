"""Ctrl-C held back: nothing is raised in the middle, whichever thread the system gives the signal to."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from gridproof.interrupts import ctrl_c_waits

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
