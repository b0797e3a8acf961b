"""A worker as its parent sees it: started, given orders, watched, ended."""

from __future__ import annotations

import contextlib
import multiprocessing
import pickle
import signal
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Any, Literal

from gridproof.backends._guarded import end_child
from gridproof.compare.plan import Entry, Task
from gridproof.compare.records import Measured
from gridproof.compare.worker import SHARED_SIZE, Order, StageClock, serve
from gridproof.errors import InputError
from gridproof.runs.interrupts import children_start

START_SECONDS = 120.0
"""How long a new process may take for its imports."""

WARMING_SECONDS = 5.0
"""How long the tiny board of the warm-up may take at least, however short the limit."""

OPENING_SECONDS = 60.0
"""How long, beyond the limit, a warm run may take to open its session, and any run to free its memory."""


class Worker:
    """A process of one lane. state: ``starting`` (imports), ``warming`` (solves a tiny board), ``ready``, ``busy``."""

    def __init__(self, entry: Entry, seconds: float, grace: float, *, warm_up: bool = True) -> None:
        self.entry = entry
        self.state: Literal["starting", "warming", "ready", "busy"] = "starting"
        self.task: Task | None = None
        self._seconds, self._grace = seconds, grace
        # spawn: a forked child would share the state of the solver libraries' threads
        context = multiprocessing.get_context("spawn")
        self.pipe: Connection
        self.pipe, theirs = context.Pipe()
        shared: Any = context.RawArray("d", SHARED_SIZE)
        self._clock = StageClock(shared)
        self._process = context.Process(
            target=serve, args=(theirs, entry.sent, entry.encoding, shared, seconds, warm_up), name=str(entry.lane)
        )
        try:
            with children_start():
                self._process.start()
        except (pickle.PicklingError, AttributeError, TypeError) as problem:
            raise InputError(
                f"backend {entry.backend.name!r} cannot be sent to another process ({problem}); expected one that is "
                "defined in a module and can be pickled"
            ) from None
        finally:
            theirs.close()
        self._since = perf_counter()

    def give(self, task: Task) -> None:
        """Have it measure; only when it is ready."""
        session = None
        if self.entry.lane.mode == "warm":
            session = (task.repeat, task.puzzle_set, task.board.geometry)
        self._clock.reset()
        alarm = self._seconds + self._grace + OPENING_SECONDS + 10.0
        self.state = "busy"
        self._since = perf_counter()
        with contextlib.suppress(BrokenPipeError):  # it died: the end of its pipe will tell
            self.pipe.send(Order(task.board, session, self._seconds, alarm))

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
        allowed = self._seconds + self._grace
        if self.state == "warming":
            allowed = max(allowed, WARMING_SECONDS)
        if self.state == "busy":
            if not self._clock.now:
                allowed += OPENING_SECONDS
            elif self.entry.lane.mode == "warm":
                opening = self._clock.now in ("encode", "load")
                allowed += OPENING_SECONDS if opening else self._clock.spent("encode", "load")
        return allowed - self.elapsed

    @property
    def look_again(self) -> float:
        """Seconds until ``time_left`` is worth a look: a run may leave the stage that it has more time for any moment,
        and does not say so."""
        if self.state == "starting":
            return self.time_left
        return min(self.time_left, max(self._seconds + self._grace - self.elapsed, 0.05))

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
        if by_itself:
            self._process.join(1.0)
        exit_code = self._process.exitcode
        end_child(self._process)
        self.pipe.close()
        if exit_code is not None and exit_code < 0:
            with contextlib.suppress(ValueError):
                return f"ended by {signal.Signals(-exit_code).name}"
        return f"ended with exit code {exit_code}"
