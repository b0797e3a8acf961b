"""The grid: a tuple underneath, and an object with named cells that draws itself."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

import gridproof
from gridproof.errors import BoardError
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.grid import Grid, grid_if_fits
from gridproof.trust.crosscheck import bad_grids
from pictures.render_samples import SOLUTION, classic

SYMBOLS = tuple(map(int, SOLUTION))
GRID = Grid(SYMBOLS, classic())


def test_it_is_the_tuple_of_its_symbols() -> None:
    assert GRID == SYMBOLS
    assert hash(GRID) == hash(SYMBOLS)
    assert {SYMBOLS: 1}[GRID] == 1
    assert isinstance(GRID, tuple)
    assert json.loads(json.dumps(GRID)) == list(SYMBOLS)
    assert np.array(GRID).tolist() == [list(row) for row in GRID.rows]
    assert sorted([GRID, (0,) * 81])[0] == (0,) * 81
    assert type(GRID[:9]) is tuple
    assert GRID.rows == tuple(SYMBOLS[start : start + 9] for start in range(0, 81, 9))


def test_cells_by_number_name_and_row_and_column() -> None:
    for cell in range(81):
        name = GRID.board.geometry.cell_name(cell)
        assert GRID[cell] == GRID[name] == GRID[name.upper()] == GRID[cell // 9 + 1, cell % 9 + 1] == SYMBOLS[cell]
    assert GRID[-1] == SYMBOLS[-1]


@pytest.mark.parametrize("cell", ["r0c1", "r1c10", "r10c1", "11", "", "r1c1 ", (0, 1), (1, 10), (1,), (1, 2, 3)])
def test_a_cell_that_the_board_has_not(cell: object) -> None:
    with pytest.raises(BoardError, match="expected r1c1 to r9c9"):
        _ = GRID[cell]  # type: ignore[call-overload]


def test_it_prints_and_draws_itself() -> None:
    assert str(GRID) == str(Board(Geometry.classic(3), SYMBOLS))
    assert repr(GRID).startswith("<Grid 534678912 672195348 ")
    assert GRID._repr_html_() == classic(filled=True)._repr_html_()
    large = Grid(range(1, 37), Board.empty(Geometry.latin(36)))
    assert repr(large).startswith("<Grid 1,2,3,")


def test_copies_are_grids() -> None:
    for other in (pickle.loads(pickle.dumps(GRID)), copy.copy(GRID), copy.deepcopy(GRID)):
        assert (type(other), other, other.board) == (Grid, GRID, GRID.board)


@pytest.mark.parametrize("symbols", [None, "x", list(SYMBOLS), SYMBOLS[1:], (0, *SYMBOLS[1:]), (10, *SYMBOLS[1:]), ()])
def test_what_is_no_grid_stays_what_it_is(symbols: object) -> None:
    assert grid_if_fits(symbols, classic()) is symbols


def test_questions_give_grids() -> None:
    puzzle = "1... ..2. .3.. ...4"
    verdict = gridproof.verify(puzzle)
    found = [verdict.solution, gridproof.solve(puzzle), *gridproof.solutions(puzzle), *verdict.solutions]
    assert {type(grid) for grid in found} == {Grid}
    assert len(set(found)) == 1
    assert verdict.solution is verdict.solutions[0]
    several = gridproof.verify("1" + "." * 15)
    assert [type(grid) for grid in several.solutions] == [Grid, Grid]
    assert gridproof.verify("11" + "." * 14).solution is None
    assert verdict.reproducer()["solutions"] == [tuple(found[0] or ())]
    with gridproof.Pipeline() as pipeline:
        assert [type(grid) for grid in pipeline.solutions(puzzle)] == [Grid]


def test_a_backend_may_give_one() -> None:
    assert bad_grids(classic(), [GRID]) == []
