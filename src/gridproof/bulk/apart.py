"""Chunks on which a worker died, done again in a process apart, so that nothing else dies with it.

A worker may die by chance: the system lacks memory, or somebody kills it. Then the chunk is done at the second attempt.
Or a puzzle kills it: that is found by bisection, dies alone, and is set aside. Or the machine is at fault, and whatever
is tried dies. Then the run ends with an error, as soon as more than a few puzzles of a chunk seem to be to blame, or
none of them where chunks die as a whole.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import chain

from gridproof.bulk.chunks import Chunk
from gridproof.bulk.job import Job
from gridproof.bulk.records import Columns
from gridproof.bulk.results import Result
from gridproof.bulk.work import work
from gridproof.errors import BackendFailure
from gridproof.runs.pool import ChildDied, ChildExecutor

DEATHS = 2
"""Deaths of processes on one puzzle alone, after that of the worker on its chunk, before the puzzle is set aside."""

MOST_SET_ASIDE = 3
"""The most puzzles of a chunk that are set aside; with one more the machine is to blame."""

MOST_UNEXPLAINED = 3
"""The chunks of a run that may kill a process a second time without a puzzle that kills one alone; the last of them
ends the run."""

_EXPECTED = "expected enough memory, and an installation that is sound (`python -m gridproof verify` with `--jobs 0`)"


class Apart:
    """The chunks of a run that are done again.

    warn: called with a sentence for each worker that died, and for each puzzle that is set aside.
    """

    def __init__(self, job: Job, warn: Callable[[str], object]) -> None:
        self._job = job
        self._parts_job = replace(job, form=None)  # parts are put together as columns
        self._warn = warn
        self._unexplained = 0

    def redo(self, chunk: Chunk, how: str) -> Result:
        """Return the result of a chunk on which a worker died. how: a clause that states how it died.

        Raises ``BackendFailure`` if processes die on it whatever is tried.
        """
        self._warn(f"a worker process died on {describe_rows(chunk)} ({how}); they are done again in a process apart")
        with ChildExecutor(1) as executor:
            try:
                parts = [executor.call(work, self._parts_job, chunk)]
            except ChildDied as death:
                blamed: list[Chunk] = []
                parts = self._work_by_halves(executor, chunk, blamed)
                if not blamed:
                    self._unexplained += 1
                    if self._unexplained == MOST_UNEXPLAINED:
                        raise BackendFailure(
                            f"worker processes died twice on each of {MOST_UNEXPLAINED} parts, the last of them "
                            f"{describe_rows(chunk)}, though no puzzle of these kills one alone; {_EXPECTED}"
                        ) from death
        return join_results(chunk, parts, self._job.form)

    def _work_by_halves(self, executor: ChildExecutor, part: Chunk, blamed: list[Chunk]) -> list[Result]:
        """Return the results of the parts of one that has killed a process. blamed: gets those that are set aside."""
        if len(part) == 1:
            return [self._work_alone(executor, part, blamed)]
        middle = len(part) // 2
        results = []
        for half in (part.part(0, middle), part.part(middle, len(part))):
            try:
                results.append(executor.call(work, self._parts_job, half))
            except ChildDied:
                results += self._work_by_halves(executor, half, blamed)
        return results

    def _work_alone(self, executor: ChildExecutor, part: Chunk, blamed: list[Chunk]) -> Result:
        for _ in range(DEATHS - 1):
            with suppress(ChildDied):
                result: Result = executor.call(work, self._parts_job, part)
                return result
        blamed.append(part)
        if len(blamed) > MOST_SET_ASIDE:
            rows = ", ".join([str(each.first_row) for each in blamed])
            raise BackendFailure(f"worker processes die on one puzzle after the other: rows {rows}; {_EXPECTED}")
        self._warn(f"{describe_rows(part)} is set aside: worker processes died on it again and again")
        return work(self._parts_job, part, set_aside=True)


def join_results(chunk: Chunk, parts: list[Result], form: str | None) -> Result:
    """Return the results of the parts of a chunk as one, encoded in a form if it is given."""
    whole = Columns(chunk.rows, chunk.lines)
    records = chain.from_iterable([part.columns.records() for part in parts if part.columns is not None])
    for place, record in enumerate(records):
        whole.write(place, record)
    whole.summary.seconds = sum([part.summary.seconds for part in parts])
    disagreements = [verdict for part in parts for verdict in part.disagreements]
    return Result.of(whole, form, disagreements)


def describe_rows(chunk: Chunk) -> str:
    """Return the rows of a chunk in words, such as ``rows 1 to 50,000``."""
    if len(chunk) == 1:
        return f"row {chunk.first_row:,}"
    return f"rows {chunk.first_row:,} to {chunk.first_row + len(chunk) - 1:,}"
