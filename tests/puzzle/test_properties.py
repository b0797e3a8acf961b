"""Properties of every board: symmetries leave a verdict as it is, fewer clues never lose a solution, and the
verdict is what brute force finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import PROFILE
from core_samples import FOUR, HARD, NINE, UNIQUE, some_grid
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.trust import reference
from gridproof.trust.check import is_solution
from gridproof.trust.verdict import Status
from ground_truth import solutions as brute_force

SIX = Geometry.classic(2, 3)
GEOMETRIES = [FOUR, SIX, Geometry.classic(3, 2), FOUR.with_diagonals(), Geometry.latin(4)]
KNOWN = [UNIQUE, HARD, "." * 72 + UNIQUE[72:], "5" + UNIQUE[1:80] + "5"]

quickly = settings(max_examples=60, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def pipeline() -> Iterator[Pipeline]:
    with Pipeline() as opened:
        yield opened


# ---- boards ----------------------------------------------------------------------------------------------------------


@st.composite
def boards(draw: st.DrawFn, geometry: Geometry, marks: bool = True) -> Board:
    """Some clues of a solution, perhaps one that is wrong; perhaps pencil marks, which may rule out anything."""
    order, cells = geometry.order, geometry.cell_count
    names = draw(st.permutations(range(1, order + 1)))
    grid = [names[symbol - 1] for symbol in some_grid(geometry)]
    # few enough cells are left open for brute force
    fewest = 0 if order <= 4 else cells // 3
    given = draw(st.sets(st.integers(0, cells - 1), min_size=fewest, max_size=cells))
    clues = [symbol if cell in given else 0 for cell, symbol in enumerate(grid)]
    if draw(st.booleans()):
        clues[draw(st.integers(0, cells - 1))] = draw(st.integers(0, order))
    board = Board(geometry, tuple(clues))
    if marks and draw(st.booleans()):
        mask = st.integers(0, (1 << order) - 1)
        dense = st.builds(lambda a, b: a | b, mask, mask)
        kept = draw(st.booleans())
        drawn = draw(st.lists(dense, min_size=cells, max_size=cells))
        board = board.with_marks(
            [mark | (1 << symbol - 1 if kept else 0) for mark, symbol in zip(drawn, grid, strict=True)]
        )
    return board


@st.composite
def known(draw: st.DrawFn) -> Board:
    """A 9x9 board with one solution, several or none, some of its clues taken away."""
    symbols = list(draw(st.sampled_from(KNOWN)))
    for cell in draw(st.sets(st.integers(0, 80), max_size=2)):
        symbols[cell] = "."
    return Board.from_symbols(NINE, "".join(symbols))


# ---- symmetries ------------------------------------------------------------------------------------------------------


@st.composite
def line_orders(draw: st.DrawFn, size: int, bands: int) -> list[int]:
    """An order of ``bands`` bands of ``size`` lines that keeps bands together."""
    order = draw(st.permutations(range(bands)))
    return [band * size + line for band in order for line in draw(st.permutations(range(size)))]


def moved(board: Board, source: Callable[[int, int], tuple[int, int]], geometry: Geometry | None = None) -> Board:
    """The board whose cell (row, column) is what was at ``source(row, column)``."""
    n = board.geometry.order
    cells = [row * n + column for row, column in (source(*divmod(cell, n)) for cell in range(n * n))]
    marks = None if board.marks is None else tuple(board.marks[cell] for cell in cells)
    return Board(geometry or board.geometry, tuple(board.clues[cell] for cell in cells), marks=marks)


def renamed(board: Board, names: list[int]) -> Board:
    """The board with symbol s called ``names[s - 1]``."""
    clues = tuple(names[clue - 1] if clue else 0 for clue in board.clues)
    marks = None
    if board.marks is not None:
        marks = tuple(
            sum(1 << (name - 1) for symbol, name in enumerate(names) if mark >> symbol & 1) for mark in board.marks
        )
    return Board(board.geometry, clues, marks=marks)


def status(pipeline: Pipeline, board: Board) -> Status:
    """The verdict; the pipeline cross-checks, so that a wrong one is a disagreement."""
    verdict = pipeline.verify(board)
    assert verdict.status is not Status.DISAGREEMENT, verdict.reason
    assert all(is_solution(board, grid) for grid in verdict.solutions)
    return verdict.status


@pytest.mark.slow
@quickly
@given(data=st.data())
def test_symmetries_leave_the_verdict_as_it_is(pipeline: Pipeline, data: st.DataObject) -> None:
    board = data.draw(st.one_of(known(), boards(SIX), boards(Geometry.classic(2, 4))))
    rows, columns = board.geometry.box_shape or (1, 1)
    order = board.geometry.order
    before = status(pipeline, board)
    names = data.draw(st.permutations(range(1, order + 1)))
    assert status(pipeline, renamed(board, list(names))) is before
    row_order = data.draw(line_orders(rows, columns))
    assert status(pipeline, moved(board, lambda r, c: (row_order[r], c))) is before
    column_order = data.draw(line_orders(columns, rows))
    assert status(pipeline, moved(board, lambda r, c: (r, column_order[c]))) is before
    transposed = moved(board, lambda r, c: (c, r), Geometry.classic(columns, rows))
    assert status(pipeline, transposed) is before
    # the number of solutions, not only whether there are several
    limit = 20
    counted = reference.count(board, limit)
    assert reference.count(transposed, limit) == counted
    assert pipeline.count(renamed(board, list(names)), limit).number == counted


@quickly
@given(data=st.data())
def test_without_a_clue_no_solution_is_lost(pipeline: Pipeline, data: st.DataObject) -> None:
    board = data.draw(st.sampled_from(GEOMETRIES).flatmap(boards))
    cells = [cell for cell, clue in enumerate(board.clues) if clue]
    if not cells:
        return
    cell = data.draw(st.sampled_from(cells))
    fewer = Board(board.geometry, (*board.clues[:cell], 0, *board.clues[cell + 1 :]), marks=board.marks)
    kept = set(islice(pipeline.solutions(board), 50))
    assert all(is_solution(fewer, grid) for grid in kept)
    more = set(pipeline.solutions(fewer)) if reference.count(fewer, 301) <= 300 else kept
    assert kept <= more
    # and what was gained has something else in that cell
    assert all(grid[cell] != board.clues[cell] for grid in more - set(reference.solutions(board)))
    order = [Status.NONE, Status.UNIQUE, Status.MULTIPLE]
    assert order.index(status(pipeline, fewer)) >= order.index(status(pipeline, board))


# ---- brute force ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(quickly, max_examples=200)
@given(board=st.sampled_from(GEOMETRIES).flatmap(boards))
def test_the_verdict_is_what_brute_force_finds(pipeline: Pipeline, board: Board) -> None:
    truth = list(islice(brute_force(board), 3))
    verdict = pipeline.verify(board)
    assert verdict.status is [Status.NONE, Status.UNIQUE, Status.MULTIPLE, Status.MULTIPLE][len(truth)]
    assert len(verdict.solutions) == min(2, len(truth))
    assert all(is_solution(board, grid) for grid in verdict.solutions)
    if len(truth) == 1:
        assert verdict.solutions == tuple(truth)
    assert reference.count(board, 3) == len(truth)
    if len(truth) < 3:
        assert set(reference.solutions(board)) == set(truth)
        assert pipeline.count(board).number == len(truth)
    if board.contradictions():
        assert not truth, "a contradiction that shows at a glance is one"


@quickly
@given(board=boards(SIX))
def test_every_solution_is_found_once(pipeline: Pipeline, board: Board) -> None:
    if reference.count(board, 201) > 200:
        return
    found = list(pipeline.solutions(board))
    assert len(set(found)) == len(found)
    assert set(found) == set(reference.solutions(board))


def test_examples_are_the_same_in_every_run_but_for_fuzz() -> None:
    assert settings().derandomize == (settings().database is None) == (PROFILE != "fuzz")
