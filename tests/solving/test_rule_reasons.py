"""Reasons with rules by brute force over their cells: the meaning of each rule alone decides what is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import prod
from random import Random

import pytest

from gridproof import Board, Geometry, solutions
from gridproof.rules import all_kinds
from gridproof.solving import Fact, Position, Step, steps
from rules.random_rules import random_rule

FOUR = Geometry.classic(2)
LEANING = ["sandwich", "skyscraper", "zipper", "little-killer", "arrow", "double-arrow", "region-sum", "killer"]
"""Kinds whose models are smaller where houses make cells differ."""

MOST_FILLINGS = 2_000


def cells_of(step: Step) -> list[int]:
    """The cells that a reason or its conclusion is about."""
    position = step.position
    cells = {cell for cell, _ in step.removed}
    for fact in step.reason:
        if fact.kind == "place":
            cells.update(position.board.geometry.houses[fact.number].cells)
        elif fact.kind != "once":
            cells.update(position.cells(fact))
    return sorted(cells)


def fillings(step: Step, facts: Sequence[Fact]) -> Iterator[dict[int, int]]:
    """Every way to fill these cells; 0 for one that none of some facts makes hold something."""
    position = step.position
    full = set[int]()
    for fact in facts:
        if fact.kind in ("rule", "cell"):
            full.update(position.cells(fact))
    cells = cells_of(step)
    choices = [position.symbols(cell) + [0] * (cell not in full) for cell in cells]
    for filling in product(*choices):
        yield dict(zip(cells, filling, strict=True))


def is_true(position: Position, fact: Fact, filling: dict[int, int]) -> bool:
    board = position.board
    if fact.kind == "cell":
        return filling[fact.number] > 0
    if fact.kind == "rule":
        grid = [filling.get(cell, 0) for cell in range(board.geometry.cell_count)]
        return board.rules[fact.number].holds(grid, board.geometry)
    held = [filling.get(cell, 0) for cell in board.geometry.houses[fact.number].cells]
    if fact.kind == "place":
        return fact.symbol in held
    held = [symbol for symbol in held if symbol]
    return len(set(held)) == len(held)


def follows(step: Step, facts: Sequence[Fact]) -> bool:
    """Whether all that a step removes follows from some facts."""
    for filling in fillings(step, facts):
        is_against = any(filling[cell] == symbol for cell, symbol in step.removed)
        if is_against and all(is_true(step.position, fact, filling) for fact in facts):
            return False
    return True


def random_boards(kind: str) -> Iterator[Board]:
    """Boards of 4x4 with a rule of a kind, and a few candidates gone, that have a solution."""
    random = Random(kind)
    while True:
        rule = random_rule(all_kinds()[kind], FOUR, random)
        board = Board.empty(FOUR).with_rules([rule])
        grid = next(iter(solutions(board)), None)
        if grid is not None and len(rule.scope(FOUR)) > 2:
            marks = [random.choice([15, 15, 15, random.getrandbits(4) | 1 << (symbol - 1)]) for symbol in grid]
            yield board.with_marks(marks)


@pytest.mark.parametrize("kind", LEANING)
def test_a_reason_is_enough_and_minimal_by_the_meaning_of_the_rule(kind: str) -> None:
    checked = 0
    for board in random_boards(kind):
        for step in islice(steps(board), 12):
            if not any(fact.kind == "rule" for fact in step.reason):
                continue
            if prod(len(step.position.symbols(cell)) + 1 for cell in cells_of(step)) > MOST_FILLINGS:
                continue
            checked += 1
            assert follows(step, step.reason), step
            for left_out in step.reason:
                fewer = [fact for fact in step.reason if fact != left_out]
                assert not follows(step, fewer), (step, left_out)
        if checked >= 15:
            break


def test_houses_that_a_rule_needs_are_named() -> None:
    """Alone, the diagonal could hold 1+4+4."""
    board = Board.empty(FOUR).with_rule("little-killer 9 r3c4 r4c3 r4c4")
    step = next(steps(board))
    assert (step.name, step.cost) == ("little killer bounds", 1.5)
    assert step.sentence().endswith("box 4 holds each digit once")


def test_a_rule_needs_no_place_that_it_states_itself() -> None:
    """The four fillings that are left of the sandwich have 2 and 3 in its middle."""
    board = Board.empty(FOUR).with_rule("sandwich 5 r1c1 r2c1 r3c1 r4c1")
    step, *others = steps(board)
    assert not others
    assert (step.cost, len(step.removed)) == (1.0, 8)
