"""Solutions as text, each written as its puzzle is, with the puzzle's own decoration and names of symbols."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import TextIO

from gridproof.formats.blocks import rows_of
from gridproof.formats.lines import Line
from gridproof.formats.puzzle import Item, Puzzle, Symbols, Table
from gridproof.formats.symbols import names
from gridproof.formats.tables import solved_row
from gridproof.formats.values import check_length
from gridproof.formats.writing import drawn, in_numbers, to_line, to_rows_text
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Grid


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
    """Write a grid as its puzzle is written, with the puzzle's own decoration and names of symbols.

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
    geometry, text = puzzle.board.geometry, puzzle.text
    if puzzle.table is not None:
        return _record(*solved_row(puzzle, to_line(grid, geometry, puzzle.symbols)))
    check_length(grid, geometry)
    several = "\n" in text and puzzle.format in ("text", "toml")
    if puzzle.format != "text":
        return renamed((to_rows_text if several else to_line)(grid, geometry), geometry.order, puzzle.symbols)
    if (several or "[" in text) and (filled := _filled(puzzle, grid)) is not None:
        return filled
    rows = _rows(puzzle)
    numbers = all(len(line.words) * len(rows) == geometry.cell_count for line in rows)
    if several and "|" in text:
        written = drawn(grid, geometry)
    elif numbers and puzzle.board.marks is None:
        written = in_numbers(grid, geometry)
    else:
        written = (to_rows_text if several else to_line)(grid, geometry)
        numbers = False
    written = written if several else " ".join(written.split())
    return renamed(written, geometry.order, puzzle.symbols, numbers)


def _rows(puzzle: Puzzle) -> list[Line]:
    lines = [Line(number, text) for number, text in enumerate(puzzle.text.split("\n")) if text.strip()]
    return lines if len(lines) == 1 else rows_of(lines, puzzle.board.geometry.order)


def _filled(puzzle: Puzzle, grid: Grid) -> str | None:
    """Return the puzzle's own text with each cell's symbol put in its place; ``None`` if a cell is too narrow."""
    order = puzzle.board.geometry.order
    given, rows = puzzle.text.split("\n"), _rows(puzzle)
    want = order * order // max(len(rows), 1)
    cell = 0
    for row in rows:
        spans = row.spans(want, order)
        if spans is None:
            return None
        pieces = []
        last = 0
        for start, end in spans:
            symbol = names(order, puzzle.symbols)[grid[cell] - 1]
            word = row.text[start:end]
            if len(symbol) > 1 or len(word.strip()) > 1 or row.given[start:end] in ('"', "'"):
                return None
            # between bars a cell may be nothing but blanks: its symbol goes to their middle
            before = len(word) - len(word.lstrip()) if word.strip() else len(word) // 2
            pieces += [row.given[last : start + before], symbol]
            last = min(start + before + 1, end)
            cell += 1
        given[row.number] = "".join(pieces) + row.given[last:]
    return "\n".join(given) if cell == len(grid) else None


class SolutionWriter:
    """Writes solutions to a stream, each as its puzzle is written.

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
        if puzzle.table is not None:
            self._write_record(puzzle, to_line(grid, puzzle.board.geometry, puzzle.symbols))
        else:
            self._write(write_grid(grid, puzzle))

    def no_solution(self, item: Item, reason: str) -> None:
        """Write a comment in place of a solution, or a record whose solution is empty."""
        if item.table is not None:
            self._write_record(item, "")
        else:
            place = f"line {item.line}: " if item.line else ""
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
