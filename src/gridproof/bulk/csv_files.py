"""CSV to chunks: records whose fields can be found by counting delimiters are decoded by NumPy, all others, by
``gridproof.formats``; which they are depends on quotes, odd characters and the number of fields.

A quote that is left open may take up to 256 lines into its record, so these follow it to the slow reader.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gridproof import formats
from gridproof.bulk.chunks import Bytes, Chunk, Damaged, Group, Single, ordered
from gridproof.bulk.lines import Blocks, EasyOrders, Feed, row_of, texts_at
from gridproof.errors import InputError
from gridproof.formats import Zero
from gridproof.formats.notation import Shape, Shapes
from gridproof.formats.tables import PUZZLE_COLUMNS, SOLUTION_COLUMNS, Table, table_of
from gridproof.lanes.decode import decode_rows

_QUOTE, _NEWLINE = ord('"'), ord("\n")
_LONGEST_EASY_LINE = 100_000
_MOST_LINES_OF_A_RECORD = 256
_PROBE = 200


def header_of(first_line: str, column: str | None) -> Table | None:
    """The table of a CSV file from its first line; ``None`` if it names no column of puzzles, nor ``column``."""
    if column is None:
        return table_of(first_line)
    for delimiter in ",;\t":
        try:
            header = next(csv.reader([first_line], delimiter=delimiter), [])
        except csv.Error:
            continue
        found = choose_columns(header, column)
        if found is not None:
            return Table(tuple(header), delimiter, *found)
    return None


def choose_columns(names: Sequence[str], column: str | None) -> tuple[int, int | None] | None:
    """Which of the columns with these names holds the puzzles, and which, if any, their solutions."""
    folded = [name.strip().casefold() for name in names]
    wanted = PUZZLE_COLUMNS if column is None else (column.strip().casefold(),)
    puzzle = next((folded.index(name) for name in wanted if name in folded), None)
    if puzzle is None:
        return None
    solution = next((folded.index(name) for name in SOLUTION_COLUMNS if name in folded), None)
    return puzzle, solution if solution != puzzle else None


def no_such_column(column: str | None, names: Sequence[str], source: str) -> InputError:
    """The error for a table without the column of puzzles."""
    wanted = f"the column {column!r}" if column is not None else f"a column {' or '.join(PUZZLE_COLUMNS[:3])}"
    shown = ", ".join(repr(name) for name in names[:20])
    return InputError(f"{source} has the columns {shown}; expected {wanted} (say which: --column NAME, or column=)")


@dataclass(frozen=True, slots=True)
class _Records:
    """Lines of a block. fields: (columns, 2, easy lines) where each field begins and ends; easy: these lines."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    easy: NDArray[np.int64]
    fields: NDArray[np.int64]
    open_quotes: NDArray[np.int64]


class CsvReader:
    """Reads blocks of whole lines that follow the header ``first_line``, which is line ``line - 1``."""

    def __init__(self, blocks: Blocks, table: Table, shape: Shape, line: int, zero: Zero | None = None) -> None:
        self._blocks = blocks
        self._table = table
        self._shape = shape
        self._zero = zero
        self._shapes = Shapes(shape, zero)
        self._easy = EasyOrders(self._shapes)
        self._line = line
        self._header = _header_for_text(table)

    def __iter__(self) -> Iterator[Chunk]:
        waiting = b""
        while waiting or self._blocks.more:
            data = waiting + self._blocks.take()
            chunk, waiting = self._read(data, final=not self._blocks.more)
            yield chunk

    def _read(self, data: bytes, final: bool) -> tuple[Chunk, bytes]:
        raw = np.frombuffer(data, np.uint8)
        records = self._records(raw)
        total = len(records.starts)
        stop = total
        if not final and len(records.open_quotes):
            # a record that may go on in the next block waits for it
            first_open = records.open_quotes[records.open_quotes > total - _MOST_LINES_OF_A_RECORD - 2]
            stop = int(first_open[0]) if len(first_open) else total
        group, rows = self._decode(raw, records, stop)
        fast = np.zeros(total, np.bool_)
        fast[rows] = True
        for line in records.open_quotes.tolist():
            fast[line : line + _MOST_LINES_OF_A_RECORD + 2] = False
        kept = fast[rows]
        if group is not None and not kept.all():
            answers = None if group.answers is None else group.answers[kept]
            group, rows = Group(group.geometry, rows[kept], group.texts[kept], answers), rows[kept]
        others = self._read_slowly(data, records, np.flatnonzero(~fast[:stop]))
        chunk = ordered(group, rows * 2, rows + self._line, others)
        self._line += stop
        return chunk, data[int(records.starts[stop]) :] if stop < total else b""

    def _records(self, raw: Bytes) -> _Records:
        columns = len(self._table.header)
        ends = np.flatnonzero(raw == _NEWLINE)
        starts = np.concatenate([[0], ends[:-1] + 1]).astype(np.int64)
        marks = np.flatnonzero(raw == ord(self._table.delimiter))
        first = np.searchsorted(marks, starts)
        counts = np.searchsorted(marks, ends) - first
        regular = (counts == columns - 1) & (ends - starts < _LONGEST_EASY_LINE) & (raw[starts] > ord(" "))
        regular &= raw[starts] != ord("#")
        if raw.max(initial=0) >= 128 or not raw.min(initial=1):
            regular[np.searchsorted(ends, np.flatnonzero((raw >= 128) | (raw == 0)))] = False
        quotes = np.flatnonzero(raw == _QUOTE)
        number_of_quotes = np.bincount(np.searchsorted(ends, quotes), minlength=len(ends)) if len(quotes) else None
        open_quotes = np.flatnonzero(number_of_quotes % 2) if number_of_quotes is not None else ends[:0]
        easy = np.flatnonzero(regular)
        fields = np.empty((columns, 2, len(easy)), np.int64)
        first = first[easy]
        for column in range(columns):
            fields[column, 0] = starts[easy] if column == 0 else marks[first + column - 1] + 1
            fields[column, 1] = ends[easy] if column == columns - 1 else marks[first + column]
        if number_of_quotes is not None:
            easy, fields = _unquoted(raw, easy, fields, number_of_quotes)
        return _Records(starts, ends, easy, fields, open_quotes)

    def _decode(self, raw: Bytes, records: _Records, stop: int) -> tuple[Group | None, NDArray[np.int64]]:
        """The records that are easy in every respect, as a group whose places are their lines."""
        number = int(np.searchsorted(records.easy, stop))
        starts, ends = records.fields[self._table.puzzle, :, :number]
        order = self._easy.most_common((ends - starts)[:_PROBE].tolist()) or self._easy.most_common(
            (ends - starts).tolist()
        )
        if order is None:
            return None, records.easy[:0]
        cells = order * order
        found = decode_rows(raw, starts, ends, order, zeros_are_blanks=self._easy.zeros_are_blanks)
        good = found.good
        answers: Bytes | None = None
        if self._table.solution is not None:
            answer_starts, answer_ends = records.fields[self._table.solution, :, :number]
            answers = np.zeros((number, cells), np.uint8)
            given = decode_rows(raw, answer_starts, answer_ends, order)
            full = given.clues.all(axis=1)
            answers[given.good[full]] = given.clues[full]
            fine = answer_starts == answer_ends  # none is given
            fine[given.good[full]] = True
            good = good[fine[good]]
            answers = answers[good]
        if not len(good):
            return None, records.easy[:0]
        rows = records.easy[:number][good]
        texts = texts_at(raw, starts[good], cells)
        return Group(self._shapes.geometry(order), rows, texts, answers), rows

    def _read_slowly(
        self, data: bytes, records: _Records, slow: NDArray[np.int64]
    ) -> list[tuple[int, int, Single | Damaged]]:
        if not len(slow):
            return []
        numbers = slow.tolist()
        starts, ends = records.starts[slow].tolist(), records.ends[slow].tolist()
        lines = [data[start:end] for start, end in zip(starts, ends, strict=True)]
        found: list[tuple[int, int, Single | Damaged]] = []
        key = -1
        for item in formats.read(Feed([self._header, *lines]), self._shape, self._zero):
            place = max((item.line or 2) - 2, 0)
            key = max(key, 2 * numbers[place])
            line = numbers[place] + self._line
            found.append((key, line, row_of(item, line, lines[place])))
        return found


def _unquoted(
    raw: Bytes, easy: NDArray[np.int64], fields: NDArray[np.int64], number_of_quotes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Fields without the quotes around them; records with quotes anywhere else are not easy."""
    accounted = np.zeros(len(easy), np.int64)
    for start, end in fields:
        longer = end - start >= 2
        quoted = longer & (raw[start] == _QUOTE) & (raw[np.maximum(end - 1, 0)] == _QUOTE)
        accounted += 2 * quoted
        start += quoted
        end -= quoted
    clean = accounted == number_of_quotes[easy]
    return easy[clean], fields[:, :, clean]


def _header_for_text(table: Table) -> bytes:
    """A header from which ``gridproof.formats`` takes the same column: the true one, unless the user chose another."""
    found = table_of(_record(table.header, table.delimiter))
    if found == table:
        return _record(table.header, table.delimiter).encode("utf-8", "surrogateescape")
    taken = PUZZLE_COLUMNS + SOLUTION_COLUMNS
    names = [f"{name}_" if name.strip().casefold() in taken else name for name in table.header]
    names[table.puzzle] = PUZZLE_COLUMNS[0]
    if table.solution is not None:
        names[table.solution] = SOLUTION_COLUMNS[0]
    return _record(names, table.delimiter).encode("utf-8", "surrogateescape")


def _record(names: Sequence[str], delimiter: str) -> str:
    line = io.StringIO()
    csv.writer(line, delimiter=delimiter, lineterminator="").writerow(names)
    return line.getvalue()
