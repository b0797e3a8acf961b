"""Hall sets in stories: each follows from all of its facts, and is told as cells, symbols or rows and columns."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gridproof.limits import NO_LIMITS, Watch
from gridproof.solving import Fact, Step
from gridproof.solving.facts import Facts
from gridproof.solving.position import position_of
from gridproof.solving.story import StoryGoal, StoryLine, make_story
from solving.test_names import position
from solving.test_story import Checker, check_story

ROW = Fact("once", 0)
COLUMNS = [Fact("once", 9), Fact("once", 10), Fact("once", 11)]

SETS = {
    "cells": (
        "r1c1=123 r1c2=123 r1c3=123",
        [*[Fact("cell", cell) for cell in range(3)], ROW],
        (8, 1),
        "then r1c1 and r1c2 hold 2 and 3, so r1c3 is not 2 or 3 (by row 1)",
    ),
    "symbols": (
        "1.row1:r1c1,r1c2,r1c3 2.row1:r1c1,r1c2,r1c3 3.row1:r1c1,r1c2,r1c3",
        [Fact("place", 0, symbol) for symbol in (1, 2, 3)],
        (0, 9),
        "then 1 and 2 in row 1 are in r1c2 and r1c3, so r1c2 and r1c3 are not 3",
    ),
    "places": (
        "5.row1:r1c1,r1c2,r1c3 5.row4:r4c1,r4c2,r4c3 5.row7:r7c1,r7c2,r7c3",
        [*[Fact("place", row, 5) for row in (0, 3, 6)], *COLUMNS],
        (72, 5),
        "then 5 in row 1 and row 4 is in column 2 and column 3, so r7c2 and r7c3 are not 5 (by column 1)",
    ),
}
"""A position in words, facts, the cell and the symbol that they exclude, and the line of the Hall set."""


def tell(words: str, reason: Sequence[Fact], removed: tuple[int, int]) -> Step:
    start = position_of(position(words.split()))
    facts = Facts(start.board, start.candidates, Watch(NO_LIMITS))
    with facts.load(start.candidates) as solver:
        story = make_story(StoryGoal(start, tuple(reason), (), (removed,)), facts, solver)
    return Step(start, removed=(removed,), reason=tuple(reason), story=story)


@pytest.mark.parametrize("name", SETS)
def test_a_hall_set_is_a_line_that_needs_each_of_its_facts(name: str) -> None:
    words, reason, removed, text = SETS[name]
    step = tell(words, reason, removed)
    check_story(step)
    (number,) = [number for number, line in enumerate(step.story) if line.is_hall_set]
    assert step.story_texts()[number] == f"{number + 1}. {text}"
    check_that_facts_are_needed(step, step.story[number])


def check_that_facts_are_needed(step: Step, line: StoryLine) -> None:
    checker = Checker(step)
    before = [step.story[earlier] for earlier in line.after]
    assert checker.follows(line, before)
    for left_out in line.facts:
        fewer = tuple([fact for fact in line.facts if fact != left_out])
        assert not checker.follows(line._replace(facts=fewer), before), left_out
    checker.solver.close()


@pytest.mark.parametrize("name", SETS)
def test_a_candidate_that_may_hold_has_no_story(name: str) -> None:
    words, reason, removed, _ = SETS[name]
    step = tell(words, reason[1:], removed)
    assert [line.kind for line in step.story] == ["open"]
