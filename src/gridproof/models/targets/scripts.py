"""Targets that are text in the language of a solver: answer set programs, MiniZinc models and SMT-LIB scripts.

A script of a board is that of its problem, and a line for each clue and each candidate that is ruled out. Auxiliaries
of rules are ``a(730)``, ``a[730]`` and ``a730``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TextIO

from gridproof.models.statements import StatementModel
from gridproof.models.targets import Target
from gridproof.models.variables import Clause
from gridproof.puzzle.board import Board
from gridproof.rules.primitives import Sum


class Script(StatementModel[str]):
    """Statements that are lines of text."""

    mark = "%"
    """The characters that begin a comment."""

    ending: Sequence[str] = ()
    """The lines that come last in a file: the question."""

    @abstractmethod
    def declarations(self) -> Iterator[str]:
        """Return the lines that come first."""

    @abstractmethod
    def literal(self, literal: int) -> str:
        """Return a literal as an expression."""

    @abstractmethod
    def sum_holds(self, total: Sum) -> str:
        """Return the expression that a sum holds."""

    @abstractmethod
    def either(self, expressions: Iterable[str]) -> str:
        """Return the statement that one of the expressions is true."""

    def clause(self, literals: Iterable[int]) -> str:
        return self.either([self.literal(literal) for literal in literals])

    def weighted(self, total: Sum, unless: Clause) -> Iterator[str]:
        expressions = [self.literal(literal) for literal in unless]
        expressions.append(self.sum_holds(total))
        yield self.either(expressions)

    def lines(self) -> Iterator[str]:
        """Return the rules as a solver loads them: declarations and statements."""
        return chain(self.declarations(), self.statements())

    def write(self, out: TextIO, board: Board | None, names: bool = True) -> None:
        """Write a file that states the rules, and a board, and the question for a grid."""
        self.write_remarks(out, self.mark, names)
        lines = chain(self.declarations(), self.statements(board), self.ending)
        out.writelines(f"{line}\n" for line in lines)


_HOUSES = {
    "cardinality": ":- house(H,_), symbol(S), not 1 { x(C,S) : house(H,C) } 1.",
    "pairs": "peer(C,D) :- house(H,C), house(H,D), C < D.\n:- peer(C,D), x(C,S), x(D,S).",
}


class AspProgram(Script):
    """Houses and rules as an answer set program, for clingo: cells choose symbols, houses and rules forbid.

    ``x(C,S)`` means that cell C, counted from 0 in reading order, holds the symbol S.
    """

    def declarations(self) -> Iterator[str]:
        yield f"cell(0..{self.geometry.cell_count - 1}). symbol(1..{self.symbol_count})."
        for number, house in enumerate(self.geometry.houses):
            cells = ";".join(str(cell) for cell in house.cells)
            yield f"house({number},({cells}))."
        if self.auxiliaries:
            yield f"{{ a({self.auxiliaries[0]}..{self.top}) }}."
        yield "#show x/2."

    def houses(self) -> Iterator[str]:
        yield "1 { x(C,S) : symbol(S) } 1 :- cell(C)."
        constraint = str(self.encoding.choice("house", "constraint"))
        if constraint == "cardinality" and not self.geometry.has_full_houses_only:
            yield from self._houses_by_size()
        else:
            yield _HOUSES[constraint]

    def _houses_by_size(self) -> Iterator[str]:
        """Return that no house holds a symbol twice, and each full house holds every symbol."""
        yield ":- house(H,_), symbol(S), 2 { x(C,S) : house(H,C) }."
        for number, house in enumerate(self.geometry.houses):
            if self.geometry.is_full(house):
                yield f":- symbol(S), not 1 {{ x(C,S) : house({number},C) }}."

    def at_most(self, literals: Clause) -> Iterator[str]:
        atoms = [self.literal(literal) for literal in literals]
        yield f":- 2 {{ {'; '.join(atoms)} }}."

    def literal(self, literal: int) -> str:
        variable = abs(literal)
        if variable in self.x.numbers:
            cell, symbol = self.x.of(variable)
            atom = f"x({cell},{symbol})"
        else:
            atom = f"a({variable})"
        return atom if literal > 0 else f"not {atom}"

    def sum_holds(self, total: Sum) -> str:
        terms = []
        for place, (cell, weight) in enumerate(zip(total.cells, total.coefficients, strict=True)):
            for symbol in range(1, self.symbol_count + 1):
                terms.append(f"{weight * symbol},{place} : x({cell},{symbol})")
        return f"#sum {{ {'; '.join(terms)} }} = {total.total}"

    def either(self, expressions: Iterable[str]) -> str:
        negated = [text.removeprefix("not ") if text.startswith("not ") else f"not {text}" for text in expressions]
        return f":- {', '.join(negated)}."


class MiniZincModel(Script):
    """Houses and rules as constraints on an integer for each cell, ``x[row,column]``. The answer is the grid."""

    ending = ("solve satisfy;", "output [show(x)];")

    @property
    def integers(self) -> bool:
        return True

    def declarations(self) -> Iterator[str]:
        yield 'include "alldifferent.mzn";'
        rows, columns = self.geometry.shape
        yield f"array[1..{rows},1..{columns}] of var 1..{self.symbol_count}: x;"
        if self.auxiliaries:
            yield f"array[{self.auxiliaries[0]}..{self.top}] of var bool: a;"

    def houses(self) -> Iterator[str]:
        if self.encoding.choice("house", "constraint") == "pairs":
            for cell, peers in enumerate(self.geometry.peers):
                later = [peer for peer in peers if peer > cell]
                for peer in sorted(later):
                    yield f"constraint {self._cell(cell)} != {self._cell(peer)};"
            return
        for house in self.geometry.houses:
            cells = [self._cell(cell) for cell in house.cells]
            yield f"constraint alldifferent([{', '.join(cells)}]);"

    def sum_holds(self, total: Sum) -> str:
        terms = []
        for weight, cell in zip(total.coefficients, total.cells, strict=True):
            terms.append(f"{weight}*{self._cell(cell)}")
        return f"({' + '.join(terms) or '0'} = {total.total})"

    def either(self, expressions: Iterable[str]) -> str:
        either = " \\/ ".join(expressions) or "false"
        return f"constraint {either};"

    def _cell(self, cell: int) -> str:
        row, column = divmod(cell, self.geometry.columns)
        return f"x[{row + 1},{column + 1}]"

    def literal(self, literal: int) -> str:
        variable = abs(literal)
        if variable not in self.x.numbers:
            return f"a[{variable}]" if literal > 0 else f"not a[{variable}]"
        cell, symbol = self.x.of(variable)
        relation = "=" if literal > 0 else "!="
        return f"{self._cell(cell)} {relation} {symbol}"


class SmtScript(Script):
    """Houses and rules as declarations and assertions: integers that are distinct in each house, or Booleans.

    An integer is called as its cell (``r1c1``), a Boolean as its candidate (``|r1c1=5|``).
    """

    mark = ";"
    ending = ("(check-sat)",)

    @property
    def integers(self) -> bool:
        return self.encoding.choice("cell", "variables") == "integers"

    def declarations(self) -> Iterator[str]:
        yield "(set-logic QF_LIA)"
        if self.integers:
            for cell in range(self.geometry.cell_count):
                yield f"(declare-const {self.geometry.cell_name(cell)} Int)"
        else:
            for variable in self.x.numbers:
                yield f"(declare-const {self.literal(variable)} Bool)"
        for number in self.auxiliaries:
            yield f"(declare-const a{number} Bool)"

    def houses(self) -> Iterator[str]:
        if not self.integers:
            for group in self.cell_groups():
                yield self.clause(group)
                yield from self.at_most(group)
            for group, is_full in self.house_groups():
                if is_full:
                    yield self.clause(group)
                yield from self.at_most(group)
            return
        names = [self.geometry.cell_name(cell) for cell in range(self.geometry.cell_count)]
        for name in names:
            yield f"(assert (<= 1 {name} {self.symbol_count}))"
        for house in self.geometry.houses:
            held = [names[cell] for cell in house.cells]
            if len(held) > 1:
                yield f"(assert (distinct {' '.join(held)}))"

    def sum_holds(self, total: Sum) -> str:
        terms = []
        for weight, cell in zip(total.coefficients, total.cells, strict=True):
            terms.append(f"(* {write_number(weight)} {self._value(cell)})")
        # a plus needs two terms
        return f"(= (+ 0 {' '.join(terms)}) {write_number(total.total)})"

    def either(self, expressions: Iterable[str]) -> str:
        parts = list(expressions)
        if not parts:
            return "(assert false)"
        if len(parts) == 1:
            return f"(assert {parts[0]})"
        return f"(assert (or {' '.join(parts)}))"

    def literal(self, literal: int) -> str:
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
        choices = [f"(ite {self.literal(v)} {symbol} 0)" for symbol, v in enumerate(self.x.of_cell(cell), 1)]
        return f"(+ 0 {' '.join(choices)})"


def write_number(value: int) -> str:
    """Return a number as SMT-LIB has it, where a negative one is a function of its absolute value."""
    return str(value) if value >= 0 else f"(- {-value})"


TARGETS = (
    Target(
        name="asp",
        schema={"house": {"constraint": tuple(_HOUSES)}},
        default_encoding=lambda problem: "asp",
        compile=AspProgram,
        formats={"asp": AspProgram.write},
    ),
    Target(
        name="minizinc",
        schema={"house": {"constraint": ("all-different", "pairs")}},
        default_encoding=lambda problem: "minizinc-alldifferent",
        compile=MiniZincModel,
        formats={"minizinc": MiniZincModel.write},
    ),
    Target(
        name="smt",
        schema={"cell": {"variables": ("integers", "booleans")}},
        default_encoding=lambda problem: "smt-booleans",
        compile=SmtScript,
        formats={"smtlib": SmtScript.write},
    ),
)
