"""Witnesses where the reference does not finish: each kind of witness agrees with the truth and catches a lie."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from checker.certificate_files import solutions
from core_samples import FOUR, UNIQUE
from gridproof import backends, verify_many
from gridproof.backends import witnesses
from gridproof.backends.protocol import Backend
from gridproof.backends.solvers.pysat import PySat
from gridproof.cli import main
from gridproof.errors import BackendFailure, InputError
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.questions import count, verify
from gridproof.rules import all_kinds
from gridproof.trust import crosscheck, reference
from gridproof.trust.crosscheck import CrossCheck, Witness, cross_check
from gridproof.trust.verdict import Status
from liars import Liar
from rules.random_rules import random_rule

TWO = Board.from_symbols(FOUR, "12343412" + "." * 8)
FIRST, OTHER, *_ = reference.solutions(TWO)
PAIR = Board(FOUR, tuple(a if a == b else 0 for a, b in zip(FIRST, OTHER, strict=True)))
ONE = Board(FOUR, (*next(reference.solutions(TWO))[:12], *[0] * 4))
NONE = Board.from_symbols(FOUR, "123.3412" + "4" + "." * 7)
HARD = "........8..3...4...9..2..6.....79.......612...6.5.2.7...8...5...1.....2.4.5.....3"
RULE = ["killer 5 r3c1 r4c1"]
KINDS = {"formula": "second solver gluecard3/checker", "session": "second solver cp-sat"}


@pytest.fixture(autouse=True)
def the_reference_does_not_finish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crosscheck, "against_reference", lambda *_: (crosscheck.UNDECIDED, []))


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> CrossCheck:
    """A cross-check that a busy machine does not stop."""
    monkeypatch.setattr(crosscheck, "LEAST_SECONDS", 600.0)
    return CrossCheck(seconds=600.0)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """One kind of witness, and no other."""
    if request.param == "session":
        monkeypatch.setattr(witnesses, "ON_THE_FORMULA", ())
    return str(request.param)


def test_it_agrees_with_the_truth(kind: str, patient: CrossCheck) -> None:
    for board in (ONE, NONE, TWO):
        board = board.with_rules(RULE)
        truth = list(reference.solutions(board))
        verdict = verify(board, Liar("honest"), cross_check=patient)
        assert len(verdict.solutions) == min(len(truth), 2)
        opinion = "not needed" if len(truth) > 1 else f"{KINDS[kind]}: agrees"
        assert str(verdict.evidence.reference) == opinion
        counted = count(board, backend=Liar("honest"), cross_check=patient)
        if len(truth) <= 2:  # what the liars look for
            assert (counted.number, str(counted.evidence.reference)) == (len(truth), f"{KINDS[kind]}: agrees")


@pytest.mark.parametrize("lie", ["one-of-two", "none-at-all"])
def test_it_catches_a_backend_that_lies(kind: str, patient: CrossCheck, lie: str) -> None:
    board = TWO.with_rules(["killer 10 r1c1 r1c2 r1c3 r1c4"])
    verdict = verify(board, Liar(lie), cross_check=patient)
    assert verdict.status is Status.DISAGREEMENT
    assert str(verdict.evidence.reference) == f"{KINDS[kind]}: contradicts"
    claim = "1 solution" if lie == "one-of-two" else "no solution"
    assert verdict.reason.startswith(f"the backend claims {claim}, {KINDS[kind]} found another, which passes the check")
    counted = count(board, backend=Liar(lie), cross_check=patient)
    assert counted.evidence.contradictions == (counted.reason,)


@pytest.mark.parametrize("kinds", [["killer"], ["sandwich", "arrow"], ["regex"], ["counting-circles", "clone"], []])
def test_the_formula_finds_what_a_backend_leaves_out(kinds: list[str], patient: CrossCheck) -> None:
    """On boards with random rules: a backend that claims too little is always caught."""
    for seed in range(8):
        random = Random(f"{kinds} {seed}")
        board = Board.empty(FOUR).with_rules([random_rule(all_kinds()[name], FOUR, random) for name in kinds])
        truth = solutions(board)
        verdict = verify(board, Liar("none-at-all"), cross_check=patient)
        assert (verdict.status is Status.DISAGREEMENT) == bool(truth)
        assert str(verdict.evidence.reference) == f"{KINDS['formula']}: {'contradicts' if truth else 'agrees'}"


# ---- the second solver -----------------------------------------------------------------------------------------------


def every_backend() -> list[Backend]:
    own = [
        Liar("honest"),
        backends.find("cp-sat:num_workers=2"),
        PySat("mine", "glucose3"),
        backends.find("dimacs:minisat -v"),
    ]
    return [*backends.all_backends(), *own]


@pytest.mark.parametrize("rules", [[], RULE])
def test_the_second_is_of_another_family(rules: list[str]) -> None:
    board = TWO.with_rules(rules)
    for first in [None, *every_backend()]:
        names = [witness.name for witness in witnesses.witnesses(first, board)]
        origin = first and (first.origin or first.name)
        expected = [f"second solver {'cadical153' if origin == 'minisat' else 'gluecard3'}/checker"]
        expected += ["second solver cp-sat"] * (bool(rules) and origin != "cp-sat")
        assert names == expected, first


def test_one_that_has_no_opinion_is_followed_by_the_next(monkeypatch: pytest.MonkeyPatch, patient: CrossCheck) -> None:
    def breaks(*_: Any) -> Any:
        raise BackendFailure("no opinion")

    monkeypatch.setattr(type(backends.find("gluecard3")), "incremental", breaks)
    assert str(verify(ONE.with_rules(RULE), cross_check=patient).evidence.reference) == "second solver cp-sat: agrees"
    assert str(verify(ONE).evidence.reference) == "undecided"
    monkeypatch.undo()
    monkeypatch.setattr(crosscheck, "against_reference", lambda *_: (crosscheck.UNDECIDED, []))
    monkeypatch.setattr("gridproof.trust.checked_board.known_kinds", dict)  # a kind of the user's own
    assert str(verify(ONE.with_rules(RULE), cross_check=patient).evidence.reference) == "second solver cp-sat: agrees"


# ---- the checked proof -----------------------------------------------------------------------------------------------

PROOF = "checked proof"


@pytest.fixture
def _every_board_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnesses, "LARGE_ORDER", 1)


@pytest.mark.usefixtures("_every_board_is_large")
@pytest.mark.parametrize("clues", [0, 4, 7, 10])
def test_a_proof_agrees_with_the_truth(clues: int, patient: CrossCheck) -> None:
    for seed in range(6):
        random = Random(f"{clues} {seed}")
        kept = random.sample(range(16), clues)
        board = Board(FOUR, tuple(FIRST[cell] if cell in kept else 0 for cell in range(16)))
        truth = list(reference.solutions(board))
        counted = count(board, backend="cadical153", cross_check=patient)
        assert (counted.number, str(counted.evidence.reference)) == (len(truth), f"{PROOF}: agrees")
    for line in (".4..3....1..44..", ".1.4...4....1..4", "4..4..2...4...1."):
        verdict = verify(Board.from_symbols(FOUR, line), cross_check=patient)
        assert (verdict.status, str(verdict.evidence.reference)) == (Status.NONE, f"{PROOF}: agrees")


@pytest.mark.usefixtures("_every_board_is_large")
@pytest.mark.parametrize("lie", ["one-of-two", "none-at-all"])
def test_a_proof_catches_a_backend_that_lies(lie: str, patient: CrossCheck) -> None:
    verdict = verify(PAIR, Liar(lie), cross_check=patient)
    assert verdict.status is Status.DISAGREEMENT
    claim = "1 solution" if lie == "one-of-two" else "no solution"
    assert verdict.reason == f"the backend claims {claim}, {PROOF} found another, which passes the check"


@pytest.mark.usefixtures("_every_board_is_large")
def test_a_proof_that_does_not_follow_is_no_opinion(monkeypatch: pytest.MonkeyPatch, patient: CrossCheck) -> None:
    hard = Board.from_symbols(Geometry.classic(3), HARD)
    assert str(verify(hard, cross_check=patient).evidence.reference) == f"{PROOF}: agrees"
    original = PySat.refute_with_hints

    def without_the_last_step(*arguments: Any) -> Any:
        steps = original(*arguments)
        assert steps
        return steps[:-1]

    monkeypatch.setattr(PySat, "refute_with_hints", without_the_last_step)
    assert str(verify(hard, cross_check=patient).evidence.reference) == "undecided"


def test_boards_that_get_a_proof(patient: CrossCheck) -> None:
    large = Board.empty(Geometry.standard(36))
    assert [witness.name for witness in witnesses.witnesses(None, large)] == [PROOF]
    assert list(witnesses.witnesses(None, large.with_rules(["extra-region r1c1 r1c2"]))) == []
    grid = shifted_grid(6)
    kept = tuple(0 if place % 5 == 0 else symbol for place, symbol in enumerate(grid))
    verdict = verify(Board(large.geometry, kept), cross_check=patient)
    assert (verdict.status, str(verdict.evidence.reference)) == (Status.UNIQUE, f"{PROOF}: agrees")


def shifted_grid(side: int) -> SymbolTuple:
    """A grid with boxes of this side: each row is the one before, shifted by a box, and by one more in a new band."""
    order = side * side
    rows = []
    for row in range(order):
        shift = row % side * side + row // side
        rows.extend([(shift + column) % order + 1 for column in range(order)])
    return tuple(rows)


# ---- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "seconds", "answered", "most"),
    [
        (NO_LIMITS, 5.0, 0.001, crosscheck.LEAST_SECONDS),
        (NO_LIMITS, 5.0, 0.3, 3.0),
        (NO_LIMITS, 5.0, 60.0, 5.0),
        (NO_LIMITS, 0.5, 60.0, 0.5),
        (Limits(seconds=1.5), 5.0, 60.0, 1.5),
    ],
)
def test_witnesses_get_what_is_left(limits: Limits, seconds: float, answered: float, most: float) -> None:
    allowed: list[float] = []

    def silent(board: Board, grids: Sequence[SymbolTuple], watch: Watch) -> Iterator[SymbolTuple]:
        allowed.append(watch.limits.seconds or 0.0)
        raise BackendFailure("no opinion")

    others = [Witness("first", silent), Witness("second", silent)]
    assert cross_check(ONE, [], limits, others, seconds, answered) == (crosscheck.UNDECIDED, [])
    first, second = allowed
    assert 0 < second <= first <= most


def test_large_boards_have_three_times_the_time_of_the_answer() -> None:
    allowed: list[float] = []

    def silent(board: Board, grids: Sequence[SymbolTuple], watch: Watch) -> Iterator[SymbolTuple]:
        allowed.append(watch.limits.seconds or 0.0)
        raise BackendFailure("no opinion")

    large = Board.empty(Geometry.standard(36))
    for limits in (NO_LIMITS, Limits(seconds=100.0)):
        cross_check(large, [], limits, [Witness("only", silent)], 5.0, 60.0)
    assert 170 < allowed[0] <= 180
    assert 90 < allowed[1] <= 100


def test_time_that_is_over_is_not_overdrawn() -> None:
    def late(board: Board, grids: Sequence[SymbolTuple], watch: Watch) -> Iterator[SymbolTuple]:
        pytest.fail("called after the time is over")

    assert cross_check(ONE, [], NO_LIMITS, [Witness("late", late)], 1e-9) == (crosscheck.UNDECIDED, [])
    with pytest.raises(InputError, match="0 seconds; expected a number above zero"):
        CrossCheck(seconds=0)


# ---- messages --------------------------------------------------------------------------------------------------------


def test_the_words_go_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    verdict = verify(UNIQUE)
    name = "second solver gluecard3/checker"
    assert str(verdict) == f"unique; {name}: agrees"
    opinion = verdict.evidence.reference
    assert (opinion.witness, opinion.word) == (name, "agrees")
    assert pickle.loads(pickle.dumps(opinion)).witness == name
    assert name in verdict._repr_html_()
    assert main(["verify", "--json", UNIQUE]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["evidence"]["reference"] == f"{name}: agrees"
    assert f"; {name}: agrees 1" in err


@pytest.mark.parametrize("engine", ["auto", "session"])
def test_bulk_has_the_same_witnesses(engine: Any) -> None:
    (record,) = verify_many([UNIQUE], engine=engine, cross_check="all")
    assert record.reference == "second solver gluecard3/checker: agrees"
