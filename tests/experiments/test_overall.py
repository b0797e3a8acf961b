"""The table over all sets, the tests of its ranks, the spread among seeds, the choice of columns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations, product
from math import inf
from pathlib import Path
from random import Random
from statistics import stdev

import pytest

from experiments.test_compare import record, timed
from gridproof.cli import main
from gridproof.errors import InputError
from gridproof.experiments import Comparison, RunRecord
from gridproof.experiments.records import NOT_APPLICABLE
from gridproof.experiments.significance import (
    can_test_ranks,
    critical_difference,
    friedman_test,
    mean_ranks,
    range_probability,
)

# ---- the tests of ranks ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setups", "quantile"),
    [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (7, 2.949), (8, 3.031), (9, 3.102), (10, 3.164)],
)
def test_the_critical_difference_has_the_published_quantiles(setups: int, quantile: float) -> None:
    """Table 5 of Demsar 2006, for 5 %."""
    sets = 14
    made = critical_difference(setups, sets) / (setups * (setups + 1) / (6 * sets)) ** 0.5
    assert made == pytest.approx(quantile, abs=0.0011)


def test_the_range_of_normal_values_is_as_drawn() -> None:
    random = Random(1)
    within = 0
    for _ in range(20_000):
        values = [random.gauss(0, 1) for _ in range(4)]
        within += max(values) - min(values) < 2.5
    assert range_probability(2.5, 4) == pytest.approx(within / 20_000, abs=0.012)


def spread(ranks: Sequence[Sequence[float]]) -> float:
    """The sum of the squares of the sums of ranks, which grows as Friedman's statistic does."""
    total = 0.0
    for column in zip(*ranks, strict=True):
        total += sum(column) ** 2
    return total


@pytest.mark.parametrize(
    "ranks",
    [
        [(1, 2, 3), (1, 2, 3), (1, 3, 2), (1, 2, 3)],
        [(1, 2, 3), (1, 3, 2), (2, 1, 3), (3, 2, 1)],
        [(1.5, 1.5, 3), (1, 2, 3), (1.5, 1.5, 3), (2, 2, 2)],
    ],
)
def test_friedmans_probability_is_that_of_all_permutations(ranks: list[tuple[float, ...]]) -> None:
    everything = list(product(*[list(permutations(of_set)) for of_set in ranks]))
    as_far = sum(spread(one) >= spread(ranks) - 1e-9 for one in everything)
    assert friedman_test(ranks) == pytest.approx(as_far / len(everything), abs=0.015)


def test_few_sets_are_not_tested() -> None:
    assert [can_test_ranks(*pair) for pair in ((2, 5), (2, 6), (3, 4), (3, 5), (1, 50))] == [False, True] * 2 + [False]
    assert mean_ranks([3, 1, 1, 1]) == [4, 2, 2, 2]


# ---- the table over all sets -----------------------------------------------------------------------------------------


def on_sets(number: int) -> list[RunRecord]:
    """On each set alpha solves one puzzle in 1 s, beta two in 4 s, gamma two in 5 s; delta takes set 0 alone."""
    runs = []
    for place in range(number):
        for backend, times in (("alpha", (1.0, inf)), ("beta", (4.0, 4.0)), ("gamma", (5.0, 5.0))):
            for puzzle, seconds in enumerate(times, 1):
                runs.append(timed(seconds, puzzle=puzzle, puzzle_set=f"set{place}", backend=backend))
        for puzzle in (1, 2):
            delta = {"puzzle": puzzle, "puzzle_set": f"set{place}", "backend": "delta"}
            refused = record(verdict=NOT_APPLICABLE, solution="", reason="too large", **delta)
            runs.append(refused if place else timed(0.5, **delta))
    return runs


def test_all_sets_are_ranked_by_solved_then_by_time() -> None:
    (overall,) = Comparison.of(on_sets(5)).overall()
    found = [(row.setup.backend, row.solved, row.instances, row.par) for row in overall.rows]
    assert found == [("beta", 10, 10, 4.0), ("gamma", 10, 10, 5.0), ("alpha", 5, 10, 10.5)]
    assert [row.rank for row in overall.rows] == [1.0, 2.0, 3.0]
    assert [row.ratio for row in overall.rows] == [1.0, 1.25, 10.5 / 4]
    assert overall.left_out == ("delta/extended",)
    assert overall.probability is not None
    assert overall.probability < 0.005, "by chance 6 of 6 ** 5"
    assert overall.critical_difference == pytest.approx(2.343 * (12 / 30) ** 0.5, abs=0.001)
    (few,) = Comparison.of(on_sets(4)).overall()
    assert few.probability is few.critical_difference is None
    assert Comparison.of(on_sets(1)).overall() == [], "one set has its own table"


def test_a_large_set_counts_by_its_puzzles() -> None:
    runs = [timed(1.0, puzzle=puzzle, puzzle_set="large") for puzzle in range(9)] + [timed(6.0, puzzle_set="small")]
    (overall,) = Comparison.of(runs).overall()
    assert overall.rows[0].par == pytest.approx(1.5)


def test_the_table_over_all_sets_is_in_every_form() -> None:
    comparison = Comparison.of(on_sets(5))
    text = comparison.text()
    assert "all 5 sets: 10 puzzles, cold, limit 10 s" in text
    assert "Not run on every set, so left out: delta/extended." in text
    assert "The ranks differ significantly (Friedman's test, p = " in text
    assert "Two setups differ if their ranks are 1.48 apart" in text
    assert "4 sets are too few to test the ranks" in Comparison.of(on_sets(4)).text()
    assert all(len(line) <= 100 for line in text.splitlines())
    assert "| beta/extended | 10/10 | 4.00 | 1.00 | 1.00 |" in comparison.to_markdown()
    assert r"\label{tab:overall-cold}" in comparison.to_latex()
    assert "beta/extended & 10/10 & 4.00 & 1.00 & 1.00" in comparison.to_latex()
    last = json.loads(comparison.to_json())[-1]
    assert (last["sets"][0], last["rows"][0]["solved"], last["factor"]) == ("set0", 10, 2)


def test_the_factor_of_the_limit_may_be_chosen() -> None:
    comparison = Comparison.of(on_sets(2))
    alpha = {row.setup.backend: row for row in comparison.overall(par=10)[0].rows}["alpha"]
    assert alpha.par == (1.0 + 100.0) / 2
    text = comparison.text(par=10)
    assert "PAR-2" not in text
    assert "PAR-10: mean time, a puzzle not solved in time counts 10 times the limit" in text
    assert "PAR-10: mean, unsolved puzzles count 10 times the limit" in comparison.to_latex(par=10)
    by_hand = {row.setup.backend: row.marginal for row in comparison.rankings(par=10)[1].rows}
    assert by_hand == {"alpha": 1.5, "beta": 0.5, "gamma": 0.0}


# ---- seeds and columns -----------------------------------------------------------------------------------------------


def with_seeds() -> Comparison:
    """Three seeds, two rounds, two puzzles: the means of the seeds are 1, 2 and (3 + 20) / 2 seconds."""
    runs = []
    for seed, times in enumerate(((1.0, 1.0), (2.0, 2.0), (3.0, inf))):
        for puzzle, seconds in enumerate(times, 1):
            for repeat in (0, 1):
                runs.append(timed(seconds, puzzle=puzzle, solver_seed=seed, repeat=repeat))
    runs.append(timed(1.0, puzzle=1, solver_seed=3))
    runs += [timed(1.0, puzzle=puzzle, backend="beta") for puzzle in (1, 2)]
    return Comparison.of(runs)


def test_the_spread_among_seeds_is_reported() -> None:
    beta, alpha = with_seeds().summaries()
    assert alpha.by_seed == {0: (2, 1.0), 1: (2, 2.0), 2: (1, 11.5)}, "seed 3 was not run on both puzzles"
    assert alpha.seed_deviation == pytest.approx(stdev([1.0, 2.0, 11.5]))
    assert (beta.by_seed, beta.seed_deviation) == ({}, None)
    line = "standard deviation of PAR-2 among seeds: alpha/extended 5.80 s (3 seeds, each solves 1 to 2)"
    assert line in with_seeds().text()
    assert "| sd of seeds [s] |" in with_seeds().to_markdown()
    assert "sd of seeds" not in Comparison.of(on_sets(2)).to_markdown().lower()
    two_sets = [replace(run, puzzle_set=name) for name in "ab" for run in with_seeds().records]
    (overall,) = Comparison.of(two_sets).overall()
    assert overall.rows[1].seed_deviation == pytest.approx(stdev([1.0, 2.0, 11.5]))


def test_columns_may_be_chosen() -> None:
    comparison = Comparison.of(on_sets(2))
    head = comparison.text(columns="Solved, PAR-10, rank").splitlines()[1].split()
    assert head == ["setup", "solved", "PAR-2"], "a table has the factor that it is made with"
    assert "setup           solved  rank" in comparison.text(columns="solved,p"), "its remarks are about the ranks"
    rows = [line for line in comparison.to_latex(columns="solved,p").splitlines() if line.endswith(r"\\")]
    assert rows[0] == r"setup & solved & p \\"
    assert "Shapley" not in comparison.to_latex(columns="solved,p")
    with pytest.raises(InputError, match=r"--columns 'solved,medain': 'medain'; did you mean median\?"):
        comparison.to_markdown(columns="solved,medain")


def test_the_command_takes_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs, table = tmp_path / "runs.csv", tmp_path / "t.tex"
    Comparison.of(on_sets(2)).write(runs)
    command = ["compare", "--from", str(runs), "--par", "10", "--columns", "solved,par", "--table", str(table)]
    assert main(command) == 0
    assert "setup           solved  PAR-10\n" in capsys.readouterr().out
    assert r"setup & solved & PAR-10 [s] \\" in table.read_text(encoding="utf-8")
    assert main(["compare", "--from", str(runs), "--columns", "colour"]) == 2
    assert "'colour'; expected one of setup, solved, par" in capsys.readouterr().err
    assert main(["compare", "--paper", "encoding-sizes", "--par", "10"]) == 2
    assert "expected no --par" in capsys.readouterr().err
