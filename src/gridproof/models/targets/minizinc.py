"""Geometry + encoding -> a MiniZinc model: an integer for each cell, ``x[row,column]``.

The Booleans ``a[730]`` are auxiliaries of rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gridproof.models.stated import Script
from gridproof.models.targets import Target
from gridproof.models.variables import Clause
from gridproof.rules.primitives import Sum


class MiniZincModel(Script):
    """Houses and rules as constraints. The answer is the grid, cell by cell."""

    target = "minizinc"
    ending = ("solve satisfy;", "output [show(x)];")

    @property
    def integers(self) -> bool:
        return True

    def declarations(self) -> Iterator[str]:
        yield 'include "alldifferent.mzn";'
        yield f"array[1..{self.order},1..{self.order}] of var 1..{self.order}: x;"
        if self.auxiliaries:
            yield f"array[{self.auxiliaries[0]}..{self.top}] of var bool: a;"

    def houses(self) -> Iterator[str]:
        if self.encoding.choice("house", "constraint") == "pairs":
            for one, peers in enumerate(self.geometry.peers):
                for other in sorted(peer for peer in peers if peer > one):
                    yield f"constraint {self._cell(one)} != {self._cell(other)};"
            return
        for house in self.geometry.houses:
            yield f"constraint alldifferent([{', '.join(map(self._cell, house.cells))}]);"

    def clause(self, literals: Iterable[int]) -> str:
        return _any(map(self._literal, literals))

    def weighted(self, total: Sum, unless: Clause) -> Iterator[str]:
        terms = zip(total.coefficients, map(self._cell, total.cells), strict=True)
        expression = f"{' + '.join(f'{weight}*{cell}' for weight, cell in terms) or '0'} = {total.total}"
        yield _any([*map(self._literal, unless), f"({expression})"])

    def _cell(self, cell: int) -> str:
        row, column = divmod(cell, self.order)
        return f"x[{row + 1},{column + 1}]"

    def _literal(self, literal: int) -> str:
        if (variable := abs(literal)) not in self.x.numbers:
            return f"{'' if literal > 0 else 'not '}a[{variable}]"
        cell, symbol = self.x.of(variable)
        return f"{self._cell(cell)} {'=' if literal > 0 else '!='} {symbol}"


def _any(expressions: Iterable[str]) -> str:
    """Return the constraint that one of the expressions is true."""
    either = " \\/ ".join(expressions) or "false"
    return f"constraint {either};"


TARGETS = (
    Target(
        name="minizinc",
        schema={"house": {"constraint": ("all-different", "pairs")}},
        default_encoding=lambda problem: "minizinc-alldifferent",
        compile=MiniZincModel,
        formats={"minizinc": MiniZincModel.write},
    ),
)
