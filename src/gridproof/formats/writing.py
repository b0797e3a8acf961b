"""Boards and grids as text: on a line, in rows, drawn with bars and dashes, as pencil marks, as a puzzle file."""

from __future__ import annotations

from collections.abc import Sequence

from gridproof.errors import BoardError
from gridproof.formats.puzzle import Symbols
from gridproof.formats.symbols import names
from gridproof.formats.values import check_length, to_lists
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Geometry


def to_line(values: Sequence[int], geometry: Geometry, symbols: Symbols = Symbols.FROM_ONE) -> str:
    """Write values on one line: a character for each cell (``.`` blank), numbers above order 35.

    Parameters
    ----------
    values, geometry
        Clues or a grid, row by row, where 0 is blank; and the geometry of its board.
    symbols
        The names of the symbols.

    Returns
    -------
    str

    Raises
    ------
    BoardError
        If there is not one value in range for each cell.

    Examples
    --------
    >>> to_line([1, 0, 0, 2] + [0] * 12, Geometry.classic(2))
    '1..2............'
    """
    characters = (".", *names(geometry.order, symbols))
    check_length(values, geometry)
    return (" " if geometry.order > LARGEST_ORDER_IN_CHARACTERS else "").join([characters[value] for value in values])


def to_rows_text(values: Sequence[int], geometry: Geometry) -> str:
    """Write values as n lines of n characters, above order 35 as numbers in columns.

    Parameters
    ----------
    values, geometry
        As in ``to_line``.

    Returns
    -------
    str

    Examples
    --------
    >>> to_rows_text([1, 0, 0, 2] + [0] * 12, Geometry.classic(2)).splitlines()
    ['1..2', '....', '....', '....']
    """
    if geometry.order > LARGEST_ORDER_IN_CHARACTERS:
        return in_numbers(values, geometry)
    line, n = to_line(values, geometry), geometry.order
    return "\n".join([line[start : start + n] for start in range(0, len(line), n)])


def in_numbers(values: Sequence[int], geometry: Geometry) -> str:
    """Write values as n lines of n decimal numbers in columns, with ``.`` for a blank."""
    width = len(str(geometry.order))
    rows = to_lists(values, geometry)
    return "\n".join([" ".join([(str(value) if value else ".").rjust(width) for value in row]) for row in rows])


def drawn(values: Sequence[int], geometry: Geometry) -> str:
    """Write values as n lines, with bars and dashes between boxes that are rectangles.

    Examples
    --------
    >>> drawn([1, 0, 0, 2] + [0] * 12, Geometry.classic(2)).splitlines()[:3]
    ['1 . | . 2', '. . | . .', '----+----']
    """
    rows = to_lists(values, geometry)
    high, wide = geometry.box_shape or (geometry.order, geometry.order)
    width = len(geometry.symbol_text(geometry.order))
    lines = []
    for number, row in enumerate(rows):
        cells = [(geometry.symbol_text(value) if value else ".").rjust(width) for value in row]
        if number and number % high == 0:
            dashes = ["-" * ((width + 1) * wide + 1)] * (geometry.order // wide)
            lines.append("+".join([*dashes])[1:-1] if len(dashes) > 1 else dashes[0][2:])
        lines.append(" | ".join([" ".join(cells[start : start + wide]) for start in range(0, len(cells), wide)]))
    return "\n".join(lines)


def marks_line(board: Board) -> str:
    """Write the pencil marks of a board: n characters for each cell, with each candidate at its own place.

    Raises ``BoardError`` above order 35, where symbols are not single characters.

    Examples
    --------
    >>> from gridproof import parse
    >>> marks_line(parse("1... .... .... ...."))[:8]
    '1...1234'
    """
    characters = board.geometry.symbol_characters
    if not characters:
        raise BoardError(f"pencil marks of order {board.geometry.order}; expected an order of at most 35")
    return "".join(
        [
            character if mask >> place & 1 else "."
            for mask in board.candidates
            for place, character in enumerate(characters)
        ]
    )
