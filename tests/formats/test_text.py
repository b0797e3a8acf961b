"""Reading: every notation, alone and mixed, as given and as pasted; what cannot be read is refused by its name."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest

import gridproof
from formats.notations import FOUR, LINE, NINE, ROWS, SOLUTION, error_of, items, only
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.formats import Puzzle, parse, read, read_puzzle, to_line
from gridproof.formats.known.text import marks_line
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

BARRED = [f"{row[:3]}|{row[3:6]}|{row[6:]}" for row in ROWS]
SPACED = [" | ".join(" ".join(row[start : start + 3]) for start in (0, 3, 6)) for row in ROWS]
LISTS = [[int(cell) if cell != "." else 0 for cell in row] for row in ROWS]
WIDE = {ord(str(digit)): 0xFF10 + digit for digit in range(10)}
ZEROS = LINE.replace(".", "0")
PAYLOAD = "N4IgzglgXgpiBcBOANCALhNAbO8QGEsB7I+/" * 4


def banded(rows: list[str], rule: str, top: str = "", bottom: str = "") -> str:
    parts = [top, *rows[:3], rule, *rows[3:6], rule, *rows[6:], bottom]
    return "\n".join(part for part in parts if part) + "\n"


def fields(delimiter: str, rows: list[str] = ROWS) -> str:
    return "\n".join(delimiter.join(row).replace(".", "") for row in rows)


def game(cells: str) -> str:
    return f'  <game created="1" state="1" data="{cells}" note=""/>\n'


BOX = [f"║{row.replace('|', '║')}║" for row in BARRED]
CELLS = [f"│ {' │ '.join(row)} │".replace(".", " ") for row in ROWS]
MARKDOWN = [f"| {' | '.join(row)} |".replace(".", " ") for row in ROWS]

PASTED = {
    "rows": "\n".join(ROWS),
    "numbers": "\n".join(" ".join(row) for row in ROWS),
    "numbers with zeros": "\n".join(" ".join(row).replace(".", "0") for row in ROWS),
    "groups": "\n".join(row.replace("|", " ") for row in BARRED),
    "bars": "\n".join(BARRED),
    "bars and dashes": banded(BARRED, "---+---+---"),
    "a line of nine dashes": banded(ROWS, "---------"),
    "spaced": banded(SPACED, "------+-------+------"),
    "spaced, a line of dashes": banded(SPACED, "-" * 21),
    "equals signs": banded(SPACED, "=" * 21),
    "indented frame": banded([f" | {row} |" for row in SPACED], *[" +-------+-------+-------+"] * 3),
    "stars": banded([f"|{row}|" for row in BARRED], "|---+---+---|", "*-----------*", "*-----------*"),
    "dots and quotes": banded([f"|{row}|" for row in BARRED], ":---+---+---:", ".---.---.---.", "'---'---'---'"),
    "box drawing": banded(BOX, "╠═══╬═══╬═══╣", "╔═══╦═══╦═══╗", "╚═══╩═══╩═══╝"),
    "a box for each cell": "\n".join(
        [f"┌{'───┬' * 8}───┐", f"\n├{'───┼' * 8}───┤\n".join(CELLS), f"└{'───┴' * 8}───┘"]
    ),
    "markdown with its rule": "\n".join([MARKDOWN[0], "|" + "---|" * 9, *MARKDOWN[1:]]),
    "blank lines between bands": "\n".join([*ROWS[:3], "", *ROWS[3:6], "", *ROWS[6:]]),
    "comments between rows": "\n".join([*ROWS[:4], "# half of it", *ROWS[4:]]),
    "comments beside rows": "\n".join(f"{row}  # row {number}" for number, row in enumerate(ROWS)),
    "a list of lists": str(LISTS),
    "a list of lists of text": json.dumps([list(row) for row in ROWS]),
    "a list of lists with None": str(LISTS).replace("0", "None"),
    "a list of lists with nothing": str([list(row) for row in ROWS]).replace("'.'", "''"),
    "a list over lines": "[\n" + ",\n".join(f"  {list(row)!r}" for row in ROWS) + ",\n]\n",
    "an array printed": "[" + "\n ".join("[" + " ".join(row).replace(".", "0") + "]" for row in ROWS) + "]",
    "fields": fields(","),
    "fields after semicolons": fields(";"),
    "fields in quotes": "\n".join(",".join(f'"{cell}"' for cell in row).replace(".", "") for row in ROWS),
    "fields and spaces": fields(", "),
    "tabs": fields("\t"),
    "fields on a line": ",".join(LINE).replace(".", ""),
    "no-break spaces": "\n".join("\u00a0".join(row) for row in ROWS),
    "zero-width spaces": "\u200b" + "\n".join(ROWS),
    "middle dots": "\n".join(ROWS).replace(".", "·"),
    "white squares": "\n".join(ROWS).replace(".", "□"),
    "dashes made long": "\n".join(ROWS).replace(".", "–"),
    "wide digits in rows": "\n".join(ROWS).translate(WIDE).replace(".", "．"),
    "a heading": "Grid 01\n" + "\n".join(ROWS),
    "a heading of one's own": "My puzzle 1:\n" + "\n".join(ROWS),
    "a section": "#A someone\n[Puzzle]\n" + "\n".join(ROWS),
    "a line": LINE,
    "a line of groups": " ".join(ROWS),
    "a line of numbers": " ".join(LINE),
    "a line with a name": LINE + " Arto Inkala, 2006",
    "a line with a rating": LINE + " 11.9",
    "a line between a number and a rating": "0000183b305c " + LINE + "  7.2",
    "a line and a name after a semicolon": LINE + ";name;8",
    "a line and a comment": f"  {LINE} # see https://sudokupad.app/abc \t",
    "a line and a link": f"{LINE} https://example.org/17",
    "a number and a line": f"1: {LINE}",
    "a line and words": f"{LINE} : very hard",
    "JSON": json.dumps({"grid": LISTS}),
    "JSON over lines": '{\n "puzzle": [\n' + ",\n".join(f"  {row}" for row in LISTS) + "\n ]\n}",
    "JSON lines": json.dumps({"puzzle": LINE}),
    "HoDoKu with zeros": f":0701-1:2:{ZEROS}:121 221:288:",
    "HoDoKu, digits placed": f":0701:2:{LINE[:2]}+4{LINE[3:7]}+9+1{LINE[9:]}:121 221:288:",
    "digits placed only": f"{LINE[:2]}+4{LINE[3:7]}+9+1{LINE[9:]}",
    "sudokuwiki": f"https://www.sudokuwiki.org/sudoku.htm?bd={ZEROS}",
    "qqwing": f"<https://qqwing.com/solve.html?x=1&puzzle={LINE}>",
    "a link without its beginning": f"www.example.org/s/{LINE}#1",
    "OpenSudoku with a folder": f'<opensudoku version="2">\n<folder name="x">\n{game(LINE)}</folder>\n</opensudoku>',
    "SadMan Sudoku": "\n".join(" ".join(row).replace(".", "123456789").replace("53", "5 3") for row in ROWS),
}


@pytest.mark.parametrize("name", PASTED)
def test_every_notation(name: str) -> None:
    """A puzzle alone, with other line ends, among lines, among damaged blocks: with the shape known or not."""
    text, damaged = PASTED[name], "\n".join(ROWS[:8])
    for shape in (Geometry.standard, NINE):
        assert items(text, shape) == items(text.replace("\n", "\r\n").encode(), shape) == [LINE]
        among = f"{SOLUTION}\n{text}\n{SOLUTION}\n\n{text}\n\n{text}\n"
        assert items(among, shape) == [SOLUTION, LINE, SOLUTION, LINE, LINE]
        first, second, third, fourth = items("\n\n".join([damaged, text, damaged, text]), shape)
        assert (":" in first, second, ":" in third, fourth) == (True, LINE, True, LINE)
    assert items(text.encode().splitlines(keepends=True)) == [LINE]
    assert to_line(parse(text).clues, NINE) == LINE


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(ROWS).replace(".", " "),
        banded([f"|{row}|".replace(".", " ") for row in BARRED], *["+---+---+---+"] * 3),
        "\n".join(f"{number} {' '.join(row)}" for number, row in enumerate(ROWS, 1)),
        f"board = {LISTS}",
        "int grid[9][9] = {\n" + ",\n".join("{" + ",".join(row).replace(".", "0") + "}" for row in ROWS) + "\n};",
        "array([" + ",\n".join(map(str, LISTS)) + "])",
    ],
    ids=["spaces", "spaces between bars", "numbered rows", "Python", "C", "NumPy"],
)
def test_what_is_not_read_is_an_error_and_never_another_puzzle(text: str) -> None:
    for shape in (Geometry.standard, NINE, Geometry.latin):
        results = items(f"{SOLUTION}\n\n{text}\n\n{SOLUTION}", shape)
        assert [item for item in results if ":" not in item] == [SOLUTION, SOLUTION]
        assert len(results) > 2


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"https://www.f-puzzles.com/?load={PAYLOAD}", "payload"),
        ("f-puzzles.com/?id=y7m8u2ks", "short link"),
        (f"https://sudokupad.app/fpuzzles{PAYLOAD}", "payload"),
        ("<https://app.crackingthecryptic.com/sudoku/abc>", "short link"),
        (f"scl{PAYLOAD}", "payload"),
        (PAYLOAD, "payload"),
        ('{"size":9,"title":"x","grid":[[{"value":5,"given":true},{}],[{}]]}', "a grid whose rows"),
        ("3x3::k:3841:2305:4096:", "a killer Sudoku"),
        ("https://www.sudokuwiki.org/sudoku.htm?bd=S9B0k1l2m3n4", "a link without the cells of a puzzle"),
        ('<game data="version: 1\\n5|0|0|1|" />', "a saved game of OpenSudoku"),
    ],
)
def test_what_cannot_be_read_is_one_error_in_its_place(text: str, problem: str) -> None:
    for shape in (Geometry.standard, NINE):
        error = error_of(text, shape)
        assert (error.text, error.line, error.column) == (text, 1, 1)
        assert problem in str(error)
        among = f"{LINE}\n{text}\n{LINE}\n\n" + "\n".join([*ROWS, text, *ROWS])
        assert items(among, shape) == [LINE, "2:1", LINE, LINE, "14:1", LINE]


def test_json_over_many_lines_is_one_puzzle_or_one_error() -> None:
    puzzle = {"size": 9, "title": "x", "grid": [[{"value": 5, "given": True}, *[{}] * 8], *[[{}] * 9] * 8]}
    assert only("# a comment\n\n" + json.dumps(puzzle, indent=2)).board.clue_count == 1
    puzzle["grid"] = []
    assert "a grid whose rows" in error_of(json.dumps(puzzle, indent=2)).problem
    first, second = items(f"{LINE}\n{json.dumps(puzzle, indent=2)}")
    assert (first, ":" in second) == (LINE, True)


def test_several_puzzles_of_a_file_of_opensudoku() -> None:
    text = f"<opensudoku>{game(LINE).strip()}{game(SOLUTION)}<folder name='x'>\n{game(LINE[:80])}</folder>"
    first, second, third = read(text)
    assert [item.line for item in (first, second, third)] == [1, 1, 3]
    assert first.text == LINE
    assert isinstance(third, PuzzleFormatError)
    assert "80 characters" in third.problem
    assert items("<opensudoku>\n</opensudoku>") == []


class TestSpreadsheets:
    def test_sixteen_by_sixteen(self) -> None:
        board = Board(Geometry.classic(4), (1, 0, 16, 0, 10, *[0] * 251))
        numbers = [str(clue or "") for clue in board.clues]
        for delimiter in ",;\t":
            text = "\n".join(delimiter.join(numbers[start : start + 16]) for start in range(0, 256, 16))
            assert only(text).board == board

    @pytest.mark.parametrize("delimiter", [",", "\t"])
    def test_rows_of_blanks(self, delimiter: str) -> None:
        for row in range(9):
            rows = [*ROWS[:row], "." * 9, *ROWS[row + 1 :]]
            assert items(fields(delimiter, rows)) == ["".join(rows)], row
        assert items(f"{fields(delimiter)}\n{delimiter * 8}\n{fields(delimiter)}") == [LINE, LINE]
        assert items(delimiter * 8) == []

    def test_a_field_too_few_is_a_damaged_row(self) -> None:
        rows = fields(",").split("\n")
        rows[4] = rows[4][:-2]
        for shape in (Geometry.standard, NINE):
            error = error_of("\n".join(rows), shape)
            assert (error.line, error.problem) == (5, "a row of 8 cells")


class TestLineEnds:
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n"])
    def test_every_line_end(self, end: str) -> None:
        text = end.join([*ROWS, "", LINE, "# comment", "", SOLUTION])
        for source in (text, text + end, text.encode(), io.BytesIO(text.encode())):
            assert items(source) == [LINE, LINE, SOLUTION]
            assert [item.line for item in read(text)] == [1, 11, 14]
        if end != "\r\r\n":  # which a text stream itself takes for two line ends
            assert items(io.StringIO(text, newline="")) == [LINE, LINE, SOLUTION]

    @pytest.mark.parametrize("text", [LINE, "\n".join(ROWS), "puzzle\n" + LINE])
    def test_a_byte_order_mark(self, text: str) -> None:
        for source in ("\ufeff" + text, b"\xef\xbb\xbf" + text.encode(), io.BytesIO(b"\xef\xbb\xbf" + text.encode())):
            assert items(source) == [LINE]

    @pytest.mark.parametrize("text", ["", "\n", "\r\n\r\n", "# nothing\n", "  \t\n", "\ufeff", "end\n"])
    def test_nothing(self, text: str) -> None:
        assert items(text) == items([]) == []
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

    def test_the_puzzle_has_its_place_in_the_file(self) -> None:
        puzzle = only(f"\n# one\n{ZEROS}  # a comment\n", NINE)
        assert puzzle == Puzzle(Board(NINE, tuple(map(int, ZEROS))))
        assert (puzzle.line, puzzle.text) == (3, ZEROS)
        framed = banded([f"| {row} |" for row in SPACED], *["+-------+-------+-------+"] * 3)
        puzzle = only("# a grid\n\n" + framed)
        assert (puzzle.line, puzzle.text) == (4, framed.rstrip("\n"))

    def test_letters_in_both_cases(self) -> None:
        geometry = Geometry.classic(4)
        board = Board(geometry, (10, 16, 9, *[0] * 253))
        for text in ("AG9" + "." * 253, "ag9" + "." * 253, "a g 9" + " ." * 253, "10 16 9" + " ." * 253):
            assert parse(text, geometry) == parse(text) == board
        assert parse("10 16 09" + " 00" * 253, geometry) == board

    def test_lines_are_read_as_they_are_needed(self) -> None:
        given = iter([LINE, LINE, LINE, "", *ROWS, "", *ROWS, ""])
        puzzles = read(given)
        assert [next(puzzles).line, next(puzzles).line] == [1, 2]
        assert [next(given), next(given)] == [LINE, ""]
        assert isinstance(next(puzzles), Puzzle)
        assert next(given) == ROWS[0]


class TestSeveralInOneBlock:
    def test_headings_comments_and_frames_part_them(self) -> None:
        assert items("\n".join(["Grid 01", *ROWS, "Grid 02", *ROWS[:8], "Grid 03", *ROWS])) == [LINE, "12:1", LINE]
        text = "\n".join(["# 1", *ROWS, "# 2", *ROWS[:8], "# 3", *ROWS, *ROWS[:1], "# 4", *ROWS])
        assert [":" in item for item in items(text)] == [False, True, True, False]
        framed = banded([f"|{row}|" for row in BARRED], *["+---+---+---+"] * 3)
        short = framed.replace(f"|{BARRED[4]}|\n", "")
        for shape in (Geometry.standard, NINE):
            assert items(framed * 2, shape) == [LINE, LINE]
            assert [":" in item for item in items(framed + short + framed, shape)] == [False, True, False]

    def test_a_very_long_block_is_read_as_it_comes(self) -> None:
        results = [item.line for item in read(line for _ in range(2000) for line in ROWS) if isinstance(item, Puzzle)]
        assert results == list(range(1, 18_000, 9))

    def test_two_rows_of_dashes_among_dashes(self) -> None:
        assert items("\n".join(["12--", "----", "----", "--34"] * 2)) == ["12............34"] * 2


class TestPencilMarks:
    def test_a_line(self) -> None:
        board = parse("1234" * 15 + ".2.4", FOUR)
        assert board.candidates == (15,) * 15 + (10,)
        assert parse("1234" * 15 + "-2*4", FOUR) == board
        for shape in (FOUR, Geometry.standard):
            assert parse(" ".join(["1234"] * 15 + [".2.4"]), shape) == board

    def test_cells_with_one_candidate_or_none(self) -> None:
        board = parse("..3." + "1234" * 15, FOUR)
        assert (board.clues, board.marks) == ((3, *[0] * 15), None)
        board = parse("...." + "1.34" * 15, FOUR)
        assert board.candidates == (0, *[13] * 15)
        assert board.contradictions()

    def test_nine_by_nine(self) -> None:
        text = marks_line(Board.from_symbols(NINE, LINE))
        assert (len(text), text[:18], items(text)) == (729, "....5......3......", [LINE])

    def test_a_grid_in_columns(self) -> None:
        board = only("1 2 3 4\n34 34 12 12\n2 1 4 3\n34 34 12 12").board
        assert board.clues == (1, 2, 3, 4, 0, 0, 0, 0, 2, 1, 4, 3, 0, 0, 0, 0)
        assert board.candidates[4:8] == (12, 12, 3, 3)
        text = ".-------.-------.\n| 1  2  | 3  4  |\n| 34 34 | 12 12 |\n:-------+-------:\n"
        text += "| 2  1  | 4  3  |\n| 34 34 | 12 12 |\n'-------'-------'\n"
        assert only(text).board == only(text, FOUR).board == board
        assert items("1 2 3 4\n34 . . .\n2 1 4 3\n. . . .") == ["2:1"], "a number too large among blanks is no mark"


class TestJudge:
    @pytest.mark.parametrize("end", ["end", "end\r\n", " end ", "END", "End\n"])
    def test_nothing_is_read_after_the_end(self, end: str) -> None:
        lines = iter([LINE + "\n", end, "nonsense\n", LINE])
        assert items(lines) == [LINE]
        assert next(lines) == "nonsense\n"
        assert items([*ROWS, end]) == [LINE]
        assert items([*ROWS[:8], end, ROWS[8]]) == ["1:1"]


class TestParse:
    def test_more_than_one(self) -> None:
        with pytest.raises(PuzzleFormatError, match="more than one") as raised:
            parse(f"{LINE}\n{SOLUTION}")
        assert (raised.value.line, raised.value.text) == (2, SOLUTION)

    def test_another_geometry(self) -> None:
        geometry = NINE.with_diagonals()
        assert parse(LINE, geometry).geometry == geometry
        assert parse(LINE.encode(), Geometry.latin).geometry == Geometry.latin(9)

    def test_a_path_is_read_and_the_name_of_a_file_is_answered(self, tmp_path: Path) -> None:
        path = tmp_path / "puzzles.toml"
        path.write_text(f'clues = "{LINE}"\ntitle = "One"\n')
        assert (parse(path), read_puzzle(path).title) == (parse(LINE), "One")
        packed = tmp_path / "puzzles"
        packed.write_bytes(gzip.compress(f"{LINE}\n{LINE[:80]}\n".encode())[:-4])
        good, bad, damage = read(packed)
        assert isinstance(good, Puzzle)
        assert (good.board, good.source) == (parse(LINE), str(packed))
        assert str(bad).startswith(f"{packed}, line 2, column 81: ")
        assert "cut off after 2 lines" in str(damage)
        with pytest.raises(PuzzleFormatError, match=r"gridproof\.read\(Path\('.*puzzles\.toml'\)\) reads the file"):
            parse(str(path))
        for name in ("nosuchfile.toml", "folder/none.TXT", "C:\\puzzles\\none.csv"):
            with pytest.raises(PuzzleFormatError, match=r"; is that a path\? There is no file of this name"):
                gridproof.verify(name)
        with pytest.raises(FileNotFoundError):
            parse(tmp_path / "none")
        with pytest.raises(InputError, match="read: source is 5; expected a text, lines, or the path of a file"):
            read(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["17clue-2000.txt", "top95.txt", "hardest11.txt", "mixed10k.txt"])
def test_puzzle_sets(name: str) -> None:
    path = Path(__file__).parents[3] / "shared" / "data" / name
    if not path.exists():
        pytest.skip(f"{path} is not there: no part of the project")
    lines = path.read_text().split()
    with path.open("rb") as file:
        assert items(file) == lines
