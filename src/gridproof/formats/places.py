"""Places of texts that are read: values that are handed down to whoever may find a fault in a text."""

from __future__ import annotations

from typing import NamedTuple

from gridproof.errors import NotUnderstoodError, PuzzleFormatError
from gridproof.formats.puzzle import Puzzle, Table, make_readable

LONGEST_GIVEN = 1_000
"""Characters of a malformed line that are kept for the result."""


class Record(NamedTuple):
    """A record of a table: its fields, its text and the number of its first line."""

    table: Table
    row: tuple[str, ...]
    text: str
    line: int

    def line_of_text(self, number: int) -> str:
        """Return one of its lines, by its number in the file."""
        lines = self.text.split("\n")
        if self.line <= number < self.line + len(lines):
            return lines[number - self.line]
        return lines[0]


class Place(NamedTuple):
    """The place where a text begins.

    source: the name of its file, if it was opened for this. line, column: of its first character, from 1. record: the
    record of a table in which it is a field. value: a value in Python that the text is or stands for, which has no
    lines: its errors have none.

    >>> str(Place("set.txt", line=3).error("no puzzle", "x", "a puzzle", line=4, column=7))
    "set.txt, line 4, column 7: no puzzle: 'x'; expected a puzzle"
    """

    source: str = ""
    line: int = 1
    column: int = 1
    record: Record | None = None
    value: str | None = None

    def error(
        self, problem: str, text: str, expected: str, line: int | None = None, column: int | None = 1, given: str = ""
    ) -> PuzzleFormatError:
        """Return the error for something in the text.

        text: what is wrong. line, column: where it stands; the line is counted in the file, the column in the text's
        own line. given: the line as it was given, which the error keeps.
        """
        number: int | None = line
        if line is None:
            number = self.line
        if number == self.line and column is not None:
            column += self.column - 1
        if self.value is not None:
            number = None
            given = self.value
        error = PuzzleFormatError(problem, text=make_readable(text), expected=expected, line=number, column=column)
        error.source = self.source
        if self.record is not None:
            given = self.record.line_of_text(number or self.line)
            error.table = self.record.table
            error.row = tuple([make_readable(field) for field in self.record.row])
        given = make_readable(given[:LONGEST_GIVEN])
        if len(given) >= len(error.text):
            error.given = given
        else:
            error.given = error.text[:LONGEST_GIVEN]
        return error

    def not_understood(self, puzzle: Puzzle) -> NotUnderstoodError:
        """Return the error for a puzzle of which something unread may be a rule."""
        error = NotUnderstoodError(puzzle, text=puzzle.text, line=None if self.value is not None else puzzle.line)
        error.source = self.source
        if self.record is not None:
            error.row, error.table = self.record.row, self.record.table
        return error


START = Place()
"""The beginning of a text that stands nowhere else."""
