"""Plain text, tables and puzzle files of our own, which ``gridproof.formats.read`` reads as a stream."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import replace

from gridproof.errors import PuzzleFormatError
from gridproof.formats.catalog import Format
from gridproof.formats.notation import Line, Puzzle, Shapes
from gridproof.formats.sheet import Sheet
from gridproof.formats.tables import table_of
from gridproof.formats.toml_puzzle import begins_file
from gridproof.formats.writing import to_line, to_marks, to_toml


def _content(text: str) -> str:
    """The first line that is neither blank nor a comment, stripped."""
    lines = map(str.strip, text.splitlines())
    return next((line for line in lines if line and not line.startswith("#")), "")


def _is_cells(text: str) -> bool:
    line = Line(1, _content(text))
    return bool(re.fullmatch(r"[\w\s.*+|=:,;'\"()\[\]?-]+", line.given)) and not _is_table(text) and not _is_toml(text)


def _is_table(text: str) -> bool:
    return table_of(_content(text)) is not None


def _is_toml(text: str) -> bool:
    return begins_file(_content(text))


def _read(text: str, shapes: Shapes) -> Iterator[Sheet | PuzzleFormatError]:
    from gridproof.formats import read

    for item in read(text, shapes.fixed or shapes.geometry, shapes.zero):
        if isinstance(item, Puzzle):
            yield Sheet(item.board, (), item.answer, item.title, text=item.text, line=item.line)
        else:
            yield item


def _clues(form: Format, sheet: Sheet) -> str:
    board = sheet.board
    plain = form.clues_only(replace(sheet, board=replace(board, marks=None)))
    return to_line(plain.clues, plain.geometry) if board.marks is None else to_marks(board)


def _to_text(sheet: Sheet) -> str:
    return _clues(TEXT, sheet)


def _to_csv(sheet: Sheet) -> str:
    solution = to_line(sheet.solution, sheet.board.geometry) if sheet.solution else ""
    record = io.StringIO()
    csv.writer(record, lineterminator="").writerow((_clues(CSV, sheet), solution, sheet.title, sheet.author))
    return record.getvalue()


TEXT = Format(
    name="text",
    summary="a puzzle a line, or in n rows, plain or drawn; pencil marks as well",
    endings=(".txt", ".sdm", ".ss"),
    by_line=True,
    streamed=True,
    sniff=_is_cells,
    read=_read,
    write=_to_text,
    examples=("1... .... .... ...2", "1 2 | . .\n. . | . .\n----+----\n. . | . .\n. . | . 3"),
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
    summary="a puzzle file of our own, which says every shape and every rule",
    endings=(".toml",),
    streamed=True,
    sniff=_is_toml,
    read=_read,
    write=lambda sheet: to_toml(sheet.board, sheet.title),
    several=False,
    examples=('clues = "1... .... .... ...2"\n\n[[rule]]\nrule = "thermometer r1c2 r1c3"\n',),
)
FORMATS = (TEXT, CSV, TOML)
