"""All verbs in the Python of the page, in Node, against the same in CPython: on real puzzles, and on wrong input."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from gridproof import parse, rate
from gridproof.formats import Puzzle
from gridproof.formats.catalog import all_formats

HERE = Path(__file__).parent
DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "fpuzzles.jsonl"
PUZZLES = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "12......4.1.....",
    "11..............",
    "1... ..2. .3.. ...4",
    "53x",
    "https://example.org",
    all_formats()["f-puzzles"].text_of(Puzzle(parse("1" + "." * 15, rules=["killer 5 r1c2 r1c3"]), title="<b>\u202e")),
    all_formats()["toml"].text_of(Puzzle(parse("." * 16, rules=["thermometer r1c1 r2c2 r3c3 r4c4", "anti-knight"]))),
]

pytestmark = [
    pytest.mark.process,
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed"),
]


def real_puzzles(number: int) -> list[str]:
    """Return some real puzzles with rules, if they are there."""
    if not DATA.exists():
        return []
    records = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    complete = [record for record in records if record["complete"] and record["keys"] != ["grid.given"]]
    return [record["payload"] for record in complete[:: max(1, len(complete) // number)][:number]]


def run_here(puzzles: list[str]) -> list[Any]:
    """Run the program in this Python."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile((HERE / "verbs_program.py").read_text("utf-8"), "verbs", "exec"), {"given": json.dumps(puzzles)})
    return [json.loads(line) for line in printed.getvalue().splitlines()]


def run_in_node(page: Path, puzzles: list[str]) -> list[Any]:
    """Run the program in the Python of a page."""
    command = ["node", str(HERE / "verbs.mjs"), str(page), str(HERE / "verbs_program.py")]
    done = subprocess.run(command, input=json.dumps(puzzles), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_verb_answers_as_it_does_elsewhere(built_page: Path) -> None:
    puzzles = PUZZLES + real_puzzles(2)
    *expected, made_here, _ = run_here(puzzles)
    *answered, made_there, imported = run_in_node(built_page, puzzles)
    assert imported == [], "what is not there is not even looked for"
    assert len(answered) == len(puzzles)
    for puzzle, here, there in zip(puzzles, expected, answered, strict=True):
        assert there == here, puzzle
    assert made_there["with_rules"] == made_here["with_rules"]
    [graded] = made_there["graded"]  # another one than here, where NumPy makes it
    assert rate(graded).grade == "medium"
    verbs = {verb for one in answered for verb in one}
    assert verbs >= {"verify", "solve", "count", "candidates", "explain", "steps", "rate", "certify", "show", "error"}
