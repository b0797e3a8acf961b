"""The contract of every kind of rule on boards whose digits are others than 1 to the order."""

from __future__ import annotations

from random import Random

import pytest

from core_samples import EVERYTHING
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import all_kinds
from gridproof.rules.rule import Rule
from rules.random_rules import ONLY_WITH_FULL_LINES, random_grid, random_rule

FOUR = Geometry.classic(2)
BOARDS = {
    "0-3": FOUR.with_digits(Digits(0, 3)),
    "1-6": FOUR.with_digits(Digits(1, 6)),
    "2-7": FOUR.with_digits(Digits(2, 7)),
    "0-5 on 3x4": Geometry.oblong(3, 4, Digits(0, 5), (1, 2)),
    "9-12": FOUR.with_digits(Digits(9, 12)),
}
ROUNDS = 100 if EVERYTHING else 8


def boards_for(kind: type[Rule]) -> dict[str, Geometry]:
    if kind.kind not in ONLY_WITH_FULL_LINES:
        return BOARDS
    return {name: geometry for name, geometry in BOARDS.items() if {*geometry.shape} == {geometry.symbol_count}}


every_kind = pytest.mark.parametrize("kind", all_kinds().values(), ids=lambda kind: kind.kind)


@every_kind
def test_the_model_means_what_the_rule_means_whatever_the_digits(kind: type[Rule]) -> None:
    random = Random(kind.kind)
    for name, geometry in boards_for(kind).items():
        grids = [random_grid(geometry, random) for _ in range(25)]
        for _ in range(ROUNDS):
            rule = random_rule(kind, geometry, random)
            primitives = list(rule.expand(geometry))
            for grid in grids:
                expanded = all(primitive.allows(grid) for primitive in primitives)
                assert expanded == rule.holds(geometry.digits.of(grid), geometry), (name, rule, grid)
            assert rule.sentence(geometry)


@every_kind
def test_what_is_impossible_at_a_glance_has_no_grid(kind: type[Rule]) -> None:
    random = Random(f"{kind.kind} bound")
    for name, geometry in boards_for(kind).items():
        for _ in range(ROUNDS):
            rule = random_rule(kind, geometry, random)
            grid = random_grid(geometry, random)
            if rule.holds(geometry.digits.of(grid), geometry):
                assert rule.impossible(geometry) is None, (name, rule, grid)
                wider = [1 << (symbol - 1) | random.getrandbits(geometry.symbol_count) for symbol in grid]
                assert rule.impossible(geometry, wider) is None, (name, rule, grid, wider)


@pytest.mark.parametrize(
    ("text", "held", "broken"),
    [
        ("killer 3 r1c1 r1c2", (0, 3), (1, 3)),
        ("even r1c1", (0, 1), (1, 0)),
        ("ratio r1c1 r1c2", (1, 2), (0, 2)),
        ("renban r1c1 r1c2", (1, 0), (0, 2)),
        ("regex 0[1-3] r1c1-r1c2", (0, 1), (1, 0)),
        ("relation a+b<2 r1c1-r1c2", (0, 1), (1, 2)),
        ("clauses x[r1c1=0]", (0, 1), (1, 2)),
        ("quadruple 0 r1c1 r1c2", (2, 0), (1, 2)),
        ("sandwich 3 row1", (0, 1, 2, 3), (0, 1, 3, 2)),
        ("x-sum 0 row1", (0, 1, 2, 3), (1, 0, 2, 3)),
        ("skyscraper 3 row1", (0, 1, 2, 3), (0, 2, 1, 3)),
        ("numbered-room 0 row1", (2, 0, 1, 3), (0, 2, 1, 3)),
        ("rellik 0 r1c1 r1c2", (1, 2), (0, 2)),
        ("sum-line 3 row1", (1, 2, 0, 3), (1, 0, 3, 2)),
    ],
)
def test_rules_are_about_digits_from_0_on(text: str, held: tuple[int, ...], broken: tuple[int, ...]) -> None:
    geometry = BOARDS["0-3"]
    (rule,) = Board.empty(geometry).with_rule(text).rules
    rest = (0,) * geometry.cell_count
    for digits, expected in ((held, True), (broken, False)):
        symbols = [geometry.digits.symbol(digit) for digit in (digits + rest)[: geometry.cell_count]]
        assert rule.holds(geometry.digits.of(symbols), geometry) is expected, digits
        assert all(primitive.allows(symbols) for primitive in rule.expand(geometry)) is expected, digits
