"""The formula of a statement: its houses, board, rules and forbidden grids as clauses, in one canonical way.

Variable cell * n + symbol is x[cell, symbol]: the cell holds the symbol. The parts of rules take further variables,
from n**3 + 1 on, in the order in which their clauses need them. ``docs/certificates.md`` lists the clauses one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, count

from .findings import Limits, Refusal
from .machines import Unrolled
from .rules import Rule
from .statement import Board, Cells, Shape


@dataclass(frozen=True, slots=True)
class Formula:
    """Clauses over the variables 1 .. variables, each once and without a literal twice."""

    variables: int
    clauses: tuple[Cells, ...]

    def dimacs(self) -> bytes:
        """Return ``formula.cnf``, byte for byte."""
        lines = [f"{' '.join(map(str, clause))} 0\n" for clause in self.clauses]
        return f"p cnf {self.variables} {len(self.clauses)}\n{''.join(lines)}".encode("ascii")


def formula(
    shape: Shape, board: Board, rules: Iterable[Rule], forbidden: Iterable[Mapping[int, int]], unrolled: Unrolled
) -> Formula:
    """Return the formula that the grids of a board satisfy, except for the grids that are forbidden.

    Each literal that the board settles is a clause of its own. It is left out of all other clauses where it is false,
    and clauses in which one is true are left out. A clause of which nothing would be left stays as it is.
    """
    n, fresh = shape.order, count(shape.order**3 + 1)
    true = settled(shape, board)
    clauses = dict(_of_houses(shape, frozenset(true), unrolled.limits))
    stated = (clause for rule in rules for part in rule.parts for clause in unrolled.clauses(part, fresh))
    grids = ([-(cell * n + grid[cell]) for cell in range(n * n)] for grid in forbidden)
    for clause in chain(stated, grids):
        if true.isdisjoint(clause):
            whole = tuple(dict.fromkeys(clause))
            clauses[tuple([literal for literal in whole if -literal not in true]) or whole] = None
            _bounded(clauses, unrolled.limits)
    return Formula(next(fresh) - 1, tuple(clauses))


@lru_cache(maxsize=8)
def _of_houses(shape: Shape, true: frozenset[int], limits: Limits) -> dict[tuple[int, ...], None]:
    """Return the literals that are true and the clauses of cells and houses; most boards with rules settle nothing."""
    clauses: dict[tuple[int, ...], None] = {}
    clauses.update(((literal,), None) for literal in sorted(true, key=lambda one: (abs(one), -one)))
    for group in _groups(shape):
        if true.isdisjoint(group):
            left = [literal for literal in group if -literal not in true]
            clauses[tuple(left) or group] = None
            clauses.update(dict.fromkeys(combinations([-literal for literal in left], 2)))
            _bounded(clauses, limits)
    return clauses


def settled(shape: Shape, board: Board) -> set[int]:
    """Return the literals that a board makes true: of its own cells, and of the peers of a cell with one symbol."""
    n, true = shape.order, set[int]()
    for cell, symbols in board.items():
        true.update(-(cell * n + symbol) for symbol in range(1, n + 1) if symbol not in symbols)
        for symbol in symbols if len(symbols) == 1 else ():
            true.add(cell * n + symbol)
            true.update(-(peer * n + symbol) for peer in shape.peers[cell])
    return true


def _groups(shape: Shape) -> Iterator[Cells]:
    """Yield the variables of which exactly one is true: those of a cell, and those of a symbol in a house."""
    n = shape.order
    for cell in range(n * n):
        yield tuple(range(cell * n + 1, cell * n + n + 1))
    for house in shape.houses:
        for symbol in range(1, n + 1):
            yield tuple([cell * n + symbol for cell in house])


def _bounded(clauses: Sized, limits: Limits) -> None:
    if len(clauses) > limits.clauses:
        raise Refusal("too-large", f"the formula has more than {limits.clauses} clauses", "formula.cnf")
