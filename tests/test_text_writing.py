"""Writing: what is written is read back; solutions are lines or rows as their puzzles are."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gridproof.errors import BoardError, PuzzleFormatError
from gridproof.formats import Puzzle, SolutionWriter, parse, read, to_line, to_rows_text
from gridproof.formats.writing import drawn, marks_line
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from text_samples import (
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
    mark_grid,
    marked_boards,
    only,
)

ALONE = ("csv", "toml")
"""Layouts that are a whole file each."""


class TestRoundTrips:
    @settings(max_examples=150, deadline=None)
    @given(board=boards(), layout=st.sampled_from([*LAYOUTS]))
    def test_every_layout(self, board: Board, layout: str) -> None:
        assert parse(LAYOUTS[layout](board), board.geometry) == board

    @settings(max_examples=60, deadline=None)
    @given(first=boards(SHAPES[1:17]), layout=st.sampled_from([name for name in LAYOUTS if name not in ALONE]))
    def test_two_in_a_row(self, first: Board, layout: str) -> None:
        geometry = first.geometry
        second = Board(geometry, first.clues[::-1])
        text = f"{LAYOUTS[layout](first)}\n\n{LAYOUTS[layout](second)}\n"
        found = [item.board for item in read(text, geometry) if isinstance(item, Puzzle)]
        assert found == [first, second]

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
    @given(board=marked_boards())
    def test_marks_on_a_line(self, board: Board) -> None:
        assert parse(marks_line(board), board.geometry) == board

    @settings(max_examples=60, deadline=None)
    @given(board=marked_boards(SHAPES[1:9], least=1))
    def test_marks_in_columns(self, board: Board) -> None:
        assume(0 not in board.candidates)
        assert parse(mark_grid(board), board.geometry).candidates == board.candidates

    @settings(max_examples=60, deadline=None)
    @given(board=boards())
    def test_lists_and_arrays(self, board: Board) -> None:
        n = board.geometry.order
        rows = [list(board.clues[start : start + n]) for start in range(0, n * n, n)]
        for values in (
            rows,
            [[value or None for value in row] for row in rows],
            [[str(value) if value else "" for value in row] for row in rows],
            np.array(rows),
            np.array(board.clues, float),
        ):
            assert parse(values, board.geometry) == board


def test_what_is_written() -> None:
    clues = only(LINE).board.clues
    assert drawn(clues, NINE).splitlines()[:4] == [
        "5 3 . | . 7 . | . . .",
        "6 . . | 1 9 5 | . . .",
        ". 9 8 | . . . | . 6 .",
        "------+-------+------",
    ]
    assert drawn((0,) * 36, Geometry.classic(2, 3)).splitlines()[:3] == [". . . | . . ."] * 2 + ["------+------"]
    assert drawn((1, 2, 2, 1), Geometry.latin(2)) == "1 2\n2 1"
    large, geometry = (36, *[0] * 1295), Geometry.classic(6)
    assert to_line(large, geometry).startswith("36 . . ")
    assert to_rows_text(large, geometry).startswith("36  .  .")
    assert drawn(large, geometry).startswith("36  .  .  .  .  . |")
    assert to_line((16, 10, *[0] * 254), Geometry.classic(4)).startswith("GA..")
    assert marks_line(Board(FOUR, (2, *[0] * 15))) == ".2.." + "1234" * 15
    with pytest.raises(BoardError, match="order 36"):
        marks_line(Board.empty(geometry))
    for values in ((1,) * 15, (5,) * 16, (-1,) * 16):
        with pytest.raises(BoardError):
            to_line(values, FOUR)


class TestSolutionWriter:
    def written(self, text: str, grids: list[tuple[int, ...] | None]) -> str:
        stream = io.StringIO()
        writer = SolutionWriter(stream)
        for item, grid in zip(read(text), grids, strict=True):
            if isinstance(item, Puzzle) and grid is not None:
                writer.solution(item, grid)
            else:
                writer.no_solution(item, "malformed" if isinstance(item, PuzzleFormatError) else "none")
        return stream.getvalue()

    def test_lines_in_lines_out(self) -> None:
        assert self.written(f"{LINE}\n{LINE}\nend\n", [GRID, GRID]) == f"{SOLUTION}\n{SOLUTION}\n"

    def test_a_grid_of_another_size_is_refused(self) -> None:
        with pytest.raises(BoardError):
            SolutionWriter(io.StringIO()).solution(only(LINE), (1,) * 16)

    def test_a_drawn_grid_gives_rows(self) -> None:
        assert self.written(drawn(only(LINE).board.clues, NINE), [GRID]) == "\n".join(SOLVED) + "\n"

    def test_a_blank_line_between_grids_only(self) -> None:
        rows, solved = "\n".join(ROWS), "\n".join(SOLVED)
        text = f"{LINE}\n{LINE}\n\n{rows}\n\n{rows}\n\n{LINE}\n"
        expected = f"{SOLUTION}\n{SOLUTION}\n\n{solved}\n\n{solved}\n\n{SOLUTION}\n"
        assert self.written(text, [GRID] * 5) == expected

    def test_places_without_a_solution_are_kept(self) -> None:
        text = f"{LINE}\n{LINE[:80]}\n{LINE}\n"
        assert self.written(text, [None, None, GRID]) == f"# line 1: none\n# line 2: malformed\n{SOLUTION}\n"

    def test_a_reason_of_several_lines_stays_a_comment(self) -> None:
        stream = io.StringIO()
        SolutionWriter(stream).no_solution(only(LINE), "bad\nreason\r\n53")
        assert stream.getvalue() == "# line 1: bad reason 53\n"

    def test_csv_gets_a_solution_column(self) -> None:
        text = f'id,puzzle,name\n1,{LINE},"a, b"\n2,{LINE},\n'
        expected = f'id,puzzle,name,solution\n1,{LINE},"a, b",{SOLUTION}\n2,{LINE},,\n'
        assert self.written(text, [GRID, None]) == expected

    def test_csv_with_a_solution_column_has_it_filled(self) -> None:
        text = f"answer;Quizzes\nx;{LINE[:80]}\n;{LINE}\n"
        expected = f"answer;Quizzes\n;{LINE[:80]}\n{SOLUTION};{LINE}\n"
        assert self.written(text, [None, GRID]) == expected

    def test_malformed_records_are_kept_as_they_are(self) -> None:
        text = f"id,puzzle\n1,{LINE[:80]}\n2\n3,{LINE}\n"
        expected = f"id,puzzle,solution\n1,{LINE[:80]},\n2,,\n3,{LINE},{SOLUTION}\n"
        assert self.written(text, [None, None, GRID]) == expected

    def test_what_it_writes_is_read_again(self) -> None:
        text = f"id,puzzle\n1,{LINE}\n"
        (item,) = read(self.written(text, [GRID]))
        assert isinstance(item, Puzzle)
        assert item.solution == GRID
