"""Geometry + encoding -> SMT-LIB, for z3 and others: integers that are distinct in each house, or Booleans.

An integer is called as its cell (``r1c1``), a Boolean as its candidate (``|r1c1=5|``), an auxiliary of a rule ``a730``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, combinations
from typing import TextIO

from gridproof.models.clauses import in_comment
from gridproof.models.encoding import Encoding
from gridproof.models.stated import Stated
from gridproof.models.targets import Target
from gridproof.puzzle.board import Board, Problem


class SmtScript(Stated):
    """Houses and rules as declarations and assertions."""

    target = "smt"

    @property
    def integers(self) -> bool:
        """Whether a cell is an integer, not a Boolean for each symbol."""
        return self.encoding.choice("cell", "variables") == "integers"

    @property
    def sizes(self) -> dict[str, int]:
        """What is declared and what is asserted."""
        begun = [line[:2] for line in self.lines()]
        return {"variables": begun.count("(d"), "constraints": begun.count("(a")}

    def lines(self) -> Iterator[str]:
        """Declarations and assertions."""
        geometry = self.geometry
        cells = list(map(geometry.cell_name, range(geometry.cell_count)))
        if self.integers:
            yield from (f"(declare-const {name} Int)" for name in cells)
            yield from (f"(assert (<= 1 {name} {self.order}))" for name in cells)
            for house in geometry.houses:
                if self.order > 1:
                    yield f"(assert (distinct {' '.join(cells[cell] for cell in house.cells)}))"
        else:
            yield from (f"(declare-const {self.literal(variable)} Bool)" for variable in self.x.numbers)
            for group in chain(self.cells(), self.houses()):
                yield self.clause(group)
                yield from self._at_most_one(group)
        yield from (f"(declare-const a{number} Bool)" for number in range(len(self.x.numbers) + 1, self.top + 1))
        yield from map(self.clause, self.clauses)
        yield from chain.from_iterable(map(self._at_most_one, self.at_most_ones))
        for total, unless in self.sums:
            terms = zip(total.coefficients, map(self._value, total.cells), strict=True)
            # a plus needs two terms
            added = " ".join(f"(* {_number(weight)} {value})" for weight, value in terms)
            said = f"(= (+ 0 {added}) {_number(total.total)})"
            yield f"(assert {self._any([*map(self.literal, unless), said])})"

    def literal(self, literal: int) -> str:
        """A literal as an expression."""
        variable = abs(literal)
        if variable not in self.x.numbers:
            said = f"a{variable}"
        else:
            cell, symbol = self.x.of(variable)
            name = self.geometry.cell_name(cell)
            said = f"(= {name} {symbol})" if self.integers else f"|{name}={symbol}|"
        return said if literal > 0 else f"(not {said})"

    def clause(self, literals: Iterable[int]) -> str:
        """The assertion that one of the literals is true."""
        return f"(assert {self._any(list(map(self.literal, literals)))})"

    @staticmethod
    def _any(said: list[str]) -> str:
        return said[0] if len(said) == 1 else f"(or {' '.join(said)})" if said else "false"

    def _at_most_one(self, literals: Iterable[int]) -> Iterator[str]:
        return (self.clause((-one, -other)) for one, other in combinations(literals, 2))

    def _value(self, cell: int) -> str:
        if self.integers:
            return self.geometry.cell_name(cell)
        return f"(+ 0 {' '.join(f'(ite {self.literal(v)} {s} 0)' for s, v in enumerate(self.x.of_cell(cell), 1))})"


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"


def _write(out: TextIO, problem: Problem, encoding: Encoding, board: Board | None, names: bool) -> None:
    """A script that ends with the question whether there is a grid."""
    script = SmtScript(problem, encoding)
    out.writelines(f"; {in_comment(remark)}\n" for remark in script.about(names))
    given = (script.clause([literal]) for literal in script.literals(board))
    out.writelines(f"{line}\n" for line in ("(set-logic QF_LIA)", *script.lines(), *given, "(check-sat)"))


TARGETS = (
    Target(
        name="smt",
        schema={"cell": {"variables": ("integers", "booleans")}},
        senseless=lambda choices: None,
        counts=("variables", "constraints"),
        default_encoding=lambda problem: "smt-booleans",
        compile=SmtScript,
        formats={"smtlib": _write},
    ),
)
