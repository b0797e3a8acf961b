"""Geometry + encoding -> a MiniZinc model: an integer for each cell, ``x[row,column]``.

The Booleans ``a[730]`` are auxiliaries of rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import TextIO

from gridproof.models.clauses import in_comment
from gridproof.models.encoding import Encoding
from gridproof.models.stated import Stated
from gridproof.models.targets import Target
from gridproof.puzzle.board import Board, Problem


class MiniZincModel(Stated):
    """Houses and rules as constraints."""

    target = "minizinc"

    @property
    def sizes(self) -> dict[str, int]:
        """Integers and Booleans, and constraints."""
        auxiliaries = self.top - len(self.x.numbers)
        constraints = sum(line.startswith("constraint") for line in self.lines())
        return {"variables": self.geometry.cell_count + auxiliaries, "constraints": constraints}

    def lines(self) -> Iterator[str]:
        """Declarations and constraints."""
        n, geometry = self.order, self.geometry
        if pairs := self.encoding.choice("house", "constraint") == "pairs":
            for one, peers in enumerate(geometry.peers):
                for other in sorted(peer for peer in peers if peer > one):
                    yield f"constraint {self._cell(one)} != {self._cell(other)};"
        else:
            yield 'include "alldifferent.mzn";'
        yield f"array[1..{n},1..{n}] of var 1..{n}: x;"
        if self.top > (cells := len(self.x.numbers)):
            yield f"array[{cells + 1}..{self.top}] of var bool: a;"
        if not pairs:
            for house in geometry.houses:
                yield f"constraint alldifferent([{', '.join(map(self._cell, house.cells))}]);"
        yield from map(self.clause, self.clauses)
        for group in self.at_most_ones:
            yield from (self.clause((-one, -other)) for one, other in combinations(group, 2))
        for total, unless in self.sums:
            terms = zip(total.coefficients, map(self._cell, total.cells), strict=True)
            said = f"{' + '.join(f'{weight}*{cell}' for weight, cell in terms) or '0'} = {total.total}"
            yield f"constraint {self._any([*map(self._literal, unless), f'({said})'])};"

    def clause(self, literals: Iterable[int]) -> str:
        """The constraint that one of the literals is true."""
        return f"constraint {self._any(map(self._literal, literals))};"

    def _cell(self, cell: int) -> str:
        row, column = divmod(cell, self.order)
        return f"x[{row + 1},{column + 1}]"

    def _literal(self, literal: int) -> str:
        if (variable := abs(literal)) not in self.x.numbers:
            return f"{'' if literal > 0 else 'not '}a[{variable}]"
        cell, symbol = self.x.of(variable)
        return f"{self._cell(cell)} {'=' if literal > 0 else '!='} {symbol}"

    @staticmethod
    def _any(said: Iterable[str]) -> str:
        return " \\/ ".join(said) or "false"


def _write(out: TextIO, problem: Problem, encoding: Encoding, board: Board | None, names: bool) -> None:
    """A model whose answer is the grid, cell by cell."""
    model = MiniZincModel(problem, encoding)
    out.writelines(f"% {in_comment(remark)}\n" for remark in model.about(names))
    given = (model.clause([literal]) for literal in model.literals(board))
    out.writelines(f"{line}\n" for line in (*model.lines(), *given, "solve satisfy;", "output [show(x)];"))


TARGETS = (
    Target(
        name="minizinc",
        schema={"house": {"constraint": ("all-different", "pairs")}},
        senseless=lambda choices: None,
        counts=("variables", "constraints"),
        default_encoding=lambda problem: "minizinc-alldifferent",
        compile=MiniZincModel,
        formats={"minizinc": _write},
    ),
)
