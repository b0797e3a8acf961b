"""Writing: what is written is read back, and a solution comes in the form of its puzzle."""

from __future__ import annotations

import io

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gridproof.errors import BoardError, PuzzleFormatError
from gridproof.formats import (
    Form,
    Puzzle,
    SolutionWriter,
    from_array,
    from_marks,
    from_rows,
    parse,
    read,
    to_array,
    to_decorated,
    to_line,
    to_lists,
    to_mark_grid,
    to_marks,
    to_numbers,
    write,
    write_grid,
)
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from text_samples import FOUR, GRID, LINE, NINE, ROWS, SHAPES, SOLUTION, boards, marked_boards, only

PLAIN = [form for form in Form if form not in (Form.MARKS, Form.MARK_GRID)]


class TestRoundTrips:
    @settings(max_examples=150, deadline=None)
    @given(board=boards(), form=st.sampled_from(PLAIN))
    def test_every_form(self, board: Board, form: Form) -> None:
        assert parse(write(board, form), board.geometry) == board

    @settings(max_examples=60, deadline=None)
    @given(
        first=boards(SHAPES[1:17]),
        # these are one for each source
        form=st.sampled_from([form for form in PLAIN if form not in (Form.CSV, Form.JUDGE, Form.TOML)]),
    )
    def test_two_in_a_row(self, first: Board, form: Form) -> None:
        second = Board(first.geometry, tuple(reversed(first.clues)))
        text = f"{write(first, form)}\n\n{write(second, form)}\n"
        assert [item.board for item in read(text, first.geometry) if isinstance(item, Puzzle)] == [first, second]

    @pytest.mark.parametrize(("order", "wide"), [(16, 68), (27, 427)])
    def test_numbers_whose_digits_are_as_many_as_the_cells_of_a_larger_board(self, order: int, wide: int) -> None:
        geometry = Geometry.standard(order)
        board = Board(geometry, (10,) * wide + (1,) * (order**2 - wide))
        text = write(board, Form.NUMBER_LINE)
        assert len(text.replace(" ", "")) in (18**2, 34**2)
        assert parse(text) == board

    @settings(max_examples=100, deadline=None)
    @given(board=boards([shape for shape in SHAPES if shape.order > 1]), form=st.sampled_from(PLAIN))
    def test_the_order_is_found(self, board: Board, form: Form) -> None:
        # the only sizes that mean more than one thing are settled by symbols (see test_text_orders)
        if form in (Form.LINE, Form.CSV, Form.JUDGE):
            assume(board.geometry.order not in (2, 3, 5) or form is Form.CSV)
        root = round(board.geometry.order**0.5)
        assume(root * root != board.geometry.order or max(board.clues) > root)
        assume(board.geometry.order > 5)

        def shape(order: int) -> Geometry:
            return board.geometry if order == board.geometry.order else Geometry.standard(order)

        assert parse(write(board, form), shape) == board

    @settings(max_examples=80, deadline=None)
    @given(board=marked_boards())
    def test_pencil_marks(self, board: Board) -> None:
        assert parse(write(board, Form.MARKS), board.geometry) == board

    @settings(max_examples=60, deadline=None)
    @given(board=marked_boards([FOUR, Geometry.latin(5), Geometry.classic(2, 3), NINE], least=1))
    def test_pencil_marks_in_columns(self, board: Board) -> None:
        assert parse(write(board, Form.MARK_GRID), board.geometry).candidates == board.candidates

    @settings(max_examples=60, deadline=None)
    @given(board=boards(SHAPES[1:13]))
    def test_clues_as_pencil_marks(self, board: Board) -> None:
        assert parse(write(board, Form.MARKS), board.geometry) == board

    @settings(max_examples=60, deadline=None)
    @given(board=boards())
    def test_lists_and_arrays(self, board: Board) -> None:
        geometry = board.geometry
        rows = to_lists(board.clues, geometry)
        assert from_rows(rows, geometry) == board
        assert from_rows([[value or None for value in row] for row in rows], geometry) == board
        assert from_rows([[str(value) if value else "" for value in row] for row in rows], geometry) == board
        array = to_array(board.clues, geometry)
        assert array.shape == (geometry.order, geometry.order)
        assert from_array(array, geometry) == board
        assert from_array(array.reshape(-1), geometry) == board
        assert from_array(array.astype(float), geometry) == board

    @settings(max_examples=40, deadline=None)
    @given(board=marked_boards())
    def test_marks_as_values(self, board: Board) -> None:
        symbols = [
            [symbol for symbol in range(1, board.geometry.order + 1) if mask >> (symbol - 1) & 1]
            for mask in board.candidates
        ]
        assert from_marks(symbols, board.geometry) == board
        assert from_marks(to_marks(board), board.geometry) == board


class TestForms:
    def test_decorated(self) -> None:
        clues = only(LINE).board.clues
        assert to_decorated(clues, NINE).splitlines()[:5] == [
            "5 3 . | . 7 . | . . .",
            "6 . . | 1 9 5 | . . .",
            ". 9 8 | . . . | . 6 .",
            "------+-------+------",
            "8 . . | . 6 . | . . 3",
        ]
        assert to_decorated((0,) * 36, Geometry.classic(2, 3)).splitlines()[:3] == [". . . | . . ."] * 2 + [
            "------+------"
        ]
        assert to_decorated((1, 2, 2, 1), Geometry.latin(2)) == "1 2\n2 1"

    def test_large_symbols_are_numbers_in_columns(self) -> None:
        clues = (36, *[0] * 1295)
        geometry = Geometry.classic(6)
        assert to_line(clues, geometry).startswith("36 . . ")
        assert to_numbers(clues, geometry).startswith("36  .  .")
        assert to_decorated(clues, geometry).startswith("36  .  .  .  .  . |")

    def test_letters(self) -> None:
        assert to_line((16, 10, *[0] * 254), Geometry.classic(4)).startswith("GA..")
        assert to_numbers((16, 10, *[0] * 254), Geometry.classic(4)).startswith("16 10  .")

    def test_marks(self) -> None:
        assert to_marks(Board(FOUR, (2, *[0] * 15))) == ".2.." + "1234" * 15
        assert to_mark_grid(Board(FOUR, (2, *[0] * 15))).splitlines()[0].split() == ["2", "1234", "1234", "1234"]

    def test_refusals(self) -> None:
        with pytest.raises(BoardError, match="marks"):
            write(Board.empty(FOUR).with_marks([3] * 16), Form.LINE)
        with pytest.raises(BoardError, match="order 36"):
            to_marks(Board.empty(Geometry.classic(6)))
        with pytest.raises(BoardError, match="12x12"):
            to_mark_grid(Board.empty(Geometry.classic(3, 4)))
        with pytest.raises(BoardError):
            to_mark_grid(Board.empty(FOUR).with_marks([0] * 16))
        for values in ((1,) * 15, (5,) * 16, (-1,) * 16):
            with pytest.raises(BoardError):
                to_line(values, FOUR)
            with pytest.raises(BoardError):
                to_array(values, FOUR)

    def test_entries_filled_in_later_are_no_part_of_the_puzzle(self) -> None:
        board = only(LINE).board
        assert write(board.with_filled(GRID)) == LINE


SOLVED_ROWS = [SOLUTION[start : start + 9] for start in range(0, 81, 9)]


class TestSolutions:
    @pytest.mark.parametrize(
        ("puzzle", "solution"),
        [
            (LINE, SOLUTION),
            (LINE.replace(".", "0") + " # comment", SOLUTION),
            (LINE + " name", SOLUTION),
            (" ".join(LINE), " ".join(SOLUTION)),
            ("\n".join(ROWS), "\n".join(SOLVED_ROWS)),
            ("\n".join(" ".join(row) for row in ROWS), "\n".join(" ".join(row) for row in SOLVED_ROWS)),
            (to_decorated(only(LINE).board.clues, NINE), to_decorated(GRID, NINE)),
            (str([list(row) for row in ROWS]), str([list(row) for row in SOLVED_ROWS])),
            ("\n".join(str(list(row)) for row in ROWS), "\n".join(str(list(row)) for row in SOLVED_ROWS)),
            ("\n".join([*ROWS[:3], "", *ROWS[3:]]), None),
            (to_marks(only(LINE).board), SOLUTION),
        ],
    )
    def test_in_the_form_of_the_puzzle(self, puzzle: str, solution: str | None) -> None:
        for item in read(puzzle):
            if solution is None:
                assert isinstance(item, PuzzleFormatError)
            else:
                assert isinstance(item, Puzzle)
                assert write_grid(GRID, item) == solution

    def test_bands_keep_their_blank_lines(self) -> None:
        puzzle = only("\n".join([*ROWS[:3], "", *ROWS[3:6], "", *ROWS[6:]]))
        assert write_grid(GRID, puzzle) == "\n".join([*SOLVED_ROWS[:3], "", *SOLVED_ROWS[3:6], "", *SOLVED_ROWS[6:]])

    def test_decoration_is_kept(self) -> None:
        def drawn(rows: list[str]) -> str:
            barred = [f"║{row[:3]}│{row[3:6]}│{row[6:]}║" for row in rows]
            rule = "╟───┼───┼───╢"
            return "\n".join(["╔═══╤═══╤═══╗", *barred[:3], rule, *barred[3:6], rule, *barred[6:], "╚═══╧═══╧═══╝"])

        for blank in ". 0·":
            assert write_grid(GRID, only(drawn([row.replace(".", blank) for row in ROWS]))) == drawn(SOLVED_ROWS)

    def test_cells_of_nothing_between_bars(self) -> None:
        def drawn(rows: list[str]) -> str:
            return "\n".join(f"| {' | '.join(row)} |" for row in rows)

        assert write_grid(GRID, only(drawn([row.replace(".", " ") for row in ROWS]))) == drawn(SOLVED_ROWS)
        narrow = "\n".join("|" + "|".join(row).replace(".", "") + "|" for row in ROWS)
        assert write_grid(GRID, only(narrow)) == "\n".join("|" + "|".join(row) + "|" for row in SOLVED_ROWS)

    def test_a_grid_of_another_size_is_refused(self) -> None:
        for text in (LINE, "\n".join(ROWS), to_decorated(only(LINE).board.clues, NINE)):
            with pytest.raises(BoardError):
                write_grid((1,) * 16, only(text))

    @settings(max_examples=80, deadline=None)
    @given(board=boards(SHAPES[1:18]), form=st.sampled_from(PLAIN))
    def test_what_is_written_can_be_read(self, board: Board, form: Form) -> None:
        n = board.geometry.order
        grid = tuple((row + column) % n + 1 for row in range(n) for column in range(n))
        puzzle = only(write(board, form), board.geometry)
        text = write_grid(grid, puzzle)
        assert ("\n" in text) == ("\n" in puzzle.text)
        if puzzle.form is Form.CSV:
            text = "puzzle\n" + text.split(",")[-1]
        assert parse(text, board.geometry).clues == grid


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

    def test_a_blank_line_between_grids_only(self) -> None:
        rows, solved = "\n".join(ROWS), "\n".join(SOLVED_ROWS)
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
