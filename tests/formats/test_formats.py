"""Each format in particular: the content of its files beside clues, and how its own words are read and written."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from core_samples import EVERYTHING
from formats.notations import LINE
from formats.sample_puzzles import meaning
from gridproof.errors import BoardError, InputError, PuzzleFormatError
from gridproof.formats import Puzzle, read
from gridproof.formats.catalog import all_formats, in_file
from gridproof.formats.known import links
from gridproof.formats.lzstring import unpack
from gridproof.formats.shapes import Shapes
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import parse_rule

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
USUAL = Shapes(Geometry.standard)
NINE = Geometry.classic(3)


def read_as(name: str, text: str) -> Puzzle:
    (result,) = all_formats()[name].read(text, USUAL)
    assert isinstance(result, Puzzle), result
    return result


def of(*rules: str, geometry: Geometry = NINE) -> Puzzle:
    return Puzzle(Board.empty(geometry).with_rules([parse_rule(text).make(geometry) for text in rules]))


def texts(result: Puzzle) -> list[str]:
    return [rule.text(result.board.geometry) for rule in result.board.rules]


def written(name: str, given: Puzzle) -> str:
    write = all_formats()[name].write
    assert write is not None
    return write(given)


def data_of(given: Puzzle) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(unpack(written("f-puzzles", given).split("load=")[1]))
    return data


# ---- f-puzzles and SudokuPad -----------------------------------------------------------------------------------------


def test_rules_that_the_programs_do_not_draw_are_drawn_and_marked() -> None:
    result = of("renban r1c1 r1c2 r1c3", "x-sum 15 row2", "row-indexer r3c3", "thermometer r5c5 r5c6")
    data = data_of(result)
    copies = [data[key][0] for key in ("line", "text", "rectangle")]
    assert [copy["fromConstraint"] for copy in copies] == ["renban", "x-sum", "row-indexer"]
    assert len(data["line"]) == 1, "a thermometer is drawn by the programs themselves"
    assert data["text"][0]["cells"] == ["R2C0"]
    assert data["ruleset"].startswith("The digits of the renban line r1c1-r1c3")
    assert not read_as("f-puzzles", json.dumps(data)).not_understood


@pytest.mark.parametrize(
    ("rule", "key", "items"),
    [
        ("arrow r1c1 r1c2 / r2c3 r2c4", "arrow", [{"cells": ["R1C1", "R1C2"], "lines": [["R1C2", "R2C3", "R2C4"]]}]),
        (
            "difference r1c1 r1c2 r1c3",
            "difference",
            [{"cells": [f"R1C{k}", f"R1C{k + 1}"], "value": ""} for k in (1, 2)],
        ),
        ("xv 10 r1c1 r1c2", "xv", [{"cells": ["R1C1", "R1C2"], "value": "X"}]),
        ("dutch-whispers r1c1 r1c2", "whispers", [{"lines": [["R1C1", "R1C2"]], "value": "4"}]),
        ("even r1c1 r2c2", "even", [{"cell": "R1C1"}, {"cell": "R2C2"}]),
        ("sandwich 5 column3", "sandwichsum", [{"cell": "R0C3", "value": "5"}]),
        (
            "little-killer 9 r1c2 r2c1",
            "littlekillersum",
            [{"cell": "R0C3", "direction": "DL", "cells": ["R1C2", "R2C1"], "value": "9"}],
        ),
        ("clone r1c1 / r2c2", "clone", [{"cells": ["R1C1"], "cloneCells": ["R2C2"]}]),
    ],
)
def test_the_form_of_a_rule_in_f_puzzles(rule: str, key: str, items: list[Any]) -> None:
    assert data_of(of(rule))[key] == items


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("f-puzzles", ["maximum r1c1", "maximum r1c2"]),
        ("f-puzzles", ["killer 10 r1c1 r1c2 repeats=True"]),
        ("f-puzzles", ["sandwich 5 r1c1 r1c2 r1c3"]),
        ("f-puzzles", ["quadruple 1 r1c1 r1c2 r2c1"]),
        ("f-puzzles", ["relation a!=b r1c1 r2c2"]),
        ("sudokupad", ["thermometer r1c1 r1c2"]),
        ("iss", ["sandwich 90 r1c1 r1c2 r1c3"]),
        ("killer-text", ["killer 3 r1c1 r1c2", "killer 4 r1c2 r1c3"]),
        ("f-puzzles", ["negative-ratio marked='r1c1 r1c2'"]),
    ],
)
def test_a_rule_that_a_format_cannot_express_is_named(name: str, rules: list[str]) -> None:
    with pytest.raises(BoardError, match=f"{name} cannot express the rule: "):
        written(name, of(*rules))


# ---- the Interactive Sudoku Solver -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "item"),
    [
        ("killer r1c1 r1c2", ".AllDifferent~R1C1~R1C2"),
        ("killer 10 r1c1 r1c2 repeats=True", ".Sum~10~R1C1~R1C2"),
        ("dutch-whispers r1c1 r1c2", ".Whisper~4~R1C1~R1C2"),
        ("lockout r1c1 r1c2 r1c3", ".Lockout~4~R1C1~R1C2~R1C3"),
        ("arrow r1c1 / r1c2 r1c3", ".Arrow~R1C1~R1C2~R1C3"),
        ("arrow r1c2 r1c1 / r2c1 r2c2 r2c3", ".PillArrow~2~R1C1~R1C2~R2C1~R2C2~R2C3"),
        ("inequality r1c1 r1c2", ".GreaterThan~R1C2~R1C1"),
        ("maximum r1c1", ".GreaterThan~R1C1~R1C2.GreaterThan~R1C1~R2C1"),
        ("xv 7 r1c1 r1c2", ".Sum~7~R1C1~R1C2"),
        ("clone r1c1 r1c2 / r3c3 r3c4", ".Palindrome~R1C1~R3C3.Palindrome~R1C2~R3C4"),
        ("even r1c1", ".~R1C1_2_4_6_8"),
        ("x-sum 15 r9c3-r1c3", ".XSum~C3~~15"),
        ("sandwich 0 row4", ".Sandwich~0~R4"),
        ("little-killer 9 r1c2 r2c1", ".LittleKiller~9~R1C2"),
        ("quadruple 1 1 r1c1 r1c2 r2c1 r2c2", ".ContainAtLeast~1_1~R1C1~R1C2~R2C1~R2C2"),
    ],
)
def test_the_form_of_a_rule_in_the_interactive_solver(rule: str, item: str) -> None:
    assert written("iss", of(rule)) == f".Shape~9x9{item}"


def test_its_own_notation() -> None:
    result = read_as(
        "iss",
        ".Whisper~R1C1~R1C2.Cage~0~R2C1~R2C2.Quad~R3C3~1~2.WhiteDot~R4C1~R4C2~R4C3.XSum~R5~10~20.Thermo~R6C1~R6C2"
        ".Diagonal~1.~R1C1_5~R2C2_1_2.~R2C2_2_3",
    )
    assert texts(result) == [
        "whispers difference=5 r1c1 r1c2",
        "killer r2c1 r2c2",
        "quadruple 'values=1 2' r3c3 r3c4 r4c3 r4c4",
        "difference difference=1 r4c1 r4c2",
        "difference difference=1 r4c2 r4c3",
        "x-sum total=10 r5c1 r5c2 r5c3 r5c4 r5c5 r5c6 r5c7 r5c8 r5c9",
        "x-sum total=20 r5c9 r5c8 r5c7 r5c6 r5c5 r5c4 r5c3 r5c2 r5c1",
        "thermometer r6c1 r6c2",
    ]
    assert result.board.clues[:11] == (5, *[0] * 9, 2)
    assert [house.cells[0] for house in result.board.geometry.houses[27:]] == [8]
    assert result.not_understood == ()


def test_it_is_read_as_its_own_solver_reads_it() -> None:
    assert texts(read_as("iss", ".AllDifferent~R1C1~R1C2~R1C1")) == ["extra-region r1c1 r1c2"]
    assert texts(read_as("iss", ".GreaterThan~R1C1~R1C2~R1C1")) == ["inequality r1c2 r1c1"]
    assert texts(read_as("iss", ".Shape~4x4.DisjointSets.~R1C1_1")) == ["disjoint-groups"]


def test_its_shapes() -> None:
    assert read_as("iss", ".Shape~6x6.~R1C1_1").board.geometry == Geometry.classic(2, 3)
    assert read_as("iss", ".Shape~4x4.NoBoxes.~R1C1_1").board.geometry == Geometry.latin(4)
    jigsaw = "0001202213321333"
    regions = "0001201122312333"
    assert read_as("iss", f".Shape~4x4.Jigsaw~{regions}.NoBoxes.~R1C1_1").board.geometry == Geometry.jigsaw(regions)
    assert read_as("iss", f".Shape~4x4.Jigsaw~{jigsaw}.NoBoxes.~R1C1_1").not_understood
    assert read_as("iss", ".Shape~16x16.~RgCa_16").board.clues[15 * 16 + 9] == 16
    assert [one.where for one in read_as("iss", ".Shape~4x4.Diagonal~5.~R1C1_1").not_understood] == ["Diagonal"]
    assert [one.where for one in read_as("iss", ".Shape~6x8~8~Raw").not_understood] == ["Shape (item 1 of 1)"]
    for shapes, problem in (("17x17", "expected rows and columns such as 6x6"), ("6x6.Shape~4x4", "two Shapes")):
        with pytest.raises(InputError, match=problem):
            read_as("iss", f".Shape~{shapes}.~R1C1_1")


@pytest.mark.parametrize(
    "item",
    [
        *("Or.End", "NFA~abc~~R1C1", "Modular~0~R1C1~R1C2", "Cage~x~R1C1", "Thermo~R1C1~R9Ca"),
        *(
            "Thermo",
            "~R1C1_77",
            "XSum~R77~5",
            "Quad~R9C9~1",
            "Arrow~R1C1",
            "Sum~10_=_1_-1_2~R1C1~R1C2",
            "NoBoxes.Windoku",
        ),
        *(
            "WhiteDot~R1C1~R3C3",
            "X~R1C1",
            "V~R1C1~R1C3",
            "BlackDot~R1C1~R2C2",
            "GreaterThan~R1C1~R1C1",
            "RegionSize~10",
        ),
        *("Skyscraper~R1~0~", "XSum~R1~~0", "Quad~R1C1", "XSum~R1~5.XSum~R1~6", "Quad~R1C1~1.Quad~R1C1~2"),
        *("Or.Cage~20~R4C2~R4C3~R4C4~R4C4.End", "PillArrow~2~R1C1~R3C3~R4C3", "PillArrow~4~R1C1~R1C2~R1C3~R1C4~R2C1"),
        *("Or.Cage~0~R1C1~R1C1.End", "NoBoxes.RegionSumLine~R1C1~R1Ca", "Entropic~R1C1~R1C2", "RellikCage~3~R1C1~R1C1"),
        *("Or.Diagonal~1.Diagonal~-1.End", "And.~R1C1_1", "End", "Lunchbox~3~R1C1", "SameValues~2~R1C1~R1C2~R1C3"),
        *("Pair~%~R1C1~R1C2", "PairX~C~R1C1~R1C2", "Pair~" + "_" * 20 + "~R1C1~R1C2", "Pair~A", "Regex~_~R1C1"),
        *("EqualSum~-", "LookAndSay~1~R1C1", "LookAndSay~~R1C1", "SumLine~x~R1C1~LOOP"),
    ],
)
def test_what_is_not_understood_of_a_string_is_listed(item: str) -> None:
    shape = ".Shape~16x16" if item.startswith("Entropic") else ""
    result = read_as("iss", f"{shape}.~R2C2_1.{item}" if not item.startswith("~") else f".{item}")
    assert result.not_understood, item


# ---- other files -----------------------------------------------------------------------------------------------------


def test_sdk_has_the_author_and_the_filled_cells() -> None:
    text = "#ANobody\n#DEasy one\n#CTwo lines\n\n[Puzzle]\n1...\n....\n....\n...2\n[State]\n12..\n....\n....\n...2\n"
    (item,) = read(text)
    assert isinstance(item, Puzzle)
    assert (item.author, item.title, item.line) == ("Nobody", "Easy one", 6)
    assert item.board.clue_count == 2
    assert item.board.filled[:2] == (0, 2)
    good, wrong = read(text.replace("12..\n....", "12.."))
    assert isinstance(good, Puzzle), "what was filled in is no part of the puzzle"
    assert isinstance(wrong, PuzzleFormatError)


def test_a_heading_alone_is_plain_text() -> None:
    first, second = read("[Puzzle]\n1...\n....\n....\n...2\n\n[Puzzle]\n1...\n....\n....\n...3\n")
    assert isinstance(first, Puzzle)
    assert isinstance(second, Puzzle)
    assert (first.line, second.line) == (2, 8)


def test_hodoku_keeps_placed_digits_apart_from_clues() -> None:
    result = read_as("hodoku", f":0701-1:2:{LINE[:2]}+4{LINE[3:]}:121 221:288:")
    assert (result.board.clues[:3], result.board.filled[:3]) == ((5, 3, 0), (0, 0, 4))
    assert [one.may_be_rule for one in result.unread] == [False]


def test_saved_games_of_opensudoku() -> None:
    cells = "5|0|0|" + "4|0|1|" + "0|6|1|" * 79
    (item,) = read(f'<opensudoku><name>A &amp; B</name><game data="version: 2&#10;{cells}"/></opensudoku>')
    assert isinstance(item, Puzzle)
    assert (item.board.clues[:3], item.board.filled[:3], item.title) == ((5, 0, 0), (0, 4, 0), "A & B")


@pytest.mark.slow
def test_xml_is_bounded_and_expands_nothing() -> None:
    entities = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 12))
    text = f'<?xml version="1.0"?><!DOCTYPE x [{entities}]>\n<opensudoku><name>&l11;</name><game data="{LINE}"/>'
    (item,) = read(text)
    assert isinstance(item, Puzzle)
    assert item.title == "&l11;"
    started = process_time()
    many = '<game data="' * 30_000
    assert all(isinstance(item, PuzzleFormatError) for item in read(f"<opensudoku>\n{many}"))
    games = f'<game data="{LINE}"/>\n' * 6_000
    assert sum(1 for _ in all_formats()["opensudoku"].read(games, USUAL)) == 6_000
    assert process_time() - started < 6, "linear in its length"


def test_the_ways_to_write_cages() -> None:
    three = 15 * 256 + 1
    code = f"3x3::k:{f'{three}:' * 3}{'2306:' * 2}{'0:' * 76}"
    result = read_as("killer-text", code)
    assert texts(result) == ["killer total=15 r1c1 r1c2 r1c3", "killer total=9 r1c4 r1c5"]
    assert read_as("killer-text", f"F<<9<{'0' * 76}") == result
    assert read_as("killer-text", f">>F9<{'0' * 76}").board == result.board
    layout = "a=15, b=9\n" + "aaabb....\n" + ".........\n" * 8
    assert read_as("killer-layout", layout) == result
    assert read_as("killer-text", code.replace("::k", ":d:k")).board.geometry == NINE.with_diagonals()


def test_a_cage_of_sum_0_holds_different_digits() -> None:
    for name, text in (
        ("killer-text", f"0<0{'0' * 78}"),
        ("killer-text", f"3x3::k:{'7:' * 2}{'0:' * 79}"),
        ("killer-layout", "a=0\naa.......\n" + ".........\n" * 8),
    ):
        assert texts(read_as(name, text)) == ["killer r1c1 r1c2"]
    assert written("killer-text", of("killer r1c1 r1c2")) == f"3x3::k:{'1:' * 2}{'0:' * 79}"


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("killer-text", ">" + "<" + "0" * 79, "has no sum"),
        ("killer-text", "<" + "0" * 80, "has no sum"),
        ("killer-text", "3x3::k:1:", "81 numbers"),
        ("killer-layout", "a=3\nab..\n....\n....\n....", "'b' among the cages"),
        ("killer-layout", "a=3 c=4\naa..\n....\n....\n....", "no cell of the layout is in a cage c"),
        ("killer-layout", "a=3\naa.\n....", "expected n rows"),
        ("hodoku", "0123 and more", "no line of HoDoKu's library"),
        ("iss", "Cage~10", "begins with no dot"),
    ],
)
def test_damage_is_named(name: str, text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        list(all_formats()[name].read(text, USUAL))


# ---- among other text ----------------------------------------------------------------------------------------------


def test_too_long_a_text_is_refused() -> None:
    with pytest.raises(InputError, match="expected at most"):
        read_as("iss", ".~" + "R1C1_5~" * 200_000)
    with pytest.raises(InputError, match="expected at most"):
        read_as("iss", ".A~R1C1" * 10_000)


HOSTILE = {
    "a": ("a:", ".A", "a.", "a=1 ", ".~R1C1", "#A\n", '{"grid":', '{"cells":', "<game ", '<game data="', "1+1", ":a"),
    "b": ("{", " ", "~", "<", "1", "+1", "1.", "N4I", "=", ":", "[", "v"),
}


@pytest.mark.slow
@pytest.mark.parametrize("units", HOSTILE.values(), ids=HOSTILE)
def test_long_lines_of_anything_are_sniffed_and_read_in_a_moment(units: tuple[str, ...]) -> None:
    started = process_time()
    for unit in units:
        for text in (unit * (40_000 // len(unit)), "a=1" + unit * (40_000 // len(unit)) + "!"):
            for form in all_formats().values():
                if form.sniff is not None:
                    form.sniff(text)
                    with suppress(InputError):
                        list(form.read(text, USUAL))
    assert process_time() - started < 25, "a bound that only what grows with the square of the length can miss"


# ---- the data --------------------------------------------------------------------------------------------------------


def _rows() -> list[dict[str, Any]]:
    rows = []
    for name in ("fpuzzles.jsonl", "sudokupad.jsonl"):
        path = DATA / name
        if not path.exists():
            pytest.skip(f"{path} is not here: the puzzles of others are not part of the project")
        rows += [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return rows


@pytest.mark.slow
def test_real_puzzles_come_back() -> None:
    """Each puzzle through two of the formats in turn, or through all of them with GRIDPROOF_TESTS=all."""
    names = ("f-puzzles", "toml", "iss", "sudokupad-link", "sudokupad")
    written_ones = Counter[str]()
    for number, row in enumerate(_rows()):
        puzzle = links.read(row["payload"])
        if puzzle.not_understood:
            continue
        for name in names if EVERYTHING else (names[number % 5], names[(number + 2) % 5]):
            try:
                text = "".join(in_file(all_formats()[name], [written(name, puzzle)]))
            except BoardError:
                assert name in ("iss", "sudokupad"), row["name"]
                continue
            again = read_as(name, text)
            assert not again.not_understood, row["name"]
            assert meaning(again.board) == meaning(puzzle.board), row["name"]
            if name != "iss":
                assert replace(again, board=puzzle.board, unread=()) == replace(puzzle, unread=()), row["name"]
                assert again.board.filled == puzzle.board.filled
            written_ones[name] += 1
    assert min(written_ones.values()) >= 45


def test_the_page_on_formats_names_all() -> None:
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    table = page[page.index("| format |") :].partition("\n\n")[0].splitlines()[2:]
    rows = [line.split("|")[1].strip(" `") for line in table]
    assert sorted(rows) == sorted(all_formats())
