"""Chunks through workers: results come as they are done; a chunk on which a worker died is done again here.

Workers are this process, processes of its own, or somebody else's, such as those of a Dask cluster.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from gridproof.bulk.apart import Apart
from gridproof.bulk.chunks import Chunk
from gridproof.bulk.job import Job
from gridproof.bulk.results import Result
from gridproof.bulk.work import keep_memory, prepare, work
from gridproof.errors import BackendFailure
from gridproof.runs.cluster import Cluster
from gridproof.runs.interrupts import end_cleanly
from gridproof.runs.pool import GUARDED, ChildDied, ChildExecutor, yield_done

MOST_AHEAD = 64
"""Chunks that may be begun beyond the first that is not done."""

ROOM = 2**24
"""Bytes of memory that each worker shares with this process: a part with its result takes 5 to 14 million."""

_DIED_ON_DASK = "KilledWorker"
"""The name of the error by which Dask reports that a part has killed its workers."""


@dataclass(frozen=True, slots=True)
class Workers:
    """The workers of a run.

    most: returns the number of chunks that they may have at a time, which may change. processes: those of our own.
    """

    executor: Executor
    most: Callable[[], int]
    processes: int = 0

    def prepare(self, chunks: int, puzzles: int) -> None:
        """Have our own processes begin, while the input is opened, and load lanes for so many puzzles.

        chunks: about how many there will be.
        """
        processes = min(chunks, self.processes)
        for _ in range(processes):
            self.executor.submit(prepare, puzzles // processes)


def start_workers(jobs: int) -> Workers:
    """Return workers in so many processes, each with a chunk ahead; or in this process."""
    if jobs:
        return Workers(ChildExecutor(jobs, room=ROOM), lambda: 2 * jobs, jobs)
    return Workers(ThisProcess(), lambda: 1)


def borrow_workers(executor: Executor, count: Callable[[], int] | None = None) -> Workers:
    """Return the workers of somebody else's executor, with one chunk ahead. count: counts them anew."""
    known: Any = getattr(executor, "_max_workers", None)
    number: int = known if isinstance(known, int) else os.cpu_count() or 1

    def most() -> int:
        if count is None:
            return 2 * number
        return 2 * max(count(), 1)

    return Workers(executor, most)


@contextmanager
def open_workers(jobs: int, dask: str | None = None) -> Iterator[Workers]:
    """Workers of our own, or those of the Dask scheduler at this address, ended cleanly by SIGTERM and SIGHUP."""
    keep_memory()
    with end_cleanly() if jobs or dask else nullcontext():
        if dask:
            with closing(Cluster(dask)) as cluster:
                yield borrow_workers(cluster.executor, cluster.threads)
        else:
            workers = start_workers(jobs)
            with workers.executor:
                yield workers


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class ThisProcess(Executor):
    """This process does the work itself, at the moment it is given."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """See ``Executor.submit``."""
        future: Future[Any] = Future()
        future.set_result(function(*args, **kwargs))
        return future


def warn_user(text: str) -> None:
    """Tell who uses gridproof as a library that something is wrong, though the run goes on."""
    warnings.warn(text, RuntimeWarning, stacklevel=2)


def work_through(
    chunks: Iterator[Chunk],
    job: Job,
    workers: Workers,
    *,
    stop: Callable[[], bool] = lambda: False,
    tick: Callable[[], None] = lambda: None,
    warn: Callable[[str], object] = warn_user,
) -> Iterator[tuple[Chunk, Result]]:
    """Yield each chunk with its result, as soon as it is there, in any order.

    stop: called before a chunk is begun; when it returns True, what is under way is finished and nothing else begun.
    tick: called several times a second while there is nothing to do but to wait. warn: called with a sentence for each
    worker that dies. Raises ``BackendFailure`` if no worker begins, if workers die again and again (see ``Apart``), or
    if somebody else's executor breaks: only its owner can replace it.
    """

    def take_chunks() -> Iterator[Chunk]:
        while not stop():
            chunk = next(chunks, None)
            if chunk is None:
                return
            yield chunk

    def begin(chunk: Chunk) -> Future[Result]:
        return workers.executor.submit(work, job, chunk)

    apart = Apart(job, warn)
    try:
        for chunk, future in yield_done(begin, take_chunks(), workers.most, ahead=MOST_AHEAD, tick=tick):
            problem = None if future.cancelled() else future.exception()
            if isinstance(problem, ChildDied):
                yield chunk, apart.redo(chunk, str(problem))
            elif type(problem).__name__ == _DIED_ON_DASK:
                yield chunk, apart.redo(chunk, "several of Dask's did, one after the other")
            else:
                yield chunk, future.result()
    except CancelledError as problem:
        raise BackendFailure("the executor gave up a part") from problem
    except BrokenExecutor as problem:
        expected = f"one that replaces its workers, or none at all; and {GUARDED}"
        raise BackendFailure(f"the executor broke ({problem}); expected {expected}") from problem


def put_in_order(results: Iterator[tuple[Chunk, Result]]) -> Iterator[Result]:
    """Yield results in the order of their chunks, which number from 0."""
    waiting: dict[int, Result] = {}
    wanted = 0
    for chunk, result in results:
        waiting[chunk.index] = result
        while wanted in waiting:
            yield waiting.pop(wanted)
            wanted += 1
