"""A line on a terminal that says how far a run has come; nothing anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic
from typing import TextIO

from gridproof.runs.terminal import StatusLine

_EVERY = 0.2
_WIDTH = 24


class Progress(StatusLine):
    """Shows how many puzzles are done, how fast, and how long the rest will take, if that can be told.

    share: which share of the input has been read. stream: shown on only if it is a terminal.
    """

    def __init__(self, share: Callable[[], float | None], stream: TextIO | None = None, wanted: bool = True) -> None:
        self._share = share
        super().__init__(sys.stderr if stream is None else stream, _EVERY, wanted)
        self._started = monotonic()
        self.read = self.done = self.resumed = 0
        """Rows read; rows done, now or by the run that is resumed; and the latter."""

    def show(self, final: bool = False) -> None:
        """Draw the line anew, unless that was just done."""
        if self.wanted and (self.due() or final):
            self.draw(self.line(monotonic() - self._started))

    def line(self, seconds: float) -> str:
        """The line after so many seconds."""
        rate = (self.done - self.resumed) / seconds if seconds > 0 else 0.0
        share = self._share()
        said = f"{self.done:,} puzzles, {rate:,.0f}/s"
        if not share or not self.read:
            return said
        total = self.read / share
        part = min(self.done / total, 1.0)
        bar = ("█" * round(part * _WIDTH)).ljust(_WIDTH, "░")
        left = f", {_clock((total - self.done) / rate)} left" if rate and part < 1 else ""
        return f"{bar} {part:4.0%}  {said}{left}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(max(seconds, 0.0)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
