"""What people paste: of spreadsheets, other programs and links; read, or refused by its name."""

from __future__ import annotations

import json

import pytest

from gridproof.errors import PuzzleFormatError
from gridproof.formats import Puzzle, parse, read, to_line
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from text_samples import LINE, NINE, ROWS, SOLUTION, error_of, items, only

LISTS = [[int(cell) if cell != "." else 0 for cell in row] for row in ROWS]
WIDE = {ord(str(digit)): 0xFF10 + digit for digit in range(10)}


def fields(delimiter: str, rows: list[str] = ROWS) -> str:
    return "\n".join(delimiter.join(row).replace(".", "") for row in rows)


def game(cells: str) -> str:
    return f'  <game created="1" state="1" data="{cells}" note=""/>\n'


PAYLOAD = "N4IgzglgXgpiBcBOANCALhNAbO8QGEsB7I+/" * 4

READ = {
    "fields": fields(","),
    "fields after semicolons": fields(";"),
    "fields in quotes": "\n".join(",".join(f'"{cell}"' for cell in row).replace(".", "") for row in ROWS),
    "fields and spaces": fields(", "),
    "tabs": fields("\t"),
    "fields on a line": ",".join(LINE).replace(".", ""),
    "JSON": json.dumps({"grid": LISTS}),
    "JSON over lines": '{\n "puzzle": [\n' + ",\n".join(f"  {row}" for row in LISTS) + "\n ]\n}",
    "JSON lines": json.dumps({"puzzle": LINE}),
    "HoDoKu": f":0000:x:{LINE}:::",
    "HoDoKu with zeros": f":0701-1:2:{LINE.replace('.', '0')}:121 221:288:",
    "HoDoKu, digits placed": f":0701:2:{LINE[:2]}+4{LINE[3:7]}+9+1{LINE[9:]}:121 221:288:",
    "digits placed only": f"{LINE[:2]}+4{LINE[3:7]}+9+1{LINE[9:]}",
    "sudokuwiki": f"https://www.sudokuwiki.org/sudoku.htm?bd={LINE.replace('.', '0')}",
    "qqwing": f"<https://qqwing.com/solve.html?x=1&puzzle={LINE}>",
    "a link without its beginning": f"www.example.org/s/{LINE}#1",
    "OpenSudoku": f"<?xml version='1.0'?>\n<opensudoku>\n <name>x</name>\n{game(LINE)}</opensudoku>",
    "OpenSudoku with a folder": f'<opensudoku version="2">\n<folder name="x">\n{game(LINE)}</folder>\n</opensudoku>',
    "a heading": "My puzzle 1:\n" + "\n".join(ROWS),
    "wide digits": LINE.translate(WIDE),
    "wide digits in rows": "\n".join(ROWS).translate(WIDE).replace(".", "．"),
    "white squares": "\n".join(ROWS).replace(".", "□"),
    "SadMan Sudoku": "\n".join(" ".join(row).replace(".", "123456789").replace("53", "5 3") for row in ROWS),
}


@pytest.mark.parametrize("name", READ)
def test_every_source(name: str) -> None:
    """Alone, with other line ends, and among others: with the shape known or not."""
    text = READ[name]
    for shape in (Geometry.standard, NINE):
        assert items(text, shape) == items(text.replace("\n", "\r\n").encode(), shape) == [LINE]
        among = f"{SOLUTION}\n{text}\n{SOLUTION}\n\n{text}\n\n{text}\n"
        assert items(among, shape) == [SOLUTION, LINE, SOLUTION, LINE, LINE]


def test_sixteen_by_sixteen_of_a_spreadsheet() -> None:
    board = Board(Geometry.classic(4), (1, 0, 16, 0, 10, *[0] * 251))
    numbers = [str(clue or "") for clue in board.clues]
    for delimiter in ",;\t":
        text = "\n".join(delimiter.join(numbers[start : start + 16]) for start in range(0, 256, 16))
        assert only(text).board == board


def test_a_row_of_blanks_of_a_spreadsheet() -> None:
    for row in range(9):
        rows = [*ROWS[:row], "." * 9, *ROWS[row + 1 :]]
        for delimiter in ",\t":
            assert items(fields(delimiter, rows)) == ["".join(rows)], (row, delimiter)


def test_two_tables_with_an_empty_row_between() -> None:
    for delimiter in ",\t":
        assert items(f"{fields(delimiter)}\n{delimiter * 8}\n{fields(delimiter)}") == [LINE, LINE]


def test_a_field_too_few_is_a_damaged_row() -> None:
    rows = fields(",").split("\n")
    rows[4] = rows[4][:-2]
    error = error_of("\n".join(rows), NINE)
    assert (error.line, error.problem) == (5, "a row of 8 cells")


def test_digits_placed_by_a_solver_are_no_clues() -> None:
    board = parse(f":0701:2:{SOLUTION[:40]}+{SOLUTION[40]}+{SOLUTION[41]}{SOLUTION[42:]}:511 222:288:")
    assert to_line(board.clues, NINE) == SOLUTION[:40] + ".." + SOLUTION[42:]
    assert board.marks is None


def test_several_puzzles_of_a_file_of_opensudoku() -> None:
    text = f"<opensudoku>{game(LINE).strip()}{game(SOLUTION)}<folder name='x'>\n{game(LINE[:80])}</folder>"
    first, second, third = read(text)
    assert [item.line for item in (first, second, third)] == [1, 1, 3]
    assert isinstance(first, Puzzle)
    assert first.text == LINE
    assert isinstance(third, PuzzleFormatError)
    assert "80 characters" in third.problem
    assert items("<opensudoku>\n</opensudoku>") == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"https://www.f-puzzles.com/?load={PAYLOAD}", "payload"),
        ("f-puzzles.com/?id=y7m8u2ks", "short link"),
        (f"fpuzzles{PAYLOAD}", "payload"),
        (f"https://sudokupad.app/fpuzzles{PAYLOAD}", "payload"),
        ("https://sudokupad.app/abc123xyz", "short link"),
        ("<https://app.crackingthecryptic.com/sudoku/abc>", "short link"),
        (f"scl{PAYLOAD}", "payload"),
        (PAYLOAD, "payload"),
        ('{"size":9,"title":"x","grid":[[{"value":5,"given":true},{}],[{}]]}', "a grid whose rows"),
        ("3x3::k:3841:2305:4096:", "a killer Sudoku"),
        ("https://www.sudokuwiki.org/sudoku.htm?bd=S9B0k1l2m3n4", "a link without the cells of a puzzle"),
        ('<game data="version: 1\\n5|0|0|1|" />', "a saved game of OpenSudoku"),
    ],
)
def test_what_cannot_be_read_is_one_error_in_its_place(text: str, problem: str) -> None:
    for shape in (Geometry.standard, NINE):
        error = error_of(text, shape)
        assert (error.text, error.line, error.column) == (text, 1, 1)
        assert problem in str(error)
        among = f"{LINE}\n{text}\n{LINE}\n\n" + "\n".join([*ROWS, text, *ROWS])
        assert items(among, shape) == [LINE, "2:1", LINE, LINE, "14:1", LINE]


def test_json_over_many_lines_is_one_puzzle_or_one_error() -> None:
    puzzle = {"size": 9, "title": "x", "grid": [[{"value": 5, "given": True}, *[{}] * 8], *[[{}] * 9] * 8]}
    assert only(json.dumps(puzzle, indent=2)).title == "x"
    assert only("# a comment\n\n" + json.dumps(puzzle, indent=2)).board.clue_count == 1
    puzzle["grid"] = []
    assert "a grid whose rows" in error_of(json.dumps(puzzle, indent=2)).problem
    puzzle["grid"] = [[{"value": 5, "given": True}]]
    first, second = items(f"{LINE}\n{json.dumps(puzzle, indent=2)}")
    assert (first, ":" in second) == (LINE, True)


@pytest.mark.parametrize(
    "line",
    [
        f"{LINE} https://example.org/17",
        f"{LINE} # see https://sudokupad.app/abc",
        f"1: {LINE}",
        f"{LINE} : very hard",
        f"{LINE} name=x",
    ],
)
def test_a_remark_that_looks_like_a_wrapping(line: str) -> None:
    assert items(line) == items(line, NINE) == [LINE]
