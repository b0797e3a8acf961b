"""Ctrl-C in a run that keeps what is done: the first one asks for an end, the second one is an end."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from gridproof.cli._complaints import say


class Stop:
    """Set by the first Ctrl-C. before: called before that is said, such as to clear a line of progress."""

    def __init__(self) -> None:
        self._set = False
        self.before: Callable[[], None] = lambda: None

    def is_set(self) -> bool:
        """Whether an end was asked for."""
        return self._set

    def first(self) -> bool:
        """Whether this Ctrl-C is the first: it asks for an end, and says so."""
        if self._set:
            return False
        self._set = True
        self.before()
        say("gridproof: finishing what is under way; Ctrl-C again to stop at once")
        return True

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Ctrl-C sets this, the second time it is a ``KeyboardInterrupt``."""

        def on_interrupt(number: int, frame: FrameType | None) -> None:
            if not self.first():
                raise KeyboardInterrupt

        try:
            before = signal.signal(signal.SIGINT, on_interrupt)
        except ValueError:  # not in the main thread, where no Ctrl-C arrives either
            yield
            return
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
