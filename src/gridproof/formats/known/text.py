"""Plain text, tables and puzzle files of our own, which ``gridproof.formats.read`` reads as a stream."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from gridproof.errors import PuzzleFormatError
from gridproof.formats import reading
from gridproof.formats.catalog import Format
from gridproof.formats.notation import Item, Puzzle, Shapes
from gridproof.formats.sheet import Sheet
from gridproof.formats.writing import to_decorated, to_line, to_mark_grid, to_marks, to_toml
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS


def _read(text: str, shapes: Shapes) -> Iterator[Sheet | PuzzleFormatError]:
    return _sheets(reading.read_as(text, shapes))


def read_plain(text: str, shapes: Shapes) -> Iterator[Sheet | PuzzleFormatError]:
    """The sheets of plain text inside of another format."""
    return _sheets(reading.read_plain(text, shapes))


def _sheets(items: Iterator[Item]) -> Iterator[Sheet | PuzzleFormatError]:
    for item in items:
        if isinstance(item, Puzzle):
            yield item.sheet or Sheet(item.board, (), item.answer, item.title, text=item.text, line=item.line)
        else:
            yield item


def _clues(form: Format, sheet: Sheet) -> str:
    board = form.clues_only(sheet, marks=True)
    return to_line(board.clues, board.geometry) if board.marks is None else to_marks(board)


def _to_drawn(sheet: Sheet) -> str:
    board = SS.clues_only(sheet)
    if board.geometry.order > LARGEST_ORDER_IN_CHARACTERS:
        raise SS.refuse(f"a board of order {board.geometry.order}")
    rows = to_decorated(board.clues, board.geometry).split("\n")
    edge = f"*{'-' * max(map(len, rows))}*"
    return "\n".join([edge, *(f"|{row.replace(' ', '-') if '+' in row else row}|" for row in rows), edge])


def _to_marks(sheet: Sheet) -> str:
    board = MARKS.clues_only(sheet, marks=True)
    if board.geometry.order > 9 or 0 in board.candidates:
        raise MARKS.refuse("a board of more than nine symbols, or a cell without candidates", "text")
    return to_mark_grid(board)


def _to_csv(sheet: Sheet) -> str:
    solution = to_line(sheet.solution, sheet.board.geometry) if sheet.solution else ""
    record = io.StringIO()
    csv.writer(record, lineterminator="").writerow((_clues(CSV, sheet), solution, sheet.title, sheet.author))
    return record.getvalue()


TEXT: Format = Format(
    name="text",
    summary="a puzzle a line, or in n rows",
    endings=(".txt", ".sdm"),
    by_line=True,
    read=_read,
    write=lambda sheet: _clues(TEXT, sheet),
    examples=("1... .... .... ...2", "1 2 . .\n. . . .\n. . . .\n. . . 3"),
)
SS = Format(
    name="ss",
    summary="a grid drawn with bars and dashes, as SimpleSudoku has it",
    endings=(".ss",),
    read=_read,
    write=_to_drawn,
    examples=(
        "1 2 | . .\n. . | . .\n----+----\n. . | . .\n. . | . 3",
        "*--*--*\n|1.|..|\n|..|..|\n|..|..|\n|..|.2|\n*--*--*",
    ),
)
MARKS = Format(
    name="marks",
    summary="a grid of pencil marks, in each cell the symbols that it may hold",
    read=_read,
    write=_to_marks,
    examples=("1 234 23 34\n23 14 1234 1234\n1234 1234 1234 1234\n1234 1234 1234 1234",),
)
CSV = Format(
    name="csv",
    summary="a table with a column called puzzle, and perhaps one of solutions",
    endings=(".csv",),
    read=_read,
    write=_to_csv,
    around=("puzzle,solution,title,author\n", ""),
    examples=("puzzle,solution\n1..............2,\n",),
)
TOML = Format(
    name="toml",
    summary="gridproof's own puzzle file, which can express every shape and every rule",
    endings=(".toml",),
    read=_read,
    write=lambda sheet: to_toml(sheet.board, sheet.title, sheet.solution),
    several=False,
    examples=('clues = "1... .... .... ...2"\n\n[[rule]]\nrule = "thermometer r1c2 r1c3"\n',),
)
FORMATS = (TEXT, SS, MARKS, CSV, TOML)
