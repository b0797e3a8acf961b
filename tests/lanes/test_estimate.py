"""Estimates of the number of solutions: known numbers lie in their intervals, and what cannot be is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

import gridproof
from core_samples import HARD
from gridproof.cli import main
from gridproof.errors import BoardError, InputError, Interrupted
from gridproof.lanes import estimating
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

KNOWN = [
    (Geometry.classic(2), 288),
    (Geometry.latin(5), 161_280),
    (Geometry.latin(6), 812_851_200),
    (Geometry.latin(7), 61_479_419_904_000),
    (Geometry.classic(2, 3), 28_200_960),
    (Geometry.classic(3), 6_670_903_752_021_072_936_960),
]
"""McKay and Rogoyski 1995 (Latin squares); Pettersen 2005 (6x6); Felgenhauer and Jarvis 2005 (9x9)."""


@pytest.mark.slow
@pytest.mark.parametrize(("geometry", "number"), KNOWN, ids=lambda value: getattr(value, "description", ""))
def test_known_numbers(geometry: Geometry, number: int) -> None:
    """The number lies in 95 of 100 intervals: of five, fixed by their seeds, at least three."""
    counts = [gridproof.count(Board.empty(geometry), estimate=True, probes=300, seed=seed) for seed in range(5)]
    assert sum(count.interval[0] <= number <= count.interval[1] for count in counts if count.interval) >= 3
    assert len({count.number for count in counts}) > 1
    assert all(0.6 < count.number / number < 1.7 for count in counts)
    assert not any(count.complete for count in counts)
    assert counts[0] == gridproof.count(Board.empty(geometry), estimate=True, probes=300, seed=0)


def test_clues_and_pencil_marks_count() -> None:
    for board in (gridproof.parse("12.." + "." * 12), gridproof.parse("." * 16).with_marks([3] + [15] * 15)):
        interval = gridproof.count(board, estimate=True).interval
        assert interval is not None
        assert interval[0] <= gridproof.count(board).number <= interval[1]


def test_few_probes_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    one = gridproof.count("1.....2..3.....4", estimate=True, probes=200)
    assert (one.number, one.interval) == (1, (1, 1))
    assert str(one) == "about 1 solution; 95 % interval 1 to 1; 200 probes"
    none = gridproof.count("11" + "." * 14, estimate=True, probes=50)
    assert (none.number, none.complete) == (0, False)
    assert none.reason == "none of 50 probes found a solution, which does not prove that there is none"
    assert "only the order is sure" in gridproof.count("." * 81, estimate=True, probes=20).reason
    monkeypatch.setattr(estimating, "_CANDIDATES", 64 * 7)  # in several parts
    assert 200 < gridproof.count("." * 16, estimate=True, probes=200).number < 400


def test_numbers_beyond_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimating, "_probe", lambda *_: np.array([1000.0, 1000.5]))
    count = gridproof.count("." * 16, estimate=True, probes=2)
    assert len(str(count.number)) == 435
    assert str(count).startswith("about 2.609e+434 solutions; 95 % interval ")


def test_what_cannot_be_estimated_is_refused() -> None:
    with pytest.raises(BoardError, match="a board with rules; expected houses"):
        gridproof.count("." * 16, estimate=True, rules="anti-knight")
    with pytest.raises(InputError, match="limit 5; expected no limit"):
        gridproof.count("." * 16, estimate=True, limit=5)
    with pytest.raises(InputError, match=r"probes .*1.*at least 2"):
        gridproof.count("." * 16, estimate=True, probes=1)
    with pytest.raises(Interrupted):
        gridproof.count(HARD, estimate=True, limits=gridproof.Limits(seconds=1e-9))


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "--estimate", "--probes", "500", "-q", "." * 16]) == 0
    number, text = capsys.readouterr().out.split("\t")
    assert 250 < int(number) < 330
    assert text.startswith("about; 95 % interval ")
    assert main(["count", "--estimate", "--probes", "500", "-q", "--json", "." * 16]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["interval"][0] <= record["count"] == int(number) <= record["interval"][1]
    assert main(["count", "--estimate", "-q", "--rule", "anti-knight", "." * 16]) == 2
