"""Steps on boards with more digits than a house has cells, and on oblong ones.

A house with fewer cells than digits holds none twice, and need not hold any: no digit has to have a place in it. Every
reason is checked by brute force over the cells that it is about, and every story line by another solver.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

import gridproof
from gridproof import Board, Geometry
from gridproof.cli import main
from gridproof.puzzle.digits import Digits
from gridproof.rules import find
from gridproof.solving import Step, steps
from ground_truth import solutions
from rules.random_rules import random_grid, random_rule
from solving.test_next_step import check_reason
from solving.test_rule_reasons import follows
from solving.test_story import check_story

FOUR = Geometry.classic(2)
BOARDS = {
    "0-5": FOUR.with_digits(Digits(0, 5)),
    "1-6": FOUR.with_digits(Digits(1, 6)),
    "0-4": FOUR.with_digits(Digits(0, 4)),
    "oblong": Geometry.oblong(3, 4),
    "oblong, full boxes": Geometry.oblong(3, 4, Digits(2, 7), (3, 2)),
    "oblong, small boxes": Geometry.oblong(3, 4, Digits(0, 4), (1, 2)),
    "no boxes": Geometry.oblong(2, 5),
}
CAGES = ["killer", "little-killer", "quadruple", "counting-circles", "same-values", "any-of"]
LINES = ["thermometer", "arrow", "double-arrow", "whispers", "renban", "zipper", "between", "region-sum"]
OUTSIDE = ["sandwich", "skyscraper", "x-sum", "numbered-room"]
KINDS = CAGES + LINES + OUTSIDE


def random_board(geometry: Geometry, random: Random, with_rules: bool) -> Board:
    """A board with one solution, by clues and rules; of rules about all cells only, a reason names the cells, too."""
    grid = random_grid(geometry, random)
    board = Board.empty(geometry)
    while with_rules and len(board.rules) < 4:
        rule = random_rule(find(random.choice(KINDS)), geometry, random)
        is_about_some = len(rule.scope(geometry)) < geometry.cell_count
        if is_about_some and rule.holds(geometry.digits.of(grid), geometry):
            board = board.with_rules([*board.rules, rule])
    for cell in random.sample(range(geometry.cell_count), geometry.cell_count):
        if gridproof.verify(board).is_unique:
            break
        board = board.with_clue(cell, grid[cell])
    return board


def check_step(step: Step, grids: list[tuple[int, ...]]) -> None:
    for grid in grids:
        assert all(grid[cell] == symbol for cell, symbol in step.placed)
        assert all(grid[cell] != symbol for cell, symbol in step.removed)
    full = step.position.board.geometry.full_houses
    assert all(fact.number in full for fact in step.reason + step.pattern if fact.kind == "place")
    assert follows(step, step.reason), step
    for left_out in step.reason:
        fewer = [fact for fact in step.reason if fact != left_out]
        assert not follows(step, fewer), (step, left_out)
    assert follows(step, step.facts), step


@pytest.mark.parametrize("name", BOARDS)
def test_every_reason_is_enough_and_minimal_by_brute_force(name: str) -> None:
    random = Random(name)
    for number in range(3):
        board = random_board(BOARDS[name], random, with_rules=number > 0)
        grids = list(solutions(board))
        path = list(steps(board))
        for step in path:
            check_step(step, grids)
        placed = dict([one for step in path for one in step.placed])
        assert [clue or placed[cell] for cell, clue in enumerate(board.clues)] == list(grids[0])
        assert len(grids) == 1


@pytest.mark.parametrize("name", BOARDS)
def test_every_line_of_a_story_follows(name: str) -> None:
    board = random_board(BOARDS[name], Random(f"{name} told"), with_rules=False)
    for step in steps(board):
        check_reason(step)
        check_story(step)


@pytest.mark.slow
def test_reasons_of_many_boards() -> None:
    random = Random(36)
    for number in range(120):
        geometry = random.choice(list(BOARDS.values()))
        board = random_board(geometry, random, with_rules=number % 3 > 0)
        grids = list(solutions(board))
        for step in steps(board):
            check_step(step, grids)
        cell = random.choice([cell for cell in range(geometry.cell_count) if board.clues[cell]])
        wrong = board.with_clue(cell, board.clues[cell] % geometry.symbol_count + 1)
        if not list(solutions(wrong)):
            last = list(steps(wrong))[-1]
            assert last.is_contradiction
            assert follows(last, last.reason)


def test_a_contradiction_ends_the_path() -> None:
    board = Board.from_symbols(Geometry.oblong(2, 5), "1.3...4..1").with_rules(["killer 9 r1c2 r2c1"])
    last = list(steps(board))[-1]
    assert last.is_contradiction
    assert follows(last, last.reason)


def test_a_house_that_is_not_full_holds_no_digit_twice_in_words() -> None:
    geometry = Geometry.classic(3).with_digits(Digits(0, 9))
    marks = {0: "0 6", 1: "0 6"}
    board = Board.empty(geometry)
    masks = [geometry.every_symbol] * geometry.cell_count
    for cell, digits in marks.items():
        masks[cell] = sum(1 << int(digit) for digit in digits.split())
    step = next(steps(replace(board, marks=tuple(masks))))
    assert step.name == "locked pair"
    assert step.sentence().endswith("because r1c1 and r1c2 are 0 or 6, and box 1 holds 0 and 6 at most once")
    (house,) = [fact.number for fact in step.reason if fact.kind == "once"]
    assert step.shown_reason.describe_house(house).verb == "holds no digit twice"


def test_a_sum_is_told_by_digits() -> None:
    board = Board.empty(Geometry.classic(3).with_digits(Digits(0, 8))).with_clue(0, 9)
    sentences = [step.sentence() for step in steps(board.with_rule("killer 8 r1c1-r1c5 repeats"))]
    assert "with 8 in r1c1, r1c1 r1c3-r1c5 sum to at least 8" in sentences[0]


def test_commands_and_hints_take_such_boards(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["steps", "--size", "3x4", "--next", "--hint", "2", ".2../...1/1..."]) == 0
    assert capsys.readouterr().out == "hidden single: 1 has only one place in row 1\n"
    assert main(["rate", "--size", "4x4", "--digits", "0-4", "0123 2301 1032 321."]) == 1
    assert capsys.readouterr().out.startswith("several solutions, steps up to easy")
