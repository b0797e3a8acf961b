"""Certificates of counts: every number of solutions, both ways to a proof, limits, and a list that people can read."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import ground_truth
from gridproof import Limits, backends, checker, parse, solutions
from gridproof.certificates import certify
from gridproof.certificates.certificate import Certificate
from gridproof.certificates.refutation import write_refutation
from gridproof.certificates.tree import TooManySteps, refute_by_tree
from gridproof.checker.findings import CheckerLimits, Clock
from gridproof.checker.formula import check_lrat
from gridproof.checker.machines import KINDS
from gridproof.errors import DisagreementError, Interrupted
from gridproof.limits import NO_LIMITS, Watch
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import all_kinds
from gridproof.trust.checked_board import NotCertified, state_for_checker
from rules.random_rules import random_rule

FOUR = Geometry.classic(2)
MANY = ".4.3..6....9.54..7..2......4...85............7.329..8..6..428......6.2.....8....."
"""A board with 2,361 solutions."""


def solutions_of(certificate: Certificate) -> list[str]:
    return certificate.files["solutions.txt"].decode("ascii").splitlines()


def accepted(certificate: Certificate, folder: Path) -> str:
    """Return the result of the check, in words."""
    report = checker.check(certificate.write(folder / "certificate"))
    assert report.accepted, str(report)
    return repr(report)


@pytest.mark.parametrize(
    ("board", "number"),
    [
        (Board.empty(FOUR), 288),
        (Board.empty(FOUR).with_clue(0, 1), 72),
        (Board.empty(FOUR).with_clue(0, 1).with_clue(1, 1), 0),
        (Board.empty(FOUR).with_rule("anti-king"), 0),
        (Board.empty(Geometry.latin(3)), 12),
        (Board.empty(Geometry.latin(1)), 1),
    ],
)
def test_every_number(board: Board, number: int, tmp_path: Path) -> None:
    certificate = certify(board, count=True)
    assert (certificate.claim, certificate.solutions) == ("count", number)
    found = ["".join(map(str, grid)) for grid in ground_truth.solutions(board)]
    assert solutions_of(certificate) == found
    assert f"{number} solution" in accepted(certificate, tmp_path)


def test_rules_of_every_kind(tmp_path: Path) -> None:
    random = Random(37)
    for name in sorted(KINDS):
        board = Board.empty(FOUR).with_clue(0, 1).with_rule(random_rule(all_kinds()[name], FOUR, random))
        certificate = certify(board, count=True)
        assert solutions_of(certificate) == ["".join(map(str, grid)) for grid in ground_truth.solutions(board)], name
        accepted(certificate, tmp_path / name)


def test_symbols_above_35_are_numbers(tmp_path: Path) -> None:
    n = 36
    grid = [(row + column) % n + 1 for row in range(n) for column in range(n)]
    certificate = certify(Board(Geometry.latin(n), (0, *grid[1:])), count=True)
    (line,) = solutions_of(certificate)
    assert [int(word) for word in line.split()] == grid
    assert "exactly 1 solution" in accepted(certificate, tmp_path)


@pytest.mark.slow
def test_thousands_of_solutions(tmp_path: Path) -> None:
    certificate = certify(MANY, count=True)
    assert certificate.solutions == 2361
    assert "exactly 2,361 solutions" in accepted(certificate, tmp_path)


def test_more_than_are_listed(tmp_path: Path) -> None:
    certificate = certify("1" + "." * 15, count=True, most=71)
    assert (certificate.claim, certificate.solutions) == ("at least", 71)
    assert "formula.cnf" not in certificate.files
    assert "stopped at 71" in certificate.files["claim.json"].decode()
    assert "at least 71 solutions" in accepted(certificate, tmp_path)
    assert certify("1" + "." * 15, count=True, most=72).claim == "count"


def test_limits() -> None:
    stopped = certify("." * 81, count=True, limits=Limits(solutions=3))
    assert (stopped.claim, stopped.solutions) == ("at least", 3)
    with pytest.raises(Interrupted):
        certify("." * 81, count=True, limits=Limits(seconds=1e-6))


def test_a_limit_during_the_proof_leaves_the_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    def run_out(*_: Any) -> None:
        raise Interrupted("seconds", 1)

    monkeypatch.setattr("gridproof.certificates.refutation.refute_by_tree", run_out)
    certificate = certify("1" + "." * 15, count=True)
    assert (certificate.claim, certificate.solutions) == ("at least", 72)
    assert '"no proof: stopped by the limit of 1 seconds"' in certificate.files["claim.json"].decode()


def test_a_backend_that_leaves_a_solution_out(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Pipeline.solutions
    monkeypatch.setattr(Pipeline, "solutions", lambda self, board: iter(list(honest(self, board))[1:]))
    with pytest.raises(DisagreementError, match="the checker's formula has a solution more: 12"):
        certify("1" + "." * 15, count=True)


def test_a_board_that_the_checker_cannot_state() -> None:
    with pytest.raises(NotCertified, match="65"):
        certify(Board.empty(Geometry.latin(65)), count=True, most=1)


# ---- the two ways to a proof ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["1" + "." * 15, "." * 16, "11" + "." * 14])
def test_a_tree_and_a_solver_refute_the_same_formula(line: str) -> None:
    board = parse(line)
    grids = sorted(solutions(board))
    stated = state_for_checker(board)
    formula = stated.formula(grids)
    by_solver = write_refutation(formula, backends.find("cadical153"), NO_LIMITS).files["proof.lrat"]
    by_tree = refute_by_tree(formula, stated.layout, grids, 10_000, Watch(NO_LIMITS))
    for proof in (by_solver, by_tree):
        assert check_lrat(formula.clauses, formula.variables, proof, CheckerLimits(), Clock(60)) > 0


def test_a_tree_that_grows_too_large_is_left_to_a_solver(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    board = parse("." * 16)
    grids = sorted(solutions(board))
    stated = state_for_checker(board)
    with pytest.raises(TooManySteps):
        refute_by_tree(stated.formula(grids), stated.layout, grids, 100, Watch(NO_LIMITS))
    by_tree = certify(board, count=True).files
    monkeypatch.setattr("gridproof.certificates.refutation.STEPS_OF_TREE", -4 * 288 + 100)
    certificate = certify(board, count=True)
    assert certificate.files["proof.lrat"] != by_tree["proof.lrat"]
    assert certificate.files["formula.cnf"] == by_tree["formula.cnf"]
    assert json.loads(by_tree["claim.json"])["made"]["prover"] == "a tree of gridproof"
    assert json.loads(certificate.files["claim.json"])["made"]["prover"].startswith("cadical195 ")
    assert "exactly 288 solutions" in accepted(certificate, tmp_path)


def test_the_proof_for_other_programs_has_the_same_clauses() -> None:
    files = certify("1" + "." * 15, count=True).files
    steps = files["proof.lrat"].decode().splitlines()
    expected = []
    for step in steps:
        words = step.split()[1:]
        expected.append(" ".join(words[: words.index("0") + 1]))
    assert files["proof.drat"].decode().splitlines() == expected
    assert expected[-1] == "0"
