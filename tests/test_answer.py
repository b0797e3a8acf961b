"""What follows from an answer, and that its words stand in one place."""

from __future__ import annotations

import pytest

from core_samples import FOUR
from gridproof.bulk import records
from gridproof.errors import Interrupted
from gridproof.lanes import VERDICT_NAMES
from gridproof.puzzle.board import Board
from gridproof.trust import reference
from gridproof.trust.answer import Answer, Complete, Crashed, Enough, Status, Stopped, status_of

ONE, TWO = list(reference.solutions(Board(FOUR, (1, 2, 3, 4, *[0] * 12))))[:2]
LIMIT = Interrupted("seconds", 1)


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (Complete(), Status.NONE),
        (Complete((ONE,)), Status.UNIQUE),
        (Complete((ONE, TWO)), Status.MULTIPLE),
        (Enough((ONE,)), Status.SOLVED),
        (Enough((ONE, TWO)), Status.MULTIPLE),
        (Stopped((), LIMIT), Status.UNDECIDED),
        (Stopped((ONE,), LIMIT), Status.UNDECIDED),
        (Stopped((ONE, TWO), LIMIT), Status.MULTIPLE),
        (Crashed((), "segmentation fault"), Status.FAILED),
        (Crashed((ONE, TWO), "segmentation fault"), Status.FAILED),
    ],
)
def test_the_verdict_that_follows(answer: Answer, status: Status) -> None:
    assert status_of(answer) is status


def test_codes_stand_for_the_same_words() -> None:
    assert [records.VERDICTS[code] for code in (records.UNIQUE, records.UNDECIDED)] == ["unique", "undecided"]
    assert VERDICT_NAMES == ("none", "unique", "multiple", "open")
