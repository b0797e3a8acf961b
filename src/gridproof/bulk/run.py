"""Chunks through workers: results come as they are done; a chunk on which a worker died is done again here.

Workers are this process, processes of its own, or somebody else's, such as those of a Dask cluster.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from gridproof.bulk.chunks import Chunk
from gridproof.bulk.job import Job
from gridproof.bulk.records import Columns, Result
from gridproof.bulk.work import keep_memory, prepare, work
from gridproof.errors import BackendFailure
from gridproof.runs.cluster import Cluster
from gridproof.runs.interrupts import ended_cleanly
from gridproof.runs.pool import GUARDED, ChildDied, ChildExecutor, as_done

DEATHS = 2
"""Deaths of processes on one puzzle, after one on its chunk, before that puzzle is set aside."""

MOST_AHEAD = 64
"""Chunks that may be begun beyond the first that is not done."""

_DIED = ("ChildDied", "KilledWorker")
"""The errors by which an executor, ours or Dask's, reports that a worker died."""


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


def own_workers(jobs: int) -> Workers:
    """Return workers in so many processes, each with a chunk ahead; or in this process."""
    if jobs:
        return Workers(ChildExecutor(jobs), lambda: 2 * jobs, jobs)
    return Workers(ThisProcess(), lambda: 1)


def workers_of(executor: Executor, number: Callable[[], int] | None = None) -> Workers:
    """Return the workers of somebody else's executor, with one chunk ahead. number: returns theirs, if it changes."""
    known: Any = getattr(executor, "_max_workers", None)
    most = known if isinstance(known, int) else os.cpu_count() or 1
    return Workers(executor, lambda: 2 * (most if number is None else max(number(), 1)))


@contextmanager
def workers_for(jobs: int, dask: str | None = None) -> Iterator[Workers]:
    """Workers of our own, or those of the Dask scheduler at this address, ended cleanly by SIGTERM and SIGHUP."""
    keep_memory()
    with ended_cleanly() if jobs or dask else nullcontext():
        if dask:
            with closing(Cluster(dask)) as cluster:
                yield workers_of(cluster.executor, cluster.threads)
        else:
            workers = own_workers(jobs)
            with workers.executor:
                yield workers


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class ThisProcess(Executor):
    """This process does the work itself, at the moment it is given."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """See ``Executor.submit``."""
        future: Future[Any] = Future()
        future.set_result(function(*args, **kwargs))
        return future


def work_through(
    chunks: Iterator[Chunk],
    job: Job,
    workers: Workers,
    *,
    stop: Callable[[], bool] = lambda: False,
    tick: Callable[[], None] = lambda: None,
) -> Iterator[tuple[Chunk, Result]]:
    """Yield each chunk with its result, as soon as it is there, in any order.

    stop: called before a chunk is begun; when it returns True, what is under way is finished and nothing else begun.
    tick: called several times a second while there is nothing to do but to wait. Raises ``BackendFailure`` if no worker
    begins, or if somebody else's executor breaks: only its owner can replace it.
    """

    def to_do() -> Iterator[Chunk]:
        while not stop() and (chunk := next(chunks, None)) is not None:
            yield chunk

    def begin(chunk: Chunk) -> Future[Result]:
        return workers.executor.submit(work, job, chunk)

    try:
        for chunk, done in as_done(begin, to_do(), workers.most, ahead=MOST_AHEAD, tick=tick):
            problem = None if done.cancelled() else done.exception()
            yield chunk, isolated(job, chunk) if type(problem).__name__ in _DIED else done.result()
    except CancelledError as problem:
        raise BackendFailure("the executor gave up a part") from problem
    except BrokenExecutor as problem:
        expected = f"one that replaces its workers, or none at all; and {GUARDED}"
        raise BackendFailure(f"the executor broke ({problem}); expected {expected}") from problem


def isolated(job: Job, chunk: Chunk) -> Result:
    """Return the result of a chunk on which a worker died, from a process apart, which may die, too.

    The puzzles that kill it are found by bisection, and set aside.
    """
    parts_job = replace(job, form=None)  # parts are put together as columns
    with ChildExecutor(1) as apart:

        def by_halves(part: Chunk) -> list[Result]:
            single = len(part) == 1
            for _ in range(DEATHS if single else 1):
                with suppress(ChildDied):
                    return [apart.call(work, parts_job, part)]
            if single:
                return [work(parts_job, part, set_aside=True)]
            middle = len(part) // 2
            return by_halves(part.part(0, middle)) + by_halves(part.part(middle, len(part)))

        parts = by_halves(chunk)
    whole = Columns(chunk.rows, chunk.lines)
    rows = chain.from_iterable(part.columns.records() for part in parts if part.columns is not None)
    for place, record in enumerate(rows):
        whole.write(place, record)
    whole.summary.seconds = sum(part.summary.seconds for part in parts)
    return Result.of(whole, job.form, [verdict for part in parts for verdict in part.disagreements])


def in_order(results: Iterator[tuple[Chunk, Result]]) -> Iterator[Result]:
    """Yield results in the order of their chunks, which number from 0."""
    waiting: dict[int, Result] = {}
    wanted = 0
    for chunk, result in results:
        waiting[chunk.index] = result
        while wanted in waiting:
            yield waiting.pop(wanted)
            wanted += 1
