"""Rules on whole boards: counts that others published, contradictions, and every backend that takes boards."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ground_truth
from core_samples import usable_backends
from gridproof.backends.models import compile_model, default_encoding
from gridproof.backends.protocol import Backend
from gridproof.errors import BackendUnavailable, InputError
from gridproof.models import catalog
from gridproof.models.targets.cp_sat import CpSatModel
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import all_kinds, thermometer
from gridproof.rules.kinds.killer import Killer
from gridproof.trust import reference
from rules.random_rules import SHAPES, random_rule

FOUR, SIX, NINE = Geometry.classic(2), Geometry.classic(2, 3), Geometry.classic(3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "number"), [("anti-knight", 24), ("anti-king", 0), ("non-consecutive", 0), ("disjoint-groups", 168)]
)
def test_four_by_four_counts(rule: str, number: int) -> None:
    board = Board.empty(FOUR).with_rule(rule)
    assert reference.count(board) == len(list(ground_truth.solutions(board))) == number
    for backend in ("cadical153", "cp-sat"):
        with Pipeline(backend) as pipe:
            counted = pipe.count(board)
        assert (counted.number, counted.complete, counted.evidence.reference.word) == (number, True, "agrees")


@pytest.mark.parametrize(
    ("geometry", "rules", "number"),
    [
        (SIX.with_diagonals(), [], 8640),
        (SIX, ["anti-knight"], 11520),
        (SIX, ["anti-king"], 74160),
        (SIX, ["non-consecutive"], 48),
        (NINE, ["anti-knight", "anti-king", "non-consecutive"], 72),
    ],
    ids=str,
)
def test_counts_of_larger_boards(geometry: Geometry, rules: list[str], number: int) -> None:
    """Grids of order 6 are counted with the first row fixed where symbols may be renamed: 6! times as many in all."""
    renamed = geometry.order == 6 and "non-consecutive" not in rules
    first = tuple(range(1, 7)) if renamed else ()
    board = Board(geometry, (*first, *[0] * (geometry.cell_count - len(first)))).with_rules(rules)
    if not rules:
        assert reference.count(board) * 720 == number
    with Pipeline(cross_check="none") as pipe:
        assert pipe.count(board).number * (720 if renamed else 1) == number


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        ("killer row1 r2c1", "10 cells cannot all differ with 9 symbols"),
        ("killer 3 r1c1 r1c2 r1c3", "3 cells reach sums from 6 to 24 only"),
        ("little-killer 28 r1c2 r2c1 r3c3", "3 cells reach sums from 6 to 24 only"),
        ("thermometer r1c1-r1c9 r2c9", "it leaves no symbol for a cell"),
        ("arrow r1c1 / r1c2-r1c6", "reach sums from"),
        ("quadruple 5 5 5 5 5 r1c1 r1c2 r2c1 r2c2", ""),
        ("xv 40 r1c1 r1c2", "it leaves no symbol for a cell"),
        ("sandwich 99 row1", ""),
        ("renban row1 r2c1", "10 cells cannot all differ"),
    ],
)
def test_a_rule_that_cannot_hold_makes_a_board_with_a_contradiction(rule: str, problem: str) -> None:
    board = Board.empty(NINE).with_rule(rule)
    contradictions = [c for c in board.contradictions() if c.kind == "rule"]
    assert contradictions
    sentence = board.rules[0].sentence(NINE)
    assert contradictions[0].message.startswith(sentence)
    assert problem in contradictions[0].message
    with Pipeline(cross_check="none") as pipe:
        verdict = pipe.verify(board)
    assert str(verdict.status) == "none"


@pytest.mark.parametrize("backend", usable_backends(), ids=lambda backend: backend.name)
def test_every_backend_takes_a_rule_or_refuses_it_by_name(backend: Backend) -> None:
    without = Board.from_symbols(FOUR, "1234" + "." * 12)
    board = without.with_rules(["killer 5 r2c1 r3c1", "thermometer r2c3 r2c4"])
    assert reference.count(without) > reference.count(board) > 0
    model = compile_model(board.problem, backend, default_encoding(backend, board.problem))
    if backend.refuses(board.problem):
        refusal = f"^{backend.name}: .*the killer cage r2c1 r3c1 sums to 5"
        with pytest.raises(BackendUnavailable, match=refusal):
            backend.open(model)
        return
    with backend.open(model) as session:
        assert sorted(session.solutions(board)) == list(ground_truth.solutions(board))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SHAPES[2:]), st.randoms(use_true_random=False), st.integers(0, 3), st.booleans())
def test_the_reference_finds_what_the_plain_ground_truth_finds(geometry, random, rules, marked) -> None:  # type: ignore[no-untyped-def]
    kinds = list(all_kinds().values())
    clues = [random.randint(1, geometry.order) if random.random() < 0.15 else 0 for _ in range(geometry.cell_count)]
    full = (1 << geometry.order) - 1
    marks = [random.randint(1, full) if random.random() < 0.3 else full for _ in clues] if marked else None
    board = Board(geometry, tuple(clues), marks=None if marks is None else tuple(marks))
    board = board.with_rules(random_rule(random.choice(kinds), geometry, random) for _ in range(rules))
    assert sorted(reference.solutions(board)) == list(ground_truth.solutions(board))


def test_two_symbols_with_one_place_end_the_reference() -> None:
    marks = [0b1111] * 16
    marks[1] = marks[2] = marks[3] = 0b0011
    board = Board(FOUR, (0,) * 16, marks=tuple(marks)).with_rule("odd r4c4")
    assert list(reference.solutions(board)) == []


def test_a_cp_sat_model_that_is_sent_keeps_its_rules() -> None:
    model = CpSatModel(Board.empty(FOUR).with_rule("killer 5 r1c1 r2c2").problem, catalog.load("exactly-one"))
    again = pickle.loads(pickle.dumps(model))
    assert again.problem == model.problem
    assert again.sizes == model.sizes


def test_a_range_of_letters_of_either_case_is_one_of_symbols() -> None:
    """``re`` alone would take every capital letter to lie between 1 and a."""
    board = Board.empty(Geometry.classic(3, 4)).with_rule("regex [1-a]* r1c1-r1c2")
    (rule,) = board.rules
    assert rule.holds(board.geometry.digits.of((10, 9, *range(142))), board.geometry)
    assert not rule.holds(board.geometry.digits.of((11, 9, *range(142))), board.geometry)


@pytest.mark.parametrize(
    ("cells", "problem"),
    [((0, 0), "r1c1 is named twice"), ((0, 16), "cell 16 is not on a board"), ("r1c1", "cell 'r'")],
)
def test_a_rule_that_was_made_without_a_statement_is_checked_by_the_board(cells: Any, problem: str) -> None:
    cage = Killer(total=3, cells=cells)
    with pytest.raises(InputError, match=f"a rule of the kind killer: {problem}|{problem}"):
        Board.empty(FOUR).with_rules((cage,))


@pytest.mark.parametrize("lines", ["row1 / row2", ["row1", "row2"], [["row1"], "row2"], [(0, 1, 2, 3), [4, 5, 6, 7]]])
def test_lines_may_be_given_by_their_houses(lines: object) -> None:
    rule = thermometer(lines).make(FOUR)
    assert rule.text(FOUR) == "thermometer r1c1 r1c2 r1c3 r1c4 / r2c1 r2c2 r2c3 r2c4"
    assert thermometer([0, 1, 5]).make(FOUR).text(FOUR) == "thermometer r1c1 r1c2 r2c2"


@pytest.mark.parametrize(
    ("clues", "rules", "number"),
    [
        ("......3.......1.", ["negative-xv 7 r3c2 r3c3 / r2c3 r3c3 / r2c1 r2c2"], 1),
        ("." * 16, ["negative-xv 7 r3c2 r4c2 / r4c2 r4c3 / r1c1 r1c2 / r2c1 r3c1"], 36),
    ],
)
def test_pairs_that_are_stated_as_marked_are_exempt(clues: str, rules: list[str], number: int) -> None:
    """Counted by brute force over all 576 Latin squares, from the words of the rule."""
    board = Board.from_symbols(Geometry.latin(4), clues).with_rules(rules)
    with Pipeline() as pipe:
        assert pipe.count(board).number == number
    # neither a further mark nor its removal changes what is stated
    again = board.with_rule("xv 7 r1c3 r1c4").without_rule(1)
    assert again == board
    assert (2, 3) in board.with_rule("xv 7 r1c3 r1c4").rules[0].stand_alone().value("marked")


def test_a_negative_ratio_takes_the_ratios_of_the_dots() -> None:
    board = Board.empty(NINE).with_rules(["ratio 3 r1c1 r1c2", "negative-ratio"])
    assert board.rules[1].sentence(NINE) == "neighbours without a dot never stand in the ratio 1 to 2 3"
    accepted = "938547261652831947147296853"  # r1c7 r1c8 hold 2 and 6 without a dot
    assert not board.rules[1].holds(NINE.digits.of([*map(int, accepted), *[1] * 54]), NINE)
    assert board.without_rule(0).rules[0].sentence(NINE).endswith("1 to 2")
