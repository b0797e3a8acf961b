"""Makes the runs of a schedule, in its order, on workers that are ended and replaced when they overrun."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import wait

from gridproof.compare.measuring_process import MeasuringProcess
from gridproof.compare.plan import MOST_WORKERS, Task
from gridproof.compare.records import Budget, Measured
from gridproof.errors import BackendFailure
from gridproof.trust.answer import Status

LOOK_EVERY = 0.05
"""Seconds between two looks at what a process has used, where that is limited."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run that is done. elapsed: wall seconds it took of the comparison. machine: where, if not here."""

    task: Task
    measured: Measured
    elapsed: float
    machine: str = ""


def execute(tasks: Iterable[Task], budget: Budget, jobs: int = 1) -> Generator[Outcome, None, None]:
    """Each task's outcome as it comes; closing the generator ends all workers.

    At most ``jobs`` workers start or measure at a time; a warm setup has one at most, so that its session stays one.
    Raises ``BackendFailure`` if worker processes cannot be started.
    """
    scheduler = _Scheduler(tasks, budget, jobs)
    try:
        yield from scheduler.run()
    finally:
        scheduler.close()


class _Scheduler:
    def __init__(self, tasks: Iterable[Task], budget: Budget, jobs: int) -> None:
        self._pending = deque(tasks)
        self._budget, self._jobs = budget, jobs
        self._idle: list[MeasuringProcess] = []  # the longest idle first
        self._active: dict[object, MeasuringProcess] = {}  # by pipe
        self._hopeless: dict[object, Measured] = {}  # a setup, or a setup's session, that cannot be used

    def close(self) -> None:
        for worker in (*self._idle, *self._active.values()):
            worker.end()

    def run(self) -> Iterator[Outcome]:
        while self._pending or self._active:
            while (task := self._next_task()) is not None:
                if (known := self._known_as_hopeless(task)) is not None:
                    yield Outcome(task, known, 0.0)
                else:
                    self._start(task)
            workers = list(self._active.values())
            timeout = max(0.0, min((worker.look_again for worker in workers), default=0.0))
            if self._budget.cpu or self._budget.memory:
                timeout = min(timeout, LOOK_EVERY)
            for pipe in wait([worker.pipe for worker in workers], timeout):
                yield from self._hear(self._active[pipe])
            for worker in list(self._active.values()):
                overrun = worker.overrun
                if overrun and not worker.pipe.poll():  # or it spoke at the last moment: the next turn hears it
                    yield from self._overran(worker, overrun)

    def _next_task(self) -> Task | None:
        """The first task in order that can start now; it is taken."""
        if len(self._active) >= self._jobs:
            return None
        busy = {worker.entry.who for worker in self._active.values()}
        for place, task in enumerate(self._pending):
            if task.entry.setup.mode == "cold" or task.entry.who not in busy:
                del self._pending[place]
                return task
        return None

    def _known_as_hopeless(self, task: Task) -> Measured | None:
        return self._hopeless.get(task.entry.who) or self._hopeless.get(_session_of(task))

    def _start(self, task: Task) -> None:
        who = task.entry.who
        worker = next((idle for idle in self._idle if idle.entry.who == who), None)
        if worker is not None:
            self._idle.remove(worker)
        else:
            while self._idle and len(self._idle) + len(self._active) >= max(MOST_WORKERS, self._jobs):
                self._idle.pop(0).end()
            worker = MeasuringProcess(task.entry, self._budget)
        worker.task = task
        self._active[worker.pipe] = worker
        if worker.state == "ready":
            worker.give(task)

    def _hear(self, worker: MeasuringProcess) -> Iterator[Outcome]:
        assert worker.task is not None
        try:
            news, content = worker.pipe.recv()
        except (EOFError, OSError):
            yield from self._died(worker)
            return
        if news == "imported":
            worker.advance("warming")
        elif news == "ready":
            worker.advance("ready")
            worker.give(worker.task)
        elif news == "unusable":
            self._hopeless[worker.entry.who] = Measured(verdict=Status.FAILED, reason=content)
            yield self._finished(worker, Measured(verdict=Status.FAILED, reason=content), keep=False)
        else:
            yield self._finished(worker, content, keep=True)

    def _finished(self, worker: MeasuringProcess, measured: Measured, *, keep: bool) -> Outcome:
        assert worker.task is not None
        outcome = Outcome(worker.task, measured, worker.elapsed)
        del self._active[worker.pipe]
        worker.task = None
        if keep:
            worker.advance("ready")
            self._idle.append(worker)
        else:
            worker.end()
        return outcome

    def _died(self, worker: MeasuringProcess) -> Iterator[Outcome]:
        assert worker.task is not None
        task, state = worker.task, worker.state
        measured = worker.stopped(Status.FAILED, "")
        del self._active[worker.pipe]
        how = worker.end(by_itself=True)
        if state == "starting":
            raise BackendFailure(
                f"a worker process for {task.entry.setup} {how} before it had started; a script that calls compare() "
                'must do so below `if __name__ == "__main__":`'
            )
        if state == "warming":
            self._replace_without_warming(task)
            return
        measured.reason = f"its process {how}"
        yield Outcome(task, measured, worker.elapsed)

    def _overran(self, worker: MeasuringProcess, limit: str) -> Iterator[Outcome]:
        assert worker.task is not None
        task = worker.task
        if worker.state == "starting":
            reason = f"its process had not imported what it needs after {worker.elapsed:.0f} seconds"
            self._hopeless[task.entry.who] = Measured(verdict=Status.FAILED, reason=reason)
            yield self._finished(worker, Measured(verdict=Status.FAILED, reason=reason), keep=False)
        elif worker.state == "warming":
            del self._active[worker.pipe]
            worker.end()
            self._replace_without_warming(task)
        else:
            reason = f"ended from outside: it overran the limit of {limit}"
            measured = worker.stopped(Status.UNDECIDED, reason)
            if task.entry.setup.mode == "warm" and measured.stage in ("encode", "load"):
                # trying again for each puzzle would cost as much each time
                measured.reason = f"its session was not open after {worker.elapsed:.0f} seconds"
                self._hopeless[_session_of(task)] = measured
            yield self._finished(worker, measured, keep=False)

    def _replace_without_warming(self, task: Task) -> None:
        """What it could not do with a tiny board it may do with this one: that is for the run itself to tell."""
        worker = MeasuringProcess(task.entry, self._budget, warm_up=False)
        worker.task = task
        self._active[worker.pipe] = worker


def _session_of(task: Task) -> tuple[object, str, object]:
    return task.entry.who, task.puzzle_set, task.board.problem
