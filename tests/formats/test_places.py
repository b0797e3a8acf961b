"""Places: every puzzle has its file and line, every error its file, line and column, wherever it is found."""

from __future__ import annotations

from pathlib import Path

import pytest

import gridproof
from formats.notations import LINE, ROWS, SOLUTION
from gridproof.errors import NotUnderstoodError, PuzzleFormatError
from gridproof.formats import Puzzle, read

BAD = f"x{LINE[1:]}"
BAD_ROWS = "\n".join([*ROWS[:4], f"x{ROWS[4][1:]}", *ROWS[5:]])
GAME = f'<opensudoku>\n<game data="{LINE}"/>\n<game data="{BAD}"/>\n</opensudoku>\n'

FILES = {
    "lines": (f"# a set\n{LINE}\n{BAD}\n", [2], "line 3, column 1"),
    "rows": ("\n".join([*ROWS, "", BAD_ROWS, ""]), [1], "line 15, column 1"),
    "table": (f"id,puzzle\n1,{LINE}\n2,{BAD}\n", [2], "line 3, column 3"),
    "table, rows in quotes": (f'id,puzzle\n1,{LINE}\n2,"{BAD_ROWS}"\n', [2], "line 7, column 1"),
    "table, its solution": (f"puzzle,solution\n{LINE},{SOLUTION}\n{LINE},a{SOLUTION[1:]}\n", [2], "line 3, column 83"),
    "HoDoKu among lines": (f"{LINE}\n:0000:x:{LINE[:79]}:::\n", [1], "line 2, column 80"),
    "SadMan Sudoku": (f"#Ame\n[Puzzle]\n{LINE}\n[State]\n{BAD_ROWS}\n", [3], "line 9, column 1"),
    "OpenSudoku": (GAME, [2], "line 3, column 1"),
    "JSON among lines": (f'{LINE}\n{{"size": 9, "grid": []}}\n', [1], "line 2, column 1"),
    "killer among lines": (f"{LINE}\n3x3::k:1:\n", [1], "line 2, column 1"),
    "our own": (f'title = "x"\nclues = """\n{BAD_ROWS}\n"""\n', [], "line 7, column 1"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file(name: str, tmp_path: Path) -> None:
    text, lines, place = FILES[name]
    path = tmp_path / "set"
    path.write_text(text)
    *puzzles, error = read(path)
    assert isinstance(error, PuzzleFormatError)
    assert error.place == f"{path}, {place}"
    assert error.given
    assert error.given in text
    assert [(item.line, item.source) for item in puzzles if isinstance(item, Puzzle)] == [(n, str(path)) for n in lines]
    *_, without_file = read(text)
    assert isinstance(without_file, PuzzleFormatError)
    assert without_file.place == place


def test_what_is_not_understood_has_its_file_and_record(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    path.write_text(f"puzzle,rules\n{LINE},even\n")
    (error,) = read(path)
    assert isinstance(error, NotUnderstoodError)
    assert (error.source, error.line, error.row) == (str(path), 2, (LINE, "even"))


def test_a_value_of_a_list_has_no_lines() -> None:
    records = list(gridproof.verify_many([LINE, BAD, BAD_ROWS, [1, 2]]))
    assert [record.verdict for record in records] == ["unique", *["malformed"] * 3]
    assert all("line" not in (record.reason or "") for record in records)
    assert [record.puzzle for record in records[1:3]] == [BAD, BAD_ROWS]
