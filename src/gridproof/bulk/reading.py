"""Any input to numbered chunks of rows, in constant memory.

Lines of text that can only be one thing are taken all at once; all others by the careful reader of
``gridproof.formats``, which alone finds what is wrong with a line. It takes line after line, and what it makes of one
may depend on its neighbours (rows of a board, a quote left open): then lines wait in it. While none does, an easy line
is a row by itself, and the careful reader need not see it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gridproof.bulk.chunks import Chunk, Group, Texts, cut_to_size, easy_rows, find_lines, make_chunk
from gridproof.bulk.columns import parquet_rows, read_chunks
from gridproof.bulk.json_lines import find_easy_json
from gridproof.errors import InputError
from gridproof.formats.blocks import BlockReader
from gridproof.formats.catalog import LONGEST_TEXT, choose_format
from gridproof.formats.puzzle import Item, Table, refuse_no_puzzle
from gridproof.formats.reading import read_one, read_source
from gridproof.formats.shapes import Shapes
from gridproof.formats.sources import BLOCK, STANDARD_INPUT, Source, exists, normalise_line_ends, utf_16_of
from gridproof.formats.tables import RecordReader, no_such_column, table_of
from gridproof.puzzle.board import Board

_QUOTE = ord('"')
_USUAL_LINE = 82
"""Bytes of a puzzle of 9x9 cells and its line end."""

_PACKED_TO = 3
"""The estimated ratio of the bytes of a file to those of its compressed form."""

_LONGEST_EASY_RECORD = 100_000

_CONTENT = re.compile(rb"^[^\S\n]*+[^\s#].*", re.MULTILINE)
"""The first line that is neither blank nor a comment."""

_MORE = 200
"""Bytes behind the first line that are looked at: of some formats it is a lone bracket."""

Input: TypeAlias = "str | bytes | Path | Board | Iterable[Any]"
"""A path (``-`` for standard input) or the text itself; or puzzles in memory: whatever gives one after the other, a
table with a column of them, or an array.
"""


class Rows:
    """The rows of an input, to iterate over once.

    shapes: the options for the reader. column: the name of the column of puzzles in a table, if it is none of the usual
    ones. Raises ``InputError`` and ``OSError``.

    name: of the input in messages. path: of the file that is read, empty if it is none. likely: the estimated number of
    puzzles, if it is a file of puzzles of 9x9 cells, else 0.
    """

    def __init__(self, source: Input, shapes: Shapes, column: str | None = None) -> None:
        if isinstance(source, bytes):
            encoding = utf_16_of(source)
            if encoding:
                source = source.decode(encoding, "replace")
            else:
                source = source.decode("utf-8", "surrogateescape")
        self._source: Source | None = None
        self.name = "the puzzles given"
        self.path = ""
        self.likely = 0
        if not isinstance(source, (str, Path)):
            self._pieces = read_chunks(source, shapes, column)
        elif isinstance(source, str) and source != STANDARD_INPUT and not exists(source):
            if "\n" not in source.strip():
                refuse_no_puzzle(source, list(read_source(source, shapes)))
            data = normalise_line_ends(source.removeprefix("\ufeff").encode("utf-8", "surrogateescape")) + b"\n"
            self._pieces = read_blocks(data, iter(()), "the text", shapes, column)
        else:
            self._source = file = Source(source)
            self.name = file.name
            if file.is_file:
                self.path = file.name
                self.name = repr(file.name)
            size = file.size
            if file.is_compressed:
                size *= _PACKED_TO
            self.likely = size // _USUAL_LINE
            self._pieces = read_file(file, shapes, column)

    def chunks(self, size: int) -> Iterator[Chunk]:
        """The rows in chunks of at most ``size``."""
        return cut_to_size(self._pieces, size)

    @property
    def share(self) -> float | None:
        """The share of the input that has been read; ``None`` if there is no way to find out."""
        if self._source is None:
            return None
        return self._source.share

    def close(self) -> None:
        """Close the file."""
        if self._source is not None:
            self._source.__exit__(None, None, None)


def read_file(source: Source, shapes: Shapes, column: str | None) -> Iterator[Chunk]:
    """Yield the rows of a file or a stream; where it is damaged, that is the last row."""
    if source.is_parquet:
        if not source.is_reopenable:
            raise InputError(f"{source.name}: Parquet cannot be read from a stream; expected a file")
        yield from parquet_rows(source.name, shapes, column)
        return
    blocks = source.blocks()
    first = next(blocks, b"")
    if source.damage is not None and not first:
        raise InputError(f"{source.name}: {source.damage}")
    if source.is_file:
        shapes = replace(shapes, folder=Path(source.name).parent)
    yield from read_blocks(first, blocks, source.name, shapes, column)
    if source.damage is not None:  # a row of its own, the last one: all before it are whole
        yield Chunk(np.zeros(1, np.int64), items=((0, source.damage),))


def read_blocks(first: bytes, rest: Iterator[bytes], name: str, shapes: Shapes, column: str | None) -> Iterator[Chunk]:
    """Yield the rows of lines or of CSV, or the one of a puzzle file."""
    start = end = len(first)
    content = _CONTENT.search(first)
    if content:
        start, end = content.span()
    header = first[start:end].decode("utf-8", "surrogateescape")
    table = table_of(header, column)
    if column is None and is_read_as_one(first[: end + _MORE]):
        whole = b"".join(islice(chain([first], rest), LONGEST_TEXT // BLOCK + 1))
        rows = [(place, item.line or 1, item) for place, item in enumerate(read_source(whole, shapes))]
        yield make_chunk(None, rows)
    elif table is not None:
        line = first.count(b"\n", 0, end) + 2
        records = RecordReader(table, shapes, partial(read_one, in_table=True))
        reader = _Reader(records, partial(find_easy_records, shapes, table), line)
        yield from reader.chunks(chain([first[end + 1 :]], rest))
    elif header.lstrip().startswith("{"):
        shapes = replace(shapes, column=column)
        yield from _Reader(BlockReader(shapes), partial(find_easy_json, shapes), 1).chunks(chain([first], rest))
    elif column is not None:
        raise no_such_column(column, header.split(",")[:20], name)
    else:
        yield from _Reader(BlockReader(shapes), partial(easy_rows, shapes), 1).chunks(chain([first], rest))


def is_read_as_one(beginning: bytes) -> bool:
    """Return whether a file that begins like this is one puzzle."""
    lines = beginning.decode("utf-8", "surrogateescape").split("\n")
    return choose_format(iter(list(enumerate(lines, 1))))[0] is not None


# ---- text -----------------------------------------------------------------------------------------------------------


class _Reader:
    """Reads block after block. easy: gives of the lines of a block those that are easy, by their indices."""

    def __init__(
        self, careful: BlockReader | RecordReader, easy: Callable[[Texts], Group | None], first_line: int
    ) -> None:
        self._careful = careful
        self._easy = easy
        self._line = first_line  # the number of the first line of the block

    def chunks(self, blocks: Iterable[bytes]) -> Iterator[Chunk]:
        """The rows of these blocks of whole lines (see ``Source.blocks``)."""
        for data in blocks:
            yield self._chunk(data)
            if self._careful.ended:
                break
        yield make_chunk(None, [(0, item.line or 1, item) for item in self._careful.close()])

    def _chunk(self, data: bytes) -> Chunk:
        lines = find_lines(data)
        total = len(lines.starts)
        group = self._easy(lines)
        fast = np.zeros(total, np.bool_)
        if group is not None:
            fast[group.places] = True
        read = self._look_closer(data, lines, fast)
        if group is not None:
            kept = fast[group.places]
            if not kept.all():
                group = group.only(kept)
        chunk = make_chunk(group, read, self._line)
        self._line += total
        return chunk

    def _look_closer(self, data: bytes, lines: Texts, fast: NDArray[np.bool_]) -> list[tuple[int, int, Item]]:
        """The rows of lines that are not fast, and of those behind them for which they wait.

        fast: which lines are rows by themselves; in the end only those that nothing waited for, before reading ended.
        """
        careful = self._careful
        items: list[tuple[int, int, Item]] = []
        total = len(fast)
        # an empty line means something only to a reader in which other lines wait
        slow = np.flatnonzero(~fast & (lines.ends > lines.starts))
        place = 0
        while True:
            if not careful.open:  # so that the next line is looked at that is not a row by itself
                following = int(np.searchsorted(slow, place))
                place = int(slow[following]) if following < len(slow) else total
            if place == total:
                return items
            fast[place] = False
            text = data[lines.starts[place] : lines.ends[place]].decode("utf-8", "surrogateescape")
            for item in careful.take(self._line + place, text):
                items.append((place, item.line or 1, item))
            place += 1
            if careful.ended:
                fast[place:] = False
                return items


def find_easy_records(shapes: Shapes, table: Table, lines: Texts) -> Group | None:
    """Return the records on one line that are easy, and whose fields can be found by counting delimiters."""
    if table.rules:  # which are listed as unread, record by record
        return None
    raw, starts, ends = lines
    columns = len(table.header)
    marks = np.flatnonzero(raw == ord(table.delimiter))
    first_mark = np.searchsorted(marks, starts)  # of each line, among all; if it has none, the next one behind it
    number_of_marks = np.searchsorted(marks, ends) - first_mark
    regular = number_of_marks == columns - 1
    regular &= (lines.lengths < _LONGEST_EASY_RECORD) & (raw[starts] > ord(" ")) & (raw[starts] != ord("#"))
    if raw.max(initial=0) >= 128 or not raw.min(initial=1):
        regular[lines_with(np.flatnonzero((raw >= 128) | (raw == 0)), ends)] = False
    places = np.flatnonzero(regular)
    fields = cut_at_marks(starts[places], ends[places], marks, first_mark[places], columns)
    quotes = np.flatnonzero(raw == _QUOTE)
    if len(quotes):
        number_of_quotes = np.bincount(lines_with(quotes, ends), minlength=len(ends))
        places, fields = drop_quotes(raw, places, fields, number_of_quotes)
    answers = None if table.solution is None else Texts(raw, *fields[table.solution])
    group = easy_rows(shapes, Texts(raw, *fields[table.puzzle]), answers)
    if group is None:
        return None
    return replace(group, places=places[group.places])


def lines_with(positions: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the line that each of some bytes is in. ends: of all lines."""
    return np.searchsorted(ends, positions)


def cut_at_marks(
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    marks: NDArray[np.int64],
    first_mark: NDArray[np.int64],
    columns: int,
) -> NDArray[np.int64]:
    """Return where the fields of records start and end: an array of columns x 2 x records.

    starts, ends: of the records. marks: where all delimiters are. first_mark: the index in ``marks`` of each record's
    first one; its others follow. For two columns::

        a b , c / d / e , f /       / is the end of a line; "d" has no delimiter, so that it is none of the records
        0 1 2 3 4 5 6 7 8 9 10

        starts     0 7    of "ab,c" and "e,f"
        ends       4 10
        marks      2 8
        first_mark 0 1
        fields     [[0 7] [2 8]]     the first column: "ab" from 0 to 2, "e" from 7 to 8
                   [[3 9] [4 10]]    the second: "c" from 3 to 4, "f" from 9 to 10
    """
    between = marks[first_mark + np.arange(columns - 1)[:, None]]  # a row for each column but the last: what ends it
    fields = np.empty((columns, 2, len(starts)), np.int64)
    fields[0, 0] = starts
    fields[1:, 0] = between + 1
    fields[:-1, 1] = between
    fields[-1, 1] = ends
    return fields


def drop_quotes(
    raw: NDArray[np.uint8], places: NDArray[np.int64], fields: NDArray[np.int64], number_of_quotes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return fields without the quotes around them; records with quotes anywhere else are not easy."""
    starts, ends = fields[:, 0], fields[:, 1]
    quoted = (ends - starts >= 2) & (raw[starts] == _QUOTE) & (raw[np.maximum(ends - 1, 0)] == _QUOTE)
    # "12" has the two quotes around it, "1""2" two more
    clean = 2 * quoted.sum(axis=0) == number_of_quotes[places]
    without = np.stack([starts + quoted, ends - quoted], axis=1)
    return places[clean], without[:, :, clean]
