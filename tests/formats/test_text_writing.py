"""Writing: what is written is read back; solutions are lines or rows as their puzzles are."""

from __future__ import annotations

import io

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from formats.notations import (
    FOUR,
    GRID,
    LAYOUTS,
    LINE,
    NINE,
    ROWS,
    SHAPES,
    SOLUTION,
    SOLVED,
    boards,
    marked_boards,
    only,
)
from gridproof.errors import BoardError, PuzzleFormatError
from gridproof.formats import Puzzle, SolutionWriter, parse, read, to_line, to_rows_text
from gridproof.formats.catalog import all_formats
from gridproof.formats.known.text import draw_board, marks_line
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

ALONE = ("csv", "toml")
"""Layouts that are a whole file each."""


class TestRoundTrips:
    @settings(max_examples=150, deadline=None)
    @given(board=boards(), layout=st.sampled_from([*LAYOUTS]))
    def test_every_layout(self, board: Board, layout: str) -> None:
        text, geometry = LAYOUTS[layout](board), board.geometry
        assert parse(text, geometry) == board
        if layout not in ALONE and geometry.order > 1:
            second = Board(geometry, board.clues[::-1])
            results = read(f"{text}\n\n{LAYOUTS[layout](second)}\n", geometry)
            assert [item.board for item in results if isinstance(item, Puzzle)] == [board, second]

    @settings(max_examples=150, deadline=None)
    @given(board=boards([shape for shape in SHAPES if shape.order > 5]), layout=st.sampled_from([*LAYOUTS]))
    def test_the_order_is_found(self, board: Board, layout: str) -> None:
        # the only sizes that mean more than one thing are settled by symbols (see test_text_orders)
        root = round(board.geometry.order**0.5)
        assume(root * root != board.geometry.order or max(board.clues) > root)

        def shape(order: int) -> Geometry:
            return board.geometry if order == board.geometry.order else Geometry.standard(order)

        assert parse(LAYOUTS[layout](board), shape) == board

    @settings(max_examples=60, deadline=None)
    @given(board=marked_boards(), few=marked_boards([FOUR, Geometry.classic(2, 3), NINE], least=1))
    def test_marks(self, board: Board, few: Board) -> None:
        assert parse(marks_line(board), board.geometry) == board
        assume(0 not in few.candidates)
        assert parse(all_formats()["marks"].text_of(Puzzle(few)), few.geometry).candidates == few.candidates


def test_what_is_written() -> None:
    bars = ["5 3 . | . 7 . | . . .", "6 . . | 1 9 5 | . . .", ". 9 8 | . . . | . 6 .", "------+-------+------"]
    assert draw_board(only(LINE).board.clues, NINE).splitlines()[:4] == bars
    assert draw_board((0,) * 36, Geometry.classic(2, 3)).splitlines()[:3] == [". . . | . . ."] * 2 + ["------+------"]
    assert draw_board((1, 2, 2, 1), Geometry.latin(2)) == "1 2\n2 1"
    large, geometry = (36, *[0] * 1295), Geometry.classic(6)
    assert to_line(large, geometry).startswith("36 . . ")
    assert to_rows_text(large, geometry).startswith("36  .  .")
    assert draw_board(large, geometry).startswith("36  .  .  .  .  . |")
    assert to_line((16, 10, *[0] * 254), Geometry.classic(4)).startswith("GA..")
    assert marks_line(Board(FOUR, (2, *[0] * 15))) == ".2.." + "1234" * 15
    with pytest.raises(BoardError, match="36x36"):
        marks_line(Board.empty(geometry))
    for values in ((1,) * 15, (5,) * 16, (-1,) * 16):
        with pytest.raises(BoardError):
            to_line(values, FOUR)


ROWS_TEXT, SOLVED_TEXT = "\n".join(ROWS), "\n".join(SOLVED)


@pytest.mark.parametrize(
    ("text", "grids", "expected"),
    [
        (f"{LINE}\n{LINE}\nend\n", [GRID, GRID], f"{SOLUTION}\n{SOLUTION}\n"),
        (draw_board(only(LINE).board.clues, NINE), [GRID], SOLVED_TEXT + "\n"),
        (  # a blank line between grids only
            f"{LINE}\n{LINE}\n\n{ROWS_TEXT}\n\n{ROWS_TEXT}\n\n{LINE}\n",
            [GRID] * 5,
            f"{SOLUTION}\n{SOLUTION}\n\n{SOLVED_TEXT}\n\n{SOLVED_TEXT}\n\n{SOLUTION}\n",
        ),
        (
            f"{LINE}\n{LINE[:80]}\n{LINE}\n",
            [None, None, GRID],
            f"# line 1: none, and why\n# line 2: malformed\n{SOLUTION}\n",
        ),
        (  # CSV gets a solution column
            f'id,puzzle,name\n1,{LINE},"a, b"\n2,{LINE},\n',
            [GRID, None],
            f'id,puzzle,name,solution\n1,{LINE},"a, b",{SOLUTION}\n2,{LINE},,\n',
        ),
        (  # or has it filled
            f"answer;Quizzes\nx;{LINE[:80]}\n;{LINE}\n",
            [None, GRID],
            f"answer;Quizzes\n;{LINE[:80]}\n{SOLUTION};{LINE}\n",
        ),
        (  # and keeps malformed records as they are
            f"id,puzzle\n1,{LINE[:80]}\n2\n3,{LINE}\n",
            [None, None, GRID],
            f"id,puzzle,solution\n1,{LINE[:80]},\n2,,\n3,{LINE},{SOLUTION}\n",
        ),
    ],
)
def test_solutions(text: str, grids: list[tuple[int, ...] | None], expected: str) -> None:
    stream = io.StringIO()
    writer = SolutionWriter(stream)
    for item, grid in zip(read(text), grids, strict=True):
        if isinstance(item, Puzzle) and grid is not None:
            writer.solution(item, grid)
        else:
            writer.no_solution(item, "malformed" if isinstance(item, PuzzleFormatError) else "none,\nand why\r\n")
    assert stream.getvalue() == expected


def test_a_grid_of_another_size_is_refused() -> None:
    with pytest.raises(BoardError):
        SolutionWriter(io.StringIO()).solution(only(LINE), (1,) * 16)
