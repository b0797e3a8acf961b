"""A run: its input and its options. ``verify_many`` is the entry for Python."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, fields
from itertools import chain
from typing import Any

from gridproof.arguments import checked
from gridproof.bulk.chunks import Chunk
from gridproof.bulk.job import Job, RunOptions
from gridproof.bulk.reading import Input, Rows
from gridproof.bulk.records import Columns
from gridproof.bulk.run import Workers, in_order, own_workers, work_through, workers_of
from gridproof.errors import InputError, choices
from gridproof.trust import crosscheck
from gridproof.trust.record import VerdictRecord

PART_SIZE = 50_000
"""Puzzles in a part if lanes decide nearly all of them."""

SESSION_PART_SIZE = 2_000
"""Puzzles in a part for sessions, which take some hundred microseconds to some milliseconds for each."""


@dataclass(frozen=True, slots=True)
class Run:
    """Puzzles about to be verified: the input, its parts, and the job for each.

    described: the run as plain data, which tells it from others, to resume it.
    """

    rows: Rows
    chunks: Iterator[Chunk]
    job: Job
    described: dict[str, Any]


@contextmanager
def opened(
    puzzles: Input, options: RunOptions, workers: Workers | None = None, form: str | None = None
) -> Iterator[Run]:
    """A run of these puzzles, for as long as the input is open.

    workers: these prepare themselves meanwhile. form: of the result, if it goes to a file.
    """
    size = SESSION_PART_SIZE if options.sessions_only else PART_SIZE
    with closing(Rows(puzzles, options.reading, options.column)) as rows:
        if workers is not None:
            lanes = not options.sessions_only and rows.likely > crosscheck.ONE_BY_ONE
            workers.prepare(-(-rows.likely // size), lanes)
        chunks, number = peeked(rows.chunks(size))
        job = options.job(number, form)
        yield Run(rows, chunks, job, {**job.described(), **options.described(), "part-size": size})


def peeked(chunks: Iterator[Chunk]) -> tuple[Iterator[Chunk], int]:
    """Return the same chunks, and how many rows they have; above ``ALL_CHECKED`` any number greater than that."""
    first: list[Chunk] = []
    number = 0
    while number <= crosscheck.ALL_CHECKED and (chunk := next(chunks, None)) is not None:
        first.append(chunk)
        number += len(chunk)
    return chain(first, chunks), number


@checked
def verify_many(
    puzzles: Input,
    options: RunOptions | None = None,
    *,
    jobs: int = 0,
    executor: Executor | None = None,
    **more: Any,
) -> Iterator[VerdictRecord]:
    """Yield a verdict record for each row of an input, in order; rows are read and verified as you ask for them.

    A script must call this below ``if __name__ == "__main__":`` if its ``executor`` spawns processes, or if it uses
    ``jobs`` with a backend of its own, because these processes import the script. Ctrl-C ends the iterator within a
    second and loses the parts in work: 50,000 rows each, 2,000 if only sessions decide.

    Parameters
    ----------
    puzzles
        A path to lines, CSV or Parquet (``"-"``: standard input), or the text itself. Or puzzles in memory: an
        iterable of what ``gridproof.parse`` takes; an array of shape (n, cells) or (n, rows, columns); or a table, that
        is a DataFrame of pandas or Polars, a table of Arrow or a dictionary of columns. ``None`` and NaN are malformed.
    options
        The ``RunOptions``.
    jobs
        The number of worker processes; 0 for none.
    executor
        An executor to use instead: any ``concurrent.futures.Executor`` whose workers can import gridproof, such as
        that of a Dask client.
    **more
        Fields of ``RunOptions``, instead of ``options``: ``shape``, ``engine``, ``backend``, ``encoding``, ``limits``,
        ``cross_check``, ``column``, ``zero``, ``rules``, ``despite_unread``, ``entries_as_clues``.

    Yields
    ------
    VerdictRecord

    Raises
    ------
    InputError, OSError
        If the input cannot be read, or options do not go together. Like the errors below, it comes when you ask for the
        first record.
    BackendUnavailable, EncodingError
        If the backend or the encoding cannot be used.
    BackendFailure
        If workers cannot start, or if an executor breaks.

    Examples
    --------
    >>> import gridproof
    >>> for record in gridproof.verify_many(["1.....2..3.....4", [1, 1] + [0] * 14]):
    ...     print(record.row, record.verdict, record.solution or record.reason)
    1 unique 1243342143122134
    2 none r1c1 and r1c2 in row 1 both hold 1
    >>> table = {"puzzle": ["1.....2..3.....4"], "solution": ["1243342143122134"]}
    >>> [(record.verdict, record.stored) for record in gridproof.verify_many(table)]
    [('unique', 'right')]
    """
    for columns in verified(puzzles, options, jobs=jobs, executor=executor, **more):
        yield from columns.records()


def verified(
    puzzles: Input,
    options: RunOptions | None = None,
    *,
    jobs: int = 0,
    executor: Executor | None = None,
    **more: Any,
) -> Iterator[Columns]:
    """Yield the records of ``verify_many`` part by part, as columns; parameters and errors are the same."""
    if jobs < 0:
        raise InputError(f"jobs {jobs}; expected at least 0")
    if jobs and executor is not None:
        raise InputError("both jobs and executor; expected one of them")
    if options is not None and more:
        raise InputError(f"options beside {next(iter(more))}; expected one of them")
    names = [field.name for field in fields(RunOptions)]
    for name in more.keys() - {*names}:
        raise InputError(f"no option is called {name!r}; {choices(name, names)}")
    workers = own_workers(jobs) if executor is None else workers_of(executor)
    with (
        workers.executor if executor is None else nullcontext(),
        opened(puzzles, options or RunOptions(**more), workers) as run,
    ):
        for result in in_order(work_through(run.chunks, run.job, workers)):
            assert result.columns is not None
            yield result.columns
