"""The contract of proofs, on every backend: who offers them gives proofs that the checker accepts, the others refuse.

A proof is believed only if the whole certificate around it is accepted by ``gridproof.checker``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core_samples import pigeons
from gridproof import backends, checker, formats
from gridproof.backends import Backend
from gridproof.backends.solvers.pysat import PySat, _solver
from gridproof.certificates import certify
from gridproof.certificates.lrat import NotRup, lrat
from gridproof.checker.formula import ProofStep, objection_to
from gridproof.errors import BackendUnavailable, Interrupted
from gridproof.limits import NO_LIMITS, Limits, Watch

pytestmark = pytest.mark.slow

SAMPLE = (
    # minimal leaves most to the proof; triad leaves most to propagation, and has auxiliaries
    ("minimal", ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."),
    ("extended", "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"),
    ("extended", "...745...87...........1..32....7..9...1........7........2.5.4..5..1.......4...16."),
    ("triad", "........3..1.......2..4.5..........6"),
    ("minimal", "123434........1."),
    ("extended-seqcounter", "1.....2........3"),
)
"""Encodings and boards: 17 clues, hostile to search, without a solution, and small ones of all three claims."""

OFFERING = [backend for backend in backends.all_backends() if not backend.no_proofs()]
HINTING = [backend for backend in OFFERING if not backend.no_hints()]
REFUSING = [backend for backend in backends.all_backends() if backend.no_proofs()]


def refusals(backend: Backend, folder: Path) -> Iterator[str]:
    """The checker's objections to certificates with proofs of a backend."""
    for number, (encoding, line) in enumerate(SAMPLE):
        certificate = certify(formats.parse(line), backend, encoding, cross_check="none")
        report = checker.check(certificate.write(folder / str(number)))
        if not report.accepted:
            yield f"{line}, {encoding}: {report}"


def test_some_offer_proofs_and_some_do_not() -> None:
    assert {"cadical153", "glucose4"} <= {backend.name for backend in OFFERING}
    assert "cadical195" in {backend.name for backend in HINTING}
    assert {"lingeling", "maplesat", "minisat22", "cp-sat", "reference"} <= {backend.name for backend in REFUSING}


@pytest.mark.parametrize("backend", OFFERING, ids=lambda backend: backend.name)
class TestOffered:
    def test_the_checker_accepts_its_proofs(self, backend: Backend, tmp_path: Path) -> None:
        assert list(refusals(backend, tmp_path)) == []

    def test_a_proof_ends_with_the_empty_clause_and_holds_no_other(self, backend: Backend) -> None:
        for clauses in (pigeons(4), [[1], [-1]], [[1, 2], [-1, 2], [1, -2], [-1, -2]]):
            proof = backend.refute(clauses)
            assert proof is not None
            assert proof[-1] == "0"
            assert proof.count("0") == 1

    def test_what_can_be_satisfied_is_not_refuted(self, backend: Backend) -> None:
        assert backend.refute([[1, 2], [-1, 2]]) is None
        assert backend.refute(pigeons(3)[1:]) is None

    def test_the_same_clauses_give_the_same_proof(self, backend: Backend) -> None:
        assert backend.refute(pigeons(5)) == backend.refute(pigeons(5))

    def test_conflicts_are_limited(self, backend: Backend) -> None:
        with pytest.raises(Interrupted) as stop:
            backend.refute(pigeons(7), Limits(conflicts=10))
        assert stop.value.limit == "conflicts"

    def test_seconds_are_limited(self, backend: Backend) -> None:
        with pytest.raises(Interrupted) as stop:
            backend.refute(pigeons(12), Limits(seconds=0.05))
        assert stop.value.limit == "seconds"

    def test_enough_time_changes_nothing(self, backend: Backend) -> None:
        proof = backend.refute(pigeons(3), Limits(seconds=60, conflicts=100_000))
        assert proof is not None
        assert proof[-1] == "0"


@pytest.mark.parametrize("backend", HINTING, ids=lambda backend: backend.name)
class TestHints:
    def test_each_step_follows_by_its_hints(self, backend: Backend) -> None:
        for clauses in (pigeons(5), [[1], [-1]], [[1, 2], [-1, 2], [1, -2], [-1, -2]], [[1, 2], [-1], [3], [-2]]):
            held = {number: tuple(clause) for number, clause in enumerate(clauses, 1)}
            steps = backend.refute_with_hints(clauses)
            assert steps
            for step in steps:
                assert step.number == len(held) + 1
                assert objection_to(ProofStep(step.number, False, step.literals, step.hints), held) == ""
                held[step.number] = step.literals
            assert steps[-1].literals == ()

    def test_every_step_is_needed(self, backend: Backend) -> None:
        steps = backend.refute_with_hints(pigeons(5))
        assert steps
        used = {hint for step in steps for hint in step.hints}
        assert {step.number for step in steps[:-1]} <= used

    def test_what_can_be_satisfied_is_not_refuted(self, backend: Backend) -> None:
        assert backend.refute_with_hints([[1, 2], [-1, 2]]) is None
        assert backend.refute_with_hints([]) is None

    def test_limits_hold(self, backend: Backend) -> None:
        for limits in (Limits(conflicts=10), Limits(seconds=0.05)):
            with pytest.raises(Interrupted):
                backend.refute_with_hints(pigeons(12), limits)


def test_who_names_no_clauses_gives_a_reason() -> None:
    backend = PySat("glucose4")
    assert backend.no_hints() == "it does not name the clauses that a step follows from"
    with pytest.raises(BackendUnavailable, match="glucose4: it does not name"):
        backend.refute_with_hints([[1], [-1]])


@pytest.mark.parametrize("backend", REFUSING, ids=lambda backend: backend.name)
class TestNotOffered:
    def test_its_reason_is_stated(self, backend: Backend) -> None:
        reason = backend.no_proofs()
        assert reason
        with pytest.raises(BackendUnavailable) as refused:
            backend.refute([[1], [-1]])
        assert str(refused.value) == f"{backend.name}: {reason}"

    def test_it_proves_nothing(self, backend: Backend) -> None:
        with pytest.raises(BackendUnavailable, match="cadical153") as refused:
            certify(formats.parse("1..............."), prover=backend)
        assert str(refused.value).startswith(f"{backend.name} cannot prove: ")


@pytest.mark.parametrize("solver", [name for name, quirks in _solver.QUIRKS.items() if quirks.rejected])
def test_what_is_known_to_be_rejected_still_is(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """This also proves that the kit finds a backend that should not be offered."""
    backend = PySat(solver)
    if backend.unavailable() or _solver.trial(solver, ((1,), (-1,)), with_proof=True)[1]:
        pytest.skip(f"this PySAT has no {solver} that logs proofs")
    monkeypatch.delitem(_solver.QUIRKS, solver)
    assert backend.no_proofs() is None
    clauses = pigeons(4)
    steps = backend.refute(clauses)
    assert steps
    with pytest.raises((NotRup, IndexError)):
        lrat(clauses, max(abs(x) for clause in clauses for x in clause), steps, Watch(NO_LIMITS))
