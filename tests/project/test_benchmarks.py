"""``make bench`` runs every part, keeps figures and draws them; the figures themselves are no matter of tests."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.syspath_prepend(str(ROOT))
    module = importlib.import_module("benchmarks.__main__")
    monkeypatch.setattr(module, "RESULTS", tmp_path)
    return module


def run(benchmarks: Any, monkeypatch: pytest.MonkeyPatch, part: str) -> Any:
    monkeypatch.setattr(sys, "argv", ["benchmarks", part])
    benchmarks.main()
    (kept,) = benchmarks.RESULTS.glob(f"*-{part}.json")
    return json.loads(kept.read_text())[part]


def test_sizes_are_drawn(benchmarks: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    measure = benchmarks.encoding_sizes.measure
    monkeypatch.setattr(benchmarks.encoding_sizes, "measure", lambda: measure((9, 16)))
    kept = run(benchmarks, monkeypatch, "sizes")
    assert [(row["order"], row["encoding"]) for row in kept] == [
        (order, name) for order in (9, 16) for name in ("minimal", "extended", "reduced", "deduced")
    ]
    (picture,) = tmp_path.glob("*.png")
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_bulk_is_a_part(
    benchmarks: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pipe = benchmarks.pipe
    monkeypatch.setattr(pipe.make_million, "SHARED", tmp_path / "not there")
    kinds = {name: puzzles for name, puzzles, *_ in pipe.kinds()}
    assert {name for name, puzzles in kinds.items() if len(puzzles)} == {"easy", "17-clue", "hardest188"}
    assert ((kinds["easy"] > 0).sum(axis=1) >= pipe.EASY_CLUES).all()
    measure = pipe.measure
    monkeypatch.setattr(pipe, "measure", lambda repetitions: measure(200, 1))
    kept = run(benchmarks, monkeypatch, "bulk")
    assert [(row["kind"], row["target"]) for row in kept] == [("easy", 3e5), ("17-clue", 1.5e5), ("hardest188", 13_500)]
    printed = capsys.readouterr().out
    for row in kept:
        assert row["puzzles"] == (20 if row["kind"] == "hardest188" else 200)
        assert min(row["per_cpu_second"], row["per_wall_second"], row["sampled_per_cpu_second"]) > 0
        share = row["per_cpu_second"] / row["target"]
        assert row["reached"] == ("reached" if share >= 1 else f"missed ({share:.0%})")
        (line,) = [line for line in printed.splitlines() if line.startswith(row["kind"])]
        assert line.endswith(row["reached"])


def test_real_puzzles_is_a_part(benchmarks: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from cli import test_link_commands

    cage = [{"cells": ["R1C1", "R1C2"], "value": 4}]
    row = {"name": "x", "complete": True, "solution": test_link_commands.SOLUTION, "payload": test_link_commands.GOOD}
    rows = [
        row,
        row | {"complete": False, "payload": test_link_commands.DRAWN},
        row | {"complete": None, "payload": "fpuz"},
    ]
    rows.append(row | {"complete": False, "payload": test_link_commands.link(killercage=cage)})
    (tmp_path / "fpuzzles.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    monkeypatch.setattr(benchmarks.real_puzzles, "SHARED", tmp_path)
    benchmarks.real_puzzles.rows.cache_clear()
    assert [name for name, _, _ in benchmarks.real_puzzles.complete()] == ["x"]
    mine, other = run(benchmarks, monkeypatch, "real_puzzles")
    benchmarks.real_puzzles.rows.cache_clear()
    assert (mine["puzzles"], mine["refused"], mine["crashed"], other["puzzles"]) == (4, 1, 0, 0)
    assert (mine["complete"], mine["right"], mine["reference"]) == (1, 1, {"agrees": 1})
    assert (mine["understood"], mine["unread"]) == (1, {"line": 1})
    assert (mine["solutions"], mine["breaking"], mine["against"]) == (3, 1, mine["verdicts"].get("unique", 0))


@pytest.mark.parametrize(
    ("rate", "target", "reached"),
    [(300, 300, "reached"), (299, 300, "missed (100%)"), (150, 300, "missed (50%)"), (1, None, "")],
)
def test_a_target_is_reached_or_missed_by_so_much(
    benchmarks: Any, rate: float, target: float | None, reached: str
) -> None:
    assert benchmarks.pipe.Figure("easy", 9, rate, rate, rate, target).reached == reached


def test_drawings_that_somebody_has_named_are_read_as_the_stored_solutions_say(benchmarks: Any) -> None:
    from benchmarks import drawings, real_puzzles

    rows = real_puzzles.rows("f-puzzles")
    if not rows:
        pytest.skip("no shared puzzles")
    for number in (25, 59, 96, 127):
        assert drawings.decide("f-puzzles", number, rows[number], 25) == "unique right"
