"""The contract of every at-most-one scheme. The kit runs over every scheme found: brute force over a few literals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, count, product

import pytest

from gridproof.models import schemes
from gridproof.models.schemes import Scheme
from gridproof.models.variables import Clause

FOUND = list(schemes.all_schemes().values())
LITERALS = range(1, 7)
SIZES = [*range(1, 26), 64]

# The cost of a group of n literals, auxiliaries and clauses: as the sources state it, for PySAT's counted in PySAT 1.8.
COUNTED = {
    "pairwise": {4: (0, 6), 9: (0, 36), 16: (0, 120), 25: (0, 300)},
    "product": {4: (4, 10), 9: (6, 24), 16: (16, 52), 25: (20, 78)},
    "commander": {4: (2, 10), 9: (3, 24), 16: (8, 52), 25: (12, 82)},
    "bimander": {4: (1, 6), 9: (3, 31), 16: (3, 56), 25: (4, 112)},
    "by-size": {9: (0, 36), 16: (0, 120), 25: (24, 71)},
    "seqcounter": {4: (3, 8), 9: (8, 23), 16: (15, 44), 25: (24, 71)},
    "cardnetwrk": {4: (10, 16), 9: (35, 53), 16: (58, 88), 25: (99, 149)},
    "totalizer": {4: (8, 15), 9: (29, 66), 16: (64, 185), 25: (118, 419)},
}

every_scheme = pytest.mark.parametrize("scheme", FOUND, ids=lambda scheme: scheme.name)


def holds(clauses: Sequence[Sequence[int]], values: dict[int, bool]) -> bool:
    """Return whether some values of the other variables satisfy the clauses: by units, else by trying both."""
    left = [
        rest
        for clause in clauses
        if not any(values.get(abs(literal)) == (literal > 0) for literal in clause)
        for rest in [[literal for literal in clause if abs(literal) not in values]]
    ]
    if not all(left):
        return False
    if not left:
        return True
    unit = next((clause[0] for clause in left if len(clause) == 1), None)
    chosen = [unit] if unit else [left[0][0], -left[0][0]]
    return any(holds(left, {**values, abs(literal): literal > 0}) for literal in chosen)


def is_at_most_one(scheme: Scheme, literals: Clause) -> bool:
    """Return whether the clauses, seen from the literals alone, are true exactly where at most one literal is."""
    numbers = count(max(map(abs, literals)) + 1)
    clauses = [tuple(clause) for clause in scheme.at_most_one(literals, numbers.__next__)]
    return all(
        holds(clauses, {abs(x): (x > 0) == true for x, true in zip(literals, truth, strict=True)}) == (sum(truth) <= 1)
        for truth in product((False, True), repeat=len(literals))
    )


def test_names_and_sources() -> None:
    assert {"pairwise", "ladder", "seqcounter", "by-size"} <= set(schemes.all_schemes())
    for name, scheme in schemes.all_schemes().items():
        assert scheme.name == name
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name), "a name can be typed"
        assert re.search(r"\d{4}|folklore|measured", scheme.source), "a paper, with its year"
        assert schemes.find(name) is scheme


@every_scheme
@pytest.mark.parametrize("size", LITERALS)
def test_it_means_at_most_one(scheme: Scheme, size: int) -> None:
    assert is_at_most_one(scheme, tuple(range(1, size + 1)))
    # of whatever sign and number the literals are
    assert is_at_most_one(scheme, tuple(x * (-1) ** x for x in range(20, 20 - size, -1)))


@every_scheme
@pytest.mark.parametrize("size", SIZES)
def test_its_size_is_the_published_one(scheme: Scheme, size: int) -> None:
    template = scheme.template(size)
    used = {abs(x) for clause in template.clauses for x in clause}
    assert used - set(range(1, size + 1)) == set(range(size + 1, size + 1 + template.auxiliaries))
    if size in COUNTED.get(scheme.name, {}):
        assert (template.auxiliaries, len(template.clauses)) == COUNTED[scheme.name][size]


@every_scheme
@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_a_template_fits_any_literals(scheme: Scheme, size: int) -> None:
    literals = tuple(x * (-1) ** x for x in range(50, 50 + size))
    numbers = count(200)
    clauses = [tuple(clause) for clause in scheme.at_most_one(literals, numbers.__next__)]
    assert scheme.template(size).clauses_for(literals, 200) == clauses


def test_the_kit_catches_liars() -> None:
    def with_one_pair_too_few(literals: Sequence[int], new: object) -> Sequence[Clause]:
        return [(-a, -b) for a, b in combinations(literals, 2)][:-1]

    def with_one_literal_too_many(literals: Sequence[int], new: object) -> Sequence[Clause]:
        return [*[(-a, -b) for a, b in combinations(literals, 2)], tuple(literals)]

    pairwise = schemes.find("pairwise")
    assert is_at_most_one(pairwise, (1, 2, 3))
    for liar in (with_one_pair_too_few, with_one_literal_too_many):
        assert not is_at_most_one(replace(pairwise, at_most_one=liar), (1, 2, 3))
