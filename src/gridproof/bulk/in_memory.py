"""Puzzles in memory to chunks: tables, arrays, and whatever gives one puzzle after the other.

Tables of pandas, Polars and Arrow are told by what they have, so that none of these needs to be installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from gridproof.bulk.chunks import Chunk
from gridproof.bulk.csv_files import choose_columns, no_such_column
from gridproof.bulk.parquet_files import BATCH, ValueReader, read_batches
from gridproof.errors import InputError
from gridproof.formats.notation import Shape, Zero
from gridproof.puzzle.board import Board
from gridproof.runs.tables import arrow

_VALUES = 10_000


def chunks_of(source: Any, shape: Shape, column: str | None, zero: Zero | None = None) -> Iterator[Chunk]:
    """The rows of a table, an array or an iterable. Raises ``InputError`` if it is none, or lacks the column."""
    reader = ValueReader(shape, zero)
    names = _column_names(source)
    if names is not None:
        return _from_table(source, names, reader, column)
    if column is not None:
        raise InputError(f"the column {column!r} of puzzles that come one by one; expected it with a table only")
    if isinstance(source, Board):
        source = [source]
    if hasattr(source, "to_pylist"):  # a column of Arrow, where iteration gives objects of its own
        source = source.to_pylist()
    if len(getattr(source, "shape", ())) > 1 and hasattr(source, "__array__"):
        return _from_array(source if isinstance(source, np.ndarray) else np.asarray(source), reader)
    if not isinstance(source, Iterable):
        raise InputError(
            f"a value of type {type(source).__name__}: {source!r:.200}; expected a path, puzzles one after the other, "
            "a table with a column of puzzles, or an array of shape (n, cells) or (n, rows, columns)"
        )
    return _from_values(iter(source), None, reader)


def _is_arrow(source: object) -> bool:
    return type(source).__module__.partition(".")[0] == "pyarrow"


def _column_names(source: Any) -> list[Any] | None:
    """The names of the columns of a table; ``None`` if it is none."""
    if _is_arrow(source):  # a table, a batch, or a reader of batches
        is_table = hasattr(source, "schema") and (hasattr(source, "column_names") or isinstance(source, Iterable))
        return list(source.schema.names) if is_table else None
    names = source.keys() if isinstance(source, Mapping) else getattr(source, "columns", None)
    return list(names) if isinstance(names, Iterable) else None


def _from_table(source: Any, names: Sequence[Any], reader: ValueReader, column: str | None) -> Iterator[Chunk]:
    name = f"the {type(source).__name__}"
    shown = [str(one) for one in names]
    found = choose_columns(shown, column)
    if found is None:
        raise no_such_column(column, shown, name)
    chosen = [names[index] for index in found if index is not None]
    if twice := [one for one in chosen if names.count(one) > 1]:
        raise InputError(f"{name} has the column {twice[0]!r} more than once; expected it once")
    if _is_arrow(source):
        if isinstance(source, arrow().RecordBatch):
            source = arrow().Table.from_batches([source])
        batches = source.to_batches(max_chunksize=BATCH) if isinstance(source, arrow().Table) else source
        return read_batches(batches, chosen, reader)
    try:
        columns = [source[one] for one in chosen]
        lengths = {len(values) for values in columns}
    except TypeError:
        raise InputError(f"{name} does not give its column {chosen[0]!r}; expected a table in memory") from None
    if len(lengths) > 1:
        raise InputError(f"{name} has columns of {' and '.join(map(str, lengths))} values; expected equal numbers")
    return _from_values(iter(columns[0]), iter(columns[1]) if len(columns) > 1 else None, reader)


def _from_values(puzzles: Iterator[Any], answers: Iterator[Any] | None, reader: ValueReader) -> Iterator[Chunk]:
    while batch := list(islice(puzzles, _VALUES)):
        yield reader.read_values(batch, None if answers is None else list(islice(answers, len(batch))))


def _from_array(array: Any, reader: ValueReader) -> Iterator[Chunk]:
    """The rows of an array of shape (n, cells) or (n, rows, columns)."""
    flat = array.reshape(-1, array.shape[1] ** 2) if array.ndim == 3 and array.shape[1] == array.shape[2] else array
    order = reader.order_of(flat.shape[1]) if flat.ndim == 2 and flat.dtype.kind in "iuf" else None
    for start in range(0, len(array), BATCH):
        part = slice(start, start + BATCH)
        yield reader.read_values(list(array[part])) if order is None else reader.read_cells(flat[part], order)
