"""Ends of blocks and processes: context managers that close themselves, and signals.

There are blocks that delay Ctrl-C, because a ``KeyboardInterrupt`` in the middle would leave something half done; a
context that keeps PySAT from handling it; and an exception for SIGTERM and SIGHUP, if there is something to close.
"""

from __future__ import annotations

import signal
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from math import inf
from time import monotonic
from types import FrameType, SimpleNamespace
from typing import Any, Self, TypeVar, cast

T = TypeVar("T")


@contextmanager
def ctrl_c_waits() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block. Threads and processes that start in the block never receive it.

    The second sentence does not hold where signals cannot be blocked (Windows).
    """
    # To block the signal in this thread is not enough: the system gives it to another thread, such as one of NumPy, and
    # Python still runs its handler in the main thread. So it is noted, too, and delivered later.
    before = signal.getsignal(signal.SIGINT)
    noted = callable(before) and threading.current_thread() is threading.main_thread()
    came: list[tuple[int, FrameType | None]] = []
    if noted:
        signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if noted:
            signal.signal(signal.SIGINT, before)
        if callable(before) and came:
            before(*came[0])


@contextmanager
def children_start() -> Iterator[None]:
    """``ctrl_c_waits`` for a block in which Python's ``multiprocessing`` starts processes.

    With the first of them Python starts a process that cleans up after killed processes, and then unblocks the signal.
    So this function starts that process before, and silences its warnings.
    """
    with ctrl_c_waits():
        if hasattr(signal, "pthread_sigmask"):
            from multiprocessing import resource_tracker

            sys.warnoptions.append("ignore:resource_tracker")  # which it is started with
            try:
                resource_tracker.ensure_running()
            finally:
                sys.warnoptions.pop()
    with ctrl_c_waits():
        yield


def run_stoppable(work: Callable[[], T], stop: Callable[[], object], until: float = inf) -> T:
    """Return the result of a call into compiled code, and let Ctrl-C stop it.

    Python handles Ctrl-C only while the main thread runs Python, so another thread does the work. If this function is
    called in another thread, that thread does the work, since Ctrl-C does not concern it.

    Parameters
    ----------
    work
        A long call that does not hold Python's lock.
    stop
        A function that makes the work end soon, from another thread. It is called until the work has ended.
    until
        The time at which the work has to end in any case, by the monotonic clock.

    Examples
    --------
    >>> run_stoppable(lambda: 1 + 1, lambda: None)
    2
    """
    if threading.current_thread() is not threading.main_thread() and until == inf:
        return work()
    outcome: list[Any] = []
    # Not Thread.join: before Python 3.13, Ctrl-C during a join makes a thread pass for ended that is not. Nor an
    # Event: Ctrl-C in the middle of its wait may leave it locked for ever.
    working = threading.Lock()
    working.acquire()

    def run() -> None:
        try:
            outcome.append((work(), None))
        except BaseException as problem:
            outcome.append((None, problem))
        finally:
            working.release()

    begun = False
    try:
        with ctrl_c_waits():
            threading.Thread(target=run, daemon=True).start()
            begun = True
        while not outcome:
            if monotonic() >= until:
                stop()
            # a wait without an end cannot be interrupted everywhere
            working.acquire(timeout=0.05 if monotonic() >= until else min(0.25, until - monotonic()))
    except BaseException:
        with suppress(KeyboardInterrupt), ctrl_c_waits():  # one is being raised already
            while begun and not outcome:
                stop()  # without effect before the work begins, so it is repeated
                working.acquire(timeout=0.05)
        raise
    result, problem = outcome[0]
    if problem is not None:
        raise problem
    done: T = result
    return done


_OTHER_THREAD = SimpleNamespace(check=lambda: False)
"""A replacement for PySAT's test for the main thread."""


@lru_cache(maxsize=1)
def _pysat() -> tuple[Any, Any, Any]:
    """Return PySAT's modules that install its handler, and their test for the main thread."""
    from pysat import _utils, card, solvers

    return card, solvers, _utils.MainThread


class PysatsHandlerOff:
    """A context in which PySAT leaves Python's handler of Ctrl-C in place.

    PySAT's own handler jumps out of the C code (``longjmp``), whatever that was doing. The solver, and the memory that
    it was taking or giving back, stay half done; the signal stays blocked, so that no further Ctrl-C arrives; and where
    the system runs the handler in another thread, the jump ends the process. PySAT installs it in the main thread only.
    Without it, Ctrl-C waits until the C code returns.
    """

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():
            card, solvers, _ = _pysat()
            card.MainThread = solvers.MainThread = _OTHER_THREAD

    def __exit__(self, *_: object) -> None:
        if threading.current_thread() is threading.main_thread():
            card, solvers, usual = _pysat()
            card.MainThread = solvers.MainThread = usual


def repeat_lost_ctrl_c() -> None:
    """Let Ctrl-C come once more where it was lost: Python only prints what is raised while it frees an object.

    PySAT's solvers, for instance, are freed by Python code. This is for a process of ours: it sets a hook of Python.
    """
    usual = sys.unraisablehook

    def hook(lost: sys.UnraisableHookArgs) -> None:
        if isinstance(lost.exc_value, KeyboardInterrupt):
            # a moment later, as it would be lost again in this function
            threading.Timer(0.02, _press_ctrl_c).start()
        else:
            usual(lost)

    sys.unraisablehook = hook


def _press_ctrl_c() -> None:
    """Give Ctrl-C to the main thread, whichever thread calls this.

    A signal that another thread raises for itself does not end a wait of the main thread.
    """
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(cast(int, threading.main_thread().ident), signal.SIGINT)
    else:  # Windows
        signal.raise_signal(signal.SIGINT)


class Ended(SystemExit):
    """SIGTERM or SIGHUP has come. ``exit_code`` is the exit code of a process that ends for this reason."""

    def __init__(self, number: int) -> None:
        self.exit_code = 128 + number
        self.name = signal.Signals(number).name
        super().__init__(self.exit_code)

    def __str__(self) -> str:
        return f"ended by {self.name}"


@contextmanager
def end_cleanly() -> Iterator[None]:
    """Let SIGTERM and SIGHUP raise ``Ended`` in the block, unless they already have handlers.

    Do not use it for a block with long calls of solvers: Python notices a signal only between two steps of its own.
    """
    ours: list[signal.Signals] = []
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                ours.append(number)

    def end(number: int, frame: FrameType | None) -> None:
        for once in ours:
            signal.signal(once, signal.SIG_IGN)
        raise Ended(number)

    for number in ours:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


class Closing(ABC):
    """A context manager that gives itself, and closes itself however the block ends."""

    @abstractmethod
    def close(self) -> None:
        """Free what it holds."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
