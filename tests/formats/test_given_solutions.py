"""A solution that comes with a puzzle: its worth is stated, never believed, and never silently passed over."""

from __future__ import annotations

import pytest

from core_samples import FOUR, HARD
from gridproof.formats import Puzzle, parse
from gridproof.limits import Limits
from gridproof.puzzle.board import Board
from gridproof.questions import verify
from gridproof.trust import reference
from gridproof.trust.verdict import Status, Verdict

TWO = parse("12343412........")
FIRST, SECOND = list(reference.solutions(TWO))[:2]
ONLY = Board(FOUR, (*FIRST[:12], 0, 0, 0, 0))
FALSE = (*FIRST[:12], *FIRST[8:12])
NONE = parse("12.........3...4")
UNIQUE_ONE = Verdict(Status.UNIQUE, ONLY, (FIRST,))
SEVERAL = Verdict(Status.MULTIPLE, TWO, (FIRST, SECOND))


@pytest.mark.parametrize(
    ("verdict", "given", "worth", "words"),
    [
        (UNIQUE_ONE, FIRST, "right", ""),
        (UNIQUE_ONE, FALSE, "wrong", "the stored solution is none"),
        (UNIQUE_ONE, FIRST[:5], "wrong", "the stored solution is none"),
        (SEVERAL, FIRST, "not_only", ""),
        (SEVERAL, FALSE, "wrong", "the stored solution is none"),
        (Verdict(Status.NONE, NONE), FIRST, "wrong", "the stored solution is none"),
        (Verdict(Status.UNDECIDED, ONLY, reason="late"), FIRST, "valid", "late"),
        (Verdict(Status.UNDECIDED, ONLY, reason="late"), FALSE, "wrong", "late; the stored solution is"),
    ],
)
def test_what_it_is_worth(verdict: Verdict, given: tuple[int, ...], worth: str, words: str) -> None:
    compared = verdict.with_puzzle(Puzzle(verdict.board, solution=given))
    assert (compared.status, compared.solutions, compared.evidence.stored) == (verdict.status, verdict.solutions, worth)
    assert words in compared.reason
    assert bool(words) == bool(compared.reason)


@pytest.mark.parametrize("claim", [Verdict(Status.NONE, TWO), Verdict(Status.UNIQUE, TWO, (FIRST,))])
def test_one_that_shows_the_verdict_to_be_false_is_a_disagreement(claim: Verdict) -> None:
    compared = claim.with_puzzle(Puzzle(claim.board, solution=SECOND))
    assert compared.status is Status.DISAGREEMENT
    assert compared.evidence.contradictions == (compared.reason,)
    assert f"the verdict is {claim.status}, but the stored solution is another one" in compared.reason
    assert compared.with_puzzle(Puzzle(compared.board, solution=FALSE)) is compared


def test_a_limit_leaves_it_valid() -> None:
    verdict = verify(parse(HARD), limits=Limits(conflicts=1))
    solution = next(iter(reference.solutions(parse(HARD))))
    assert (verdict.status, verdict.with_puzzle(Puzzle(verdict.board, solution=solution)).evidence.stored) == (
        Status.UNDECIDED,
        "valid",
    )
