"""The progress of a long run, for people: a bar on a terminal or in a notebook, nothing elsewhere."""

from __future__ import annotations

import importlib
import sys
from time import monotonic
from typing import Any

from gridproof.runs.interrupts import Closing, ctrl_c_waits

BEGINS_AFTER = 1.0
"""Seconds before anything is drawn: a run that is done by then needs no bar."""

_EVERY = 0.2


def ignore(*_: object) -> None:
    """Report nothing: for whoever wants no progress and no notes."""


class ProgressBar(Closing):
    """The progress of a run: a bar in a notebook or on a terminal, from ``BEGINS_AFTER`` on; removed in the end.

    Use it as a context manager. wanted: whether to draw at all.
    """

    def __init__(self, unit: str, wanted: bool = True) -> None:
        self._unit = unit
        self._wanted = wanted and (in_notebook() or (sys.stderr is not None and sys.stderr.isatty()))
        self._started = self._drawn = monotonic()
        self._bar: Any = None

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()

    def clear(self) -> None:
        """Remove the bar until it is drawn again, so that a message can be printed in its place."""
        if self._bar is not None:
            self._bar.clear()

    def __call__(self, done: int, total: int | None = None, /) -> None:
        """Draw that ``done`` of ``total`` are done."""
        now = monotonic()
        if not self._wanted or now - self._started < BEGINS_AFTER or now - self._drawn < _EVERY:
            return
        self._drawn = now
        if self._bar is None:
            with ctrl_c_waits():  # what it breaks into cannot be imported any more
                tqdm = importlib.import_module("tqdm.auto").tqdm
            tqdm.monitor_interval = 0  # no thread beside processes that are started
            self._bar = tqdm(unit=f" {self._unit}", leave=False, dynamic_ncols=True, miniters=1, mininterval=0)
            self._bar.start_t -= now - self._started
        self._bar.total = total
        self._bar.update(done - self._bar.n)


def in_notebook() -> bool:
    """Return whether this process is a kernel of Jupyter, whose front end shows what is displayed."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")
