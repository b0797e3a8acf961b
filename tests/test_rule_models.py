"""Primitives and what targets make of them, on every way to fill a few cells; sizes; and liars that the kit catches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, product
from math import comb
from random import Random

import pytest
from ortools.sat.python import cp_model
from pysat.solvers import Solver

from gridproof.models import cnf_rules, cpsat_rules, targets
from gridproof.models.targets.cp_sat import _Viewpoint
from gridproof.puzzle.geometry import Geometry, Grid
from gridproof.rules import Rule, find, parse_rule
from gridproof.rules.kinds.killer import Killer
from gridproof.rules.kinds.sandwich import Sandwich
from gridproof.rules.primitives import (
    NEVER,
    AnyOf,
    Automaton,
    Count,
    Different,
    Domain,
    Equivalent,
    Primitive,
    Relation,
    Sum,
    Tuples,
)
from rule_kit import choices, disagreements

ORDER, CELLS = 3, 4
FILLED = list(product(range(1, ORDER + 1), repeat=CELLS))
FOUR = Geometry.classic(2)


class Clauses:
    """A model of a few cells without houses; see ``cnf_rules.Builder``."""

    def __init__(self, order: int, cells: int, chosen: Callable[[str], str]) -> None:
        self.order, self.choice, self.top = order, chosen, order * cells
        self.before = self.top
        self.clauses: list[tuple[int, ...]] = []

    def x(self, cell: int, symbol: int) -> int:
        return cell * self.order + symbol

    def new(self, number: int, label: str) -> int:
        self.top += number
        return self.top - number + 1

    def add(self, clause: Sequence[int]) -> None:
        self.clauses.append(tuple(clause))

    def at_most_one(self, literals: tuple[int, ...], label: str) -> None:
        self.clauses += [(-one, -other) for one, other in combinations(literals, 2)]

    def literals(self, grid: Grid) -> list[int]:
        return [
            self.x(c, s) if held == s else -self.x(c, s)
            for c, held in enumerate(grid)
            for s in range(1, self.order + 1)
        ]


def default(key: str) -> str:
    return str(choices()[0].choice("rule", key))


def in_clauses(primitives: Sequence[Primitive], chosen: Callable[[str], str]) -> set[Grid]:
    model = Clauses(ORDER, CELLS, chosen)
    cnf_rules.add_all(primitives, model, "")
    with Solver("minisat22", model.clauses) as solver:
        return {grid for grid in FILLED if solver.solve(model.literals(grid))}


def in_cp_sat(primitives: Sequence[Primitive], viewpoint: str) -> set[Grid]:
    model = cp_model.CpModel()
    integers = [model.new_int_var(1, ORDER, "") for _ in range(CELLS)] if viewpoint == "integers" else []
    booleans = [[model.new_bool_var("") for _ in range(ORDER)] for _ in range(CELLS)] if not integers else []
    for held in booleans:
        model.add_exactly_one(held)
    to = _Viewpoint(ORDER, model, integers, booleans)
    cells = [to.integer(cell) for cell in range(CELLS)]
    for primitive in primitives:
        cpsat_rules.add_primitive(primitive, to)
    found: set[Grid] = set()

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
    return Automaton.of(some_cells(random), ORDER, 0, lambda q, s: steps[q, s], lambda q: q in ends)  # type: ignore[index]


def some_sum(random: Random) -> Sum:
    cells = some_cells(random)
    return Sum(cells, tuple(random.choice([-2, -1, 1, 1, 3]) for _ in cells), random.randint(-3, 9))


def some_cage(random: Random) -> list[Primitive]:
    cells = tuple(random.sample(range(CELLS), random.randint(1, CELLS)))
    return [Different(cells), Sum(cells, (1,) * len(cells), random.randint(0, 8), distinct=True)]


MAKERS: dict[str, Callable[[Random], list[Primitive]]] = {
    "domain": lambda r: [Domain(r.randrange(CELLS), tuple(r.sample(range(0, 5), r.randint(0, 4))))],
    "different": lambda r: [Different(some_cells(r))],
    "relation": lambda r: [
        Relation(
            tuple((r.randrange(CELLS), r.randrange(CELLS)) for _ in range(r.randint(0, 3))),
            tuple(r.randrange(1 << ORDER) for _ in range(ORDER)),
        )
    ],
    "tuples": lambda r: [
        Tuples(
            cells := some_cells(r, 3),
            frozenset(t for t in product(range(1, ORDER + 1), repeat=len(cells)) if r.random() < 0.6),
        )
    ],
    "sum": lambda r: [some_sum(r)],
    "cage": some_cage,
    "automaton": lambda r: [some_automaton(r)],
    "count": lambda r: [
        Count(some_cells(r), tuple(r.sample(range(0, 5), r.randint(0, 3))), r.randint(-1, 3), r.randint(-1, 4))
    ],
    "equivalent": lambda r: [
        Equivalent((r.randrange(CELLS), r.randint(1, ORDER)), (r.randrange(CELLS), r.randint(1, ORDER)))
    ],
}


def some(random: Random, names: Iterable[str]) -> list[Primitive]:
    return MAKERS[random.choice(list(names))](random)


MAKERS["any-of"] = lambda r: [
    AnyOf(tuple(tuple(some(r, [n for n in MAKERS if n != "any-of"])) for _ in range(r.randint(0, 3))))
]
MAKERS["any-of within"] = lambda r: [AnyOf((tuple(MAKERS["any-of"](r)), tuple(some(r, ["domain", "sum"]))))]


@pytest.mark.parametrize("name", MAKERS)
def test_every_translation_of_a_primitive_says_what_it_allows(name: str) -> None:
    random = Random(name)
    seen = set()
    for number in range(60):
        primitives = MAKERS[name](random)
        truth = {grid for grid in FILLED if all(primitive.allows(grid) for primitive in primitives)}
        seen.add(bool(truth))
        for encoding in choices():
            said = in_clauses(primitives, lambda key, chosen=encoding: str(chosen.choice("rule", key)))  # type: ignore[misc]
            assert said == truth, (encoding.name, primitives)
        if number < 25:
            for viewpoint in ("integers", "booleans"):
                assert in_cp_sat(primitives, viewpoint) == truth, (viewpoint, primitives)
    assert True in seen


# ---- sizes -----------------------------------------------------------------------------------------------------------


def size(primitive: Primitive, order: int = 9, **chosen: str) -> tuple[int, int]:
    """Clauses and new variables of a primitive on ten cells."""
    model = Clauses(order, 10, lambda key: chosen.get(key) or default(key))
    cnf_rules.add_primitive(primitive, model, "")
    return len(model.clauses), model.top - model.before


@pytest.mark.parametrize(
    ("rule", "clauses"),
    [  # a pair of neighbours under n = 9; symbols that fit nowhere cost one clause each
        *(("thermometer r1c1 r1c2", 30), ("slow-thermometer r1c1 r1c2", 36), ("whispers r1c1 r1c2", 22)),
        *(("difference r1c1 r1c2", 65), ("xv 10 r1c1 r1c2", 72), ("palindrome r1c1 r1c2", 72)),
        *(("nabner r1c1 r1c2", 25), ("entropic r1c1 r1c2", 27), ("leaper 0 1", 9)),
    ],
)
def test_a_pair_costs_the_pairs_that_it_forbids(rule: str, clauses: int) -> None:
    nine = Geometry.classic(3)
    (found,) = parse_rule(rule).on(nine).expand(nine)
    assert isinstance(found, Relation)
    pair = Relation(((0, 1),), found.allowed)
    bad = 81 - sum(mask.bit_count() for mask in found.allowed)
    assert size(pair)[1] == 0
    dead = sum(not mask for mask in found.allowed)
    unreached = sum(not any(mask >> b & 1 for mask in found.allowed) for b in range(9))
    # a symbol that fits nowhere is one clause in place of nine
    assert size(pair)[0] == bad - 9 * dead - (9 - dead) * unreached + dead + unreached
    assert size(pair)[0] == clauses or "whispers" in rule
    assert size(pair, relation="support")[0] <= 18


@pytest.mark.parametrize(("k", "total", "sets"), [(3, 15, 8), (4, 20, 12), (5, 25, 12), (6, 30, 8), (8, 40, 1), (2, 3, 1)])
def test_a_cage_costs_a_variable_for_each_set_of_symbols(k: int, total: int, sets: int) -> None:
    reach = [set(s) for s in combinations(range(1, 10), k) if sum(s) == total]
    some, every = set().union(*reach), set.intersection(*reach)
    loose = len(some - every)
    expected = k * (9 - len(some)) + len(every)
    if sets > 1:
        in_sets = sum(len(symbols - every) for symbols in reach)
        expected += 1 + in_sets + k * (sets * loose - in_sets) + k * loose
    cage = Sum(tuple(range(k)), (1,) * k, total, distinct=True)
    assert len(reach) == sets
    assert size(cage) == (expected, sets if sets > 1 else 0)


@pytest.mark.parametrize(("cells", "total", "clauses", "aux"), [(3, 15, 236, 18), (4, 20, 390, 35), (6, 30, 770, 77)])
def test_partial_sums_cost_what_is_known_of_them(cells: int, total: int, clauses: int, aux: int) -> None:
    found = Sum(tuple(range(cells)), (1,) * cells, total)
    machine = cnf_rules.partial_sums(found, 9)
    layers = [len(layer) for layer in machine.layers]
    assert size(found) == (clauses, aux)
    assert sum(n for n in layers if n > 1) == aux
    assert clauses <= sum(layers) * 9
    with_edges = size(found, automaton="states-and-edges")
    assert with_edges[0] > clauses
    assert with_edges[1] > aux


def test_other_primitives_cost_what_their_formulas_say() -> None:
    assert size(Different((0, 1, 2))) == (9 * comb(3, 2), 0)
    assert size(Domain(0, (2, 4, 6, 8))) == (5, 0)
    assert size(Equivalent((0, 1), (1, 2))) == (2, 0)
    assert [size(Count((0, 1, 2, 3), (5,), m, 4))[0] for m in (1, 2, 3)] == [comb(4, 5 - m) for m in (1, 2, 3)]
    assert size(AnyOf(((Domain(0, tuple(range(1, 9))),), (Domain(1, tuple(range(1, 9))),)))) == (3, 2)
    assert size(NEVER) == (2, 1)


@pytest.mark.parametrize(
    ("rule", "clauses", "aux"),
    [("sandwich 8 row1", 714, 56), ("sandwich 0 row1", 226, 22), ("skyscraper 4 row1", 1127, 113)],
)
def test_machines_of_kinds_are_as_small_as_known(rule: str, clauses: int, aux: int) -> None:
    nine = Geometry.classic(3)
    (found,) = parse_rule(rule).on(nine).expand(nine)
    assert size(found) == (clauses, aux)


# ---- liars -----------------------------------------------------------------------------------------------------------

CAGE = {"cells": (0, 1, 5), "total": 7}


class TooStrict(Killer):
    """Says one thing too many."""

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        yield from super().expand(geometry)
        yield Domain(self.cells[0], (1, 2, 3))


class TooLax(Killer):
    """Leaves the sum out."""

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        return list(super().expand(geometry))[:1]


class WrongBound(Killer):
    """Takes a sum for impossible that can be reached."""

    def may_hold(self, candidates: Sequence[int], geometry: Geometry) -> bool:
        return super().may_hold(candidates, geometry) and candidates[self.cells[0]] != 8


class SeesNothing(Killer):
    """Calls possible rules impossible."""

    def impossible(self, geometry: Geometry) -> str | None:
        return "never"


def test_an_honest_rule_is_not_accused() -> None:
    assert not list(disagreements(Killer(**CAGE), FOUR))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("liar", "accused"),
    [(TooStrict, "expand forbids"), (TooLax, "expand allows"), (WrongBound, "may_hold"), (SeesNothing, "impossible")],
)
def test_a_liar_of_a_rule_is_caught(liar: type[Rule], accused: str) -> None:
    found = list(disagreements(liar(**CAGE), FOUR))
    assert accused in found[0]
    if "expand" in accused:
        assert len(found) >= 4, "every model says the same wrong thing"


@pytest.mark.parametrize("fault", ["one clause too few", "one clause too many"])
@pytest.mark.parametrize(
    "rule",
    [
        Killer(**CAGE),  # type: ignore[arg-type]
        Sandwich(total=2, cells=(0, 1, 2, 3)),
        find("thermometer").make({"lines": ((0, 1, 2),)}),
    ],
)
def test_a_fault_of_a_translation_is_caught(rule: Rule, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = cnf_rules.add_primitive

    def wrong(primitive: Primitive, to: cnf_rules.Builder, label: str) -> None:
        if fault == "one clause too many":
            honest(primitive, to, label)
            to.add((to.x(0, 1),))
        elif not isinstance(primitive, Different):
            kept: list[Sequence[int]] = []
            monkeypatch.setattr(to, "add", kept.append, raising=False)
            honest(primitive, to, label)
            monkeypatch.undo()
            # of a clause that others imply nobody would miss the loss: take one that counts
            for clause in kept[len(kept) // 2 :]:
                to.add(clause)
        else:
            honest(primitive, to, label)

    monkeypatch.setattr(cnf_rules, "add_primitive", wrong)
    assert any("sum = " in said or "triad" in said for said in disagreements(rule, FOUR, cp_sat=False))
    assert targets.find("cnf")
