"""Primitives of rules -> CP-SAT constraints: sums are linear, machines automata, relations tables.

Inside ``AnyOf`` a constraint counts only while its option is chosen, which CP-SAT takes for linear constraints and for
clauses; what is neither is said there in clauses, by the same translation as for SAT solvers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Protocol, assert_never

from gridproof.models import cnf_rules
from gridproof.rules.primitives import (
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


class Viewpoint(Protocol):
    """The variables of a CP-SAT model under construction."""

    order: int
    model: Any

    def integer(self, cell: int) -> Any:
        """The integer variable of a cell."""

    def literal(self, cell: int, symbol: int) -> Any:
        """The Boolean "cell holds symbol"."""


def add_primitive(primitive: Primitive, to: Viewpoint) -> None:
    """Say a primitive in constraints of ``to.model``."""
    model, order = to.model, to.order
    symbols = range(1, order + 1)
    match primitive:
        case Domain(cell=cell, values=values):
            for symbol in set(symbols).difference(values):
                model.add_bool_or([~to.literal(cell, symbol)])
        case Different(cells=cells):
            model.add_all_different([to.integer(cell) for cell in cells])
        case Relation(pairs=pairs, allowed=allowed):
            table = [(a, b) for a in symbols for b in symbols if allowed[a - 1] >> (b - 1) & 1]
            for one, other in pairs:
                _table(model, [to.integer(one), to.integer(other)], table)
        case Tuples(cells=cells, allowed=combinations_):
            _table(model, [to.integer(cell) for cell in cells], sorted(combinations_))
        case Sum(cells=cells, coefficients=coefficients, total=total):
            terms = zip(coefficients, map(to.integer, cells), strict=True)
            model.add(sum(weight * value for weight, value in terms) == total)
        case Automaton():
            _automaton(primitive, to)
        case Count(cells=cells, values=values, low=low, high=high):
            if low > len(cells) or high < 0 or low > high:
                model.add_bool_or([])
            else:
                held = [to.literal(cell, value) for cell in cells for value in values if value in symbols]
                model.add_linear_constraint(sum(held), low, min(high, len(cells)))
        case Equivalent(one=one, other=other):
            model.add(to.literal(*one) == to.literal(*other))
        case AnyOf(options=options):
            guards = [model.new_bool_var("") for _ in options]
            model.add_bool_or(guards)
            for guard, option in zip(guards, options, strict=True):
                for inner in option:
                    _guarded(inner, to, guard)
        case _:
            assert_never(primitive)


def _table(model: Any, variables: list[Any], rows: Sequence[tuple[int, ...]]) -> None:
    if rows:
        model.add_allowed_assignments(variables, rows)
    else:
        model.add_bool_or([])


def _automaton(automaton: Automaton, to: Viewpoint) -> None:
    transitions = []
    first, base = 0, 0
    for layer in automaton.layers:
        after = base + len(layer)
        for state, row in enumerate(layer):
            for symbol, target in enumerate(row, 1):
                if target >= 0:
                    transitions.append((base + state, symbol, after + target))
        first, base = base, after
    last = range(first, base) if automaton.layers else ()
    ends = sorted({target for state, _, target in transitions if state in last})
    if not automaton.layers:
        return
    if not ends:
        to.model.add_bool_or([])
        return
    to.model.add_automaton([to.integer(cell) for cell in automaton.cells], 0, ends, transitions)


def _guarded(primitive: Primitive, to: Viewpoint, guard: Any) -> None:
    if isinstance(primitive, Sum):
        terms = zip(primitive.coefficients, map(to.integer, primitive.cells), strict=True)
        to.model.add(sum(weight * value for weight, value in terms) == primitive.total).only_enforce_if(guard)
        return
    cnf_rules.add_primitive(primitive, _Clauses(to, guard), "")


class _Clauses:
    """Clauses of a SAT translation as constraints of a CP-SAT model, while a guard is true."""

    def __init__(self, to: Viewpoint, guard: Any) -> None:
        self.order = to.order
        self._to, self._guard = to, guard
        self._literals: list[Any] = [None]
        self._numbers: dict[tuple[int, int], int] = {}

    @property
    def top(self) -> int:
        return len(self._literals) - 1

    def x(self, cell: int, symbol: int) -> int:
        if (cell, symbol) not in self._numbers:
            self._literals.append(self._to.literal(cell, symbol))
            self._numbers[cell, symbol] = self.top
        return self._numbers[cell, symbol]

    def new(self, number: int, label: str) -> int:
        first = self.top + 1
        self._literals += [self._to.model.new_bool_var("") for _ in range(number)]
        return first

    def add(self, clause: Sequence[int]) -> None:
        literals = [self._literals[v] if v > 0 else ~self._literals[-v] for v in clause]
        self._to.model.add_bool_or([~self._guard, *literals])

    def at_most_one(self, literals: tuple[int, ...], label: str) -> None:
        for one, other in combinations(literals, 2):
            self.add((-one, -other))

    def choice(self, key: str) -> str:
        return {"sum": "partial-sums", "automaton": "states", "relation": "forbid"}[key]
