"""One puzzle in Python values: its cells in a list or an array."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any

from gridproof.errors import GeometryError, PuzzleFormatError
from gridproof.formats.shapes import Shape, Shapes, Zero
from gridproof.formats.symbols import Misread, read_symbols
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.text import counted


def board_of_values(cells: Any, shape: Shape = Geometry.standard, zero: Zero | None = None) -> Board:
    """Return the board of n*n cells in a sequence or an array: flat, or n rows of n.

    Cells are numbers or texts, where 0, ``None``, NaN, masked cells, ``''`` and ``. 0 * _ -`` are blank; a row may be a
    text. Raises ``PuzzleFormatError``, also for anything that is no puzzle at all.

    Examples
    --------
    >>> board_of_values(["1...", "..2.", ".3..", "...4"]).clues[:4]
    (1, 0, 0, 0)
    """
    flat = flatten_rows(make_sequence(cells))
    order = isqrt(len(flat))
    if order**2 != len(flat) or not order:
        raise _error(f"{counted(len(flat), 'cell')}", flat, "n*n cells")
    shapes = Shapes(shape, zero)
    try:
        geometry = shapes.geometry(order)
    except GeometryError as problem:
        raise _error("a board without a geometry", f"{order}x{order} cells", f"another shape ({problem})") from None
    read = read_symbols([spell_value(value) for value in flat], geometry, shapes.zero)
    if isinstance(read, Misread):
        name = geometry.cell_name(read.cell)
        where = name
        if not read.problem.startswith("no symbol"):
            where = f"{name}: {read.problem}"
        raise _error(where, flat[read.cell], read.expected)
    clues, _ = read
    return Board(geometry, clues)


def make_sequence(cells: Any) -> Sequence[Any]:
    """Return cells or rows of cells as a sequence."""
    if hasattr(cells, "__array__"):
        import numpy as np

        array = np.asanyarray(cells)
        if array.ndim not in (1, 2):
            raise _error("an array of this shape", array.shape, "n x n cells, or n*n cells in one dimension")
        cells = array.tolist()
    if not isinstance(cells, Sequence) or isinstance(cells, (str, bytes)):
        expected = "a puzzle: a text, a Board, or its cells in a list or an array"
        raise _error(f"a value of type {type(cells).__name__}", cells, expected)
    return cells


def flatten_rows(cells: Sequence[Any]) -> Sequence[Any]:
    """Return the cells of n rows one after the other, and cells without rows as they are."""
    if not all(is_row(entry, len(cells)) for entry in cells):
        return cells
    flat: list[Any] = []
    for number, row in enumerate(cells, 1):
        if len(row) != len(cells):
            expected = f"{counted(len(cells), 'cell')}, as there are {counted(len(cells), 'row')}"
            raise _error(f"row {number} of {counted(len(row), 'cell')}", row, expected)
        flat.extend(row)
    return flat


def is_row(entry: Any, entries: int) -> bool:
    """Return whether one of so many entries holds several cells. A text that may be one symbol does not."""
    longest_symbol = 0
    if isinstance(entry, (str, bytes)):
        longest_symbol = len(str(entries))
    try:
        return len(entry) > longest_symbol
    except TypeError:
        return False


def spell_value(value: Any) -> str:
    """Return a Python value as text would have it; something that is no symbol if it would not."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, str):
        return value.strip() or "None"
    try:
        if value is None or value != value:  # NaN, the only number that is not itself
            return "None"
        number = int(value)
        if number == value and not isinstance(value, bool):
            return str(number)
        return repr(value)
    except (TypeError, ValueError, OverflowError):
        return "no number"


def _error(problem: str, value: object, expected: str) -> PuzzleFormatError:
    return PuzzleFormatError(problem, text=value if isinstance(value, str) else repr(value), expected=expected)
