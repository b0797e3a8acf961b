"""Solutions as text, each in the form of its puzzle, with the puzzle's own decoration and names of symbols."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import TextIO

from gridproof.formats.blocks import fill
from gridproof.formats.notation import names
from gridproof.formats.puzzle import Form, Item, Puzzle, Symbols
from gridproof.formats.tables import Table, solved_row
from gridproof.formats.values import check_length
from gridproof.formats.writing import WRITERS, to_line, to_rows_text
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Grid

_IN_NUMBERS = (Form.NUMBERS, Form.NUMBER_LINE, Form.LISTS)


def renamed(written: str, order: int, symbols: Symbols, numbers: bool = False) -> str:
    """Replace the usual names of symbols in a written grid by those of ``symbols``.

    Parameters
    ----------
    written, order
        The text, with the symbols 1-9 and A-Z or numbers, and the order of its board.
    symbols, numbers
        The names to write, and whether the text has numbers; above order 35 it always has.

    Returns
    -------
    str

    Examples
    --------
    >>> renamed("1243", 4, Symbols.FROM_ZERO), renamed("1243", 4, Symbols.LETTERS)
    ('0132', 'ABDC')
    """
    if symbols is Symbols.FROM_ONE:
        return written
    if order > LARGEST_ORDER_IN_CHARACTERS or numbers:
        less = 1 if symbols is Symbols.FROM_ZERO else 0
        letters = names(order, symbols) if symbols is Symbols.LETTERS else ()
        return re.sub(r"\d+", lambda word: letters[int(word[0]) - 1] if letters else str(int(word[0]) - less), written)
    return written.translate(str.maketrans("".join(names(order)), "".join(names(order, symbols))))


def write_grid(grid: Grid, puzzle: Puzzle) -> str:
    """Write a grid in the form of its puzzle, with the puzzle's own decoration and names of symbols.

    Parameters
    ----------
    grid, puzzle
        The symbol of each cell, and the puzzle.

    Returns
    -------
    str
        The text, without the last line end; for CSV the record, without the header.

    Examples
    --------
    >>> from gridproof.formats import read_puzzle
    >>> write_grid((1, 2, 3, 4, 3, 4, 1, 2, 2, 3, 4, 1, 4, 1, 2, 3), read_puzzle("1.......2......3"))
    '1234341223414123'
    """
    geometry, form = puzzle.board.geometry, puzzle.form
    if form is Form.CSV:
        return _record(*solved_row(puzzle, to_line(grid, geometry, puzzle.symbols)))
    check_length(grid, geometry)
    kept = form in (Form.DECORATED, Form.ROWS) or (form is Form.LISTS and geometry.order <= 9)
    if kept and (filled := fill(puzzle, grid)) is not None:
        return filled
    written = to_rows_text(grid, geometry) if form is Form.ROWS else WRITERS[form](grid, geometry)
    return renamed(written, geometry.order, puzzle.symbols, form in _IN_NUMBERS)


class SolutionWriter:
    """Writes solutions to a stream, each in the form of its puzzle.

    A one-line puzzle gives one line. A blank line separates puzzles of several lines. CSV records follow their header,
    which is written once and gets a column ``solution`` if it has none.

    Parameters
    ----------
    stream : TextIO
        Where to write.

    Examples
    --------
    >>> import sys
    >>> from gridproof import formats
    >>> writer = SolutionWriter(sys.stdout)
    >>> for puzzle in formats.read(["11.............."]):
    ...     writer.no_solution(puzzle, "no solution")
    # line 1: no solution
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._table: Table | None = None
        self._begun = False
        self._last_was_long = False

    def solution(self, puzzle: Puzzle, grid: Grid) -> None:
        """Write the solution of a puzzle."""
        if puzzle.form is Form.CSV:
            self._write_record(puzzle, to_line(grid, puzzle.board.geometry, puzzle.symbols))
        else:
            self._write(write_grid(grid, puzzle))

    def no_solution(self, item: Item, reason: str) -> None:
        """Write a comment in place of a solution, or a record whose solution is empty."""
        if item.table is not None:
            self._write_record(item, "")
        else:
            line = item.line
            place = f"line {line}: " if line else ""
            self._write("# " + " ".join(f"{place}{reason}".split()))

    def _write(self, text: str) -> None:
        long = "\n" in text
        if self._begun and (long or self._last_was_long):
            self._stream.write("\n")
        self._stream.write(text + "\n")
        self._table = None
        self._begun, self._last_was_long = True, long

    def _write_record(self, item: Item, solution: str) -> None:
        row, table = solved_row(item, solution)
        if table != self._table:
            if self._begun:
                self._stream.write("\n")
            self._stream.write(_record(table.header, table) + "\n")
        self._stream.write(_record(row, table) + "\n")
        self._table = table
        self._begun, self._last_was_long = True, True


def _record(fields: Iterable[str], table: Table) -> str:
    text = io.StringIO()
    # the module puts those characters in quotes that its line end consists of
    csv.writer(text, delimiter=table.delimiter, lineterminator="\r\n").writerow(fields)
    return text.getvalue().removesuffix("\r\n")
