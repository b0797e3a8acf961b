"""What is found about a board while it is being set, as a host gets it: part by part."""

from __future__ import annotations

import time
from typing import Any

import pytest

from gridproof import Geometry, candidates, count, explain, parse, verify
from gridproof.formats import Puzzle
from gridproof.models.targets import cnf
from gridproof.puzzle.board import Board
from gridproof.widget.analysis import MOST_EXPLAINED, Finder, Question

SEVERAL = "12......4.1....."
SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def find(finder: Finder, board: Board, question: Question = "look") -> dict[str, Any]:
    """Return all that is found about a board."""
    found: dict[str, Any] = {}
    for finding in finder.find((question, Puzzle(board))):
        found |= finding
    return found


def test_one_board_after_another_gets_what_it_would_get_alone() -> None:
    finder = Finder()
    boards = [parse(SEVERAL), parse(SUDOKU), parse(SEVERAL).with_clue(3, 2), parse(SUDOKU).without_clue(0)]
    boards += [parse(SEVERAL, rules=["killer 7 r1c3 r1c4"]), parse(SEVERAL)]
    for board in boards:
        found = find(finder, board)
        assert found["verdict"].status is verify(board).status
        if found["verdict"].status == "none":
            assert found["explanation"].sentences() == explain(board).sentences()
        else:
            assert found["candidates"] == candidates(board).masks
            assert found["solutions"] == count(board, limit=200).number


def test_an_explainer_is_replaced_before_it_grows_without_end() -> None:
    finder = Finder()
    board = parse(SEVERAL)
    find(finder, board)
    first = finder._explainer
    for _ in range(MOST_EXPLAINED):
        find(finder, board)
    assert finder._explainer is not first
    assert find(finder, board)["candidates"] == candidates(board).masks


def test_a_look_gives_way_again_and_again() -> None:
    findings = list(Finder().find(("look", Puzzle(Board.empty(Geometry.classic(2))))))
    assert findings.count({}) > 100, "after each solution that is counted, and each one with a new candidate"
    assert findings[-1] == {"done": True}


def test_a_look_that_is_broken_off_leaves_nothing_behind() -> None:
    finder = Finder()
    several = parse(SEVERAL)
    looking = finder.find(("look", Puzzle(Board.empty(Geometry.classic(2)))))
    for _ in range(203):  # among the solutions, then among the candidates
        next(looking)
    looking.close()  # type: ignore[attr-defined]
    assert find(finder, several)["candidates"] == candidates(several).masks


@pytest.mark.parametrize(
    "geometry", [Geometry.classic(5), Geometry.latin(25)], ids=lambda geometry: geometry.description
)
def test_large_boards_with_few_clues_have_their_verdict_soon(geometry: Geometry) -> None:
    finder = Finder()
    started = time.process_time()
    for clues in range(3):
        board = Board.empty(geometry)
        for cell in range(clues):
            board = board.with_clue(30 * cell, 7)
        verdict = next(finder.find(("look", Puzzle(board))))["verdict"]
        assert verdict.status == "multiple"
    assert time.process_time() - started < 3


def test_without_numpy_large_boards_have_another_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Board.empty(Geometry.classic(5)).problem
    [target] = cnf.TARGETS
    assert target.default_encoding(problem) == "reduced"
    monkeypatch.setattr(cnf, "find_spec", lambda name: None)
    assert target.default_encoding(problem) == "extended"
