"""Jigsaws in plain text: clues and regions, on one line or on two."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridproof
from cli_runner import Command
from gridproof import Geometry, Puzzle, read_puzzle
from gridproof.errors import PuzzleFormatError
from gridproof.formats.jigsaws import are_labels, find_fault
from gridproof.generation import images

CLUES = (
    "..E..K..MI....P.K....P....L.MF.B....HM.D....O..FJI.....KG.DB.C.O"
    ".OD...NAE.HM.K..........P.I....GIF.HL.B....AC..JCE.P...L.M......"
    "......I.O...P.HDN..IM....E.PB.DCD....G.P..........A.CI.OHF...JL."
    "E.F.GA.HI.....OKF..N....A.PL....H.PJ.C....M....I.C....MI..K..G.."
)
REGIONS = (
    "AAAAABBBBBCDDDDDAAEAABBBBBCDDDDDAAEAAABBFCCDDDDGAAEBBBBFFCCCDDGG"
    "HHEEEEEEFCCCIGGGHHHEEEEEFFCCIGGGHHHHEFEFFICCIGGGHHHHHFFFIICCIIGG"
    "HJJHJJFFIIIIIIKGJJJJJFFLIIKKKKKGJJJJJJLLLLLKKKKKJMLLLLLLLNLLKKKK"
    "MMLMNNNNNNOPPPPKMMMMMNNOOOOOPPPPMMMMNNNOOOOOPPPPMMMNNNNOOOOOPPPP"
)
SOLUTION_BEGINS = "OLECFKGBMIJHNDPA"

FOUR, SQUARES = "1..............2", "AABBAABBCCDDCCDD"


@pytest.mark.parametrize("between", ["\n", " ", "\r\n", "\n\n  ", "\t"])
def test_a_jigsaw_of_another_program(between: str) -> None:
    puzzle = read_puzzle(f"{CLUES}{between}{REGIONS}\n")
    assert puzzle.board.geometry == Geometry.jigsaw(REGIONS)
    verdict = gridproof.verify(puzzle)
    assert verdict.status == "unique"
    assert "".join(puzzle.symbol_texts[symbol - 1] for symbol in verdict.solutions[0][:16]) == SOLUTION_BEGINS


def test_the_command_line(call: Command, tmp_path: Path) -> None:
    assert call("verify", f"{CLUES}\n{REGIONS}").out.startswith(f"unique\t{SOLUTION_BEGINS}")
    assert call("convert", "--to", "iss", f"{FOUR}\n{SQUARES}").out.startswith(".Shape~4x4")
    file = tmp_path / "puzzles.txt"
    file.write_text(f"{FOUR}\n{FOUR} {SQUARES}  # a jigsaw between two others\n{FOUR}\n")
    items = list(gridproof.read(file))
    assert [isinstance(item, Puzzle) and item.board.geometry.regions for item in items[::2]] == [None, None]
    assert items[1] == read_puzzle(f"{FOUR}\n{SQUARES}")
    file.write_text(f"{FOUR}\n{SQUARES}\n")
    done = call("verify", file)
    assert [line.split("\t")[0] for line in done.out.splitlines()] == ["multiple", "none"]
    assert f"{file}, line 2: read as clues, but these cells look like the regions of a jigsaw; expected" in done.err
    assert "jigsaw" not in call("verify", "-q", file).err


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        (f"{FOUR} AABBAABBCCDDCCDC", 18, "region 'C' has 5 cells"),
        (f"{FOUR}\nAABBAABBCCDDDDCC", 1, "region 'C' is not connected"),
        (f"{FOUR} AABBAABBCCDDCCDE", 18, "region 'D' has 3 cells"),
        (f"1.............x2 {SQUARES}", 15, "no symbol of a 4x4 board"),
        ("wwxxwwxxyyzzyyzz", None, "regions of a jigsaw without its clues"),
    ],
)
def test_what_is_wrong_is_named(text: str, column: int | None, problem: str) -> None:
    with pytest.raises(PuzzleFormatError, match=problem) as caught:
        read_puzzle(text)
    assert column in (None, caught.value.column)
    assert caught.value.expected


def test_another_shape_is_refused_and_further_houses_are_added() -> None:
    with pytest.raises(PuzzleFormatError, match="where 4x4, Latin square is requested"):
        read_puzzle(f"{FOUR} {SQUARES}", Geometry.latin)
    jigsaw = "AAAABCCCBBDCBDDD"
    with_diagonals = read_puzzle(f"{FOUR} {jigsaw}", Geometry.jigsaw(jigsaw).with_diagonals())
    assert len(with_diagonals.board.geometry.houses) == 14


def test_two_puzzles_stay_two() -> None:
    with pytest.raises(PuzzleFormatError, match="more than one puzzle"):
        read_puzzle(f"{FOUR}\n{FOUR}")
    assert len(list(gridproof.read(f"{FOUR}\n{SQUARES}"))) == 2


@given(st.integers(0, 10**6), st.integers(0, 15))
def test_a_grid_is_never_taken_for_regions(seed: int, wrong: int) -> None:
    [image] = images.images(gridproof.parse("1234341221434321"), 1, seed=seed)
    text = "".join(str(symbol) for symbol in image.board.clues)
    assert not are_labels(text)
    assert not are_labels(text[:wrong] + "1" + text[wrong + 1 :])


def test_connected_regions_have_no_fault() -> None:
    assert are_labels(REGIONS)
    assert not find_fault(REGIONS)
    assert not are_labels("123456789" * 9 + "1")
    assert find_fault("123456789" * 9) == ""
