"""Columns of the reader's own, such as names and sources, that go along with the results of a file.

The lanes see cells alone. So these columns are read a second time by the careful reader, part after part, while the
parts are given out: each row of a table is one row of the result, malformed or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from gridproof.bulk.chunks import Chunk
from gridproof.bulk.records import FIELDS, Columns, file_lists, types
from gridproof.bulk.results import csv_lists
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.formats.parquet import is_parquet, open_parquet, rows_of
from gridproof.formats.puzzle import Item
from gridproof.formats.reading import read_source
from gridproof.formats.shapes import Shapes
from gridproof.formats.sources import STANDARD_INPUT, exists
from gridproof.runs import tables
from gridproof.runs.frames import Types
from gridproof.text import suggest
from gridproof.trust.record import VerdictRecord

ALL = "all"
"""The word for all columns of the reader's own."""

WRITTEN = {*FIELDS, "input", "solutions", "differ", "evidence"}
"""The columns of a result, and the keys of its JSON lines."""

Record = Mapping[str, Any]


class KeptColumns:
    """The columns that are kept of a file.

    Parameters
    ----------
    source
        The path of the file: a table, or JSON lines.
    names
        The names of the columns; ``all`` alone for all that the result has no column of its own for.
    shapes
        The options for the reader.
    column
        The name of the column of puzzles, if it is none of the usual.

    Attributes
    ----------
    names : tuple of str
        The columns that are kept.

    Raises
    ------
    InputError
        If the input cannot be read twice or is no table, if it lacks such a column, or if the result has one of this
        name.
    """

    def __init__(self, source: str, names: Sequence[str], shapes: Shapes, column: str | None) -> None:
        if source == STANDARD_INPUT or not exists(source) or not Path(source).is_file():
            raise InputError(f"keep {', '.join(names)}: {source!r} is no file; expected a table in a file")
        records = read_records(Path(source), replace(shapes, column=column))
        first = next(records, {})
        self._records = chain([first], records)
        self._waiting: dict[int, list[Record]] = {}
        if list(names) == [ALL]:
            names = [name for name in first if name not in WRITTEN]
        for name in names:
            if name not in first:
                found = suggest(name, first) if first else "expected puzzles of a table"
                raise InputError(f"keep {name!r}: no such column; {found}")
            if name in WRITTEN:
                raise InputError(f"keep {name!r}: a column of this name is written; expected other columns")
        self.names = tuple(dict.fromkeys(names))

    @property
    def types(self) -> Types:
        """The columns of the result, and their types."""
        return {**dict.fromkeys(self.names, "string"), **types()}

    def take(self, chunk: Chunk, *, wanted: bool) -> None:
        """Read the records of the next chunk. wanted: whether they are kept until ``encode``."""
        records = list(islice(self._records, len(chunk)))
        if len(records) < len(chunk):
            raise InputError("the input has fewer rows than before; expected the same input")
        if wanted:
            self._waiting[chunk.index] = [self._kept_of(record) for record in records]

    def _kept_of(self, record: Record) -> Record:
        """Return what is kept of a record, so that nothing else stays in memory."""
        return {name: record.get(name) for name in self.names}

    def encode(self, index: int, columns: Columns, form: str) -> bytes:
        """Return the rows of a chunk as a piece of a result. index: of the chunk."""
        records = self._waiting.pop(index)
        lists = columns.lists()
        if form == "jsonl":
            lines = []
            for record, row in zip(records, zip(*lists, strict=True), strict=True):
                lines.append(VerdictRecord(*row).as_json(record) + "\n")
            return "".join(lines).encode()
        kept = []
        for name in self.names:
            kept.append([tables.as_text(record[name]) for record in records])
        if form == "csv":
            return b"".join(tables.encode_csv(self.types, kept + csv_lists(lists), safe=["puzzle"]))
        return tables.encode(form, self.types, kept + file_lists(lists))


def read_records(path: Path, shapes: Shapes) -> Iterator[Record]:
    """Yield the record of each row of a table, an empty one where it cannot be read."""
    if is_parquet(path):
        yield from rows_of(open_parquet(path))
        return
    yield from records_of(read_source(path, shapes))


def records_of(items: Iterable[Item]) -> Iterator[Record]:
    """Yield the record of each puzzle, or of the row in which its error is."""
    for item in items:
        if not isinstance(item, PuzzleFormatError):
            yield item.columns
        elif item.table is not None:
            yield dict(zip(item.table.header, item.row, strict=False))
        else:
            yield item.record or {}
