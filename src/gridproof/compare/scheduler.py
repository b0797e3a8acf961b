"""Makes the runs of a schedule, in its order, on processes that are ended and replaced when they overrun."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from threading import Lock
from time import time

from gridproof.compare.machine import machine
from gridproof.compare.measuring import Measured
from gridproof.compare.measuring_process import MeasuringProcess, OverrunError, UnusableError
from gridproof.compare.plan import MOST_WORKERS, Entry, Task
from gridproof.compare.records import Budget, RunRecord
from gridproof.runs.calls import as_done
from gridproof.runs.interrupts import ctrl_c_waits
from gridproof.trust.answer import Status


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run that is done. elapsed: wall seconds it took of the comparison."""

    record: RunRecord
    elapsed: float


def execute(tasks: Iterable[Task], budget: Budget, jobs: int = 1) -> Generator[Outcome, None, None]:
    """Each task's outcome as it comes; closing the generator ends all processes.

    At most ``jobs`` processes start or measure at a time; a warm setup has one at most, so that its session stays one.
    Raises ``BackendFailure`` if processes cannot be started.
    """
    scheduler = _Scheduler(budget, jobs)
    try:
        for _, done in as_done(lambda task: scheduler.threads.submit(scheduler.outcome, task), tasks, lambda: jobs):
            yield done.result()
    finally:
        scheduler.close()


class _Scheduler:
    """Makes runs, each in a thread that waits for its process."""

    def __init__(self, budget: Budget, jobs: int) -> None:
        self.threads = ThreadPoolExecutor(jobs)
        self._budget, self._jobs = budget, jobs
        self._lock = Lock()
        self._turns: defaultdict[object, Lock] = defaultdict(Lock)  # of warm setups
        self._processes: list[MeasuringProcess] = []
        self._idle: list[MeasuringProcess] = []  # the longest idle first
        self._hopeless: dict[object, Measured] = {}  # a setup, or a setup's session, that cannot be used
        self._closed = False

    def close(self) -> None:
        with ctrl_c_waits():
            self._closed = True
            self.threads.shutdown(wait=False, cancel_futures=True)
            for process in [*self._processes]:
                process.end()

    def outcome(self, task: Task) -> Outcome:
        """Make a run."""
        warm = task.entry.setup.mode == "warm"
        with self._turns[task.entry.who] if warm else nullcontext():
            measured, elapsed = self._measured(task)
        record = replace(task.record, machine=machine(), started=time() - elapsed, **measured)
        return Outcome(record, elapsed)

    def _measured(self, task: Task) -> tuple[Measured, float]:
        """What was measured in a run, and the seconds it took."""
        session = task.entry.who, task.record.puzzle_set, task.board.problem
        if known := self._hopeless.get(task.entry.who) or self._hopeless.get(session):
            return known, 0.0
        try:
            process = self._ready(task.entry)
        except UnusableError as problem:
            failed = self._hopeless[task.entry.who] = {"verdict": Status.FAILED, "reason": str(problem)}
            return failed, 0.0
        try:
            measured = process.measure(task)
        except OverrunError as limit:
            measured = process.stopped(Status.UNDECIDED, f"ended from outside: it overran the limit of {limit}")
            if task.entry.setup.mode == "warm" and measured["stage"] in ("encode", "load"):
                # trying again for each puzzle would cost as much each time
                measured["reason"] = f"its session was not open after {process.elapsed:.0f} seconds"
                self._hopeless[session] = measured
        except (EOFError, OSError):
            measured = process.stopped(Status.FAILED, f"its process {process.how_it_ended()}")
        else:
            elapsed = process.elapsed
            self._idle.append(process)
            return measured, elapsed
        self._end(process)
        return measured, process.elapsed

    def _ready(self, entry: Entry) -> MeasuringProcess:
        """A process of a setup that can measure. Raises ``UnusableError``."""
        with self._lock:
            for process in self._idle:
                if process.entry.who == entry.who:
                    self._idle.remove(process)
                    return process
            while self._idle and len(self._processes) >= max(MOST_WORKERS, self._jobs):
                self._end(self._idle.pop(0))
        for warm_up in (True, False):
            process = MeasuringProcess(entry, self._budget, warm_up=warm_up)
            self._processes.append(process)
            if not self._closed and process.prepared():
                return process
            self._end(process)
        raise UnusableError("its processes end before they can measure")

    def _end(self, process: MeasuringProcess) -> None:
        process.end()
        self._processes.remove(process)
