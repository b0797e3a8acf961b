"""Chunks through a crew: deaths are forgiven once, then looked into; results come as they are done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from gridproof.bulk.chunks import Chunk
from gridproof.bulk.crews import Crew, Died, Workers
from gridproof.bulk.job import Job
from gridproof.bulk.records import encode, joined
from gridproof.bulk.results import Result, Summary
from gridproof.bulk.work import work

DEATHS = 2
"""So many times workers may die on a chunk, and then on one puzzle of it, before that puzzle is set aside."""

MOST_AHEAD = 64
"""So many chunks may be begun beyond the first that is not done."""

_TICK = 0.25


def work_through(
    chunks: Iterator[Chunk],
    job: Job,
    crew: Crew,
    *,
    stop: Callable[[], bool] = lambda: False,
    tick: Callable[[], None] = lambda: None,
) -> Iterator[tuple[Chunk, Result]]:
    """Each chunk with its result, as soon as it is there, in any order.

    stop: asked before a chunk is begun; when it says so, what is under way is finished and nothing else begun. tick:
    called several times a second while there is nothing to do but to wait.
    """
    deaths: Counter[int] = Counter()
    open_chunks: set[int] = set()
    more, last = True, 0
    while True:
        while more and not stop() and crew.room and last - min(open_chunks, default=last) < MOST_AHEAD:
            chunk = next(chunks, None)
            if chunk is None:
                more = False
                break
            crew.give(job, chunk)
            last = chunk.index
            open_chunks.add(last)
        if not crew.busy:
            return
        for chunk, outcome in crew.collect(_TICK):
            if isinstance(outcome, Died):
                deaths[chunk.index] += 1
                if deaths[chunk.index] < DEATHS:
                    crew.give(job, chunk)
                    continue
                outcome = isolated(job, chunk)
            open_chunks.discard(chunk.index)
            yield chunk, outcome
        tick()


def isolated(job: Job, chunk: Chunk) -> Result:
    """The result of a chunk on which workers die; puzzles that kill them are found in a process apart and set aside."""
    workers = Workers(1, depth=1)

    def outcome_of(start: int, stop: int, killers: Collection[int] = ()) -> Result | Died:
        workers.give(parts_job, chunk.part(start, stop), frozenset(killers))
        return workers.collect(None)[0][1]

    # parts are put together as columns
    parts_job = replace(job, form=None)
    number = len(chunk)
    try:
        whole = outcome_of(0, number)
        if not isinstance(whole, Died):
            return _encoded(job, [whole])
        killers: list[int] = []
        parts: list[Result] = []
        ranges = [(number // 2, number), (0, number // 2)] if number > 1 else [(0, number)]
        while ranges:
            start, stop = ranges.pop()
            outcome = outcome_of(start, stop)
            tries = 1
            while isinstance(outcome, Died) and stop - start == 1 and tries < DEATHS:
                outcome, tries = outcome_of(start, stop), tries + 1
            if not isinstance(outcome, Died):
                parts.append(outcome)
            elif stop - start > 1:
                middle = (start + stop) // 2
                ranges += [(middle, stop), (start, middle)]
            else:
                killers.append(start)
                parts.append(work(parts_job, chunk.part(start, stop), {0}))
        whole = outcome_of(0, number, killers)
        # as a whole, so that sessions see what they would have seen; in parts if it is many puzzles together that kill,
        # such as by the memory they take
        return _encoded(job, parts if isinstance(whole, Died) else [whole])
    finally:
        workers.close()


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
