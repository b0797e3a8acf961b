"""Geometry + encoding -> SMT-LIB, for z3 and others: integers that are distinct in each house, or Booleans.

An integer is called as its cell (``r1c1``), a Boolean as its candidate (``|r1c1=5|``), an auxiliary of a rule ``a730``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gridproof.models.stated import Script
from gridproof.models.targets import Target
from gridproof.models.variables import Clause
from gridproof.rules.primitives import Sum


class SmtScript(Script):
    """Houses and rules as declarations and assertions."""

    target = "smt"
    mark = ";"
    ending = ("(check-sat)",)

    @property
    def integers(self) -> bool:
        return self.encoding.choice("cell", "variables") == "integers"

    def declarations(self) -> Iterator[str]:
        yield "(set-logic QF_LIA)"
        if self.integers:
            cells = map(self.geometry.cell_name, range(self.geometry.cell_count))
            yield from (f"(declare-const {name} Int)" for name in cells)
        else:
            yield from (f"(declare-const {self.literal(variable)} Bool)" for variable in self.x.numbers)
        yield from (f"(declare-const a{number} Bool)" for number in self.auxiliaries)

    def houses(self) -> Iterator[str]:
        if not self.integers:
            for group in self.groups():
                yield self.clause(group)
                yield from self.at_most(group)
            return
        cells = list(map(self.geometry.cell_name, range(self.geometry.cell_count)))
        yield from (f"(assert (<= 1 {name} {self.order}))" for name in cells)
        if self.order > 1:
            for house in self.geometry.houses:
                yield f"(assert (distinct {' '.join(cells[cell] for cell in house.cells)}))"

    def clause(self, literals: Iterable[int]) -> str:
        return _any(map(self.literal, literals))

    def weighted(self, total: Sum, unless: Clause) -> Iterator[str]:
        terms = zip(total.coefficients, map(self._value, total.cells), strict=True)
        # a plus needs two terms
        added = " ".join(f"(* {_number(weight)} {value})" for weight, value in terms)
        yield _any([*map(self.literal, unless), f"(= (+ 0 {added}) {_number(total.total)})"])

    def literal(self, literal: int) -> str:
        """Return a literal as an expression."""
        variable = abs(literal)
        if variable not in self.x.numbers:
            atom = f"a{variable}"
        else:
            cell, symbol = self.x.of(variable)
            name = self.geometry.cell_name(cell)
            atom = f"(= {name} {symbol})" if self.integers else f"|{name}={symbol}|"
        return atom if literal > 0 else f"(not {atom})"

    def _value(self, cell: int) -> str:
        if self.integers:
            return self.geometry.cell_name(cell)
        return f"(+ 0 {' '.join(f'(ite {self.literal(v)} {s} 0)' for s, v in enumerate(self.x.of_cell(cell), 1))})"


def _any(expressions: Iterable[str]) -> str:
    """Return the assertion that one of the expressions is true."""
    parts = list(expressions)
    either = parts[0] if len(parts) == 1 else f"(or {' '.join(parts)})" if parts else "false"
    return f"(assert {either})"


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"


TARGETS = (
    Target(
        name="smt",
        schema={"cell": {"variables": ("integers", "booleans")}},
        default_encoding=lambda problem: "smt-booleans",
        compile=SmtScript,
        formats={"smtlib": SmtScript.write},
    ),
)
