"""Guesses are solutions, distinct, and never taken for a proof."""

from __future__ import annotations

import random
from functools import cache
from itertools import islice

import numpy as np
import pytest

from core_samples import FOUR, NINE, keep
from gridproof import backends
from gridproof.errors import Interrupted
from gridproof.limits import Limits, Watch
from gridproof.models import catalog
from gridproof.models.large import LargeModel, local_search, marginals
from gridproof.models.large.propagation import reduce
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, Grid
from gridproof.trust import reference
from gridproof.trust.check import violations
from test_reduced import opened, pattern_grid

SEVEN = Geometry.classic(7)


@cache
def open_board(seed: int) -> Board:
    """Order 49, some 4,500 candidates open after propagation."""
    rng = random.Random(seed)
    rows = pattern_grid(7, 7, rng)
    across = [7 * band + place for band in rng.sample(range(7), 7) for place in rng.sample(range(7), 7)]
    grid = tuple(rows[49 * row + column] for row in range(49) for column in across)
    return keep(SEVEN, grid, round(0.58 * 49 * 49), rng)


@pytest.mark.parametrize("seed", [0, 2])
def test_guesses_are_distinct_solutions(seed: int) -> None:
    reduction = reduce(open_board(seed))
    assert reduction.candidate_count > marginals.FEWEST_CANDIDATES
    found = list(marginals.guesses(reduction))
    assert len(found) == len(set(found)) == 2
    assert not [reason for grid in found for reason in violations(open_board(seed), grid)]


def test_a_session_yields_what_is_guessed_without_a_solver_and_ends_at_its_limit() -> None:
    with opened(SEVEN) as session:
        running = session.solutions(open_board(0), Limits(solutions=2))
        found = [next(running), next(running)]
        assert found == list(marginals.guesses(reduce(open_board(0))))
        assert session.statistics.conflicts == 0
        with pytest.raises(Interrupted, match="2 solutions"):
            next(running)


def test_the_solver_finds_no_guessed_grid_again_and_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marginals, "FEWEST_CANDIDATES", 1)
    guessed: list[Grid] = []
    with opened(FOUR) as session:
        for seed in range(20):
            board = keep(FOUR, pattern_grid(2, 2, random.Random(seed)), 4, random.Random(seed))
            found = list(session.solutions(board))
            guessed += marginals.guesses(reduce(board))
            with backends.find("glucose4").open(LargeModel(Problem(FOUR), catalog.load("reduced"))) as other:
                monkeypatch.setattr(marginals, "FEWEST_CANDIDATES", 1 << 30)
                assert len(found) == len(set(found))
                assert set(found) == set(other.solutions(board))
                monkeypatch.setattr(marginals, "FEWEST_CANDIDATES", 1)
    assert guessed  # or this tested nothing


def test_an_even_board_is_given_up_at_once_and_a_small_one_is_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list(marginals.guesses(reduce(Board.empty(NINE))))
    monkeypatch.setattr(marginals, "FEWEST_CANDIDATES", 1)
    reduction = reduce(Board.empty(NINE))
    looks: list[Watch] = []
    monkeypatch.setattr(Watch, "look", lambda watch: looks.append(watch))
    assert not list(marginals.guesses(reduction))
    assert len(looks) < 10


def test_a_guess_stops_when_time_is_over() -> None:
    reduction = reduce(open_board(0))
    with pytest.raises(Interrupted, match="seconds"):
        list(islice(marginals.guesses(reduction, Watch(Limits(seconds=1e-9))), 1))


# ---- local search ------------------------------------------------------------------------------------------------


def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_search, "_steps", lambda: (local_search._repair, False))


@pytest.mark.parametrize("compiled", [True, False])
def test_local_search_finds_a_solution_where_nothing_is_likely(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not compiled:
        plain(monkeypatch)
    rng = random.Random(1)
    for seed in range(3):
        board = keep(Geometry.classic(4), pattern_grid(4, 4, rng), 125, rng)
        reduction = reduce(board)
        true = local_search.search(reduction, np.ones(reduction.candidate_count), seed, Watch())
        assert true is not None
        assert not violations(board, reduction.grid_of(true))


def test_every_grid_of_a_small_board_can_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plain(monkeypatch)
    board = keep(FOUR.with_diagonals(), (1, 2, 3, 4, 3, 4, 1, 2, 4, 3, 2, 1, 2, 1, 4, 3), 1, random.Random(0))
    reduction = reduce(board)
    found = set()
    for seed in range(200):
        true = local_search.search(reduction, np.ones(reduction.candidate_count), seed, Watch())
        assert true is not None
        found.add(reduction.grid_of(true))
    assert found == set(reference.solutions(board))


def test_local_search_gives_up_without_a_solution_and_stops_when_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    plain(monkeypatch)
    monkeypatch.setattr(local_search, "_STEPS", {False: 1000})
    marks = [
        0b111 if cell in (0, 1, 9, 10, 18) else (1 << 9) - 1 for cell in range(81)
    ]  # five cells of a box for 1 2 3
    reduction = reduce(Board.empty(NINE).with_marks(marks))
    assert reduction.contradiction is None
    assert local_search.search(reduction, np.ones(reduction.candidate_count), 1, Watch()) is None
    with pytest.raises(Interrupted, match="seconds"):
        local_search.search(reduction, np.ones(reduction.candidate_count), 1, Watch(Limits(seconds=1e-9)))


def test_what_does_not_condense_is_repaired(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marginals, "_ROUNDS", 20)
    board = open_board(0)
    reduction = reduce(board)
    fitting = marginals._Fitting(reduction)
    weights = fitting.run(np.ones(reduction.candidate_count), Watch())
    assert weights is not None
    assert not fitting.is_solution(weights > 0.5)
    found = list(marginals.guesses(reduction))
    assert found
    assert not [reason for grid in found for reason in violations(board, grid)]
