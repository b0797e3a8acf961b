"""Plain text and tables, which ``gridproof.formats.read`` reads as a stream."""

from __future__ import annotations

import csv
import io

from gridproof.formats.catalog import Format
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.reading import read_as
from gridproof.formats.writing import drawn, marks_line, to_line
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS


def _clues(form: Format, puzzle: Puzzle) -> str:
    board = form.clues_only(puzzle, marks=True)
    return to_line(board.clues, board.geometry) if board.marks is None else marks_line(board)


def _to_drawn(puzzle: Puzzle) -> str:
    board = SS.clues_only(puzzle)
    if board.geometry.order > LARGEST_ORDER_IN_CHARACTERS:
        raise SS.refuse(f"a board of order {board.geometry.order}")
    rows = drawn(board.clues, board.geometry).split("\n")
    edge = f"*{'-' * max(map(len, rows))}*"
    return "\n".join([edge, *(f"|{row.replace(' ', '-') if '+' in row else row}|" for row in rows), edge])


def _to_marks(puzzle: Puzzle) -> str:
    board = MARKS.clues_only(puzzle, marks=True)
    if board.geometry.order > 9 or 0 in board.candidates:
        raise MARKS.refuse("a board of more than nine symbols, or a cell without candidates", "text")
    n, characters = board.geometry.order, board.geometry.symbol_characters
    cells = ["".join([c for place, c in enumerate(characters) if mask >> place & 1]) for mask in board.candidates]
    width = max(map(len, cells))
    rows = [cells[start : start + n] for start in range(0, n * n, n)]
    return "\n".join([" ".join([cell.ljust(width) for cell in row]).rstrip() for row in rows])


def _to_csv(puzzle: Puzzle) -> str:
    solution = to_line(puzzle.solution, puzzle.board.geometry) if puzzle.solution else ""
    record = io.StringIO()
    csv.writer(record, lineterminator="").writerow((_clues(CSV, puzzle), solution, puzzle.title, puzzle.author))
    return record.getvalue()


TEXT: Format = Format(
    name="text",
    summary="a puzzle a line, or in n rows",
    endings=(".txt", ".sdm"),
    by_line=True,
    read=read_as,
    write=lambda puzzle: _clues(TEXT, puzzle),
    examples=("1... .... .... ...2", "1 2 . .\n. . . .\n. . . .\n. . . 3"),
)
JUDGE: Format = Format(
    name="judge",
    summary="a puzzle a line and a last line `end`, as online judges have it",
    read=read_as,
    write=lambda puzzle: _clues(JUDGE, puzzle),
    around=("", "end\n"),
    examples=("1..............2\nend\n",),
)
SS = Format(
    name="ss",
    summary="a grid drawn with bars and dashes, as SimpleSudoku has it",
    endings=(".ss",),
    read=read_as,
    write=_to_drawn,
    examples=(
        "1 2 | . .\n. . | . .\n----+----\n. . | . .\n. . | . 3",
        "*--*--*\n|1.|..|\n|..|..|\n|..|..|\n|..|.2|\n*--*--*",
    ),
)
MARKS = Format(
    name="marks",
    summary="a grid of pencil marks, in each cell the symbols that it may hold",
    read=read_as,
    write=_to_marks,
    examples=("1 234 23 34\n23 14 1234 1234\n1234 1234 1234 1234\n1234 1234 1234 1234",),
)
CSV = Format(
    name="csv",
    summary="a table with a column called puzzle, and perhaps one of solutions",
    endings=(".csv",),
    read=read_as,
    write=_to_csv,
    keeps=("title", "author", "solution"),
    around=("puzzle,solution,title,author\n", ""),
    examples=("puzzle,solution\n1..............2,\n",),
)
FORMATS = (TEXT, JUDGE, SS, MARKS, CSV)
