"""LRAT: what the checker accepts refutes, what certificates make is accepted, also by a naive checker of this file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core_samples import pigeons
from gridproof import backends
from gridproof.certificates.hints import refute_with_hints
from gridproof.certificates.lrat import NotRup, lrat
from gridproof.checker.findings import CheckerLimits, Clock, Refusal
from gridproof.checker.formula import Formula, ProofStep, check_lrat, objection_to
from gridproof.errors import Interrupted
from gridproof.limits import NO_LIMITS, Limits, Watch

Clauses = Sequence[Sequence[int]]
VARIABLES = 5

literals = st.integers(1, VARIABLES).flatmap(lambda v: st.sampled_from([v, -v]))
formulas = st.lists(st.lists(literals, min_size=1, max_size=3, unique_by=abs), max_size=25)


def naive(clauses: Clauses, proof: bytes) -> bool:
    """Return whether a proof in LRAT refutes clauses, by the words of the format and nothing else."""
    held = {number: set(clause) for number, clause in enumerate(clauses, 1)}
    for line in proof.decode().splitlines():
        number, *rest = line.split()
        if rest[0] == "d":
            for deleted in rest[1:-1]:
                del held[int(deleted)]
            continue
        numbers = [int(word) for word in rest]
        zero = numbers.index(0)
        true = {-literal for literal in numbers[:zero]}
        conflict = False
        for hint in numbers[zero + 1 : -1]:
            left = {literal for literal in held[hint] if -literal not in true}
            assert not conflict
            assert len(left) <= 1, line
            conflict = not left
            true |= left
        assert conflict, line
        held[int(number)] = set(numbers[:zero])
        if not numbers[:zero]:
            return True
    return False


def verdict(clauses: Clauses, proof: bytes, top: int = VARIABLES, limits: CheckerLimits | None = None) -> str:
    """``refuted``, or the code of the refusal."""
    try:
        check_lrat([tuple(clause) for clause in clauses], top, proof, limits or CheckerLimits(), Clock(60))
    except Refusal as refusal:
        return refusal.finding.code
    return "refuted"


def satisfiable(clauses: Clauses, variables: int = VARIABLES) -> bool:
    return any(
        all(any(values[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses)
        for values in product((False, True), repeat=variables)
    )


@pytest.mark.slow
@given(formulas, st.sampled_from(["cadical153", "glucose4"]))
def test_proofs_of_solvers(clauses: list[list[int]], name: str) -> None:
    steps = backends.find(name).refute(clauses)
    assert (steps is None) == satisfiable(clauses)
    assume(steps)
    try:
        proof = lrat(clauses, VARIABLES, steps or [], Watch(NO_LIMITS))
    except NotRup:
        assume(name != "glucose4")  # which writes no other steps
        raise
    assert naive(clauses, proof)
    assert verdict(clauses, proof) == "refuted"


@pytest.mark.slow
@given(formulas)
def test_proofs_with_hints(clauses: list[list[int]]) -> None:
    formula = Formula(VARIABLES, tuple(dict.fromkeys(map(tuple, clauses))))
    proof = refute_with_hints(formula, backends.find("cadical195"), NO_LIMITS, Watch(NO_LIMITS))
    assert (proof is None) == satisfiable(clauses)
    if proof is not None:
        assert naive(formula.clauses, proof)
        assert verdict(formula.clauses, proof) == "refuted"


@pytest.mark.parametrize("holes", [3, 4, 5])
@pytest.mark.parametrize("name", ["cadical153", "glucose4"])
def test_long_proofs(holes: int, name: str) -> None:
    clauses = pigeons(holes)
    top = max(abs(literal) for clause in clauses for literal in clause)
    steps = backends.find(name).refute(clauses)
    assert steps
    proof = lrat(clauses, top, steps, Watch(NO_LIMITS))
    assert naive(clauses, proof)
    assert verdict(clauses, proof, top) == "refuted"
    assert len(proof.splitlines()) <= len(steps) + top, "steps that nothing needs are left out"


@given(
    formulas, st.lists(st.tuples(st.lists(literals, max_size=3), st.lists(st.integers(-3, 30), max_size=4)), max_size=8)
)
def test_no_proof_refutes_what_is_satisfiable(
    clauses: list[list[int]], steps: list[tuple[list[int], list[int]]]
) -> None:
    assume(satisfiable(clauses))
    number, lines = len(clauses), []
    for more, hints in [*steps, ([], list(range(1, number + len(steps) + 1)))]:
        number += 1
        lines.append(f"{number} {' '.join(map(str, [*more, 0, *hints, 0]))}")
    assert verdict(clauses, "\n".join(lines).encode()) != "refuted"


SQUARE = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
GOOD = b"5 1 0 1 2 0\n6 2 0 5 3 0\n7 0 5 6 4 0\n"


@pytest.mark.parametrize(
    ("proof", "code"),
    [
        (GOOD, "refuted"),
        (GOOD.replace(b"\n7", b"\n6 d 1 2 3 0\n9"), "refuted"),
        (b"", "proof-incomplete"),
        (GOOD.replace(b"7 0 5 6 4 0\n", b""), "proof-incomplete"),
        (GOOD.replace(b"5 6 4", b"6 5 4"), "refuted"),
        (GOOD.replace(b"5 6 4", b"5 6 4 1"), "proof-step-not-implied"),
        (GOOD.replace(b"5 6 4", b"5 6 1"), "proof-step-not-implied"),
        (GOOD.replace(b"5 6 4", b"5 6 -4"), "proof-step-not-implied"),
        (GOOD.replace(b"5 6 4", b"5 0 4"), "bad-proof"),
        (GOOD.replace(b"5 1 0 1 2", b"5 1 0 1"), "proof-step-not-implied"),
        (GOOD.replace(b"5 1 0 1 2", b"5 -1 0 1 2"), "proof-step-not-implied"),
        (GOOD.replace(b"6 2", b"5 2"), "bad-proof"),  # an id that is used
        (GOOD.replace(b"5 1 0", b"4 1 0"), "bad-proof"),  # the id of a clause of the formula
        (GOOD.replace(b"5 1 0 1 2", b"5 6 1 0 1 2"), "bad-proof"),  # a further variable
        (GOOD.replace(b"\n7", b"\n6 d 5 0\n7"), "proof-step-not-implied"),
        (GOOD.replace(b"\n7", b"\n6 d 1 1 0\n7"), "bad-proof"),
        (GOOD.replace(b"\n7", b"\n6 d 9 0\n7"), "bad-proof"),
        (GOOD + b"8 1 0 5 0\n", "bad-proof"),  # after the end
        (b"5 1 0 1 2\n", "bad-proof"),
        (b"5 1 1 2 0\n", "bad-proof"),
        (b"c a comment\n" + GOOD, "bad-proof"),
        (b"5 +1 0 1 2 0\n", "bad-proof"),
        (b"5 1d 0 1 2 0\n", "bad-proof"),
        (b"5 " + b"9" * 5000 + b" 0 1 2 0\n", "bad-proof"),
        (b"5 " + b"1 " * 200_000 + b"0 1 2 0\n", "too-large"),
    ],
)  # fmt: skip
def test_lines(proof: bytes, code: str) -> None:
    assert verdict(SQUARE, proof) == code


def test_steps_are_counted_and_a_refusal_names_its_line() -> None:
    clauses = [tuple(clause) for clause in SQUARE]
    with_deletion = GOOD.replace(b"\n7", b"\n6 d 1 2 0\n7")
    assert check_lrat(clauses, 2, with_deletion, CheckerLimits(), Clock(60)) == 3, "a deletion is no step"
    with pytest.raises(Refusal) as refused:
        check_lrat(clauses, 2, GOOD.replace(b"6 2 0", b"6 3 0"), CheckerLimits(), Clock(60))
    assert refused.value.finding.line == 2


def test_a_hint_with_two_literals_left_is_refused() -> None:
    """1 or 2 and not 1 are satisfiable together; a reader of hints that takes any of two literals would refute them."""
    assert verdict([[1, 2], [-1]], b"3 0 1 2 0\n") == "proof-step-not-implied"
    step = ProofStep(3, False, (), [1, 2])
    assert objection_to(step, {1: (1, 2), 2: (-1,)}) == "hint 1 has more than one literal left"


small_clauses = st.lists(st.sampled_from([1, -1, 2, -2, 3, -3]), min_size=1, max_size=3, unique_by=abs).map(tuple)


@pytest.mark.slow
@settings(max_examples=400)
@given(st.lists(small_clauses, min_size=1, max_size=6), st.lists(small_clauses, max_size=1), st.data())
def test_a_step_without_objection_is_implied(
    clauses: list[tuple[int, ...]], added: list[tuple[int, ...]], data: st.DataObject
) -> None:
    held = dict(enumerate(clauses, 1))
    hints = data.draw(st.lists(st.sampled_from(sorted(held)), max_size=6))
    literals = added[0] if added else ()
    if not objection_to(ProofStep(9, False, literals, hints), held):
        assert not satisfiable([*clauses, *([-literal] for literal in literals)], variables=3)


def test_a_step_of_another_kind_is_refused() -> None:
    """RAT on 3: it follows from nothing, although it keeps the clauses satisfiable."""
    with pytest.raises(NotRup, match="the empty clause does not follow"):
        lrat([[1, 2], [1, -2]], 3, ["3 0", "0"], Watch(NO_LIMITS))
    with pytest.raises(NotRup, match="does not end"):
        lrat(SQUARE[:2], 3, ["1 0"], Watch(NO_LIMITS))


@pytest.mark.parametrize("clauses", [[[1], [-1]], [[]], [[1], [-1, 2], [-2]], [[1], [-1, 2, 3], [-2], [-3]]])
def test_formulas_that_fall_by_propagation_alone(clauses: Clauses) -> None:
    proof = lrat(clauses, 3, ["0"], Watch(NO_LIMITS))
    assert naive(clauses, proof)
    assert verdict(clauses, proof) == "refuted"


def test_time_is_limited() -> None:
    watch = Watch(Limits(seconds=1e-9))
    with pytest.raises(Interrupted):
        lrat(SQUARE, 2, ["1 0", "0"], watch)
    proof = b"".join(b"%d 1 0 1 2 0\n" % number for number in range(5, 1000))
    with pytest.raises(Refusal, match="too-slow"):
        check_lrat([tuple(clause) for clause in SQUARE], 2, proof, CheckerLimits(), Clock(-1.0))
