"""A person who is stuck: entries and notes of every format count in steps, and what is wrong among them comes first."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

import gridproof
from gridproof.cli import main
from gridproof.errors import InputError
from gridproof.solving import slides

CELLS = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def f_puzzles(**changed: Any) -> str:
    """The puzzle as JSON, with another content of r1c3."""
    cells = [{} if cell == "." else {"value": int(cell), "given": True} for cell in CELLS]
    cells[2] = changed
    return json.dumps({"size": 9, "grid": [cells[start : start + 9] for start in range(0, 81, 9)]})


def sudokupad(**changed: Any) -> str:
    """The same for SudokuPad."""
    cells = [{} if cell == "." else {"value": int(cell)} for cell in CELLS]
    cells[2] = changed
    regions = [[[k // 3 * 3 + i, k % 3 * 3 + j] for i in range(3) for j in range(3)] for k in range(9)]
    return json.dumps({"cells": [cells[start : start + 9] for start in range(0, 81, 9)], "regions": regions})


NOTED = [
    f":0701:2:{CELLS}:413 513 121::",
    f_puzzles(centerPencilMarks=[1, "2"]),
    f_puzzles(centerPencilMarks=[1, 2], givenPencilMarks=[1, 2, 4]),
    sudokupad(centremarks=[1, "2"]),
]
ENTERED = [
    f":0701:2:{CELLS[:2]}+1{CELLS[3:]}:413::",
    f_puzzles(value=1),
    sudokupad(value=1, given=False, centremarks=[1, 2]),
]


@pytest.mark.parametrize(
    ("text", "words"),
    [(text, "4 was removed from r1c3, but every solution has it there") for text in NOTED]
    + [(text, "1 was entered in r1c3, but every solution has 4 there") for text in ENTERED],
)
def test_what_is_wrong_comes_first_and_is_no_part_of_the_puzzle(
    text: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for hint, expected in (("1", "look at r1c3"), ("3", words)):
        assert main(["steps", "--hint", hint, text]) == 0
        assert capsys.readouterr().out == f"{expected}\n"
    assert main(["verify", text]) == 0
    assert main(["rate", "--json", text]) == 0
    rating = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert rating["cost"] == gridproof.rate(CELLS).cost or "givenPencilMarks" in text


@pytest.mark.parametrize(
    "text",
    [
        f":0701:2:{CELLS[:2]}+4{CELLS[3:]}:413::",
        f_puzzles(value=4, centerPencilMarks=[1, 2]),
        sudokupad(value=4, given=False),
        f":0701:2:{CELLS}:{' '.join(f'{symbol}13' for symbol in '12356789')}::",
    ],
)
def test_right_entries_and_notes_shorten_the_path(text: str) -> None:
    path = list(gridproof.steps(text))
    assert not any(step.restored for step in path)
    placed = [cell for step in path for cell, _ in step.placed]
    assert len(placed) == len(set(placed)) == CELLS.count(".") - ("413::" in text or '"value": 4,' in text)
    assert path[0].position.symbols(2) == [4]


@pytest.mark.slow
def test_steps_draw_themselves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "......3542.95......3...8...4..1....8....82....2...5.13.42...9......79.6.8..6....."
    path = list(gridproof.steps(text))
    pointing = next(step for step in path if step.name == "pointing")
    lines = re.findall(r'<path[^>]*stroke-width="1.5"[^>]*>', pointing.picture())
    assert [line.count("M") for line in lines] == [len(pointing.removed)], "each is struck"
    assert "pointing" in pointing._repr_html_()
    folder, page = tmp_path / "pictures", tmp_path / "page.html"
    for arguments in (["show", text, "--widget", str(page)], ["steps", text, "--svg", str(folder)]):
        assert main(arguments) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(path) == len(list(folder.iterdir()))
    assert len(slides(path)) > len(path), "stories go line by line"
    assert path[-1].sentence() in html.unescape(html.unescape(page.read_text()))
    assert main(arguments) == 2
    assert "--force" in capsys.readouterr().err
    with pytest.raises(InputError, match="no step"):
        slides([])


@pytest.mark.slow
@pytest.mark.parametrize("engine", [None, "auto"])
def test_many_puzzles_are_rated_in_two_more_columns(engine: Any) -> None:
    puzzles = [CELLS, "." * 81, "1... ..2. .3.. ...4"]
    records = list(gridproof.verify_many(puzzles, engine=engine, rate=True))
    expected = [gridproof.rate(puzzle) for puzzle in puzzles]
    assert [record.cost for record in records] == [expected[0].cost, None, expected[2].cost]
    assert [record.hardest for record in records] == [expected[0].name, None, expected[2].name]
    assert json.loads(records[0].as_json())["hardest"] == expected[0].name
    assert "cost" not in json.loads(records[1].as_json())
    assert gridproof.to_table(records)["cost"].tolist()[::2] == [expected[0].cost, expected[2].cost]
    assert {record.cost for record in gridproof.verify_many(puzzles)} == {None}
