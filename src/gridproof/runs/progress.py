"""How far a long run is, for people: a line on a terminal, a bar or a line in a notebook, nothing elsewhere."""

from __future__ import annotations

import importlib
import sys
from time import monotonic
from typing import Any, TextIO

from gridproof.runs.closing import Closing
from gridproof.runs.interrupts import ctrl_c_waits

BEGINS_AFTER = 1.0
"""Seconds before anything is shown: what is done by then needs none."""

_EVERY = 0.2


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

    def draw(self, line: str, share: float = 0.0) -> None:
        """Draw the line in place of the previous one. share: for displays that have a bar."""
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


class Shown(Closing):
    """Progress wherever somebody may be looking, from ``BEGINS_AFTER`` on; taken away in the end.

    In a notebook a bar of ipywidgets, or a line of text if that is not installed. Use it as a context manager.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._started = monotonic()
        self._display: _Notebook | StatusLine = _Notebook() if in_notebook() else StatusLine(sys.stderr, _EVERY)
        self._drawn = 0.0

    def close(self) -> None:
        """Take it away."""
        self._display.clear()

    def __call__(self, done: int, total: int, /) -> None:
        """So many of all are done."""
        now = monotonic()
        if now - self._started < BEGINS_AFTER or now - self._drawn < _EVERY:
            return
        self._drawn = now
        line = f"{done:,} of {total:,} {self._what}, {done / (now - self._started):,.0f}/s"
        self._display.draw(line, done / max(total, 1))


def in_notebook() -> bool:
    """Whether this process is a kernel of Jupyter, whose front end shows what is displayed."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


class _Notebook:
    """One display of a cell, which is changed in place. Nothing is left of it when it is cleared."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._bar: Any = None

    def draw(self, line: str, share: float) -> None:
        """Show the line and the share that is done."""
        if self._handle is None:
            self._begin(line)
        if self._bar is None:
            self._handle.update({"text/plain": line}, raw=True)
        else:
            self._bar.children[0].value, self._bar.children[1].value = share, line

    def _begin(self, line: str) -> None:
        with ctrl_c_waits():  # what it breaks into cannot be imported any more
            display = importlib.import_module("IPython.display").display
            try:
                widgets = importlib.import_module("ipywidgets")
                self._bar = widgets.HBox([widgets.FloatProgress(max=1.0), widgets.Label()])
                self._handle = display(self._bar, display_id=True)
            except ImportError:
                self._handle = display({"text/plain": line}, raw=True, display_id=True)

    def clear(self) -> None:
        """Take it away."""
        if self._handle is not None:
            self._handle.update({}, raw=True)
        if self._bar is not None:
            for widget in (*self._bar.children, self._bar):
                widget.close()
