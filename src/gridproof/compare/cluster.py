"""The runs of a comparison on an existing Dask cluster: slices of the schedule, each made by one worker."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing
from dataclasses import replace
from itertools import groupby

from gridproof.compare import scheduler
from gridproof.compare.machine import machine
from gridproof.compare.plan import Task
from gridproof.compare.records import Budget
from gridproof.compare.scheduler import Outcome
from gridproof.errors import BackendFailure, GridproofError
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
        slices = _slices(tasks)
        waiting: set[Future[list[Outcome]]] = set()
        try:
            while True:
                while len(waiting) < cluster.threads() and (part := next(slices, None)):
                    waiting.add(cluster.executor.submit(measure, part, budget))
                if not waiting:
                    return
                done, waiting = wait(waiting, timeout=1.0, return_when=FIRST_COMPLETED)
                for future in done:
                    problem = future.exception()
                    if isinstance(problem, GridproofError):
                        raise problem
                    if problem is not None:
                        raise BackendFailure(f"a worker of the Dask cluster failed: {crash(problem)}")
                    yield from future.result()
        finally:
            for future in waiting:
                future.cancel()


def measure(tasks: Sequence[Task], budget: Budget) -> list[Outcome]:
    """What a worker of the cluster does."""
    with closing(scheduler.execute(tasks, budget)) as outcomes:
        return [replace(outcome, machine=machine()) for outcome in outcomes]


def _slices(tasks: Sequence[Task]) -> Iterator[list[Task]]:
    warm = any(task.entry.setup.mode == "warm" for task in tasks)

    def together(task: Task) -> tuple[object, ...]:
        return (task.repeat, task.puzzle_set) if warm else (task.repeat, task.puzzle_set, task.puzzle)

    part: list[Task] = []
    for _, block in groupby(sorted(tasks, key=together) if warm else tasks, together):
        part += block
        if len(part) >= SLICE or warm:
            yield part
            part = []
    if part:
        yield part
