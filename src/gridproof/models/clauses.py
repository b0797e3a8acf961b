"""Clauses for a SAT solver: a list that grows, the parts of it that are guarded, and the finished model.

Who overrides what of ``Builder``, the model under construction:

| builder | keeps clauses in | at most one | sums | builds on houses |
|---|---|---|---|---|
| ``ClauseList`` | a list | by pairs | as they are | no |
| ``targets.cnf.SchemeBuilder`` | a list | by the encoding's scheme | as clauses | yes |
| ``StatementModel``, of targets that write statements | a list | in a list of its own | in a list of their own | no |
| ``reduced.OpenBuilder`` | a list, without what is settled | by pairs | as clauses | no |
| ``targets.cp_sat.CpSatBuilder`` | OR-Tools' model | as OR-Tools' constraint | as OR-Tools' constraint | no |
| ``WithFurther``, over further cells | another builder | as there | as clauses | as there |
| ``Guarded`` | another builder, with a guard | by pairs | there | as there |
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import TextIO

from gridproof.models.targets import Encoding, Model
from gridproof.models.variables import Clause, Variables
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.further_cells import WithFurtherCells
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.rules.primitives import Sum, check_effort
from gridproof.text import counted

# ---- models under construction -------------------------------------------------------------------------------------


class Builder(ABC):
    """A model under construction, as the translations of rules see it: where clauses over named variables go.

    Attributes
    ----------
    symbol_count
        The number of symbols.
    x
        A function from a cell and a symbol to the literal "the cell holds the symbol".
    has_sums
        True if the target takes sums as they are (``linear``), besides clauses.
    houses_of
        The geometry whose houses the model states, so that clauses of rules may build on them, or ``None``.
    """

    symbol_count: int
    x: Callable[[int, int], int]
    has_sums = True
    houses_of: Geometry | None = None

    @property
    @abstractmethod
    def top(self) -> int:
        """The largest variable so far."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of clauses so far."""

    @abstractmethod
    def new(self, number: int, label: str) -> int:
        """Return the first of so many new variables."""

    @abstractmethod
    def add(self, clause: Sequence[int]) -> None:
        """Add a clause."""

    def extend(self, clauses: Iterable[Clause]) -> None:
        """Add clauses."""
        for clause in clauses:
            self.add(clause)

    def not_in(self, cell: int) -> list[int]:
        """Return for each symbol, from 1 on, the literal "the cell does not hold it"; 0 comes first."""
        literals = [-self.x(cell, symbol) for symbol in range(1, self.symbol_count + 1)]
        return [0] + literals

    def check(self) -> None:
        """Raise ``TooLarge`` or ``Interrupted`` where making the model has to stop."""
        check_effort(self.size)

    def symbols(self, cell: int) -> Sequence[int]:
        """Return the symbols that the cell may hold, hashable; the literals of others are false."""
        return range(1, self.symbol_count + 1)

    def at_most_one(self, literals: Clause, label: str) -> None:
        """State that at most one of the literals is true."""
        for first, second in combinations(literals, 2):
            self.add((-first, -second))

    def exactly_one(self, literals: Clause, label: str) -> None:
        """State that exactly one of the literals is true."""
        self.add(literals)
        self.at_most_one(literals, label)

    def linear(self, total: Sum, unless: Sequence[int] = ()) -> None:
        """State that the sum holds, or one of the literals ``unless``, where the target has sums."""
        raise NotImplementedError

    def never(self, label: str) -> None:
        """State what cannot be, without an empty clause: a guard turns it into "not this option"."""
        variable = self.new(1, f"{label}: impossible")
        self.add((variable,))
        self.add((-variable,))


class ClauseList(Builder):
    """A builder that keeps its clauses in a list."""

    def __init__(self, variables: Variables) -> None:
        self.variables = variables
        self.x = variables.cells
        self.symbol_count = variables.cells.geometry.symbol_count
        self.clauses: list[Clause] = []

    @property
    def top(self) -> int:
        return self.variables.count

    @property
    def size(self) -> int:
        return len(self.clauses)

    def new(self, number: int, label: str) -> int:
        return self.variables.add(number, label)

    def add(self, clause: Sequence[int]) -> None:
        self.clauses.append(tuple(clause))


class Wrapper(Builder):
    """A builder whose variables and clauses are those of another one, ``inner``."""

    inner: Builder

    @property
    def top(self) -> int:
        return self.inner.top

    @property
    def size(self) -> int:
        return self.inner.size

    def new(self, number: int, label: str) -> int:
        return self.inner.new(number, label)


class Guarded(Wrapper):
    """A builder whose clauses count only while the literal ``guard`` is true."""

    def __init__(self, inner: Builder, guard: int) -> None:
        self.inner = inner
        self.guard = guard
        self.symbol_count = inner.symbol_count
        self.x = inner.x
        self.has_sums = inner.has_sums
        self.houses_of = inner.houses_of

    def add(self, clause: Sequence[int]) -> None:
        self.inner.add((-self.guard,) + tuple(clause))

    def extend(self, clauses: Iterable[Clause]) -> None:
        self.inner.extend([(-self.guard,) + tuple(clause) for clause in clauses])

    def symbols(self, cell: int) -> Sequence[int]:
        return self.inner.symbols(cell)

    def linear(self, total: Sum, unless: Sequence[int] = ()) -> None:
        self.inner.linear(total, (-self.guard,) + tuple(unless))


class WithFurther(Wrapper):
    """A builder over the cells of a board and further ones, which have variables of this builder only.

    Sums over them become clauses: targets have no cells for them.
    """

    has_sums = False

    def __init__(self, inner: Builder, board: WithFurtherCells, label: str) -> None:
        self.inner = inner
        self.symbol_count = inner.symbol_count
        self.houses_of = None if inner.houses_of is None else board
        self._first_cell = board.board.cell_count
        further = board.cell_count - self._first_cell
        self._before = inner.new(further * self.symbol_count, f"{label}: further cells") - 1
        self.x = self._literal

    def _literal(self, cell: int, symbol: int) -> int:
        if cell < self._first_cell:
            return self.inner.x(cell, symbol)
        return self._before + (cell - self._first_cell) * self.symbol_count + symbol

    def add(self, clause: Sequence[int]) -> None:
        self.inner.add(clause)

    def extend(self, clauses: Iterable[Clause]) -> None:
        self.inner.extend(clauses)

    def at_most_one(self, literals: Clause, label: str) -> None:
        self.inner.at_most_one(literals, label)

    def symbols(self, cell: int) -> Sequence[int]:
        return self.inner.symbols(cell) if cell < self._first_cell else super().symbols(cell)


# ---- finished models -----------------------------------------------------------------------------------------------


def in_comment(name: str) -> str:
    """Return a name on one line of ASCII, with the escapes of JSON: houses and encodings may be called anything."""
    return json.dumps(name)[1:-1]


class Clauses(Model):
    """Clauses over variables numbered from 1. They are not to be changed.

    A board enters by ``literals``, which a solver assumes, and a model of the solver leaves by ``decode``.
    """

    def __init__(self, problem: Problem, encoding: Encoding, variables: Variables, clause_count: int) -> None:
        self.problem = problem
        self.encoding = encoding
        self.variables = variables
        self.clause_count = clause_count

    def __repr__(self) -> str:
        size = f"{counted(self.variable_count, 'variable')}, {counted(self.clause_count, 'clause')}"
        return f"<{type(self).__name__} of {self.geometry.description}, {self.encoding.name}: {size}>"

    @property
    def variable_count(self) -> int:
        """The number of variables."""
        return self.variables.count

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

    def literals(self, board: Board) -> list[int]:
        """Return the literals that the board adds: its clues, and what its pencil marks rule out."""
        return self.variables.cells.of_board(board)

    def decode(self, model: Sequence[int]) -> SymbolTuple:
        """Return the grid of a model: literals, of which those that are true are positive.

        0 in a cell for which it has no symbol; the last one of several.
        """
        cells = self.variables.cells
        return cells.decode(sorted(cells.all.intersection(model)))

    def blocking_clause(self, grid: SymbolTuple, board: Board | None = None) -> Clause:
        """Return the clause that forbids this grid, without the clues of ``board``, which are assumed."""
        return tuple([-literal for literal in self.variables.cells.of_grid(grid, board)])

    def name(self, variable: int) -> str:
        """Return ``x[r1c1=5]`` for a cell variable; see ``Variables.name``."""
        return self.variables.name(variable)

    def remarks(self, names: bool) -> Iterator[str]:
        """Yield the comments of a DIMACS file; with ``names`` the name of each variable, too."""
        yield from self.about()
        if names:
            yield from (f"{variable} {self.name(variable)}" for variable in self.variables)

    def write_dimacs(self, out: TextIO, board: Board | None = None, *extra: Clause, names: bool = True) -> None:
        """DIMACS CNF: ``c`` lines that explain the model and each variable, the rules, then the board as units.

        ``extra`` clauses come last. Without ``names`` the variables are not explained one by one.
        """
        literals = self.literals(board) if board is not None else []
        units = [(literal,) for literal in literals]
        out.writelines(f"c {in_comment(remark)}\n" for remark in self.remarks(names))
        out.write(f"p cnf {self.variable_count} {self.clause_count + len(units) + len(extra)}\n")
        for part in chain(self.pieces(), [units, extra]):
            out.writelines(f"{' '.join(map(str, (*clause, 0)))}\n" for clause in part)


class Cnf(Clauses):
    """Houses and rules as clauses, none of them twice."""

    def __init__(self, problem: Problem, encoding: Encoding, variables: Variables, clauses: Sequence[Clause]) -> None:
        super().__init__(problem, encoding, variables, len(clauses))
        self.clauses = clauses

    def clauses_of(self, board: Board) -> Clauses:
        """Return the clauses for a board: these, with its ``literals`` assumed."""
        return self

    def pieces(self) -> Iterator[Sequence[Clause]]:
        """Return all clauses, in one piece."""
        yield self.clauses
