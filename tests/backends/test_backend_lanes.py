"""The lane engine as a backend, where the contract kit does not look: both kernels, and bounds that come first."""

from __future__ import annotations

import importlib.util
from functools import partial
from typing import Any

import pytest

from core_samples import FOUR, NINE, UNIQUE
from gridproof import lanes
from gridproof.backends.protocol import Session
from gridproof.backends.solvers import lanes as backend
from gridproof.errors import BackendFailure, BackendUnavailable, Interrupted
from gridproof.limits import Limits
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.trust import reference

ENGINE = lanes.LaneEngine
KERNELS = ["numpy", *(["numba"] if importlib.util.find_spec("numba") else [])]


def opened(monkeypatch: pytest.MonkeyPatch, kernel: Any, geometry: Geometry) -> Session:
    monkeypatch.setattr(lanes, "LaneEngine", partial(ENGINE, kernel=kernel))
    return backend.Lanes().open(geometry)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("bound", "at_a_time"), [(0, 64), (1, 5), (7, 1), (500, 64)])
def test_every_solution_once_whatever_the_bounds(
    kernel: str, bound: int, at_a_time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backend, "BRANCHES", bound)
    monkeypatch.setattr(backend, "LANES", at_a_time)
    for board in (Board.empty(Geometry.latin(3)), Board.empty(FOUR).with_clue(0, 1), Board.from_symbols(NINE, UNIQUE)):
        with opened(monkeypatch, kernel, board.geometry) as session:
            found = list(session.solutions(board))
        assert len(set(found)) == len(found)
        assert set(found) == set(reference.solutions(board))


def test_two_solutions_take_one_question(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    original = lanes.LaneEngine.verify_candidates

    def counted(self: lanes.LaneEngine, masks: Any) -> lanes.LaneResult:
        sizes.append(len(masks))
        return original(self, masks)

    monkeypatch.setattr(lanes.LaneEngine, "verify_candidates", counted)
    with Pipeline("lanes", cross_check="none") as pipeline:
        assert pipeline.verify(Board.empty(FOUR)).status == "multiple"
    assert sizes == [1]


def test_pencil_marks_are_kept() -> None:
    marks = tuple(0b1110 if cell == 0 else 0b1111 for cell in range(16))
    board = Board(FOUR, (0,) * 16, marks=marks)
    with Pipeline("lanes", cross_check="none") as pipeline:
        assert pipeline.count(board).number == 288 * 3 // 4


@pytest.mark.parametrize("conflicts", [1, 2, 3, 10])
def test_a_limit_of_conflicts_is_kept(conflicts: int) -> None:
    board = Board.empty(Geometry.latin(5))
    found: list[SymbolTuple] = []
    with backend.Lanes().open(board.geometry) as session:
        with pytest.raises(Interrupted):
            found.extend(session.solutions(board, Limits(conflicts=conflicts)))
        assert (session.statistics.dead_ends or 0) <= 2 * conflicts + backend.LANES
    assert len(set(found)) == len(found) < 161_280


def test_what_contradicts_itself_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    original = lanes.LaneEngine.verify_candidates

    def lying(self: lanes.LaneEngine, masks: Any) -> lanes.LaneResult:
        found = original(self, masks)
        if len(calls) > 0:
            found.codes[:] = lanes.NONE
        calls.append(1)
        return found

    calls: list[int] = []
    monkeypatch.setattr(lanes.LaneEngine, "verify_candidates", lying)
    with backend.Lanes().open(FOUR) as session, pytest.raises(BackendFailure, match="call a part of this board none"):
        list(session.solutions(Board.empty(FOUR)))


def test_boards_that_are_too_large_for_lanes() -> None:
    with pytest.raises(BackendUnavailable, match="order 36; the lane engine takes orders up to 32"):
        backend.Lanes().open(Geometry.standard(36))
