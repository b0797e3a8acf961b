"""Primitives of rules -> CP-SAT constraints: sums that many sets of symbols reach are linear, all else are clauses.

Clauses come from the same translation as for SAT solvers, as that is fastest: with a table for each pair of a knight's
and a king's move a count took thirty times as long, and with tables, automata and linear cages real puzzles took twice
as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from gridproof.models import cnf_rules
from gridproof.rules.primitives import Different, Primitive, Sum


class Viewpoint(Protocol):
    """The variables of a CP-SAT model under construction."""

    order: int
    model: Any

    def value(self, cell: int) -> Any:
        """The symbol of a cell as an expression."""

    def literal(self, cell: int, symbol: int) -> Any:
        """The Boolean "cell holds symbol"."""


def add_primitive(primitive: Primitive, to: Viewpoint) -> None:
    """Say a primitive in constraints of ``to.model``."""
    match primitive:
        case Different(cells=cells) if len(cells) == to.order == len(set(cells)):
            for symbol in range(1, to.order + 1):
                to.model.add_exactly_one([to.literal(cell, symbol) for cell in cells])
        case _:
            cnf_rules.add_primitive(primitive, _Clauses(to), "")


class _Clauses:
    """Clauses of a SAT translation as constraints of a CP-SAT model; a literal v > 0 is CP-SAT's variable v - 1."""

    def __init__(self, to: Viewpoint) -> None:
        self.order = to.order
        self._to = to
        self._constraints = to.model.proto.constraints

    @property
    def top(self) -> int:
        return len(self._to.model.proto.variables)

    def x(self, cell: int, symbol: int) -> int:
        return int(self._to.literal(cell, symbol).index) + 1

    def new(self, number: int, label: str) -> int:
        first = self.top + 1
        for _ in range(number):
            self._to.model.new_bool_var("")
        return first

    def add(self, clause: Sequence[int]) -> None:
        self._constraints.add().bool_or.literals.extend(map(_index, clause))

    def at_most_one(self, literals: tuple[int, ...], label: str) -> None:
        self._constraints.add().at_most_one.literals.extend(map(_index, literals))

    def linear(self, total: Sum, unless: Sequence[int] = ()) -> None:
        terms = zip(total.coefficients, map(self._to.value, total.cells), strict=True)
        said = self._to.model.add(sum(weight * value for weight, value in terms) == total.total)
        said.proto.enforcement_literal.extend([_index(-literal) for literal in unless])

    def choice(self, key: str) -> str:
        return {"sum": "linear", "automaton": "states", "relation": "forbid"}[key]


def _index(literal: int) -> int:
    """CP-SAT's number of a literal: -i - 1 is its number for the negation of variable i."""
    return literal - 1 if literal > 0 else literal
