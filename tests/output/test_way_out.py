"""The way out: every command writes every form alike, what is written is read again, sets share nothing."""

from __future__ import annotations

import csv
import io
import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import gridproof
from cli_runner import Command
from gridproof import Geometry, Puzzle
from gridproof.errors import BoardError, InputError
from gridproof.formats.known.jsonl import puzzle_record
from gridproof.output.columns import Made
from gridproof.output.sets import Split
from gridproof.output.way_out import TABLES, WayOut, Wishes, form_names
from gridproof.puzzle.board import Board
from gridproof.runs import tables

PUZZLE = "1.....2..3.....4"
COMMANDS = {
    "generate": ("generate", "1", "--order", "4", "--seed", "1", "-q"),
    "minimise": ("minimise", "12....2..3.....4", "-q"),
    "images": ("images", PUZZLE, "--seed", "1"),
    "convert": ("convert", PUZZLE),
    "instances": ("instances", "sudoku", "--order", "4", "--holes", "0.5"),
}
SMALL = [name for name in form_names() if name not in ("parquet", "hodoku", "opensudoku", "killer-text")]


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("name", SMALL)
def test_every_command_writes_every_form(command: tuple[str, ...], name: str, call: Command, tmp_path: Path) -> None:
    code, out, err = call(*command, "--to", name)
    assert code == 0, err
    (printed,) = gridproof.read(out)
    assert isinstance(printed, Puzzle), printed
    path = tmp_path / "made"
    assert call(*command, "--to", name, "-o", str(path))[0] == 0
    assert path.read_text() == out
    assert call(*command, "--to", name, "-o", str(path))[0] == 2
    assert call(*command, "--to", name, "-o", str(path), "--force")[0] == 0
    assert gridproof.verify(printed.board).status in ("unique", "multiple")


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_tables_hold_the_same_in_every_form(command: tuple[str, ...], call: Command, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    columns = "puzzle,solution,clues,digits,rule_list,canonical,grade"
    rows: list[dict[str, Any]] = []
    for ending in TABLES:
        path = tmp_path / f"made.{ending}"
        code, _, err = call(*command, "-o", str(path), "--columns", columns)
        assert code == 0, err
        (row,) = tables.read(path)
        rows.append(row)
    by_form = dict(zip(TABLES, rows, strict=True))
    assert list(by_form["jsonl"]) == columns.split(",")
    assert by_form["jsonl"]["rule_list"] == []
    assert by_form["parquet"] == {**by_form["jsonl"], "rule_list": "[]"}
    assert {name: str(value or "") for name, value in by_form["parquet"].items()} == by_form["csv"]
    board = gridproof.parse(by_form["csv"]["puzzle"])
    assert by_form["jsonl"]["canonical"] == gridproof.canonical(board).digest
    assert by_form["jsonl"]["grade"] == gridproof.rate(board).grade


def test_parquet_is_read_by_every_command(call: Command, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "made.parquet"
    rule = "nabner r1c1-r1c2"  # which takes several lines
    assert call("generate", "3", "-q", "--order", "4", "--seed", "1", "--rule", rule, "-o", str(path))[0] == 0
    code, out, _ = call("convert", str(path), "--to", "jsonl", "--keep", "seed,number")
    assert code == 0
    made = list(gridproof.generate(3, shape=Geometry.classic(2), rules=rule, seed=1))
    assert [item.board for item in gridproof.read(out) if isinstance(item, Puzzle)] == made
    assert [json.loads(line)["seed"] for line in out.splitlines()] == [1, 1, 1]
    assert call("solve", str(path))[0] == 0
    assert call("verify", str(path), "-q")[0] == 0
    code, _, err = call("convert", str(path), "--to", "jsonl", "--column", "nosuch")
    assert code == 2
    assert "expected the column 'nosuch'" in err
    path.write_bytes(b"PAR1 and no more")
    code, _, err = call("convert", str(path), "--to", "jsonl")
    assert code == 2
    assert "expected a Parquet file" in err


def test_json_lines_state_all_of_a_puzzle(call: Command) -> None:
    code, out, _ = call(
        "generate", "-q", "--order", "4", "--seed", "1", "--rule", "anti-knight", "--to", "jsonl", "--steps"
    )
    assert code == 0
    record = json.loads(out)
    board = gridproof.parse(out)
    assert board.rules[0].kind == "anti-knight"
    assert record["rule_list"] == [{"kind": "anti-knight"}]
    assert record["sentences"] == [board.rules[0].sentence(board.geometry)]
    assert (record["digits"], record["seed"], record["clues"]) == ("1-4", 1, board.clue_count)
    assert record["canonical"] == gridproof.canonical(board).digest
    assert [step["sentence"] for step in record["steps"]] == [step.sentence() for step in gridproof.steps(board)]
    assert all(step["story"] for step in record["steps"])
    assert tuple(map(int, record["solution"])) == gridproof.solve(board)


def test_ratings_of_made_puzzles_are_for_pages_too(call: Command, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    code, out, _ = call("generate", "1", "-q", "--order", "4", "--seed", "1", "--rate", "--html", str(page))
    assert (code, len(out.strip())) == (0, 16)
    assert "1 · easy" in page.read_text()


def test_columns_of_the_reader_are_kept(call: Command, tmp_path: Path) -> None:
    source = tmp_path / "mine.csv"
    source.write_text(f'id,puzzle,source\n7,{PUZZLE},a book\n8,{PUZZLE[::-1]},"a, b"\n')
    code, out, _ = call("convert", str(source), "--to", "csv", "--keep", "source,id", "--columns", "puzzle")
    assert code == 0
    assert out == f'source,id,puzzle\na book,7,{PUZZLE}\n"a, b",8,{PUZZLE[::-1]}\n'
    code, out, _ = call("images", str(source), "-n", "2", "--to", "jsonl", "--keep", "all")
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["7", "7", "8", "8"]
    lines = tmp_path / "mine.jsonl"
    lines.write_text(json.dumps({"puzzle": PUZZLE, "tags": ["a", "b"], "id": 7}) + "\n")
    code, out, _ = call("convert", str(lines), "--to", "jsonl", "--keep", "tags,id", "--columns", "puzzle")
    assert json.loads(out) == {"tags": ["a", "b"], "id": 7, "puzzle": PUZZLE}
    table = tmp_path / "mine.parquet"
    assert call("convert", str(lines), "-o", str(table), "--keep", "all", "--columns", "canonical")[0] == 0
    (kept,) = tables.read(table)
    assert (kept["puzzle"], kept["tags"], kept["id"]) == (PUZZLE, '["a", "b"]', "7")
    code, out, _ = call("convert", str(lines), "--to", "csv", "--keep", "tags", "--columns", "puzzle")
    (row,) = csv.DictReader(io.StringIO(out))
    assert json.loads(row["tags"]) == ["a", "b"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--to", "csv", "--keep", "nosuch"), "keep 'nosuch': no such column; expected one of id, puzzle"),
        (("--to", "csv", "--keep", "puzzle"), "keep 'puzzle': a column of this name is written"),
        (("--to", "csv", "--columns", "puzle"), "no column is called 'puzle'; did you mean"),
        (
            ("--to", "text", "--columns", "puzzle"),
            "--columns with text; expected a table: --to csv or jsonl or parquet",
        ),
        (("--to", "f-puzzles", "--rate"), "--rate with f-puzzles; expected a table"),
        (("--to", "parquet"), "parquet on standard output; expected a file: -o NAME.parquet"),
        (("--to", "jsonl", "--split", "90/10"), "--split without a file; expected -o NAME"),
        (("--to", "jsonl", "--split", "90"), "expected the shares of 2 to 20 sets"),
        (("--to", "jsonl", "--split", "x/y"), "expected the shares of two sets or more, such as 90/10"),
        (("--to", "jsonl", "--keep", "id,"), "expected names with commas between them"),
        (("-o", "nosuch.doc"), "expected a name that ends in .parquet"),
    ],
)
def test_what_does_not_go_together(
    options: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "mine.csv"
    source.write_text(f"id,puzzle\n7,{PUZZLE}\n")
    try:
        code = gridproof.cli.main(["convert", str(source), *options])
    except SystemExit as leave:
        code = int(leave.code or 0)
    assert code == 2
    assert message in capsys.readouterr().err


def test_csv_has_rules_on_a_line_or_refuses_them(call: Command, tmp_path: Path) -> None:
    board = gridproof.parse(PUZZLE, rules="anti-knight")
    code, out, _ = call("convert", gridproof.convert(board, "toml"), "--to", "csv")
    assert code == 0
    (again,) = gridproof.read(out)
    assert isinstance(again, Puzzle)
    assert again.board == board
    several = gridproof.convert(gridproof.parse(PUZZLE, rules="nabner r1c1-r1c2"), "toml")
    code, out, err = call("convert", several, "--to", "csv")
    assert (code, out) == (2, "")
    assert "csv cannot express" in err
    path = tmp_path / "made.csv"
    with pytest.raises(BoardError, match="csv cannot express"):
        gridproof.write([several], path)
    assert not path.exists()


def test_a_shape_that_nobody_states_is_written(call: Command) -> None:
    code, out, _ = call("convert", "--latin", "12..............", "--to", "csv", "--columns", "puzzle")
    assert code == 0
    (again,) = gridproof.read(out)
    assert isinstance(again, Puzzle)
    assert again.board.geometry == Geometry.latin(4)
    code, out, _ = call("generate", "-q", "--latin", "--order", "4", "--seed", "1")
    assert len(out.strip()) == 16  # whoever reads it states --latin, too


# ---- sets ------------------------------------------------------------------------------------------------------------


def test_sets_share_no_puzzle_in_whatever_guise(call: Command, tmp_path: Path) -> None:
    shared = [
        PUZZLE,
        "12.. ..3. .... ...4".replace(" ", ""),
        "1...............",
        "...3..4.2.......",
        ".2.1...........4",
    ]
    source = tmp_path / "mine.txt"
    source.write_text("\n".join(shared) + "\n")
    images = tmp_path / "images.csv"
    assert call("images", str(source), "-n", "6", "--seed", "3", "-o", str(images))[0] == 1
    path = tmp_path / "sets.jsonl"
    code, _, err = call("convert", str(images), "-o", str(path), "--split", "60/20/20")
    assert code == 0
    sets = []
    for number in (1, 2, 3):
        puzzles = list(gridproof.read(tmp_path / f"sets-{number}.jsonl"))
        sets.append({gridproof.canonical(puzzle.board).digest for puzzle in puzzles if isinstance(puzzle, Puzzle)})
        assert f"sets-{number}.jsonl: {len(puzzles)}" in err
    assert all(one.isdisjoint(other) for one, other in combinations(sets, 2))
    assert sum(map(len, sets)) == 5
    assert "equal to an earlier one, and in its set: 25" in err
    assert call("convert", str(images), "-o", str(path), "--split", "60/20/20")[0] == 2


def test_shares_are_met_as_closely_as_puzzles_can() -> None:
    for shares in ((90, 10), (80, 10, 10), (1, 1, 1, 1)):
        split = Split(shares)
        for number in range(1000):
            split.choose(str(number))
        assert [size / 1000 for size in split.sizes] == pytest.approx(
            [share / sum(shares) for share in shares], abs=0.001
        )


def test_boards_that_no_symmetry_keeps_are_parted_by_what_they_state(tmp_path: Path) -> None:
    crooked = Board.empty(Geometry.jigsaw("AAAA BBBC BDCC DDDC")).with_rules("killer 3 r1c1 r1c2")
    others = [crooked.with_clue("r4c4", symbol) for symbol in (1, 2, 3)]
    sizes = gridproof.write([crooked, *others, crooked], tmp_path / "made.jsonl", split=(50, 50))
    first = list(gridproof.read(next(iter(sizes))))
    assert sorted(sizes.values()) == [2, 3]
    assert [item.board for item in first if isinstance(item, Puzzle)].count(crooked) == 2
    assert json.loads(next(iter(sizes)).read_text().splitlines()[0])["canonical"] is None


# ---- in Python -------------------------------------------------------------------------------------------------------


def test_whatever_has_a_board_is_written(tmp_path: Path) -> None:
    board = gridproof.parse(PUZZLE)
    solution = gridproof.verify(board).solutions[0]
    image = next(gridproof.images(board, seed=1, solution=solution))
    puzzles = [board, PUZZLE, Puzzle(board, solution, title="A title"), image, gridproof.minimise(board)]
    path = tmp_path / "made.jsonl"
    assert gridproof.write(puzzles, path) == {path: 5}
    again = list(gridproof.read(path))
    assert [puzzle.solution is not None for puzzle in again if isinstance(puzzle, Puzzle)] == [False, False] + [
        True
    ] * 3
    assert gridproof.write(puzzles, tmp_path / "made.txt", columns=None) == {tmp_path / "made.txt": 5}
    with pytest.raises(InputError, match="no format is called 'jason'"):
        gridproof.write(puzzles, path, "jason")
    with pytest.raises(InputError, match="split 0/1"):
        gridproof.write(puzzles, path, split=(0, 1))
    with pytest.raises(InputError):
        gridproof.write(["12x"], path)
    assert len(path.read_text().splitlines()) == 5  # what was there stays


def test_a_run_that_fails_leaves_what_was_there_unless_puzzles_take_long(tmp_path: Path) -> None:
    path = tmp_path / "made.csv"
    path.write_text("before")
    made = Made(Puzzle(gridproof.parse(PUZZLE)))

    def run(*, live: bool) -> None:
        with WayOut(Wishes(path=path), {"puzzle": "string"}, live=live) as way_out:
            way_out.add(made)
            raise KeyboardInterrupt

    for live, lines in ((False, 1), (True, 2)):
        with pytest.raises(KeyboardInterrupt):
            run(live=live)
        assert len(path.read_text().splitlines()) == lines
    assert list(tmp_path.iterdir()) == [path]


def test_a_record_is_that_of_the_format() -> None:
    puzzle = Puzzle(gridproof.parse(PUZZLE), title="A title")
    record = json.loads(gridproof.convert(puzzle, "jsonl"))
    assert record == puzzle_record(puzzle)
