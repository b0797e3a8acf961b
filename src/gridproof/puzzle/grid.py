"""Grids that fit a board: tuples of symbols that print and draw themselves, and name cells."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self, SupportsIndex, overload

from gridproof.puzzle.board import Board, in_rows
from gridproof.puzzle.digits import Digit


class Grid(tuple[int, ...]):
    """A full assignment to the cells of a board: a tuple of symbols (from 1) in reading order.

    It is equal to the plain tuple of its symbols, and hashes like it. What people see are digits: ``str`` draws them,
    and so does a notebook; a cell by its name, ``rows`` and an array of NumPy give them. On boards with the digits from
    1 on, digits are the symbols themselves.

    Parameters
    ----------
    symbols : iterable of int
        The symbol of each cell.
    board : Board
        The board whose cells these are; its clues are drawn bold.

    Examples
    --------
    >>> import gridproof
    >>> grid = gridproof.verify("1... ..2. .3.. ...4").solution
    >>> grid
    <Grid 1243 3421 4312 2134>
    >>> grid[15], grid["r4c4"], grid[4, 4]
    (4, 4, 4)
    >>> print(grid)
    ┌─────┬─────┐
    │ 1 2 │ 4 3 │
    │ 3 4 │ 2 1 │
    ├─────┼─────┤
    │ 4 3 │ 1 2 │
    │ 2 1 │ 3 4 │
    └─────┴─────┘
    """

    board: Board

    def __new__(cls, symbols: Iterable[int], board: Board) -> Self:
        grid = super().__new__(cls, symbols)
        grid.board = board
        return grid

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self), self.board

    @overload
    def __getitem__(self, cell: str | tuple[int, int], /) -> Digit: ...

    @overload
    def __getitem__(self, cell: SupportsIndex, /) -> int: ...

    @overload
    def __getitem__(self, cell: slice, /) -> tuple[int, ...]: ...

    def __getitem__(self, cell: SupportsIndex | str | tuple[int, int] | slice, /) -> int | tuple[int, ...]:
        """Return the digit of a cell by its name ``"r1c1"``, or row and column; the symbol by a number from 0."""
        if isinstance(cell, (str, tuple)):
            geometry = self.board.geometry
            return geometry.digits.digit(super().__getitem__(geometry.cell(cell)))
        return super().__getitem__(cell)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return in_rows(self.digits, self.board.geometry, dtype)

    @property
    def digits(self) -> tuple[Digit, ...]:
        """The digit of each cell."""
        return self.board.geometry.digits.of(self)

    @property
    def rows(self) -> tuple[tuple[Digit, ...], ...]:
        """The digits row by row."""
        columns = self.board.geometry.columns
        digits = self.digits
        return tuple(digits[start : start + columns] for start in range(0, len(digits), columns))

    def __repr__(self) -> str:
        geometry = self.board.geometry
        between = "" if geometry.symbol_characters else ","
        texts = [geometry.symbol_text(symbol) for symbol in self]
        rows = []
        for start in range(0, len(texts), geometry.columns):
            rows.append(between.join(texts[start : start + geometry.columns]))
        return f"<Grid {' '.join(rows)}>"

    def __str__(self) -> str:
        return str(Board.trusted(self.board.geometry, tuple(self)))

    def _repr_html_(self) -> str:
        return self.board.with_filled(self)._repr_html_()


def grid_if_fits(symbols: Any, board: Board) -> Any:
    """Return the grid of these symbols, or unchanged what is none for this board: a backend may give anything."""
    if type(symbols) is not tuple or len(symbols) != len(board.clues):
        return symbols
    for symbol in symbols:
        if type(symbol) is not int or not 1 <= symbol <= board.geometry.symbol_count:
            return symbols
    return Grid(symbols, board)
