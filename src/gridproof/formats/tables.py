"""CSV files of puzzles: the columns are named in the first line, the others are kept as they are.

Records are split by the ``csv`` module. A quoted field may hold line ends; a quote that is never closed
damages its own record only, not all that follow.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

from gridproof.errors import InputError, PuzzleFormatError
from gridproof.formats.lines import LONGEST_LINE, easy_puzzle, refuse_long_line
from gridproof.formats.places import START, Place, Record
from gridproof.formats.puzzle import Item, Puzzle, Table, Unread, make_readable
from gridproof.formats.shapes import Shapes
from gridproof.formats.symbols import decode_characters, describe_symbols
from gridproof.puzzle.digits import LARGEST_ORDER_IN_CHARACTERS
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.text import counted, quote

PUZZLE_COLUMNS = ("puzzle", "question", "quizzes", "quiz", "puzzles", "questions")
"""Names (in any case) of the column that holds the puzzles; the first that there is counts."""

SOLUTION_COLUMNS = ("solution", "answer", "solutions", "answers")
"""Names (in any case) of the column that may hold their solutions."""

RULE_COLUMNS = ("rules", "rule", "constraints", "visual_elements")
"""Names (in any case) of columns that hold rules in words or as drawings: what stands there is not read."""

_STATES_NOTHING = frozenset(("", "[]", "{}", "null", "none", "nan"))
"""The texts of a field, in lower case, that state no rule."""

_LONGEST_HEADER = 10_000
"""Characters of a first line that may name columns."""

_MOST_LINES_OF_A_RECORD = 256

FieldReader: TypeAlias = Callable[[str, Shapes], Item]
"""Reads the text of one puzzle; the shapes state where it stands."""

# ---- columns ---------------------------------------------------------------------------------------------------------


def table_of(first_line: str, column: str | None = None) -> Table | None:
    """Return the table whose header this line is; ``None`` if it names no column of puzzles, or not ``column``."""
    folded = first_line.casefold()
    if len(first_line) > _LONGEST_HEADER or not any(name in folded for name in _wanted_columns(column)):
        return None
    for delimiter in ",;\t":
        with suppress(csv.Error):
            for header in csv.reader([first_line], delimiter=delimiter):
                columns = choose_columns(header, column)
                if columns is not None:
                    puzzle, solution = columns
                    return Table(tuple(header), delimiter, puzzle, solution, rules_among(header, columns))
    return None


def choose_columns(header: Sequence[str], column: str | None = None) -> tuple[int, int | None] | None:
    """Return the place of the column of puzzles among these names, and that of their solutions if there is one.

    column: the name of the one that holds the puzzles, if it is none of the usual.
    """
    puzzle = _find_column(header, _wanted_columns(column))
    if puzzle is None:
        return None
    solution = _find_column(header, SOLUTION_COLUMNS)
    return puzzle, None if solution == puzzle else solution


def _wanted_columns(column: str | None) -> tuple[str, ...]:
    """Return the names that the column of puzzles may have, in lower case."""
    if column is None:
        return PUZZLE_COLUMNS
    return (column.strip().casefold(),)


def _find_column(header: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Return the place of the first of the wanted names that there is."""
    folded = [name.strip().casefold() for name in header]
    for name in wanted:
        if name in folded:
            return folded.index(name)
    return None


def rules_among(header: Sequence[str], taken: Collection[int | None]) -> tuple[int, ...]:
    """Return the places of the columns that hold rules, among these names. taken: the places of other columns."""
    places = []
    for place, name in enumerate(header):
        if name.strip().casefold() in RULE_COLUMNS and place not in taken:
            places.append(place)
    return tuple(places)


def unread_rules(fields: Iterable[tuple[str, str]]) -> tuple[Unread, ...]:
    """Return the parts of a puzzle that stand in columns of rules. fields: the name and the text of each.

    Nobody reads them, so they may also allow more than the board without them: other digits, or fewer houses.
    """
    parts = []
    for name, text in fields:
        if text.strip().casefold() not in _STATES_NOTHING:
            parts.append(Unread(make_readable(name.strip()), make_readable(quote(text)), relaxes=True))
    return tuple(parts)


def no_such_column(column: str | None, header: Sequence[str], source: str) -> InputError:
    """Return the error for a table without the column of puzzles."""
    if column is not None:
        wanted = f"the column {column!r}"
    else:
        wanted = f"a column {' or '.join(PUZZLE_COLUMNS)}"
    columns = ", ".join([repr(name) for name in header[:20]])
    return InputError(
        f"{source} has the columns {columns}; expected {wanted} (column=NAME, on the command line --column NAME)"
    )


# ---- records ---------------------------------------------------------------------------------------------------------


class RecordReader:
    """A reader that takes the lines behind a header and returns the puzzle, or the error, of each record.

    shapes: the options. read_field: reads the text of a puzzle.
    """

    ended = False

    def __init__(self, table: Table, shapes: Shapes, read_field: FieldReader) -> None:
        self._table = table
        self._shapes = shapes
        self._read_field = read_field
        names = [name.strip().casefold() for name in table.header]
        self._columns = {name: place for place, name in enumerate(names)}
        self._lines: list[tuple[int, str]] = []  # of a record whose quote is open, with their numbers

    @property
    def open(self) -> bool:
        """True while a record waits for the line that closes its quote."""
        return bool(self._lines)

    def take(self, number: int, text: str) -> Sequence[Item]:
        """Return the puzzles, and the errors, of the records that the line completes."""
        if not self._lines:
            if not text.strip() or text.lstrip().startswith("#"):
                return ()
            if '"' not in text:
                return (self._read_record(text, number),)
        elif len(self._table.header) > 1 and self._is_whole(text, number):
            return list(self.close()) + list(self.take(number, text))
        self._lines.append((number, text))
        return self._end_record()

    def _end_record(self) -> Sequence[Item]:
        """Return the record of the lines that wait, if no quote is open at their end."""
        lines = self._lines
        text = "\n".join([line for _, line in lines])
        if not self._is_closed(text):
            if len(lines) <= _MOST_LINES_OF_A_RECORD:
                return ()
            return list(self.close())
        item = self._read_record(text, lines[0][0])
        if isinstance(item, PuzzleFormatError):
            for number, line in lines[1:]:
                if self._is_whole(line, number):  # then the quote before it is the damage
                    return list(self.close())
        self._lines = []
        return (item,)

    def close(self) -> Iterator[Item]:
        """Yield an error for the line whose quote is never closed, and the records that the lines behind it are."""
        lines = self._lines
        self._lines = []
        for number, text in lines:
            if not self._is_closed(text):
                place = self._place(Record(self._table, (text,), text, number))
                yield place.error(
                    "a quote that is not closed", text, 'a record with pairs of "', number, text.index('"') + 1
                )
            elif text.strip():
                yield self._read_record(text, number)

    def _is_whole(self, text: str, number: int) -> bool:
        """Return whether a line behind an open quote is a whole record itself, so that the quote is the damage."""
        item = self._read_record(text, number)
        return isinstance(item, Puzzle) and len(item.row) == len(self._table.header)

    def _is_closed(self, text: str) -> bool:
        """Return whether no quote is open at the end: a further line is then a record of its own."""
        if '"' not in text or len(text) > LONGEST_LINE:
            return True
        try:
            records = csv.reader(io.StringIO(f"{text}\nx", newline="\n"), delimiter=self._table.delimiter)
            return len(list(records)) > 1
        except csv.Error:  # of a field that is too long, or that nobody can write; the record is the error
            return True

    def _place(self, record: Record) -> Place:
        return Place(self._shapes.place.source, record.line, record=record)

    def _read_record(self, text: str, number: int) -> Item:
        record = Record(self._table, (), text, number)
        if len(text) > LONGEST_LINE:
            return refuse_long_line(number, text, self._place(record))
        try:
            rows = list(csv.reader(io.StringIO(text, newline="\n"), delimiter=self._table.delimiter))
            if rows:
                record = record._replace(row=tuple(rows[0]))
        except csv.Error as problem:
            return self._place(record).error(f"no CSV record ({problem})", text, "a CSV record")
        return self._damage(record) or self._read_puzzle(record)

    def _damage(self, record: Record) -> PuzzleFormatError | None:
        """Return the error for a record in which the puzzle cannot even be looked for."""
        text = record.text
        place = self._place(record)
        if not text.isascii() and make_readable(text) != text:
            for bad, character in enumerate(text):
                if "\ud800" <= character <= "\udfff":
                    line = record.line + text.count("\n", 0, bad)
                    return place.error("not UTF-8", character, "UTF-8 text", line, bad - text.rfind("\n", 0, bad))
        table = self._table
        if len(record.row) <= table.puzzle:
            problem = f"a record of {counted(len(record.row), 'field')}"
            expected = f"{counted(len(table.header), 'field')} ({make_readable(table.delimiter.join(table.header))})"
            return place.error(problem, text, expected, column=len(text) + 1)
        field = record.row[table.puzzle]
        if '"' in field and "[" not in field:
            # elsewhere quotes may part cells, as in a pasted list; in a field they are a sign of damage
            inside = self._place_of_field(record, table.puzzle)
            return inside.error("a quote within a puzzle", '"', "cells", column=field.index('"') + 1)
        return None

    def _read_puzzle(self, record: Record) -> Item:
        table, row = self._table, record.row
        field = row[table.puzzle]
        item: Item | None = easy_puzzle(field, record.line, self._shapes)
        if item is None:
            item = self._read_field(field, self._shapes.at(self._place_of_field(record, table.puzzle)))
        if isinstance(item, PuzzleFormatError):
            return item
        solution = item.solution
        if table.solution is not None and len(row) > table.solution and row[table.solution].strip():
            answer = self._read_answer(record, table.solution, item)
            if isinstance(answer, PuzzleFormatError):
                return answer
            solution = answer
        unread = item.unread
        if table.rules:
            unread += unread_rules([(table.header[place], row[place]) for place in table.rules if place < len(row)])
        item = replace(
            item,
            title=item.title or self._person("title", row),
            author=item.author or self._person("author", row),
            solution=solution,
            unread=unread,
            format="csv" if item.format == "text" else item.format,
            text=field,
            line=record.line,
            row=row,
            table=table,
        )
        if item.not_understood and not self._shapes.despite_unread:
            return self._place(record).not_understood(item)
        return item

    def _person(self, column: str, row: tuple[str, ...]) -> str:
        """Return what a record has in a column of this name; empty if there is none."""
        place = self._columns.get(column, len(row))
        return row[place] if place < len(row) else ""

    def _read_answer(self, record: Record, column: int, puzzle: Puzzle) -> SymbolTuple | PuzzleFormatError:
        field = record.row[column]
        full = _decode_answer(field, puzzle)
        if full is not None:
            return full
        place = self._place_of_field(record, column)
        inside = self._shapes.at(place)

        def read_field(text: str) -> Item:
            return self._read_field(text, inside)

        return read_answer(field, puzzle, read_field, place)

    def _place_of_field(self, record: Record, column: int) -> Place:
        """Return where a field of a record begins."""
        before = sum([len(field) + 1 for field in record.row[:column]])
        start = max(record.text.find(record.row[column], before), before)
        line_start = record.text.rfind("\n", 0, start) + 1
        line = record.line + record.text.count("\n", 0, start)
        return Place(self._shapes.place.source, line, start - line_start + 1, record)


# ---- answers ---------------------------------------------------------------------------------------------------------


def read_answer(
    field: str, puzzle: Puzzle, read_field: Callable[[str], Item], place: Place = START
) -> SymbolTuple | PuzzleFormatError:
    """Return the grid that is given as the solution of a puzzle, or the error in its place.

    What is filled in belongs to an answer. A cell may be blank (0): then the answer is no solution, which the verdict
    states.
    """
    full = _decode_answer(field, puzzle)
    if full is not None:
        return full
    item = read_field(field)
    if isinstance(item, PuzzleFormatError):
        return item
    board = item.with_filled_as_clues().board
    geometry = puzzle.board.geometry
    if board.geometry.order != geometry.order or item.symbols != puzzle.symbols:
        expected = f"all {geometry.cell_count} cells ({describe_symbols(geometry.order, puzzle.symbols)}), or nothing"
        return place.error(f"a solution of {counted(board.clue_count, 'cell')}", field, expected)
    return board.clues


def _decode_answer(field: str, puzzle: Puzzle) -> SymbolTuple | None:
    """Return the grid of an answer of one character for each cell, ``None`` for any other: nearly all are such."""
    geometry = puzzle.board.geometry
    if len(field) != geometry.cell_count or geometry.order > LARGEST_ORDER_IN_CHARACTERS:
        return None
    full = decode_characters(field, geometry.order, puzzle.symbols)
    return None if full is None or 0 in full else full
