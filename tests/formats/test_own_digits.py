"""Boards with other digits than 1 to their order, in text, puzzle files and on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridproof
from cli_runner import Command
from gridproof import formats
from gridproof.errors import BoardError, GeometryError, InputError, NotUnderstoodError, PuzzleFormatError
from gridproof.formats import Puzzle, read_puzzle
from gridproof.formats.catalog import all_formats
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits, read_digits
from gridproof.puzzle.geometry import Geometry

FROM_ZERO = Geometry.classic(2).with_digits(Digits(0, 3))
SHORT = Geometry.classic(2).with_digits(Digits(0, 5))
OBLONG = Geometry.oblong(2, 3, Digits(2, 5), (2, 1))
BOARDS = (FROM_ZERO, SHORT, OBLONG, Geometry.oblong(3, 2), Geometry.latin(3).with_digits(Digits(34, 37)))


@st.composite
def boards(draw: st.DrawFn) -> Board:
    geometry = draw(st.sampled_from(BOARDS))
    clues = st.lists(st.integers(0, geometry.symbol_count), min_size=geometry.cell_count, max_size=geometry.cell_count)
    return Board(geometry, tuple(draw(clues)))


@given(boards())
def test_a_puzzle_file_states_the_digits_and_is_read_as_it_was(board: Board) -> None:
    text = all_formats()["toml"].text_of(Puzzle(board, title="x"))
    assert read_puzzle(text).board == board


@given(boards())
def test_a_line_and_rows_are_read_by_the_digits_that_are_stated(board: Board) -> None:
    assert gridproof.parse(board.text(), board.geometry) == board
    rows = formats.to_rows_text(board.clues, board.geometry)
    assert gridproof.parse(rows, board.geometry) == board
    assert gridproof.parse(formats.to_line(board.clues, board.geometry), board.geometry) == board


@given(boards())
def test_formats_that_cannot_state_digits_refuse_them(board: Board) -> None:
    for form in all_formats().values():
        if form.write is not None and not form.has_digits:
            with pytest.raises(BoardError, match="expected toml"):
                form.text_of(Puzzle(board))


def test_0_is_a_digit_where_the_board_has_it_and_a_blank_where_not() -> None:
    assert gridproof.parse("0..1 .... .... ....", FROM_ZERO).clues[:4] == (1, 0, 0, 2)
    assert gridproof.parse("0..2 .... .... ....", Geometry.classic(2).with_digits(Digits(1, 6))).clues[:4] == (
        0,
        0,
        0,
        2,
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("0..4 .... .... ....", "'4' in r1c4 on a board of 4x4, 2x2 boxes, digits 0-3"),
        ("0..1 .... ....", "12 cells"),
        ("0..1\n....\n....", "3 rows on a board"),
        ("0..1\n....\n...\n....", "3 cells on a board"),
    ],
)
def test_text_that_does_not_fit_is_refused_with_its_place(text: str, problem: str) -> None:
    with pytest.raises(PuzzleFormatError, match=problem):
        gridproof.parse(text, FROM_ZERO)


@pytest.mark.parametrize("text", ["", "9", "8-0", "-1-8", "a-b", "0-8-9"])
def test_digits_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(GeometryError, match="digit"):
        read_digits(text)


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ('digits = "0-2"', "3 digits on a board where a row has 4 cells"),
        ('digits = "x"', "expected the first and the last digit"),
        ('size = "4"', "expected rows x columns"),
        ('size = "2x8"\nboxes = "2x3"', "expected boxes that fill the board"),
    ],
)
def test_a_file_with_digits_or_a_size_that_no_board_has_is_refused(keys: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_puzzle(f'clues = "{"." * 16}"\n{keys}\n')


def test_grids_and_records_show_digits() -> None:
    verdict = gridproof.verify("0123 23.. 1... ...0", shape=FROM_ZERO)
    assert verdict.is_unique
    grid = verdict.solution
    assert grid is not None
    assert grid["r1c1"] == 0
    assert grid[1, 4] == 3
    assert grid.rows[0] == (0, 1, 2, 3)
    assert repr(grid) == "<Grid 0123 2301 1032 3210>"
    assert str(grid).splitlines()[1] == "│ 0 1 │ 2 3 │"
    [record] = gridproof.verify_many(["0123 23.. 1... ...0".replace(" ", "")] * 1, shape=FROM_ZERO)
    assert record.solution == "0123230110323210"


def test_two_solutions_of_an_oblong_board_differ_in_cells_by_its_columns() -> None:
    [record] = gridproof.verify_many(["12.../...../....."], shape=Geometry.oblong(3, 5))
    assert record.solution
    assert record.second_solution
    cells = record.solution.replace("/", ""), record.second_solution.replace("/", "")
    expected = []
    for cell in range(15):
        if cells[0][cell] != cells[1][cell]:
            expected.append(f"r{cell // 5 + 1}c{cell % 5 + 1}")
    assert record.differing == expected


def test_commands_take_digits_and_a_size(call: Command, tmp_path: Path) -> None:
    line = "0123" + "23.." + "1..." + "...0"
    assert call("solve", "-q", "--digits", "0-3", "--boxes", "2x2", line).out.split() == ["0123230110323210"]
    answer = call("verify", "--json", "-q", "--size", "2x3", "123/...").records[0]
    assert answer["verdict"] == "multiple"
    file = tmp_path / "own.toml"
    file.write_text(f'size = "4x4"\ndigits = "0-5"\nclues = "{line}"\n', encoding="utf-8")
    assert call("count", "-q", str(file)).out.split()[-1].isdigit()


SOLUTION = "3617750303765741"


def data_of_sudokupad() -> dict[str, Any]:
    cells: list[list[dict[str, Any]]] = [[{} for _ in range(4)] for _ in range(4)]
    cells[0][3] = {"value": 7}
    cells[1][2] = {"value": 0}
    cells[3][0] = {"value": 5, "given": False}
    quarter = [[0, 0], [0, 1], [1, 0], [1, 1]]
    regions = [[[row + down, column + right] for row, column in quarter] for down in (0, 2) for right in (0, 2)]
    cages = [{"cells": [[0, 0], [0, 1]], "value": 9, "unique": True}]
    return {"cells": cells, "regions": regions, "cages": cages, "metadata": {"solution": SOLUTION}}


def data_of_f_puzzles() -> dict[str, Any]:
    grid: list[list[dict[str, Any]]] = [[{} for _ in range(4)] for _ in range(4)]
    grid[0][3] = {"value": 7, "given": True}
    grid[1][2] = {"value": 0, "given": True}
    grid[3][0] = {"value": 5}
    cages = [{"cells": ["R1C1", "R1C2"], "value": "9"}]
    return {"size": 4, "grid": grid, "killercage": cages, "solution": list(SOLUTION)}


@pytest.mark.parametrize("data", [data_of_sudokupad(), data_of_f_puzzles()], ids=["SudokuPad", "f-puzzles"])
def test_digits_that_a_person_states_are_those_of_a_link(data: dict[str, Any]) -> None:
    text = json.dumps(data)
    assert read_puzzle(text).not_understood, "a 4x4 without stated digits has no 7"
    puzzle = read_puzzle(text, Digits(0, 7))
    geometry = puzzle.board.geometry
    assert not puzzle.not_understood
    assert geometry == Geometry.classic(2).with_digits(Digits(0, 7))
    assert puzzle.board.text() == "...7..0........."
    assert [geometry.symbol_text(symbol) for symbol in puzzle.board.filled if symbol] == ["5"]
    assert puzzle.solution is not None
    assert "".join(geometry.symbol_text(symbol) for symbol in puzzle.solution) == SOLUTION
    assert gridproof.verify(text, shape=Digits(0, 7)).evidence.stored == "not_only"


def test_a_link_with_more_cells_in_a_house_than_there_are_stated_digits_is_refused(
    call: Command, tmp_path: Path
) -> None:
    file = tmp_path / "link.txt"
    file.write_text(json.dumps(data_of_sudokupad()) + "\n", encoding="utf-8")
    result = call("verify", "--digits", "0-2", str(file))
    assert result.code == 2
    assert "3 digits" in result.out
    assert call("verify", "--digits", "0-7", str(file)).out.startswith("multiple")


ISS_FROM_ZERO = ".Shape~4x4~0-3.~R1C1_0~R1C2_1.Cage~3~R2C1~R2C2.Whisper~2~R3C1~R4C1.CountingCircles~R3C3~R3C4~R4C3"


@pytest.mark.parametrize(
    "string",
    [
        ISS_FROM_ZERO,
        ".Shape~6x6~9.~R1C1_9.Cage~17~R1C2~R1C3",
        ".Shape~6x6~9.RegionSize~9.~R1C1_9",
        ".Shape~4x4~0-6.~R4C4_0",
        ".Shape~4x6.~R4C6_6.LittleKiller~9~R1C3.XSum~R4~~9.Quad~R3C5~1~2",
        ".Shape~7x7~9.DutchFlatmates",
        ".Shape~4x4~6.NoBoxes.Jigsaw~1112122233343444.AllDifferent~R1C1~R4C4",
    ],
)
def test_strings_of_the_interactive_sudoku_solver_state_digits(string: str) -> None:
    puzzle = read_puzzle(string)
    assert not puzzle.not_understood
    written = all_formats()["iss"].text_of(puzzle)
    assert read_puzzle(written).board == puzzle.board


def test_the_boxes_of_a_string_have_as_many_cells_as_a_line_or_as_its_region_size_states() -> None:
    assert read_puzzle(".Shape~6x6~9.~R1C1_9").board.geometry == Geometry.oblong(6, 6, Digits(1, 9), (2, 3))
    boxes_of_nine = Geometry.oblong(6, 6, Digits(1, 9), (3, 3))
    assert read_puzzle(".Shape~6x6~9.RegionSize~9.~R1C1_9").board.geometry == boxes_of_nine
    assert read_puzzle(".Shape~9x9~0-9.~R1C1_0").board.geometry == Geometry.oblong(9, 9, Digits(0, 9), (3, 3))
    assert read_puzzle(".Shape~9x9~0-8.~R1C1_0").board.geometry == Geometry.classic().with_digits(Digits(0, 8))


def test_strings_state_oblong_boards() -> None:
    assert read_puzzle(".Shape~6x8.~R1C1_8").board.geometry == Geometry.oblong(6, 8, None, (2, 4))
    assert read_puzzle(".Shape~9x8.~R1C1_9").board.geometry == Geometry.oblong(9, 8)
    board = read_puzzle(".Shape~3x4.LittleKiller~7~R1C4.Skyscraper~C4~2~.~R3C4_4").board
    assert sorted(rule.text(board.geometry) for rule in board.rules) == [
        "little-killer total=7 r1c4 r2c3 r3c2",
        "skyscraper seen=2 r1c4 r2c4 r3c4",
    ]


def test_one_piece_of_a_jigsaw_may_be_what_the_others_leave() -> None:
    pieces = "1112222 1112222 1113332 4443333 4443333 4445555 4445555".replace(" ", "")
    string = f".Shape~7x7~9.RegionSize~9.Jigsaw~{pieces}.NoBoxes"
    assert read_puzzle(string).not_understood  # four labels have other sizes
    pieces = "1110000 1110000 1110000 0000000 0002220 0002220 0002220".replace(" ", "")
    board = read_puzzle(f".Shape~7x7~9.RegionSize~9.Jigsaw~{pieces}.NoBoxes.~R1C1_9").board
    assert board.geometry.region_of is None
    assert [len(house.cells) for house in board.geometry.houses if house.kind == "region"] == [9, 9]
    (part,) = read_puzzle(f".Shape~7x7~9.RegionSize~9.Jigsaw~{pieces}.NoBoxes.RegionSumLine~R1C1~R1C5").not_understood
    assert "leave cells" in part.what


@pytest.mark.parametrize("string", [".Shape~6x8~~Raw.~R1C1_1", ".Shape~9x9~9~Raw.~R1C1_1", ".Shape~9x9~8.~R1C1_1"])
def test_a_shape_that_is_not_read_is_not_understood_and_no_error(string: str) -> None:
    assert read_puzzle(string).not_understood
    with pytest.raises(NotUnderstoodError, match="which is not read"):
        gridproof.verify(string)
