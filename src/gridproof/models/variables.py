"""Variables of a model: x[cell, symbol] and auxiliaries, each with a name.

No other module computes the numbers of x[cell, symbol], in either direction.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import NamedTuple, TypeAlias

from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple

Clause: TypeAlias = tuple[int, ...]


def candidate_name(geometry: Geometry, cell: int, symbol: int) -> str:
    """Return the name of a candidate, such as ``r1c1=5``."""
    return f"{geometry.cell_name(cell)}={geometry.symbol_text(symbol)}"


class CellVariables:
    """The block of variables x[cell, symbol]: true where the cell holds the symbol.

    Parameters
    ----------
    geometry : Geometry
        The cells and symbols.
    first : int
        The number of the first variable.

    Examples
    --------
    >>> x = CellVariables(Geometry.classic(3))
    >>> x(0, 5), x(80, 9)
    (5, 729)
    >>> x.of(-5)
    (0, 5)
    >>> x.name(5)
    'x[r1c1=5]'
    """

    def __init__(self, geometry: Geometry, first: int = 1) -> None:
        self.geometry = geometry
        self.first = first
        self._symbol_count = count = geometry.symbol_count
        self._bases = range(first - 1, first - 1 + count * geometry.cell_count, count)

    @property
    def numbers(self) -> range:
        """All variables of the block, cell by cell."""
        return range(self.first, self.first + self._symbol_count * len(self._bases))

    @cached_property
    def all(self) -> frozenset[int]:
        """The same as a set."""
        return frozenset(self.numbers)

    def __call__(self, cell: int, symbol: int) -> int:
        """Return the variable that is true when ``cell`` holds ``symbol`` (from 1)."""
        return self._bases[cell] + symbol

    def of(self, literal: int) -> tuple[int, int]:
        """Return the cell and the symbol of a literal: the inverse of a call, whatever its sign."""
        cell, place = divmod(abs(literal) - self.first, self._symbol_count)
        return cell, place + 1

    def name(self, literal: int) -> str:
        """Return the name of a variable, such as ``x[r1c1=5]``."""
        return f"x[{candidate_name(self.geometry, *self.of(literal))}]"

    def of_cell(self, cell: int) -> tuple[int, ...]:
        """Return the variables of a cell, symbol by symbol."""
        return tuple(range(self._bases[cell] + 1, self._bases[cell] + self._symbol_count + 1))

    def of_symbol(self, symbol: int, cells: Iterable[int]) -> tuple[int, ...]:
        """Return the variables of a symbol in some cells."""
        bases = self._bases
        return tuple([bases[cell] + symbol for cell in cells])

    def of_symbols(self, symbols: Sequence[int]) -> list[int]:
        """Return the variables of a symbol for each cell, as in a grid or clues; none for a cell with 0."""
        return [base + symbol for base, symbol in zip(self._bases, symbols, strict=False) if symbol]

    def of_grid(self, grid: SymbolTuple, board: Board | None = None) -> list[int]:
        """Return the variables that a grid makes true, beside those of the clues of a board, if one is given."""
        if board is not None:
            open_symbols = [0 if clue else symbol for symbol, clue in zip(grid, board.clues, strict=True)]
            grid = tuple(open_symbols)
        return self.of_symbols(grid)

    def of_board(self, board: Board) -> list[int]:
        """Return the literals that a board adds: its clues, then what its pencil marks rule out.

        The marks of every cell are stated in full, also under a clue, so that a caller may leave out a clue and keep
        the rest.
        """
        literals = self.of_symbols(board.clues)
        if board.marks is not None:
            full = self.geometry.every_symbol
            for base, mark in zip(self._bases, board.marks, strict=True):
                if mark == full:
                    continue
                for symbol in range(1, self._symbol_count + 1):
                    if not mark >> (symbol - 1) & 1:
                        literals.append(-(base + symbol))
        return literals

    def decode(self, true: Sequence[int]) -> SymbolTuple:
        """Return the grid of the variables that are true, given in ascending order; 0 in a cell with none.

        Of several in one cell the last is taken: ``check`` decides whether the grid is one.
        """
        if len(true) == len(self._bases) > 1:  # one for each cell, in order; if not, the check finds it
            grid_of: Callable[[Sequence[int]], SymbolTuple] = itemgetter(*true)  # of more than one it gives a tuple
            return grid_of(self._symbols)
        grid = [0] * len(self._bases)
        for variable in true:
            cell, grid[cell] = self.of(variable)
        return tuple(grid)

    @cached_property
    def _symbols(self) -> tuple[int, ...]:
        """The symbol of each variable, by its number."""
        return (0,) * self.first + tuple(range(1, self._symbol_count + 1)) * len(self._bases)


class Auxiliaries(NamedTuple):
    """A run of auxiliary variables ``first .. last`` that belong together.

    label: what they are for, such as ``row 1 = 5``. meaning: ``any`` if the (one) variable is true exactly when one of
    some literals is, the at-most-one scheme that brought them, or empty for those of a rule.
    """

    first: int
    last: int
    label: str
    meaning: str


class Variables:
    """All variables of one model: the block ``cells``, and auxiliaries added in order."""

    def __init__(self, cells: CellVariables) -> None:
        self.cells = cells
        self.count = len(cells.numbers)
        self.auxiliaries: list[Auxiliaries] = []

    def copy(self) -> Variables:
        """Return the same variables, to which others may be added."""
        other = Variables(self.cells)
        other.count = self.count
        other.auxiliaries = list(self.auxiliaries)
        return other

    def add(self, number: int, label: str, meaning: str = "") -> int:
        """Allocate ``number`` auxiliaries that belong together. Return the first."""
        first = self.count + 1
        self.count += number
        if number:
            self.auxiliaries.append(Auxiliaries(first, self.count, label, meaning))
        return first

    def name(self, variable: int) -> str:
        """Return ``x[r1c1=5]`` for a cell variable, ``any[...]`` or ``ladder[row 1 = 5].2`` for an auxiliary.

        Raises ``IndexError`` for a number that is no variable of this model.
        """
        if variable in self.cells.numbers:
            return self.cells.name(variable)
        if not 1 <= variable <= self.count:
            raise IndexError(f"variable {variable}; expected 1 to {self.count}")
        block = self.auxiliaries[bisect_right(self.auxiliaries, variable, key=attrgetter("first")) - 1]
        number = f".{variable - block.first + 1}" if block.last > block.first else ""
        return f"{block.meaning}[{block.label}]{number}"

    def __iter__(self) -> Iterator[int]:
        return iter(range(1, self.count + 1))
