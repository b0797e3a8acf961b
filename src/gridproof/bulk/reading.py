"""Any input to numbered chunks of rows, in constant memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from gridproof import formats
from gridproof.bulk.chunks import Chunk, Damaged, cut, ordered
from gridproof.bulk.csv_files import CsvReader, header_of, no_such_column
from gridproof.bulk.in_memory import chunks_of
from gridproof.bulk.lines import Blocks, LineReader, row_of
from gridproof.bulk.parquet_files import ParquetReader
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.formats import Shape, Zero
from gridproof.formats.catalog import LONGEST_TEXT, opened
from gridproof.formats.sources import BLOCK, STANDARD_INPUT, UTF_16, Source, exists, normalised
from gridproof.formats.toml_puzzle import begins_file
from gridproof.puzzle.board import Board

_MORE = 200
"""Bytes behind the first line that are looked at: of some formats it is a lone bracket."""

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
            data = normalised(source.encode("utf-8", "surrogateescape")) + b"\n"
            blocks = Blocks(iter([data]))
            self._pieces = _from_blocks(blocks.take(), blocks, "the text", shape, column, zero)
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
        blocks = Blocks(source.blocks())
        first = blocks.take()
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
    first: bytes, blocks: Blocks, name: str, shape: Shape, column: str | None, zero: Zero | None
) -> Iterator[Chunk]:
    """The rows of lines or of CSV, or the one of a puzzle file."""
    line, start, end = _first_content(first)
    header = first[start:end].decode("utf-8", "surrogateescape")
    table = header_of(header, column)
    if column is None and (begins_file(header.strip()) or _is_read_as_one(first[: end + _MORE])):
        whole = b"".join(islice(_again(first, blocks), LONGEST_TEXT // BLOCK + 1))
        items = [(item.line or 1, item) for item in formats.read(whole, shape, zero)]
        nothing = np.zeros(0, np.int64)
        rows = [(number, line, row_of(item, line, b"")) for number, (line, item) in enumerate(items)]
        yield ordered(None, nothing, nothing, rows)
    elif table is not None:
        yield from CsvReader(Blocks(_again(first[end + 1 :], blocks)), table, shape, line + 1, zero)
    elif column is not None:
        raise no_such_column(column, header.split(",")[:20], name)
    else:
        yield from LineReader(_again(first, blocks), shape, zero)


def _is_read_as_one(beginning: bytes) -> bool:
    lines = beginning.decode("utf-8", "surrogateescape").split("\n")
    return opened(iter(list(enumerate(lines, 1))))[0] is not None


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
