"""Geometry + encoding -> a CP-SAT model of the rules, without clues.

Viewpoints: an integer for each cell (all different in each house), a Boolean for each cell and symbol (exactly one in
each group), or both, linked. A board enters by narrowing the domains of these variables, and leaves by widening them
again: no constraint is rebuilt for a board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from gridproof.models.cpsat_rules import add_primitive
from gridproof.models.encoding import Encoding
from gridproof.models.targets import Choices, Model, Target, check_target
from gridproof.models.variables import CellVariables
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, Grid
from gridproof.runs.interrupts import ctrl_c_waits

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel


@dataclass(eq=False)
class CpSatModel(Model):
    """The rules of a geometry as a CP-SAT model.

    integers, booleans: whether the model has integer variables (index = cell) and Boolean ones (by ``x``, after the
    integers). ``narrow`` changes the domains of ``model`` for one board and ``widen`` undoes that, so a model serves
    one session at a time.
    """

    problem: Problem
    encoding: Encoding
    model: CpModel
    integers: bool
    booleans: bool

    def __post_init__(self) -> None:
        self.x = CellVariables(self.geometry, self.geometry.cell_count if self.integers else 0)
        self._narrowed: list[int] = []

    def __reduce__(self) -> tuple[object, ...]:
        return compile_cpsat, (self.problem, self.encoding)  # OR-Tools' model itself cannot be sent anywhere

    @property
    def sizes(self) -> dict[str, int]:
        """Variables, integer and Boolean, and constraints."""
        return {"variables": len(self.model.proto.variables), "constraints": len(self.model.proto.constraints)}

    def narrow(self, board: Board) -> None:
        """Restrict the variables to the board's clues and pencil marks, of which each cell must have one.

        Call ``widen`` before the next board.
        """
        n = self.geometry.order
        for cell, mask in enumerate(board.candidates):
            if mask.bit_count() == n:
                continue
            symbols = [symbol for symbol in range(1, n + 1) if mask >> (symbol - 1) & 1]
            if self.integers:
                self._set_domain(cell, _intervals(symbols))
            if self.booleans:
                if len(symbols) == 1:
                    self._set_domain(self.x(cell, symbols[0]), [1, 1])
                else:
                    for symbol in set(range(1, n + 1)).difference(symbols):
                        self._set_domain(self.x(cell, symbol), [0, 0])

    def widen(self) -> None:
        """Undo ``narrow``: the domains are as they were compiled."""
        n = self.geometry.order
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

    def block(self, model: CpModel, grid: Grid) -> None:
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

    def decode(self, values: Sequence[int]) -> Grid:
        """The grid that a solution (one value for each variable) says; 0 where it says none."""
        if self.integers:
            return tuple(values[: self.geometry.cell_count])
        return self.x.decode([variable for variable in self.x.numbers if values[variable]])

    def proto_text(self, board: Board | None = None) -> str:
        """The model as CP-SAT's protocol-buffer text, with the board's clues if one is given."""
        if board is None:
            return str(self.model.proto)
        if 0 in board.candidates:  # a variable without values is no model: a clause without literals says the same
            copy = type(self.model)()
            copy.proto.copy_from(self.model.proto)
            copy.proto.constraints.add().bool_or.literals.extend([])
            return str(copy.proto)
        self.narrow(board)
        try:
            return str(self.model.proto)
        finally:
            self.widen()


def _intervals(symbols: Sequence[int]) -> list[int]:
    """First and last of each run of symbols: CP-SAT takes no domain whose intervals touch."""
    firsts = [symbol for symbol in symbols if symbol - 1 not in symbols]
    lasts = [symbol for symbol in symbols if symbol + 1 not in symbols]
    return [bound for interval in zip(firsts, lasts, strict=True) for bound in interval]


def compile_cpsat(problem: Problem | Geometry, encoding: Encoding) -> CpSatModel:
    """Houses and rules under ``encoding``; a geometry stands for the problem without rules.

    Raises ``EncodingError`` if the encoding is for another target.
    """
    check_target(encoding, "cp-sat")
    with ctrl_c_waits():  # broken into, it cannot be imported any more
        from ortools.sat.python import cp_model

    if isinstance(problem, Geometry):
        problem = Problem(problem)
    geometry, n = problem.geometry, problem.geometry.order
    cells = range(geometry.cell_count)
    symbols = range(1, n + 1)
    model = cp_model.CpModel()
    variables, constraint = encoding.choice("cell", "variables"), encoding.choice("house", "constraint")
    integers: list[Any] = []
    booleans: list[list[Any]] = []
    if variables in ("integers", "linked"):
        integers = [model.new_int_var(1, n, geometry.cell_name(cell)) for cell in cells]
    if variables in ("booleans", "linked"):
        booleans = [
            [model.new_bool_var(f"{geometry.cell_name(cell)}={symbol}") for symbol in symbols] for cell in cells
        ]
        for cell in cells:
            model.add_exactly_one(booleans[cell])
    for house in geometry.houses:
        if constraint in ("all-different", "both"):
            model.add_all_different([integers[cell] for cell in house.cells])
        if constraint in ("exactly-one", "both"):
            for symbol in symbols:
                model.add_exactly_one([booleans[cell][symbol - 1] for cell in house.cells])
    if variables == "linked":
        for cell in cells:
            for symbol in symbols:
                literal = booleans[cell][symbol - 1]
                model.add(integers[cell] == symbol).only_enforce_if(literal)
                model.add(integers[cell] != symbol).only_enforce_if(~literal)
    viewpoint = _Viewpoint(n, model, integers, booleans)
    for rule in problem.rules:
        for primitive in rule.expand(geometry):
            add_primitive(primitive, viewpoint)
    return CpSatModel(problem, encoding, model, bool(integers), bool(booleans))


class _Viewpoint:
    """The variables of a model, and Booleans where its rules need them, linked; see ``cpsat_rules``."""

    def __init__(self, order: int, model: CpModel, integers: list[Any], booleans: list[list[Any]]) -> None:
        self.order, self.model = order, model
        self._integers = integers
        self._booleans = dict(enumerate(booleans))

    def value(self, cell: int) -> Any:
        if self._integers:
            return self._integers[cell]
        return sum(symbol * held for symbol, held in enumerate(self._booleans[cell], 1))

    def literal(self, cell: int, symbol: int) -> Any:
        if cell not in self._booleans:
            held = self._booleans[cell] = [self.model.new_bool_var("") for _ in range(self.order)]
            self.model.add_exactly_one(held)
            self.model.add(self._integers[cell] == sum(s * one for s, one in enumerate(held, 1)))
        return self._booleans[cell][symbol - 1]


def _senseless(choices: Choices) -> str | None:
    """A constraint needs the variables that it is about."""
    variables, constraint = choices["cell", "variables"], choices["house", "constraint"]
    needed = {"all-different": "integers", "exactly-one": "booleans", "both": "linked"}[str(constraint)]
    if variables in (needed, "linked"):
        return None
    return (
        f"house.constraint = {constraint!r} with cell.variables = {variables!r}; "
        f"expected cell.variables = {needed!r} or 'linked'"
    )


def _write(out: TextIO, problem: Problem, encoding: Encoding, board: Board | None, names: bool) -> None:
    """CP-SAT's protocol-buffer text, a board as domains. The names of variables are part of it."""
    out.write(compile_cpsat(problem, encoding).proto_text(board))


TARGETS = (
    Target(
        name="cp-sat",
        schema={
            "cell": {"variables": ("integers", "booleans", "linked")},
            "house": {"constraint": ("all-different", "exactly-one", "both")},
        },
        senseless=_senseless,
        counts=("variables", "constraints"),
        default_encoding=lambda problem: "exactly-one",
        compile=compile_cpsat,
        formats={"cp-sat-proto": _write},
    ),
)
