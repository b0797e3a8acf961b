"""A line on a terminal that shows the progress of a long run."""

from __future__ import annotations

from time import monotonic
from typing import TextIO


class StatusLine:
    """One line of a terminal, rewritten in place. Other streams, and streams that fail, get nothing.

    Parameters
    ----------
    stream
        The stream, such as ``sys.stderr``.
    every
        The shortest time between two drawings, in seconds.
    wanted
        Whether to draw at all.
    """

    def __init__(self, stream: TextIO, every: float, wanted: bool = True) -> None:
        self.wanted = wanted and stream.isatty()
        self._stream = stream
        self._every = every
        self._shown = 0.0
        self._length = 0

    def due(self) -> bool:
        """Return whether it is time to draw again; if so, the next time counts from now."""
        if monotonic() - self._shown < self._every:
            return False
        self._shown = monotonic()
        return True

    def draw(self, line: str) -> None:
        """Draw the line in place of the previous one."""
        if not self.wanted:
            return
        try:
            self._stream.write("\r" + line.ljust(self._length) + ("" if line else "\r"))
            self._stream.flush()
        except (OSError, ValueError, UnicodeError):  # nobody looks any more, or not with these characters
            self.wanted = False
        self._length = len(line)

    def clear(self) -> None:
        """Remove the line."""
        if self._length:
            self.draw("")
