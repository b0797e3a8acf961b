"""Houses that follow from the others: classes by symmetry, proofs that the checker accepts, grids against the rest."""

from __future__ import annotations

from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridproof.certificates.redundant_houses import (
    HOUSES,
    CounterGrids,
    HouseClass,
    all_classes,
    counter_grid,
    is_counter_grid,
    is_refuted,
    missing_symbol_formula,
    needed_pairs,
    pairs_of,
    redundant_classes,
    refute_counter_grid,
)
from gridproof.checker.findings import CheckerLimits, Clock, Refusal
from gridproof.checker.formula import check_lrat
from gridproof.errors import DisagreementError

PRIME = 1_000_003


def rank(houses: list[int]) -> int:
    """The rank of the houses as vectors over the 81 cells, by elimination modulo a prime."""
    rows = [[int(cell in HOUSES[number]) for cell in range(81)] for number in houses]
    found = 0
    for column in range(81):
        pivot = next((row for row in rows if row[column]), None)
        if pivot is None:
            continue
        found += 1
        rows.remove(pivot)
        inverse = pow(pivot[column], -1, PRIME)
        for row in rows:
            factor = row[column] * inverse % PRIME
            if factor:
                row[:] = [(a - factor * b) % PRIME for a, b in zip(row, pivot, strict=True)]
    return found


def test_classes_have_all_sets() -> None:
    for number in range(5):
        classes = all_classes(number)
        assert sum(one.size for one in classes) == comb(27, number)
        assert all(HouseClass.of(one.houses) == one for one in classes)


@given(houses=st.sets(st.integers(0, 26), max_size=8), seed=st.integers(0, 10**6))
@settings(max_examples=50, deadline=None)
def test_symmetry_keeps_the_class(houses: set[int], seed: int) -> None:
    random = Random(seed)
    rows, columns = [
        [3 * band + line for band in random.sample(range(3), 3) for line in random.sample(range(3), 3)]
        for _ in range(2)
    ]
    cells = {frozenset(HOUSES[number]) for number in houses}
    moved = [frozenset(rows[cell // 9] * 9 + columns[cell % 9] for cell in house) for house in cells]
    if random.random() < 0.5:
        moved = [frozenset(cell % 9 * 9 + cell // 9 for cell in house) for house in moved]
    numbers = {frozenset(house): number for number, house in enumerate(HOUSES)}
    assert HouseClass.of([numbers[house] for house in moved]) == HouseClass.of(houses)


def test_a_set_is_redundant_where_the_rank_stays() -> None:
    """Each chute gives one equation among houses, six in all; so 27 vectors have rank 21."""
    assert rank(list(range(27))) == 21
    for number in (1, 2, 3):
        redundant = set(redundant_classes(number))
        for one in all_classes(number):
            kept = [house for house in range(27) if house not in one.houses]
            assert (one in redundant) == (rank(kept) == 21)


def has_circle(houses: tuple[int, ...]) -> bool:
    """Whether houses close a circle, where a row joins its band with a root, a column its stack with it, and a box
    its band with its stack."""
    root = 6
    joined = list(range(7))
    for house in houses:
        box = house - 18
        a, b = (house // 3, root) if house < 18 else (box // 3, 3 + box % 3)
        if joined[a] == joined[b]:
            return True
        joined = [joined[a] if group == joined[b] else group for group in joined]
    return False


def test_a_set_is_redundant_where_it_closes_no_circle() -> None:
    """So the largest ones are trees over seven points. Kirchhoff's theorem counts 36 * 36 * 27 of them."""
    for number in (4, 5, 6):
        redundant = set(redundant_classes(number))
        for one in all_classes(number):
            assert (one in redundant) == (not has_circle(one.houses))
    assert 36 * 36 * 27 == 34_992


def test_six_may_go_and_no_seven() -> None:
    six = redundant_classes(6)
    assert len(six) == 39
    assert sum(one.size for one in six) == 34_992
    assert redundant_classes(7) == []
    for one in Random(6).sample(six, 10):
        assert rank([house for house in range(27) if house not in one.houses]) == 21


@pytest.mark.parametrize("houses", [one.houses for one in Random(1).sample(redundant_classes(4), 3)], ids=str)
def test_a_redundant_set_has_a_certificate(houses: tuple[int, ...]) -> None:
    assert is_refuted(houses)
    assert counter_grid(houses) is None


def test_classes_of_seven_have_a_grid_against_them() -> None:
    classes = all_classes(7)
    assert len(classes) == 623
    with CounterGrids() as search:
        for one in Random(7).sample(classes, 40):
            grid = search.counter_grid(one.houses)
            assert grid is not None
            assert is_counter_grid(grid, one.houses)


def test_a_proof_of_another_set_is_refused() -> None:
    proof = refute_counter_grid([0])["proof.lrat"]
    other = missing_symbol_formula([0, 3, 18])
    limits = CheckerLimits()
    with pytest.raises(Refusal):
        check_lrat(other.clauses, other.variables, proof, limits, Clock(limits.seconds))


def test_a_set_that_is_not_redundant_gets_no_certificate() -> None:
    with pytest.raises(DisagreementError):
        refute_counter_grid([0, 1])


def test_a_solution_is_no_grid_against_houses() -> None:
    grid = [(3 * row + row // 3 + column) % 9 + 1 for row in range(9) for column in range(9)]
    assert not is_counter_grid(grid, [0, 1])
    grid[0], grid[1] = grid[1], grid[0]
    assert is_counter_grid(grid, [9, 10])
    assert not is_counter_grid(grid, [9])


def test_no_inequality_follows_from_the_others_when_six_lines_went() -> None:
    kept = pairs_of(set(range(27)) - {0, 3, 6, 9, 12, 15})
    tried = Random(2).sample(sorted(kept), 20)
    needed = needed_pairs(kept, tried)
    assert sorted(needed) == sorted(tried)
    for pair, grid in needed.items():
        assert [(a, b) for a, b in kept if grid[a] == grid[b]] == [pair]
