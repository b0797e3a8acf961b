"""What propagation leaves of a board: it has the solutions of the board, all of them, and no other."""

from __future__ import annotations

from random import Random

import pytest

from core_samples import FOUR
from gridproof import backends
from gridproof.limits import Watch
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.trust import reference
from gridproof.trust.open_board import Contradicted, OpenBoard

GEOMETRIES = {
    "boxes": FOUR,
    "latin": Geometry.latin(4),
    "oblong boxes": Geometry.classic(2, 3),
    "further houses": FOUR.with_houses([(0, 5, 10, 15)]),
    "fewer cells than digits": Geometry.latin(4).with_digits(Digits(0, 4)),
}


def solutions_by_clauses(board: Board) -> set[SymbolTuple]:
    """Return all grids that the clauses of what is left allow."""
    try:
        left = OpenBoard(board, Watch())
    except Contradicted:
        return set()
    found: set[SymbolTuple] = set()
    with backends.find("cadical153").incremental(list(left.clauses())) as solver:
        while True:
            if left.candidates and not solver.solve():
                return found
            grid = left.grid_of(set(solver.model()) if left.candidates else set())
            found.add(grid)
            forbidding = left.clause_against(grid)
            if not forbidding:
                return found
            solver.add(forbidding)


@pytest.mark.parametrize("name", GEOMETRIES)
def test_it_has_the_solutions_of_the_board(name: str) -> None:
    geometry = GEOMETRIES[name]
    random = Random(name)
    grid = next(reference.solutions(Board.empty(geometry)))
    for share in (0.4, 0.5, 0.65, 1.0):
        for _ in range(8):
            kept = random.sample(range(len(grid)), int(share * len(grid)))
            symbols = [0] * len(grid)
            for cell in kept:
                symbols[cell] = grid[cell]
            if random.random() < 0.3:
                symbols[kept[0]] = random.randint(1, geometry.symbol_count)
            board = Board(geometry, tuple(symbols))
            assert solutions_by_clauses(board) == set(reference.solutions(board)), board


@pytest.mark.parametrize("marks", [3, 5, 6])
def test_pencil_marks_are_kept(marks: int) -> None:
    masks = tuple(marks if cell in (0, 3, 9) else 15 for cell in range(16))
    board = Board(FOUR, (0,) * 16, (), masks)
    assert solutions_by_clauses(board) == set(reference.solutions(board))


def test_locked_candidates_are_taken_out() -> None:
    """In the first box, 1 has only the cells of the first row left, so it is nowhere else in this row."""
    board = Board.from_symbols(Geometry.classic(3), "." * 9 + "456" + "." * 6 + "789" + "." * 60)
    left = OpenBoard(board, Watch())
    assert [cell for cell in range(9) if (cell, 0) in left.candidates] == [0, 1, 2]


def test_a_clash_is_a_contradiction() -> None:
    for clues in ("11" + "." * 14, "123." + "4" + "." * 11 + "", "12.." + "..3." + "...3" + "." * 4):
        board = Board.from_symbols(FOUR, clues)
        if not set(reference.solutions(board)):
            assert solutions_by_clauses(board) == set()
    with pytest.raises(Contradicted):
        OpenBoard(Board.from_symbols(FOUR, "11" + "." * 14), Watch())


def test_a_grid_that_is_excluded_has_no_clause() -> None:
    board = Board.from_symbols(FOUR, "12343412" + "." * 8)
    left = OpenBoard(board, Watch())
    grid = next(reference.solutions(board))
    assert left.clause_against(grid)
    assert left.clause_against((2, *grid[1:])) is None
    full = OpenBoard(Board(FOUR, grid), Watch())
    assert full.clause_against(grid) == ()
    assert list(full.clauses()) == []
