"""Scores of answers: the grid in words, single scores, tables, arrays against single scores, the command."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridproof
from gridproof import Geometry, score
from gridproof.cli import main
from gridproof.errors import InputError
from gridproof.formats import datasets
from gridproof.puzzle.board import Board
from gridproof.scoring.answers import find_answer
from gridproof.scoring.scores import find_reason, score_grid
from gridproof.scoring.tables import TYPES, fields_of, score_columns
from gridproof.scoring.vectors import score_rows
from gridproof.trust.check import is_solution
from gridproof.trust.verdict import Status

FOUR = Geometry.classic(2)
PUZZLE = "1.....2..3.....4"
GRID = "1243342143122134"
SYMBOLS = tuple(int(character) for character in GRID)
ROWS = [GRID[row : row + 4] for row in range(0, 16, 4)]
SPACED = [" ".join(row) for row in ROWS]


@pytest.mark.parametrize(
    "text",
    [
        GRID,
        f"The answer is {GRID}.",
        f"**Answer**: {GRID}",
        f"\\boxed{{{GRID}}}",
        f"So we get $\\boxed{{{' '.join(ROWS)}}}$ as the result.",
        "\n".join(ROWS),
        "Here it is:\n```\n" + "\n".join(SPACED) + "\n```\nI am sure.",
        "\n".join(f"Row {number}: {row}" for number, row in enumerate(SPACED, 1)),
        "\n\n".join(f"**R{number}**: [{', '.join(row)}]" for number, row in enumerate(ROWS, 1)),
        "\n".join(f"{number}) {row}" for number, row in enumerate(SPACED, 1)),
        "\n".join(f"R{number} {row}" for number, row in enumerate(SPACED, 1)),
        "\n".join(f"Row {number}  {row}" for number, row in enumerate(ROWS, 1)),
        "\n".join(f"- row {number} - {row}" for number, row in enumerate(SPACED, 1)),
        "\n".join(f"**r{number}.** {row}" for number, row in enumerate(SPACED, 1)),
        "|  | c1 | c2 | c3 | c4 |\n|---|---|---|---|---|\n"
        + "\n".join(f"| R{number} | {' | '.join(row)} |" for number, row in enumerate(ROWS, 1)),
        "\n".join(f"| {' | '.join(row)} |" for row in ROWS[:1])
        + "\n|---|---|---|---|\n"
        + "\n".join(f"| {' | '.join(row)} |" for row in ROWS[1:]),
        "+----+----+\n" + "\n".join(f"| {row[:2]} | {row[2:]} |" for row in ROWS) + "\n+----+----+",
        "\n".join(f"- {row}" for row in SPACED),
        json.dumps([[int(cell) for cell in row] for row in ROWS]),
        json.dumps({"grid": [[int(cell) for cell in row] for row in ROWS], "done": True}),
        "\\begin{array}{|c|c|}" + "\\\\ \\hline ".join(" & ".join(row) for row in ROWS) + "\\end{array}",
        f"First I had {'1' * 16}, but that is wrong. Better: {GRID}",
        "\\n".join(ROWS),
    ],
)
def test_the_grid_of_an_answer_is_found(text: str) -> None:
    found = find_answer(text, FOUR)
    assert found is not None
    assert found.symbols == SYMBOLS
    assert score(PUZZLE, text).solved


@pytest.mark.parametrize("text", ["", "no", "I see 1 2 3 4 and stop.", "1243\n3421\n4312", "----\n" * 4, GRID + "1"])
def test_no_grid_is_found_where_there_is_none(text: str) -> None:
    assert find_answer(text, FOUR) is None
    scored = score(PUZZLE, text)
    assert not scored.grid
    assert (scored.right, scored.wrong, scored.blank, scored.reward, scored.share) == (0, 0, 12, 0.0, 0.0)
    assert str(scored) == "no grid in the answer"


def test_a_dash_behind_the_name_of_a_row_may_be_a_blank() -> None:
    found = find_answer("R1 - - 3 4\nR2 3 4 1 2\nR3 - 1 4 3\nR4 4 3 - 1", FOUR)
    assert found is not None
    assert found.symbols == (0, 0, 3, 4, 3, 4, 1, 2, 0, 1, 4, 3, 4, 3, 0, 1)


@given(st.text(alphabet="1234. |\\n:Row[]{}\\boxed", max_size=200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    found = find_answer(text, FOUR)
    if found is not None:
        assert len(found.symbols) == 16
        assert set(found.symbols) <= set(range(5))


def test_symbols_above_nine() -> None:
    geometry = Geometry.standard(12)
    rows = [" ".join(str((row + column) % 12 + 1) for column in range(12)) for row in range(12)]
    found = find_answer("\n".join(rows), geometry)
    assert found is not None
    assert found.symbols[:12] == tuple(range(1, 13))


def test_a_partial_answer() -> None:
    scored = score(PUZZLE, "124. 34.. .... ...4")
    assert not scored.solved
    assert scored.consistent
    assert (scored.right, scored.wrong, scored.blank) == (4, 0, 10)
    assert scored.blank_cells == (3, 6, 7, 8, 9, 10, 11, 12, 13, 14)
    assert scored.correct_before_error == 4
    assert scored.share == 4 / 12
    assert scored.breaks == ""


def test_the_first_wrong_cell_and_what_it_breaks() -> None:
    scored = score(PUZZLE, "1243 3421 4312 2114")
    assert scored.wrong_cells == (14,)
    assert scored.breaks == "r4c3 holds 1: 1 is in row 4 twice"
    assert scored.correct_before_error == 11
    assert not scored.consistent
    assert scored.as_json()["first_wrong"] == 14
    assert score(PUZZLE, "1.4. .... .... ....").correct_before_error == 1


def test_a_wrong_cell_that_breaks_nothing_yet() -> None:
    scored = score(PUZZLE, "14.. .... .... ....")
    assert scored.consistent
    assert scored.breaks == "r1c2 holds 4, which breaks nothing yet; the only solution has 2 there"


def test_a_changed_clue_is_wrong_and_costs_share() -> None:
    scored = score(PUZZLE, GRID[:-1] + "1")
    assert not scored.solved
    assert scored.wrong_cells == (15,)
    assert scored.breaks == "r4c4 holds 1: the clue 4 of r4c4 is changed"
    assert scored.share == 11 / 12


def test_rules_are_kept() -> None:
    broken = score("...." * 4, "12.. .... .... ....", rules=["killer 5 r1c1 r1c2"])
    assert not broken.consistent
    board = gridproof.parse("...." * 4, rules=["anti-knight"])
    scored = score(board, [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    assert not scored.consistent
    assert scored.verdict is Status.MULTIPLE
    assert score(board, [1] + [0] * 15).consistent


def test_a_cage_breaks_as_soon_as_a_digit_is_in_it_twice() -> None:
    board = gridproof.parse("...." * 4, rules=["killer 9 r1c2 r2c1 r1c3"])
    assert not score(board, ".3.. 3... .... ....").consistent


def test_one_of_several_solutions_is_right() -> None:
    puzzle = "1..............."
    assert score(puzzle, GRID).verdict is Status.MULTIPLE
    assert score(puzzle, GRID).share == 1.0
    partial = score(puzzle, GRID[:-1] + ".")
    assert (partial.right, partial.wrong, partial.solved) == (0, 0, False)


def test_cells_in_a_list_or_a_board() -> None:
    assert score(PUZZLE, np.array(SYMBOLS).reshape(4, 4)).solved
    assert score(PUZZLE, gridproof.parse(GRID)).solved
    with pytest.raises(InputError, match="expected 4x4"):
        score(PUZZLE, [0] * 81)


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_arrays_give_the_scores_of_single_grids(seed: int) -> None:
    random = Random(seed)
    geometry = Geometry.classic(2, 3)
    grid = gridproof.solve(Board.empty(geometry))
    assert grid is not None
    clues = tuple(symbol if random.random() < 0.4 else 0 for symbol in grid)
    answer = list(grid)
    for _ in range(random.choice((0, 1, 3, 12))):
        answer[random.randrange(36)] = random.randint(0, 6)
    has_truth = random.random() < 0.7
    truth = tuple(grid) if has_truth else None
    single = score_grid(Board(geometry, clues), Status.UNIQUE, truth, answer, "taken")
    rows = [np.array([values], np.uint8) for values in (clues, truth or [0] * 36, answer)]
    many = score_rows(geometry, rows[0], rows[1], rows[2])
    assert bool(many.solved[0]) == single.solved == is_solution(Board(geometry, clues), tuple(answer))
    assert bool(many.consistent[0]) == single.consistent
    for cells, flags in (
        (single.right_cells, many.right),
        (single.wrong_cells, many.wrong),
        (single.blank_cells, many.blank),
    ):
        assert cells == tuple(np.flatnonzero(flags[0]).tolist())
    assert many.before[0] == single.correct_before_error
    assert many.share[0] == pytest.approx(single.share)
    if single.wrong_cells and not clues[single.wrong_cells[0]]:
        assert (many.house[0] >= 0) == ("twice" in single.breaks)


def test_a_table_has_the_fields_of_single_scores() -> None:
    boards = datasets.load("seventeen")[:6]
    random = Random(5)
    puzzles = []
    answers = []
    for board in boards:
        solution = gridproof.verify(board).solutions[0]
        for wrong in (0, 1, 5):
            cells = list(solution)
            for _ in range(wrong):
                cells[random.randrange(81)] = random.randint(0, 9)
            puzzles.append(board.text())
            answers.append("".join(str(cell or ".") for cell in cells))
    answers[4] = f"In words: {answers[4]}"
    puzzles += ["no puzzle", puzzles[0], PUZZLE, "1..............."]
    answers += ["1", "no grid", GRID, GRID]
    columns = score_columns(puzzles, answers)
    assert columns["verdict"][-4:] == ["malformed", "unique", "unique", "multiple"]
    for row, (puzzle, answer) in enumerate(zip(puzzles, answers, strict=True)):
        if columns["verdict"][row] == "malformed":
            continue
        expected = fields_of(gridproof.parse(puzzle).geometry, score(puzzle, answer))
        assert [column[row] for column in columns.values()] == expected, (puzzle, answer)
    with pytest.raises(InputError, match="an answer for each puzzle"):
        score_columns(puzzles, answers[1:])


@pytest.mark.parametrize("package", [pandas, polars])
def test_a_table_keeps_its_rows_and_columns(package: Any) -> None:
    table = package.DataFrame({"puzzle": [PUZZLE, PUZZLE], "response": [GRID, None], "id": ["a", "b"]})
    scored = gridproof.score_table(table, "response")
    assert list(scored.columns) == ["puzzle", "response", "id", *TYPES]
    assert scored["solved"].to_list() == [True, False]
    with pytest.raises(InputError, match="did you mean response"):
        gridproof.score_table(table, "respons")
    with pytest.raises(InputError, match="already"):
        gridproof.score_table(scored, "response")


def test_a_reason_is_that_of_the_cell() -> None:
    problems = [(frozenset([1, 2]), "first"), (frozenset([2]), "second")]
    assert [find_reason(cell, problems) for cell in (1, 2, 3)] == ["first", "first", ""]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", PUZZLE, f"It is {GRID}"]) == 0
    assert capsys.readouterr().out.startswith("solved: 12 right")
    assert main(["score", "--json", PUZZLE, GRID[:-1] + "."]) == 1
    assert json.loads(capsys.readouterr().out)["blank"] == 1
    table = tmp_path / "answers.csv"
    table.write_text(f'puzzle,response,id\n{PUZZLE},"so {GRID}, I think",7\n{PUZZLE},no,8\nbad,no,9\n')
    output = tmp_path / "scores.csv"
    assert main(["score", str(table), "--answers", "response", "-o", str(output)]) == 1
    printed = capsys.readouterr().out
    assert printed == (
        "3 answers: 1 solved, 1 consistent, 1 without a grid, 1 to malformed puzzles; mean share of right cells 0.500\n"
    )
    scored = pandas.read_csv(output)
    assert scored.id.to_list() == [7, 8, 9]
    assert scored.reward.to_list()[:2] == [1.0, 0.0]
    for arguments, problem in (
        (["score", PUZZLE], "no ANSWER"),
        (["score", str(table), "--answers", "respons"], "did you mean response"),
        (["score", PUZZLE, "--answers", "x"], "is no table"),
        (["score", str(table), "--answers", "response", "-o", str(output)], "exists"),
        (["score", PUZZLE, GRID, "--column", "x"], "with a table only"),
    ):
        assert main(arguments) == 2
        assert problem in capsys.readouterr().err
