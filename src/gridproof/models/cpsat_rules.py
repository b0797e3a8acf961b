"""Primitives of rules -> CP-SAT constraints: sums that many sets of symbols reach are linear, all else are clauses.

Clauses come from the same translation as for SAT solvers, as that is fastest: with a table for each pair of a knight's
and a king's move a count took thirty times as long, and with tables, automata and linear cages real puzzles took twice
as long. Inside ``AnyOf`` a constraint counts only while its option is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from gridproof.models import cnf_rules
from gridproof.rules.primitives import AnyOf, Different, Primitive, Sum


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
        case Sum() if cnf_rules.ways_of(primitive, to.order) is None:
            _sum(primitive, to)
        case Different(cells=cells) if len(cells) == to.order == len(set(cells)):
            for symbol in range(1, to.order + 1):
                to.model.add_exactly_one([to.literal(cell, symbol) for cell in cells])
        case AnyOf(options=options):
            guards = [to.model.new_bool_var("") for _ in options]
            to.model.add_bool_or(guards)
            for guard, option in zip(guards, options, strict=True):
                for inner in option:
                    if isinstance(inner, Sum) and cnf_rules.ways_of(inner, to.order) is None:
                        _sum(inner, to).only_enforce_if(guard)
                    else:
                        cnf_rules.add_primitive(inner, _Clauses(to, (~guard.index,)), "")
        case _:
            cnf_rules.add_primitive(primitive, _Clauses(to), "")


def _sum(total: Sum, to: Viewpoint) -> Any:
    terms = zip(total.coefficients, map(to.value, total.cells), strict=True)
    return to.model.add(sum(weight * value for weight, value in terms) == total.total)


class _Clauses:
    """Clauses of a SAT translation as constraints of a CP-SAT model; a literal v > 0 is CP-SAT's variable v - 1.

    unless: literals of CP-SAT that each clause gets, too.
    """

    def __init__(self, to: Viewpoint, unless: tuple[int, ...] = ()) -> None:
        self.order = to.order
        self._to, self._unless = to, unless
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
        # -i - 1 is CP-SAT's number for the negation of variable i
        literals = [v - 1 if v > 0 else v for v in clause]
        self._constraints.add().bool_or.literals.extend([*self._unless, *literals])

    def at_most_one(self, literals: tuple[int, ...], label: str) -> None:
        if self._unless:
            for place, one in enumerate(literals):
                for other in literals[place + 1 :]:
                    self.add((-one, -other))
        else:
            self._constraints.add().at_most_one.literals.extend([v - 1 for v in literals])

    def choice(self, key: str) -> str:
        return {"sum": "combinations", "automaton": "states", "relation": "forbid"}[key]
