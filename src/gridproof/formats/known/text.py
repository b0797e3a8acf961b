"""Plain text and tables: boards and grids on a line, in rows, drawn, as pencil marks, in CSV; solutions in a stream.

``gridproof.formats.read`` reads all of these as a stream.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TextIO

from gridproof.errors import BoardError
from gridproof.formats.catalog import Format
from gridproof.formats.puzzle import Item, Puzzle, Symbols, Table
from gridproof.formats.reading import read_source
from gridproof.formats.symbols import symbol_names
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import LARGEST_ORDER_IN_CHARACTERS
from gridproof.puzzle.geometry import Geometry, SymbolTuple


def to_line(values: Sequence[int], geometry: Geometry, symbols: Symbols = Symbols.FROM_ONE) -> str:
    """Write values on one line: a character for each cell (``.`` blank), numbers above order 35.

    Between the rows of a board that is not square stands ``/``.

    Parameters
    ----------
    values, geometry
        Clues or a grid, row by row, where 0 is blank; and the geometry of its board.
    symbols
        The names of the symbols.

    Returns
    -------
    str

    Raises
    ------
    BoardError
        If there is not one value in range for each cell.

    Examples
    --------
    >>> to_line([1, 0, 0, 2] + [0] * 12, Geometry.classic(2))
    '1..2............'
    """
    between = _separator(geometry)
    if geometry.rows == geometry.columns:
        return between.join(_cells(values, geometry, symbols))
    return "/".join([between.join(row) for row in _rows(values, geometry, symbols)])


def to_rows_text(values: Sequence[int], geometry: Geometry, symbols: Symbols = Symbols.FROM_ONE) -> str:
    """Write values as n lines of n characters, above order 35 as numbers in columns.

    Parameters
    ----------
    values, geometry, symbols
        As in ``to_line``.

    Returns
    -------
    str

    Examples
    --------
    >>> to_rows_text([1, 0, 0, 2] + [0] * 12, Geometry.classic(2)).splitlines()
    ['1..2', '....', '....', '....']
    """
    separator = _separator(geometry)
    lines = []
    for row in _rows(values, geometry, symbols):
        lines.append(separator.join(row))
    return "\n".join(lines)


def draw_board(values: Sequence[int], geometry: Geometry) -> str:
    """Write values as n lines, with bars and dashes between boxes that are rectangles.

    Examples
    --------
    >>> draw_board([1, 0, 0, 2] + [0] * 12, Geometry.classic(2)).splitlines()[:3]
    ['1 . | . 2', '. . | . .', '----+----']
    """
    high, wide = geometry.box_shape or (geometry.order, geometry.order)
    lines = []
    for number, row in enumerate(_rows(values, geometry)):
        boxes = [" ".join(row[start : start + wide]) for start in range(0, len(row), wide)]
        if number and number % high == 0:
            dashes = ["-" * len(box) for box in boxes]
            lines.append("-+-".join(dashes))
        lines.append(" | ".join(boxes))
    return "\n".join(lines)


def marks_line(board: Board) -> str:
    """Write the pencil marks of a board: n characters for each cell, with each candidate at its own place.

    Raises ``BoardError`` above order 35, where symbols are not single characters.

    Examples
    --------
    >>> from gridproof import parse
    >>> marks_line(parse("1... .... .... ...."))[:8]
    '1...1234'
    """
    characters = board.geometry.symbol_characters
    if not characters:
        raise BoardError(f"pencil marks of {board.geometry.description}; expected digits of at most 35")
    marks = []
    for mask in board.candidates:
        for place, character in enumerate(characters):
            marks.append(character if mask >> place & 1 else ".")
    return "".join(marks)


def _separator(geometry: Geometry) -> str:
    return "" if geometry.symbol_characters else " "


def _cells(values: Sequence[int], geometry: Geometry, symbols: Symbols = Symbols.FROM_ONE) -> list[str]:
    """Return the text of each cell. Raises ``BoardError`` if there is not one value in range for each."""
    known = [geometry.symbol_text(symbol) for symbol in geometry.symbols]
    if symbols is not Symbols.FROM_ONE:
        known = list(symbol_names(geometry.order, symbols))
    known.insert(0, ".")
    return [known[value] for value in Board(geometry, tuple(values)).clues]


def _rows(values: Sequence[int], geometry: Geometry, symbols: Symbols = Symbols.FROM_ONE) -> list[list[str]]:
    """Return the texts of the cells of each row, all of one width."""
    width = len(geometry.symbol_text(geometry.symbol_count))
    cells = [cell.rjust(width) for cell in _cells(values, geometry, symbols)]
    rows = []
    for start in range(0, len(cells), geometry.columns):
        rows.append(cells[start : start + geometry.columns])
    return rows


# ---- solutions -------------------------------------------------------------------------------------------------------


class SolutionWriter:
    """Writes solutions to a stream, on a line or in rows as their puzzles are, in the puzzles' names of symbols.

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
    >>> writer.solution(formats.read_puzzle("1.......2......3"), (1, 2, 3, 4, 3, 4, 1, 2, 2, 3, 4, 1, 4, 1, 2, 3))
    1234341223414123
    >>> for puzzle in formats.read(["11.............."]):
    ...     writer.no_solution(puzzle, "no solution")
    # line 1: no solution
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._table: Table | None = None
        self._begun = self._last_was_long = False

    def solution(self, puzzle: Puzzle, grid: SymbolTuple) -> None:
        """Write the solution of a puzzle; into its record, if it is one of a table."""
        in_rows = "\n" in puzzle.text and puzzle.table is None
        write = to_rows_text if in_rows else to_line
        text = write(grid, puzzle.board.geometry, puzzle.symbols)
        self._write(puzzle, text, text, in_rows)

    def no_solution(self, item: Item, reason: str) -> None:
        """Write a comment in place of a solution, or a record whose solution is empty."""
        place = ""
        if item.line:
            place = f"line {item.line}: "
        words = f"# {place}{reason}".split()
        self._write(item, " ".join(words), "", is_long=False)

    def _write(self, item: Item, text: str, solution: str, is_long: bool) -> None:
        """Write a text; into the record of an item of a table its solution."""
        table = item.table
        goes_on = False
        if table is not None:
            table, row = add_solution(table, item.row, solution)
            goes_on = table == self._table
            text = write_record(row, table.delimiter)
            if not goes_on:
                text = f"{write_record(table.header, table.delimiter)}\n{text}"
            is_long = True
        is_parted = self._begun and not goes_on and (is_long or self._last_was_long)
        self._stream.write(f"\n{text}\n" if is_parted else f"{text}\n")
        self._begun = True
        self._last_was_long = is_long
        self._table = table


def add_solution(table: Table, fields: Sequence[str], solution: str) -> tuple[Table, list[str]]:
    """Return a record with its solution, and its table with a column for that."""
    row = list(fields)
    row += [""] * (len(table.header) - len(row))
    if table.solution is not None:
        row[table.solution] = solution
        return table, row
    # what goes beyond the header has no name: the new column stands before it
    row.insert(len(table.header), solution)
    return replace(table, header=table.header + ("solution",), solution=len(table.header)), row


def write_record(fields: Iterable[str], delimiter: str = ",") -> str:
    """Return the line of a record of CSV, without its end."""
    text = io.StringIO()
    # the module puts those characters in quotes that its line end consists of
    csv.writer(text, delimiter=delimiter, lineterminator="\r\n").writerow(fields)
    return text.getvalue().removesuffix("\r\n")


# ---- formats ---------------------------------------------------------------------------------------------------------


def _clues(form: Format, puzzle: Puzzle) -> str:
    board = form.clues_only(puzzle, marks=True)
    if board.marks is None:
        return to_line(board.clues, board.geometry, letters_of(puzzle))
    return marks_line(board)


def letters_of(puzzle: Puzzle) -> Symbols:
    """Return the alphabet in which the clues of a puzzle are written again: its own if that is letters, else digits."""
    names = puzzle.symbol_texts
    letters = symbol_names(puzzle.board.geometry.symbol_count, Symbols.LETTERS)
    return Symbols.LETTERS if names and names == letters else Symbols.FROM_ONE


def draw_with_bars(puzzle: Puzzle) -> str:
    """Return the clues as SimpleSudoku draws them. Raises ``BoardError``."""
    board = SS.clues_only(puzzle)
    if board.geometry.order > LARGEST_ORDER_IN_CHARACTERS:
        raise SS.refuse(f"a board of order {board.geometry.order}")
    rows = draw_board(board.clues, board.geometry).split("\n")
    edge = f"*{'-' * len(rows[0])}*"
    lines = [edge]
    for row in rows:
        lines.append(f"|{row}|")
    lines.append(edge)
    return "\n".join(lines)


def write_marks(puzzle: Puzzle) -> str:
    """Return the grid of the candidates of each cell. Raises ``BoardError``."""
    board = MARKS.clues_only(puzzle, marks=True)
    if board.geometry.order > 9 or 0 in board.candidates:
        raise MARKS.refuse("a board of more than nine symbols, or a cell without candidates", "text")
    order = board.geometry.order
    cells = []
    for mask in board.candidates:
        symbols = [character for place, character in enumerate(board.geometry.symbol_characters) if mask >> place & 1]
        cells.append("".join(symbols))
    width = max([len(cell) for cell in cells])
    padded = [cell.ljust(width) for cell in cells]
    rows = []
    for start in range(0, len(padded), order):
        row = " ".join(padded[start : start + order])
        rows.append(row.rstrip())
    return "\n".join(rows)


def write_csv(puzzle: Puzzle) -> str:
    """Return the record of a puzzle in a table. Raises ``BoardError``."""
    solution = ""
    if puzzle.solution:
        solution = to_line(puzzle.solution, puzzle.board.geometry)
    return write_record((_clues(CSV, puzzle), solution, puzzle.title, puzzle.author))


_text_format = partial(Format, read=read_source)
TEXT: Format = _text_format(
    name="text",
    summary="a puzzle a line, or in n rows",
    endings=(".txt", ".sdm"),
    by_line=True,
    write=lambda puzzle: _clues(TEXT, puzzle),
    examples=("1... .... .... ...2", "1 2 . .\n. . . .\n. . . .\n. . . 3"),
)
JUDGE: Format = _text_format(
    name="judge",
    summary="a puzzle a line and a last line `end`, as online judges have it",
    write=lambda puzzle: _clues(JUDGE, puzzle),
    around=("", "end\n"),
    examples=("1..............2\nend\n",),
)
SS: Format = _text_format(
    name="ss",
    summary="a grid drawn with bars and dashes, as SimpleSudoku has it",
    endings=(".ss",),
    write=draw_with_bars,
    examples=(
        "1 2 | . .\n. . | . .\n----+----\n. . | . .\n. . | . 3",
        "*--*--*\n|1.|..|\n|..|..|\n|..|..|\n|..|.2|\n*--*--*",
    ),
)
MARKS: Format = _text_format(
    name="marks",
    summary="a grid of pencil marks, in each cell the symbols that it may hold",
    write=write_marks,
    examples=("1 234 23 34\n23 14 1234 1234\n1234 1234 1234 1234\n1234 1234 1234 1234",),
)
CSV: Format = _text_format(
    name="csv",
    summary="a table with a column called puzzle, and perhaps one of solutions",
    endings=(".csv",),
    write=write_csv,
    keeps=("title", "author", "solution"),
    around=("puzzle,solution,title,author\n", ""),
    examples=("puzzle,solution\n1..............2,\n",),
)
FORMATS = (TEXT, JUDGE, SS, MARKS, CSV)
