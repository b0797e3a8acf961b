"""Guesses are solutions, distinct, and never taken for a proof."""

from __future__ import annotations

import random
from functools import cache
from itertools import islice

import pytest

from core_samples import FOUR, NINE, keep
from gridproof import backends
from gridproof.errors import Interrupted
from gridproof.limits import Limits, Watch
from gridproof.models import catalog
from gridproof.models.large import LargeModel, marginals
from gridproof.models.large.propagation import reduce
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, Grid
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
