"""Any input to numbered chunks of rows, in constant memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TypeAlias

import numpy as np

from gridproof.board import Board
from gridproof.bulk.chunks import Chunk, Damaged, cut
from gridproof.bulk.csv_files import CsvReader, header_of, no_such_column
from gridproof.bulk.lines import Blocks, LineReader
from gridproof.bulk.parquet_files import ParquetReader, ValueReader
from gridproof.errors import InputError
from gridproof.sources import Source
from gridproof.text import Shape, Zero

Input: TypeAlias = "str | Path | Iterable[str | Board]"
"""A path (``-`` for standard input), or puzzles: texts in any notation, and boards."""

_VALUES = 10_000


class Rows:
    """The rows of an input. Use it as a context manager and iterate over it once.

    shape: the geometry of the puzzles, or what gives one for an order. column: the name of the column of puzzles in a
    CSV or Parquet file, if it is none of the usual ones. zero: as in ``text.read``. Raises ``InputError`` and
    ``OSError``.
    """

    def __init__(self, source: Input, shape: Shape, column: str | None = None, zero: Zero | None = None) -> None:
        self._zero = zero
        self._source = Source(source) if isinstance(source, (str, Path)) else None
        self._pieces = self._find(source, shape, column)
        self.expected: int | None = None
        """How many rows there will be, where that is known."""

    def _find(self, source: Input, shape: Shape, column: str | None) -> Iterator[Chunk]:
        if self._source is None:
            assert not isinstance(source, (str, Path))
            if column is not None:
                raise InputError(f"the column {column!r} of puzzles that come one by one; expected it with a file only")
            return _from_values(iter(source), shape, self._zero)
        return self._from_file(self._source, shape, column)

    def chunks(self, size: int) -> Iterator[Chunk]:
        """The rows in chunks of ``size``."""
        return cut(self._pieces, size)

    @property
    def name(self) -> str:
        """What the input is called in messages."""
        if self._source is None:
            return "the puzzles given"
        return repr(self._source.name) if self._source.is_file else "standard input"

    @property
    def share(self) -> float | None:
        """Which share of the input has been read; ``None`` if that cannot be known."""
        return self._source.share if self._source is not None else None

    @property
    def identity(self) -> list[str | int] | None:
        """What tells the file from others and from itself after a change; ``None`` for anything that is no file."""
        return self._source.identity if self._source is not None else None

    def close(self) -> None:
        """Close the file."""
        if self._source is not None:
            self._source.__exit__(None, None, None)

    def _from_file(self, source: Source, shape: Shape, column: str | None) -> Iterator[Chunk]:
        if source.is_parquet:
            if not source.is_file:
                raise InputError("Parquet on standard input, which cannot be read in one pass; expected a file")
            reader = ParquetReader(source.name, shape, column, self._zero)
            self.expected = reader.rows
            yield from reader
            return
        blocks = Blocks(source.blocks())
        first = blocks.take()
        line, start, end = _first_content(first)
        header = first[start:end].decode("utf-8", "surrogateescape")
        table = header_of(header, column)
        if table is not None:
            yield from CsvReader(Blocks(_again(first[end + 1 :], blocks)), table, shape, line + 1, self._zero)
        elif column is not None:
            raise no_such_column(column, header.split(",")[:20], source.name)
        else:
            yield from LineReader(_again(first, blocks), shape, self._zero)
        if source.damage is not None:  # a row of its own, the last one: all before it are whole
            yield Chunk(np.zeros(1, np.int64), damaged=(Damaged(0, "", str(source.damage)),))


def _again(first: bytes, blocks: Blocks) -> Iterator[bytes]:
    return chain([first] if first else [], iter(blocks.take, b""))


def _first_content(data: bytes) -> tuple[int, int, int]:
    """The first line that is neither blank nor a comment: its number, where it begins and where it ends."""
    number, start = 1, 0
    while start < len(data):
        end = data.index(b"\n", start)
        line = data[start:end].strip()
        if line and not line.startswith(b"#"):
            return number, start, end
        number, start = number + 1, end + 1
    return number, len(data), len(data)


def _from_values(values: Iterator[str | Board], shape: Shape, zero: Zero | None) -> Iterator[Chunk]:
    reader = ValueReader(shape, zero)
    while batch := list(islice(values, _VALUES)):
        yield reader.read_values(batch)
