"""Sizes that mean more than one thing, and what settles them: the geometry, else the rules written down in the code."""

from __future__ import annotations

import pytest

from formats.notations import FOUR, LAYOUTS, LINE, NINE, ROWS, error_of, items, only
from gridproof.errors import GeometryError, PuzzleFormatError
from gridproof.formats import Puzzle, Shape, read
from gridproof.puzzle.geometry import Geometry

EIGHT, SIXTEEN = Geometry.classic(2, 4), Geometry.classic(4)
FOUR_LINE = "1...2...3...4..."
SIXTEEN_ROWS = ["G" + "." * 15, *["." * 16] * 14, "." * 15 + "A"]


class TestSixteenCharacters:
    def test_lines_of_small_symbols_are_puzzles_of_order_four(self) -> None:
        for count in (1, 2, 15, 16, 17, 32, 100):
            assert items("\n".join([FOUR_LINE] * count)) == [FOUR_LINE] * count
        assert items("\n".join([" ".join(FOUR_LINE)] * 16)) == [FOUR_LINE] * 16

    def test_sixteen_lines_with_a_larger_symbol_are_a_board(self) -> None:
        for rows in (SIXTEEN_ROWS, ["5" + "." * 15, *["." * 16] * 15], ["16 " + ". " * 15] * 16):
            assert only("\n".join(rows)).board.geometry == SIXTEEN
        assert items("\n".join(SIXTEEN_ROWS * 3)) == ["".join(SIXTEEN_ROWS)] * 3

    def test_one_larger_symbol_in_many_lines_is_a_damaged_puzzle(self) -> None:
        lines = [*[FOUR_LINE] * 20, "7" + "." * 15, *[FOUR_LINE] * 43]
        assert items("\n".join(lines)) == [*[FOUR_LINE] * 20, "21:1", *[FOUR_LINE] * 43]

    def test_the_geometry_settles_it(self) -> None:
        for line in (FOUR_LINE, " ".join(FOUR_LINE)):
            assert items("\n".join([line] * 16), SIXTEEN) == [FOUR_LINE * 16]
        assert len(items("\n".join(SIXTEEN_ROWS), FOUR)) == 16
        assert items(FOUR_LINE, SIXTEEN) == ["1:1"]


@pytest.mark.parametrize(
    ("text", "shape", "geometry"),
    [
        # 64 = 4*4*4 = 8*8 and 729 = 9*9*9 = 27*27: symbols in their places are pencil marks, if there are enough
        ("1234" * 16, Geometry.standard, FOUR),
        ("1..." * 16, Geometry.standard, FOUR),
        ("123456789" * 81, Geometry.standard, NINE),
        ("123456789ABCDEFG" * 256, Geometry.standard, SIXTEEN),
        ("2341" + "." * 60, Geometry.standard, EIGHT),
        ("1" + "." * 63, Geometry.standard, EIGHT),
        ("." * 64, Geometry.standard, EIGHT),
        ("R" + "." * 728, Geometry.standard, Geometry.standard(27)),
        ("." * 729, Geometry.standard, Geometry.standard(27)),
        ("1234" * 16, EIGHT, EIGHT),
        ("." * 729, Geometry.latin(27), Geometry.latin(27)),
        # cubes of up to 35 characters are rows, unless the geometry is another
        ("\n".join(["12345678"] * 8), Geometry.standard, EIGHT),
        ("12121212", Geometry.latin(2), Geometry.latin(2)),
        ("123" * 9, Geometry.latin(3), Geometry.latin(3)),
        # nine characters are a row, unless there are Latin squares of order 3
        ("123...21.", Geometry.latin, Geometry.latin(3)),
        ("\n".join(ROWS), Geometry.latin, Geometry.latin(9)),
        ("12345" + "." * 20, Geometry.latin, Geometry.latin(5)),
        ("12345" + "." * 20, Geometry.latin(5), Geometry.latin(5)),
        ("\n".join(["P" + "." * 24] * 25), Geometry.standard, Geometry.classic(5)),
        # large numbers are words of a row
        *(("\n".join([" ".join([f"{n}", *"." * (n - 1)])] * n), Geometry.standard, n) for n in (36, 49, 64, 81)),
        *((" ".join(["1", *"." * (n**2 - 1)]), Geometry.standard, n) for n in (6, 8, 9, 10)),
    ],
)
def test_which_board_it_is(text: str, shape: Shape, geometry: Geometry | int) -> None:
    assert only(text, shape).board.geometry == (Geometry.standard(geometry) if isinstance(geometry, int) else geometry)


def test_what_cubes_hold() -> None:
    assert only("1234" * 16, EIGHT).board.clue_count == 64
    assert only("1" + "." * 63, FOUR).board.candidates[:2] == (1, 0)
    assert items("2341" + "." * 60, FOUR) == ["1:1"]
    assert only("123" * 9, Geometry.latin(3)).board.clue_count == 0


class TestReadings:
    """A block is taken under the one reading that has no fault."""

    @pytest.mark.parametrize("text", ["12 21\n" * 4, "12 21\n21 12\n" * 2])
    def test_two_that_make_different_puzzles_are_refused_with_both_named(self, text: str) -> None:
        error = error_of(text, Geometry.latin)
        assert error.problem == "two readings, 4 puzzles of 2x2 cells, one a line or 2 boards of 2x2 cells in rows"
        assert (error.expected, error.text) == (
            "a shape for all puzzles (such as --boxes) that settles it",
            text.strip(),
        )

    def test_rows_of_blanks_in_a_table_are_rows(self) -> None:
        rows = ["\t" * 15] * 16
        rows[3] = "1" + "\t" * 15
        rows[7] = "\t2" + "\t" * 14
        assert only("\n".join(rows)).board.geometry == SIXTEEN
        assert only("| |1|\n| | |\n", Geometry.latin).board.geometry == Geometry.latin(2)

    def test_a_sign_for_blanks_that_lines_would_not_have_settles_it(self) -> None:
        """``?`` alone is the sign of a blank only where it is the only one: not on lines of their own."""
        assert only("\n".join(["?" * 16] * 15 + ["1?2" + "?" * 13])).board.geometry == SIXTEEN

    def test_damaged_lines_among_many_are_the_only_errors(self) -> None:
        lines = [FOUR_LINE] * 15 + ["7" + FOUR_LINE[1:]] * 2
        assert items("\n".join(lines)) == [FOUR_LINE] * 15 + ["16:1", "17:1"]


@pytest.mark.parametrize(
    ("text", "shape", "parts"),
    [
        ("." * 4096, Geometry.standard, ("of 16x16 cells, of which 256", "64x64 cells", "the 4,096 cells of that")),
        ("1" + "." * 4095, Geometry.standard, ("of 16x16 cells, of which 255", "64x64 cells")),
        ("." * 512, Geometry.standard, ("of 8x8 cells, of which 64",)),
        ("." * 729, NINE, ("of 9x9 cells, of which 81", "27x27 cells")),
        ("." * 64, FOUR, ("of 4x4 cells", "8x8 cells")),
    ],
)
def test_no_board_without_candidates_is_made_of_blanks(text: str, shape: Shape, parts: tuple[str, ...]) -> None:
    error = str(error_of(text, shape))
    for part in ("no candidate", *parts):
        assert part in error


class TestOrdersWithoutGeometry:
    def test_short_lines(self) -> None:
        assert items("\n".join(["........."] * 9)) == ["." * 81]
        assert "9 rows of 9 cells" in error_of("123...21.").expected
        assert items("\n".join(["123...21."] * 5), Geometry.latin) == ["123...21."] * 5
        assert "--latin" in str(error_of("12345" + "." * 20))

    def test_a_geometry_that_only_some_orders_have(self) -> None:
        def shape(order: int) -> Geometry:
            if order != 6:
                raise GeometryError(f"order {order}; expected 6 (--boxes 2x3)")
            return Geometry.classic(2, 3)

        good, bad, same = read("\n".join(["." * 36, LINE, "123456" * 6]), shape)
        assert isinstance(good, Puzzle)
        assert isinstance(same, Puzzle)
        assert isinstance(bad, PuzzleFormatError)
        assert "6 (--boxes 2x3)" in bad.expected
        assert "order 9" in error_of(LINE, lambda order: FOUR).problem


def test_mixtures() -> None:
    lines = [LINE, FOUR_LINE, "." * 36, "." * 256, LINE]
    assert items("\n".join(lines)) == lines
    texts = [write(only(LINE).board) for name, write in LAYOUTS.items() if name not in ("csv", "toml")]
    for shape in (Geometry.standard, NINE):
        assert items("\n\n".join(texts), shape) == [LINE] * len(texts)
