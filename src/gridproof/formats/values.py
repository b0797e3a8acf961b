"""Boards from Python values (lists of lists, NumPy arrays, pencil marks), and grids to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isqrt
from typing import TYPE_CHECKING, Any, TypeAlias

from gridproof.errors import BoardError, GeometryError, PuzzleFormatError
from gridproof.formats.readings import Misread, board_from_masks, masks_in_places, settled
from gridproof.formats.shapes import Shape, Shapes, Zero
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gridproof.formats.puzzle import Puzzle

PuzzleLike: TypeAlias = "Board | Puzzle | str | bytes | Sequence[object] | npt.NDArray[Any]"
"""One puzzle: a board, a puzzle, a text in any notation, or its cells as a list or an array, flat or row by row."""


def from_values(cells: object, shape: Shape = Geometry.standard, zero: Zero | None = None) -> Board:
    """The board of n*n cells in a sequence or an array: flat, or n rows of n, as ``from_rows`` and ``from_array`` do.

    Raises ``PuzzleFormatError``, also for anything that is no puzzle at all.
    """
    if isinstance(cells, Sequence) and not isinstance(cells, (str, bytes)):
        if cells and all(_is_row(entry, len(cells)) for entry in cells):
            return from_rows(cells, shape, zero)
        return _from_cells(cells, shape, zero)
    if hasattr(cells, "__array__"):
        return from_array(cells, shape, zero)
    expected = "a puzzle: a text, a Board, or its cells in a list or an array"
    raise _error(f"a value of type {type(cells).__name__}", cells, expected)


def _is_row(entry: Any, entries: int) -> bool:
    """Whether one of so many entries holds several cells. A text that may be the number of one symbol does not."""
    try:
        return len(entry) > (len(str(entries)) if isinstance(entry, (str, bytes)) else 0)
    except TypeError:
        return False


def from_rows(rows: Sequence[Sequence[object]], shape: Shape = Geometry.standard, zero: Zero | None = None) -> Board:
    """Read a board from n rows of n cells.

    Parameters
    ----------
    rows
        Numbers or texts, where 0, ``None``, NaN, ``''`` and ``. 0 * _ -`` are blank. A row may be a string.
    shape
        The geometry, or a function from an order to one.
    zero
        The meaning of 0, ``"blank"`` or ``"symbol"``, beside other blanks; without it the cells decide as in text.

    Returns
    -------
    Board

    Raises
    ------
    PuzzleFormatError
        For anything else; the error has no line.

    Examples
    --------
    >>> from_rows(["1...", "..2.", ".3..", "...4"]).clues[:4]
    (1, 0, 0, 0)
    """
    table = [list(row) for row in rows]
    order = len(table)
    for number, row in enumerate(table, 1):
        if len(row) != order:
            raise _error(
                f"row {number} of {len(row)} cells", rows[number - 1], f"{order} cells, as there are {order} rows"
            )
    return _from_cells([cell for row in table for cell in row], shape, zero)


def from_array(array: npt.ArrayLike, shape: Shape = Geometry.standard, zero: Zero | None = None) -> Board:
    """Read a board from an array.

    Parameters
    ----------
    array
        n x n cells, in two dimensions or in one; 0, NaN and masked cells are blank. Texts and Python objects are read
        as in ``from_rows``.
    shape, zero
        As in ``from_rows``.

    Returns
    -------
    Board

    Raises
    ------
    PuzzleFormatError
        If the array has another shape, or a cell is not a symbol.

    Examples
    --------
    >>> import numpy
    >>> from_array(numpy.diag([1, 2, 3, 4])).clues[:6]
    (1, 0, 0, 0, 0, 2)
    """
    import numpy as np

    values = array if isinstance(array, np.ndarray) else np.asarray(array)
    if values.ndim == 2 and values.shape[0] == values.shape[1]:
        return _from_cells(values.reshape(-1).tolist(), shape, zero)
    if values.ndim == 1:
        return from_values(values.tolist(), shape, zero)
    raise _error("an array of this shape", values.shape, "n x n cells, or n*n cells in one dimension")


def from_marks(marks: Sequence[Iterable[int]] | str, shape: Shape = Geometry.standard) -> Board:
    """Read a board from pencil marks. A cell with a single symbol is a clue.

    Parameters
    ----------
    marks
        The symbols of each cell, or n*n*n characters as ``to_marks`` writes them.
    shape
        As in ``from_rows``.

    Returns
    -------
    Board

    Raises
    ------
    PuzzleFormatError
        If the number of cells is not n*n, or a candidate is not a symbol.

    Examples
    --------
    >>> board = from_marks([[1], [2, 3]] + [[1, 2, 3, 4]] * 14)
    >>> board.clues[:2], board.candidates[:2]
    ((1, 0), (1, 6))
    """
    if isinstance(marks, str):
        order = round(len(marks) ** (1 / 3))
        if order**3 != len(marks) or not order:
            raise _error(f"{len(marks)} characters", marks, "n*n*n characters, n for each cell")
        geometry = _geometry(order, shape)
        read = masks_in_places(marks, order, None)
        if read is None:
            raise _error("pencil marks", marks, "for each cell and symbol the symbol at its own place, or a blank")
        return board_from_masks(geometry, read[0])
    order = isqrt(len(marks))
    if order**2 != len(marks) or not order:
        raise _error(f"{len(marks)} cells", marks, "the symbols of n*n cells")
    geometry = _geometry(order, shape)
    masks = []
    for cell, entry in enumerate(marks):
        mask = 0
        for symbol in entry:
            if isinstance(symbol, bool) or not isinstance(symbol, int) or not 1 <= symbol <= order:
                raise _error(f"a candidate of {geometry.cell_name(cell)}", symbol, f"a number from 1 to {order}")
            mask |= 1 << (symbol - 1)
        masks.append(mask)
    return board_from_masks(geometry, masks)


def to_lists(values: Sequence[int], geometry: Geometry) -> list[list[int]]:
    """Return the n rows of clues or of a grid as lists.

    Parameters
    ----------
    values
        Clues or a grid, row by row; 0 is blank.
    geometry
        The geometry of the board.

    Returns
    -------
    list of list of int
        The rows, each a list of n numbers.

    Raises
    ------
    BoardError
        If there is not one value in range for each cell.

    Examples
    --------
    >>> to_lists([1, 0, 0, 2] + [0] * 12, Geometry.classic(2))[0]
    [1, 0, 0, 2]
    """
    order = geometry.order
    check_length(values, geometry)
    return [list(values[start : start + order]) for start in range(0, len(values), order)]


def to_array(values: Sequence[int], geometry: Geometry) -> npt.NDArray[np.int64]:
    """Return clues or a grid as an array of n x n integers.

    Parameters
    ----------
    values, geometry
        As in ``to_lists``.

    Returns
    -------
    numpy.ndarray
        Of the type ``int64``.

    Raises
    ------
    BoardError
        If there is not one value in range for each cell.

    Examples
    --------
    >>> to_array([1, 0, 0, 2] + [0] * 12, Geometry.classic(2)).shape
    (4, 4)
    """
    import numpy as np

    return np.array(to_lists(values, geometry), dtype=np.int64)


def check_length(values: Sequence[int], geometry: Geometry) -> None:
    """Raises ``BoardError`` if there is not one value in range for each cell."""
    if len(values) != geometry.cell_count:
        raise BoardError(f"{len(values)} values; expected {geometry.cell_count} on a board of {geometry.description}")
    if max(values) > geometry.order or min(values) < 0:
        cell = next(cell for cell, value in enumerate(values) if not 0 <= value <= geometry.order)
        raise BoardError(f"{values[cell]!r} at {geometry.cell_name(cell)}; expected 0 to {geometry.order}")


def _from_cells(cells: Sequence[object], shape: Shape, zero: Zero | None) -> Board:
    order = isqrt(len(cells))
    if order**2 != len(cells) or not order:
        raise _error(f"{len(cells)} cells", cells, "n*n cells")
    geometry = _geometry(order, shape)
    read = settled([_word(value) for value in cells], geometry, Shapes(shape, zero).zero)
    if isinstance(read, Misread):
        name = geometry.cell_name(read.cell)
        problem = name if read.problem.startswith("no symbol") else f"{name}: {read.problem}"
        raise _error(problem, cells[read.cell], read.expected)
    return Board(geometry, read[0])


def _word(value: Any) -> str:
    """How text would write a Python value; something that is no symbol if it would not."""
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
