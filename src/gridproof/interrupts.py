"""Ctrl-C held back for a moment, where a ``KeyboardInterrupt`` in the middle would leave something half done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def ctrl_c_waits() -> Iterator[None]:
    """Ctrl-C is delivered when the block is left. Threads and processes begun in it never hear of it.

    The second sentence is without effect where signals cannot be blocked (Windows).
    """
    with _noted(), _blocked():
        yield


@contextmanager
def _noted() -> Iterator[None]:
    """To block the signal in this thread is not enough: the system gives it to another one, NumPy's or Arrow's say,
    and Python has its handler run in the main thread all the same."""
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            before(*came[0])


@contextmanager
def _blocked() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
