"""The runs of a comparison on an existing Dask cluster: slices of the schedule, each made by one worker."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from itertools import groupby

from gridproof.compare import scheduler
from gridproof.compare.plan import Task
from gridproof.compare.records import Budget
from gridproof.compare.scheduler import Outcome
from gridproof.errors import BackendFailure, GridproofError
from gridproof.runs.calls import as_done
from gridproof.runs.cluster import Cluster
from gridproof.runs.foreign import crash

SLICE = 64
"""Runs of a slice, about: starting the processes of all setups costs a worker about a second each."""


def execute(tasks: Sequence[Task], budget: Budget, address: str) -> Generator[Outcome, None, None]:
    """Each task's outcome, slice by slice as workers finish them.

    The runs of one puzzle in one round are made by one worker, and so are all warm runs of one set in one round, since
    they share sessions. Closing the generator gives up the slices that are not begun.
    """
    with closing(Cluster(address)) as cluster:
        submit = cluster.executor.submit
        for _, done in as_done(lambda part: submit(measure, part, budget), _slices(tasks), cluster.threads):
            problem = done.exception()
            if isinstance(problem, GridproofError):
                raise problem
            if problem is not None:
                raise BackendFailure(f"a worker of the Dask cluster failed: {crash(problem)}")
            yield from done.result()


def measure(tasks: Sequence[Task], budget: Budget) -> list[Outcome]:
    """What a worker of the cluster does."""
    with closing(scheduler.execute(tasks, budget)) as outcomes:
        return list(outcomes)


def _slices(tasks: Sequence[Task]) -> Iterator[list[Task]]:
    warm = any(task.entry.setup.mode == "warm" for task in tasks)

    def together(task: Task) -> tuple[object, ...]:
        run = task.record
        return (run.repeat, run.puzzle_set) if warm else (run.repeat, run.puzzle_set, run.puzzle)

    part: list[Task] = []
    for _, block in groupby(sorted(tasks, key=together) if warm else tasks, together):
        part += block
        if len(part) >= SLICE or warm:
            yield part
            part = []
    if part:
        yield part
