"""Boards from Python values: lists of lists, flat lists, NumPy arrays; and rows of values."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from gridproof.errors import BoardError, GeometryError, PuzzleFormatError
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import Shape, Shapes, Zero
from gridproof.formats.symbols import Misread, read_symbols
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

if TYPE_CHECKING:
    import numpy.typing as npt

PuzzleLike: TypeAlias = "Board | Puzzle | str | bytes | Path | Sequence[object] | npt.NDArray[Any]"
"""One puzzle: a board, a record, a text in any notation, the path of a file, or its cells in a list or an array."""


def from_values(cells: Any, shape: Shape = Geometry.standard, zero: Zero | None = None) -> Board:
    """Return the board of n*n cells in a sequence or an array: flat, or n rows of n.

    Cells are numbers or texts, where 0, ``None``, NaN, masked cells, ``''`` and ``. 0 * _ -`` are blank; a row may be a
    text. Raises ``PuzzleFormatError``, also for anything that is no puzzle at all.

    Examples
    --------
    >>> from_values(["1...", "..2.", ".3..", "...4"]).clues[:4]
    (1, 0, 0, 0)
    """
    if isinstance(cells, Sequence) and not isinstance(cells, (str, bytes)):
        flat = _joined(cells) if cells and all(_is_row(entry, len(cells)) for entry in cells) else cells
    elif hasattr(cells, "__array__"):
        import numpy as np

        values = cells if isinstance(cells, np.ndarray) else np.asarray(cells)
        if values.ndim == 1:
            return from_values(values.tolist(), shape, zero)
        if values.ndim != 2 or values.shape[0] != values.shape[1]:
            raise _error("an array of this shape", values.shape, "n x n cells, or n*n cells in one dimension")
        flat = values.reshape(-1).tolist()
    else:
        expected = "a puzzle: a text, a Board, or its cells in a list or an array"
        raise _error(f"a value of type {type(cells).__name__}", cells, expected)
    order = isqrt(len(flat))
    if order**2 != len(flat) or not order:
        raise _error(f"{len(flat)} cells", flat, "n*n cells")
    geometry = _geometry(order, shape)
    read = read_symbols([_word(value) for value in flat], geometry, Shapes(shape, zero).zero)
    if isinstance(read, Misread):
        name = geometry.cell_name(read.cell)
        problem = name if read.problem.startswith("no symbol") else f"{name}: {read.problem}"
        raise _error(problem, flat[read.cell], read.expected)
    return Board(geometry, read[0])


def _is_row(entry: Any, entries: int) -> bool:
    """Return whether one of so many entries holds several cells. A text that may be one symbol does not."""
    try:
        return len(entry) > (len(str(entries)) if isinstance(entry, (str, bytes)) else 0)
    except TypeError:
        return False


def _joined(rows: Sequence[Any]) -> list[Any]:
    order = len(rows)
    for number, row in enumerate(rows, 1):
        if len(row) != order:
            raise _error(f"row {number} of {len(row)} cells", row, f"{order} cells, as there are {order} rows")
    return [cell for row in rows for cell in row]


def _word(value: Any) -> str:
    """Return a Python value as text would have it; something that is no symbol if it would not."""
    if value is None:
        return "None"
    if isinstance(value, (str, bytes)):
        text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
        return text.strip() or "None"
    if isinstance(value, bool):
        return repr(value)
    try:
        if value != value:  # NaN, the only number that is not itself
            return "None"
        number = int(value)
        return str(number) if number == value else repr(value)
    except (TypeError, ValueError, OverflowError):
        return "no number"


def _geometry(order: int, shape: Shape) -> Geometry:
    shapes = Shapes(shape)
    if shapes.fixed is not None and shapes.order != order:
        raise _error("a board", f"{order}x{order} cells", f"{shapes.order}x{shapes.order} cells")
    try:
        return shapes.geometry(order)
    except GeometryError as problem:
        raise _error("a board without a geometry", f"{order}x{order} cells", f"one that has one ({problem})") from None


def _error(problem: str, text: object, expected: str) -> PuzzleFormatError:
    return PuzzleFormatError(problem, text=text if isinstance(text, str) else repr(text), expected=expected)


def to_lists(values: Sequence[int], geometry: Geometry) -> list[list[int]]:
    """Return the n rows of clues or of a grid as lists. Raises ``BoardError`` as ``check_length`` does."""
    order = geometry.order
    check_length(values, geometry)
    return [list(values[start : start + order]) for start in range(0, len(values), order)]


def check_length(values: Sequence[int], geometry: Geometry) -> None:
    """Raises ``BoardError`` if there is not one value in range for each cell."""
    if len(values) != geometry.cell_count:
        raise BoardError(f"{len(values)} values; expected {geometry.cell_count} on a board of {geometry.description}")
    if max(values) > geometry.order or min(values) < 0:
        cell = next(cell for cell, value in enumerate(values) if not 0 <= value <= geometry.order)
        raise BoardError(f"{values[cell]!r} at {geometry.cell_name(cell)}; expected 0 to {geometry.order}")
