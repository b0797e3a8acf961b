"""The well-known exercise: solved in place, or raised with the board untouched."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

import pytest

import leetcode
from gridproof.errors import DisagreementError, GridproofError, Interrupted, PuzzleFormatError
from leetcode import NotUniqueError, solve_sudoku

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def cells(line: str) -> list[list[str]]:
    return [list(line[start : start + 9]) for start in range(0, 81, 9)]


def refuse(board: Any, error: type[GridproofError]) -> GridproofError:
    before = copy.deepcopy(board)
    with pytest.raises(error) as raised:
        solve_sudoku(board)
    assert board == before
    return raised.value


def test_fills_the_board_in_place() -> None:
    board = cells(PUZZLE)
    rows = list(board)
    result: object = solve_sudoku(board)  # type: ignore[func-returns-value]
    assert result is None
    assert board == cells(SOLUTION)
    assert all(row is old for row, old in zip(board, rows, strict=True))


@pytest.mark.parametrize(
    "board",
    [
        [],
        cells(PUZZLE)[:8],
        [*cells(PUZZLE), ["."] * 9],
        [row[:8] for row in cells(PUZZLE)],
        [*cells(PUZZLE)[:8], ["."] * 10],
        [PUZZLE[start : start + 9] for start in range(0, 81, 9)],
        [tuple(row) for row in cells(PUZZLE)],
        PUZZLE,
        None,
    ],
)
def test_another_shape_is_refused(board: object) -> None:
    refuse(board, PuzzleFormatError)


@pytest.mark.parametrize("entry", ["0", "", "10", "x", " ", "A", 5, None, "..", "１", "٣"])
def test_another_character_is_refused_with_its_place(entry: object) -> None:
    board: list[list[Any]] = cells(PUZZLE)
    board[2][6] = entry
    assert "r3c7" in str(refuse(board, PuzzleFormatError))


def test_one_list_used_as_two_rows_is_refused() -> None:
    row = ["."] * 9
    assert "row 2" in str(refuse([row, row, *cells(PUZZLE)[2:]], PuzzleFormatError))


def test_a_contradiction_is_named() -> None:
    error = refuse(cells("55" + PUZZLE[2:]), NotUniqueError)
    assert "r1c1" in str(error)
    assert "r1c2" in str(error)


def test_no_solution_without_a_visible_contradiction() -> None:
    # 3 and 4 both have r1c4 as their only place in row 1
    error = refuse(cells("....56789" + "3........" + ".4......." + "." * 54), NotUniqueError)
    assert isinstance(error, NotUniqueError)
    assert error.solutions == ()
    assert "no solution" in str(error)


def test_several_solutions_are_shown() -> None:
    error = refuse(cells("." * 81), NotUniqueError)
    assert isinstance(error, NotUniqueError)
    first, second = error.solutions
    assert first != second
    for grid in (first, second):
        assert "".join(map(str, grid)) in str(error)
        assert len(grid) == 81


@pytest.mark.parametrize(("status", "error"), [("undecided", Interrupted), ("disagreement", DisagreementError)])
def test_other_verdicts_raise(monkeypatch: pytest.MonkeyPatch, status: str, error: type[GridproofError]) -> None:
    class Status(str):
        value = status

    verdict = SimpleNamespace(status=Status(status), solutions=())
    monkeypatch.setattr(leetcode, "verify", lambda board: verdict)
    refuse(cells(PUZZLE), error)


def test_an_interruption_while_filling_leaves_the_board() -> None:
    class Row(list[str]):
        """A row that is interrupted the first time it is filled."""

        interrupted = False

        def __setitem__(self, key: Any, value: Any) -> None:
            if not self.interrupted:
                self.interrupted = True
                raise KeyboardInterrupt
            super().__setitem__(key, value)

    board = cells(PUZZLE)
    board[5] = Row(board[5])
    with pytest.raises(KeyboardInterrupt):
        solve_sudoku(board)
    assert board == cells(PUZZLE)
