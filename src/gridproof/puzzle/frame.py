"""The rows, columns and digits of a board: what it is before it has houses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self, TypeAlias, cast

from gridproof.errors import BoardError, GeometryError
from gridproof.puzzle.digits import Digits, Symbol
from gridproof.puzzle.houses import House, Shape, whole_number

CellName: TypeAlias = str | tuple[int, int] | int
"""A cell by its name ``"r1c3"``, by row and column from 1, or by its number from 0."""

_CELL_NAME = re.compile(r"r(\d{1,4})c(\d{1,4})", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, eq=False)
class Frame:
    """The cells of a board in rows and columns, and the digits that they may hold.

    Cells are numbered from 0 in reading order, symbols from 1.
    """

    rows: int
    columns: int
    digits: Digits

    # ---- cells -------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> Shape:
        """Rows and columns."""
        return self.rows, self.columns

    @cached_property
    def cell_count(self) -> int:
        """Number of cells: rows times columns."""
        return self.rows * self.columns

    def cell_name(self, cell: int) -> str:
        """Return the name of a cell: row and column from 1, so ``r1c1`` for cell 0."""
        row, column = divmod(cell, self.columns)
        return f"r{row + 1}c{column + 1}"

    def cell(self, name: CellName) -> int:
        """Return the number of a cell, from 0 in reading order.

        Parameters
        ----------
        name : str, (int, int) or int
            Its name ``"r1c3"``, its row and column from 1, or its number.

        Raises
        ------
        BoardError
            For anything else, and for a cell that the board does not have.

        Examples
        --------
        >>> frame = Frame(9, 9, Digits(1, 9))
        >>> frame.cell("r1c3"), frame.cell((1, 3)), frame.cell(2)
        (2, 2, 2)
        """
        number = whole_number(name)
        if number is None:
            number = self._cell_at(name)
        if number is None or not 0 <= number < self.cell_count:
            numbers = f"row and column from 1 to {self.rows}"
            if self.rows != self.columns:
                numbers = f"row from 1 to {self.rows} and column from 1 to {self.columns}"
            cells = f"r1c1 to r{self.rows}c{self.columns}"
            expected = f"{cells}, {numbers}, or a number from 0 to {self.cell_count - 1}"
            raise BoardError(f"cell {name!r}; expected {expected}")
        return number

    def _cell_at(self, place: Any) -> int | None:
        """Return the number of a cell by its name, or its row and column from 1; ``None`` if it is not on the board."""
        if isinstance(place, str):
            match = _CELL_NAME.fullmatch(place)
            place = (int(match[1]), int(match[2])) if match else ()
        if not isinstance(place, tuple) or len(place) != 2:
            return None
        row = whole_number(place[0])
        column = whole_number(place[1])
        if row is None or column is None or not (1 <= row <= self.rows and 1 <= column <= self.columns):
            return None
        return (row - 1) * self.columns + column - 1

    def neighbours(self, cell: int) -> Iterator[int]:
        """Yield the orthogonal neighbours of a cell.

        Examples
        --------
        >>> list(Frame(2, 3, Digits(1, 3)).neighbours(1))
        [0, 2, 4]
        """
        return neighbours_in_rows(cell, self.columns, self.cell_count)

    @property
    def further_cells(self) -> Mapping[str, int]:
        """The number of each cell beside the grid, by its name: none on a usual board; see ``further_cells.py``."""
        return {}

    # ---- symbols -----------------------------------------------------------------------------------------------

    @cached_property
    def symbol_count(self) -> int:
        """Number of symbols."""
        return len(self.digits)

    @cached_property
    def symbols(self) -> Sequence[Symbol]:
        """All symbols, from 1 on."""
        return cast("Sequence[Symbol]", range(1, self.symbol_count + 1))

    @cached_property
    def every_symbol(self) -> int:
        """The mask of all symbols: bit symbol-1 of each."""
        return (1 << self.symbol_count) - 1

    @property
    def is_usual(self) -> bool:
        """True if there are as many rows as columns and as symbols."""
        return self.rows == self.columns == self.symbol_count

    @cached_property
    def order(self) -> int:
        """Number of rows, of columns and of symbols, where these are the same number.

        Raises
        ------
        GeometryError
            On any other board: whatever needs the order cannot take it.
        """
        if not self.is_usual:
            board = f"{self.rows} rows, {self.columns} columns and {self.symbol_count} digits"
            raise GeometryError(f"a board of {board}; expected as many rows and columns as digits here")
        return self.symbol_count

    @property
    def is_plain(self) -> bool:
        """True if the board is usual and its digits begin with 1: then each digit is its symbol."""
        return self.is_usual and self.digits.first == 1

    def is_full(self, house: House) -> bool:
        """Return whether a house has as many cells as there are symbols, and so holds each of them."""
        return len(house.cells) == self.symbol_count

    def symbol_text(self, symbol: int) -> str:
        """Return a symbol as text: its digit as 0-9, then A-Z; decimal numbers on boards with digits above 35."""
        return self._symbol_texts[symbol - 1]

    def with_symbol_texts(self, texts: Sequence[str]) -> Self:
        """Return an equal geometry that writes its symbols as these texts: for drawings alone.

        Raises ``GeometryError`` for too few or too many, or for one that stands for two symbols or for a blank.
        """
        given = tuple(texts)
        if len(given) != self.symbol_count or len(set(given)) != len(given):
            raise GeometryError(f"symbols {' '.join(given)[:60]!r}; expected {self.symbol_count} different ones")
        for text in given:
            if not text.strip() or not text.isprintable() or text in ".*_-":
                raise GeometryError(f"the symbol {text!r}; expected one that can be seen, and no sign for a blank")
        named = object.__new__(type(self))  # ``copy`` gives the one object that all equal geometries share
        vars(named).update(vars(self))
        vars(named)["_symbol_texts"] = given
        vars(named)["symbol_characters"] = "".join(given) if max(map(len, given)) == 1 else ""
        return named

    @cached_property
    def _symbol_texts(self) -> tuple[str, ...]:
        return self.digits.texts()

    @cached_property
    def symbol_characters(self) -> str:
        """The characters of all symbols in order; empty where digits are decimal numbers."""
        return "".join(self._symbol_texts) if self.digits.are_characters else ""


def neighbours_in_rows(cell: int, columns: int, count: int) -> Iterator[int]:
    """Yield the orthogonal neighbours of a cell among so many cells in rows of so many columns."""
    if cell >= columns:
        yield cell - columns
    if cell % columns:
        yield cell - 1
    if cell % columns < columns - 1 and cell + 1 < count:
        yield cell + 1
    if cell + columns < count:
        yield cell + columns
