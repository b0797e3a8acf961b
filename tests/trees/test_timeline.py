"""The picture of a SAT solver at work."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from gridproof import backends
from gridproof.cli import main
from gridproof.errors import BackendUnavailable
from gridproof.limits import Limits
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.trees import sat_timeline

NINE = Geometry.classic(3)
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


@pytest.mark.parametrize(
    ("symbols", "events"),
    [
        (HARD, ["first solution", "no other: unique"]),
        (HARD.replace("8", ".", 1), ["first solution", "second solution"]),
        ("11" + HARD[2:], ["none"]),
    ],
)
def test_findings_with_their_times(symbols: str, events: list[str]) -> None:
    timeline = sat_timeline(Board.from_symbols(NINE, symbols), backends.find("cadical195"))
    assert [moment.event for moment in timeline.moments if moment.event] == events
    for name in ("seconds", "decisions", "conflicts", "restarts"):
        values = [getattr(moment, name) for moment in timeline.moments]
        assert values == sorted(values)
    root = ElementTree.fromstring(timeline.to_svg())
    assert len(root.findall("{http://www.w3.org/2000/svg}polyline")) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("clues", "encoding", "event"),
    [
        ({}, None, "second solution"),
        ({0: 1, 1: 1}, "triad", "none"),
    ],
)
def test_large_boards_are_watched_too(clues: dict[int, int], encoding: str | None, event: str) -> None:
    board = Board(Geometry.classic(4, 5), tuple(clues.get(cell, 0) for cell in range(400)))
    timeline = sat_timeline(board, "cadical153", encoding)
    assert timeline.encoding == encoding or timeline.encoding == "reduced"
    assert timeline.moments[-1].event == event


def test_a_limit_stops_it() -> None:
    timeline = sat_timeline(Board.from_symbols(NINE, HARD), backends.find("minisat22"), limits=Limits(conflicts=20))
    assert timeline.moments[-1].event == "stopped by a limit"


@pytest.mark.parametrize("name", ["cp-sat", "search-bits", "kissat404", "lingeling"])
def test_others_cannot_be_watched(name: str) -> None:
    with pytest.raises(BackendUnavailable, match=name):
        sat_timeline(Board.empty(NINE), backends.find(name))


def test_command_tree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for backend, output in (("cadical153", "a.svg"), ("search-propagate", "b.pdf")):
        assert main(["tree", HARD, "-b", backend, "-o", str(tmp_path / output)]) == 0
        assert backend in capsys.readouterr().err
        assert (tmp_path / output).exists()
    for options in (["-o", "d.dot"], ["-e", "extended"], [HARD]):
        assert main(["tree", HARD, *options]) == 2
