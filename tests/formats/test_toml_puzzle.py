"""Puzzle files of our own: read from anywhere, refused with the place of the error, written and read back."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import pytest

import gridproof
from cli_runner import run
from formats.sample_puzzles import samples
from gridproof.cli import main
from gridproof.errors import InputError, NotUnderstoodError, PuzzleFormatError
from gridproof.formats import Puzzle, Unread, parse, read, read_puzzle
from gridproof.formats.catalog import all_formats
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

FILE = '''
# a puzzle of the tests
title = "Three rules"
clues = """
1 . | . .
. . | . .
----+----
. . | . .
. . | . 3
"""
boxes = "2x2"

[[rule]]
kind = "killer"
total = 5
cells = "r1c2 r2c2"

[[rule]]
kind = "thermometer"
lines = ["r3c2 r4c2", "r3c2 r3c3"]

[[rule]]
rule = "even r1c3"
'''
RULES = ["killer 5 r1c2 r2c2", "thermometer r3c2 r4c2 / r3c2 r3c3", "even r1c3"]
SOLUTION = "1234341221434321"
CLUES = "1.............. 3".replace(" ", "")


def to_toml(puzzle: Puzzle | Board) -> str:
    return all_formats()["toml"].text_of(Puzzle(puzzle) if isinstance(puzzle, Board) else puzzle)


def only(text: str | bytes) -> Puzzle:
    (item,) = read(text)
    assert isinstance(item, Puzzle), item
    return item


def error_of(text: str) -> str:
    (item,) = read(text)
    assert isinstance(item, PuzzleFormatError)
    assert item.line is not None
    message = str(item)
    assert "\n" not in message
    return message


# ---- reading ---------------------------------------------------------------------------------------------------------


def test_it_is_the_board_with_its_rules() -> None:
    expected = parse(CLUES, rules=RULES)
    puzzle = only(FILE)
    assert (puzzle.board, puzzle.title, puzzle.format, puzzle.line) == (expected, "Three rules", "toml", 1)
    assert len(puzzle.board.rules) == 3
    assert parse(FILE) == parse(FILE.encode("utf-16")) == parse("\ufeff" + FILE.replace("\n", "\r\n")) == expected
    assert parse(FILE, rules=["odd r2c1"]) == expected.with_rule("odd r2c1")


@pytest.mark.parametrize(
    ("shape", "geometry"),
    [
        ("latin = true", Geometry.latin(4)),
        ("latin = true\ndiagonal = true", Geometry.latin(4).with_diagonals()),
        ('boxes = "1x4"\ndisjoint = true', Geometry.classic(1, 4).with_disjoint_groups()),
        ("jigsaw = '''\nAAAB\nCABB\nCCDB\nCDDD\n'''", Geometry.jigsaw("AAAB CABB CCDB CDDD")),
        ('houses = ["r1c1 r2c2 r3c3 r4c4"]', Geometry.classic(2).with_houses([(0, 5, 10, 15)])),
        ('houses = { stripe = ["r1c1-r4c4"] }', Geometry.classic(2).with_houses([(0, 5, 10, 15)], "stripe")),
        ("", Geometry.classic(2)),
    ],
)
def test_shapes(shape: str, geometry: Geometry) -> None:
    assert only(f'{shape}\nclues = "{CLUES}"' if shape else f'clues = "{CLUES}"').board.geometry == geometry


def test_a_shape_from_the_caller_is_not_dropped() -> None:
    text = f'clues = "{CLUES}"\nboxes = "2x2"'
    assert parse(text, Geometry.classic(2)).geometry == Geometry.classic(2)
    assert parse(text, Geometry.classic(2).with_diagonals()).geometry == Geometry.classic(2).with_diagonals()
    assert parse(f'clues = "{CLUES}"', Geometry.latin).geometry == Geometry.latin(4)
    for shape in (Geometry.latin(4), Geometry.latin):
        with pytest.raises(
            PuzzleFormatError, match=r"line 2.*boxes: a board of 4x4, 2x2 boxes, where 4x4, Latin square is"
        ):
            parse(text, shape)


def test_the_meaning_of_zero_stands_in_the_file() -> None:
    assert parse('clues = "1..0 ..3. .2.. 0..1"\nzero = "symbol"') == parse("1..0 ..3. .2.. 0..1", zero="symbol")


WRONG = [
    ("boxes", "bxes", "line 11, column 1: unknown key bxes; did you mean boxes? Expected one of title, author"),
    ('boxes = "2x2"', 'boxes = "2y2"', "line 11, column 1: boxes = '2y2'; expected rows x columns of a box"),
    ('boxes = "2x2"', "boxes = 4", "line 11, column 1: boxes = 4; expected a text"),
    ('boxes = "2x2"', 'latin = true\nboxes = "2x2"', "line 11, column 1: boxes and latin; expected one of them"),
    ('boxes = "2x2"', 'jigsaw = "AB"', "line 11, column 1: jigsaw: a jigsaw of 2 labels"),
    ('boxes = "2x2"', 'houses = ["r1c1"]', "line 11, column 1: houses: house 'extra 1'"),
    ('boxes = "2x2"', "houses = [3]", "line 11, column 1: houses: [3]; expected a list of cells"),
    (". . | . 3", ". . | . 7", "line 9, column 9: clues: no symbol of a 4x4 board: '7'; expected 1-4"),
    ("clues", "zero", 'line 1, column 1: no key clues; expected clues = """..."""'),
    ("total = 5", "totl = 5", "rule 1: the rule 'killer totl=5 r1c2 r2c2': no parameter is called 'totl'; expected"),
    ("total = 5", "total = true",
     "rule 1: the rule 'killer total=True r1c2 r2c2': total = 'True'; expected a whole number"),
    ("total = 5", "total = 5.0", "total = '5.0'; expected a whole number (the sum of the cage); usage"),
    ('cells = "r1c2 r2c2"', "cells = 3", "rule 1: killer: cells = 3; expected cells such as"),
    ('cells = "r1c2 r2c2"', "", "rule 1: the rule 'killer total=5': cells is missing: the cells of the cage; usage"),
    ('cells = "r1c2 r2c2"', 'cells = "r1c2 x2"', "rule 1: the rule 'killer total=5 r1c2 x2': 'x2' is not a cell"),
    ('"thermometer"', '"thermometre"', "line 18, column 1: rule 2: no kind of rule is called 'thermometre'; did you"),
    ('kind = "thermometer"\n', "", "line 18, column 1: rule 2: {'lines': ['r3c2 r4c2', 'r3c2 r3c3']}; expected kind"),
    ('rule = "even r1c3"', "rule = 3", "line 22, column 1: rule 3: 3; expected kind"),
    ('rule = "even r1c3"', 'rule = "even r1c3 4"', "rule 3: the rule 'even 4 r1c3': '4' is one value too many; usage"),
    ("[[rule]]\nrule", "[[rule]\nrule", "line 22, column 1: not readable as TOML: Expected ']]'"),
    ("r1c2 r2c2", "r1c2 r9c9", "r9c9 is not on a board of 4x4, 2x2 boxes; expected r1c1 to r4c4; usage: killer"),
    ("r1c2 r2c2", "row5", "rule 1: the rule 'killer total=5 row5': 'row5' is not on a board of 4x4, 2x2 boxes"),
    ("r1c2 r2c2", "r1c2, r1c2", "line 13, column 1: rule 1: the rule 'killer total=5 r1c2, r1c2': r1c2 is named twice"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "part"), WRONG)
def test_what_is_wrong_is_stated_with_its_place(old: str, new: str, part: str) -> None:
    assert old in FILE
    assert part in error_of(FILE.replace(old, new, 1))


def test_pasted_lists_are_no_puzzle_files() -> None:
    assert parse("[[1,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,3]]").clues == parse(CLUES).clues


# ---- writing ---------------------------------------------------------------------------------------------------------


def test_what_is_written_is_read_back() -> None:
    shapes = (*map(Geometry.latin, (1, 2, 3, 36)), Geometry.jigsaw([row for row in range(36) for _ in range(36)]))
    stripes = Geometry.latin(4).with_houses([(0, 5, 10, 15)], "stripe").with_houses([(3, 6, 9, 12)])
    unmarked = [puzzle.board for puzzle in samples() if puzzle.board.marks is None]
    for board in (*unmarked, *map(Board.empty, (*shapes, stripes))):
        text = to_toml(Puzzle(board, title='a "title"\n\x7f'))
        puzzle = only(text)
        assert (puzzle.board, puzzle.title) == (board, 'a "title"\n\x7f'), text


def test_pencil_marks_are_written() -> None:
    board = parse("1... .... .... ....", rules=["odd r2c2"]).with_marks([1, *[14] * 15])
    assert parse(to_toml(board)).candidates == board.candidates
    for order in (1, 2, 3):
        few = Board.empty(Geometry.latin(order)).with_marks([(1 << order) - 1 - k % 2 for k in range(order**2)])
        assert parse(to_toml(few)).candidates == few.candidates


@pytest.mark.parametrize("geometry", [Geometry.classic(2), Geometry.latin(36)], ids=["4x4", "36x36"])
def test_a_solution_is_written_and_read_back(geometry: Geometry) -> None:
    n = geometry.order
    grid = tuple((row + column) % n + 1 for row in range(n) for column in range(n))
    text = to_toml(Puzzle(Board.empty(geometry), grid))
    assert only(text).solution == grid
    assert only('zero = "symbol"\nclues = "1..0 ..3. .2.. 0..1"\nsolution = "1230 0312 2103 3021"').solution == tuple(
        map(int, "2341142332144132")
    )


def test_it_reads_like_this() -> None:
    board = parse(CLUES, Geometry.latin, rules=RULES)
    assert to_toml(Puzzle(board, title="Mine")) == (
        'title = "Mine"\nclues = """\n1...\n....\n....\n...3\n"""\nlatin = true\n\n'
        '[[rule]]\nkind = "killer"\ntotal = 5\ncells = "r1c2 r2c2"\n\n'
        '[[rule]]\nkind = "thermometer"\nlines = ["r3c2 r4c2", "r3c2 r3c3"]\n\n'
        '[[rule]]\nkind = "even"\ncells = "r1c3"'
    )


def test_everything_that_a_link_states_comes_back() -> None:
    board = parse(CLUES, rules=RULES).with_filled((0, 2) + (0,) * 14)
    words = 'One \\ "rule".\n\n  Thermometers \u202eincrease\u202c\x07.\r\n"""'
    unread = (Unread("line 1 of 1", 'drawn along r1c1, with the text "x"'),)
    whole = Puzzle(board, tuple(map(int, SOLUTION)), "A title", "Nobody", words, unread)
    text = to_toml(whole)
    assert "\u202e" not in text
    assert "\\u202e" in text
    assert read_puzzle(text) == whole
    (error,) = read(text)
    assert isinstance(error, NotUnderstoodError)
    link = all_formats()["f-puzzles"].write
    assert link is not None
    understood = replace(whole, unread=())
    again = read_puzzle(to_toml(read_puzzle(link(understood))))
    assert again == understood
    assert read_puzzle(link(again)) == understood


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("x = " + "[" * 50_000, "not readable as TOML: "),
        ("x = " + "9" * 5_000, "not readable as TOML: Exceeds the limit"),
        (
            f"[[rule]]\nkind = 'killer'\ncells = 'r1c1'\ntotal = 0x{'f' * 5_000}",
            "line 2, column 1: rule 1: a number of 20,000",
        ),
        ("rule = [" + "'anti-king'," * 5_001 + "]", "rule: 5,001 entries; expected at most 5,000"),
        ("[[unread]]\nwhere = 'x'", "line 2, column 1: unread: what is missing; expected a text"),
        ("author = 3", "author = 3; expected a text"),
        ("[[rule]]\n" + "a." * 40_000 + "b = 1", "line 3, column 1: not readable as TOML: a key of more than 32 parts"),
        ('rule = { x = """b""""", ' + "c." * 40_000 + "c = 1 }", "line 2, column 1: not readable as TOML: a key"),
        ("rule = { 'x' = 1, \"c\"" + ".'c'" * 40_000 + " = 1 }", "line 2, column 1: not readable as TOML: a key"),
        ("rule = ['even r1c1', 'even r5c1']", "line 2, column 1: rule 2: the rule 'even r5c1': r5c1 is not on a board"),
    ],
)
def test_a_hostile_file_is_one_error(text: str, part: str) -> None:
    started = process_time()
    assert part in error_of(f"clues = '{CLUES}'\n{text}")
    assert process_time() - started < 2


def test_a_file_too_large_for_memory_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def run_out(text: str) -> dict[str, Any]:
        raise MemoryError

    monkeypatch.setattr("tomllib.loads", run_out)
    assert "not readable as TOML" in error_of(f"clues = '{CLUES}'")


# ---- files that a puzzle names ---------------------------------------------------------------------------------------

SECRET = 'password = "hunter2"\nwords = ["s3cr3t"]'
APART = """
words = "neighbours on {lines} are at least {least} apart"
about = "Neighbours on the line differ by at least the number."
example = "apart 3 r1c1 r1c2"
parameters.least = { type = "number", help = "the least difference" }
parameters.lines = { type = "lines", help = "the lines" }
relation = { cells = "lines", pairs = "consecutive", allow = "abs(a - b) >= least" }
"""


def rules_that_name(path: str) -> list[str]:
    """The ways in which the text of a puzzle may name a file."""
    return [
        f"rule = '{path} 2 r1c1 r1c2'",
        f"""rule = '"{path}" 2 r1c1 r1c2'""",
        f"[[rule]]\nkind = '{path}'\nleast = 2",
    ]


@pytest.mark.parametrize("name", ["there.toml", "missing.toml", "pipe.toml"])
def test_a_text_opens_no_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "there.toml").write_text(SECRET)
    os.mkfifo(tmp_path / "pipe.toml")
    monkeypatch.chdir(tmp_path)
    for path in (name, f"./{name}", str(tmp_path / name)):
        for rule in rules_that_name(path):
            text = f"clues = '{CLUES}'\n{rule}"
            message = error_of(text)
            assert "a puzzle opens no file but one beside its own" in message
            assert "hunter2" not in message
            (record,) = gridproof.verify_many([text])
            assert record.verdict == "malformed"
            with pytest.raises(InputError, match="a puzzle opens no file"):
                gridproof.verify(text)


def test_a_puzzle_file_may_name_a_kind_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "puzzles"
    folder.mkdir()
    (folder / "apart.toml").write_text(APART)
    file = folder / "mine.toml"
    expected = gridproof.count(CLUES, rules=f"{folder}/apart.toml 2 r1c1 r1c2").number
    for rule in rules_that_name("apart.toml"):
        cells = "\nlines = 'r1c1 r1c2'" if "kind" in rule else ""
        file.write_text(f"clues = '{CLUES}'\n{rule}{cells}")
        assert gridproof.count(file).number == expected
        (record,) = gridproof.verify_many(file)
        assert record.verdict == "multiple"
        assert main(["count", "-q", str(file)]) == 0
        assert capsys.readouterr().out == f"{expected}\n"


def test_a_puzzle_file_opens_nothing_else(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside.toml", tmp_path / "puzzles"
    folder.mkdir()
    outside.write_text(SECRET)
    (folder / "secret.toml").write_text(SECRET)
    (folder / "link.toml").symlink_to(outside)
    (folder / "large.toml").write_text(APART + "#" * 70_000)
    os.mkfifo(folder / "pipe.toml")
    file = folder / "mine.toml"
    names = ("../outside.toml", str(outside), "secret.toml", "link.toml", "large.toml", "pipe.toml", "missing.toml")
    for name in names:
        for rule in rules_that_name(name):
            file.write_text(f"clues = '{CLUES}'\n{rule}")
            (error,) = read(file)
            assert isinstance(error, PuzzleFormatError)
            assert "beside" in str(error)
            for secret in ("password", "hunter2", "words", "s3cr3t", "No such"):
                assert secret not in str(error)


# ---- every command ---------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(FILE)
    return path


@pytest.mark.slow
def test_the_command_line_reads_files_and_standard_input(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def record_of(*arguments: str) -> dict[str, Any]:
        main(["verify", "-q", "--json", *arguments])
        record: dict[str, Any] = json.loads(capsys.readouterr().out)
        return record

    record = record_of("--details", str(file))
    assert record["title"] == "Three rules"
    assert record["rules"][0] == "the killer cage r1c2 r2c2 sums to 5"
    assert record["input"] == FILE.partition("tests\n")[2].strip(), "the puzzle as given, rules and all"
    assert record_of("--details", FILE)["rules"] == record["rules"]
    piped = run("verify", "--json", "--details", "-", stdin=FILE)
    assert json.loads(piped.stdout)["rules"] == record["rules"]
