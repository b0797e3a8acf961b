"""Conclusions from an answer, and its words, which stand in one place."""

from __future__ import annotations

import pytest

from core_samples import FOUR
from gridproof.errors import Interrupted
from gridproof.lanes import VERDICT_NAMES
from gridproof.puzzle.board import Board
from gridproof.trust import reference
from gridproof.trust.answer import Answer, Status

ONE, TWO = list(reference.solutions(Board(FOUR, (1, 2, 3, 4, *[0] * 12))))[:2]
LIMIT = Interrupted("seconds", 1)


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (Answer(complete=True), Status.NONE),
        (Answer((ONE,), complete=True), Status.UNIQUE),
        (Answer((ONE, TWO), complete=True), Status.MULTIPLE),
        (Answer((ONE,)), Status.SOLVED),
        (Answer((ONE, TWO)), Status.MULTIPLE),
        (Answer((), stopped=LIMIT), Status.UNDECIDED),
        (Answer((ONE,), stopped=LIMIT), Status.UNDECIDED),
        (Answer((ONE, TWO), stopped=LIMIT), Status.MULTIPLE),
        (Answer((), crashed="segmentation fault"), Status.FAILED),
        (Answer((ONE, TWO), crashed="segmentation fault"), Status.FAILED),
    ],
)
def test_the_verdict_that_follows(answer: Answer, status: Status) -> None:
    assert answer.status is status


def test_codes_stand_for_the_same_words() -> None:
    assert VERDICT_NAMES == ("none", "unique", "multiple", "open")
