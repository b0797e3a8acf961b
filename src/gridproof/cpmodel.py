"""Geometry + encoding -> a CP-SAT model of the rules, without clues.

Viewpoints: an integer for each cell (all different in each house), a Boolean for each cell and symbol (exactly one in
each group), or both, linked. A board enters by narrowing the domains of these variables, and leaves by widening them
again: no constraint is rebuilt for a board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gridproof.board import Board
from gridproof.encoding import Encoding
from gridproof.errors import EncodingError
from gridproof.geometry import Geometry, Grid

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel


@dataclass(eq=False)
class CpSatModel:
    """The rules of a geometry as a CP-SAT model.

    integers, booleans: whether the model has integer variables (index = cell) and Boolean ones (index =
    ``first_boolean`` + cell * order + symbol - 1). ``narrow`` changes the domains of ``model`` for one board and
    ``widen`` undoes that, so a model serves one session at a time.
    """

    geometry: Geometry
    encoding: Encoding
    model: CpModel
    integers: bool
    booleans: bool

    def __post_init__(self) -> None:
        self.first_boolean = self.geometry.cell_count if self.integers else 0
        self._narrowed: list[int] = []

    def __reduce__(self) -> tuple[object, ...]:
        return compile_cpsat, (self.geometry, self.encoding)  # OR-Tools' model itself cannot be sent anywhere

    @property
    def variable_count(self) -> int:
        """Number of variables, integer and Boolean."""
        return len(self.model.proto.variables)

    @property
    def constraint_count(self) -> int:
        """Number of constraints of the rules."""
        return len(self.model.proto.constraints)

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
                first = self.first_boolean + cell * n - 1
                if len(symbols) == 1:
                    self._set_domain(first + symbols[0], [1, 1])
                else:
                    for symbol in set(range(1, n + 1)).difference(symbols):
                        self._set_domain(first + symbol, [0, 0])

    def widen(self) -> None:
        """Undo ``narrow``: the domains are as they were compiled."""
        n = self.geometry.order
        narrowed, self._narrowed = self._narrowed, []
        for index in narrowed:
            domain = self.model.proto.variables[index].domain
            domain.clear()
            domain.extend([1, n] if self.integers and index < self.geometry.cell_count else [0, 1])

    def _set_domain(self, index: int, bounds: list[int]) -> None:
        self._narrowed.append(index)
        domain = self.model.proto.variables[index].domain
        domain.clear()
        domain.extend(bounds)

    def block(self, model: CpModel, grid: Grid) -> None:
        """Forbid one grid in ``model``, a copy of this model: constraints cannot be taken back."""
        n = self.geometry.order
        constraint = model.proto.constraints.add()
        if self.booleans:
            first = self.first_boolean - 1
            # -i-1 is CP-SAT's number for the negation of the Boolean variable i
            constraint.bool_or.literals.extend([-(first + cell * n + symbol) - 1 for cell, symbol in enumerate(grid)])
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
        n = self.geometry.order
        grid = [0] * self.geometry.cell_count
        for index, value in enumerate(values):
            if value:
                grid[index // n] = index % n + 1
        return tuple(grid)

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


def compile_cpsat(geometry: Geometry, encoding: Encoding) -> CpSatModel:
    """The rules of ``geometry`` under ``encoding``. Raises ``EncodingError`` if it is for another target."""
    if encoding.target != "cp-sat":
        raise EncodingError(f"encoding {encoding.name!r} has the target {encoding.target!r}; expected 'cp-sat' here")
    from ortools.sat.python import cp_model

    n = geometry.order
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
    return CpSatModel(geometry, encoding, model, bool(integers), bool(booleans))
