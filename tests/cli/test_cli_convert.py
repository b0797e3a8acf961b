"""`gridproof convert`: what is written is read again, what cannot be expressed is refused, and nothing good is lost."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import gridproof
from cli_runner import Command
from gridproof.cli import main
from gridproof.errors import BoardError
from gridproof.formats import Puzzle, read
from gridproof.formats.catalog import all_formats

ROOT = Path(__file__).parents[2]
RULES = str(ROOT / "examples" / "six-rules.toml")
FOUR = "1234............"
OTHER = "12.............4"


@pytest.mark.parametrize("name", [form.name for form in all_formats().values() if form.write is not None])
def test_to_every_format_and_back(name: str, call: Command) -> None:
    puzzle = f"{FOUR}{'.' * 65}" if name in ("hodoku", "opensudoku") else FOUR
    given = "3x3::k:" + "2816:" * 2 + "0:" * 79 if name == "killer-text" else puzzle
    code, out, err = call("convert", given, "--to", name)
    assert (code, err) == (0, "")
    (board,) = (item.board for item in read(out) if isinstance(item, Puzzle))
    (before,) = (item.board for item in read(given) if isinstance(item, Puzzle))
    assert (board.geometry, board.candidates) == (before.geometry, before.candidates)
    assert [rule.sentence(board.geometry) for rule in board.rules] == [
        rule.sentence(board.geometry) for rule in before.rules
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["f-puzzles", "toml"])
def test_rules_come_back(name: str, call: Command) -> None:
    code, out, _ = call("convert", RULES, "--to", name)
    assert code == 0
    assert gridproof.verify(out, cross_check="none").is_unique


def test_the_good_ones_are_kept(call: Command, tmp_path: Path) -> None:
    source = tmp_path / "mixed.txt"
    source.write_text(f"{FOUR}\n12x.............\n.~R1C1_5.Cage~10~R1C2~R1C3\n{OTHER}\n")
    code, out, err = call("convert", str(source), "--to", "text")
    assert (code, out) == (2, f"{FOUR}\n{OTHER}\n")
    assert "line 2, column 3" in err
    assert "line 3: text cannot express the rule: the killer cage r1c2 r1c3 sums to 10; expected toml" in err


def test_one_puzzle_a_file(call: Command) -> None:
    code, out, err = call("convert", FOUR, OTHER, "--to", "toml")
    assert code == 2
    assert out.count("clues") == 1
    assert "toml cannot express several puzzles in a file; expected one" in err


def test_the_name_of_the_file_decides_the_format(call: Command, tmp_path: Path) -> None:
    table = tmp_path / "puzzles.csv"
    assert call("convert", FOUR, OTHER, "-o", str(table)) == (0, "", "")
    assert table.read_text() == f"puzzle,solution,title,author\n{FOUR},,,\n{OTHER},,,\n"
    code, _, err = call("convert", FOUR, "-o", str(tmp_path / "puzzles.doc"))
    assert code == 2
    assert "expected a name that ends in .parquet, .pq, .csv, .jsonl" in err
    assert ".toml, or --to" in err
    assert call("convert", FOUR)[0] == 2


def test_what_a_table_stores_is_kept(call: Command, tmp_path: Path) -> None:
    table = tmp_path / "puzzles.csv"
    table.write_text(f"name,puzzle,solution\nx,{FOUR},1234341221434321\n")
    code, out, _ = call("convert", str(table), "--to", "f-puzzles")
    assert code == 0
    (item,) = read(out)
    assert isinstance(item, Puzzle)
    assert item.solution == tuple(map(int, "1234341221434321"))


def test_a_file_of_games_in_bulk(call: Command, tmp_path: Path) -> None:
    lines = (ROOT / "examples" / "well-known.txt").read_text().split()
    nines = [line for line in lines if len(line) == 81]
    assert call("convert", *nines, "-o", str(tmp_path / "games.xml")) == (0, "", "")
    assert main(["verify", "-q", str(tmp_path / "games.xml"), "-o", str(tmp_path / "verdicts.csv")]) == 0
    rows = list(csv.DictReader((tmp_path / "verdicts.csv").open()))
    assert [row["verdict"] for row in rows] == ["unique"] * len(nines)
    assert [int(row["line"]) for row in rows] == list(range(3, 3 + len(nines)))


def test_what_is_not_understood_stays_so(call: Command) -> None:
    row: list[object] = [{}, {}, {}, {}]
    puzzle = json.dumps({"size": 4, "title": "T", "grid": [row] * 4, "antiking": True, "unheard": [1]})
    code, out, err = call("convert", puzzle, "--to", "iss")
    assert (code, out) == (2, "")
    assert "unheard" in err
    code, out, err = call("convert", puzzle, "--to", "iss", "--despite-unread")
    assert (code, out) == (2, "")
    assert "iss cannot express what was not understood of the puzzle (unheard: [1]); expected toml" in err
    with pytest.raises(BoardError, match="iss cannot express what was not understood"):
        gridproof.convert(puzzle, "iss", despite_unread=True)
    code, out, err = call("convert", puzzle, "--to", "toml", "--despite-unread")
    assert (code, err) == (0, "gridproof: line 1: marked as not understood: unheard: [1]\n")
    (again,) = read(out, despite_unread=True)
    assert isinstance(again, Puzzle)
    assert [str(part) for part in again.not_understood] == ["unheard: [1]"]
    assert [rule.kind for rule in again.board.rules] == ["anti-king"]


def test_what_a_format_has_no_place_for_is_counted(call: Command) -> None:
    puzzle = f'clues = "{FOUR}"\ntitle = "T"\nprose = "Be quick."'
    assert call("convert", puzzle, "--to", "toml")[2] == ""
    code, out, err = call("convert", puzzle, puzzle, "--to", "iss")
    assert (code, len(out.splitlines())) == (0, 2)
    assert err.endswith("which are not written: title (2), rules in words (2)\n")


def test_no_words_of_ours_stay_when_a_rule_is_edited(call: Command) -> None:
    link = call("convert", f'clues = "{FOUR}"\nrule = ["anti-king", "even r2c2"]', "--to", "f-puzzles")[1]
    (puzzle,) = read(link)
    assert isinstance(puzzle, Puzzle)
    assert puzzle.prose == ""
    assert "prose" not in call("convert", link, "--to", "toml")[1]


def test_title_author_and_the_only_solution_are_written(call: Command) -> None:
    options = ("--title", "Mine", "--author", "Me", "--with-solution")
    code, link, err = call("convert", "1... ..2. .3.. ...4", "--to", "sudokupad-link", *options)
    assert (code, err) == (0, "")
    (puzzle,) = read(link)
    assert isinstance(puzzle, Puzzle)
    assert (puzzle.title, puzzle.author) == ("Mine", "Me")
    assert puzzle.solution == gridproof.solve("1... ..2. .3.. ...4")
    code, out, err = call("convert", FOUR, "--to", "sudokupad-link", "--with-solution")
    assert (code, out) == (2, "")
    assert "expected a puzzle with exactly one" in err
    code, _, err = call("convert", FOUR, "--to", "iss", "--title", "Mine")
    assert code == 2
    assert "iss has no place for the title" in err


def test_rules_are_left_out_only_if_that_is_wanted(call: Command) -> None:
    """A rule that all dots are given goes with a dot, since it would demand more without it."""
    puzzle = f'clues = "{FOUR}"\nrule = ["negative-difference", "difference r4c1 r4c2", "killer 5 r2c1 r2c2"]'
    assert call("convert", puzzle, "--to", "sudokupad")[0] == 2
    code, out, err = call("convert", puzzle, "--to", "sudokupad", "--partly")
    assert code == 0
    assert err.count("left out: ") == 2
    (again,) = read(out)
    assert isinstance(again, Puzzle)
    assert [rule.kind for rule in again.board.rules] == ["killer"]
    with pytest.warns(RuntimeWarning, match="leaves out: .*differ"):
        assert gridproof.convert(puzzle, "sudokupad", partly=True) == out
