"""The common part of all clauses for a SAT solver, those of a whole geometry and those of one board."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, ClassVar, TextIO, TypeAlias

from gridproof.models.targets import Model

if TYPE_CHECKING:
    from gridproof.models.encoding import Encoding
    from gridproof.puzzle.board import Board, Problem
    from gridproof.puzzle.geometry import Grid

Clause: TypeAlias = tuple[int, ...]


def in_comment(name: str) -> str:
    """Return a name on one line of ASCII, with the escapes of JSON: houses and encodings may be called anything."""
    return json.dumps(name)[1:-1]


class Clauses(Model):
    """Clauses over variables numbered from 1. They are not to be changed.

    A board enters by ``literals``, which a solver assumes, and a model of the solver leaves by ``decode``.
    """

    scope: ClassVar[str] = ""
    """What the first line of a DIMACS file adds to geometry and encoding."""

    def __init__(self, problem: Problem, encoding: Encoding, variable_count: int, clause_count: int) -> None:
        self.problem = problem
        self.encoding = encoding
        self.variable_count = variable_count
        self.clause_count = clause_count

    def __repr__(self) -> str:
        size = f"{self.variable_count:,} variables, {self.clause_count:,} clauses"
        return f"<{type(self).__name__} of {self.geometry.description}, {self.encoding.name}: {size}>"

    @property
    def sizes(self) -> dict[str, int]:
        """Variables and clauses."""
        return {"variables": self.variable_count, "clauses": self.clause_count}

    @abstractmethod
    def pieces(self) -> Iterator[Sequence[Sequence[int]]]:
        """Return the clauses, a piece at a time."""

    def __iter__(self) -> Iterator[Sequence[int]]:
        for piece in self.pieces():
            yield from piece

    @abstractmethod
    def literals(self, board: Board) -> list[int]:
        """Return the literals that the board adds to the clauses."""

    @abstractmethod
    def decode(self, model: Sequence[int]) -> Grid:
        """Return the grid of a model: literals in the order of their variables, the true ones positive.

        0 in a cell for which it says no symbol.
        """

    @abstractmethod
    def blocking_clause(self, grid: Grid, board: Board | None = None) -> Clause:
        """Return the clause that forbids this grid, without the clues of ``board``, which are assumed."""

    @abstractmethod
    def name(self, variable: int) -> str:
        """Return the name of a variable. Raises ``IndexError`` for a number that is no variable."""

    def activations(self) -> Iterator[int]:
        """Variables beyond these, without end: for a solver's own clauses that are to be switched on and off."""
        return count(self.variable_count + 1)

    def remarks(self, names: bool) -> Iterator[str]:
        """Yield the comments of a DIMACS file; with ``names`` the name of each variable, too."""
        yield from self.about(self.scope)
        if names:
            yield from (f"{variable} {self.name(variable)}" for variable in range(1, self.variable_count + 1))

    def write_dimacs(self, out: TextIO, board: Board | None = None, *extra: Clause, names: bool = True) -> None:
        """DIMACS CNF: ``c`` lines that explain the model and each variable, the rules, then the board as units.

        ``extra`` clauses come last. Without ``names`` the variables are not explained one by one.
        """
        units = [] if board is None else [(literal,) for literal in self.literals(board)]
        out.writelines(f"c {in_comment(remark)}\n" for remark in self.remarks(names))
        out.write(f"p cnf {self.variable_count} {self.clause_count + len(units) + len(extra)}\n")
        for part in (*self.pieces(), units, extra):
            out.writelines(f"{' '.join(map(str, (*clause, 0)))}\n" for clause in part)
