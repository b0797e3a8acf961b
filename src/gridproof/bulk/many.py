"""The library's way in: verdict records on any number of puzzles, one after the other."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Any

from gridproof.backends.protocol import Backend
from gridproof.bulk.chunks import Chunk
from gridproof.bulk.crews import Alone, Crew, Hired, Workers
from gridproof.bulk.job import ENGINES, Engine, default_cross_check, job_of
from gridproof.bulk.reading import Input, Rows
from gridproof.bulk.records import VerdictRecord
from gridproof.bulk.results import Result
from gridproof.bulk.run import work_through
from gridproof.errors import InputError
from gridproof.formats import Shape, Zero
from gridproof.limits import NO_LIMITS, Limits
from gridproof.models.encoding import Encoding
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.puzzle.geometry import Geometry
from gridproof.trust.crosscheck import ALL_CHECKED, CrossCheck

PART_SIZE = 50_000
"""Puzzles of a part, where lanes decide nearly all of them."""

SESSION_PART_SIZE = 2_000
"""Puzzles of a part for sessions, which take some hundred microseconds to some milliseconds for each."""


def verify_many(
    puzzles: Input,
    shape: Shape = Geometry.standard,
    *,
    jobs: int = 0,
    executor: Executor | None = None,
    engine: Engine = "auto",
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    limits: Limits = NO_LIMITS,
    cross_check: str | CrossCheck | None = None,
    column: str | None = None,
    zero: Zero | None = None,
    part_size: int | None = None,
    timings: bool = False,
) -> Iterator[VerdictRecord]:
    """A verdict record for each row of an input, in order, read and verified as they are asked for.

    A script that has processes spawned, by ``jobs`` or an ``executor``, must call this below
    ``if __name__ == "__main__":``.

    Parameters
    ----------
    puzzles
        A path to lines, CSV or Parquet (``"-"``: standard input), or the text itself. Or puzzles in memory: an
        iterable of what ``gridproof.parse`` takes; an array of shape (n, cells) or (n, rows, columns); or a table, that
        is a DataFrame of pandas or Polars, a table of Arrow or a dictionary of columns. ``None`` and NaN are malformed.
    shape
        The geometry, or what gives one for an order.
    jobs
        Number of worker processes; 0 for none.
    executor
        Who does the work instead: any ``concurrent.futures.Executor`` whose workers can import gridproof, such as that
        of a Dask client.
    engine
        ``"lanes"``: the bit-parallel engine; ``"session"``: the backend; ``"auto"``: lanes, then the backend.
    backend, encoding, limits
        Of the sessions.
    cross_check
        ``"all"``, ``"none"`` or ``"sample=P"``; without it, all answers up to 10,000 puzzles and one in a thousand of
        more.
    column
        Of the puzzles in a table, if its name is none of the usual: ``puzzle``, ``question``, ``quizzes``.
    zero
        What ``0`` is, ``"blank"`` or ``"symbol"``, where a puzzle's own text does not tell.
    part_size
        Rows worked on at a time, 50,000 unless told (2,000 by sessions alone); nothing but the witnesses of
        ``multiple`` by a session can depend on it. Ctrl-C ends the iterator within a second: what it has yielded is all
        there is of the parts before, what is decided of the part under way (with workers, of each) is lost. Smaller
        parts lose less, and their records come sooner.
    timings
        Whether records say how long each puzzle took.

    Yields
    ------
    VerdictRecord

    Raises
    ------
    InputError, OSError
        If the input cannot be read: raised, as all of these, when the first record is asked for.
    BackendUnavailable, EncodingError
        If the backend or the encoding cannot be used.
    BackendFailure
        If workers cannot begin or an executor breaks.

    Examples
    --------
    >>> import gridproof
    >>> for record in gridproof.verify_many(["1.....2..3.....4", [1, 1] + [0] * 14]):
    ...     print(record.row, record.verdict, record.solution)
    1 unique 1243342143122134
    2 none None
    >>> table = {"puzzle": ["1.....2..3.....4"], "solution": ["1243342143122134"]}
    >>> [(record.verdict, record.answer) for record in gridproof.verify_many(table)]
    [('unique', 'right')]
    """
    if jobs < 0 or (part_size is not None and part_size < 1):
        raise InputError(f"jobs {jobs}, part_size {part_size}; expected jobs of at least 0 and parts of at least 1")
    if jobs and executor is not None:
        raise InputError("both jobs and executor; expected one of them")
    if engine not in ENGINES:
        raise InputError(f"engine {engine!r}; expected one of {', '.join(ENGINES)}")
    if engine == "lanes" and (encoding is not None or backend != DEFAULT_BACKEND):
        raise InputError("engine 'lanes' with a backend or an encoding, which it would not use; expected one of them")
    rows = Rows(puzzles, shape, column, zero)
    crew: Crew = Alone()
    if executor is not None:
        crew = hired(executor)
    elif jobs:
        crew = Workers(jobs)
    try:
        chunks, number = peeked(rows.chunks(part_size or default_part_size(engine)))
        wanted = CrossCheck.parse(cross_check) if isinstance(cross_check, str) else cross_check
        job, _ = job_of(
            engine,
            backend,
            encoding,
            limits=limits,
            cross_check=wanted or default_cross_check(number),
            timings=timings,
        )
        for result in in_order(work_through(chunks, job, crew)):
            assert result.columns is not None
            yield from result.columns.records()
    finally:
        crew.close()
        rows.close()


def default_part_size(engine: Engine) -> int:
    """How many puzzles make a part."""
    return SESSION_PART_SIZE if engine == "session" else PART_SIZE


def hired(executor: Executor) -> Hired:
    """A crew of an executor."""
    known: Any = getattr(executor, "_max_workers", None)
    number = known if isinstance(known, int) else os.cpu_count() or 1
    return Hired(executor, lambda: number, died=("KilledWorker",))


def peeked(chunks: Iterator[Chunk]) -> tuple[Iterator[Chunk], int]:
    """The same chunks, and how many rows they have, or a number above ``ALL_CHECKED`` if they have more than that."""
    first: list[Chunk] = []
    number = 0
    while number <= ALL_CHECKED and (chunk := next(chunks, None)) is not None:
        first.append(chunk)
        number += len(chunk)

    def again() -> Iterator[Chunk]:
        while first:
            yield first.pop(0)
        yield from chunks

    return again(), number


def in_order(results: Iterator[tuple[Chunk, Result]]) -> Iterator[Result]:
    """Results in the order of their chunks, which number from 0."""
    waiting: dict[int, Result] = {}
    wanted = 0
    for chunk, result in results:
        waiting[chunk.index] = result
        while wanted in waiting:
            yield waiting.pop(wanted)
            wanted += 1
