"""Ctrl-C held back for a moment, where a ``KeyboardInterrupt`` in the middle would leave something half done."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ctrl_c_waits() -> Iterator[None]:
    """Ctrl-C is delivered when the block is left. Threads and processes begun in it never hear of it.

    Without effect where signals cannot be blocked (Windows).
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
