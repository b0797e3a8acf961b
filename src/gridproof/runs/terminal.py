"""A line on a terminal that is drawn again and again, for the progress of long runs."""

from __future__ import annotations

from time import monotonic
from typing import TextIO


class StatusLine:
    """One line of a terminal, rewritten in place; nothing on any other stream, and nothing once nobody looks."""

    def __init__(self, stream: TextIO, every: float, wanted: bool = True) -> None:
        self.wanted = wanted and stream.isatty()
        self._stream = stream
        self._every = every
        self._shown = 0.0
        self._length = 0

    def due(self) -> bool:
        """Whether it was not drawn just now; if so, it counts as drawn."""
        if monotonic() - self._shown < self._every:
            return False
        self._shown = monotonic()
        return True

    def draw(self, line: str) -> None:
        """Draw the line instead of the one before."""
        if not self.wanted:
            return
        try:
            self._stream.write("\r" + line.ljust(self._length) + ("" if line else "\r"))
            self._stream.flush()
        except (OSError, ValueError, UnicodeError):  # nobody looks any more, or not with these characters
            self.wanted = False
        self._length = len(line)

    def clear(self) -> None:
        """Take the line away."""
        if self._length:
            self.draw("")
