"""Reading: every notation, alone and mixed, as given and as pasted."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from gridproof.errors import InputError, PuzzleFormatError
from gridproof.formats import Puzzle, datasets, parse, read, read_puzzle, to_line
from gridproof.formats.catalog import all_formats, in_file
from gridproof.formats.writing import marks_line
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from text_samples import FOUR, LINE, NINE, ROWS, SOLUTION, items, only

BARRED = [f"{row[:3]}|{row[3:6]}|{row[6:]}" for row in ROWS]
SPACED = [" | ".join(" ".join(row[start : start + 3]) for start in (0, 3, 6)) for row in ROWS]


def banded(rows: list[str], rule: str, top: str = "", bottom: str = "") -> str:
    parts = [top, *rows[:3], rule, *rows[3:6], rule, *rows[6:], bottom]
    return "\n".join(part for part in parts if part) + "\n"


BOX = [f"║{row.replace('|', '║')}║" for row in BARRED]
CELLS = [f"│ {' │ '.join(row)} │".replace(".", " ") for row in ROWS]
MARKDOWN = [f"| {' | '.join(row)} |".replace(".", " ") for row in ROWS]

PASTED = {
    "rows": "\n".join(ROWS),
    "numbers": "\n".join(" ".join(row) for row in ROWS),
    "numbers with zeros": "\n".join(" ".join(row).replace(".", "0") for row in ROWS),
    "tabs": "\n".join("\t".join(row) for row in ROWS),
    "groups": "\n".join(row.replace("|", " ") for row in BARRED),
    "bars": "\n".join(BARRED),
    "bars and dashes": banded(BARRED, "---+---+---"),
    "bars and a line of dashes": banded(BARRED, "-----------"),
    "a line of nine dashes": banded(ROWS, "---------"),
    "spaced": banded(SPACED, "------+-------+------"),
    "spaced, a line of dashes": banded(SPACED, "-" * 21),
    "equals signs": banded(SPACED, "=====================", "", ""),
    "framed": banded([f"| {row} |" for row in SPACED], *["+-------+-------+-------+"] * 3),
    "indented frame": banded([f" | {row} |" for row in SPACED], *[" +-------+-------+-------+"] * 3),
    "stars": banded([f"|{row}|" for row in BARRED], "|---+---+---|", "*-----------*", "*-----------*"),
    "dots and quotes": banded([f"|{row}|" for row in BARRED], ":---+---+---:", ".---.---.---.", "'---'---'---'"),
    "box drawing": banded(BOX, "╠═══╬═══╬═══╣", "╔═══╦═══╦═══╗", "╚═══╩═══╩═══╝"),
    "light box drawing": banded(
        [row.replace("║", "│") for row in BOX], "├───┼───┼───┤", "┌───┬───┬───┐", "└───┴───┴───┘"
    ),
    "a box for each cell": "┌"
    + "───┬" * 8
    + "───┐\n"
    + f"\n├{'───┼' * 8}───┤\n".join(CELLS)
    + "\n└"
    + "───┴" * 8
    + "───┘",
    "markdown": "\n".join([*MARKDOWN]),
    "markdown with its rule": "\n".join([MARKDOWN[0], "|" + "---|" * 9, *MARKDOWN[1:]]),
    "blank lines between bands": "\n".join([*ROWS[:3], "", *ROWS[3:6], "", *ROWS[6:]]),
    "comments between rows": "\n".join([*ROWS[:4], "# half of it", *ROWS[4:]]),
    "comments beside rows": "\n".join(f"{row}  # row {number}" for number, row in enumerate(ROWS)),
    "a list of lists": str([[int(cell) if cell != "." else 0 for cell in row] for row in ROWS]),
    "a list of lists of text": str([list(row) for row in ROWS]).replace("'", '"'),
    "a list of lists with None": str([[int(cell) if cell != "." else None for cell in row] for row in ROWS]),
    "a list of lists with nothing": str([list(row) for row in ROWS]).replace("'.'", "''"),
    "a list over lines": "[\n" + ",\n".join(f"  {list(row)!r}" for row in ROWS) + ",\n]\n",
    "a list of strings": str(ROWS),
    "an array printed": "[" + "\n ".join("[" + " ".join(row).replace(".", "0") + "]" for row in ROWS) + "]",
    "commas": "\n".join(",".join(row).replace(".", "0") for row in ROWS),
    "no-break spaces": "\n".join("\u00a0".join(row) for row in ROWS),
    "zero-width spaces": "\u200b" + "\n".join(ROWS),
    "middle dots": "\n".join(ROWS).replace(".", "·"),
    "dashes made long": "\n".join(ROWS).replace(".", "–"),
    "a heading": "Grid 01\n" + "\n".join(ROWS),
    "a section": "#A someone\n[Puzzle]\n" + "\n".join(ROWS),
    "a line": LINE,
    "a line of groups": " ".join(ROWS),
    "a line of numbers": " ".join(LINE),
    "a line with bars": "|".join(ROWS),
    "a line with a comment": LINE + " # easy",
    "a line with a name": LINE + " Arto Inkala, 2006",
    "a line with a rating": LINE + " 11.9",
    "a line between a number and a rating": "0000183b305c " + LINE + "  7.2",
    "a line and a name after a semicolon": LINE + ";name;8",
    "an indented line": "  " + LINE + "\t ",
}


@pytest.mark.parametrize("name", PASTED)
def test_every_notation(name: str) -> None:
    """Alone, twice, among lines, among damaged blocks, with other line ends: with the shape known or not."""
    text, damaged = PASTED[name], "\n".join(ROWS[:8])
    for shape in (Geometry.standard, NINE):
        assert items(text, shape) == [LINE]
        assert items(f"{text}\n\n{text}", shape) == [LINE, LINE]
        assert items(f"{SOLUTION}\n{text}\n{SOLUTION}", shape) == [SOLUTION, LINE, SOLUTION]
        first, second, third, fourth = items("\n\n".join([text, damaged, text, damaged]), shape)
        assert (first, ":" in second, third, ":" in fourth) == (LINE, True, LINE, True)
    assert items(text.replace("\n", "\r\n") + "\r\n") == items(text.encode().splitlines(keepends=True)) == [LINE]
    assert to_line(parse(text).clues, NINE) == LINE


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(ROWS).replace(".", " "),
        banded([f"|{row}|".replace(".", " ") for row in BARRED], *["+---+---+---+"] * 3),
        "\n".join(f"{number} {' '.join(row)}" for number, row in enumerate(ROWS, 1)),
        "  1 2 3 4 5 6 7 8 9\n" + "\n".join(f"{number} {' '.join(row)}" for number, row in enumerate(ROWS, 1)),
        f"board = {[[int(cell) if cell != '.' else 0 for cell in row] for row in ROWS]}",
        "int grid[9][9] = {\n" + ",\n".join("{" + ",".join(row).replace(".", "0") + "}" for row in ROWS) + "\n};",
        "array([" + ",\n".join(f"[{','.join(row)}]".replace(".", "0") for row in ROWS) + "])",
    ],
    ids=["spaces", "spaces between bars", "numbered rows", "numbered grid", "Python", "C", "NumPy"],
)
def test_what_is_not_read_is_an_error_and_never_another_puzzle(text: str) -> None:
    for shape in (Geometry.standard, NINE, Geometry.latin):
        found = items(f"{SOLUTION}\n\n{text}\n\n{SOLUTION}", shape)
        assert [item for item in found if ":" not in item] == [SOLUTION, SOLUTION]
        assert len(found) > 2


class TestLineEnds:
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n"])
    def test_every_line_end(self, end: str) -> None:
        text = end.join([*ROWS, "", LINE, "# comment", "", SOLUTION])
        assert items(text) == [LINE, LINE, SOLUTION]
        assert items(text + end) == [LINE, LINE, SOLUTION]
        assert items(text.encode()) == [LINE, LINE, SOLUTION]
        assert items(io.BytesIO(text.encode())) == [LINE, LINE, SOLUTION]
        if end != "\r\r\n":  # which a text stream itself takes for two line ends
            assert items(io.StringIO(text, newline="")) == [LINE, LINE, SOLUTION]

    def test_lines_are_numbered_the_same(self) -> None:
        for end in ("\n", "\r\n", "\r", "\r\r\n"):
            text = end.join(["", LINE, "", "#", *ROWS, "", LINE])
            assert [item.line for item in read(io.BytesIO(text.encode()))] == [2, 5, 15]

    @pytest.mark.parametrize("text", [LINE, "\n".join(ROWS), "puzzle\n" + LINE])
    def test_a_byte_order_mark(self, text: str) -> None:
        assert items("\ufeff" + text) == [LINE]
        assert items(b"\xef\xbb\xbf" + text.encode()) == [LINE]
        assert items(io.BytesIO(b"\xef\xbb\xbf" + text.encode())) == [LINE]

    @pytest.mark.parametrize("text", ["", "\n", "\r\n\r\n", "# nothing\n", "  \t\n", "\ufeff", "end\n"])
    def test_nothing(self, text: str) -> None:
        assert items(text) == []
        assert items([]) == []
        with pytest.raises(PuzzleFormatError, match="no puzzle"):
            parse(text)


class TestLinesOfPuzzles:
    @pytest.mark.parametrize("blank", ".0*_-")
    def test_every_blank(self, blank: str) -> None:
        assert items(LINE.replace(".", blank)) == [LINE]
        assert items("\n".join(ROWS).replace(".", blank)) == [LINE]
        assert items("." * 81 + "\n" + blank * 81) == ["." * 81] * 2
        assert items("\n".join([blank * 9] * 9)) == ["." * 81]

    def test_mixed_blanks(self) -> None:
        mixed = "".join(".0*_-"[place % 5] if cell == "." else cell for place, cell in enumerate(LINE))
        assert items(mixed) == [LINE]
        assert items("\n".join(mixed[start : start + 9] for start in range(0, 81, 9))) == [LINE]

    def test_the_puzzle_says_where_it_came_from(self) -> None:
        puzzle = only(f"\n# one\n{LINE.replace('.', '0')}  # a comment\n", NINE)
        assert puzzle.line == 3
        assert puzzle.text == LINE.replace(".", "0")
        assert puzzle.board == Board(NINE, tuple(int(c) for c in LINE.replace(".", "0")))
        assert puzzle.board.geometry == NINE
        assert puzzle.solution is None

    def test_the_text_of_a_block(self) -> None:
        text = banded([f"| {row} |" for row in SPACED], *["+-------+-------+-------+"] * 3)
        puzzle = only("# a grid\n\n" + text)
        assert puzzle.text == text.rstrip("\n")
        assert puzzle.line == 4

    def test_letters_in_both_cases(self) -> None:
        geometry = Geometry.classic(4)
        board = Board(geometry, (10, 16, 9, *[0] * 253))
        assert parse("AG9" + "." * 253).clues == parse("ag9" + "." * 253).clues == board.clues
        assert parse("a g 9" + " ." * 253, geometry) == board
        assert parse("10 16 9" + " ." * 253, geometry) == board
        assert parse("10 16 09" + " 00" * 253, geometry) == board

    def test_the_text_may_be_a_generator(self) -> None:
        read_so_far = 0

        def lines() -> Iterator[str]:
            nonlocal read_so_far
            for _ in range(1000):
                read_so_far += 1
                yield LINE

        puzzles = read(lines())
        next(puzzles)
        next(puzzles)
        assert read_so_far == 2

    def test_blocks_are_given_as_soon_as_they_are_complete(self) -> None:
        lines = iter([*ROWS, "", *ROWS, ""])
        puzzles = read(lines)
        assert isinstance(next(puzzles), Puzzle)
        assert next(lines) == ROWS[0]


class TestSeveralInOneBlock:
    @pytest.mark.parametrize("count", [1, 2, 3, 7])
    @pytest.mark.parametrize("shape", [Geometry.standard, NINE], ids=["any", "9x9"])
    def test_rows_without_anything_between(self, count: int, shape: Geometry) -> None:
        assert items("\n".join(ROWS * count), shape) == [LINE] * count
        assert [item.line for item in read("\n".join(ROWS * count), shape)] == [1 + 9 * k for k in range(count)]

    def test_their_texts(self) -> None:
        other = [row.replace(".", "0") for row in ROWS]
        texts = [item.text for item in read("\n".join(ROWS + other))]
        assert texts == ["\n".join(ROWS), "\n".join(other)]

    def test_headings_part_them(self) -> None:
        assert items("\n".join(["Grid 01", *ROWS, "Grid 02", *ROWS[:8], "Grid 03", *ROWS])) == [LINE, "12:1", LINE]

    def test_frames_part_them(self) -> None:
        framed = banded([f"|{row}|" for row in BARRED], *["+---+---+---+"] * 3)
        short = framed.replace(f"|{BARRED[4]}|\n", "")
        for shape in (Geometry.standard, NINE):
            assert items(framed * 2, shape) == [LINE, LINE]
            assert [":" in item for item in items(framed + short + framed, shape)] == [False, True, False]

    def test_comments_part_them(self) -> None:
        text = "\n".join(["# 1", *ROWS, "# 2", *ROWS[:8], "# 3", *ROWS, *ROWS[:1], "# 4", *ROWS])
        assert [":" in item for item in items(text)] == [False, True, True, False]

    def test_a_very_long_block_is_read_as_it_comes(self) -> None:
        found = [item.line for item in read(line for _ in range(2000) for line in ROWS) if isinstance(item, Puzzle)]
        assert found == list(range(1, 18_000, 9))

    def test_two_rows_of_dashes_among_dashes(self) -> None:
        rows = ["12--", "----", "----", "--34"]
        assert items("\n".join(rows)) == ["12..........." + ".34"[0:3]]
        assert items("\n".join(rows * 2)) == ["12............34"] * 2


class TestPencilMarks:
    def test_a_line(self) -> None:
        marks = "1234" * 15 + ".2.4"
        board = parse(marks, FOUR)
        assert board.candidates == (15,) * 15 + (10,)

    def test_a_cell_with_one_candidate_is_a_clue(self) -> None:
        board = parse("..3." + "1234" * 15, FOUR)
        assert board.clues == (3, *[0] * 15)
        assert board.marks is None

    def test_a_cell_without_candidates(self) -> None:
        board = parse("...." + "1.34" * 15, FOUR)
        assert board.candidates == (0, *[13] * 15)
        assert board.contradictions()

    def test_blanks_and_groups(self) -> None:
        board = parse("1234" * 15 + ".2.4", FOUR)
        assert parse("1234" * 15 + "-2*4", FOUR) == board
        assert parse(" ".join(["1234"] * 15 + [".2.4"]), FOUR) == board
        assert parse(" ".join(["1234"] * 15 + [".2.4"])) == board

    def test_nine_by_nine(self) -> None:
        board = Board.from_symbols(NINE, LINE)
        text = marks_line(board)
        assert len(text) == 729
        assert text[:18] == "....5......3......"
        assert items(text) == [LINE]

    def test_a_grid_in_columns(self) -> None:
        text = "1 2 3 4\n34 34 12 12\n2 1 4 3\n34 34 12 12"
        puzzle = only(text)
        assert puzzle.board.clues == (1, 2, 3, 4, 0, 0, 0, 0, 2, 1, 4, 3, 0, 0, 0, 0)
        assert puzzle.board.candidates[4:8] == (12, 12, 3, 3)

    def test_a_framed_grid_in_columns(self) -> None:
        text = ".-------.-------.\n| 1  2  | 3  4  |\n| 34 34 | 12 12 |\n:-------+-------:\n"
        text += "| 2  1  | 4  3  |\n| 34 34 | 12 12 |\n'-------'-------'\n"
        for shape in (Geometry.standard, FOUR):
            assert only(text, shape).board == parse("1 2 3 4\n34 34 12 12\n2 1 4 3\n34 34 12 12")

    def test_a_number_too_large_among_blanks_is_no_pencil_mark(self) -> None:
        assert items("1 2 3 4\n34 . . .\n2 1 4 3\n. . . .") == ["2:1"]


class TestJudge:
    def test_nothing_is_read_after_the_end(self) -> None:
        lines = iter([LINE + "\n", "end\n", "nonsense\n", LINE])
        assert items(lines) == [LINE]
        assert next(lines) == "nonsense\n"

    @pytest.mark.parametrize("end", ["end", "end\r\n", " end ", "END", "End\n"])
    def test_ways_to_write_it(self, end: str) -> None:
        assert items([LINE, end, LINE]) == [LINE]

    def test_it_ends_a_block(self) -> None:
        assert items([*ROWS, "end"]) == [LINE]
        assert items([*ROWS[:8], "end", ROWS[8]]) == ["1:1"]

    def test_writing(self) -> None:
        judge = all_formats()["judge"]
        assert judge.write is not None
        text = "".join(in_file(judge, [judge.write(only(LINE))] * 2))
        assert text == f"{LINE}\n{LINE}\nend\n"
        assert items(text + "x") == [LINE, LINE]


class TestParse:
    def test_more_than_one(self) -> None:
        with pytest.raises(PuzzleFormatError, match="more than one") as raised:
            parse(f"{LINE}\n{SOLUTION}")
        assert (raised.value.line, raised.value.text) == (2, SOLUTION)

    def test_another_geometry(self) -> None:
        geometry = NINE.with_diagonals()
        assert parse(LINE, geometry).geometry == geometry
        assert parse(LINE, Geometry.latin).geometry == Geometry.latin(9)

    def test_bytes(self) -> None:
        assert parse(LINE.encode()) == parse(LINE)

    def test_a_path_is_read_and_the_name_of_a_file_is_answered(self, tmp_path: Path) -> None:
        path = tmp_path / "puzzles.toml"
        path.write_text(f'clues = "{LINE}"\ntitle = "One"\n')
        assert (parse(path), read_puzzle(path).title) == (parse(LINE), "One")
        packed = tmp_path / "puzzles"
        packed.write_bytes(gzip.compress(f"{LINE}\n{LINE[:80]}\n".encode())[:-4])
        good, bad, damage = read(packed)
        assert isinstance(good, Puzzle)
        assert (good.board, good.source) == (parse(LINE), str(packed))
        assert isinstance(bad, PuzzleFormatError)
        assert str(bad).startswith(f"{packed}, line 2, column 81: ")
        assert "cut off after 2 lines" in str(damage)
        with pytest.raises(PuzzleFormatError, match=r"gridproof\.read\(Path\('.*puzzles\.toml'\)\) reads the file"):
            parse(str(path))
        with pytest.raises(FileNotFoundError):
            parse(tmp_path / "none")
        with pytest.raises(InputError, match="read: source is 5; expected a text, lines, or the path of a file"):
            read(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", datasets.names())
def test_our_own_sets(name: str) -> None:
    """Each puzzle, written as a line and read back from a stream of lines."""
    boards = datasets.load(name)
    plain = [
        board for board in boards if board.marks is None and board.geometry == Geometry.standard(board.geometry.order)
    ]
    lines = [to_line(board.clues, board.geometry) for board in plain]
    assert items("".join(f"{line}\n" for line in lines).encode()) == lines
    assert [parse(line) for line in lines] == plain


@pytest.mark.parametrize("name", ["17clue-2000.txt", "top95.txt", "hardest11.txt", "mixed10k.txt"])
def test_puzzle_sets(name: str) -> None:
    path = Path(__file__).parents[2] / "shared" / "data" / name
    if not path.exists():
        pytest.skip(f"{path} is not there: no part of the project")
    lines = path.read_text().split()
    with path.open("rb") as file:
        assert items(file) == lines
