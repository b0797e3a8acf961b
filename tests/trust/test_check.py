"""The check: what it accepts, what it refuses and with which words; the short way against the long one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.trust import check
from gridproof.trust.check import is_solution, violations

FOUR = Geometry.classic(2)
GRID: SymbolTuple = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
EMPTY = Board.empty(FOUR)


def pattern(rows: int, columns: int) -> SymbolTuple:
    n = rows * columns
    return tuple((columns * (r % rows) + r // rows + c) % n + 1 for r in range(n) for c in range(n))


def changed(cell: int, entry: object, grid: tuple[object, ...] = GRID) -> tuple[object, ...]:
    return (*grid[:cell], entry, *grid[cell + 1 :])


# ---- grids that are accepted -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5), (6, 6)])
def test_a_solution_has_no_violations(rows: int, columns: int) -> None:
    geometry, grid = Geometry.classic(rows, columns), pattern(rows, columns)
    assert violations(Board.empty(geometry), grid) == []
    assert violations(Board.empty(geometry), list(grid)) == []
    assert violations(Board(geometry, grid), grid) == []
    assert violations(Board(geometry, grid[: len(grid) // 2] + (0,) * (len(grid) - len(grid) // 2)), grid) == []
    assert is_solution(Board.empty(geometry), grid)


# ---- grids that are refused, and the words ---------------------------------------------------------------------


def test_a_symbol_twice_in_houses() -> None:
    assert violations(EMPTY, changed(0, 4)) == [
        "row 1 holds 4 twice (r1c1, r1c4)",
        "column 1 holds 4 twice (r1c1, r4c1)",
        "box 1 holds 4 twice (r1c1, r2c2)",
    ]


def test_a_symbol_more_than_twice() -> None:
    found = violations(EMPTY, (2,) * 16)
    assert len(found) == 12
    assert found[0] == "row 1 holds 2 4 times (r1c1, r1c2, r1c3, r1c4)"


def test_only_a_box_is_wrong() -> None:
    latin = tuple((r + c) % 4 + 1 for r in range(4) for c in range(4))
    assert violations(Board.empty(Geometry.latin(4)), latin) == []
    assert {reason[:3] for reason in violations(EMPTY, latin)} == {"box"}


def test_a_clue_that_is_not_kept() -> None:
    clues = (0, 0, 0, 0, 0, 0, 2, *[0] * 9)
    assert violations(Board(FOUR, clues), GRID) == ["r2c3 holds 1 but its clue is 2"]


def test_pencil_marks_that_are_not_kept() -> None:
    marks = tuple(1 << (symbol - 1) for symbol in GRID)
    assert violations(EMPTY.with_marks(marks), GRID) == []
    assert violations(EMPTY.with_marks((0b1110, *marks[1:])), GRID) == [
        "r1c1 holds 1, which is not among its pencil marks"
    ]
    assert not is_solution(Board(FOUR, (1, *[0] * 15), marks=(0b1110, *marks[1:])), GRID)


@pytest.mark.parametrize("entry", [0, -1, 5, 256, 10**30, True, 1.0, 1 + 0j, None, "1", [1], np.int64(1)], ids=repr)
@pytest.mark.parametrize("marked", [False, True])
def test_entries_that_are_no_symbol(entry: object, marked: bool) -> None:
    board = EMPTY.with_marks([15] * 16) if marked else EMPTY
    for cell in (0, 15):
        found = violations(board, changed(cell, entry))
        name = "r1c1" if cell == 0 else "r4c4"
        assert any(reason.startswith(f"{name} holds ") and "expected an int from 1 to 4" in reason for reason in found)
        assert len(found) == 1


KINDS: list[object] = [None, "1234341221434321", set(GRID), iter(GRID), np.array(GRID)]


@pytest.mark.parametrize("grid", KINDS, ids=lambda grid: type(grid).__name__)
def test_what_is_no_grid_at_all(grid: object) -> None:
    (reason,) = violations(EMPTY, grid)
    assert reason.endswith("is no grid; expected a tuple of 16 symbols")


@pytest.mark.parametrize("grid", [(), GRID[:-1], (*GRID, 1), GRID + GRID, (None,)], ids=len)
def test_a_wrong_number_of_cells(grid: SymbolTuple) -> None:
    (reason,) = violations(EMPTY, grid)
    assert reason == f"a grid of {len(grid)} cells; expected 16 on a board of 4x4, 2x2 boxes"


def test_symbols_are_named_as_people_write_them() -> None:
    geometry, grid = Geometry.classic(4), pattern(4, 4)
    clues = (16, *[0] * 255)
    assert grid[0] != 16
    assert violations(Board(geometry, clues), grid) == ["r1c1 holds 1 but its clue is G"]


def test_large_orders_are_refused_as_well() -> None:
    geometry, grid = Geometry.classic(6), pattern(6, 6)
    assert geometry.order > check._LARGEST_ORDER_OF_THE_SHORT_WAY
    found = violations(Board.empty(geometry), changed(7, grid[8], grid))
    assert {reason.split()[0] for reason in found} == {"row", "column", "box"}


# ---- the short way against another view ------------------------------------------------------------------------

GEOMETRIES = [
    FOUR,
    Geometry.latin(4),
    FOUR.with_diagonals(),
    Geometry.jigsaw("AAAB ACBB CCDB CDDD"),
    Geometry.latin(4).with_houses([(0, 1, 2, 3), (0, 5, 10, 15)]),
]


def plainly(board: Board, grid: tuple[int, ...]) -> bool:
    right = all(sorted(grid[cell] for cell in house.cells) == [1, 2, 3, 4] for house in board.geometry.houses)
    return right and all(clue in (0, symbol) for clue, symbol in zip(board.clues, grid, strict=True))


@pytest.mark.slow
@settings(max_examples=300)
@given(
    st.sampled_from(GEOMETRIES),
    st.permutations(range(4)),
    st.permutations([1, 2, 3, 4]),
    st.lists(st.tuples(st.integers(0, 15), st.integers(-5, 9)), max_size=2),
    st.lists(st.integers(0, 15), max_size=4),
    st.integers(0, 9),
)
def test_short_and_long_way_agree_with_a_plain_look(
    geometry: Geometry,
    rows: list[int],
    symbols: list[int],
    changes: list[tuple[int, int]],
    shown: list[int],
    twist: int,
) -> None:
    grid = [symbols[GRID[row * 4 + column] - 1] for row in rows for column in range(4)]
    clues = [grid[cell] if cell in shown else 0 for cell in range(16)]
    if twist == 0 and shown:
        clues[shown[0]] = clues[shown[0]] % 4 + 1
    for cell, symbol in changes:
        grid[cell] = symbol
    board, candidate = Board(geometry, tuple(clues)), tuple(grid)
    expected = plainly(board, candidate)
    assert check._passes(board, candidate) is expected
    assert (list(check._reasons(board, candidate)) == []) is expected
    assert is_solution(board, candidate) is expected


def test_both_ways_on_every_assignment_of_a_tiny_board() -> None:
    board = Board.empty(Geometry.latin(2))
    passed = []
    for number in range(4**4):
        grid = tuple(number // 4**place % 4 for place in range(4))
        assert check._passes(board, grid) is (list(check._reasons(board, grid)) == [])
        if check._passes(board, grid):
            passed.append(grid)
    assert sorted(passed) == [(1, 2, 2, 1), (2, 1, 1, 2)]


def test_rules_judge_nothing_but_grids_of_symbols(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.empty(Geometry.classic(2)).with_rule("killer 3 r1c1 r1c2")

    def fail(*_: object) -> bool:
        raise ZeroDivisionError

    monkeypatch.setattr(type(board.rules[0]), "holds", fail)
    assert violations(board, (0,) * 16)[0] == "r1c1 holds 0; expected an int from 1 to 4"
    with pytest.raises(ZeroDivisionError):
        violations(board, (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
