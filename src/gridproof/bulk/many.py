"""Verdicts on many puzzles for Python: record by record, or beside the puzzles in a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, fields
from itertools import chain
from types import NoneType
from typing import Any

from gridproof.bulk.chunks import Chunk
from gridproof.bulk.job import Job, RunOptions
from gridproof.bulk.reading import Input, Rows
from gridproof.bulk.records import FIELDS, Columns, Lists, file_lists, types
from gridproof.bulk.run import Workers, borrow_workers, put_in_order, start_workers, work_through
from gridproof.errors import InputError
from gridproof.expect import expect, expect_whole, list_of
from gridproof.formats.tables import PUZZLE_COLUMNS
from gridproof.runs import frames
from gridproof.runs.progress import ProgressBar
from gridproof.text import suggest
from gridproof.trust import crosscheck
from gridproof.trust.record import VerdictRecord

PART_SIZE = 60_000
"""The most puzzles in a part if lanes decide nearly all of them. A block of lines of 9x9 cells has fewer."""

SESSION_PART_SIZE = 2_000
"""The most puzzles in a part for sessions, which take some hundred microseconds to some milliseconds for each."""


ADDED = ("verdict", "solution", "second_solution", "engine", "grids_checked", "reference", "stored", "reason")
"""The columns that ``verify_table`` adds by default."""

_COLUMNS = tuple(name for name in FIELDS if name != "puzzle")


@dataclass(frozen=True, slots=True)
class Run:
    """Puzzles about to be verified: the input, its parts, and the job for each.

    described: the run as plain data, by which runs are compared, to resume it.
    """

    rows: Rows
    chunks: Iterator[Chunk]
    job: Job
    described: dict[str, Any]


@contextmanager
def open_run(
    puzzles: Input, options: RunOptions, workers: Workers | None = None, form: str | None = None
) -> Iterator[Run]:
    """Open an input as a run, for as long as the block lasts.

    workers: these prepare themselves meanwhile. form: of the result, if it goes to a file.
    """
    with closing(Rows(puzzles, options.reading, options.column)) as rows:
        size = PART_SIZE
        for_lanes = rows.likely
        if options.sessions_only:
            size = SESSION_PART_SIZE
            for_lanes = 0
        if workers is not None:
            workers.prepare(-(-rows.likely // size), for_lanes)
        chunks, number = look_ahead(rows.chunks(size))
        job = options.make_job(number, form)
        yield Run(rows, chunks, job, {**options.describe(job), "part-size": size})


def look_ahead(chunks: Iterator[Chunk]) -> tuple[Iterator[Chunk], int]:
    """Return the same chunks, and how many rows they have; above ``ALL_CHECKED`` any number greater than that."""
    first: list[Chunk] = []
    number = 0
    for chunk in chunks:
        first.append(chunk)
        number += len(chunk)
        if number > crosscheck.ALL_CHECKED:
            break
    return chain(first, chunks), number


def verify_many(
    puzzles: Input, options: RunOptions | None = None, *, jobs: int = 0, executor: Executor | None = None, **more: Any
) -> Iterator[VerdictRecord]:
    """Yield a verdict record for each row of an input, in order; rows are read and verified as you ask for them.

    A script must call this below ``if __name__ == "__main__":`` if its ``executor`` spawns processes, or if it uses
    ``jobs`` with a backend of its own, because these processes import the script. Ctrl-C ends the iterator within a
    second and loses the parts in work: up to 60,000 rows each, 2,000 if only sessions decide.

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
        ``cross_check``, ``column``, ``zero``, ``rules``, ``despite_unread``, ``rate``, ``canonical``,
        ``entries_as_clues``.

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
    for columns in verify_in_parts(puzzles, options, jobs=jobs, executor=executor, **more):
        yield from columns.records()


def verify_in_parts(
    puzzles: Input, options: RunOptions | None = None, *, jobs: int = 0, executor: Executor | None = None, **more: Any
) -> Iterator[Columns]:
    """Yield the records of ``verify_many`` part by part, as columns; parameters and errors are the same."""
    jobs = expect_whole(jobs, "jobs", least=0)
    expect(options, (RunOptions, NoneType), "options", "RunOptions, or None")
    if jobs and executor is not None:
        raise InputError("both jobs and executor; expected one of them")
    names = [field.name for field in fields(RunOptions)]
    for name in more:
        if options is not None:
            raise InputError(f"both options and {name}; expected one of them")
        if name not in names:
            raise InputError(f"no option is called {name!r}; {suggest(name, names)}")
    with ExitStack() as stack:
        if executor is None:
            workers = start_workers(jobs)
            stack.enter_context(workers.executor)
        else:
            workers = borrow_workers(executor)
        run = stack.enter_context(open_run(puzzles, options or RunOptions(**more), workers))
        for result in put_in_order(work_through(run.chunks, run.job, workers)):
            assert result.columns is not None
            yield result.columns


def verify_table(
    table: Any,
    column: str | None = None,
    *,
    add: Sequence[str] = ADDED,
    suffix: str = "_found",
    progress: bool | Callable[[int, int], object] = True,
    **options: Any,
) -> Any:
    """Return the table with the verdict on each row's puzzle beside it.

    Ctrl-C, or an interrupt of the kernel, stops it within a second; no process is left.

    Parameters
    ----------
    table
        A DataFrame or a Series of pandas or Polars, a table or a batch of Arrow, or what gives a table by the Arrow
        PyCapsule interface, such as a result of DuckDB.
    column
        Of the puzzles, if its name is none of the usual: ``puzzle``, ``question``, ``quiz``, or a plural. A column of
        solutions is found by its name, ``solution`` or ``answer``, and each of them is judged in ``stored``.
    add
        The columns to be added: fields of ``VerdictRecord``.
    suffix
        Behind the name of an added column that the table has already.
    progress
        Whether a notebook or a terminal shows a bar if it takes more than a second. Or a function that is called with
        the numbers of puzzles done and of all.
    **options
        Those of ``verify_many``: ``jobs``, ``executor`` and the fields of ``RunOptions``.

    Returns
    -------
    DataFrame or Table
        Of the same kind, with the same rows in the same order (and the same index). A Series gives a DataFrame, the
        PyCapsule interface a table of Arrow. The table that was given is not changed.

    Raises
    ------
    InputError
        If it is no table, lacks the column, or has a column that is to be added in spite of the suffix.
    GridproofError
        As ``verify_many``.

    Examples
    --------
    >>> import gridproof, pandas
    >>> table = pandas.DataFrame({"puzzle": ["1.....2..3.....4", "11.............."]}, index=["a", "b"])
    >>> verified = gridproof.verify_table(table)
    >>> verified.verdict.to_dict(), verified.solution["a"]
    ({'a': 'unique', 'b': 'none'}, '1243342143122134')
    """
    expect(column, (str, NoneType), "column", "the name of a column, or None")
    expect(suffix, str, "suffix", "a text")
    add = list_of(add, str, "add", "names of columns")
    source, column = _as_table(table, column)
    new_names = name_columns(frames.column_names(source), add, suffix)
    columns: dict[str, list[Any]] = {name: [] for name in add}
    number = len(source)
    done = 0
    with ProgressBar("puzzles", wanted=progress is True) as bar:
        show = progress if callable(progress) else bar
        for part in verify_in_parts(source, column=column, **options):
            for name, values in zip(FIELDS, file_lists(part.lists()), strict=True):
                if name in columns:
                    columns[name] += values
            done += len(part.row)
            show(done, number)
    known = types()
    new_types = {new_names[name]: known[name] for name in add}
    return frames.with_columns(source, new_types, list(columns.values()))


def name_columns(present: Sequence[str], add: Sequence[str], suffix: str) -> dict[str, str]:
    """Return the name that each column gets in a table that has some already. Raises ``InputError``."""
    new_names = {}
    for name in add:
        if name not in _COLUMNS:
            raise InputError(f"the column {name!r} to be added; {suggest(name, _COLUMNS)}")
        new_names[name] = name + suffix if name in present else name
        if new_names[name] in present:
            raise InputError(
                f"the table has a column {new_names[name]!r} already; expected another suffix than {suffix!r}"
            )
    return new_names


def to_table(records: Iterable[VerdictRecord], kind: frames.Kind = "pandas") -> Any:
    """Make a table of verdict records, with a row for each.

    Parameters
    ----------
    records
        Such as those of ``verify_many``.
    kind : {"pandas", "polars", "arrow"}
        Whose table.

    Returns
    -------
    DataFrame or Table
        With the fields of ``VerdictRecord`` as columns.

    Raises
    ------
    BackendUnavailable
        If the package is not installed.

    Examples
    --------
    >>> import gridproof
    >>> table = gridproof.to_table(gridproof.verify_many(["1.....2..3.....4"]), "polars")
    >>> table.select("row", "verdict", "solution").rows()
    [(1, 'unique', '1243342143122134')]
    """
    columns: Lists = [[] for _ in FIELDS]
    for record in records:
        for values, value in zip(columns, record, strict=True):
            values.append(value)
    return frames.make_frame(kind, types(), file_lists(columns))


def _as_table(table: Any, column: str | None) -> tuple[Any, str | None]:
    """A table of pandas, Polars or Arrow, and the column of puzzles. Raises ``InputError``."""
    kind = frames.kind_of(table)
    names = {each.__name__ for each in type(table).__mro__}
    if kind is not None and "Series" in names:
        column = column or str(table.name or PUZZLE_COLUMNS[0])
        return table.to_frame(column), column
    if kind is not None and names & {"DataFrame", "Table", "RecordBatch"}:
        return table, column
    if hasattr(table, "__arrow_c_stream__") and (kind is None or "RecordBatchReader" in names):
        return frames.arrow().table(table), column
    raise InputError(
        f"a value of type {type(table).__name__}: {table!r:.200}; expected a table in memory: a DataFrame of pandas or "
        "Polars, a table of Arrow, or an object with __arrow_c_stream__ (other puzzles go to verify_many)"
    )
