"""Reasons with rules by brute force over their cells: the meaning of each rule alone decides what is needed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from math import prod
from random import Random

import pytest

from gridproof import Board, Geometry, solutions
from gridproof.rules import all_kinds
from gridproof.solving import Fact, Position, Step, steps
from gridproof.solving.path import SolvingPath
from rules.random_rules import random_rule

FOUR = Geometry.classic(2)
LEANING = ["sandwich", "skyscraper", "zipper", "little-killer", "arrow", "double-arrow", "region-sum", "killer"]
"""Kinds whose models are smaller where houses make cells differ."""

MOST_FILLINGS = 2_000


def cells_of(step: Step) -> list[int]:
    """The cells that a reason or its conclusion is about."""
    position = step.position
    cells = {cell for cell, _ in step.placed + step.removed}
    for fact in step.reason:
        if fact.kind == "place":
            cells.update(position.board.geometry.houses[fact.number].cells)
        elif fact.kind != "once" or step.is_contradiction:
            cells.update(position.cells(fact))
    return sorted(cells)


def fillings(step: Step, facts: Sequence[Fact]) -> Iterator[dict[int, int]]:
    """Every way to fill these cells in which some facts are true; 0 for a cell that none of them makes hold something.

    Cell after cell is filled, and a fact is looked at with the last of its cells.
    """
    position = step.position
    full = set[int]()
    for fact in facts:
        if fact.kind in ("rule", "cell"):
            full.update(position.cells(fact))
    cells = cells_of(step)
    facts_after: list[list[Fact]] = [[] for _ in cells]
    for fact in facts:
        own = position.board.geometry.houses[fact.number].cells if fact.kind == "place" else position.cells(fact)
        last = max(cells.index(cell) for cell in own if cell in cells)
        facts_after[last].append(fact)

    def fill(filling: dict[int, int]) -> Iterator[dict[int, int]]:
        place = len(filling)
        if place == len(cells):
            yield filling
            return
        cell = cells[place]
        choices = position.symbols(cell) + [0] * (cell not in full)
        if step.is_contradiction and position.entries[cell]:
            choices = [position.entries[cell]]  # which a second one may have taken out of its candidates
        for symbol in choices:
            longer = filling | {cell: symbol}
            if all(is_true(position, fact, longer) for fact in facts_after[place]):
                yield from fill(longer)

    yield from fill({})


def is_true(position: Position, fact: Fact, filling: dict[int, int]) -> bool:
    board = position.board
    if fact.kind == "cell":
        return filling[fact.number] > 0
    if fact.kind == "rule":
        grid = [filling.get(cell, 0) for cell in range(board.geometry.cell_count)]
        return board.rules[fact.number].holds(board.geometry.digits.of(grid), board.geometry)
    held = [filling.get(cell, 0) for cell in board.geometry.houses[fact.number].cells]
    if fact.kind == "place":
        return fact.symbol in held
    held = [symbol for symbol in held if symbol]
    return len(set(held)) == len(held)


def follows(step: Step, facts: Sequence[Fact]) -> bool:
    """Whether all that a step concludes follows from some facts."""
    for filling in fillings(step, facts):
        is_against = any(filling[cell] != symbol for cell, symbol in step.placed)
        is_against = is_against or any(filling[cell] == symbol for cell, symbol in step.removed)
        if is_against or step.is_contradiction:
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


def steps_with_rules(board: Board, most: int) -> Iterator[Step]:
    """The first steps of a path that have a rule in their reasons, without stories, if brute force can follow."""
    found = 0
    with SolvingPath(board) as path:
        together = path.next_round()
        while together and found < most:
            for step in together:
                size = prod(len(step.position.symbols(cell)) + 1 for cell in cells_of(step))
                if size <= MOST_FILLINGS and any(fact.kind == "rule" for fact in step.reason):
                    found += 1
                    yield path.with_name(step)
            for step in together:
                path.take(step)
            together = path.next_round()


@pytest.mark.slow
@pytest.mark.parametrize("kind", LEANING)
def test_a_reason_is_enough_and_minimal_by_the_meaning_of_the_rule(kind: str) -> None:
    checked = 0
    for board in random_boards(kind):
        for step in steps_with_rules(board, 4):
            checked += 1
            assert follows(step, step.reason), step
            for left_out in step.reason:
                fewer = [fact for fact in step.reason if fact != left_out]
                assert not follows(step, fewer), (step, left_out)
        if checked >= 12:
            break


def test_houses_that_a_rule_needs_are_named() -> None:
    """Alone, the diagonal could hold 1+4+4."""
    board = Board.empty(FOUR).with_rule("little-killer 9 r3c4 r4c3 r4c4")
    step = next(steps(board))
    assert (step.name, step.cost) == ("little killer bounds", 1.5)
    assert step.sentence().endswith("sums to 9, and box 4 holds each digit once: only 2+3+4 is left")


def test_a_rule_needs_no_place_that_it_states_itself() -> None:
    """The four fillings that are left of the sandwich have 2 and 3 in its middle."""
    board = Board.empty(FOUR).with_rule("sandwich 5 r1c1 r2c1 r3c1 r4c1")
    step, *others = steps(board)
    assert not others
    assert (step.cost, len(step.removed)) == (1.0, 8)


NINE = Geometry.classic(3)


@pytest.mark.parametrize(
    ("rule", "goals", "words"),
    [
        ("killer 6 r1c1 r1c2 r1c3", "r1c1-12", "only 1+2+3 is left, and 3 is gone from its other cells"),
        ("killer 12 r1c1 r1c2 r1c3 r2c1", "r1c1-7", "sums to 12: only 1+2+3+6 or 1+2+4+5 are left"),
        ("killer 45 r1c1-r1c9", "r1c1-1234568 r1c2-1234568", "it needs 7 and 9, which are gone from its other cells"),
        ("region-sum r4c1-r4c4", "r4c4-1", "r4c1-r4c3 sum to at least 3"),
        ("region-sum r4c1-r4c4", "r4c1-8", "r4c4 is at most 9"),
        ("zipper r1c1-r1c5", "r1c3-1", "r1c1 r1c5 sum to at least 2"),
        ("little-killer 60 r1c1-r8c8", "r1c1-1", "r2c2-r8c8 sum to at most 44"),
    ],
)
def test_the_sentence_of_a_rule_states_what_matters_of_it(rule: str, goals: str, words: str) -> None:
    board = Board.empty(NINE).with_rule(rule)
    marks = [511] * 81
    if "45" in rule:
        marks[2:9] = [0b010111111] * 7
    elif "60" in rule:
        marks[10:71:10] = [0b000111111] * 6 + [0b011111111]
    elif "killer 6 " in rule:
        marks[:3] = [0b111, 0b011, 0b011]
    removed = []
    for goal in goals.split():
        removed += [(board.geometry.cell(goal[:4]), int(symbol)) for symbol in goal[5:]]
    position = Position(board, tuple(marks), (0,) * 81)
    step = Step(position, removed=tuple(removed), reason=(Fact("rule", 0),))
    assert step.sentence().endswith(words)


def test_only_what_the_named_houses_exclude_is_left_out() -> None:
    """Two cells of a box may be equal as long as the reason does not name the box."""
    board = Board.empty(FOUR).with_rule("killer 4 repeats r1c1 r2c2")
    first, second, *_ = steps(board)
    assert first.sentence().endswith("and digits may repeat in it: only 1+3 or 2+2 are left")
    assert second.sentence().endswith("and box 1 holds each digit once: only 1+3 is left")


@pytest.mark.slow
def test_lists_of_what_is_left_are_true() -> None:
    """What a sentence leaves out, the rule and the named houses exclude."""
    for kind in LEANING:
        for board in islice(random_boards(kind), 3):
            for step in steps_with_rules(board, 3):
                check_list(step)


def check_list(step: Step) -> None:
    rules = [fact for fact in step.facts if fact.kind == "rule"]
    found = re.search(r"only ([^()]*) (?:is|are) left", step.sentence())
    if len(rules) != 1 or not found:
        return
    board = step.position.board
    (line,) = [cells for _, cells in board.rules[rules[0].number].lists()][-1:]
    listed = set(re.split(", | or ", found[1]))
    facts = [fact for fact in step.facts if fact.kind in ("rule", "once")]
    for filling in fillings(step, rules):
        if all(is_true(step.position, fact, filling) for fact in facts):
            digits = [filling[cell] for cell in line]
            texts = {"-".join(map(str, digits)), "+".join(map(str, sorted(digits)))}
            assert any(text in one for text in texts for one in listed), (step, filling)


def test_what_two_rules_give_together_is_told_with_an_if() -> None:
    """Without it, two rules and a place stand side by side, and the reader has to find what they are for."""
    board = Board.empty(FOUR).with_rules(["thermometer r1c1 r2c3", "thermometer r2c3 r3c2"])
    sentences = [step.sentence() for step in steps(board)]
    assert any(", because if r1c2 is 1, then " in sentence and "; but then " in sentence for sentence in sentences)
