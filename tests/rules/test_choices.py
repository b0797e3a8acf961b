"""Rules about rules: how they are written, what they refuse, and that a negation is one on every grid of symbols."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridproof
from gridproof.errors import InputError
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule, all_kinds, any_of, even, none_of, parse_rule
from gridproof.rules.kinds.choices import NoneOfThem
from gridproof.rules.negation import negate_all
from gridproof.rules.primitives import AnyOf, Automaton, Count, Different, Domain, Relation, Sum
from rules.random_rules import random_rule

FOUR = Geometry.classic(2)
STATED = "any-of [ killer 5 r1c1 r1c2 ] [ all-of [ odd r2c1 ] [ not [ regex '.*[12].*' row3 ] ] ]"


def test_text_and_python_state_the_same() -> None:
    rule = parse_rule(STATED).make(FOUR)
    assert rule.sentence(FOUR) == (
        "at least one of these holds: the killer cage r1c1 r1c2 sums to 5; or (all of these hold: r2c1 holds an odd "
        "digit; and (none of these holds: the digits along r3c1-r3c4 match .*[12].*))"
    )
    pair = any_of("killer 5 r1c1 r1c2", ["odd r2c1", none_of(even("r2c1"))]).make(FOUR)
    assert pair == parse_rule("any-of [ killer 5 r1c1 r1c2 ] [ odd r2c1 ] [ none-of [ even r2c1 ] ]").make(FOUR)
    assert str(any_of("odd r2c1", even("r2c1"))) == "any-of [ odd r2c1 ] [ even r2c1 ]"
    again = any_of(rule, parse_rule("odd r1c1").make(FOUR)).make(FOUR)
    more = 0
    for grid in gridproof.solutions("." * 16):
        if grid[0] % 2 and not rule.holds(FOUR.digits.of(grid), FOUR):
            more += 1
    assert gridproof.count("." * 16, rules=[again]).number == gridproof.count("." * 16, rules=[rule]).number + more


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "any-of [killer 5 r1c1 r1c2]",
            "words outside all brackets; expected the rules in brackets that stand between",
        ),
        ("any-of [ even r1c1 ] odd r1c2", "words outside all brackets"),
        ("any-of [ even r1c1", "a [ without a ]"),
        ("any-of [ even r1c1 ] ]", "a ] without a ["),
        ("any-of [ ]", "an empty text is not a rule"),
        ("killer [ even r1c1 ]", "brackets around what is no rule; usage: killer"),
        ("any-of [ evn r1c1 ]", "did you mean 'even'?"),
        ("none-of [ negative-xv ]", "negative-xv depends on the other rules of the board"),
        ("any-of [ extra-region r1c1 r1c1 ]", "r1c1 is named twice"),
        ("any-of [ even r9c9 ]", "r9c9 is not on a board"),
        ("any-of " + "[ any-of " * 25 + "[ even r1c1 ]" + " ]" * 25, "choices inside each other; expected at most 20"),
        ("any-of " + "[ any-of " * 500 + "[ even r1c1 ]" + " ]" * 500, "brackets in brackets; expected at most 30"),
    ],
)
def test_a_choice_that_makes_no_sense_is_refused(text: str, problem: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_rule(text).make(FOUR)
    assert problem in str(refused.value)


@pytest.mark.parametrize("value", [5, ["even r1c1", 5], None])
def test_what_is_no_rule_is_none_in_a_choice(value: object) -> None:
    with pytest.raises(InputError, match="is not a rule"):
        any_of(value)


def test_a_choice_in_a_puzzle_opens_no_file_of_others(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        'words = "{lines} rise"\nabout = "They rise."\nexample = "own r1c1 r1c2"\n'
        'parameters.lines = { type = "lines", help = "l" }\n'
        'relation = { cells = "lines", pairs = "consecutive", allow = "a < b" }\n'
    )
    puzzle = tmp_path / "puzzle.toml"
    stated = (
        f'clues = "{"." * 16}"\n[[rule]]\nkind = "any-of"\nrules = [{{kind = "none-of", rules = ["NAME r1c1 r1c2"]}}]\n'
    )
    puzzle.write_text(stated.replace("NAME", "own.toml"))
    assert "own.toml" in gridproof.read_puzzle(puzzle).board.rules[0].text(FOUR)
    for path in (str(own), "../own.toml"):
        puzzle.write_text(stated.replace("NAME", path))
        with pytest.raises(InputError, match="a puzzle opens no file but one beside its own"):
            gridproof.read_puzzle(puzzle)
    with pytest.raises(InputError, match="a puzzle opens no file but one beside its own"):
        gridproof.read_puzzle(f'clues = "{"." * 16}"\n[[rule]]\nrule = "any-of [ all-of [ {own} r1c1 r1c2 ] ]"\n')


PRIMITIVES = [
    Domain.of(0, (1, 3), FOUR.digits),
    Different((0, 1, 2)),
    Different((0, 0)),
    Relation(((0, 1), (1, 2)), (6, 1, 0, 15)),
    Count.of((0, 1, 2), 2, 1, 2, FOUR.digits),
    Sum((), (), 0),
    Sum((), (), 3),
    Sum((0, 1, 0), (1, -2, 3), 4, True),
    Automaton((), ()),
    Automaton.of((0, 1, 1), FOUR.digits, 0, lambda last, s: s if s >= last else None, lambda last: last > 2),
    Automaton.of((0, 1), FOUR.digits, 0, lambda last, s: None, bool),
    AnyOf(()),
    AnyOf(((), (Domain.of(0, (1,), FOUR.digits),))),
    AnyOf(((Domain.of(0, (1,), FOUR.digits), Different((0, 1))), (Sum((0, 1), (1, 1), 4),))),
]


@given(st.lists(st.sampled_from(PRIMITIVES), max_size=3), st.lists(st.integers(1, 4), min_size=3, max_size=3))
def test_a_negation_holds_where_some_primitive_does_not(primitives: list[object], grid: list[int]) -> None:
    negation = negate_all(primitives, 4)  # type: ignore[arg-type]
    assert negation.allows(grid) != all(primitive.allows(grid) for primitive in primitives)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "kind", [kind for kind in all_kinds().values() if not kind.looks_at_others], ids=lambda k: k.kind
)
def test_no_grid_keeps_a_rule_and_its_negation(kind: type[Rule]) -> None:
    random = Random(kind.kind)
    grids = [tuple(grid) for grid in gridproof.solutions("." * 16)]
    for _ in range(6):
        rule = random_rule(kind, FOUR, random)
        refused = NoneOfThem(rules=(rule,)).invalid_reason(FOUR)
        if refused is not None:
            assert "has no opposite that can be stated" in refused
            continue
        negation = negate_all(rule.expand(FOUR), 4)
        for grid in random.sample(grids, 20):
            assert negation.allows(grid) != rule.holds(FOUR.digits.of(grid), FOUR), rule


def test_a_choice_is_certified_and_explained() -> None:
    board = Board.empty(FOUR).with_rules([STATED, "none-of [ extra-region r1c1 r2c3 r3c2 ]"])
    certificate = gridproof.certify(board, cross_check="none")
    assert b'{"kind": "any-of", "parameters": {"rules": [{"kind": "killer"' in dict(certificate.files)["rules.json"]
    explained = gridproof.explain(board.with_rule("all-of [ even r1c1 ] [ odd r1c1 ]"))
    assert "all of these hold: r1c1 holds an even digit" in explained.sentences()[1]
