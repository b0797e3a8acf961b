"""Any input to numbered chunks of rows, in constant memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from gridproof import formats
from gridproof.bulk.chunks import Chunk, Damaged, cut, ordered, row_of
from gridproof.bulk.columns import ParquetReader, chunks_of
from gridproof.bulk.text import csv_to_chunks, lines_to_chunks
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.formats import Shape, Zero
from gridproof.formats.notation import Shapes
from gridproof.formats.sources import BLOCK, STANDARD_INPUT, UTF_16, Source, exists, normalised
from gridproof.formats.tables import no_such_column, table_of
from gridproof.formats.toml_puzzle import LONGEST_FILE, begins_file
from gridproof.puzzle.board import Board

Input: TypeAlias = "str | bytes | Path | Board | Iterable[Any]"
"""A path (``-`` for standard input) or the text itself; or puzzles in memory: whatever gives one after the other, a
table with a column of them, or an array.
"""


class Rows:
    """The rows of an input. Use it as a context manager and iterate over it once.

    shape: the geometry of the puzzles, or what gives one for an order. column: the name of the column of puzzles in a
    table, if it is none of the usual ones. zero: as in ``formats.read``. Raises ``InputError`` and ``OSError``.
    """

    def __init__(self, source: Input, shape: Shape, column: str | None = None, zero: Zero | None = None) -> None:
        if isinstance(source, bytes):
            in_utf_16 = source.startswith(UTF_16)
            source = source.decode("utf-16", "replace") if in_utf_16 else source.decode("utf-8", "surrogateescape")
        self._source: Source | None = None
        self.expected: int | None = None
        """How many rows there will be, where that is known."""
        if not isinstance(source, (str, Path)):
            self._pieces = chunks_of(source, shape, column, zero)
        elif isinstance(source, str) and _is_text(source, shape, column, zero):
            data = normalised(source.removeprefix("\ufeff").encode("utf-8", "surrogateescape")) + b"\n"
            self._pieces = _from_blocks(data, iter(()), "the text", shape, column, zero)
        else:
            self._source = Source(source)
            self._pieces = self._from_file(self._source, shape, column, zero)

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
    def path(self) -> str:
        """The path of the file that is read; empty if it is none."""
        return self._source.name if self._source is not None and self._source.is_file else ""

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

    def _from_file(self, source: Source, shape: Shape, column: str | None, zero: Zero | None) -> Iterator[Chunk]:
        if source.is_parquet:
            if not source.is_reopenable:
                raise InputError(f"{source.name}: Parquet, which cannot be read as it comes; expected a file")
            reader = ParquetReader(source.name, shape, column, zero)
            self.expected = reader.rows
            yield from reader
            return
        blocks = source.blocks()
        first = next(blocks, b"")
        if source.damage is not None and not first:
            raise InputError(f"{source.name}: {source.damage}")
        yield from _from_blocks(first, blocks, source.name, shape, column, zero)
        if source.damage is not None:  # a row of its own, the last one: all before it are whole
            yield Chunk(np.zeros(1, np.int64), damaged=(Damaged(0, source.damage.text, str(source.damage)),))


def _is_text(source: str, shape: Shape, column: str | None, zero: Zero | None) -> bool:
    """Whether a text that could be a path is puzzles: it is no file, and has lines or is a puzzle throughout."""
    if source == STANDARD_INPUT or exists(source):
        return False
    if "\n" in source.strip():
        return True
    items = [] if column is not None else list(formats.read(source, shape, zero))
    return bool(items) and not any(isinstance(item, PuzzleFormatError) for item in items)


def _from_blocks(
    first: bytes, others: Iterator[bytes], name: str, shape: Shape, column: str | None, zero: Zero | None
) -> Iterator[Chunk]:
    """The rows of lines or of CSV, or the one of a puzzle file."""
    line, start, end = _first_content(first)
    header = first[start:end].decode("utf-8", "surrogateescape")
    table = table_of(header, column)
    if column is None and begins_file(header.strip()):
        whole = b"".join(islice(chain([first], others), LONGEST_FILE // BLOCK + 1))
        (item,) = formats.read(whole, shape, zero)
        yield ordered(None, np.zeros(0, np.int64), [(0, item.line or 1, row_of(item, ""))])
    elif table is not None:
        yield from csv_to_chunks(chain([first[end + 1 :]], others), table, Shapes(shape, zero), line + 1)
    elif column is not None:
        raise no_such_column(column, header.split(",")[:20], name)
    else:
        yield from lines_to_chunks(chain([first], others), Shapes(shape, zero))


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
