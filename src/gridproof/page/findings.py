"""Work for the second worker of the page, and what it finds, as bytes."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from gridproof.errors import GridproofError
from gridproof.formats import Puzzle
from gridproof.page.jobs import JOBS, Result
from gridproof.widget.analysis import Finder, Task


class Job(NamedTuple):
    """A question of the page itself, beside those of the board.

    name: of a function in ``JOBS``. values: what it needs besides the puzzle.
    """

    name: str
    puzzle: Puzzle
    values: dict[str, Any]


class Finding(NamedTuple):
    """A part of what was found.

    text: plain values as JSON, for the page. content: a file, or a finding for the board. An empty finding only gives
    way to whatever has come in the meantime.
    """

    text: str = ""
    content: bytes = b""


def pack(work: Task | Job) -> bytes:
    """Return work as bytes, which ``begin`` takes. They go from one worker of a page to another, and nowhere else."""
    return pickle.dumps(work)


def unpack_finding(content: bytes) -> dict[str, Any]:
    """Return a finding for the board."""
    finding: dict[str, Any] = pickle.loads(content)
    return finding


_FINDER = Finder()
"""The finder of this worker, which keeps what it has compiled."""


def begin(packed: bytes) -> Iterator[Finding]:
    """Yield each finding of some work, as it is found."""
    work = pickle.loads(packed)
    if isinstance(work, Job):
        yield from do_job(work)
        return
    for finding in _FINDER.find(work):
        yield Finding(content=pickle.dumps(finding)) if finding else Finding()


def do_job(job: Job) -> Iterator[Finding]:
    """Yield each result of a job; an error of ours is a result in words."""
    try:
        function: Callable[..., Iterator[Result]] = JOBS[job.name]
        for result in function(job.puzzle, **job.values):
            if result.values or result.content:
                yield Finding(json.dumps(result.values), result.content)
            else:
                yield Finding()
    except GridproofError as problem:
        yield Finding(json.dumps({"problem": str(problem)}))
    yield Finding(json.dumps({"done": True}))
