"""JSON lines in bulk: what is taken many at once is what the careful reader makes of each line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gridproof
from cli_runner import Command
from gridproof.bulk.columns import to_ascii
from gridproof.bulk.json_lines import find_easy_json
from gridproof.errors import PuzzleFormatError
from gridproof.formats.shapes import Shapes
from gridproof.puzzle.geometry import Geometry
from gridproof.trust.record import VerdictRecord

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
BOARD = {"clues": PUZZLE, "boxes": "3x3"}
EASY = (
    {"puzzle": PUZZLE},
    {"puzzle": PUZZLE, "solution": SOLUTION, "id": 7, "tags": ["rules"]},
    {"Question": PUZZLE, "answer": None},
    {"puzzle": PUZZLE, "board": BOARD, "digits": "1-9", "rule_list": [], "sentences": [], "canonical": "x"},
)
CAREFUL = (
    {"puzzle": PUZZLE, "board": {**BOARD, "boxes": "1x9"}},
    {"puzzle": PUZZLE, "board": {**BOARD, "clues": PUZZLE[::-1]}},
    {"puzzle": PUZZLE, "board": {**BOARD, "diagonal": True}},
    {"puzzle": PUZZLE, "digits": "0-8", "board": BOARD},
    {"puzzle": PUZZLE, "rules": "a knight never sees its own digit"},
    {"puzzle": PUZZLE, "prose": "In words."},
    {"puzzle": PUZZLE, "title": "A title"},
    {"puzzle": PUZZLE, "rule_list": [{"kind": "anti-knight"}], "board": BOARD},
    {"puzzle": PUZZLE, "solution": SOLUTION[::-1] + "1"},
    {"puzzle": [int(cell) for cell in PUZZLE.replace(".", "0")]},
    {"puzzle": PUZZLE + "1"},
    {"puzzle": ""},
)


def as_lines(*records: object) -> list[str]:
    return [json.dumps(record) for record in records]


def test_records_that_state_cells_alone_are_easy() -> None:
    lines = as_lines(*EASY, *CAREFUL) + [PUZZLE, "", "{", '{"puzzle": 3}']
    group = find_easy_json(Shapes(Geometry.standard), to_ascii(lines))
    assert group is not None
    assert group.places.tolist() == [0, 1, 2, 3]
    assert group.answers is not None
    assert group.answers.any(axis=1).tolist() == [False, True, False, False]
    assert find_easy_json(Shapes(Geometry.standard), to_ascii(as_lines(*CAREFUL))) is None
    assert find_easy_json(Shapes(Geometry.standard, column="cells"), to_ascii(as_lines({"cells": PUZZLE}))) is not None


def test_the_result_is_that_of_the_careful_reader() -> None:
    records = [*EASY, *CAREFUL, *EASY]
    lines = as_lines(*records)
    text = "\n".join([*lines, PUZZLE, '{"puzzle": 3}']) + "\n"
    together = list(gridproof.verify_many(text))
    one_by_one = []
    for number, item in enumerate(gridproof.read(text, despite_unread=True), 1):
        if isinstance(item, PuzzleFormatError):
            one_by_one.append(VerdictRecord.of_error(item, number))
        else:
            one_by_one.append(next(gridproof.verify_many([item]))._replace(row=number, line=item.line))
    assert len(together) == len(records) + 2
    for mine, other in zip(together, one_by_one, strict=True):
        assert (mine.row, mine.line, mine.verdict, mine.solution) == (
            other.row,
            other.line,
            other.verdict,
            other.solution,
        )
        assert (mine.stored, mine.title, mine.unread) == (other.stored, other.title, other.unread)


@pytest.mark.parametrize("engine", ["session", "auto"])
def test_a_file_of_records(engine: str, call: Command, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(as_lines(*[{"cells": PUZZLE, "solution": SOLUTION}] * 3, {"cells": PUZZLE[:-1]})) + "\n")
    output = tmp_path / "verdicts.jsonl"
    options = ("--column", "cells", "-j", "0", "-q", "--engine", engine, "-o", str(output))
    assert call("verify", str(path), *options)[0] == 2
    rows = [json.loads(line) for line in output.read_text().splitlines()]
    assert [row["verdict"] for row in rows] == ["unique"] * 3 + ["malformed"]
    assert [row["line"] for row in rows] == [1, 2, 3, 4]
    assert [row["evidence"]["stored"] for row in rows[:3]] == ["right"] * 3
