"""The meaning of a puzzle's characters: the same board in every notation, or a refusal; never another puzzle."""

from __future__ import annotations

import io
import random
from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from formats.notations import FOUR, GRID, LINE, NINE, ROWS, SOLUTION, SOLVED, error_of, items, only
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.formats import Puzzle, SolutionWriter, Symbols, parse, read, to_line
from gridproof.formats.known.text import draw_board, marks_line
from gridproof.formats.symbols import symbol_names
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

SIXTEEN = Geometry.classic(4)
FROM_ZERO = str.maketrans("123456789", "012345678")
LETTERS = str.maketrans("123456789", "ABCDEFGHI")
SPACED = [" ".join(row) for row in ROWS]


def written(board: Board, symbols: Symbols, blank: str = ".") -> list[str]:
    """The content of each cell."""
    known = (blank, *symbol_names(board.geometry.order, symbols))
    return [known[clue] for clue in board.clues]


def rows(cells: list[str], between: str = "") -> str:
    order = round(len(cells) ** 0.5)
    return "\n".join(between.join(cells[start : start + order]) for start in range(0, len(cells), order))


def sixteen(clues: int = 120, seed: int = 1) -> Board:
    """A board of order 16 made from a full grid."""
    grid = [(4 * (row % 4) + row // 4 + column) % 16 + 1 for row in range(16) for column in range(16)]
    kept = set(random.Random(seed).sample(range(256), clues))
    return Board(SIXTEEN, tuple(clue if cell in kept else 0 for cell, clue in enumerate(grid)))


class TestZeros:
    @pytest.mark.parametrize("blank", [".", "_", "-", "*", "x", "?"])
    def test_symbols_from_0(self, blank: str) -> None:
        text = "\n".join(ROWS).translate(FROM_ZERO).replace(".", blank)
        assert items(text) == items(text, NINE) == [LINE]
        board = sixteen()
        cells = written(board, Symbols.FROM_ZERO, blank)
        assert ("0" in cells, "G" in cells) == (True, False)
        for text in ("".join(cells), rows(cells), rows(cells, " ").lower(), rows(cells).replace("\n", " ")):
            puzzle = only(text)
            assert (puzzle.board, puzzle.symbols) == (board, Symbols.FROM_ZERO)
            assert parse(text, SIXTEEN) == board

    def test_numbers_from_0(self) -> None:
        board = sixteen()
        assert parse(rows([str(clue - 1) if clue else "." for clue in board.clues], " ")) == board
        large = Board(Geometry.classic(6), (1, 36, *range(2, 36), *[0] * 6, 1, *[0] * 1253))
        assert parse(" ".join(str(clue - 1) if clue else "." for clue in large.clues)) == large

    def test_zeros_alone_and_beside_the_last_symbol_are_blanks(self) -> None:
        for text in (LINE, LINE.replace("9", "."), "1" + "." * 80):
            assert items(text.replace(".", "0")) == [text]
        assert items(LINE.replace(".", "0", 30)) == [LINE]
        assert items("G" + "0." * 127 + ".") == ["G" + "." * 255]

    def test_where_nothing_decides_both_readings_are_named(self) -> None:
        error = error_of(f"# two\n1.0{'.' * 78}")
        assert (error.line, error.column, error.text) == (2, 3, "0")
        for part in ("beside '.'", "blank (symbols 1-9)", "symbol (0-8)"):
            assert part in error.problem
        assert error.expected == "the option --zero blank or --zero symbol"
        assert "0-9, A-F" in error_of("1.0" + "." * 253).problem
        assert "beside an empty cell" in error_of("1,0" + "," * 79).problem

    @pytest.mark.parametrize(
        "text",
        [
            LINE.translate(FROM_ZERO).replace("0", ".", LINE.count("1") - 1),  # one alone
            "00" + LINE.translate(FROM_ZERO)[2:],  # two in a row
            LINE.replace("9", ".").replace("8", ".").translate(FROM_ZERO),  # too few symbols
            LINE.replace("9", ".").replace(".", "0", 40),
        ],
    )
    def test_what_speaks_against_symbols(self, text: str) -> None:
        assert "two readings of 0" in error_of(text).problem
        assert "two readings of 0" in error_of(rows(list(text))).problem
        assert parse(text, zero="blank") != parse(text, zero="symbol")

    def test_the_option_settles_it(self) -> None:
        text = "1.0" + "." * 78
        assert parse(text, zero="blank").clues[:3] == (1, 0, 0)
        assert parse(text, zero="symbol").clues[:3] == (2, 0, 1)
        assert parse(LINE.translate(FROM_ZERO), zero="blank").clues != parse(LINE).clues
        assert parse(LINE.replace(".", "0"), zero="blank") == parse(LINE)
        after = str.maketrans("12345678", "23456789")
        assert parse(LINE.replace("9", "."), zero="symbol") == parse(LINE.replace("9", ".").translate(after))
        with pytest.raises(PuzzleFormatError, match="'9'; expected 0-8"):
            parse(LINE, zero="symbol")
        for source in (LINE, "\n".join(ROWS), f"puzzle\n{LINE}"):
            (item,) = read(source.translate(FROM_ZERO), zero="symbol")
            assert isinstance(item, Puzzle)
            assert (to_line(item.board.clues, NINE), item.symbols) == (LINE, Symbols.FROM_ZERO)
        with pytest.raises(InputError, match="zero is 'none'; expected one of blank, symbol"):
            parse(LINE, zero="none")  # type: ignore[arg-type]

    def test_each_puzzle_of_a_stream_is_settled_by_its_own_text(self) -> None:
        lines = [LINE, LINE.translate(FROM_ZERO), LINE.replace(".", "0"), "1.0" + "." * 78, LINE.translate(LETTERS)]
        assert items("\n".join(lines)) == [LINE, LINE, LINE, "4:3", LINE]

    def test_lists_and_arrays(self) -> None:
        import numpy as np

        values = [[None if cell == "." else int(cell) - 1 for cell in row] for row in ROWS]
        assert parse(values) == parse(LINE) == parse(np.array(values, dtype=float))
        unclear = [[None, 0, None, 1], *[[None] * 4] * 3]
        with pytest.raises(PuzzleFormatError, match="r1c2: two readings of 0 beside 'None'"):
            parse(unclear)
        assert (parse(unclear, zero="blank").clue_count, parse(unclear, zero="symbol").clue_count) == (1, 2)
        assert parse([[0, 1], [1, 0]], Geometry.latin, zero="symbol").clue_count == 4


class TestLetters:
    @pytest.mark.parametrize(("rows_of_box", "last"), [(3, "I"), (4, "P"), (5, "Y")])
    def test_letters_only(self, rows_of_box: int, last: str) -> None:
        geometry = Geometry.classic(rows_of_box)
        order = geometry.order
        board = Board(geometry, (*range(1, order + 1), *[0] * order * (order - 1)))
        for blank in ".0-x?"[: 5 if order < 25 else 3]:  # x is a letter there
            cells = written(board, Symbols.LETTERS, blank)
            assert cells[order - 1] == last
            for text in ("".join(cells).lower(), rows(cells), rows(cells, " ")):
                assert (only(text).board, only(text).symbols) == (board, Symbols.LETTERS)
        assert parse("".join(written(board, Symbols.LETTERS, "x"))).clues != board.clues or order < 25

    def test_letters_with_digits_are_those_after_9(self) -> None:
        for symbols in (Symbols.FROM_ONE, Symbols.LETTERS):
            assert only(rows(written(sixteen(), symbols))).board == sixteen()

    def test_a_wrong_letter_among_letters(self) -> None:
        error = error_of("Q" + "".join(written(sixteen(), Symbols.LETTERS))[1:])
        assert (error.column, error.text, error.expected[:4]) == (1, "Q", "A-P,")
        assert items("A" + LINE[1:]) == ["1:1"]

    def test_pencil_marks(self) -> None:
        board = parse("1234" * 15 + ".2.4")
        assert parse("ABCD" * 15 + ".B.D") == board == parse("0123" * 15 + ".1.3")
        assert error_of("ACBD" + "ABCD" * 15, FOUR).line == 1
        board = parse("12.." + "1234" * 15)
        for symbols in (Symbols.FROM_ZERO, Symbols.LETTERS):
            assert parse(marks_line(board).translate(str.maketrans("1234", "".join(symbol_names(4, symbols))))) == board


class TestOtherSigns:
    @pytest.mark.parametrize(
        "text",
        [
            "x3" + LINE[2:],
            LINE.replace(".", "x", 5).replace(".", "?"),
            LINE.replace(".", "0", 5).replace(".", "x"),
            "x" * 81,
            "?" * 81,
            "\n".join(["1 2 3 4 5"] * 9),  # words are not taken apart, though they are nine characters
            "\n".join(["1 2 3 4"] * 7),
            "\n".join(["10  1  2  3  4  5  6  7  8  9 11 12"] * 35),
            " ".join(["1"] * 25),
            "\n".join(["a b c"] * 5),
            "nonsense and more of it 23\n" * 26,
        ],
    )
    def test_what_is_no_puzzle(self, text: str) -> None:
        assert all(":" in item for item in items(text))

    def test_columns_of_candidates_are_no_line(self) -> None:
        text = "1    2    134  4\n134  1    1    123\n1234 13   1    1\n1234 1234 1234 124"
        assert only(text).board.clue_count == only(text, FOUR).board.clue_count == 7


class TestNumbersAndBoxes:
    """Drawings around cells can make another board of them."""

    @pytest.mark.parametrize("mark", ["{}", "{}:", "r{}", "{} |"])
    def test_numbered_rows_are_refused(self, mark: str) -> None:
        for head in ("", ". {}", "  {}", "r {}"):
            for numbers in (range(9), range(1, 10)):
                lines = [head.format(" ".join(map(str, numbers)))] if head else []
                lines += [f"{mark.format(number)} {row}" for number, row in zip(numbers, SPACED, strict=True)]
                for shape in (Geometry.standard, NINE, Geometry.latin):
                    assert all(":" in item for item in items("\n".join(lines), shape))

    def test_a_latin_square_may_begin_with_its_symbols(self) -> None:
        text = ". 1 2 3\n1 . . .\n2 . . .\n3 . . ."
        assert "of 4x4 cells, or of 3x3 with numbers" in error_of(text, Geometry.latin).problem
        assert parse(text, Geometry.latin(4)).clue_count == 6
        assert only("1 2 3 4\n2 . . .\n3 . . .\n4 . . .", Geometry.latin).board.geometry.order == 4

    @pytest.mark.parametrize(("high", "wide", "usual"), [(3, 2, "2x3"), (4, 3, "3x4"), (4, 2, "2x4"), (5, 2, "2x5")])
    def test_boxes_drawn_in_another_shape(self, high: int, wide: int, usual: str) -> None:
        board = Board(Geometry.classic(high, wide), (1, *[0] * ((high * wide) ** 2 - 1)))
        text = draw_board(board.clues, board.geometry)
        bars = "\n".join(line for line in text.split("\n") if "|" in line)
        for seen in (text, bars, text.replace(" |", "")):
            assert f"boxes of {high}x{wide} cells" in error_of(seen).problem
            assert f"--boxes {high}x{wide}" in error_of(seen).expected
        assert parse(text, board.geometry) == board
        assert parse(text, Geometry.latin).geometry.box_shape is None
        assert parse(text, Geometry.standard(high * wide)).geometry.description.endswith(f"{usual} boxes")

    def test_cells_in_boxes_of_their_own_are_no_boxes(self) -> None:
        text = "\n---+---+---+---+---+---\n".join(" | ".join("1.....") for _ in range(6))
        assert only(text).board.geometry == Geometry.classic(2, 3)


def solved(text: str) -> str:
    stream = io.StringIO()
    SolutionWriter(stream).solution(only(text), GRID)
    return stream.getvalue().removesuffix("\n")


def test_a_solution_has_the_names_of_its_puzzle() -> None:
    for table in (FROM_ZERO, LETTERS):
        assert solved(LINE.translate(table)) == SOLUTION.translate(table)
        assert solved("\n".join(ROWS).translate(table)) == "\n".join(SOLVED).translate(table)
    text = f"id,puzzle,solution\n1,{LINE},{SOLUTION}\n".translate(FROM_ZERO).replace("0,", "1,", 1)
    assert only(text).solution == GRID
    assert solved(text) == text.removesuffix("\n")
    assert "81 cells (1-9)" in error_of(f"puzzle,solution\n{LINE},{SOLUTION.translate(LETTERS)}\n").expected


def same_puzzle(first: Board, second: Board) -> bool:
    """Return whether they are one puzzle but for the names of its symbols."""
    pairs = {*zip(first.clues, second.clues, strict=True)} | {(0, 0)}
    return len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)


def numbered(cells: list[str]) -> str:
    head = " ".join(map(str, range(1, round(len(cells) ** 0.5) + 1)))
    return f"  {head}\n" + "\n".join(f"{k} {row}" for k, row in enumerate(rows(cells, " ").split("\n"), 1))


def emptied(cells: list[str], blank: str = "") -> list[str]:
    return [blank if cell == "." else cell for cell in cells]


LAYOUTS: dict[str, Callable[[list[str]], str]] = {
    "line": "".join,
    "rows": rows,
    "words": lambda cells: rows(cells, " "),
    "fields": lambda cells: rows(emptied(cells), ","),
    "tabs": lambda cells: rows(emptied(cells), "\t"),
    "fields of a line": lambda cells: ",".join(emptied(cells)),
    "list": lambda cells: str([row.split(" ") for row in rows(cells, " ").split("\n")]),
    "numbered": numbered,
    "spaces": lambda cells: rows(emptied(cells, " ")),
    "bars": lambda cells: "\n".join(f"| {row} |" for row in rows(cells, " | ").split("\n")),
    "csv": lambda cells: f"puzzle\n{''.join(cells)}",
}

GEOMETRIES = [FOUR, Geometry.classic(2, 3), Geometry.classic(2, 4), NINE, SIXTEEN, Geometry.classic(5)]


@st.composite
def notations(draw: st.DrawFn) -> tuple[Board, Symbols, str, str]:
    """A board, what its symbols are called, the sign of a blank, and the layout."""
    geometry = draw(st.sampled_from(GEOMETRIES))
    chance = random.Random(draw(st.integers(0, 2**32)))
    order, used = geometry.order, chance.randint(1, geometry.order)
    density = draw(st.sampled_from([0.05, 0.3, 0.7, 0.98]))
    clues = tuple(chance.randint(1, used) if chance.random() < density else 0 for _ in range(order * order))
    symbols = draw(st.sampled_from(Symbols))
    blank = draw(st.sampled_from(".*_-x?" if symbols is Symbols.FROM_ZERO else "0.*_-x?"))
    assume(not (blank == "x" and order == 25))
    assume(symbols is not Symbols.FROM_ZERO or 0 in clues)  # zeros alone are always taken for blanks
    return Board(geometry, clues), symbols, blank, draw(st.sampled_from(sorted(LAYOUTS)))


@pytest.mark.slow
@settings(max_examples=600, deadline=None)
@given(notation=notations(), known=st.booleans())
def test_no_notation_is_read_as_another_puzzle(notation: tuple[Board, Symbols, str, str], known: bool) -> None:
    """A board comes back, perhaps with other names for its symbols, or nothing does."""
    board, symbols, blank, layout = notation
    text = LAYOUTS[layout](written(board, symbols, blank))
    puzzles = read(text, board.geometry if known else Geometry.standard)
    results = [item.board for item in puzzles if isinstance(item, Puzzle)]
    if known or (len(results) == 1 and results[0].geometry == board.geometry):
        assert len(results) <= 1
        assert all(same_puzzle(result, board) for result in results)
    else:  # lines of boards of an order k whose symbols do for rows of order k*k, as test_text_orders has it
        assert all(result.geometry.order**2 == board.geometry.order for result in results)
    usual = symbols is Symbols.FROM_ONE and blank in "0.*_-"
    if usual and known and layout not in ("numbered", "spaces", "fields", "tabs", "fields of a line"):
        assert results == [board]
