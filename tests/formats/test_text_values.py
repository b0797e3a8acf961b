"""Boards from Python values, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from formats.notations import FOUR, LINE, NINE, ROWS
from gridproof.errors import PuzzleFormatError
from gridproof.formats import parse
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

BOARD = Board.from_symbols(NINE, LINE)
NUMBERS = [[int(cell) if cell != "." else 0 for cell in row] for row in ROWS]
FLAT = [cell for row in NUMBERS for cell in row]
ARRAY = np.array(NUMBERS)


def test_rows_cells_and_arrays() -> None:
    values: list[Any] = [
        NUMBERS, ROWS, tuple(map(tuple, NUMBERS)), [list(row) for row in ROWS], [np.array(row) for row in NUMBERS],
        FLAT, tuple(FLAT), list(LINE), LINE, LINE.encode(), BOARD, [value or None for value in FLAT],
        [np.array(value) for value in FLAT], [[float(value) for value in row] for row in NUMBERS],
        [[value or float("nan") for value in row] for row in NUMBERS],
        [[str(value) if value else " " for value in row] for row in NUMBERS],
        [[np.int8(value) for value in row] for row in NUMBERS],
        [[np.float32(value) for value in row] for row in NUMBERS],
        [[str(value).encode() for value in row] for row in NUMBERS],
        ARRAY, ARRAY.reshape(81), ARRAY.astype(np.uint8), ARRAY.T.copy().T, np.asfortranarray(ARRAY),
        np.where(ARRAY == 0, np.nan, ARRAY), np.ma.masked_equal(ARRAY, 0), np.array([list(row) for row in ROWS]),
        np.array(ROWS), np.array([[value or None for value in row] for row in NUMBERS], dtype=object),
    ]  # fmt: skip
    for number, value in enumerate(values):
        assert parse(value) == parse(value, NINE) == BOARD, number


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_cells_of_a_table_in_memory(library: str) -> None:
    tables = pytest.importorskip(library)
    assert parse(tables.Series(FLAT)) == parse(tables.DataFrame(ARRAY)) == BOARD


def test_a_symbol_of_two_digits_is_a_cell() -> None:
    board = Board.empty(Geometry.classic(4)).with_clue(0, 16)
    assert parse(["16", *["."] * 255]) == parse([16, *[0] * 255]) == board
    assert parse(["21", "12"], Geometry.latin).clues == (2, 1, 1, 2)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "a value of type NoneType: 'None'; expected a puzzle: a text, a Board, or its cells in a list or"),
        (5, "a value of type int: '5'"),
        ({5, 6}, "a value of type set"),
        (np.int64(5), "an array of this shape"),
        ([], "0 cells"),
        ([[]], "a board without a geometry"),
        ([[1, 2]], "row 1 of 2 cells"),
        ([LINE, LINE], "row 1 of 81 cells"),
        ([[0] * 9] * 8, "row 1 of 9 cells"),
        ([*NUMBERS[:8], NUMBERS[8][:8]], "row 9 of 8 cells"),
        ([*[0] * 80, [5]], "r9c9: '\\[5\\]'"),
        *((np.zeros(shape, int), "array|cells") for shape in [(9, 8), (3, 27), (80,), (9, 9, 1), (), (0, 0), (0,)]),
    ],
)  # fmt: skip
def test_what_is_no_puzzle_is_refused(value: Any, message: str) -> None:
    with pytest.raises(PuzzleFormatError, match=message):
        parse(value)


@pytest.mark.parametrize("bad", [10, -1, 1.5, "x", "10", True, [], float("inf"), 10**30, b"x", 1 + 2j])
def test_other_values_are_refused_with_their_cell(bad: object) -> None:
    rows: list[list[object]] = [list(row) for row in NUMBERS]
    rows[3][6] = bad
    with pytest.raises(PuzzleFormatError, match="r4c7") as raised:
        parse(rows)
    assert raised.value.line is None
    assert "1-9" in raised.value.expected


def test_the_geometry_is_respected() -> None:
    with pytest.raises(PuzzleFormatError, match="expected 4"):
        parse(NUMBERS, FOUR)
    with pytest.raises(PuzzleFormatError, match="order 5"):
        parse([[0] * 5] * 5)
    assert parse([[0] * 5] * 5, Geometry.latin).geometry == Geometry.latin(5)
