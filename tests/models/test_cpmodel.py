"""CP-SAT models: what is in them, and that boards come and go. What every encoding must do is in contract/."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from core_samples import FOUR, keep, random_grid, some_grid, with_random_marks
from gridproof.backends.solvers.cpsat import CpSat
from gridproof.models import catalog
from gridproof.models.targets.cp_sat import CpSatModel
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.trust import reference

NAMES = ["alldifferent", "exactly-one", "linked"]


@pytest.fixture(params=NAMES)
def model(request: pytest.FixtureRequest) -> CpSatModel:
    return CpSatModel(FOUR, catalog.load(request.param))


def domains(model: CpSatModel) -> list[list[int]]:
    return [list(variable.domain) for variable in model.model.proto.variables]


def test_what_is_in_it(model: CpSatModel) -> None:
    names = [variable.name for variable in model.model.proto.variables]
    assert len(set(names)) == len(names)
    assert ("r1c1" in names) == model.integers
    assert ("r1c1=1" in names) == model.booleans
    assert model.sizes["variables"] == 16 * model.integers + 64 * model.booleans
    assert names[model.x.first : model.x.first + 1] == (["r1c1=1"] if model.booleans else [])


def test_a_board_narrows_and_leaves(model: CpSatModel) -> None:
    wide = domains(model)
    board = Board.from_symbols(FOUR, "3" + "." * 15).with_marks([0b1111, 0b1010, *[0b1111] * 14])
    model.narrow(board)
    narrow = domains(model)
    if model.integers:
        assert narrow[0] == [3, 3]
        assert narrow[1] == [2, 2, 4, 4]
        assert narrow[2] == [1, 4]
    if model.booleans:
        first = model.x.first
        assert narrow[first + 2] == [1, 1]
        assert [narrow[first + 4 + k] for k in range(4)] == [[0, 0], [0, 1], [0, 0], [0, 1]]
    model.widen()
    assert domains(model) == wide
    model.widen()
    assert domains(model) == wide


def test_domains_of_integers_hold_no_intervals_that_touch() -> None:
    """CP-SAT calls a model with such a domain invalid, so that most boards with pencil marks once were."""
    geometry = Geometry.latin(5)
    model = CpSatModel(geometry, catalog.load("alldifferent"))
    for mask in range(1, 32):
        model.narrow(Board.empty(geometry).with_marks([mask] * 25))
        (domain, *_) = domains(model)
        intervals = list(zip(domain[::2], domain[1::2], strict=True))
        assert {symbol for low, high in intervals for symbol in range(low, high + 1)} == {
            symbol for symbol in range(1, 6) if mask >> (symbol - 1) & 1
        }
        assert all(before[1] + 1 < after[0] for before, after in pairwise(intervals))
        assert not model.model.validate()
        model.widen()


def test_decode(model: CpSatModel) -> None:
    grid = some_grid(FOUR)
    values = list(grid) if model.integers else []
    if model.booleans:
        values += [int(symbol == grid[cell]) for cell in range(16) for symbol in range(1, 5)]
    assert model.decode(values) == grid
    if not model.integers:
        assert model.decode([0] * 64) == (0,) * 16


# ---- the backend's parameters --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "parameters",
    ["num_workers=2", "cp_model_presolve=true,symmetry_level=2"],
    ids=["two workers", "presolve and symmetry"],
)
def test_no_other_parameters_prove_by_their_branches(name: str, parameters: str) -> None:
    """With several workers a local search finds grids without a branch, which once passed for a proof of uniqueness."""
    rng = random.Random(1)
    backend = CpSat().configured(parameters)
    with backend.open(CpSatModel(FOUR, catalog.load(name))) as session:
        for _ in range(6):
            grid = random_grid(FOUR, rng)
            board = with_random_marks(keep(FOUR, grid, rng.randint(3, 6), rng), grid, rng)
            assert set(session.solutions(board)) == set(reference.solutions(board))


def test_order_one() -> None:
    geometry = Geometry.latin(1)
    for name in NAMES:
        with CpSat().open(CpSatModel(geometry, catalog.load(name))) as session:
            assert list(session.solutions(Board.empty(geometry))) == [(1,)]
            assert list(session.solutions(Board.empty(geometry).with_marks([0]))) == []
