"""Grades and costs of whole puzzles: one table, in which a harder step is never of an easier grade."""

from __future__ import annotations

import re
from math import log
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import gridproof
from gridproof.solving.grades import GRADES, grade_of
from gridproof.solving.rating import cost_of_rounds

COSTS = st.integers(10, 600).map(lambda tenths: tenths / 10)

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "rating.md"


@given(COSTS, COSTS)
def test_a_harder_step_is_never_of_an_easier_grade(one: float, other: float) -> None:
    assert (GRADES.index(grade_of(one)) > GRADES.index(grade_of(other))) <= (one > other)


def test_the_bound_of_a_grade_belongs_to_it() -> None:
    for grade in GRADES:
        assert grade_of(grade.most) is grade
    assert [grade_of(grade.most + 0.1) for grade in GRADES[:-1]] == list(GRADES[1:])


@given(st.lists(COSTS, min_size=1, max_size=40))
def test_the_cost_is_the_logarithm_of_a_sum_of_powers(costs: list[float]) -> None:
    hardest = max(costs)
    cost = cost_of_rounds(hardest, costs.count(hardest), costs)
    rounds = sum(4.0**one for one in costs)
    assert abs(cost - max(log(rounds, 4), hardest + costs.count(hardest) / 1000)) < 0.001


@given(st.lists(COSTS, max_size=40), COSTS)
def test_a_further_round_never_makes_a_puzzle_easier(costs: list[float], further: float) -> None:
    def cost(rounds: list[float]) -> float:
        hardest = max(rounds, default=0.0)
        return cost_of_rounds(hardest, rounds.count(hardest), rounds)

    assert cost([*costs, further]) >= cost(costs)


def test_many_rounds_of_a_kind_cost_more_but_singles_only_a_thousandth() -> None:
    assert cost_of_rounds(3.6, 4, [3.6] * 4) == 4.6
    assert cost_of_rounds(1.1, 99, []) == 1.199
    assert cost_of_rounds(1.1, 400, []) == 1.199
    assert cost_of_rounds(1000.0, 1, [1000.0, 999.0]) > 1000.1


def test_the_document_has_the_table_of_grades() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    bounds = [f"up to {grade.most:.1f}" for grade in GRADES[:-1]] + ["more"]
    assert rows == [(grade.name, bound, grade.needs) for grade, bound in zip(GRADES, bounds, strict=True)]


def test_a_rating_has_its_grade() -> None:
    rating = gridproof.rate("1... ..2. .3.. ...4")
    assert rating.grade == "easy"
    assert str(rating).startswith("easy: cost 1.0")
