"""Primitives and what targets make of them, on every way to fill a few cells; sizes; and liars that the kit catches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, product
from math import comb
from random import Random

import pytest
from ortools.sat.python import cp_model
from pysat.solvers import Solver

import gridproof
from gridproof.errors import Interrupted
from gridproof.explanations import explain
from gridproof.models import catalog, cnf_rules
from gridproof.models.clauses import Builder
from gridproof.models.targets.cp_sat import CpSatBuilder
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.rules import Rule, parse_rule
from gridproof.rules import primitives as primitives_module
from gridproof.rules.kinds.killer import Killer
from gridproof.rules.primitives import (
    NEVER,
    AnyOf,
    Automaton,
    Count,
    Different,
    Domain,
    Primitive,
    Relation,
    Sum,
)
from gridproof.trust.verdict import Status
from rules.random_rules import grids
from rules.rule_truth import disagreements, grids_of_clauses

ORDER, CELLS = 3, 4
DIGITS = Digits(1, ORDER)
FILLED = list(product(range(1, ORDER + 1), repeat=CELLS))
FOUR = Geometry.classic(2)


class Clauses(Builder):
    """A model of a few cells without houses."""

    has_sums = False

    def __init__(self, order: int, cells: int) -> None:
        self.symbol_count, self.x, self.number = order, lambda cell, symbol: cell * order + symbol, order * cells
        self.before = self.top
        self.clauses: list[tuple[int, ...]] = []

    @property
    def top(self) -> int:
        return self.number

    @property
    def size(self) -> int:
        return len(self.clauses)

    def add(self, clause: Sequence[int]) -> None:
        self.clauses.append(tuple(clause))

    def new(self, number: int, label: str) -> int:
        self.number += number
        return self.number - number + 1

    def literals(self, grid: SymbolTuple) -> list[int]:
        return [
            self.x(c, s) if held == s else -self.x(c, s)
            for c, held in enumerate(grid)
            for s in range(1, self.symbol_count + 1)
        ]


def in_clauses(primitives: Sequence[Primitive]) -> set[SymbolTuple]:
    model = Clauses(ORDER, CELLS)
    cnf_rules.add_all(primitives, model, "")
    with Solver("minisat22", model.clauses) as solver:
        return {grid for grid in FILLED if solver.solve(model.literals(grid))}


def in_cp_sat(primitives: Sequence[Primitive], viewpoint: str) -> set[SymbolTuple]:
    model = cp_model.CpModel()
    integers = viewpoint == "integers"
    to = CpSatBuilder(model, ORDER, [""] * CELLS, integers=integers, booleans=not integers)
    cells = [to.value(cell) for cell in range(CELLS)]
    cnf_rules.add_all(primitives, to, "")
    found: set[SymbolTuple] = set()

    class Found(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found.add(tuple(self.value(cell) for cell in cells))

    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.solve(model, Found())
    return found


def some_cells(random: Random, most: int = CELLS) -> tuple[int, ...]:
    if random.random() < 0.1:
        return tuple(random.choices(range(CELLS), k=random.randint(1, most)))  # a cell may come again
    return tuple(random.sample(range(CELLS), random.randint(1, most)))


def some_automaton(random: Random) -> Automaton:
    steps = {(q, s): random.choice([None, 0, 1, 2]) for q in range(3) for s in range(1, ORDER + 1)}
    ends = set(random.sample(range(3), random.randint(0, 3)))
    return Automaton.of(some_cells(random), DIGITS, 0, lambda q, s: steps[q, s], lambda q: q in ends)


def some_sum(random: Random) -> Sum:
    cells = some_cells(random)
    return Sum(cells, tuple(random.choice([-2, -1, 1, 1, 3]) for _ in cells), random.randint(-3, 9))


def some_cage(random: Random) -> list[Primitive]:
    cells = tuple(random.sample(range(CELLS), random.randint(1, CELLS)))
    return [Different(cells), Sum(cells, (1,) * len(cells), random.randint(0, 8), distinct=True)]


MAKERS: dict[str, Callable[[Random], list[Primitive]]] = {
    "domain": lambda r: [Domain.of(r.randrange(CELLS), r.sample(range(5), r.randint(0, 4)), DIGITS)],
    "different": lambda r: [Different(some_cells(r))],
    "relation": lambda r: [
        Relation(
            tuple((r.randrange(CELLS), r.randrange(CELLS)) for _ in range(r.randint(0, 3))),
            tuple(r.randrange(1 << ORDER) for _ in range(ORDER)),
        )
    ],
    "sum": lambda r: [some_sum(r)],
    "cage": some_cage,
    "automaton": lambda r: [some_automaton(r)],
    "count": lambda r: [Count.of(some_cells(r), r.randint(0, 5), r.randint(-1, 3), r.randint(-1, 4), DIGITS)],
}


def some(random: Random, names: Iterable[str]) -> list[Primitive]:
    return MAKERS[random.choice(list(names))](random)


MAKERS["any-of"] = lambda r: [
    AnyOf(tuple(tuple(some(r, [n for n in MAKERS if n != "any-of"])) for _ in range(r.randint(0, 3))))
]
MAKERS["any-of within"] = lambda r: [AnyOf((tuple(MAKERS["any-of"](r)), tuple(some(r, ["domain", "sum"]))))]


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_every_translation_of_a_primitive_allows_the_same(name: str) -> None:
    random = Random(name)
    seen = set()
    for number in range(60):
        primitives = MAKERS[name](random)
        truth = {grid for grid in FILLED if all(primitive.allows(grid) for primitive in primitives)}
        seen.add(bool(truth))
        assert in_clauses(primitives) == truth, primitives
        if number < (6 if "any-of" in name else 25):
            for viewpoint in ("integers", "booleans"):
                assert in_cp_sat(primitives, viewpoint) == truth, (viewpoint, primitives)
    assert True in seen


class Weighted(Killer):
    """The first cell counts ten times, the second one less than nothing."""

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        yield Sum(self.cells, (10, -1, *[1] * (len(self.cells) - 2)), self.total or 0)


def test_sums_that_houses_shorten_allow_the_same_grids() -> None:
    random, every = Random(7), grids(FOUR)
    for _ in range(40):
        cells = tuple(random.choices(range(16), k=random.randint(3, 14)))  # a cell may come again
        grid = random.choice(every)
        digits = [grid[cell] for cell in cells]
        rule = Weighted(cells=cells, total=10 * digits[0] - digits[1] + sum(digits[2:]), repeats=True)
        (summed,) = rule.expand(FOUR)
        expected = set(filter(summed.allows, every))
        problem = Board.empty(FOUR).with_rules([rule]).problem
        assert grids_of_clauses(problem, catalog.load("triad"), every) == expected, rule


# ---- sizes -----------------------------------------------------------------------------------------------------------


def size(primitive: Primitive) -> tuple[int, int]:
    """Clauses and new variables of a primitive on the cells of a 9x9."""
    model = Clauses(9, 81)
    cnf_rules.add_all([primitive], model, "")
    return len(model.clauses), model.top - model.before


@pytest.mark.parametrize(
    ("rule", "expected"),
    [  # of a relation for one pair of cells; symbols that fit nowhere cost one clause each
        ("thermometer r1c1 r1c2", (30, 0)),
        ("whispers r1c1 r1c2", (46, 0)),
        ("xv 10 r1c1 r1c2", (72, 0)),
        ("leaper 0 1", (9, 0)),
        ("killer 15 r1c1-r1c3", (196, 8)),
        ("killer 40 r1c1-r1c8", (16, 0)),
        ("arrow r1c1 / r1c2 r1c3", (364, 16)),
        ("little-killer 15 r1c3-r3c1", (196, 8)),
        ("killer 30 r1c1 r2c4 r3c7 r4c2 r5c5 r6c8 repeats", (1027, 72)),
        ("sandwich 8 row1", (540, 31)),
        ("skyscraper 2 row1", (583, 64)),
        ("x-sum 15 row1", (888, 98)),
        ("renban r1c1-r1c3", (148, 7)),
    ],
)
def test_the_last_primitive_of_a_rule_is_as_small_as_known(rule: str, expected: tuple[int, int]) -> None:
    nine = Geometry.classic(3)
    *_, found = parse_rule(rule).make(nine).expand(nine)
    assert size(Relation(found.pairs[:1], found.allowed) if isinstance(found, Relation) else found) == expected


def test_other_primitives_cost_as_much_as_their_formulas() -> None:
    assert size(Different((0, 1, 2))) == (9 * comb(3, 2), 0)
    nine = Digits(1, 9)
    all_but_9 = [(Domain.of(cell, range(1, 9), nine),) for cell in (0, 1)]
    two_options = ((Domain.of(0, [1], nine), Domain.of(1, [2], nine)), (Domain.of(1, [3], nine),))
    assert size(Domain.of(0, (2, 4, 6, 8), nine)) == (5, 0)
    assert [size(Count.of((0, 1, 2, 3), 5, m, 4, nine))[0] for m in (1, 2, 3)] == [comb(4, 5 - m) for m in (1, 2, 3)]
    assert size(AnyOf(tuple(all_but_9))) == (1, 0)
    assert size(AnyOf(two_options)) == (25, 2)
    assert size(NEVER) == (2, 1)


# ---- liars -----------------------------------------------------------------------------------------------------------

CAGE = {"cells": (0, 1, 5), "total": 7}


class TooStrict(Killer):
    """A model with one statement too many."""

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        yield from super().expand(geometry)
        yield Domain.of(self.cells[0], (1, 2, 3), geometry.digits)


class TooLax(Killer):
    """Leaves the sum out."""

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        return list(super().expand(geometry))[:1]


class WrongBound(Killer):
    """Takes a sum for impossible that can be reached."""

    def impossible(self, geometry: Geometry, candidates: Sequence[int] = ()) -> str | None:
        wrong = candidates and candidates[self.cells[0]] == 8
        return "never" if wrong else super().impossible(geometry, candidates)


class SeesNothing(Killer):
    """Calls possible rules impossible."""

    def impossible(self, geometry: Geometry, candidates: Sequence[int] = ()) -> str | None:
        return "never"


def test_an_honest_rule_is_not_accused() -> None:
    """The sum of the second cage is reached by two sets of symbols."""
    for cage in (CAGE, {"cells": (0, 5), "total": 5}):
        assert not list(disagreements(Killer(**cage), FOUR))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("liar", "accused"),
    [(TooStrict, "expand forbids"), (TooLax, "expand allows"), (WrongBound, "impossible"), (SeesNothing, "impossible")],
)
def test_a_liar_of_a_rule_is_caught(liar: type[Rule], accused: str) -> None:
    found = list(disagreements(liar(**CAGE), FOUR))
    assert accused in found[0]
    if "expand" in accused:
        assert len(found) >= 4, "every model has the same error"


# ---- bounds ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (["regex .*1.{40} row1 row2 row3 row4 row5 row6"], "from rule 1 of 1 on: 'the digits along"),
        ([f"killer {50 + k} r1c1-r1c4 r2c4-r2c7 r3c7-r3c9 repeats" for k in range(40)], "of 40 on: 'the killer cage"),
    ],
)
def test_rules_that_expand_into_too_much_are_a_limit(
    rules: list[str], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(primitives_module, "MOST_STEPS", 50_000)
    board = Board.empty(Geometry.classic(3)).with_rules(rules)
    for backend in ("cadical153", "cp-sat", "highs") if len(rules) == 1 else ("cadical153",):  # others have sums
        verdict = gridproof.verify(board, backend, cross_check="none")
        assert verdict.status is Status.UNDECIDED, backend
        assert verdict.reason.startswith("rules take more than 50,000 clauses, ")
        assert text in verdict.reason
    with pytest.raises(Interrupted, match="rules take more than 50,000 clauses"):
        explain(board)


def test_equal_digits_may_be_far_enough_apart_on_a_larger_board() -> None:
    """On 4x4 no grid keeps the rule, so here is one of 9x9, and the same with two digits swapped, which breaks it."""
    board = gridproof.Board.empty(gridproof.Geometry.classic(3)).with_rules(["anti-taxicab"])
    (rule,) = board.rules
    grid = gridproof.solve(board)
    assert grid is not None
    assert rule.holds(board.geometry.digits.of(grid), board.geometry)
    broken = 0
    for a, b in combinations(range(1, 10), 2):
        swapped = tuple([{a: b, b: a}.get(digit, digit) for digit in grid])
        expanded = all(primitive.allows(swapped) for primitive in rule.expand(board.geometry))
        assert expanded == rule.holds(board.geometry.digits.of(swapped), board.geometry)
        broken += not expanded
    assert broken > 0
