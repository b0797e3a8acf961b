"""Tables in, tables out: verdicts beside their puzzles in a table of pandas, Polars or Arrow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from typing import Any

from gridproof.arguments import checked
from gridproof.bulk.many import verified
from gridproof.bulk.records import FIELDS, file_lists, types
from gridproof.errors import InputError, choices
from gridproof.formats.tables import PUZZLE_COLUMNS
from gridproof.runs import tables
from gridproof.runs.progress import ProgressBar
from gridproof.runs.tables import Kind
from gridproof.trust.record import VerdictRecord

ADDED = ("verdict", "solution", "second_solution", "engine", "grids_checked", "reference", "stored", "reason")
"""The columns that ``verify_table`` adds by default."""

_COLUMNS = tuple(name for name in FIELDS if name != "puzzle")


@checked
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
        Of the puzzles, if its name is none of the usual: ``puzzle``, ``question``, ``quizzes``. A column of solutions
        is found by its name, ``solution`` or ``answer``, and each of them is judged in ``stored``.
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
    source, column = _as_table(table, column)
    if unknown := [name for name in add if name not in _COLUMNS]:
        raise InputError(f"the column {unknown[0]!r} to be added; {choices(unknown[0], _COLUMNS)}")
    there = [str(name) for name in (source.schema.names if tables.kind_of(source) == "arrow" else source.columns)]
    names = {name: name + suffix if name in there else name for name in add}
    if twice := [name for name in names.values() if name in there]:
        raise InputError(f"the table has a column {twice[0]!r} already; expected another suffix than {suffix!r}")
    columns: dict[str, list[Any]] = {name: [] for name in add}
    number, done = len(source), 0
    with ProgressBar("puzzles") if progress is True else nullcontext(progress or None) as shown:
        for part in verified(source, column=column, **options):
            for name, values in zip(FIELDS, file_lists(part.lists()), strict=True):
                if name in columns:
                    columns[name] += values
            done += len(part)
            if shown is not None:
                shown(done, number)
    known = types()
    return tables.with_columns(source, {names[name]: known[name] for name in add}, list(columns.values()))


@checked
def to_table(records: Iterable[VerdictRecord], kind: Kind = "pandas") -> Any:
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
    rows = list(records)
    columns = file_lists([list(values) for values in zip(*rows, strict=True)] or [[] for _ in FIELDS])
    return tables.frame(kind, types(), columns)


def _as_table(table: Any, column: str | None) -> tuple[Any, str | None]:
    """A table of pandas, Polars or Arrow, and the column of puzzles. Raises ``InputError``."""
    kind, names = tables.kind_of(table), {one.__name__ for one in type(table).__mro__}
    if kind is not None and "Series" in names:
        column = column or str(table.name or PUZZLE_COLUMNS[0])
        return table.to_frame(column), column
    if kind is not None and names & {"DataFrame", "Table", "RecordBatch"}:
        return table, column
    if hasattr(table, "__arrow_c_stream__") and (kind is None or "RecordBatchReader" in names):
        return tables.from_stream(table), column
    raise InputError(
        f"a value of type {type(table).__name__}: {table!r:.200}; expected a table in memory: a DataFrame of pandas or "
        "Polars, a table of Arrow, or an object with __arrow_c_stream__ (other puzzles go to verify_many)"
    )
