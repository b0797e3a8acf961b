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
from typing import Any

from gridproof.errors import InputError, NotUnderstoodError, PuzzleFormatError
from gridproof.formats.lines import LONGEST_LINE, too_long
from gridproof.formats.puzzle import Item, Puzzle, Table, Unread, keep_given, malformed, readable
from gridproof.formats.shapes import Shapes
from gridproof.formats.symbols import called, decode_characters
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, SymbolTuple
from gridproof.text import counted, quote

PUZZLE_COLUMNS = ("puzzle", "question", "quizzes", "quiz", "puzzles", "questions")
"""Names (in any case) of the column that holds the puzzles; the first that there is counts."""

SOLUTION_COLUMNS = ("solution", "answer", "solutions", "answers")
"""Names (in any case) of the column that may hold their solutions."""

RULE_COLUMNS = ("rules", "rule", "constraints", "visual_elements")
"""Names (in any case) of columns that hold rules in words or as drawings: what stands there is not read."""

_STATES_NOTHING = frozenset(("", "[]", "{}", "null", "none", "nan"))
"""The texts of a field, in lower case, that state no rule."""

_MOST_LINES_OF_A_RECORD = 256


def table_of(first_line: str, column: str | None = None) -> Table | None:
    """Return the table whose header this line is; ``None`` if it names no column of puzzles, or not ``column``."""
    for delimiter in ",;\t" if len(first_line) <= 10_000 else "":
        with suppress(csv.Error):
            header = next(csv.reader([first_line], delimiter=delimiter), [])
            if columns := choose_columns(header, column):
                return Table(tuple(header), delimiter, *columns, rules_among(header, columns))
    return None


def choose_columns(header: Sequence[str], column: str | None = None) -> tuple[int, int | None] | None:
    """Return the place of the column of puzzles among these names, and that of their solutions if there is one.

    column: the name of the one that holds the puzzles, if it is none of the usual.
    """
    folded = [name.strip().casefold() for name in header]
    wanted = PUZZLE_COLUMNS if column is None else (column.strip().casefold(),)
    puzzle = next((folded.index(name) for name in wanted if name in folded), None)
    if puzzle is None:
        return None
    solution = next((folded.index(name) for name in SOLUTION_COLUMNS if name in folded), None)
    return puzzle, solution if solution != puzzle else None


def rules_among(header: Sequence[str], taken: Collection[int | None]) -> tuple[int, ...]:
    """Return the places of the columns that hold rules, among these names. taken: the places of other columns."""
    places = enumerate(header)
    return tuple(place for place, name in places if name.strip().casefold() in RULE_COLUMNS and place not in taken)


def unread_rules(fields: Iterable[tuple[str, str]]) -> tuple[Unread, ...]:
    """Return the parts of a puzzle that stand in columns of rules. fields: the name and the text of each.

    Nobody reads them, so they may also allow more than the board without them: other digits, or fewer houses.
    """
    parts = []
    for name, text in fields:
        if text.strip().casefold() not in _STATES_NOTHING:
            parts.append(Unread(readable(name.strip()), readable(quote(text)), relaxes=True))
    return tuple(parts)


def no_such_column(column: str | None, header: Sequence[str], source: str) -> InputError:
    """Return the error for a table without the column of puzzles."""
    wanted = f"the column {column!r}" if column is not None else f"a column {' or '.join(PUZZLE_COLUMNS[:3])}"
    columns = ", ".join(repr(name) for name in header[:20])
    return InputError(
        f"{source} has the columns {columns}; expected {wanted} (column=NAME, on the command line --column NAME)"
    )


class Records:
    """A reader that takes the lines behind a header and returns the puzzle, or the error, of each record.

    read_field: reads the text of one puzzle, counting its lines from 1. shapes: the options that it reads with.
    """

    ended = False

    def __init__(self, table: Table, shapes: Shapes, read_field: Callable[[str], Item]) -> None:
        self._table = table
        self._shapes = shapes
        self._read_field = read_field
        self._names = [name.strip().casefold() for name in table.header]
        self._lines: list[tuple[int, str]] = []

    @property
    def open(self) -> bool:
        """True while a record waits for the line that closes its quote."""
        return bool(self._lines)

    def take(self, number: int, text: str) -> Sequence[Item]:
        """Return the puzzles, and the errors, of the records that the line completes."""
        if not self._lines and (not text.strip() or text.lstrip().startswith("#")):
            return ()
        if not self._lines and '"' not in text:
            return (self._record(text, number),)
        if self._lines and len(self._table.header) > 1 and self._is_whole(number, text):
            return [*self.close(), *self.take(number, text)]
        lines = self._lines = [*self._lines, (number, text)]
        whole = "\n".join([line for _, line in lines])
        if self._is_closed(whole):
            item = self._record(whole, lines[0][0])
            if len(lines) == 1 or isinstance(item, Puzzle) or not any(self._is_whole(*line) for line in lines[1:]):
                self._lines = []
                return (item,)
        elif len(lines) <= _MOST_LINES_OF_A_RECORD:
            return ()
        return list(self.close())

    def close(self) -> Iterator[Item]:
        """Yield an error for the line whose quote is never closed, and the records that the lines behind it are."""
        lines, self._lines = self._lines, []
        for number, text in lines:
            if self._is_closed(text):
                yield from [self._record(text, number)] if text.strip() else []
            else:
                problem, column = "a quote that is not closed", text.index('"') + 1
                yield self._with_row(malformed(problem, text, 'a record with pairs of "', number, column), (text,))

    def _is_whole(self, number: int, text: str) -> bool:
        """Return whether a line behind an open quote is a whole record itself, so that the quote is the damage."""
        item = self._record(text, number)
        return isinstance(item, Puzzle) and len(item.row) == len(self._table.header)

    def _is_closed(self, record: str) -> bool:
        """Return whether no quote is open at the end: a further line is then a record of its own."""
        if '"' not in record or len(record) > LONGEST_LINE:
            return True
        try:
            return len(list(csv.reader(io.StringIO(f"{record}\nx", newline="\n"), delimiter=self._table.delimiter))) > 1
        except csv.Error:  # of a field that is too long, or that nobody can write; the record is the error
            return True

    def _with_row(self, error: PuzzleFormatError, row: tuple[str, ...]) -> PuzzleFormatError:
        error.row, error.table = row, self._table
        return error.with_traceback(None)

    def _record(self, record: str, number: int) -> Item:
        row: tuple[str, ...] = ()
        try:
            if len(record) > LONGEST_LINE:
                raise too_long(number, record, self._shapes.place)
            lines = io.StringIO(record, newline="\n")
            row = tuple(next(csv.reader(lines, delimiter=self._table.delimiter), ()))
            return self._puzzle(row, record, number)
        except csv.Error as problem:
            error = malformed(f"no CSV record ({problem})", record, "a CSV record", number)
        except PuzzleFormatError as problem:
            error = problem
        keep_given(error, record.split("\n")[max((error.line or 1) - number, 0)])
        return self._with_row(error, tuple(map(readable, row)))

    def _puzzle(self, row: tuple[str, ...], record: str, number: int) -> Puzzle:
        table = self._table
        if not record.isascii() and readable(record) != record:
            bad = next(place for place, character in enumerate(record) if "\ud800" <= character <= "\udfff")
            line, column = record.count("\n", 0, bad), bad - record.rfind("\n", 0, bad)
            raise malformed("not UTF-8", record[bad], "UTF-8 text", number + line, column)
        if len(row) <= table.puzzle:
            problem = f"a record of {counted(len(row), 'field')}"
            expected = f"{len(table.header)} fields ({readable(table.delimiter.join(table.header))})"
            raise malformed(problem, record, expected, number, len(record) + 1)
        field = row[table.puzzle]
        item = self._read_field(field)
        if '"' in field and "[" not in field:
            # elsewhere quotes may part cells, as in a pasted list; in a field they are a sign of damage
            item = malformed("a quote within a puzzle", '"', "cells", 1, field.index('"') + 1)
        if isinstance(item, PuzzleFormatError):
            raise self._at_field(item, record, row, number, table.puzzle)
        if table.solution is not None and len(row) > table.solution and row[table.solution].strip():
            solution = read_answer(row[table.solution], item, self._read_field)
            if isinstance(solution, PuzzleFormatError):
                raise self._at_field(solution, record, row, number, table.solution)
            item = replace(item, solution=solution)
        fields = dict(zip(self._names, row, strict=False))
        people: dict[str, Any] = {name: getattr(item, name) or fields.get(name, "") for name in ("title", "author")}
        written = "csv" if item.format == "text" else item.format
        places = [place for place in table.rules if place < len(row)]
        rules = unread_rules([(table.header[place], row[place]) for place in places])
        item = replace(item, **people, format=written, text=field, line=number, row=row, table=table)
        if not rules:
            return item
        item = replace(item, unread=item.unread + rules)
        if not self._shapes.despite_unread:
            raise NotUnderstoodError(item, text=field, line=number)
        return item

    def _at_field(
        self, error: PuzzleFormatError, record: str, row: Sequence[str], number: int, column: int
    ) -> PuzzleFormatError:
        """Return the error with its place counted in the file instead of the field."""
        least = sum(len(field) + 1 for field in row[:column])
        start = max(record.find(row[column], least), least)
        line = error.line or 1
        inside = start - (record.rfind("\n", 0, start) + 1) if line == 1 else 0
        error.line, error.column = number + record.count("\n", 0, start) + line - 1, (error.column or 1) + inside
        return error


def read_answer(field: str, puzzle: Puzzle, read_field: Callable[[str], Item]) -> SymbolTuple | PuzzleFormatError:
    """Return the grid that is given as the solution of a puzzle, or the error in its place.

    What is filled in belongs to an answer. A cell may be blank (0): then the answer is no solution, which the verdict
    states.
    """
    geometry = puzzle.board.geometry
    if len(field) == geometry.cell_count and geometry.order <= LARGEST_ORDER_IN_CHARACTERS:
        full = decode_characters(field, geometry.order, puzzle.symbols)
        if full is not None and 0 not in full:
            return full
    item = read_field(field)
    if isinstance(item, PuzzleFormatError):
        return item
    board = item.with_filled_as_clues().board
    if board.geometry.order != geometry.order or item.symbols != puzzle.symbols:
        expected = f"all {geometry.cell_count} cells ({called(geometry.order, puzzle.symbols)}), or nothing"
        return malformed(f"a solution of {board.clue_count} cells", field, expected, 1)
    return board.clues
