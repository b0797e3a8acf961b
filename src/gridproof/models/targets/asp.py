"""Geometry + encoding -> an answer set program, for clingo: cells choose symbols, houses and rules forbid.

``x(C,S)`` means that cell C, counted from 0 in reading order, holds the symbol S; ``a(V)`` is an auxiliary of a rule.
The program of a board is that of its problem, and a line for each clue and each candidate that is ruled out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gridproof.models.stated import Script
from gridproof.models.targets import Target
from gridproof.models.variables import Clause
from gridproof.rules.primitives import Sum

_HOUSES = {
    "cardinality": ":- house(H,_), symbol(S), not 1 { x(C,S) : house(H,C) } 1.",
    "pairs": "peer(C,D) :- house(H,C), house(H,D), C < D.\n:- peer(C,D), x(C,S), x(D,S).",
}


class AspProgram(Script):
    """Houses and rules as an answer set program."""

    target = "asp"

    def declarations(self) -> Iterator[str]:
        yield f"cell(0..{self.geometry.cell_count - 1}). symbol(1..{self.order})."
        for number, house in enumerate(self.geometry.houses):
            yield f"house({number},({';'.join(map(str, house.cells))}))."
        if self.auxiliaries:
            yield f"{{ a({self.auxiliaries[0]}..{self.top}) }}."
        yield "#show x/2."

    def houses(self) -> Iterator[str]:
        yield "1 { x(C,S) : symbol(S) } 1 :- cell(C)."
        yield _HOUSES[str(self.encoding.choice("house", "constraint"))]

    def clause(self, literals: Iterable[int]) -> str:
        return f":- {self._all_false(literals)}."

    def at_most(self, literals: Clause) -> Iterator[str]:
        yield f":- 2 {{ {'; '.join(map(self._literal, literals))} }}."

    def weighted(self, total: Sum, unless: Clause) -> Iterator[str]:
        terms = [
            f"{weight * symbol},{place} : x({cell},{symbol})"
            for place, (cell, weight) in enumerate(zip(total.cells, total.coefficients, strict=True))
            for symbol in range(1, self.order + 1)
        ]
        condition = f"{self._all_false(unless)}, " if unless else ""
        yield f":- {condition}#sum {{ {'; '.join(terms)} }} != {total.total}."

    def _literal(self, literal: int) -> str:
        variable = abs(literal)
        atom = "x({},{})".format(*self.x.of(variable)) if variable in self.x.numbers else f"a({variable})"
        return atom if literal > 0 else f"not {atom}"

    def _all_false(self, literals: Iterable[int]) -> str:
        return ", ".join(self._literal(-literal) for literal in literals)


TARGETS = (
    Target(
        name="asp",
        schema={"house": {"constraint": tuple(_HOUSES)}},
        default_encoding=lambda problem: "asp",
        compile=AspProgram,
        formats={"asp": AspProgram.write},
    ),
)
