"""Houses and rules over Booleans, for targets that have clauses and sums alike: what they write out in their own words.

Variables are numbered from 1: first x[cell, symbol], then auxiliaries of rules. Clauses come from the translation for
SAT solvers; a sum that many sets of symbols reach stays a sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gridproof.models.clauses import Clause
from gridproof.models.cnf_rules import add_all
from gridproof.models.encoding import Encoding
from gridproof.models.targets import Model, check_target
from gridproof.models.variables import Variables
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Grid
from gridproof.rules.primitives import Sum


class Stated(Model):
    """Houses and rules of a problem, gathered.

    Attributes
    ----------
    clauses, at_most_ones
        What the rules say: literals of which one at least, and one at most, is true.
    sums
        Sums of the rules, each with a clause beside it: either a literal of that is true or the sum holds.

    Raises ``EncodingError`` if the encoding is for another target.
    """

    target = ""
    """The name of the target."""

    def __init__(self, problem: Problem, encoding: Encoding) -> None:
        check_target(encoding, self.target)
        self.problem, self.encoding = problem, encoding
        self.order = problem.geometry.order
        self.variables = Variables(problem.geometry)
        self.x = self.variables.cells
        self.clauses: list[Clause] = []
        self.at_most_ones: list[Clause] = []
        self.sums: list[tuple[Sum, Clause]] = []
        for number, rule in enumerate(problem.rules, 1):
            add_all(rule.expand(problem.geometry), self, f"rule {number}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.problem, self.encoding)

    def about(self, names: bool) -> Iterator[str]:
        """What a file says in comments: geometry and encoding, the rules; with ``names`` what each auxiliary is."""
        yield f"gridproof: {self.geometry.description}, encoding {self.encoding.name}"
        yield from (rule.sentence(self.geometry) for rule in self.problem.rules)
        if names:
            first = len(self.x.numbers) + 1
            yield from (f"{number} {self.variables.name(number)}" for number in range(first, self.top + 1))

    def cells(self) -> Iterator[Clause]:
        """For each cell the variables of which exactly one is true."""
        return map(self.x.of_cell, range(self.geometry.cell_count))

    def houses(self) -> Iterator[Clause]:
        """The same for each house and symbol."""
        for house in self.geometry.houses:
            for symbol in range(1, self.order + 1):
                yield self.x.of_symbol(symbol, house.cells)

    def literals(self, board: Board | None) -> list[int]:
        """What a board adds, as literals: its clues, and what its pencil marks rule out."""
        return [] if board is None else self.x.of_board(board)

    def open_cells(self, grid: Grid, board: Board) -> list[int]:
        """The variables that a grid makes true beside the clues of its board."""
        return [v for v, clue in zip(self.x.of_symbols(grid), board.clues, strict=True) if not clue]

    # ---- what rules say themselves with: see ``LinearBuilder`` ----------------------------------------------------

    @property
    def top(self) -> int:
        return self.variables.count

    def new(self, number: int, label: str) -> int:
        return self.variables.add(number, label, (), "")

    def add(self, clause: Sequence[int]) -> None:
        self.clauses.append(tuple(clause))

    def at_most_one(self, literals: tuple[int, ...], label: str) -> None:
        self.at_most_ones.append(literals)

    def linear(self, total: Sum, unless: Sequence[int] = ()) -> None:
        self.sums.append((total, tuple(unless)))

    def choice(self, key: str) -> str:
        return {"sum": "linear", "automaton": "states", "relation": "forbid"}[key]
