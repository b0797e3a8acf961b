"""Makes the runs of a schedule, in its order, on processes that are ended and replaced when they overrun."""

from __future__ import annotations

import pickle
import signal
from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from threading import Lock
from time import monotonic, perf_counter, time

from gridproof.errors import BackendFailure, InputError
from gridproof.experiments.measuring import Measured, StageClock, serve
from gridproof.experiments.plan import MOST_WORKERS, Entry, Task
from gridproof.experiments.records import NOT_APPLICABLE, STAGES, Budget, RunRecord, machine
from gridproof.experiments.resources import usage
from gridproof.runs.children import Child
from gridproof.runs.pool import GUARDED, ChildPool, yield_done
from gridproof.runs.processes import started_by
from gridproof.trust.answer import Status

START_SECONDS = 120.0
"""Seconds that a new process may take for its imports, and then for a tiny board."""

OPENING_SECONDS = 60.0
"""Seconds beyond the limit that a warm run may take to open its session, and any run to free its memory."""

GRACE = 1.0
"""Seconds beyond a limit that a backend has for stopping by itself."""

LOOK_EVERY = 0.05
"""Seconds between two looks at how long a run takes, and at what it uses."""


def execute(tasks: Iterable[Task], budget: Budget, jobs: int = 1) -> Generator[RunRecord, None, None]:
    """Yield the record of each task's run as it comes; closing the generator ends all processes.

    At most ``jobs`` processes start or measure at a time; a warm setup has one at most, so that its session stays one.
    Raises ``BackendFailure`` if processes cannot be started.
    """
    with _Scheduler(budget, jobs) as scheduler:
        for _, done in yield_done(scheduler.make, tasks, lambda: jobs):
            yield done.result()


class _Scheduler(ChildPool["MeasuringProcess"]):
    """A pool of processes that make runs, with a thread for each that waits for it."""

    def __init__(self, budget: Budget, jobs: int) -> None:
        super().__init__(jobs)
        self._budget, self._jobs = budget, jobs
        self._lock = Lock()
        self._lines: dict[object, tuple[AbstractContextManager[object], deque[Task]]] = {}
        self._hopeless: dict[object, Measured] = {}  # a setup, or a setup's session, that cannot be used

    def make(self, task: Task) -> Future[RunRecord]:
        """Make a run as soon as there is a thread for it; those of a warm setup one by one, in their order."""
        alone = Lock() if task.entry.setup.mode == "warm" else nullcontext()
        turn, waiting = self._lines.setdefault(task.entry.process, (alone, deque()))
        waiting.append(task)
        return self._threads.submit(self._next_of, turn, waiting)

    def _next_of(self, turn: AbstractContextManager[object], waiting: deque[Task]) -> RunRecord:
        with turn:
            task = waiting.popleft()  # not the task of this call: the order of threads is chance
            began = time()
            measured = self._measured(task)
        return replace(task.record, machine=machine(), started=began, **measured)

    def _measured(self, task: Task) -> Measured:
        """Make a run and return what was measured."""
        why = task.entry.backend.refuses(task.board.problem)
        if why:
            return {"verdict": NOT_APPLICABLE, "reason": why}
        setup = task.entry.process
        session = setup, task.record.puzzle_set, task.board.problem
        known = self._hopeless.get(setup) or self._hopeless.get(session)
        if known:
            return known
        process = self._process_of(task.entry)
        try:
            problem = process.prepare()
            if problem:
                measured = self._hopeless[setup] = {"verdict": Status.FAILED, "reason": problem}
            else:
                measured = process.measure(task)
                self._idle.append(process)
                return measured
        except OverrunError as limit:
            measured = process.stopped(Status.UNDECIDED, f"ended from outside: it overran the limit of {limit}")
            if task.entry.setup.mode == "warm" and measured["stage"] in ("encode", "load"):
                # trying again for each puzzle would cost as much each time
                measured["reason"] = f"its session was not open after {process.elapsed:.0f} seconds"
                self._hopeless[session] = measured
        except (EOFError, OSError):
            measured = process.stopped(Status.FAILED, f"its process {process.how_it_ended()}")
        self._drop(process)
        return measured

    def _process_of(self, entry: Entry) -> MeasuringProcess:
        """Return a process of a setup that is idle, or a new one."""
        with self._lock:
            for process in self._idle:
                if process.entry.process == entry.process:
                    self._idle.remove(process)
                    return process
            while self._idle and len(self._all) >= max(MOST_WORKERS, self._jobs):
                self._drop(self._idle.pop(0))  # the longest idle
        return self._keep(MeasuringProcess(entry, self._budget))


class OverrunError(Exception):
    """The end of a run that took more than it may. The text is the limit."""


class MeasuringProcess(Child):
    """A process of one setup, which makes one run after the other.

    Raises ``InputError`` for a backend that cannot be sent.
    """

    def __init__(self, entry: Entry, budget: Budget) -> None:
        self.entry = entry
        self._budget = budget
        self._prepared = False
        self._looks: list[tuple[float, int, int]] = [(0.0, 0, 0)]
        self._since = perf_counter()
        self._clock = StageClock()
        try:
            super().__init__(serve, entry.sent, entry.encoding, budget, shared=(self._clock.shared,))
        except (pickle.PicklingError, AttributeError, TypeError) as problem:
            raise InputError(
                f"backend {entry.backend.name!r} cannot be sent to another process ({problem}); expected one that is "
                "defined in a module and can be pickled"
            ) from None

    def prepare(self) -> str | None:
        """Wait, the first time, until it can measure. Return why it cannot import what it needs or solve a tiny board.

        Raises ``BackendFailure`` if it ends before it has imported anything.
        """
        problem, until = None, monotonic() + START_SECONDS
        try:
            if not self._prepared:
                problem = self.reply(until)
                problem = problem or self.reply(until)
                self._prepared = not problem
        except TimeoutError:
            problem = f"its process was not ready after {START_SECONDS:.0f} seconds"
        except (EOFError, OSError):
            end = f"{self.how_it_ended()} before it "
            if problem is None:
                message = f"the process of {self.entry.setup} {end}had started; expected {GUARDED}"
                raise BackendFailure(message) from None
            problem = f"its process {end}had solved a board of 4x4"
        return problem

    def measure(self, task: Task) -> Measured:
        """Have it make a run, and return what it measured.

        Raises ``OverrunError`` if it has to be ended, and ``EOFError`` or ``OSError`` if it has ended.
        """
        warm = self.entry.setup.mode == "warm"
        session = (task.record.repeat, task.record.puzzle_set, task.board.problem) if warm else None
        self._clock.reset()
        self._since = perf_counter()
        self._looks = [self._look()]
        self.pipe.send((task.board, session))
        while not self.pipe.poll(LOOK_EVERY):
            overrun = self._overrun(warm)
            if overrun and not self.pipe.poll():  # or its reply came at the last moment
                raise OverrunError(overrun)
        measured: Measured = self.pipe.recv()
        if measured["peak_memory"] is not None:
            measured["peak_memory"] += max(children for _, _, children in self._looks)
        return measured

    @property
    def elapsed(self) -> float:
        """Seconds since it was given its last run."""
        return perf_counter() - self._since

    def stopped(self, verdict: str, reason: str) -> Measured:
        """Return the measurements of the run that it did not finish."""
        elapsed, stage = self.elapsed, self._clock.now
        measured: Measured = {"verdict": verdict, "reason": reason, "stage": stage}
        measured |= self._clock.times() | self._clock.sizes()
        measured["peak_memory"] = max(own + children for _, own, children in self._looks)
        if stage:
            for kind, spent in (("seconds", elapsed), ("cpu", self._cpu)):
                measured[f"{stage}_{kind}"] = max(0.0, spent - self._clock.spent(*STAGES, kind=kind))
        return measured

    def how_it_ended(self) -> str:
        """Return in words how it ended by itself; its pipe is closed."""
        exit_code = self.exit_code(1.0)
        if exit_code is not None and exit_code < 0:
            with suppress(ValueError):
                return f"ended by {signal.Signals(-exit_code).name}"
        return f"ended with exit code {exit_code}"

    @property
    def _cpu(self) -> float:
        """Processor seconds of this run up to the last look."""
        return self._looks[-1][0] - self._looks[0][0]

    def _look(self) -> tuple[float, int, int]:
        """Return the processor seconds of it and all that it started, its own memory, and that of the others."""
        cpu, own = usage(self.pid)
        children_cpu, children = usage(*started_by(self.pid))
        return cpu + children_cpu, own, children

    def _overrun(self, warm: bool) -> str:
        """Return the limit that the run has overrun, in words, or nothing."""
        budget, stage = self._budget, self._clock.now
        self._looks.append(self._look())
        opening = not stage or (warm and stage in ("encode", "load"))
        allowed = budget.seconds + GRACE + (OPENING_SECONDS if opening else 0.0)
        cpu = self._cpu
        if warm and not opening:
            allowed += self._clock.spent("encode", "load")
            cpu -= self._clock.spent("encode", "load", kind="cpu")
        if self.elapsed >= allowed:
            return f"{budget.seconds:g} seconds"
        # its own figures, when it stops by itself, are the better measure
        if budget.cpu and not opening and cpu > budget.cpu + GRACE:
            return f"{budget.cpu:g} processor seconds"
        if budget.memory and sum(self._looks[-1][1:]) > budget.memory:
            return f"{budget.memory / 1e6:,.0f} MB"
        return ""
