"""The pipeline: verdicts, counts, limits, what it takes and what it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from core_samples import FOUR, HARD, NINE, UNIQUE, UNIQUE_SOLUTION, some_grid
from gridproof.errors import (
    BackendFailure,
    BackendUnavailable,
    DisagreementError,
    EncodingError,
    InputError,
    Interrupted,
)
from gridproof.limits import Limits
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.questions import count, solutions, solve, verify
from gridproof.trust import reference
from gridproof.trust.crosscheck import CrossCheck
from gridproof.trust.verdict import Status

GRID = tuple(map(int, UNIQUE_SOLUTION))
PUZZLE = Board.from_symbols(NINE, UNIQUE)
SEVERAL = Board(FOUR, (1, 2, 3, 4, *[0] * 12))
NO_ONE = Board.from_symbols(FOUR, "12.........3...4")
LONG = Board.empty(NINE)


@pytest.fixture
def pipeline() -> Iterator[Pipeline]:
    with Pipeline() as opened:
        yield opened


# ---- verdicts ------------------------------------------------------------------------------------------------------


def test_verify(pipeline: Pipeline) -> None:
    unique, several, none = map(pipeline.verify, (PUZZLE, SEVERAL, NO_ONE))
    assert (unique.status, unique.solutions) == (Status.UNIQUE, (GRID,))
    assert several.status is Status.MULTIPLE
    assert len(set(several.solutions)) == 2
    assert (none.status, none.solutions) == (Status.NONE, ())
    assert [str(verdict.evidence.reference) for verdict in (unique, several, none)] == [
        "agrees",
        "not needed",
        "agrees",
    ]
    assert [verdict.evidence.checked for verdict in (unique, several, none)] == [1, 2, 0]
    assert set(unique.seconds) == {"solve", "check", "reference"}
    assert unique.statistics.seconds > 0
    assert unique.board is PUZZLE


def test_solve(pipeline: Pipeline) -> None:
    solved, several, none = map(pipeline.solve, (PUZZLE, SEVERAL, NO_ONE))
    assert (solved.status, solved.solutions) == (Status.SOLVED, (GRID,))
    assert several.status is Status.SOLVED
    assert len(several.solutions) == 1
    assert none.status is Status.NONE
    assert str(none.evidence.reference) == "agrees"


def test_the_functions() -> None:
    assert verify(PUZZLE).is_unique
    assert solve(PUZZLE) == GRID
    assert solve(NO_ONE) is None
    assert count(SEVERAL).number == 12
    assert set(solutions(SEVERAL)) == set(reference.solutions(SEVERAL))
    assert str(verify(PUZZLE, "reference").evidence.reference) == "is the backend itself"
    assert str(verify(PUZZLE, cross_check="none").evidence.reference) == "not asked"
    assert str(verify(PUZZLE, cross_check=CrossCheck("none", 0.0)).evidence.reference) == "not asked"


def test_pencil_marks_count(pipeline: Pipeline) -> None:
    everything = (1 << 9) - 1
    for cell, symbol in enumerate(GRID):
        if not PUZZLE.clues[cell]:
            marks = [everything] * 81
            marks[cell] ^= 1 << (symbol - 1)
            assert pipeline.verify(PUZZLE.with_marks(marks)).status is Status.NONE
            break
    marks = [1 << (symbol - 1) for symbol in GRID]
    assert pipeline.verify(Board.empty(NINE).with_marks(marks)).solutions == (GRID,)
    # entries made later are no clues
    filled = PUZZLE.with_filled([symbol % 9 + 1 for symbol in GRID])
    assert pipeline.verify(filled).solutions == (GRID,)


# ---- counts and solutions --------------------------------------------------------------------------------------------


def test_count(pipeline: Pipeline) -> None:
    everything = pipeline.count(Board.empty(FOUR))
    assert (everything.number, everything.complete, everything.reason) == (288, True, "")
    assert str(everything.evidence.reference) == "agrees"
    some = pipeline.count(Board.empty(FOUR), 10)
    assert (some.number, some.complete, some.reason) == (10, False, "stopped at 10")
    assert pipeline.count(Board.empty(FOUR), 289).complete
    assert pipeline.count(NO_ONE).number == 0
    for limit in (0, -1):
        with pytest.raises(InputError, match=f"limit is {limit}; expected a whole number of at least 1"):
            pipeline.count(SEVERAL, limit)


def test_solutions_come_one_by_one(pipeline: Pipeline) -> None:
    assert len(set(islice(pipeline.solutions(LONG), 20))) == 20
    assert pipeline.verify(PUZZLE).is_unique, "an iterator that was dropped does no harm"
    one = pipeline.solutions(SEVERAL)
    next(one)
    pipeline.verify(Board(FOUR, some_grid(FOUR)))
    assert len(list(one)) == 11, "other questions do not cut an iterator off"


# ---- limits --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "name", "board"),
    [
        (Limits(seconds=1e-6), "seconds", Board.from_symbols(NINE, HARD)),
        (Limits(conflicts=1), "conflicts", Board.from_symbols(NINE, HARD)),
        (Limits(solutions=1), "solutions", SEVERAL),
    ],
)
def test_a_limit_is_undecided(limits: Limits, name: str, board: Board) -> None:
    with Pipeline(limits=limits) as pipeline:
        verdict = pipeline.verify(board)
        assert verdict.status is Status.UNDECIDED
        assert name in verdict.reason
        assert str(verdict.evidence.reference) == "not asked"
        assert not verdict.is_unique
        count = pipeline.count(board)
        assert not count.complete
        assert name in count.reason
        with pytest.raises(Interrupted) as stopped:
            list(pipeline.solutions(board))
        assert stopped.value.limit == name
    if name != "solutions":
        with pytest.raises(Interrupted) as stopped:
            solve(board, limits=limits)
        assert stopped.value.limit == name
        assert stopped.value.value == getattr(limits, name)


# ---- arguments -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("backend", "encoding", "error", "message"),
    [
        ("nobody", None, BackendUnavailable, "no backend is called 'nobody'"),
        ("cadical153", "nothing", EncodingError, "no encoding is called 'nothing'"),
        ("cadical153", "alldifferent", BackendUnavailable, "target 'cnf'.*'alldifferent' has 'cp-sat'"),
        ("cp-sat", "minimal", BackendUnavailable, "target 'cp-sat'.*'minimal' has 'cnf'"),
        ("reference", "minimal", BackendUnavailable, "takes no encoding, so not 'minimal'"),
    ],
)
def test_what_does_not_fit_is_refused(backend: str, encoding: str | None, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Pipeline(backend, encoding)
    with pytest.raises(InputError, match="cross-check 'some'"):
        Pipeline(cross_check="some")


def test_sessions_are_kept_for_each_geometry_and_closed(pipeline: Pipeline) -> None:
    first = pipeline.session(FOUR)
    assert pipeline.session(Geometry.classic(2)) is first
    assert pipeline.session(Geometry.latin(4)) is not first
    pipeline.close()
    with pytest.raises(BackendFailure, match="closed"):
        first.solutions(SEVERAL)
    pipeline.close()
    assert pipeline.verify(SEVERAL).status is Status.MULTIPLE, "it can be used again"


def test_a_disagreement_cannot_be_overlooked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even one for which the reference is to blame."""
    monkeypatch.setattr(reference, "solutions", lambda *_, **__: iter([]))
    verdict = verify(PUZZLE)
    assert verdict.status is Status.DISAGREEMENT
    assert verdict.reason == "the backend claims 1 solution, the reference finds 0"
    assert str(verdict.evidence.reference) == "contradicts"
    assert count(SEVERAL).evidence.contradictions
    monkeypatch.setattr(reference, "solutions", lambda *_, **__: iter([GRID]))
    with pytest.raises(DisagreementError, match="claims no solution"):
        solve(Board(NINE, (*GRID[:-1], GRID[-1] % 9 + 1)))
