"""The lane engine against the independent reference, SAT, and itself."""

from __future__ import annotations

import signal
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pysat.solvers import Solver

from core_samples import EVERYTHING
from gridproof.errors import BackendFailure, BackendUnavailable, BoardError, GeometryError
from gridproof.lanes import MULTIPLE, NONE, OPEN, UNIQUE, LaneEngine, LaneResult
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.trust import reference
from lanes.lane_samples import GEOMETRIES, HAS_NUMBA, KERNELS, grids, is_solution, puzzles, same

GRID = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TWO_MISSING = GRID.replace("1", "0").replace("2", "0")  # these two can be exchanged
PUZZLE_17 = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"


def row(text: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.array([[int(character) for character in text]], np.uint8)


def assert_right(geometry: Geometry, clues: np.ndarray[Any, Any], result: LaneResult) -> None:
    """Verdicts as the reference has them; solutions that are some, and two that differ."""
    for index, line in enumerate(clues):
        count = reference.count(Board(geometry, tuple(line.tolist())), limit=2)
        assert result.codes[index] == count, (index, line.tolist())
        assert result.first[index].any() == (count >= 1)
        assert result.second[index].any() == (count == 2)
        if count:
            assert is_solution(geometry, line, result.first[index])
        if count == 2:
            assert is_solution(geometry, line, result.second[index])
            assert (result.first[index] != result.second[index]).any()


def sat_verdict(solver: Any, order: int, clues: list[int]) -> int:
    """0, 1 or 2 solutions by SAT: a second query excludes the first grid, by a clause that a selector switches off."""
    assumptions = [cell * order + clue for cell, clue in enumerate(clues) if clue]
    if not solver.solve(assumptions=assumptions):
        return NONE
    grid = [literal for literal in solver.get_model()[: order**3] if literal > 0]
    selector = max(solver.nof_vars(), order**3) + 1
    solver.add_clause([-selector, *(-literal for literal in grid)])
    several = solver.solve(assumptions=[selector, *assumptions])
    solver.add_clause([-selector])
    return MULTIPLE if several else UNIQUE


def rules(geometry: Geometry) -> list[list[int]]:
    """Exactly-one clauses, pairwise, of cells and of the symbols of houses."""
    n = geometry.order
    groups = [[cell * n + s for s in range(1, n + 1)] for cell in range(n * n)]
    groups += [[cell * n + s for cell in house.cells] for house in geometry.houses for s in range(1, n + 1)]
    clauses = [list(group) for group in groups]
    clauses += [[-a, -b] for group in groups for index, a in enumerate(group) for b in group[:index]]
    return clauses


@pytest.mark.parametrize("kernel", KERNELS)
def test_known_puzzles(kernel: Any) -> None:
    engine = LaneEngine(Geometry.classic(3), kernel)
    twice = row("11" + "0" * 79)
    no_place = row("120000000" + "000300000" + "000000300" + "003000000" + "0" * 45)  # row 1 cannot hold 3
    clues = np.concatenate([row(GRID), row(PUZZLE_17), row(TWO_MISSING), twice, no_place])
    result = engine.verify(clues)
    assert result.codes.tolist() == [UNIQUE, UNIQUE, MULTIPLE, NONE, NONE]
    assert result.branches[0] == result.branches[3] == result.branches[4] == 0
    assert result.first[0].tolist() == row(GRID)[0].tolist()
    assert result.counts == {"none": 2, "unique": 2, "multiple": 1, "open": 0}


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_puzzle_is_searched_alike_in_every_company(kernel: Any) -> None:
    """Lanes that run out of puzzles help others with theirs: this must not show."""
    geometry = GEOMETRIES["3x3"]()
    clues = puzzles(geometry, 160, seed=11)
    engine = LaneEngine(geometry, kernel, max_branches=60)
    together = engine.verify(clues)
    assert together.branches.max() > 20
    assert {MULTIPLE, UNIQUE, NONE} <= set(together.codes.tolist())
    order = np.random.default_rng(0).permutation(len(clues))
    shuffled = engine.verify(clues[order])
    hard = np.flatnonzero(together.branches > 8)[:3]
    alone = [engine.verify(clues[[index]]) for index in hard]
    for name in ("codes", "first", "second", "branches"):
        assert np.array_equal(getattr(shuffled, name), getattr(together, name)[order])
        for index, result in zip(hard, alone, strict=True):
            assert np.array_equal(getattr(result, name)[0], getattr(together, name)[index])


@pytest.mark.parametrize("kernel", KERNELS)
def test_puzzles_that_follow_get_the_verdicts_of_puzzles_alone(kernel: Any) -> None:
    geometry = GEOMETRIES["3x3"]()
    clues = puzzles(geometry, 160, seed=11)
    engine = LaneEngine(geometry, kernel, max_branches=20)
    expected = engine.verify(clues)
    assert {*expected.codes.tolist()} == {NONE, UNIQUE, MULTIPLE, OPEN}
    place = np.arange(40)  # sequence n has the puzzles n, n + 40, n + 80, ...
    met: list[int] = []

    def follow_up(numbers: NDArray[np.int64], found: LaneResult) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        at = place[numbers]
        for name in ("codes", "first", "second", "branches"):
            assert np.array_equal(getattr(found, name), getattr(expected, name)[at])
        met.extend(at.tolist())
        place[numbers] += 40
        following = numbers[place[numbers] < 160]
        return following, clues[place[following]]

    engine.verify_in_turn(clues[:40], follow_up)
    assert sorted(met) == list(range(160))
    engine.verify_in_turn(clues[:0], follow_up)
    with pytest.raises(BoardError, match="shape"):
        engine.verify_in_turn(clues[:, 1:], follow_up)


@pytest.mark.skipif(not HAS_NUMBA, reason="no numba")
def test_the_compiled_search_returns_now_and_then_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only when it returns, Ctrl-C is delivered; where it was cut must not show."""
    from gridproof.lanes import kernel_numba, passes

    geometry = GEOMETRIES["3x3"]()
    clues = puzzles(geometry, 160, seed=11)
    engine = LaneEngine(geometry, "numba", max_branches=60)
    whole = engine.verify(clues)
    calls = 0

    def counted(*arguments: Any, run: Any = passes.run) -> Any:
        nonlocal calls
        calls += 1
        return run(*arguments)

    monkeypatch.setattr(kernel_numba, "run", counted)
    for number in (1, 7):
        monkeypatch.setattr(kernel_numba, "PASSES", number)
        calls = 0
        assert same(engine.verify(clues), whole)
        assert calls > 30 // number
    monkeypatch.setattr(kernel_numba, "run", lambda *_: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        engine.verify(clues)


@pytest.mark.skipif(not HAS_NUMBA, reason="numba is not installed")
def test_one_search_is_compiled_for_arrays_that_can_be_written_to_and_others() -> None:
    from gridproof.lanes.passes import run

    for may_write in (True, False):
        clues = row(PUZZLE_17)
        clues.flags.writeable = may_write
        assert LaneEngine(Geometry.standard(9), "numba").verify(clues).codes.tolist() == [UNIQUE]
    assert len(run._compiled.signatures) == 1


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("bounds", [{"max_branches": 0}, {"max_branches": 3}, {"max_depth": 1}, {"max_depth": 2}])
def test_bounds_leave_puzzles_open_and_nothing_else(bounds: dict[str, int], kernel: Any) -> None:
    geometry = GEOMETRIES["3x3"]()
    clues = puzzles(geometry, 100, seed=3)
    free = LaneEngine(geometry, kernel).verify(clues)
    bound = LaneEngine(geometry, kernel, **bounds).verify(clues)
    is_open = bound.codes == OPEN
    assert 0 < is_open.sum() < len(clues)
    assert np.array_equal(bound.codes[~is_open], free.codes[~is_open])
    if "max_branches" in bounds:
        assert np.array_equal(is_open, free.branches > bounds["max_branches"])
        assert (bound.branches <= bounds["max_branches"]).all()


@pytest.mark.parametrize("kernel", KERNELS)
def test_order_16(kernel: Any) -> None:
    geometry = Geometry.classic(4)
    grid = np.array([(4 * (r % 4) + r // 4 + c) % 16 + 1 for r in range(16) for c in range(16)], np.uint8)
    clues = np.tile(grid, (4, 1))
    chance = np.random.default_rng(1)
    for index, share in enumerate((0.2, 0.35, 0.5)):
        clues[index, chance.random(256) < share] = 0
    swapped = {1: 2, 2: 1}
    clues[3] = [0 if symbol in swapped else symbol for symbol in grid]
    result = LaneEngine(geometry, kernel).verify(clues)
    assert_right(geometry, clues, result)
    assert result.codes[0] == UNIQUE
    assert result.codes[3] == MULTIPLE


@pytest.mark.parametrize("kernel", KERNELS)
def test_candidates_as_input(kernel: Any) -> None:
    geometry = GEOMETRIES["2x3"]()
    engine = LaneEngine(geometry, kernel)
    clues = puzzles(geometry, 60, seed=5)
    masks = np.where(clues > 0, 1 << (clues.astype(np.int64) - 1).clip(0), 63)
    assert same(engine.verify_candidates(masks), engine.verify(clues))
    chance = np.random.default_rng(5)
    sources = np.array(grids(geometry, 12, 5))[chance.integers(0, 12, 150)]
    marks = chance.integers(0, 64, sources.shape) & chance.integers(0, 64, sources.shape) | 1 << (sources - 1)
    marks[::10, 7] = 0
    result = engine.verify_candidates(marks)
    expected = [reference.count(Board(geometry, (0,) * 36, marks=tuple(line)), limit=2) for line in marks.tolist()]
    assert result.codes.tolist() == expected
    assert set(expected) == {0, 1, 2}
    assert all((line[cell] >> (symbol - 1)) & 1 for line, grid, code in zip(marks, result.first, expected, strict=True)
               if code for cell, symbol in enumerate(grid))  # fmt: skip


@pytest.mark.parametrize(
    ("clues", "words"),
    [
        (np.zeros((3, 80), np.uint8), "(3, 80)"),
        (np.zeros(81, np.uint8), "(81,)"),
        (np.zeros((1, 81)), "float64"),
        (np.full((2, 81), 10), "value 10 in puzzle 0, cell r1c1"),
        (np.full((2, 81), -1), "value -1"),
        (np.full((2, 81), 257), "value 257"),
    ],
)
def test_arrays_that_are_no_puzzles(clues: Any, words: str) -> None:
    with pytest.raises(BoardError) as caught:
        LaneEngine(Geometry.classic(3), "numpy").verify(clues)
    assert words in str(caught.value)


def test_what_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong: Any = "fortran"
    with pytest.raises(BackendUnavailable, match="fortran"):
        LaneEngine(Geometry.classic(2), wrong)
    with pytest.raises(GeometryError, match="up to 32"):
        LaneEngine(Geometry.latin(33))
    with pytest.raises(ValueError, match="max_depth 0"):
        LaneEngine(Geometry.classic(2), max_depth=0)


@pytest.mark.parametrize("lie", ["no solution", "another puzzle's", "twice the same", "open"])
def test_a_kernel_that_lies_is_found_out(lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    geometry = GEOMETRIES["3x3"]()
    clues = np.concatenate([row(PUZZLE_17), row(TWO_MISSING), row(GRID)])
    engine = LaneEngine(geometry, "numpy")
    honest = engine._kernel.search

    def search(*arguments: Any) -> Any:
        codes, first, second, branches = honest(*arguments)
        if lie == "no solution":
            first[0, :2] = first[0, 1::-1]
        elif lie == "another puzzle's":
            first[0] = first[2]
        elif lie == "open":
            codes[0], first[0, 5] = OPEN, first[0, 6]
        else:
            second[1] = first[1]
        return codes, first, second, branches

    monkeypatch.setattr(engine, "_kernel", SimpleNamespace(search=search))
    with pytest.raises(BackendFailure, match=r"puzzle [01] \(1 of 3\)"):
        engine.verify(clues)


MIX = {**dict.fromkeys(GEOMETRIES, 10), "3x3": 30, "2x3": 20}
"""Thousands of boards, 100,000 in all: a minute's work, so that each has a hundredth of it unless all are wanted."""


@pytest.mark.parametrize("name", MIX)
def test_lanes_sat_and_the_reference_agree_on_many(name: str) -> None:
    geometry = GEOMETRIES[name]()
    size, rounds = (2000, MIX[name] // 2) if EVERYTHING else (10 * MIX[name], 1)
    kernels: list[Any] = ["numpy", *(["numba"] if HAS_NUMBA else [])]
    engines = [LaneEngine(geometry, kernel) for kernel in kernels]
    for seed in range(rounds):
        clues = puzzles(geometry, size, seed=1000 + seed)
        results = [engine.verify(clues) for engine in engines]
        codes = results[0].codes.tolist()
        assert geometry.order < 4 or {NONE, UNIQUE, MULTIPLE} == set(codes)
        assert same(results[0], results[-1])
        with Solver("cadical153", bootstrap_with=rules(geometry)) as solver:
            assert codes == [sat_verdict(solver, geometry.order, line) for line in clues.tolist()]
        assert codes == [reference.count(Board(geometry, tuple(line)), limit=2) for line in clues.tolist()]
