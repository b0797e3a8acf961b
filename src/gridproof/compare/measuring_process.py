"""A process that measures, as its parent sees it: started, given runs, watched, ended."""

from __future__ import annotations

import pickle
import signal
from contextlib import suppress
from time import monotonic, perf_counter

from gridproof.compare.machine import used
from gridproof.compare.measuring import Measured, Request, StageClock, serve
from gridproof.compare.plan import Entry, Task
from gridproof.compare.records import Budget
from gridproof.errors import BackendFailure, InputError
from gridproof.runs.children import Child

START_SECONDS = 120.0
"""How long a new process may take for its imports."""

WARMING_SECONDS = 5.0
"""How long the tiny board of the warm-up may take at least, however short the limit."""

OPENING_SECONDS = 60.0
"""How long, beyond the limit, a warm run may take to open its session, and any run to free its memory."""

LOOK_EVERY = 0.05
"""Seconds between two looks at how long a run takes, and at what it uses."""


class OverrunError(Exception):
    """A run took more than it may. The text is the limit."""


class UnusableError(Exception):
    """No run of a setup can be measured, for the reason in the text."""


class MeasuringProcess:
    """A process of one setup, which makes one run after the other.

    warm_up: whether it solves a tiny board before the first. Raises ``InputError`` for a backend that cannot be sent.
    """

    def __init__(self, entry: Entry, budget: Budget, *, warm_up: bool) -> None:
        self.entry = entry
        self._budget = budget
        self._cpu_before = 0.0
        self._since = perf_counter()
        self._clock = StageClock()
        shared = (self._clock.shared,)
        try:
            self._child = Child(serve, entry.sent, entry.encoding, budget.seconds, warm_up, shared=shared)
        except (pickle.PicklingError, AttributeError, TypeError) as problem:
            raise InputError(
                f"backend {entry.backend.name!r} cannot be sent to another process ({problem}); expected one that is "
                "defined in a module and can be pickled"
            ) from None

    def prepared(self) -> bool:
        """Wait until it can measure, and return whether it can: the tiny board may be too much for it.

        Raises ``UnusableError`` if it cannot import what it needs, and ``BackendFailure`` if it ends before that.
        """
        try:
            problem = self._child.reply(monotonic() + START_SECONDS)
        except TimeoutError:
            problem = f"its process had not imported what it needs after {START_SECONDS:.0f} seconds"
        except (EOFError, OSError):
            raise BackendFailure(
                f"a worker process for {self.entry.setup} {self.how_it_ended()} before it had started; a script that "
                'calls compare() must do so below `if __name__ == "__main__":`'
            ) from None
        if problem:
            raise UnusableError(problem)
        try:
            self._child.reply(monotonic() + max(self._budget.seconds + self._budget.grace, WARMING_SECONDS))
        except (EOFError, OSError):  # a ``TimeoutError`` is one
            return False
        return True

    def measure(self, task: Task) -> Measured:
        """Have it make a run, and return what it measured.

        Raises ``OverrunError`` if it has to be ended, and ``EOFError`` or ``OSError`` if it has ended.
        """
        warm = self.entry.setup.mode == "warm"
        session = (task.record.repeat, task.record.puzzle_set, task.board.problem) if warm else None
        alarm = self._budget.seconds + self._budget.grace + OPENING_SECONDS + 10.0
        self._clock.reset()
        self._since = perf_counter()
        self._cpu_before = used(self._child.pid)[0]
        pipe = self._child.pipe
        pipe.send(Request(task.board, session, self._budget.seconds, alarm))
        while not pipe.poll(LOOK_EVERY):
            overrun = self._overrun(warm)
            if overrun and not pipe.poll():  # or it spoke at the last moment
                raise OverrunError(overrun)
        measured: Measured = pipe.recv()
        return measured

    @property
    def elapsed(self) -> float:
        """Seconds since it was given its last run."""
        return perf_counter() - self._since

    def stopped(self, verdict: str, reason: str) -> Measured:
        """What is known of the run that it did not finish."""
        elapsed, stage = self.elapsed, self._clock.now
        measured = {"verdict": verdict, "reason": reason, "stage": stage, **self._clock.times()}
        if stage:
            before = self._clock.spent("encode", "load", "first", "prove")
            measured[f"{stage}_seconds"] = max(0.0, elapsed - before)
        return measured

    def how_it_ended(self) -> str:
        """How it ended by itself, in words; its pipe is closed."""
        exit_code = self._child.exit_code(1.0)
        if exit_code is not None and exit_code < 0:
            with suppress(ValueError):
                return f"ended by {signal.Signals(-exit_code).name}"
        return f"ended with exit code {exit_code}"

    def end(self) -> None:
        """End it and all that it started."""
        self._child.end()

    def _overrun(self, warm: bool) -> str:
        """The limit that the run has overrun, in words; nothing if it has overrun none."""
        budget, stage = self._budget, self._clock.now
        allowed = budget.seconds + budget.grace
        if not stage or (warm and stage in ("encode", "load")):
            allowed += OPENING_SECONDS
        elif warm:
            allowed += self._clock.spent("encode", "load")
        if self.elapsed >= allowed:
            return f"{budget.seconds:g} seconds"
        if not (budget.cpu or budget.memory):
            return ""
        cpu, memory = used(self._child.pid)
        # what it says itself, when it stops by itself, is the better measure
        if budget.cpu and cpu - self._cpu_before > budget.cpu + budget.grace:
            return f"{budget.cpu:g} processor seconds"
        return f"{budget.memory / 1e6:,.0f} MB" if budget.memory and memory > budget.memory else ""
