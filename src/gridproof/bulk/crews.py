"""Who does the work: this process, worker processes of our own, or any ``concurrent.futures.Executor``.

A crew is given chunks while it has ``room`` and gives back results, or the death of whoever was at it, as they come.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Collection
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from gridproof.bulk.chunks import Chunk
from gridproof.bulk.job import Job
from gridproof.bulk.results import Result
from gridproof.bulk.work import warm, work
from gridproof.errors import BackendFailure
from gridproof.runs.interrupts import children_start, ctrl_c_waits

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


@dataclass(frozen=True, slots=True)
class Died:
    """A worker process died while it had the chunk."""


Outcome: TypeAlias = "Result | Died"

_GUARDED = 'a script that works below `if __name__ == "__main__":` only, as each new process imports it'


class Crew(Protocol):
    """What ``gridproof.bulk.run`` needs to know of whoever works."""

    @property
    def room(self) -> bool:
        """Whether another chunk may be given now."""

    @property
    def busy(self) -> bool:
        """Whether results are to come."""

    def give(self, job: Job, chunk: Chunk, set_aside: Collection[int] = ()) -> None:
        """Have a chunk done."""

    def collect(self, timeout: float | None) -> list[tuple[Chunk, Outcome]]:
        """What has come since, at least one if nothing is said; at most ``timeout`` seconds are waited for it."""

    def close(self) -> None:
        """Send everybody home; what is not done is given up."""


class Alone:
    """This process does the work itself, at the moment it is asked for the result."""

    def __init__(self) -> None:
        self._next: tuple[Job, Chunk, Collection[int]] | None = None

    @property
    def room(self) -> bool:
        return self._next is None

    @property
    def busy(self) -> bool:
        return self._next is not None

    def give(self, job: Job, chunk: Chunk, set_aside: Collection[int] = ()) -> None:
        self._next = job, chunk, set_aside

    def collect(self, timeout: float | None) -> list[tuple[Chunk, Outcome]]:
        given, self._next = self._next, None
        return [] if given is None else [(given[1], work(*given))]

    def close(self) -> None:
        self._next = None


@dataclass(slots=True)
class _Task:
    job: Job
    chunk: Chunk
    set_aside: Collection[int]
    future: Future[Result]


class _Slot:
    """A worker process, started when it is needed, and what it has to do: the first is under way, the others wait."""

    def __init__(self) -> None:
        self.executor: ProcessPoolExecutor | None = None
        self.tasks: list[_Task] = []
        self._signs: tuple[Connection, Connection] | None = None

    def give(self, job: Job, chunk: Chunk, set_aside: Collection[int]) -> None:
        future: Future[Result]
        try:
            with children_start():  # a process started here inherits that Ctrl-C does not reach it
                if self.executor is None:
                    import multiprocessing

                    context = multiprocessing.get_context("spawn")
                    self._signs = context.Pipe(duplex=False)
                    self.executor = ProcessPoolExecutor(1, context, _begin, (job, self._signs[1]))
                future = self.executor.submit(work, job, chunk, set_aside)
        except BrokenExecutor as problem:  # it has just died: told like all deaths, when what came is collected
            future = Future()
            future.set_exception(problem)
        self.tasks.append(_Task(job, chunk, set_aside, future))

    @property
    def began(self) -> bool:
        """Whether the process came as far as to do what it is there for."""
        return self._signs is not None and self._signs[0].poll()

    def dismiss(self) -> None:
        """End the process, at once if it is at work."""
        if self.executor is None:
            return
        with ctrl_c_waits():  # a second one must not leave it alive
            # Python 3.14 has kill_workers(); before, what it needs is private
            processes = list((getattr(self.executor, "_processes", None) or {}).values()) if self.tasks else []
            results = getattr(self.executor, "_result_queue", None)
            self.executor.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()
            if processes and (ours := getattr(results, "_writer", None)) is not None:
                # Killed while it sent a result, it leaves half of one. A thread of the executor reads on, to the end of
                # what anybody can write; and Python waits for that thread before it ends.
                ours.close()
            self.executor = None
            for sign in self._signs or ():
                sign.close()
            self._signs = None


class Workers:
    """Worker processes, each in a pool of its own, so that it is known what a worker had when it died.

    depth: how many chunks a worker is given ahead; with 2 it need not wait while the next is read. Raises
    ``BackendFailure`` if no worker begins at all: what ends it then is not what it was given.
    """

    def __init__(self, number: int, depth: int = 2) -> None:
        self._slots = [_Slot() for _ in range(number)]
        self._depth = depth
        self._false_starts = 0

    @property
    def room(self) -> bool:
        return any(len(slot.tasks) < self._depth for slot in self._slots)

    @property
    def busy(self) -> bool:
        return any(slot.tasks for slot in self._slots)

    def give(self, job: Job, chunk: Chunk, set_aside: Collection[int] = ()) -> None:
        min(self._slots, key=lambda slot: len(slot.tasks)).give(job, chunk, set_aside)

    def collect(self, timeout: float | None) -> list[tuple[Chunk, Outcome]]:
        wait([task.future for slot in self._slots for task in slot.tasks], timeout, FIRST_COMPLETED)
        found: list[tuple[Chunk, Outcome]] = []
        for slot in self._slots:
            while slot.tasks and slot.tasks[0].future.done():
                task = slot.tasks.pop(0)
                problem = task.future.exception()
                if problem is None:
                    self._false_starts = 0
                    found.append((task.chunk, task.future.result()))
                elif isinstance(problem, BrokenExecutor):
                    self._false_starts = 0 if slot.began else self._false_starts + 1
                    if self._false_starts > len(self._slots):
                        raise BackendFailure(
                            f"worker processes end before they begin; expected {_GUARDED}"
                        ) from problem
                    found.append((task.chunk, Died()))
                    self._replace(slot)
                else:
                    raise problem
        return found

    def _replace(self, slot: _Slot) -> None:
        """A new worker for one that died; what only waited there is given to it."""
        waiting, slot.tasks = slot.tasks, []
        slot.dismiss()
        for task in waiting:
            slot.give(task.job, task.chunk, task.set_aside)

    def close(self) -> None:
        for slot in self._slots:
            slot.dismiss()
            slot.tasks.clear()


class Hired:
    """Somebody else's executor. capacity: how many chunks it can do at a time, asked again and again.

    Raises ``BackendFailure`` if the executor itself breaks: only its owner can replace it.
    """

    def __init__(self, executor: Executor, capacity: Callable[[], int], died: tuple[str, ...] = ()) -> None:
        self._executor = executor
        self._capacity = capacity
        self._died = died  # names of the errors by which it says that a worker died
        self._tasks: dict[Future[Result], Chunk] = {}

    @property
    def room(self) -> bool:
        return len(self._tasks) < 2 * max(self._capacity(), 1)

    @property
    def busy(self) -> bool:
        return bool(self._tasks)

    def give(self, job: Job, chunk: Chunk, set_aside: Collection[int] = ()) -> None:
        try:
            self._tasks[self._executor.submit(work, job, chunk, set_aside)] = chunk
        except BrokenExecutor as problem:
            raise self._broken(problem) from problem

    def collect(self, timeout: float | None) -> list[tuple[Chunk, Outcome]]:
        done, _ = wait(self._tasks, timeout, FIRST_COMPLETED)
        found: list[tuple[Chunk, Outcome]] = []
        for future in done:
            chunk = self._tasks.pop(future)
            try:
                found.append((chunk, future.result()))
            except BrokenExecutor as problem:
                raise self._broken(problem) from problem
            except CancelledError as problem:
                raise BackendFailure(f"the executor gave up the rows from {chunk.first_row:,} on") from problem
            except Exception as problem:
                if type(problem).__name__ not in self._died:
                    raise
                found.append((chunk, Died()))
        return found

    def close(self) -> None:
        for future in self._tasks:
            future.cancel()
        self._tasks.clear()

    @staticmethod
    def _broken(problem: BaseException) -> BackendFailure:
        return BackendFailure(
            f"the executor broke ({problem}); expected one that replaces its workers, or none at all; and {_GUARDED}"
        )


# ---- in a worker process -------------------------------------------------------------------------------------------


def _begin(job: Job, sign: Connection) -> None:
    """Ctrl-C is the main process's business; and a worker ends with it, however that ended."""
    try:
        sign.send_bytes(b"begun")  # whatever ends this process from here on, it is not that it could not be started
    except OSError:  # the main process is gone, or has no use for this one any more
        os._exit(1)
    # It stays blocked, too, where that can be done: a backend may install a handler of its own.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    warm(job)


def _end_with(sentinel: int) -> None:
    from multiprocessing.connection import wait as wait_for

    wait_for([sentinel])
    os._exit(1)
