"""Who steps in where the reference does not finish: each kind of witness agrees with the truth and catches a lie."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from core_samples import FOUR, HARD, NINE, UNIQUE
from gridproof import backends, verify_many
from gridproof.backends import witnesses
from gridproof.backends.protocol import Backend
from gridproof.backends.solvers.cpsat import CpSat
from gridproof.backends.solvers.pysat import PySat
from gridproof.cli import _options, main
from gridproof.errors import BackendFailure, InputError
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.models import catalog
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, Grid
from gridproof.questions import count, verify
from gridproof.trust import crosscheck, reference
from gridproof.trust.crosscheck import CrossCheck, Witness, cross_check, told
from gridproof.trust.verdict import Status
from liars import Liar

TWO = Board.from_symbols(FOUR, "12343412" + "." * 8)
FIRST, OTHER, *_ = reference.solutions(TWO)
PAIR = Board(FOUR, tuple(a if a == b else 0 for a, b in zip(FIRST, OTHER, strict=True)))
ONE = Board(FOUR, (*next(reference.solutions(TWO))[:12], *[0] * 4))
NONE = Board.from_symbols(FOUR, "123.3412" + "4" + "." * 7)
RULE = ["killer 5 r3c1 r4c1"]
KINDS = {
    "clauses": "second solver minisat22/extended",
    "session": "second solver cp-sat/exactly-one",
    "proof": "proof",
}


@pytest.fixture(autouse=True)
def the_reference_does_not_finish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crosscheck, "against_reference", lambda *_: (crosscheck.UNDECIDED, []))


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """One kind of witness, and no other."""
    only = {"clauses": ["minisat22"], "session": ["cp-sat"], "proof": []}[request.param]
    monkeypatch.setattr(witnesses, "second_opinions", lambda *_: iter(map(backends.find, only)))
    return str(request.param)


@pytest.mark.parametrize("rules", [[], RULE])
def test_it_agrees_with_the_truth(kind: str, rules: list[str]) -> None:
    word = "checked" if kind == "proof" else "agrees"
    for board in (ONE, NONE, TWO):
        board = board.with_rules(rules)
        truth = list(reference.solutions(board))
        verdict = verify(board, Liar("honest"))
        assert len(verdict.solutions) == min(len(truth), 2)
        said = "not needed" if len(truth) > 1 else f"{KINDS[kind]}: {word}"
        assert verdict.evidence.reference == said
        counted = count(board, backend=Liar("honest"))
        if len(truth) <= 2:  # what the liars look for
            assert (counted.number, counted.evidence.reference) == (len(truth), f"{KINDS[kind]}: {word}")


@pytest.mark.parametrize("rules", [[], ["killer 10 r1c1 r1c2 r1c3 r1c4"]])
@pytest.mark.parametrize("lie", ["one-of-two", "none-at-all"])
def test_it_catches_a_backend_that_lies(kind: str, lie: str, rules: list[str]) -> None:
    verdict = verify(TWO.with_rules(rules), Liar(lie))
    assert verdict.status is Status.DISAGREEMENT
    assert verdict.evidence.reference == f"{KINDS[kind]}: contradicts"
    claim = "1 solution" if lie == "one-of-two" else "no solution"
    assert verdict.reason.startswith(f"the backend claims {claim}, {KINDS[kind]} found another")
    assert ("which passes the check" in verdict.reason) == (kind != "proof"), "a proof shows no grid"
    counted = count(TWO.with_rules(rules), backend=Liar(lie))
    assert counted.evidence.contradictions == (counted.reason,)


# ---- the second solver -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lie", ["wrong-grid", "one-of-two", "none-at-all", "clue-changed", "not-a-grid"])
def test_a_second_solver_that_lies_is_a_disagreement(lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnesses, "second_opinions", lambda *_: iter([Liar(lie)]))
    counted = count(PAIR)
    assert counted.number == 2
    assert counted.evidence.reference == f"second solver liar-{lie}: contradicts"
    assert counted.evidence.contradictions == (counted.reason,)
    verdict = verify(ONE)
    if lie == "one-of-two":  # of one solution it tells the truth
        assert verdict.evidence.reference == "second solver liar-one-of-two: agrees"
        return
    assert verdict.status is Status.DISAGREEMENT
    found = "finds 0" if lie == "none-at-all" else "found another, which fails the check"
    assert verdict.reason == f"the backend claims 1 solution, second solver liar-{lie} {found}"


@pytest.mark.parametrize("fault", ["crash-at-once", "crash-after-one", "exits", "interrupted-in-colours"])
def test_one_that_breaks_has_no_opinion_and_the_next_is_asked(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Liar):
        def _open(self, model: Any) -> Any:
            raise BackendFailure(f"{fault}: no opinion")

    monkeypatch.setattr(witnesses, "second_opinions", lambda *_: iter([Broken(fault)]))
    assert verify(ONE).evidence.reference == "proof: checked"


def every_backend() -> list[Backend]:
    own = [Liar("honest"), CpSat({"num_workers": 2}), PySat("mine", "glucose3"), backends.find("dimacs:minisat -v")]
    return [*backends.all_backends(), *own]


@pytest.mark.parametrize("rules", [[], RULE])
def test_the_second_is_never_the_first(rules: list[str]) -> None:
    board = TWO.with_rules(rules)
    for first in [None, *every_backend()]:
        (second,) = witnesses.second_opinions(first, board)
        assert second is not first
        if first is not None:
            assert second.name != first.name
            assert second.origin != (first.origin or first.name)
        if rules and not isinstance(first and first.plain, CpSat):
            assert second.accepts == "cp-sat", "not even the clauses are the same"
    assert {one.origin for one in every_backend() if isinstance(one, PySat)} == {"cadical", "minisat"}


def test_nor_is_its_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    for encoding in map(catalog.load, catalog.names()):
        for witness in witnesses.witnesses(backends.find("cadical153"), encoding, TWO):
            assert not witness.name.endswith(f"/{encoding.name}")
    assert verify(ONE, "glucose4", "extended").evidence.reference == "second solver cadical153/triad: agrees"
    assert verify(ONE, "cp-sat").evidence.reference == "second solver minisat22/extended: agrees"
    assert verify(ONE, "reference").evidence.reference == "is the backend itself"


# ---- the proof -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [["0"], ["1 0", "0"], ["nonsense"], []])
def test_a_proof_that_does_not_follow_proves_nothing(steps: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.from_symbols(NINE, HARD)
    monkeypatch.setattr(witnesses, "second_opinions", lambda *_: iter(()))
    assert verify(board).evidence.reference == "proof: checked"
    monkeypatch.setattr(PySat, "refute", lambda *_: steps)
    verdict = verify(board)
    assert (verdict.status, verdict.evidence.reference) == (Status.UNIQUE, "undecided")
    assert str(verdict) == "unique; reference: undecided"


def test_a_proof_is_asked_for_only_where_it_is_short() -> None:
    assert [w.name for w in witnesses.witnesses(None, None, ONE, 10)][-1] == "proof"
    assert "proof" not in [w.name for w in witnesses.witnesses(None, None, ONE, witnesses.MOST_LEMMAS + 1)]
    assert list(witnesses.witnesses(None, None, Board.empty(Geometry.standard(36)))) == []


# ---- what it may cost ------------------------------------------------------------------------------------------------


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
    asked: list[float] = []

    def silent(board: Board, grids: Sequence[Grid], watch: Watch) -> Iterator[Grid]:
        asked.append(watch.limits.seconds or 0.0)
        raise BackendFailure("no opinion")

    others = [Witness("first", silent), Witness("second", silent)]
    assert cross_check(ONE, [], limits, others, seconds, answered) == ("undecided", [])
    first, second = asked
    assert 0 < second <= first <= most


def test_time_that_is_over_is_not_overdrawn() -> None:
    def late(board: Board, grids: Sequence[Grid], watch: Watch) -> Iterator[Grid]:
        pytest.fail("nobody asks")

    assert cross_check(ONE, [], NO_LIMITS, [Witness("late", late)], 1e-9) == ("undecided", [])
    parser = argparse.ArgumentParser()
    _options.add_cross_check(parser)
    assert parser.parse_args([]).cross_check_seconds == crosscheck.CROSS_CHECK_SECONDS
    with pytest.raises(InputError, match="0 seconds; expected a number above zero"):
        CrossCheck(seconds=0)


# ---- what is said ----------------------------------------------------------------------------------------------------


def test_the_words_go_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    verdict = verify(UNIQUE)
    name = "second solver minisat22/triad"
    assert str(verdict) == f"unique; {name}: agrees"
    assert verdict.evidence.opinion == told(verdict.evidence.reference) == (name, "agrees")
    assert name in verdict._repr_html_()
    assert main(["verify", "--json", UNIQUE, "--cross-check-seconds", "3"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["evidence"]["reference"] == f"{name}: agrees"
    assert f"; {name}: agrees 1" in err
    with pytest.raises(SystemExit, match="2"):
        main(["verify", UNIQUE, "--cross-check-seconds", "0"])


@pytest.mark.parametrize(("engine", "encoding"), [("lanes", "extended"), ("session", "triad")])
def test_bulk_has_the_same_witnesses(engine: Any, encoding: str) -> None:
    (record,) = verify_many([UNIQUE], engine=engine, cross_check="all")
    assert record.reference == f"second solver minisat22/{encoding}: agrees"
