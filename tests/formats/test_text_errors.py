"""Malformed puzzles: the exact place, the offending text, what was expected; neighbours unharmed, nothing raised."""

from __future__ import annotations

import pickle
import tracemalloc
from collections.abc import Callable, Iterator, Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from formats.notations import FOUR, LINE, NINE, ROWS, SOLUTION, error_of, items
from gridproof.errors import PuzzleFormatError
from gridproof.formats import Puzzle, Shape, Zero, read
from gridproof.puzzle.geometry import Geometry

ANY = (Geometry.standard, NINE)
SHAPES: list[Geometry | Callable[[int], Geometry]] = [
    Geometry.standard,
    Geometry.latin,
    Geometry.classic(1),
    FOUR,
    NINE,
    Geometry.classic(4),
    Geometry.latin(7),
    Geometry.latin(36),
]


SPACED = [" | ".join(" ".join(row[start : start + 3]) for start in (0, 3, 6)) for row in ROWS]
LATIN = "options --latin, --jigsaw FILE"


def row_7(row: str, rows: list[str] = ROWS) -> str:
    """The puzzle with another row in place of the seventh."""
    return "\n".join([*rows[:6], row, *rows[7:]])


PLACES = [
    (row_7(SPACED[6].replace("8", "A"), [*SPACED[:3], "------+-------+------", *SPACED[3:]]), ANY, "7:19", "A", "1-9"),
    (LINE[:80], [NINE], "1:81", "", "80 characters; 81 cells on a line (9x9)"),
    (LINE + ".", [NINE], "1:82", "", "82 characters; 81 cells on a line (9x9)"),
    (LINE[:40], [NINE], "1:41", "", "40 characters; 81 cells on a line (9x9)"),
    (LINE * 3, [NINE], "1:82", "", "243 characters; 81 cells on a line (9x9)"),
    (LINE[:80], ANY[:1], "1:81", "", "64 or 81"),
    (" ".join("." * 80), [NINE], "1:160", "", "80 characters"),
    (row_7(ROWS[6][:8]), ANY, "7:9", ROWS[6][:8], "a row of 8 cells; 9 cells"),
    (row_7(ROWS[6] + "1"), ANY, "7:10", ROWS[6] + "1", "a row of 10 cells; 9 cells"),
    (
        row_7(". 6 . . . . 2 8 . 1", [" ".join(row) for row in ROWS]),
        ANY,
        "7:19",
        ". 6 . . . . 2 8 . 1",
        "a row of 10 cells",
    ),
    ("\n\n" + "\n".join(ROWS[:8]), ANY, "3:1", "", "8 rows; 9 rows of 9 cells"),
    ("\n".join([*ROWS, ROWS[0]]), ANY, "10:1", "\n".join([*ROWS, ROWS[0]]), "10 rows; 9 rows of 9 cells"),
    ("1234" * 5 + "1324" + "1234" * 10, [FOUR], "1:22", "3", "r2c2; 2 or a blank"),
    (f"{LINE},{SOLUTION}", ANY[:1], "1:83", "", "more cells than those of one puzzle; puzzle,solution"),
    (f"{LINE} | {SOLUTION}", ANY[:1], "1:85", "", "more cells than those of one puzzle; puzzle,solution"),
    (f"{LINE} {ROWS[0]}", ANY[:1], "1:82", "", "more cells than those of one puzzle"),
    ("12345" * 5, ANY[:1], "1:1", "", "with the option --latin or --jigsaw FILE"),
    ("\n".join(["12345"] * 5), ANY[:1], "1:1", "", "a puzzle of 5x5 cells; " + LATIN),
    ("Dear reader,\nthis is no puzzle at all.\n", ANY[:1], "1:1", "", "no puzzle; as many rows"),
    ('"', ANY[:1], "1:1", "", "no puzzle"),
    ("1" * 1296, ANY[:1], "1:1297", "", "1296 characters; such as 81"),
]


class TestPlaces:
    @pytest.mark.parametrize("bad", ["x", "A", "?", "é", "\x00", "٣", "²"])
    def test_a_wrong_character(self, bad: str) -> None:
        for shape in ANY:
            for place in (0, 40, 80):
                damaged = f"{LINE[:place]}{bad}{LINE[place + 1 :]}"
                error = error_of(f"\n\n{damaged}\n", shape)
                assert (error.line, error.column, error.text) == (3, place + 1, bad)
                assert "1-9" in error.expected
                rows = [damaged[start : start + 9] for start in range(0, 81, 9)]
                error = error_of("# here\n" + "\n".join(rows), shape)
                assert (error.line, error.column, error.text) == (place // 9 + 2, place % 9 + 1, bad)

    @pytest.mark.parametrize("bad", ["13", "-1", "+1", "1_0", "1.0", "1e0", "9" * 5000, "0x1", "٣"])
    def test_a_wrong_number(self, bad: str) -> None:
        """Python takes some of them for numbers."""
        rows = [["."] * 12 for _ in range(12)]
        rows[3][5] = bad
        for text, line, column in (
            ("\n".join(map(" ".join, rows)), 4, 11),
            (" ".join(map(" ".join, rows)), 1, 83),
        ):
            error = error_of(text, Geometry.classic(3, 4))
            assert (error.line, error.column, error.text) == (line, column, bad)
            assert "12x12" in error.problem

    @pytest.mark.parametrize(("text", "shapes", "place", "wrong", "parts"), PLACES)
    def test_the_place_of(self, text: str, shapes: Sequence[Shape], place: str, wrong: str, parts: str) -> None:
        """The place, the text and the words of each error; no text: all of it."""
        for shape in shapes:
            error = error_of(text, shape)
            assert (f"{error.line}:{error.column}", error.text) == (place, wrong or text.strip("\n"))
            assert all(part in f"{error.problem}; {error.expected}" for part in parts.split("; "))

    def test_errors_can_be_printed_and_sent(self) -> None:
        for source in (b"\xff" * 81, b"\xff\xfe1\x00", "\ud800" * 81, "x" * 100_000, "[" * 81):
            for item in read(source, NINE):
                assert isinstance(item, PuzzleFormatError)
                assert len(str(item).encode()) < 500
                item.text.encode()
                again = pickle.loads(pickle.dumps(item))
                assert (str(again), again.line, again.column) == (str(item), item.line, item.column)


def test_a_board_with_gaps_for_blank_cells_gets_the_advice_to_write_a_sign() -> None:
    gaps = LINE.replace(".", " ")
    rows = "\n".join(row.replace(".", " ") for row in ROWS)
    for shape in ANY:
        for text in (gaps, rows, "\n".join([*ROWS[:4], ROWS[4].replace(".", " "), *ROWS[5:]])):
            assert "a blank cell is written as . or 0" in error_of(text, shape).expected
    assert ". or 0" not in error_of("\n".join(ROWS[:8])).expected


BAD_LINES = (
    LINE[:80], LINE + ".", "x" + LINE[1:], LINE[:20], LINE[:7], LINE[:40], LINE * 2, "hello", "?", "1 2 3", "a b",
    LINE + "," + SOLUTION, "é" * 81, "x" * 1000, "<html>",
)  # fmt: skip
BAD_BLOCKS = (
    ROWS[:8], ROWS[:1], [*ROWS, ROWS[0]], [*ROWS, *ROWS[:5]], [*ROWS[:4], "x" * 9, *ROWS[5:]],
    [*ROWS[:4], "1" * 8, *ROWS[5:]], [*ROWS[:4], "1" * 10, *ROWS[5:]], [*ROWS[:4], "hello", *ROWS[5:]],
    [*ROWS[:4], "hello world", *ROWS[5:]], [" ".join(row) for row in ROWS[:8]], ["what is this?"],
)  # fmt: skip


class TestNeighbours:
    @pytest.mark.parametrize("bad", BAD_LINES)
    def test_a_bad_line_among_lines(self, bad: str) -> None:
        for shape in ANY:
            first, second, third, *middle, last = items("\n".join([LINE, bad, SOLUTION, bad, bad, LINE]), shape)
            assert (first, third, last) == (LINE, SOLUTION, LINE)
            assert second.startswith("2:")
            # two lines may be rows, of several words or of an order that has boards: then they are one malformed block
            may_be_rows = " " in bad or (len(bad) in (6, 20) and shape is not NINE)
            assert [item.split(":")[0] for item in middle] in (["4", "5"], ["4"] if may_be_rows else [])

    def test_bad_lines_before_the_first_good_one(self) -> None:
        for shape in ANY:
            assert items("\n".join([LINE[:80], LINE[:33], LINE[:20], LINE]), shape)[-1] == LINE
        assert items("\n".join([LINE[:20], LINE[:13], LINE]), NINE) == ["1:21", "2:14", LINE]

    @pytest.mark.parametrize("damage", BAD_BLOCKS, ids=range(len(BAD_BLOCKS)))
    def test_a_damaged_block_among_blocks(self, damage: list[str]) -> None:
        good, bad = "\n".join(ROWS), "\n".join(damage)
        for shape in ANY:
            for between in ("\n\n", "\n\n\n# next\n", "\nGrid 5\n", "\n# next\n"):
                results = items(between.join([good, bad, good, bad, bad, good]), shape)
                assert [":" in item for item in results] == [False, True, False, True, True, False], between

    def test_damage_in_one_of_several_puzzles_of_a_block(self) -> None:
        rows = ROWS * 3
        rows[12] = "x" * 9
        assert items("\n".join(rows)) == [LINE, "13:1", LINE]

    def test_bytes_that_are_not_utf8(self) -> None:
        bad = b"\xe9" + LINE[1:].encode()
        assert items(b"\n".join([LINE.encode(), bad, LINE.encode()])) == [LINE, "2:1", LINE]
        assert items(b"# caf\xe9\n" + LINE.encode() + b" # \xff\xfe\n" + LINE.encode()) == [LINE, LINE]
        rows = [row.encode() for row in ROWS]
        assert items(b"\n".join([*rows[:3], b"12\xff456789", *rows[4:], b"", *rows])) == ["4:3", LINE]
        assert (error_of(bad).problem, error_of(bad).text) == ("not UTF-8", "\\xe9")

    def test_four_by_four(self) -> None:
        good, bad = "1...2...3...4...", "1...2...3...7..."
        for shape in (Geometry.standard, FOUR):
            assert items("\n".join([good, bad, good]), shape) == [good, "2:13", good]
            lines = [good, good[:15], good, good + "1", good]
            assert items("\n".join(lines), shape) == [good, "2:16", good, "4:17", good]
            many = "\n".join([good] * 20 + [bad] + [good] * 20)
            assert items(many, shape) == [good] * 20 + ["21:13"] + [good] * 20

    def test_each_line_of_json_that_is_no_puzzle_is_one_error(self) -> None:
        lines = ["1..............2", '{"size": 4, "titl', '{"no": 3}', '{"no": 1}', "1..............2"]
        results = list(read("\n".join(lines)))
        assert [isinstance(item, PuzzleFormatError) for item in results] == [False, True, True, True, False]
        assert [item.line for item in results] == [1, 2, 3, 4, 5]
        assert "JSON that cannot be read as a puzzle" in str(results[1])


HUGE = (
    "1", "1 ", "- ", "|", "1|", '"', "[", ".", "\xff", "#", " #", "\r", "-+", ",", "é", "1,", "+1", ":a", "a.", "=1",
)  # fmt: skip


@pytest.mark.slow
class TestHugeInput:
    @pytest.mark.parametrize(("number", "piece"), list(enumerate(HUGE)))
    def test_a_huge_line(self, number: int, piece: str) -> None:
        """Puzzles of any shape, and of another one for each piece."""
        for shape in (SHAPES[0], SHAPES[1 + number % (len(SHAPES) - 1)]):
            for item in read([piece * 200_000], shape):
                assert isinstance(item, PuzzleFormatError) or item.board.geometry.order == 1
                assert len(str(item)) < 2000

    def test_a_line_beyond_all_measure_is_not_looked_at(self) -> None:
        error = error_of("1 " * 5_000_000)
        assert "10,000,000 characters" in error.problem
        assert len(error.text) < 100

    def test_memory_does_not_grow_with_the_number_of_lines(self) -> None:
        def peak(count: int) -> int:
            def lines() -> Iterator[str]:
                for number in range(count):
                    yield f"{'x' if number % 3 else LINE[0]}{LINE[1:]}\n"
                    yield "some text that is no puzzle\n"

            tracemalloc.start()
            for item in read(lines()):
                assert item is not None
            result = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            return result

        peak(100)  # what is computed once stays
        assert peak(900) < 1.5 * peak(300) + 20_000  # bytes that other threads and caches may take


PIECES = st.sampled_from(
    [
        LINE, *ROWS, "1...2...3...4...", "1234", "end", "puzzle,solution", "#", " # c", "\n", "\r\n", "\r", "\n\n", '"',
        ",", ";", "---------", "---+---+---", "|", "| 1 | 2 |", " ", "\t", "1234" * 16, "[", "]", "16 15 . 1",
        "\ufeff", "├───┼───┤", "é", "\x00", "\ud800", "Grid 1", "0", "-", "_", "*", "'", "''", "x", "?", "         ",
        "\t\t\t\t", "5,3,,,7,,,,", "1 53..7....", "ABCDEFGHI", "0.1.0.2.3.4.5.6.7", ":0701:2:+5+3..7",
        f"https://example.org/?bd={LINE}", f'<game data="{LINE}"/>', "fpuzzlesN4IgzglgXgpiBcBOANCALhNAbO8QGEsB7I",
        '"value": 5,', "board = [[1, 2,", "My puzzle:", '{"grid": [[1,', "clues = '''", "[Puzzle]", "a=5 b=3",
    ]
)  # fmt: skip


class TestNothingIsRaised:
    @settings(max_examples=300, deadline=None)
    @given(data=st.binary(max_size=300), shape=st.sampled_from(SHAPES))
    @example(data=b"\xff\xfe5\x003\x00", shape=NINE)
    @example(data=b'puzzle\n"', shape=NINE)
    @example(data=b"\xfe\xff\xd8\x00", shape=NINE)
    def test_on_arbitrary_bytes(self, data: bytes, shape: Geometry) -> None:
        for source in (data, data.splitlines(keepends=True)):
            check(source, shape)

    @pytest.mark.slow
    @settings(max_examples=500, deadline=None)
    @given(
        pieces=st.lists(PIECES, max_size=30),
        shape=st.sampled_from(SHAPES),
        zero=st.sampled_from([None, "blank", "symbol"]),
        encoding=st.sampled_from(["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"]),
    )
    def test_on_pieces_of_puzzles(self, pieces: list[str], shape: Geometry, zero: Zero | None, encoding: str) -> None:
        check("".join(pieces), shape, zero)
        check("question,answer\n" + "\n".join(pieces), shape, zero)
        check(pieces, shape, zero)
        check("\r\n".join(pieces).encode(encoding, "surrogatepass"), shape, zero)


def check(source: list[str] | list[bytes] | str | bytes, shape: Geometry, zero: Zero | None = None) -> None:
    """Every item is a puzzle of the right shape or an error that can be printed, and they come in order."""
    last = 0
    for item in read(source, shape, zero):
        assert item.line is not None
        if isinstance(item, Puzzle):
            assert not isinstance(shape, Geometry) or item.board.geometry == shape
            assert item.line > last or "<game" in str(source)  # of which a line may hold several
        else:
            assert item.column is not None
            assert item.column >= 1
            str(item).encode()
        assert item.line >= last
        last = item.line
