"""A run that is stopped: the first Ctrl-C lets it finish what is under way, and a message tells how to go on."""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from gridproof.cli._streams import to_stderr
from gridproof.text import counted


def how_to_go_on(parts: int, why: str = "interrupted") -> str:
    """Return the message of a run that has ended early: the command that goes on from the parts that are kept."""
    if not parts:
        return f"gridproof: {why} before any part was done"
    words = [word for word in sys.argv[1:] if len(word) < 3 or not "--force".startswith(word)]
    if "--resume" not in words:
        words.append("--resume")
    kept = "1 part is kept"
    if parts > 1:
        kept = f"{counted(parts, 'part')} are kept"
    return f"gridproof: {why}; {kept}. To go on: {shlex.join(['gridproof', *words])}"


@contextmanager
def first_ctrl_c(before_message: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Take the first Ctrl-C as a wish to stop when what is under way is done; the second is a ``KeyboardInterrupt``.

    Yield a function that returns True from the first one on.
    """
    pressed = False

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True
        before_message()
        to_stderr("gridproof: finishing what is under way; Ctrl-C again to stop at once")

    handler = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, handler)
