"""A run: its input and its options. ``verify_many`` is the entry for Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import chain
from typing import Any, get_args

from gridproof.arguments import checked
from gridproof.backends.protocol import Backend
from gridproof.bulk.chunks import Chunk
from gridproof.bulk.job import Engine, Job
from gridproof.bulk.reading import Input, Rows
from gridproof.bulk.records import Columns
from gridproof.bulk.run import Workers, in_order, own_workers, work_through, workers_of
from gridproof.errors import GeometryError, InputError
from gridproof.formats import Shape, Zero
from gridproof.formats.shapes import Shapes
from gridproof.limits import NO_LIMITS, Limits
from gridproof.models import catalog
from gridproof.models.encoding import Encoding
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.puzzle.geometry import Geometry
from gridproof.trust import crosscheck
from gridproof.trust.crosscheck import ALL_CHECKED, CROSS_CHECK_SECONDS, CrossCheck
from gridproof.trust.record import VerdictRecord

PART_SIZE = 50_000
"""Puzzles in a part if lanes decide nearly all of them."""

SESSION_PART_SIZE = 2_000
"""Puzzles in a part for sessions, which take some hundred microseconds to some milliseconds for each."""


def by_number(puzzles: int, seconds: float = CROSS_CHECK_SECONDS) -> tuple[Engine, CrossCheck]:
    """Who decides so many puzzles and which answers are cross-checked, where nobody says otherwise (docs/bulk.md)."""
    engine: Engine = "session" if puzzles <= crosscheck.ONE_BY_ONE else "auto"
    checked = puzzles <= crosscheck.ALL_CHECKED
    share = crosscheck.SAMPLED_SHARE
    return engine, CrossCheck("all", seconds=seconds) if checked else CrossCheck("sample", share, seconds=seconds)


@dataclass(frozen=True, slots=True)
class Run:
    """Puzzles about to be verified: the input, its parts, and what is to be done with each.

    number: of puzzles, or one above ``ALL_CHECKED`` if there are more than that. options: what tells this run from
    others, to resume it.
    """

    rows: Rows
    chunks: Iterator[Chunk]
    number: int
    job: Job
    options: dict[str, Any]


@contextmanager
def opened(
    puzzles: Input,
    shape: Shape,
    *,
    engine: Engine | None = None,
    backend: str | Backend | None = None,
    encoding: str | Encoding | None = None,
    limits: Limits = NO_LIMITS,
    cross_check: str | CrossCheck | None = None,
    column: str | None = None,
    zero: Zero | None = None,
    part_size: int | None = None,
    timings: bool = False,
    rules: Iterable[str] = (),
    despite_unread: bool = False,
    entries_as_clues: bool = False,
    form: str | None = None,
    cross_check_seconds: float = CROSS_CHECK_SECONDS,
    workers: Workers | None = None,
) -> Iterator[Run]:
    """A run of these puzzles, for as long as the input is open; parameters as of ``verify_many``.

    form: of the result, if it goes to a file. cross_check_seconds: unless ``cross_check`` is an object. workers: who
    will do it; they prepare themselves meanwhile. Raises ``InputError`` for options that do not go together.
    """
    rules = tuple(rules)
    if part_size is not None and part_size < 1:
        raise InputError(f"part_size {part_size}; expected at least 1")
    if engine is not None and engine not in get_args(Engine):
        raise InputError(f"engine {engine!r}; expected one of {', '.join(get_args(Engine))}")
    named = encoding is not None or backend not in (None, DEFAULT_BACKEND)
    if engine == "lanes" and named:
        raise InputError("engine lanes with a backend or an encoding, which it would not use; expected one of them")
    if rules and engine == "lanes":
        raise InputError(f"engine 'lanes' with the rule {rules[0]!r}: it knows houses only; expected 'session'")
    if rules or (engine is None and named):
        engine = "session"
    asked = Shapes(shape, zero, despite_unread=despite_unread, entries_as_clues=entries_as_clues)
    size = part_size or (SESSION_PART_SIZE if engine == "session" else PART_SIZE)
    with closing(Rows(puzzles, asked, column)) as rows:
        if workers is not None:
            lanes = engine != "session" and rows.likely > crosscheck.ONE_BY_ONE
            workers.prepare(-(-rows.likely // size), lanes)
        chunks, number = peeked(rows.chunks(size))
        usual_engine, usual_check = by_number(number, cross_check_seconds)
        if isinstance(cross_check, str):
            cross_check = CrossCheck.parse(cross_check, cross_check_seconds)
        job = Job(
            engine or usual_engine,
            backend or DEFAULT_BACKEND,
            catalog.load(encoding) if isinstance(encoding, str) else encoding,
            limits,
            cross_check or usual_check,
            form,
            timings,
            rules,
        )
        options = {**job.described(), "shape": _described_shape(shape), "column": column, "part-size": size}
        options |= {"zero": zero, "despite-unread": despite_unread, "entries-as-clues": entries_as_clues}
        yield Run(rows, chunks, number, job, options)


def _described_shape(shape: Shape) -> list[str]:
    """A shape in words that tell it from others: a geometry, or what it gives for some orders."""
    if isinstance(shape, Geometry):
        return [repr(shape)]
    found = []
    for order in (4, 6, 9, 16):
        try:
            found.append(repr(shape(order)))
        except GeometryError as problem:
            found.append(str(problem))
    return found


def peeked(chunks: Iterator[Chunk]) -> tuple[Iterator[Chunk], int]:
    """The same chunks, and how many rows they have, or a number above ``ALL_CHECKED`` if they have more than that."""
    first: list[Chunk] = []
    number = 0
    while number <= ALL_CHECKED and (chunk := next(chunks, None)) is not None:
        first.append(chunk)
        number += len(chunk)
    return chain(first, chunks), number


@checked
def verify_many(
    puzzles: Input,
    shape: Shape = Geometry.standard,
    *,
    jobs: int = 0,
    executor: Executor | None = None,
    engine: Engine | None = "auto",
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    limits: Limits = NO_LIMITS,
    cross_check: str | CrossCheck | None = None,
    column: str | None = None,
    zero: Zero | None = None,
    rules: Iterable[str] = (),
    despite_unread: bool = False,
    entries_as_clues: bool = False,
    part_size: int | None = None,
    timings: bool = False,
) -> Iterator[VerdictRecord]:
    """Yield a verdict record for each row of an input, in order; rows are read and verified as you ask for them.

    A script must call this below ``if __name__ == "__main__":`` if its ``executor`` spawns processes, or if it uses
    ``jobs`` with a backend of its own, because these processes import the script.

    Parameters
    ----------
    puzzles
        A path to lines, CSV or Parquet (``"-"``: standard input), or the text itself. Or puzzles in memory: an
        iterable of what ``gridproof.parse`` takes; an array of shape (n, cells) or (n, rows, columns); or a table, that
        is a DataFrame of pandas or Polars, a table of Arrow or a dictionary of columns. ``None`` and NaN are malformed.
    shape
        The geometry, or a function from an order to one.
    jobs
        The number of worker processes; 0 for none.
    executor
        An executor to use instead: any ``concurrent.futures.Executor`` whose workers can import gridproof, such as
        that of a Dask client.
    engine
        ``"lanes"``: the bit-parallel engine; ``"session"``: the backend; ``"auto"``: lanes, then the backend;
        ``None``: by the number of puzzles, like ``gridproof verify``.
    backend, encoding, limits
        As in ``gridproof.verify``, for the sessions.
    cross_check
        ``"all"``, ``"none"`` or ``"sample=P"``; without it, every answer up to 10,000 puzzles, beyond that one in a
        thousand.
    column
        The column of puzzles in a table, if it is not ``puzzle``, ``question`` or ``quizzes``.
    zero
        The meaning of ``0``, ``"blank"`` or ``"symbol"``, if the text of a puzzle leaves it open.
    rules
        Further rules of every puzzle as text, such as ``"anti-knight"``; sessions then decide all puzzles.
    despite_unread
        Whether to accept a puzzle of another program if something unread may be a rule; otherwise its record says
        ``not understood``.
    entries_as_clues
        Whether digits that are filled in but not given are clues.
    part_size
        The number of rows in a part: 50,000 by default, 2,000 if only sessions decide. Only the witnesses of
        ``multiple`` from a session can depend on it. Ctrl-C ends the iterator within a second and loses the parts in
        work. Smaller parts lose less, and their records come sooner.
    timings
        Whether records have the seconds that each puzzle took.

    Yields
    ------
    VerdictRecord

    Raises
    ------
    InputError, OSError
        If the input cannot be read. Like the errors below, it comes when you ask for the first record.
    BackendUnavailable, EncodingError
        If the backend or the encoding cannot be used.
    BackendFailure
        If workers cannot start, or if an executor breaks.

    Examples
    --------
    >>> import gridproof
    >>> for record in gridproof.verify_many(["1.....2..3.....4", [1, 1] + [0] * 14]):
    ...     print(record.row, record.verdict, record.solution)
    1 unique 1243342143122134
    2 none None
    >>> table = {"puzzle": ["1.....2..3.....4"], "solution": ["1243342143122134"]}
    >>> [(record.verdict, record.stored) for record in gridproof.verify_many(table)]
    [('unique', 'right')]
    """
    for columns in verified(
        puzzles,
        shape,
        jobs=jobs,
        executor=executor,
        rules=rules,
        engine=engine,
        backend=backend,
        encoding=encoding,
        limits=limits,
        cross_check=cross_check,
        column=column,
        zero=zero,
        part_size=part_size,
        timings=timings,
        despite_unread=despite_unread,
        entries_as_clues=entries_as_clues,
    ):
        yield from columns.records()


def verified(
    puzzles: Input,
    shape: Shape = Geometry.standard,
    *,
    jobs: int = 0,
    executor: Executor | None = None,
    engine: Engine | None = "auto",
    **options: Any,
) -> Iterator[Columns]:
    """The records of ``verify_many`` part by part, as columns; parameters and errors are the same."""
    if jobs < 0:
        raise InputError(f"jobs {jobs}; expected at least 0")
    if jobs and executor is not None:
        raise InputError("both jobs and executor; expected one of them")
    workers = own_workers(jobs) if executor is None else workers_of(executor)
    with (
        workers.executor if executor is None else nullcontext(),
        opened(puzzles, shape, workers=workers, engine=engine, **options) as run,
    ):
        for result in in_order(work_through(run.chunks, run.job, workers)):
            assert result.columns is not None
            yield result.columns
