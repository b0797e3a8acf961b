"""A worker as its parent sees it: started, given orders, watched, ended."""

from __future__ import annotations

import contextlib
import pickle
import signal
from time import perf_counter
from typing import Any, Literal

from gridproof.compare.machine import used
from gridproof.compare.measuring import SHARED_SIZE, Request, StageClock, serve
from gridproof.compare.plan import Entry, Task
from gridproof.compare.records import Budget, Measured
from gridproof.errors import InputError
from gridproof.runs.children import Child

START_SECONDS = 120.0
"""How long a new process may take for its imports."""

WARMING_SECONDS = 5.0
"""How long the tiny board of the warm-up may take at least, however short the limit."""

OPENING_SECONDS = 60.0
"""How long, beyond the limit, a warm run may take to open its session, and any run to free its memory."""


class MeasuringProcess:
    """A process of one setup. state: ``starting`` (imports), ``warming`` (solves a tiny board), ``ready``, ``busy``."""

    def __init__(self, entry: Entry, budget: Budget, *, warm_up: bool = True) -> None:
        self.entry = entry
        self.state: Literal["starting", "warming", "ready", "busy"] = "starting"
        self.task: Task | None = None
        self._budget = budget
        self._cpu_before = 0.0
        from multiprocessing import get_context

        shared: Any = get_context("spawn").RawArray("d", SHARED_SIZE)
        self._clock = StageClock(shared)
        try:
            self._child = Child(serve, entry.sent, entry.encoding, budget.seconds, warm_up, shared=(shared,))
        except (pickle.PicklingError, AttributeError, TypeError) as problem:
            raise InputError(
                f"backend {entry.backend.name!r} cannot be sent to another process ({problem}); expected one that is "
                "defined in a module and can be pickled"
            ) from None
        self.pipe = self._child.pipe
        self._since = perf_counter()

    def give(self, task: Task) -> None:
        """Have it measure; only when it is ready."""
        session = None
        if self.entry.setup.mode == "warm":
            session = (task.repeat, task.puzzle_set, task.board.problem)
        self._clock.reset()
        alarm = self._budget.seconds + self._budget.grace + OPENING_SECONDS + 10.0
        self.state = "busy"
        self._since = perf_counter()
        self._cpu_before = used(self._child.pid)[0]
        with contextlib.suppress(BrokenPipeError):  # it died: the end of its pipe will tell
            self.pipe.send(Request(task.board, session, self._budget.seconds, alarm))

    def advance(self, state: Literal["warming", "ready"]) -> None:
        """It said how far it is."""
        self.state = state
        self._since = perf_counter()

    @property
    def elapsed(self) -> float:
        """Seconds in this state."""
        return perf_counter() - self._since

    @property
    def time_left(self) -> float:
        """Seconds until it is to be ended, as far as can be told now."""
        if self.state == "starting":
            return START_SECONDS - self.elapsed
        allowed = self._budget.seconds + self._budget.grace
        if self.state == "warming":
            allowed = max(allowed, WARMING_SECONDS)
        if self.state == "busy":
            if not self._clock.now:
                allowed += OPENING_SECONDS
            elif self.entry.setup.mode == "warm":
                opening = self._clock.now in ("encode", "load")
                allowed += OPENING_SECONDS if opening else self._clock.spent("encode", "load")
        return allowed - self.elapsed

    @property
    def overrun(self) -> str:
        """The limit that it has overrun, in words; nothing if it has overrun none."""
        budget = self._budget
        if self.time_left <= 0:
            return f"{budget.seconds:g} seconds"
        if self.state != "busy" or not (budget.cpu or budget.memory):
            return ""
        cpu, memory = used(self._child.pid)
        # what it says itself, when it stops by itself, is the better measure
        if budget.cpu and cpu - self._cpu_before > budget.cpu + budget.grace:
            return f"{budget.cpu:g} processor seconds"
        return f"{budget.memory / 1e6:,.0f} MB" if budget.memory and memory > budget.memory else ""

    @property
    def look_again(self) -> float:
        """Seconds until ``time_left`` is worth a look: a run may leave the stage that it has more time for any moment,
        and does not say so."""
        if self.state == "starting":
            return self.time_left
        return min(self.time_left, max(self._budget.seconds + self._budget.grace - self.elapsed, 0.05))

    def stopped(self, verdict: str, reason: str) -> Measured:
        """What is known of the run that it did not finish."""
        measured = Measured(verdict=verdict, reason=reason, stage=self._clock.now)
        elapsed = self.elapsed
        before = self._clock.spent("encode", "load", "first", "prove")
        self._clock.fill(measured)
        if measured.stage:
            setattr(measured, f"{measured.stage}_seconds", max(0.0, elapsed - before))
        return measured

    def end(self, *, by_itself: bool = False) -> str:
        """End it and all that it started (``by_itself``: its pipe is closed, it is about to); returns how it ended."""
        exit_code = self._child.exit_code(1.0 if by_itself else 0.0)
        self._child.end()
        if exit_code is not None and exit_code < 0:
            with contextlib.suppress(ValueError):
                return f"ended by {signal.Signals(-exit_code).name}"
        return f"ended with exit code {exit_code}"
