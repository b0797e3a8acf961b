"""Sizes that mean more than one thing, and what settles them: the geometry, else the rules written down in the code."""

from __future__ import annotations

import pytest

from gridproof.errors import GeometryError, PuzzleFormatError
from gridproof.formats import Puzzle, read
from gridproof.formats.lines import Line
from gridproof.puzzle.geometry import Geometry
from text_samples import FOUR, LAYOUTS, LINE, NINE, error_of, items, only

SIXTEEN = Geometry.classic(4)
FOUR_LINE = "1...2...3...4..."
SIXTEEN_ROWS = ["G" + "." * 15, *["." * 16] * 14, "." * 15 + "A"]


class TestSixteenCharacters:
    def test_one_line_is_a_puzzle_of_order_four(self) -> None:
        assert only(FOUR_LINE).board.geometry == FOUR

    def test_lines_of_small_symbols_are_puzzles_of_order_four(self) -> None:
        for count in (2, 15, 16, 17, 32, 100):
            assert items("\n".join([FOUR_LINE] * count)) == [FOUR_LINE] * count

    def test_sixteen_lines_with_a_larger_symbol_are_a_board(self) -> None:
        assert only("\n".join(SIXTEEN_ROWS)).board.geometry == SIXTEEN
        assert items("\n".join(SIXTEEN_ROWS * 3)) == ["".join(SIXTEEN_ROWS)] * 3
        one = ["5" + "." * 15, *["." * 16] * 15]
        assert only("\n".join(one)).board.geometry == SIXTEEN

    def test_one_larger_symbol_in_many_lines_is_a_damaged_puzzle(self) -> None:
        lines = [FOUR_LINE] * 64
        lines[20] = "7" + "." * 15
        assert [item for item in items("\n".join(lines)) if ":" in item] == ["21:1"]
        assert len(items("\n".join(lines))) == 64

    def test_a_row_too_few_is_one_error(self) -> None:
        rows = ["G" * 16] * 15
        error = error_of("\n".join(rows))
        assert "15 rows" in error.problem
        assert "16 rows of 16 cells" in error.expected

    def test_the_geometry_settles_it(self) -> None:
        assert items("\n".join([FOUR_LINE] * 16), SIXTEEN) == [FOUR_LINE * 16]
        assert len(items("\n".join(SIXTEEN_ROWS), FOUR)) == 16
        assert items(FOUR_LINE, SIXTEEN) == ["1:1"]

    def test_words_too(self) -> None:
        spaced = " ".join(FOUR_LINE)
        assert only(spaced).board.geometry == FOUR
        assert items("\n".join([spaced] * 16)) == [FOUR_LINE] * 16
        assert items("\n".join([spaced] * 16), SIXTEEN) == [FOUR_LINE * 16]
        rows = ["16 " + ". " * 15] * 16
        assert only("\n".join(rows)).board.geometry == SIXTEEN


class TestCubes:
    """64 = 4*4*4 = 8*8 and 729 = 9*9*9 = 27*27."""

    def test_symbols_in_their_places_are_pencil_marks(self) -> None:
        assert only("1234" * 16).board.geometry == FOUR
        assert only("123456789" * 81).board.geometry == NINE
        assert only("1..." * 16).board.geometry == FOUR

    def test_a_symbol_out_of_place_makes_a_line(self) -> None:
        line = "2341" + "." * 60
        puzzle = only(line)
        assert puzzle.board.geometry == Geometry.classic(2, 4)
        assert only("R" + "." * 728).board.geometry.order == 27

    def test_too_few_symbols_make_a_line(self) -> None:
        assert only("1" + "." * 63).board.geometry.order == 8
        assert only("." * 64).board.geometry.order == 8
        assert only("." * 729).board.geometry.order == 27

    def test_the_geometry_settles_it(self) -> None:
        assert only("1234" * 16, Geometry.classic(2, 4)).board.clue_count == 64
        assert only("1" + "." * 63, FOUR).board.candidates[:2] == (1, 0)
        assert only("." * 729, NINE).board.candidates == (0,) * 81
        assert items("2341" + "." * 60, FOUR) == ["1:1"]
        assert only("." * 729, Geometry.latin(27)).board.clue_count == 0

    def test_larger_cubes_can_only_be_pencil_marks(self) -> None:
        marks = "123456789ABCDEFG" * 256
        assert only(marks).board.geometry == SIXTEEN

    def test_cubes_of_up_to_35_characters_are_rows_unless_the_geometry_says_otherwise(self) -> None:
        rows = ["12345678"] * 8
        assert only("\n".join(rows)).board.geometry.order == 8
        assert only("12345678"[:2] * 4, Geometry.latin(2)).board.clue_count == 0
        assert only("123" * 9, Geometry.latin(3)).board.clue_count == 0


class TestOrdersWithoutGeometry:
    def test_nine_characters_are_a_row(self) -> None:
        assert items("\n".join(["........."] * 9)) == ["." * 81]
        assert "9 rows of 9 cells" in error_of("123...21.").expected

    def test_latin_squares_of_order_three_on_a_line(self) -> None:
        assert items("123...21.", Geometry.latin) == ["123...21."]
        assert items("\n".join(["123...21."] * 5), Geometry.latin) == ["123...21."] * 5
        rows = [LINE[start : start + 9] for start in range(0, 81, 9)]
        assert items("\n".join(rows), Geometry.latin) == [LINE]

    def test_twenty_five_characters(self) -> None:
        line = "12345" + "." * 20
        assert "--latin" in str(error_of(line))
        assert items(line, Geometry.latin) == [line]
        assert items(line, Geometry.latin(5)) == [line]
        rows = ["P" + "." * 24] * 25
        assert items("\n".join(rows)) == ["".join(rows)]

    def test_a_geometry_that_only_some_orders_have(self) -> None:
        def shape(order: int) -> Geometry:
            if order != 6:
                raise GeometryError(f"order {order}; expected 6 (--boxes 2x3)")
            return Geometry.classic(2, 3)

        found = list(read("\n".join(["." * 36, LINE, "123456" * 6]), shape))
        assert [isinstance(item, Puzzle) for item in found] == [True, False, True]
        assert isinstance(found[1], PuzzleFormatError)
        assert "6 (--boxes 2x3)" in found[1].expected

    def test_a_geometry_of_another_order_than_asked_for(self) -> None:
        error = error_of(LINE, lambda order: Geometry.classic(2))
        assert "order 9" in error.problem

    def test_one_geometry_is_asked_for_once(self) -> None:
        asked: list[int] = []

        def shape(order: int) -> Geometry:
            asked.append(order)
            return Geometry.standard(order)

        assert items("\n".join([LINE] * 5 + ["." * 36] * 5), shape) == [LINE] * 5 + ["." * 36] * 5
        assert sorted(asked) == [6, 9]


class TestMixtures:
    def test_orders_may_change_from_line_to_line(self) -> None:
        lines = [LINE, FOUR_LINE, "." * 36, "." * 256, LINE]
        assert items("\n".join(lines)) == lines

    def test_every_form_in_one_stream(self) -> None:
        board = only(LINE).board
        texts = [write(board) for name, write in LAYOUTS.items() if name not in ("csv", "toml")]
        for shape in (Geometry.standard, NINE):
            assert items("\n\n".join(texts), shape) == [LINE] * len(texts)

    def test_large_numbers_are_words_of_a_row(self) -> None:
        rows = "\n".join(" ".join("36" if column == row else "." for column in range(36)) for row in range(36))
        assert only(rows).board.geometry.order == 36

    @pytest.mark.parametrize("order", [36, 49, 64, 81])
    def test_rows_of_squares_with_large_symbols(self, order: int) -> None:
        rows = "\n".join(" ".join([str(order), *"." * (order - 1)]) for _ in range(order))
        assert only(rows).board.geometry.order == order

    def test_each_row_of_a_large_board_is_decoded_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        decoded: list[int] = []
        cells = Line.cells

        def counting(line: Line, want: int, order: int) -> list[str] | None:
            decoded.append(line.number)
            return cells(line, want, order)

        monkeypatch.setattr(Line, "cells", counting)
        rows = [" ".join(str((row * 6 + row // 6 + column) % 36 + 1) for column in range(36)) for row in range(36)]
        assert only("\n".join(rows)).board.clue_count == 36**2
        assert decoded == list(range(1, 37))

    @pytest.mark.parametrize("order", [6, 8, 9, 10])
    def test_a_line_of_small_numbers(self, order: int) -> None:
        assert only(" ".join(["1", *"." * (order**2 - 1)])).board.geometry.order == order
