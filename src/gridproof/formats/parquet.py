"""Puzzles in a Parquet file, row after row, each with all columns of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from gridproof.errors import InputError
from gridproof.formats.known.jsonl import puzzle_key, read_text
from gridproof.formats.places import Place
from gridproof.formats.puzzle import Item, Puzzle
from gridproof.formats.shapes import Shapes, finish_puzzle
from gridproof.formats.tables import no_such_column
from gridproof.runs.frames import arrow

MAGIC = b"PAR1"
"""The first bytes of a Parquet file."""

BATCH = 10_000
"""Rows that are read at once."""


def is_parquet(path: Path) -> bool:
    """Return whether a path is that of a Parquet file."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:  # whoever reads it states why it cannot be read
        return False


def open_parquet(path: str | Path) -> Any:
    """Return the Parquet file at a path, as pyarrow has it. Raises ``InputError`` for a file that is damaged."""
    try:
        return arrow("pyarrow.parquet").ParquetFile(path)
    except (OSError, ValueError) as problem:  # pyarrow's ArrowInvalid is a ValueError
        raise InputError(f"{path}: {problem}; expected a Parquet file") from None


def rows_of(file: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file, each with all columns."""
    for batch in file.iter_batches(batch_size=BATCH):
        yield from batch.to_pylist()


def read_parquet(path: Path, shapes: Shapes) -> Iterator[Item]:
    """Yield the puzzle of each row, or the error in its place; rows count as lines.

    Raises ``InputError`` for a file that is damaged or has no column of puzzles.
    """
    file = open_parquet(path)
    names = list(file.schema_arrow.names)
    if puzzle_key(dict.fromkeys(names, ""), shapes.column) is None:
        raise no_such_column(shapes.column, names, str(path))
    for number, row in enumerate(rows_of(file), 1):
        item = read_text(row, "", shapes.at(Place(str(path), number)))
        if isinstance(item, Puzzle):
            item = finish_puzzle(replace(item, line=number), shapes.at(Place(str(path), number)))
        yield item
