"""Minimal puzzles: unique, and no longer so without any one of their clues and rules."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridproof
from cli_runner import Command
from core_samples import HARD, UNIQUE
from gridproof.errors import BoardError, DisagreementError, Interrupted
from gridproof.experiments.instances import instance
from gridproof.explanations import Explainer, Part
from gridproof.generation.minimising import Minimised
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

CAGES = ["killer 3 r1c1 r1c2", "killer 5 r2c1 r3c1", "killer 5 r4c3 r4c4", "killer 5 r2c1 r3c1"]


def is_unique(board: Board) -> bool:
    return gridproof.verify(board, cross_check="none").is_unique


def assert_minimal(made: Minimised, may_go: Part) -> None:
    """Check a result by the definition, with another solver."""
    assert is_unique(made.board)
    assert made.kept.of(made.whole) == made.board
    assert made.kept.size + made.dropped.size == Part().rest_of(made.whole).size
    for cell in {*may_go.cells} & {*made.kept.cells}:
        assert not is_unique(made.board.without_clue(cell))
    for place, number in enumerate(made.kept.rules):
        assert number not in may_go.rules or not is_unique(made.board.without_rule(place))


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6), holes=st.floats(0, 0.5), fewest=st.booleans())
def test_clues(seed: int, holes: float, fewest: bool) -> None:
    board = instance("sudoku", Geometry.classic(2), holes, seed).board
    if is_unique(board):
        made = gridproof.minimise(board, fewest=fewest)
        assert_minimal(made, Part().rest_of(board))
        if fewest:
            clues = Part().rest_of(board).cells
            smaller = combinations(clues, made.board.clue_count - 1)
            assert not any(is_unique(Part(cells).of(board)) for cells in smaller)


def test_clues_of_a_usual_board() -> None:
    board = gridproof.parse(UNIQUE)
    assert_minimal(gridproof.minimise(board), Part().rest_of(board))
    assert gridproof.minimise(gridproof.minimise(board).board).dropped == Part()


def test_pencil_marks_of_all_symbols_are_not_counted() -> None:
    """They state nothing, so nothing has to be kept of them."""
    board = Board.empty(Geometry.classic(2)).with_rules(CAGES[:2]).with_clue("r3c3", 2)
    marked = board.with_marks([0b0010, *[0b1111] * 15])
    made = gridproof.minimise(marked)
    assert made.kept.marks == (0,)
    assert "the pencil marks of 1 cell" in str(made)


@pytest.mark.parametrize("fewest", [False, True])
def test_clues_and_rules(fewest: bool) -> None:
    board = gridproof.parse("12.. .... .... ...3").with_rules(CAGES)
    every = Part().rest_of(board)
    both = gridproof.minimise(board, fewest=fewest)
    assert_minimal(both, every)
    needed = gridproof.minimise(board, drop="rules", fewest=fewest)
    assert_minimal(needed, Part(rules=every.rules))
    assert needed.kept.cells == every.cells
    assert len(needed.kept.rules) == 1, "of two equal cages one is enough"
    clues = gridproof.minimise(board, drop="clues", fewest=fewest)
    assert_minimal(clues, Part(every.cells))
    assert clues.kept.rules == every.rules
    assert (both.kept.size <= min(needed.kept.size, clues.kept.size)) or not fewest


def test_rules_that_lean_on_each_other_and_pencil_marks() -> None:
    """A negative constraint excepts what other rules mark: without these it means more."""
    grid = instance("sudoku", Geometry.classic(2), 0, 1).board
    pairs = [(cell, cell + 1) for cell in range(16) if cell % 4 < 3] + [(cell, cell + 4) for cell in range(12)]
    fives = [pair for pair in pairs if grid.clues[pair[0]] + grid.clues[pair[1]] == 5]
    names = [" ".join(map(grid.geometry.cell_name, pair)) for pair in fives]
    board = Board(grid.geometry, (*grid.clues[:3], *[0] * 13)).with_rules(
        ["negative-xv", *(f"xv 5 {n}" for n in names)]
    )
    for some in (board, board.with_marks([15] * 15 + [1 << (grid.clues[15] - 1)])):
        for fewest in (False, True):
            made = gridproof.minimise(some, fewest=fewest)
            assert_minimal(made, Part(made.kept.cells))
            assert made.kept.marks == Part().rest_of(some).marks


def test_what_is_not_unique_is_refused() -> None:
    for puzzle, held in (("." * 16, "several solutions"), ("11" + "." * 14, "no solution")):
        with pytest.raises(BoardError, match=f"{held}; expected a puzzle with exactly one"):
            gridproof.minimise(puzzle)
    with pytest.raises(Interrupted):
        gridproof.minimise(HARD, limits=gridproof.Limits(seconds=1e-9))


def test_the_others_of_a_file_are_minimised(call: Command, tmp_path: Path) -> None:
    path = tmp_path / "three.txt"
    path.write_text("12.. ..2. .3.. ...4\n................\n1.....2..3.....4\n")
    code, out, err = call("minimise", path)
    assert (code, [line.partition("\t")[0] for line in out.splitlines()]) == (2, ["1.....2..3.....4"] * 2)
    first, summary = err.splitlines()
    assert (
        first == f"gridproof: {path}, line 2: several solutions; expected a puzzle with exactly one, so that "
        "something can be left out"
    )
    assert summary.startswith("3 puzzles: 2 minimised, 1 refused")
    assert call("minimise", "11..............").err.startswith("gridproof: '11..............': no solution; expected")


@pytest.mark.parametrize("rule", ["anti-knight", "nabner r2c1-r2c3"], ids=["on a line", "in TOML"])
def test_the_minimal_puzzle_is_written_with_its_rules(call: Command, tmp_path: Path, rule: str) -> None:
    shape = Geometry.classic(2, 3)
    board = next(gridproof.generate(shape=shape, rules=[rule, "killer 4 r1c1 r1c2"], seed=1))
    path = tmp_path / "puzzle.toml"
    path.write_text(gridproof.convert(board, "toml"))
    minimal = gridproof.minimise(board).board
    assert rule.split()[0] in minimal.rules[0].name_or_path
    row = json.loads(call("minimise", "--json", path).out)
    path.write_text(row["puzzle"])
    assert gridproof.parse(path) == minimal
    assert [entry["kind"] for entry in row["rules"]] == [one.name_or_path for one in minimal.rules]
    path.write_text(gridproof.convert(board, "toml"))
    printed = call("minimise", path).out
    if rule == "anti-knight":
        printed = printed.partition("\t")[0]
    else:
        assert printed.startswith("# ")
    path.write_text(printed)
    assert gridproof.parse(path) == minimal


def test_the_result_is_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: object, **__: object) -> Part:
        return Part()

    monkeypatch.setattr(Explainer, "enough", nothing)
    with pytest.raises(DisagreementError, match="is multiple; expected unique"):
        gridproof.minimise(UNIQUE)
