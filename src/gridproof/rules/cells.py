"""Cells as people write them: ``r1c1``, ``r1c1-r1c5``, ``row3``; read for a geometry, and written back."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gridproof.errors import InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.primitives import Cells

_CELL = re.compile(r"r(\d+)c(\d+)(?:-r(\d+)c(\d+))?", re.IGNORECASE)
_HOUSE = re.compile(r"(row|column|col|box|region)(\d+)", re.IGNORECASE)


class OffBoard(InputError):
    """A cell that the board does not have."""


def looks_like_cells(word: str) -> bool:
    """Whether a word says cells, on whatever board."""
    return bool(_CELL.fullmatch(word) or _HOUSE.fullmatch(word))


def read_cells(words: str | Iterable[str], geometry: Geometry) -> Cells:
    """The cells that words say, in their order.

    Parameters
    ----------
    words : str or iterable of str
        ``r1c1`` for a cell, ``r1c1-r1c5`` for a straight run in any of the eight directions, ``row3``, ``column4``
        and ``box5`` for all cells of a house.
    geometry : Geometry
        The board's geometry.

    Returns
    -------
    tuple of int
        Cell numbers in reading order of the words.

    Raises
    ------
    InputError
        If a word says no cells, or a run is not straight; ``OffBoard`` if the board has no such cell or house.

    Examples
    --------
    >>> read_cells("r1c1 r2c2-r2c4", Geometry.classic(3))
    (0, 10, 11, 12)
    """
    found: list[int] = []
    for word in words.split() if isinstance(words, str) else words:
        found += _of_word(word, geometry)
    return tuple(found)


def written(cells: Iterable[int], geometry: Geometry) -> str:
    """The names of cells, as ``read_cells`` reads them."""
    return " ".join(map(geometry.cell_name, cells))


def _of_word(word: str, geometry: Geometry) -> list[int]:
    n = geometry.order
    if match := _HOUSE.fullmatch(word):
        kind = {"col": "column"}.get(match[1].lower(), match[1].lower())
        houses = [house for house in geometry.houses if house.kind == kind]
        number = int(match[2])
        if not 1 <= number <= len(houses):
            raise OffBoard(f"{word!r} is not on a board of {geometry.description}")
        return list(houses[number - 1].cells)
    match = _CELL.fullmatch(word)
    if match is None:
        raise InputError(f"{word!r} is not a cell; expected cells such as r1c1, r1c1-r1c5, row3, column4 or box5")
    row, column = int(match[1]), int(match[2])
    last_row, last_column = (int(match[3]), int(match[4])) if match[3] else (row, column)
    for r, c in ((row, column), (last_row, last_column)):
        if not (1 <= r <= n and 1 <= c <= n):
            raise OffBoard(f"r{r}c{c} is not on a board of {geometry.description}")
    down, right = last_row - row, last_column - column
    length = max(abs(down), abs(right))
    if down and right and abs(down) != abs(right):
        raise InputError(f"{word!r} is not a straight run; expected cells in one row, column or diagonal")
    down, right = (down > 0) - (down < 0), (right > 0) - (right < 0)
    return [(row - 1 + k * down) * n + column - 1 + k * right for k in range(length + 1)]
