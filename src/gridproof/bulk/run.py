"""Chunks through workers: results come as they are done; deaths are forgiven once, then looked into.

Workers are this process, processes of its own, or somebody else's, such as those of a Dask cluster.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gridproof.bulk.chunks import Chunk
from gridproof.bulk.records import Result, Summary, encode, joined
from gridproof.bulk.work import prepare, work
from gridproof.errors import BackendFailure
from gridproof.runs.calls import GUARDED, ChildDied, ChildExecutor

if TYPE_CHECKING:
    from gridproof.bulk.many import Job

DEATHS = 2
"""So many times workers may die on a chunk, and then on one puzzle of it, before that puzzle is set aside."""

MOST_AHEAD = 64
"""So many chunks may be begun beyond the first that is not done."""

_TICK = 0.25

_DIED = ("ChildDied", "KilledWorker")
"""The errors by which an executor, ours or Dask's, says that a worker died."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Who does the work, and how many chunks they may have at a time, which is asked again and again.

    processes: how many there are of our own.
    """

    executor: Executor
    most: Callable[[], int]
    processes: int = 0

    def prepare(self, chunks: int, lanes: bool) -> None:
        """Have our own processes begin, while the input is opened, and load the lanes if those will be needed.

        chunks: about how many there will be.
        """
        for _ in range(min(chunks, self.processes)):
            self.executor.submit(prepare, lanes)


def own_workers(jobs: int, again: Callable[[], bool] = lambda: False) -> Workers:
    """So many processes, each with a chunk ahead; or this process, for which ``again`` is: see ``ThisProcess``."""
    if jobs:
        return Workers(ChildExecutor(jobs), lambda: 2 * jobs, jobs)
    return Workers(ThisProcess(again), lambda: 1)


def workers_of(executor: Executor, number: Callable[[], int] | None = None) -> Workers:
    """The workers of somebody else's executor, who are given one chunk ahead. number: of them, if it changes."""
    known: Any = getattr(executor, "_max_workers", None)
    most = known if isinstance(known, int) else os.cpu_count() or 1
    return Workers(executor, lambda: 2 * (most if number is None else max(number(), 1)))


class ThisProcess(Executor):
    """This process does the work itself, at the moment it is given.

    again: asked when Ctrl-C broke into the work, as some solvers let it whatever handler is installed; whether the
    work is to be done anew. Chunks leave nothing behind, so that the result is the same.
    """

    def __init__(self, again: Callable[[], bool] = lambda: False) -> None:
        self._again = again

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """See ``Executor.submit``."""
        future: Future[Any] = Future()
        while not future.done():
            try:
                future.set_result(function(*args, **kwargs))
            except KeyboardInterrupt:
                if not self._again():
                    raise
        return future


def work_through(
    chunks: Iterator[Chunk],
    job: Job,
    workers: Workers,
    *,
    stop: Callable[[], bool] = lambda: False,
    tick: Callable[[], None] = lambda: None,
) -> Iterator[tuple[Chunk, Result]]:
    """Each chunk with its result, as soon as it is there, in any order.

    stop: asked before a chunk is begun; when it says so, what is under way is finished and nothing else begun. tick:
    called several times a second while there is nothing to do but to wait. Raises ``BackendFailure`` if no worker
    begins, or if somebody else's executor breaks: only its owner can replace it.
    """
    deaths: Counter[int] = Counter()
    begun: dict[Future[Result], Chunk] = {}
    more, last = True, 0
    try:
        while True:
            while more and not stop() and len(begun) < workers.most() and last - _first(begun, last) < MOST_AHEAD:
                chunk = next(chunks, None)
                if chunk is None:
                    more = False
                    break
                last = chunk.index
                begun[workers.executor.submit(work, job, chunk)] = chunk
            if not begun:
                return
            for future in wait(begun, _TICK, FIRST_COMPLETED).done:
                chunk = begun.pop(future)
                try:
                    result = future.result()
                except CancelledError as problem:
                    raise BackendFailure(f"the executor gave up the rows from {chunk.first_row:,} on") from problem
                except Exception as problem:
                    if type(problem).__name__ not in _DIED:
                        raise
                    deaths[chunk.index] += 1
                    if deaths[chunk.index] < DEATHS:
                        begun[workers.executor.submit(work, job, chunk)] = chunk
                        continue
                    result = isolated(job, chunk)
                yield chunk, result
            tick()
    except BrokenExecutor as problem:
        expected = f"one that replaces its workers, or none at all; and {GUARDED}"
        raise BackendFailure(f"the executor broke ({problem}); expected {expected}") from problem
    finally:
        for future in begun:
            future.cancel()


def _first(begun: dict[Future[Result], Chunk], otherwise: int) -> int:
    return min((chunk.index for chunk in begun.values()), default=otherwise)


def isolated(job: Job, chunk: Chunk) -> Result:
    """The result of a chunk on which workers die; puzzles that kill them are found in a process apart and set aside."""
    parts_job = replace(job, form=None)  # parts are put together as columns
    number = len(chunk)
    with ChildExecutor(1) as apart:

        def done(start: int, stop: int, killers: Collection[int] = (), tries: int = 1) -> Result | None:
            for _ in range(tries):
                with suppress(ChildDied):
                    result: Result = apart.call(work, parts_job, chunk.part(start, stop), killers)
                    return result
            return None

        if whole := done(0, number):
            return _encoded(job, [whole])
        killers: list[int] = []
        parts: list[Result] = []
        ranges = [(number // 2, number), (0, number // 2)] if number > 1 else [(0, number)]
        while ranges:
            start, stop = ranges.pop()
            single = stop - start == 1
            if part := done(start, stop, tries=DEATHS if single else 1):
                parts.append(part)
            elif single:
                killers.append(start)
                parts.append(work(parts_job, chunk.part(start, stop), {0}))
            else:
                middle = (start + stop) // 2
                ranges += [(middle, stop), (start, middle)]
        # as a whole, so that sessions see what they would have seen; in parts if it is many puzzles together that kill,
        # such as by the memory they take
        whole = done(0, number, killers)
        return _encoded(job, [whole] if whole else parts)


def _encoded(job: Job, parts: Sequence[Result]) -> Result:
    """The parts as one, in the form of the job."""
    columns = joined([part.columns for part in parts if part.columns is not None])
    summary = Summary()
    for part in parts:
        summary.add(part.summary)
    disagreements = [verdict for part in parts for verdict in part.disagreements]
    if job.form is None:
        return Result(summary, None, columns, disagreements)
    return Result(summary, encode(columns, job.form), None, disagreements)


def in_order(results: Iterator[tuple[Chunk, Result]]) -> Iterator[Result]:
    """Results in the order of their chunks, which number from 0."""
    waiting: dict[int, Result] = {}
    wanted = 0
    for chunk, result in results:
        waiting[chunk.index] = result
        while wanted in waiting:
            yield waiting.pop(wanted)
            wanted += 1
