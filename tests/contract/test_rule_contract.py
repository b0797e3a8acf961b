"""The contract of every kind of rule. The kit runs over every kind found, on every grid of small boards."""

from __future__ import annotations

import pickle
import re
from random import Random

import pytest

from core_samples import EVERYTHING, is_slow
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.without_houses import without_houses
from gridproof.rules import all_kinds, parse_rule
from gridproof.rules.rule import REQUIRED, Rule
from rules.random_rules import SHAPES, grids, random_rule
from rules.rule_truth import CP_SAT, backend_for_each_target, disagreements

FOUND = list(all_kinds().values())
ROUNDS = 200 if EVERYTHING else 20

CHOSEN = SHAPES if EVERYTHING else SHAPES[4:]
"""Shapes of 4x4 with boxes and with regions; small ones and Latin squares under GRIDPROOF_TESTS=all."""

every_kind = pytest.mark.parametrize("kind", FOUND, ids=lambda kind: kind.kind)


def test_there_are_kinds_and_no_name_is_taken_twice() -> None:
    names = [name for kind in FOUND for name in (kind.kind, *kind.aliases)]
    assert len(FOUND) > 40
    assert len(set(names)) == len(names)


@every_kind
def test_it_describes_itself(kind: type[Rule]) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", kind.kind), "a name can be typed"
    assert kind.summary().endswith("."), "the first paragraph is a sentence"
    assert set(re.findall(r"{(\w+)", kind.words)) <= {p.name for p in kind.parameters()} | {"n", "low", "high", "sight"}
    for p in kind.parameters():
        assert p.help


@every_kind
def test_its_example_is_a_rule(kind: type[Rule]) -> None:
    geometry = Geometry.classic(3)
    rule = parse_rule(kind.example).make(geometry)
    assert rule.kind == kind.kind
    assert rule.impossible(geometry) is None
    assert "{" not in rule.sentence(geometry)
    assert list(rule.expand(geometry))


@every_kind
def test_it_excludes_some_grids_and_allows_others(kind: type[Rule]) -> None:
    random = Random(kind.kind)
    seen = set()
    for _ in range(ROUNDS):
        for geometry in SHAPES[3:]:
            rule = random_rule(kind, geometry, random)
            seen |= {rule.holds(geometry.digits.of(grid), geometry) for grid in random.sample(grids(geometry), 5)}
    expected = {False} if kind.kind in ("anti-king", "anti-taxicab", "non-consecutive") else {True, False}
    assert seen >= expected, "no 4x4 grid keeps these"


@pytest.mark.slow
@every_kind
@pytest.mark.parametrize("shape", CHOSEN, ids=lambda shape: shape.description)
def test_what_it_expands_to_is_what_holds(kind: type[Rule], shape: Geometry) -> None:
    random = Random(f"{kind.kind} {shape.description}")
    for _ in range(ROUNDS):
        rule = random_rule(kind, shape, random)
        primitives = list(rule.expand(shape))
        for grid in grids(shape):
            expanded = all(primitive.allows(grid) for primitive in primitives)
            assert expanded == rule.holds(shape.digits.of(grid), shape), (rule, grid)


@every_kind
@pytest.mark.parametrize("shape", CHOSEN, ids=lambda shape: shape.description)
def test_without_houses_it_expands_to_its_own_meaning(kind: type[Rule], shape: Geometry) -> None:
    """Steps rest on this: a rule as a reason must not lean on houses that the reason does not name."""
    random = Random(f"{kind.kind} {shape.description} alone")
    for _ in range(ROUNDS):
        rule = random_rule(kind, shape, random)
        primitives = list(rule.expand(without_houses(shape)))
        for _ in range(20):
            grid = tuple(random.randint(1, shape.order) for _ in range(shape.cell_count))
            expanded = all(primitive.allows(grid) for primitive in primitives)
            assert expanded == rule.holds(shape.digits.of(grid), shape), (rule, grid)


@every_kind
@pytest.mark.parametrize("shape", CHOSEN, ids=lambda shape: shape.description)
def test_a_bound_never_excludes_what_holds(kind: type[Rule], shape: Geometry) -> None:
    random = Random(f"{kind.kind} {shape.description} bound")
    for _ in range(ROUNDS):
        rule = random_rule(kind, shape, random)
        for grid in random.sample(grids(shape), min(len(grids(shape)), 8)):
            if rule.holds(shape.digits.of(grid), shape):
                assert rule.impossible(shape) is None
                wider = [1 << (symbol - 1) | random.getrandbits(shape.order) for symbol in grid]
                assert not rule.impossible(shape, wider), (rule, grid, wider)
            else:
                assert rule.impossible(shape, [1 << (symbol - 1) for symbol in grid]), (rule, grid)


@every_kind
def test_it_can_be_sent_and_compared(kind: type[Rule]) -> None:
    geometry = SHAPES[-1]
    for seed in range(10):
        rule = random_rule(kind, geometry, Random(seed))
        again = pickle.loads(pickle.dumps(rule))
        assert again == rule
        assert hash(again) == hash(rule)
        list(rule.draw(geometry))
        assert parse_rule(rule.text(geometry)).make(geometry) == rule, rule.text(geometry)
        assert rule.scope(geometry) <= set(range(geometry.cell_count))


@every_kind
def test_what_is_missing_or_too_much_is_named(kind: type[Rule]) -> None:
    from gridproof.errors import InputError

    geometry = Geometry.classic(3)
    needed = [p for p in kind.parameters() if p.default is REQUIRED]
    if needed:
        with pytest.raises(InputError, match=f"{kind.kind}.*missing.*usage"):
            parse_rule(kind.kind).make(geometry)
    with pytest.raises(InputError, match="no parameter is called 'colour'"):
        parse_rule(f"{kind.kind} colour=red").make(geometry)


@pytest.mark.slow
@every_kind
@pytest.mark.parametrize("shape", SHAPES if EVERYTHING else SHAPES[2::2], ids=lambda shape: shape.description)
def test_every_model_agrees_with_the_rule(kind: type[Rule], shape: Geometry) -> None:
    random = Random(f"{kind.kind} {shape.description} models")
    for number in range(4):
        rule = random_rule(kind, shape, random)
        # where a grid costs much, one rule on a board of 12 of them; else four on one of 288
        slow = shape == SHAPES[2] and (number < 1 or EVERYTHING)
        backends = [
            backend for backend in backend_for_each_target() if (slow if is_slow(backend) else shape == SHAPES[4])
        ]
        # each kind in both encodings on every shape, though not each rule
        assert not list(disagreements(rule, shape, cp_sat=CP_SAT[number : number + 1], more=backends))
