"""Plain text, tables and puzzle files of our own, which ``gridproof.formats.read`` reads as a stream."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from gridproof.errors import PuzzleFormatError
from gridproof.formats.catalog import Format
from gridproof.formats.notation import Item, Puzzle, Shapes
from gridproof.formats.sheet import Sheet
from gridproof.formats.tables import table_of
from gridproof.formats.toml_puzzle import begins_file
from gridproof.formats.writing import to_decorated, to_line, to_mark_grid, to_marks, to_toml
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS

_CELLS = re.compile(r"[\w\s.*,;'\"()\[\]?-]+")
_DRAWN = re.compile(r"(?=.*[|+*-]{2}|.*\|)[\w\s.*|+=-]+")


def _content(text: str) -> str:
    """The first line that is neither blank nor a comment, stripped."""
    lines = map(str.strip, text.splitlines())
    return next((line for line in lines if line and not line.startswith("#")), "")


def _is_cells(text: str) -> bool:
    line = _content(text)
    return not (_is_drawn(text) or _is_marks(text) or _is_table(text) or _is_toml(text)) and bool(
        _CELLS.fullmatch(line)
    )


def _is_drawn(text: str) -> bool:
    return bool(_DRAWN.fullmatch(_content(text)))


def _is_marks(text: str) -> bool:
    words = _content(text).split()
    sorted_digits = all(re.fullmatch("1?2?3?4?5?6?7?8?9?", word) for word in words)
    return len(words) > 3 and sorted_digits and max(map(len, words)) > 2


def _is_table(text: str) -> bool:
    return table_of(_content(text)) is not None


def _is_toml(text: str) -> bool:
    return begins_file(_content(text))


def _read(text: str, shapes: Shapes) -> Iterator[Sheet | PuzzleFormatError]:
    from gridproof.formats import read

    return _sheets(read(text, shapes.fixed or shapes.geometry, shapes.zero))


def read_plain(text: str, shapes: Shapes) -> Iterator[Sheet | PuzzleFormatError]:
    """The sheets of plain text inside of another format."""
    from gridproof.formats import reading

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


def _to_text(sheet: Sheet) -> str:
    return _clues(TEXT, sheet)


def _to_drawn(sheet: Sheet) -> str:
    board = SS.clues_only(sheet)
    rows = to_decorated(board.clues, board.geometry).split("\n")
    width = max(map(len, rows))
    if board.geometry.order > LARGEST_ORDER_IN_CHARACTERS:
        raise SS.refuse(f"a board of order {board.geometry.order}")
    return "\n".join(
        [f"*{'-' * width}*", *(f"|{row.replace(' ', '-') if '+' in row else row}|" for row in rows), f"*{'-' * width}*"]
    )


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


TEXT = Format(
    name="text",
    summary="a puzzle a line, or in n rows",
    endings=(".txt", ".sdm"),
    by_line=True,
    streamed=True,
    sniff=_is_cells,
    read=_read,
    write=_to_text,
    examples=("1... .... .... ...2", "1 2 . .\n. . . .\n. . . .\n. . . 3"),
)
SS = Format(
    name="ss",
    summary="a grid drawn with bars and dashes, as SimpleSudoku has it",
    endings=(".ss",),
    streamed=True,
    sniff=_is_drawn,
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
    streamed=True,
    sniff=_is_marks,
    read=_read,
    write=_to_marks,
    examples=("1 234 23 34\n23 14 1234 1234\n1234 1234 1234 1234\n1234 1234 1234 1234",),
)
CSV = Format(
    name="csv",
    summary="a table with a column called puzzle, and perhaps one of solutions",
    endings=(".csv",),
    streamed=True,
    sniff=_is_table,
    read=_read,
    write=_to_csv,
    around=("puzzle,solution,title,author\n", ""),
    examples=("puzzle,solution\n1..............2,\n",),
)
TOML = Format(
    name="toml",
    summary="gridproof's own puzzle file, which can express every shape and every rule",
    endings=(".toml",),
    streamed=True,
    sniff=_is_toml,
    read=_read,
    write=lambda sheet: to_toml(sheet.board, sheet.title),
    several=False,
    examples=('clues = "1... .... .... ...2"\n\n[[rule]]\nrule = "thermometer r1c2 r1c3"\n',),
)
FORMATS = (TEXT, SS, MARKS, CSV, TOML)
