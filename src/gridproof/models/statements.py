"""Houses and rules over Booleans, for targets that have clauses and sums alike: what they write out in their own words.

Variables are numbered from 1: first x[cell, symbol], then auxiliaries of rules. Clauses come from the translation for
SAT solvers; a sum that many sets of symbols reach stays a sum.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Generic, TextIO, TypeVar

from gridproof.limits import look
from gridproof.models.clauses import ClauseList, in_comment
from gridproof.models.cnf_rules import add_rules
from gridproof.models.targets import Encoding, Model
from gridproof.models.variables import CellVariables, Clause, Variables
from gridproof.puzzle.board import Board, Problem
from gridproof.rules.primitives import Sum

S = TypeVar("S")
"""A statement of the target, such as a line of text."""


class StatementModel(Model, ClauseList, Generic[S]):
    """Houses and rules of a problem as statements. Targets write each kind of statement in their own words.

    Attributes
    ----------
    clauses, at_most_ones
        The clauses of the rules: literals of which one at least, and one at most, is true.
    sums
        Sums of the rules, each with a clause beside it: either a literal of that is true or the sum holds.
    """

    x: CellVariables

    def __init__(self, problem: Problem, encoding: Encoding) -> None:
        ClauseList.__init__(self, Variables(CellVariables(problem.geometry)))
        self.problem = problem
        self.encoding = encoding
        self.at_most_ones: list[Clause] = []
        self.sums: list[tuple[Sum, Clause]] = []
        add_rules(problem, self)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.problem, self.encoding)

    def at_most_one(self, literals: tuple[int, ...], label: str) -> None:
        self.at_most_ones.append(literals)

    def linear(self, total: Sum, unless: Sequence[int] = ()) -> None:
        self.sums.append((total, tuple(unless)))

    # ---- what targets write --------------------------------------------------------------------------------------

    @property
    def integers(self) -> bool:
        """True if a cell is one integer, not a Boolean for each symbol."""
        return False

    @abstractmethod
    def houses(self) -> Iterator[S]:
        """Return the statements about cells and houses."""

    @abstractmethod
    def clause(self, literals: Iterable[int]) -> S:
        """Return that one of the literals is true."""

    def at_most(self, literals: Clause) -> Iterator[S]:
        """Return that one of the literals is true, or none."""
        for first, second in combinations(literals, 2):
            yield self.clause((-first, -second))

    @abstractmethod
    def weighted(self, total: Sum, unless: Clause) -> Iterator[S]:
        """Return that the sum holds, or one of the literals ``unless`` is true."""

    def statements(self, board: Board | None = None) -> Iterator[S]:
        """Return all statements; with a board also one for each clue and each candidate that is ruled out."""
        yield from self.houses()
        for clause in self.clauses:
            yield self.clause(clause)
        for literals in self.at_most_ones:
            yield from self.at_most(literals)
        for total, unless in self.sums:
            yield from self.weighted(total, unless)
        for literal in self.literals(board):
            yield self.clause([literal])

    # ---- what is the same for all --------------------------------------------------------------------------------

    @property
    def sizes(self) -> dict[str, int]:
        """Variables and statements."""
        variables = self.geometry.cell_count + len(self.auxiliaries) if self.integers else self.top
        return {"variables": variables, "constraints": sum(1 for _ in self.statements())}

    @property
    def auxiliaries(self) -> range:
        """The variables that rules have added."""
        return range(len(self.x.numbers) + 1, self.top + 1)

    def write_remarks(self, out: TextIO, mark: str, names: bool) -> None:
        """Write the comments of a file; with ``names`` what each auxiliary is."""
        remarks = list(self.about())
        if names:
            remarks += [f"{number} {self.variables.name(number)}" for number in self.auxiliaries]
        out.writelines(f"{mark} {in_comment(remark)}\n" for remark in remarks)

    def cell_groups(self) -> Iterator[Clause]:
        """Return the variables of each cell, of which exactly one is true."""
        for cell in range(self.geometry.cell_count):
            yield self.x.of_cell(cell)

    def house_groups(self) -> Iterator[tuple[Clause, bool]]:
        """Return the variables of each symbol in each house: at most one is true, exactly one if the house is full."""
        for house in self.geometry.houses:
            look()
            is_full = self.geometry.is_full(house)
            for symbol in self.geometry.symbols:
                yield self.x.of_symbol(symbol, house.cells), is_full

    def literals(self, board: Board | None) -> list[int]:
        """Return the literals that a board adds: its clues, and what its pencil marks rule out."""
        return [] if board is None else self.x.of_board(board)
