"""The checker on boards of other digits and sides: its own reading of rules, its formula, and certificates."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from pysat.solvers import Solver

from gridproof.certificates.certify import certify
from gridproof.certificates.check import check
from gridproof.checker.findings import CheckerLimits, Refusal
from gridproof.checker.machines import KINDS
from gridproof.checker.statement import parse_geometry
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.rules import all_kinds
from gridproof.rules.rule import Rule
from gridproof.trust import reference
from gridproof.trust.checked_board import state_for_checker
from rules.random_rules import random_grid, random_rule

FOUR = Geometry.classic(2)
BOARDS = {
    "0-3": FOUR.with_digits(Digits(0, 3)),
    "0-5": FOUR.with_digits(Digits(0, 5)),
    "2-7": FOUR.with_digits(Digits(2, 7)),
    "3x4": Geometry.oblong(3, 4, Digits(0, 4), (1, 2)),
}
READ = [kind for kind in all_kinds().values() if kind.kind in KINDS and kind.kind not in ("lunchbox", "full-rank")]


@pytest.mark.parametrize("kind", READ, ids=lambda kind: kind.kind)
def test_the_checker_reads_each_kind_by_digits(kind: type[Rule]) -> None:
    random = Random(f"{kind.kind} checker")
    for name, geometry in BOARDS.items():
        for _ in range(5):
            rule = random_rule(kind, geometry, random)
            (read,) = state_for_checker(Board.empty(geometry).with_rule(rule)).rules
            for _ in range(12):
                digits = geometry.digits.of(random_grid(geometry, random))
                fits = all(part.fits(digits) for part in read.parts)
                assert fits == rule.holds(digits, geometry), (name, rule, digits)


RULES = {
    "0-3": ["killer 3 r1c1 r1c2 r2c2 repeats", "thermometer r4c1 r3c2 r2c3"],
    "0-5": ["killer 1 r1c1 r1c2", "whispers 3 r2c1-r2c4", "counting-circles r3c1 r3c3 r4c2", "skyscraper 3 row4"],
    "2-7": ["killer 5 r1c1 r1c2", "renban r2c1-r2c4", "sandwich 5 row3", "ratio r4c1 r4c2"],
    "3x4": ["killer 6 r1c1 r1c2 r1c3", "sum-line 4 row2", "arrow r3c1 / r3c2 r2c3"],
}


@pytest.mark.parametrize("name", BOARDS)
def test_the_formula_has_the_grids_that_the_reference_finds(name: str) -> None:
    board = Board.empty(BOARDS[name]).with_rules(RULES[name])
    truth = set(reference.solutions(board))
    assert truth
    forbidden = tuple(sorted(truth)[:3])
    for grids in ((), forbidden):
        assert models(board, grids) == truth - set(grids)


def models(board: Board, forbidden: tuple[SymbolTuple, ...]) -> set[SymbolTuple]:
    """The grids of the checker's formula."""
    n = board.geometry.symbol_count
    last = board.geometry.cell_count * n
    found = set()
    formula = state_for_checker(board).formula(forbidden)
    with Solver("cadical153", bootstrap_with=[list(clause) for clause in formula.clauses]) as solver:
        while solver.solve():
            true = [literal for literal in solver.get_model()[:last] if literal > 0]
            grid = tuple([(literal - 1) % n + 1 for literal in true])
            assert len(grid) == board.geometry.cell_count
            found.add(grid)
            solver.add_clause([-literal for literal in true])
    return found


@pytest.mark.parametrize("name", BOARDS)
def test_verdicts_on_other_digits_are_certified(name: str, tmp_path: Path) -> None:
    board = Board.empty(BOARDS[name]).with_rules(RULES[name])
    grid = next(reference.solutions(board))
    full = Board(board.geometry, grid[:-1] + (0,)).with_rules(RULES[name])
    none = full.with_clue(0, grid[0] % board.geometry.symbol_count + 1)
    for puzzle in (board, full, none):
        certificate = certify(puzzle)
        folder = tmp_path / f"{puzzle.clue_count}{puzzle is none}"
        certificate.write(folder)
        (report,) = check(folder)
        assert report.accepted, report
        geometry = json.loads((folder / "geometry.json").read_text(encoding="ascii"))
        assert geometry["digits"] == [board.geometry.digits.first, board.geometry.digits.last]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"digits": [0]}, "bad-geometry"),
        ({"digits": [5, 0]}, "bad-geometry"),
        ({"digits": [0, 2]}, "bad-geometry"),
        ({"digits": [-1, 4]}, "bad-geometry"),
        ({"rows": 0}, "bad-geometry"),
        ({"columns": True}, "bad-geometry"),
        ({"boxes": [3, 2]}, "bad-geometry"),
        ({"order": 4}, "bad-geometry"),
        ({"houses": [[0, 5, 10, 15, 1, 2, 3]]}, "bad-house"),
        ({"houses": [[]]}, "bad-house"),
    ],
)
def test_geometries_that_are_none_are_refused(changed: dict[str, object], code: str) -> None:
    stated = {"rows": 4, "columns": 4, "digits": [0, 5], "boxes": [2, 2], "regions": [], "houses": []} | changed
    with pytest.raises(Refusal) as refusal:
        parse_geometry(json.dumps(stated).encode(), CheckerLimits())
    assert refusal.value.finding.code == code
