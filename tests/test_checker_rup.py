"""The propagator and the proof check, against slow versions that are nothing but their definitions."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from checker_maker import refutation
from gridproof.checker.findings import Clock, Limits, Refusal
from gridproof.checker.rup import Propagator, check_proof

Clauses = list[list[int]]
VARIABLES = 6

literals = st.integers(1, VARIABLES).flatmap(lambda v: st.sampled_from([v, -v]))
clauses_of = st.lists(st.lists(literals, min_size=1, max_size=4), max_size=24)


def loaded(clauses: Clauses, variables: int = VARIABLES) -> Propagator:
    held = Propagator(variables)
    held.load([list(clause) for clause in clauses], deletable=True)
    return held


def closure(clauses: Clauses, assumed: list[int]) -> set[int] | None:
    """Unit propagation by its definition; ``None`` for a conflict."""
    true = set(assumed)
    while True:
        if any(-literal in true for literal in true):
            return None
        before = len(true)
        for clause in clauses:
            rest = {literal for literal in clause if -literal not in true}
            if not rest:
                return None
            if len(rest) == 1:
                true |= rest
        if len(true) == before:
            return true


def has_rup(clauses: Clauses, clause: list[int]) -> bool:
    return closure(clauses, [-literal for literal in clause]) is None


def has_rat(clauses: Clauses, clause: list[int]) -> bool:
    pivot = clause[0]
    others = [other for other in clauses if not any(-x in other for x in other)]  # what is always true says nothing
    resolvents = [clause + [x for x in other if x != -pivot] for other in others if -pivot in other]
    return all(has_rup(clauses, resolvent) for resolvent in resolvents)


def satisfiable(clauses: Clauses, variables: int = VARIABLES) -> bool:
    return any(
        all(any(values[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses)
        for values in product([False, True], repeat=variables)
    )


@settings(max_examples=120, deadline=None)
@given(clauses_of, st.lists(st.lists(literals, max_size=4), min_size=1, max_size=6))
def test_implied_is_rup(clauses: Clauses, asked: Clauses) -> None:
    held = loaded(clauses)
    for _ in range(2):  # asking leaves nothing behind
        for clause in asked:
            assert held.implied(clause) == has_rup(clauses, clause)
    for clause in asked:
        if len(clause) == 1:
            found = held.consequences(clause[0])
            assert found == closure(clauses, clause)


@example([[3]], [("delete", [], 0), ("add", [-1, 3], 0), ("rat", [1], 0)])
@settings(max_examples=120, deadline=None)
@given(clauses_of, st.lists(st.tuples(st.sampled_from(["add", "delete", "ask", "rat"]), st.lists(literals, max_size=4),
                                      st.integers(0, 40)), max_size=25))  # fmt: skip
def test_adding_and_deleting(clauses: Clauses, steps: list[tuple[str, list[int], int]]) -> None:
    """Any sequence of steps. What is held may be more than the naive set (units stay), never more than what follows
    from all that was ever added, and never less than the naive set."""
    held = loaded(clauses)
    now, ever = [list(clause) for clause in clauses], [list(clause) for clause in clauses]
    units = set(closure(now, []) or ())  # what was fixed once, and stays
    for what, clause, index in steps:
        if what == "add":
            held.add(list(clause))
            now.append(clause)
            ever.append(clause)
            units |= closure([*now, *([unit] for unit in units)], []) or set()
        elif what == "delete" and now:
            gone = now.pop(index % len(now))
            held.delete(gone[::-1])
        elif what == "ask":
            found = held.implied(clause)
            assert found or not has_rup(now, clause)
            assert not found or has_rup(ever, clause)
        elif what == "rat" and clause and not held.implied(clause):
            found = held.redundant(clause, Clock(60))
            assert not found or has_rat([*now, *([unit] for unit in units)], clause)
            if len(now) == len(ever) and not any(-x in other for other in clauses for x in other):
                assert found == has_rat(now, clause)


@settings(max_examples=120, deadline=None)
@given(clauses_of, st.lists(st.lists(literals, min_size=1, max_size=3), max_size=12))
def test_no_proof_refutes_what_is_satisfiable(clauses: Clauses, steps: Clauses) -> None:
    """Soundness, head on: random steps, with the empty clause after each."""
    held = loaded(clauses)
    for step in steps:
        if held.implied(step) or held.redundant(step, Clock(60)):
            held.add(step)
    if held.implied([]):
        assert not satisfiable(clauses)


def verdict(clauses: Clauses, proof: bytes, variables: int) -> str:
    held = loaded(clauses, variables)
    try:
        check_proof(held, proof, "proof", Limits(), Clock(60))
    except Refusal as refusal:
        return refusal.finding.code
    return "accepted"


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(1, 8).flatmap(lambda v: st.sampled_from([v, -v])), min_size=2, max_size=3,
                         unique_by=abs), min_size=40, max_size=60), st.data())  # fmt: skip
def test_solvers_proofs_of_random_formulas(clauses: Clauses, data: st.DataObject) -> None:
    clauses = [list(clause) for clause in dict.fromkeys(tuple(sorted(clause)) for clause in clauses)]
    with Solver("m22", bootstrap_with=clauses) as solver:
        contradictory = not solver.solve()
    if contradictory:
        name = data.draw(st.sampled_from(["cadical103", "cadical153", "cadical195", "glucose4", "lingeling"]))
        proof = refutation(clauses, name)
        assert verdict(clauses, proof, 8) == "accepted"
    else:
        other = data.draw(st.lists(st.sampled_from(["1 0", "-1 0", "2 3 0", "-2 0", "4 0", "d 1 2 0"]), max_size=5))
        assert verdict(clauses, "\n".join([*other, "0", ""]).encode(), 8) != "accepted"


def pigeons(holes: int) -> tuple[Clauses, int]:
    """One pigeon more than holes: pigeon p sits in hole h is variable p * holes + h + 1."""
    clauses = [[p * holes + h + 1 for h in range(holes)] for p in range(holes + 1)]
    for h in range(holes):
        clauses += [[-(p * holes + h + 1), -(q * holes + h + 1)] for p, q in combinations(range(holes + 1), 2)]
    return clauses, (holes + 1) * holes


def cooks_proof(holes: int) -> bytes:
    """Cook's proof by extension: reduces n + 1 pigeons to n, defining a new variable for each pigeon and hole left.

    q(p, h) is true if p sits in h, or if p sits in the last hole and the last pigeon in h. Each definition is three
    clauses that do not follow but have RAT on the new variable, which has to come first.
    """
    lines: list[list[int]] = []
    name = {(p, h): p * holes + h + 1 for p in range(holes + 1) for h in range(holes)}
    top = (holes + 1) * holes
    for size in range(holes, 1, -1):  # pigeons 0 .. size in holes 0 .. size - 1
        new: dict[tuple[int, int], int] = {}
        for p in range(size):
            for h in range(size - 1):
                top += 1
                new[p, h] = q = top
                lines.append([q, -name[p, h]])
                lines.append([q, -name[p, size - 1], -name[size, h]])
                lines.append([-q, name[p, h], name[p, size - 1]])
                lines.append([-q, name[p, h], name[size, h]])
        for p in range(size):
            lines.append([-name[p, size - 1], *(new[p, h] for h in range(size - 1))])
            lines.append([new[p, h] for h in range(size - 1)])
        for h in range(size - 1):
            for p, r in combinations(range(size), 2):
                lines.append([-new[p, h], -new[r, h], -name[p, h]])
                lines.append([-new[p, h], -new[r, h]])
        name = new
    lines.append([])
    return "".join(" ".join(map(str, [*line, 0])) + "\n" for line in lines).encode()


@pytest.mark.parametrize("holes", [3, 4, 6])
def test_a_proof_by_extension(holes: int) -> None:
    """New variables, and RAT: resolution has no short proof here, extended resolution has."""
    clauses, variables = pigeons(holes)
    proof = cooks_proof(holes)
    held = loaded(clauses, variables)
    counts = check_proof(held, proof, "proof", Limits(), Clock(60))
    assert counts["by RAT"] > 0
    # with the pivot last, the same clauses have no RAT on their first literal
    turned = b"".join(b" ".join([*line.split()[-2::-1], b"0"]) + b"\n" for line in proof.splitlines())
    assert verdict(clauses, turned, variables) == "proof-step-not-implied"
    # one pigeon fewer, and the pigeons fit: no proof may pass
    seated = clauses[:holes] + clauses[holes + 1 :]
    assert verdict(seated, proof, variables) == "proof-step-not-implied"


def test_a_definition_of_a_variable_in_use_is_no_definition() -> None:
    assert verdict([[1, 2], [-1, 2]], b"-2 1 0\n0\n", 2) == "proof-step-not-implied"
    assert verdict([[1, 2, 3], [-3]], b"3 0\n0\n", 3) == "proof-step-not-implied"


def test_deletions() -> None:
    clauses = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
    assert verdict(clauses, b"2 0\n0\n", 2) == "accepted"
    assert verdict(clauses, b"d 2 -1 0\n2 0\n0\n", 2) == "proof-step-not-implied"
    assert verdict(clauses, b"2 0\nd 2 0\n0\n", 2) == "accepted"  # what propagation has fixed stays fixed
    assert verdict(clauses, b"d 1 2 3 0\n2 0\n0\n", 3) == "accepted"  # not held: nothing to delete
    twice = [*clauses, [2, 1]]
    assert verdict(twice, b"d 1 2 0\n2 0\n0\n", 2) == "accepted"  # the other copy is left
    assert verdict(twice, b"d 1 2 0\nd 2 1 0\n2 0\n0\n", 2) == "proof-step-not-implied"


@pytest.mark.parametrize("more", [b"garbage after the end\n", b"0\n", b"1 0\n", b"d 1 2 0\n", b" 0", b"s VERIFIED"])
def test_nothing_but_comments_comes_after_the_empty_clause(more: bytes) -> None:
    clauses = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
    assert verdict(clauses, b"2 0\n0\n" + more, 2) == "bad-proof"
    assert verdict(clauses, b"2 0\n0\n\nc nothing\n" + more, 2) == "bad-proof"
    assert verdict(clauses, b"2 0\n0\n\nc nothing\n", 2) == "accepted"


def test_the_limits_of_a_proof() -> None:
    clauses = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
    held = loaded(clauses, 2)
    growing = b"".join(b"%d %d %d 0\n" % (v, v + 1, v + 2) for v in range(3, 99))
    with pytest.raises(Refusal, match="too-large"):
        check_proof(held, growing, "proof", Limits(literals=50), Clock(60))
    with pytest.raises(Refusal, match="bad-proof"):
        check_proof(loaded(clauses, 2), b"1000 0\n", "proof", Limits(variables=999), Clock(60))
