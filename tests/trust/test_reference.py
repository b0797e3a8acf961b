"""The reference: ground truth that is not ours, a brute force, settings, limits."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gridproof.errors import Interrupted
from gridproof.formats import datasets
from gridproof.limits import Limits, Watch
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.trust import reference
from gridproof.trust.check import violations
from gridproof.trust.reference import Effort, count, solutions
from ground_truth import solutions as brute_force

DATA = Path(__file__).parents[2].parent / "shared" / "data"
NINE = Geometry.classic(3)
MIDDLING = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


def puzzles(name: str, most: int) -> list[Board]:
    """Boards of a set: one of our own, or a file that not everybody has."""
    if not name.endswith(".txt"):
        return [board for board in datasets.load(name) if board.geometry == NINE]
    path = DATA / name
    if not path.exists():
        pytest.skip(f"the puzzle set {path} is not there")
    lines = path.read_text().split()
    return [Board.from_symbols(NINE, line) for line in lines[:: max(1, len(lines) // most)]]


def pattern(rows: int, columns: int) -> SymbolTuple:
    """A solution of the classic geometry of these boxes."""
    n = rows * columns
    return tuple((columns * (r % rows) + r // rows + c) % n + 1 for r in range(n) for c in range(n))


# ---- ground truth ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("geometry", "number"),
    [
        (Geometry.latin(1), 1),
        (Geometry.latin(2), 2),
        (Geometry.latin(3), 12),
        (Geometry.latin(4), 576),
        (Geometry.classic(2), 288),
        (Geometry.classic(2).with_diagonals(), 48),
        (Geometry.classic(2).with_disjoint_groups(), 168),
        (Geometry.classic(2, 3).with_diagonals(), 8640),
        (Geometry.latin(5).with_diagonals(), 960),
    ],
    ids=lambda value: value.description if isinstance(value, Geometry) else str(value),
)
def test_empty_boards_have_as_many_grids_as_is_known(geometry: Geometry, number: int) -> None:
    board = Board.empty(geometry)
    found = list(solutions(board))
    assert len(found) == len(set(found)) == number
    assert not any(violations(board, grid) for grid in found[:: max(1, number // 100)])


@pytest.mark.parametrize("name", ["easy", "seventeen", "hard", "17clue-2000.txt", "top95.txt", "hardest11.txt"])
def test_known_puzzles_have_one_solution(name: str) -> None:
    for board in puzzles(name, 150):
        (grid,) = solutions(board)
        assert violations(board, grid) == []


@pytest.mark.parametrize("name", ["seventeen", "17clue-2000.txt"])
def test_a_puzzle_that_loses_a_clue_of_a_minimal_set_has_several(name: str) -> None:
    # No 16-clue puzzle is unique, so every 17-clue puzzle is minimal.
    for board in puzzles(name, 20):
        assert board.clue_count == 17
        cell = next(cell for cell, clue in enumerate(board.clues) if clue)
        assert count(board.without_clue(cell), 2) == 2


# ---- against the brute force --------------------------------------------------------------------------------

SMALL = [
    Geometry.latin(3),
    Geometry.latin(4),
    Geometry.classic(2),
    Geometry.classic(1, 4),
    Geometry.classic(2).with_diagonals(),
    Geometry.jigsaw("AABB ACBB ACDD CCDD"),
    Geometry.latin(4).with_houses([(0, 5, 10, 15), (1, 4, 11, 14)]),
    Geometry.latin(4).with_houses([(0, 1, 2, 3)]),  # a row once more
    Geometry.classic(2, 3),
]


@pytest.mark.parametrize("geometry", SMALL, ids=lambda geometry: geometry.description)
@pytest.mark.parametrize("marked", [False, True], ids=["clues", "pencil marks"])
def test_it_finds_what_a_brute_force_finds(geometry: Geometry, marked: bool) -> None:
    dice = random.Random(f"{geometry.description} {marked}")
    n, cells = geometry.order, geometry.cell_count
    base = next(solutions(Board.empty(geometry)))
    outcomes = set()
    for _ in range(60):
        density = dice.choice([0.1, 0.4, 0.7]) if n < 6 else dice.choice([0.5, 0.7])
        clues = [symbol if dice.random() < density else 0 for symbol in base]
        if dice.random() < 0.4:
            clues[dice.randrange(cells)] = dice.randint(0, n)  # often a clash, sometimes one that shows late
        marks = None
        if marked:
            full = (1 << n) - 1
            marks = tuple(dice.randint(0, full) | dice.randint(0, full) | 1 << (symbol - 1) for symbol in base)
            if dice.random() < 0.3:
                marks = (dice.randint(0, full), *marks[1:])
        board = Board(geometry, tuple(clues), marks=marks)
        found, expected = list(solutions(board)), list(brute_force(board))
        assert len(found) == len(set(found))
        assert sorted(found) == sorted(expected)
        outcomes.add(min(len(expected), 2))
    assert outcomes == {0, 1, 2}, "the boards do not cover none, one and several solutions"


def test_clues_that_clash_with_each_other_or_with_pencil_marks() -> None:
    geometry = Geometry.classic(2)
    full = (15,) * 16
    assert count(Board.empty(geometry).with_marks(full)) == 288
    assert count(Board.empty(geometry).with_marks((0, *full[1:]))) == 0
    assert count(Board.empty(geometry).with_clue(0, 1).with_marks((14, *full[1:]))) == 0
    assert count(Board.empty(geometry).with_clue(0, 1).with_marks((9, *full[1:]))) == 72
    assert count(Board(NINE, (5,) * 81)) == 0
    assert count(Board(NINE, pattern(3, 3))) == 1


# ---- large boards, and the two settings that must not matter -------------------------------------------------


@pytest.mark.parametrize(("rows", "columns"), [(3, 4), (4, 4), (5, 5)])
def test_large_boards(rows: int, columns: int) -> None:
    geometry, grid = Geometry.classic(rows, columns), pattern(rows, columns)
    dice = random.Random(rows * columns)
    board = Board(geometry, tuple(symbol if dice.random() < 0.75 else 0 for symbol in grid))
    assert list(solutions(board)) == [grid]
    clash = board.with_clue(0, grid[1])
    assert clash.clues[0] != grid[0]
    assert count(clash.with_clue(1, grid[1])) == 0
    first = next(solutions(Board.empty(geometry)))
    assert violations(Board.empty(geometry), first) == []


@pytest.mark.parametrize(("setting", "value"), [("_MEMORY", 1), ("_MEMORY", 4000), ("_SAMPLE", 1), ("_SAMPLE", 99)])
def test_settings_of_memory_and_choice_change_no_answer(
    monkeypatch: pytest.MonkeyPatch, setting: str, value: int
) -> None:
    boards = [Board.empty(Geometry.classic(2)), Board.from_symbols(NINE, MIDDLING)]
    (grid,) = solutions(boards[1])
    boards.append(Board(NINE, tuple(0 if cell % 2 else symbol for cell, symbol in enumerate(grid))))
    expected = [sorted(reference.solutions(board)) for board in boards]
    assert list(map(len, expected)) == [288, 1, 9]
    monkeypatch.setattr(reference, setting, value)
    monkeypatch.setattr(reference, "_cover", reference._Cover)
    assert [sorted(reference.solutions(board)) for board in boards] == expected


# ---- effort and limits ----------------------------------------------------------------------------------------


def test_effort_is_counted() -> None:
    effort = Effort()
    assert len(list(solutions(Board.from_symbols(NINE, MIDDLING), effort))) == 1
    assert 0 < effort.nodes < effort.tries
    # Every try but the one on the way to the solution ends in a node or a dead end.
    assert effort.tries == (effort.nodes - 1) + effort.dead_ends + 1
    effort = Effort()
    board = Board(NINE, (0, *pattern(3, 3)[1:]))
    assert len(list(solutions(board, effort))) == 1
    assert effort == Effort()  # nothing but singles


def test_the_limit_of_conflicts_stops_the_search() -> None:
    effort = Effort()
    with pytest.raises(Interrupted) as stop:
        list(solutions(Board.from_symbols(NINE, MIDDLING), effort, Watch(Limits(conflicts=3))))
    assert stop.value.limit == "conflicts"
    assert effort.dead_ends == 4


@pytest.mark.parametrize("limit", [1, 2, 287, 288, 289])
def test_the_limit_of_solutions_stops_the_search_unless_nothing_is_left(limit: int) -> None:
    found: list[SymbolTuple] = []
    search = solutions(Board.empty(Geometry.classic(2)), watch=Watch(Limits(solutions=limit)))
    if limit < 288:
        with pytest.raises(Interrupted, match="solutions"):
            found.extend(search)
    else:
        found.extend(search)
    assert len(found) == len(set(found)) == min(limit, 288)


def test_count_stops_at_its_limit() -> None:
    board = Board.empty(NINE)
    assert [count(board, limit) for limit in (0, 1, 2, 100)] == [0, 1, 2, 100]
