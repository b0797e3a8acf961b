"""The walk of one question through the package stays short, and the files to be read first are there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli_runner import environment
from project.walk import LINE, walk_of

ROOT = Path(__file__).parents[2]
ROWS = "\n".join(LINE[start : start + 9] for start in range(0, 81, 9))

STATION = 15
"""Executed lines that make a file a station of the walk; of the others a few lines are looked up on the way."""


@pytest.mark.parametrize(("puzzle", "lines", "stations", "files"), [(LINE, 500, 12, 31), (ROWS, 800, 18, 38)])
def test_the_walk_of_a_question_is_short(puzzle: str, lines: int, stations: int, files: int) -> None:
    walk = walk_of(puzzle)
    assert {"questions.py", "pipeline.py", "trust/check.py", "trust/reference.py", "trust/verdict.py"} <= walk.keys()
    assert sum(len(executed) for executed in walk.values()) <= lines
    assert len([file for file, executed in walk.items() if len(executed) >= STATION]) <= stations
    assert len(walk) <= files


def test_the_command_prints_the_walk() -> None:
    command = [sys.executable, str(ROOT / "tests" / "project" / "walk.py"), "1... ..2. .3.. ...4"]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment())
    *files, total = run.stdout.splitlines()
    assert total.endswith(f"lines in {len(files)} files")
    assert any(line.endswith("  pipeline.py") for line in files)


def test_the_reading_order_has_twelve_files_with_a_question_each() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    (order,) = re.findall(r"## Read in this order\n.*?(?=\n## )", text, flags=re.DOTALL)
    rows = re.findall(r"^\| (\d+) \| `([\w/.]+)` \| (.*\?) \|$", order, flags=re.MULTILINE)
    assert [number for number, _, _ in rows] == [str(number) for number in range(1, 13)]
    for _, file, _ in rows:
        assert (ROOT / file).is_file() or (ROOT / "src" / "gridproof" / file).is_file(), file
