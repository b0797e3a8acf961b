"""Geometry + encoding -> a CP-SAT model of the rules, without clues.

Viewpoints: an integer for each cell (all different in each house), a Boolean for each cell and symbol (exactly one in
each group), or both, linked. A board enters by narrowing the domains of these variables, and leaves by widening them
again: no constraint is rebuilt for a board.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from gridproof.models.clauses import Builder
from gridproof.models.cnf_rules import add_rules
from gridproof.models.targets import Choices, Encoding, Model, Target
from gridproof.models.variables import CellVariables
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.rules.primitives import Sum
from gridproof.runs.interrupts import ctrl_c_waits

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel


class CpSatModel(Model):
    """Houses and rules as a CP-SAT model; a geometry stands for the problem without rules.

    integers, booleans: whether the model has integer variables (index = cell) and Boolean ones (by ``x``, after the
    integers). ``narrow`` changes the domains of ``model`` for one board and ``widen`` undoes that, so a model serves
    one session at a time.
    """

    def __init__(self, problem: Problem | Geometry, encoding: Encoding) -> None:
        with ctrl_c_waits():  # broken into, it cannot be imported any more
            from ortools.sat.python import cp_model

        self.problem = Problem.of(problem)
        self.encoding = encoding
        self.model = cp_model.CpModel()
        self._domain = cp_model.Domain
        geometry = self.geometry
        variables = encoding.choice("cell", "variables")
        constraint = encoding.choice("house", "constraint")
        self.integers = variables != "booleans"
        self.booleans = variables != "integers"
        self.x = CellVariables(geometry, geometry.cell_count if self.integers else 0)
        self._narrowed: list[int] = []
        names = [geometry.cell_name(cell) for cell in range(geometry.cell_count)]
        builder = CpSatBuilder(self.model, geometry.symbol_count, names, integers=self.integers, booleans=self.booleans)
        for house in geometry.houses:
            if constraint in ("all-different", "both"):
                self.model.add_all_different([builder.integers[cell] for cell in house.cells])
            if constraint in ("exactly-one", "both"):
                state = builder.exactly_one if geometry.is_full(house) else builder.at_most_one
                for symbol in geometry.symbols:
                    state(tuple(builder.x(cell, symbol) for cell in house.cells), "")
        if variables == "linked":
            builder.link()
        add_rules(self.problem, builder)

    def __reduce__(self) -> tuple[object, ...]:
        return CpSatModel, (self.problem, self.encoding)  # OR-Tools' model itself cannot be sent anywhere

    @property
    def sizes(self) -> dict[str, int]:
        """Variables, integer and Boolean, and constraints."""
        return {"variables": len(self.model.proto.variables), "constraints": len(self.model.proto.constraints)}

    def narrow(self, board: Board) -> None:
        """Restrict the variables to the board's clues and pencil marks, of which each cell must have one.

        Call ``widen`` before the next board.
        """
        n = self.geometry.symbol_count
        for cell, mask in enumerate(board.candidates):
            if mask.bit_count() == n:
                continue
            symbols = [symbol for symbol in range(1, n + 1) if mask >> (symbol - 1) & 1]
            if self.integers:
                self._set_domain(cell, self._domain.from_values(symbols).flattened_intervals())
            if self.booleans:
                if len(symbols) == 1:
                    self._set_domain(self.x(cell, symbols[0]), [1, 1])
                else:
                    for symbol in set(range(1, n + 1)).difference(symbols):
                        self._set_domain(self.x(cell, symbol), [0, 0])

    def widen(self) -> None:
        """Undo ``narrow``: the domains are as they were compiled."""
        n = self.geometry.symbol_count
        for index in self._narrowed:
            domain = self.model.proto.variables[index].domain
            domain.clear()
            domain.extend([1, n] if self.integers and index < self.geometry.cell_count else [0, 1])
        self._narrowed.clear()

    def _set_domain(self, index: int, bounds: list[int]) -> None:
        self._narrowed.append(index)
        domain = self.model.proto.variables[index].domain
        domain.clear()
        domain.extend(bounds)

    def block(self, model: CpModel, grid: SymbolTuple) -> None:
        """Forbid one grid in ``model``, a copy of this model: constraints cannot be taken back."""
        constraint = model.proto.constraints.add()
        if self.booleans:
            # -i-1 is CP-SAT's number for the negation of the Boolean variable i
            constraint.bool_or.literals.extend([-variable - 1 for variable in self.x.of_symbols(grid)])
            return
        constraint.table.negated = True
        for cell in range(self.geometry.cell_count):
            expression = constraint.table.exprs.add()
            expression.vars.append(cell)
            expression.coeffs.append(1)
        constraint.table.values.extend(grid)

    def decode(self, values: Sequence[int]) -> SymbolTuple:
        """Return the grid of a solution (one value for each variable); 0 in a cell without symbol."""
        if self.integers:
            return tuple(values[: self.geometry.cell_count])
        return self.x.decode([variable for variable in self.x.numbers if values[variable]])

    def write(self, out: TextIO, board: Board | None, names: bool = True) -> None:
        """CP-SAT's protocol-buffer text, a board as domains. The names of variables are part of it."""
        model = self.model
        if board is not None and 0 in board.candidates:
            # a variable without values is no model: a clause without literals means the same
            model = type(model)()
            model.proto.copy_from(self.model.proto)
            model.proto.constraints.add().bool_or.literals.extend([])
        elif board is not None:
            self.narrow(board)
        try:
            out.write(str(model.proto))
        finally:
            self.widen()


class CpSatBuilder(Builder):
    """Variables and constraints of a CP-SAT model; a literal v > 0 is CP-SAT's variable v - 1.

    Rules are clauses, from the same translation as for SAT solvers, as that is fastest: with a table for each pair of a
    knight's and a king's move a count took thirty times as long, and with tables, automata and linear cages real
    puzzles took twice as long. Only sums that many sets of symbols reach are linear. Where cells are integers, those
    that a rule needs have Booleans, too.
    """

    def __init__(
        self, model: CpModel, symbol_count: int, names: Sequence[str], *, integers: bool, booleans: bool
    ) -> None:
        self.model = model
        self.symbol_count = symbol_count
        self.x = self._literal
        self._constraints = model.proto.constraints
        self.integers: list[Any] = []
        if integers:
            self.integers = [model.new_int_var(1, symbol_count, name) for name in names]
        self._booleans: dict[int, list[Any]] = {}
        for cell, name in enumerate(names if booleans else ()):
            self._add_booleans(cell, [f"{name}={symbol}" for symbol in range(1, symbol_count + 1)])

    def _add_booleans(self, cell: int, names: Sequence[str]) -> None:
        held = [self.model.new_bool_var(name) for name in names]
        self._booleans[cell] = held
        self.exactly_one(tuple(variable.index + 1 for variable in held), "")

    def link(self) -> None:
        """State that the integer and the Booleans of each cell mean the same."""
        for cell, integer in enumerate(self.integers):
            for symbol, held in enumerate(self._booleans[cell], 1):
                self.model.add(integer == symbol).only_enforce_if(held)
                self.model.add(integer != symbol).only_enforce_if(~held)

    def value(self, cell: int) -> Any:
        """Return the symbol of a cell as an expression."""
        return self.integers[cell] if self.integers else self._spelled(cell)

    def _spelled(self, cell: int) -> Any:
        return sum(symbol * held for symbol, held in enumerate(self._booleans[cell], 1))

    def _literal(self, cell: int, symbol: int) -> int:
        if cell not in self._booleans:
            self._add_booleans(cell, [""] * self.symbol_count)
            self.model.add(self.integers[cell] == self._spelled(cell))
        return int(self._booleans[cell][0].index) + symbol

    @property
    def top(self) -> int:
        return len(self.model.proto.variables)

    @property
    def size(self) -> int:
        return len(self._constraints)

    def new(self, number: int, label: str) -> int:
        first = self.top + 1
        for _ in range(number):
            self.model.new_bool_var("")
        return first

    def add(self, clause: Sequence[int]) -> None:
        self._constraints.add().bool_or.literals.extend(indices_of(clause))

    def at_most_one(self, literals: tuple[int, ...], label: str) -> None:
        self._constraints.add().at_most_one.literals.extend(indices_of(literals))

    def exactly_one(self, literals: tuple[int, ...], label: str) -> None:
        self._constraints.add().exactly_one.literals.extend(indices_of(literals))

    def linear(self, total: Sum, unless: Sequence[int] = ()) -> None:
        terms = [weight * self.value(cell) for weight, cell in zip(total.coefficients, total.cells, strict=True)]
        constraint = self.model.add(sum(terms) == total.total)
        constraint.proto.enforcement_literal.extend([index_of(-literal) for literal in unless])


def indices_of(literals: Iterable[int]) -> list[int]:
    """Return CP-SAT's numbers of literals."""
    return [index_of(literal) for literal in literals]


def index_of(literal: int) -> int:
    """Return CP-SAT's number of a literal: -i - 1 is its number for the negation of variable i."""
    return literal - 1 if literal > 0 else literal


def explain_gap(choices: Choices) -> str | None:
    """Explain that a constraint lacks the variables that it is about, or return ``None``."""
    variables = choices["cell", "variables"]
    constraint = choices["house", "constraint"]
    needed = {"all-different": "integers", "exactly-one": "booleans", "both": "linked"}[str(constraint)]
    if variables in (needed, "linked"):
        return None
    return (
        f"house.constraint = {constraint!r} with cell.variables = {variables!r}; "
        f"expected cell.variables = {needed!r} or 'linked'"
    )


TARGETS = (
    Target(
        name="cp-sat",
        schema={
            "cell": {"variables": ("integers", "booleans", "linked")},
            "house": {"constraint": ("all-different", "exactly-one", "both")},
        },
        invalid_reason=explain_gap,
        default_encoding=lambda problem: "exactly-one",
        compile=CpSatModel,
        formats={"cp-sat-proto": CpSatModel.write},
    ),
)
