"""Cells as people write them: ``r1c1``, ``r1c1-r1c5``, ``row3``; read for a geometry, and written back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from gridproof.errors import InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.primitives import Cells
from gridproof.text import quote

_CELL = re.compile(r"r(\d{1,9})c(\d{1,9})(?:-r(\d{1,9})c(\d{1,9}))?", re.IGNORECASE | re.ASCII)
_HOUSE = re.compile(r"(row|column|col|box|region)(\d{1,9})", re.IGNORECASE | re.ASCII)


_FURTHER = re.compile(r"(v[a-z]{0,15})(\d{1,3})(?:-(v[a-z]{0,15})(\d{1,3}))?", re.IGNORECASE | re.ASCII)
"""A cell beside the grid, or a run of such; see ``puzzle.further_cells``."""


class OffBoard(InputError):
    """A cell, house or symbol that this board does not have, although another may."""


def cell_words(text: str) -> list[str]:
    """Split a text of cells at blanks and commas."""
    return text.replace(",", " ").split()


def names_cells(text: str) -> bool:
    """Return whether a text names cells, on whatever board."""
    words = cell_words(text)
    return bool(words) and all(_is_name(word) for word in words)


def _is_name(word: str) -> bool:
    return any(pattern.fullmatch(word) for pattern in (_CELL, _HOUSE, _FURTHER))


def read_cells(words: str | Iterable[str], geometry: Geometry) -> Cells:
    """Read cells in the order in which words name them.

    Parameters
    ----------
    words : str or iterable of str
        ``r1c1`` for a cell, ``r1c1-r1c5`` for a straight run in any of the eight directions, ``row3``, ``column4``
        and ``box5`` for all cells of a house. Blanks or commas separate them.
    geometry : Geometry
        The board's geometry.

    Returns
    -------
    tuple of int
        Cell numbers in the order of the words.

    Raises
    ------
    InputError
        If a word names no cells, or a run is not straight; ``OffBoard`` if the board has no such cell or house.

    Examples
    --------
    >>> read_cells("r1c1, r2c2-r2c4", Geometry.classic(3))
    (0, 10, 11, 12)
    """
    cells: list[int] = []
    for text in [words] if isinstance(words, str) else words:
        for word in cell_words(text):
            cells += _read_word(word, geometry)
    return tuple(cells)


def cell_names(cells: Iterable[int], geometry: Geometry) -> str:
    """Write the names of cells, as ``read_cells`` reads them."""
    return " ".join(geometry.cell_name(cell) for cell in cells)


def shortened_runs(cells: Sequence[int], geometry: Geometry) -> str:
    """Write the names of cells for people, each straight run of three or more by its ends: ``r1c1-r1c5 r2c2``."""
    steps = []
    for first, second in pairwise(cells):
        is_in_grid = max(first, second) < geometry.rows * geometry.columns
        steps.append(step_between(first, second, geometry.columns) if is_in_grid else None)
    parts = []
    start = 0
    while start < len(cells):
        end = start
        while end < len(steps) and steps[end] and steps[end] == steps[start]:
            end += 1
        if end - start < 2:
            end = start
        first_name = geometry.cell_name(cells[start])
        last_name = geometry.cell_name(cells[end])
        parts.append(first_name if end == start else f"{first_name}-{last_name}")
        start = end + 1
    return " ".join(parts)


def line_of_sight(cells: Cells, geometry: Geometry) -> str:
    """Write where a clue outside the grid looks: ``from the left in row 1``, else ``along`` its cells."""
    cells = tuple(cells)
    if len(cells) > 1:
        lines = geometry.houses[: geometry.rows + geometry.columns]
        for house in lines:
            start, end = ("left", "right") if house.kind == "row" else ("top", "bottom")
            if cells == house.cells:
                return f"from the {start} in {house.name}"
            if cells == house.cells[::-1]:
                return f"from the {end} in {house.name}"
    return f"along {shortened_runs(cells, geometry)}"


def step_between(first: int, second: int, columns: int) -> tuple[int, int] | None:
    """Return the way from a cell to its neighbour, down and right; ``None`` if they do not touch."""
    down = second // columns - first // columns
    right = second % columns - first % columns
    return (down, right) if max(abs(down), abs(right)) == 1 else None


def _read_word(word: str, geometry: Geometry) -> Sequence[int]:
    """Return the cells that a word names."""
    house = _HOUSE.fullmatch(word)
    if house is not None:
        return _read_house(word, house, geometry)
    further = _FURTHER.fullmatch(word)
    if further is not None:
        return _read_further(word, further, geometry)
    run = _CELL.fullmatch(word)
    if run is None:
        raise InputError(f"{word!r} is not a cell; expected cells such as r1c1, r1c1-r1c5, row3, column4 or box5")
    return _read_run(word, run, geometry)


def _read_house(word: str, match: re.Match[str], geometry: Geometry) -> Sequence[int]:
    kind = match[1].lower()
    if kind == "col":
        kind = "column"
    houses = [house for house in geometry.houses if house.kind == kind]
    number = int(match[2])
    if not 1 <= number <= len(houses):
        expected = f"{kind}1 to {kind}{len(houses)}" if houses else f"a board with a {kind}"
        raise OffBoard(f"{word!r} is not on a board of {geometry.description}; expected {expected}")
    return houses[number - 1].cells


def _read_run(word: str, match: re.Match[str], geometry: Geometry) -> Sequence[int]:
    """Return a cell, or all cells of a straight run."""
    rows, columns = geometry.shape
    row, column, last_row, last_column = (int(number or 0) for number in match.groups())
    if match[3] is None:
        last_row = row
        last_column = column
    for r, c in ((row, column), (last_row, last_column)):
        if not (1 <= r <= rows and 1 <= c <= columns):
            expected = f"r1c1 to r{rows}c{columns}"
            raise OffBoard(f"r{r}c{c} is not on a board of {geometry.description}; expected {expected}")
    down = last_row - row
    right = last_column - column
    if down and right and abs(down) != abs(right):
        raise InputError(f"{word!r} is not a straight run; expected cells in one row, column or diagonal")
    first = (row - 1) * columns + column - 1
    steps = max(abs(down), abs(right), 1)
    length = max(abs(down), abs(right)) + 1
    step = down // steps * columns + right // steps
    return [first + place * step for place in range(length)]


def _read_further(word: str, run: re.Match[str], geometry: Geometry) -> Sequence[int]:
    """Return a cell beside the grid, or all cells of a run in one group of them."""
    group, number, last_group, last_number = run.groups()
    if last_group is None:
        last_group = group
        last_number = number
    cells = []
    for place in range(int(number), int(last_number) + 1):
        name = f"{group.lower()}{place}"
        if name not in geometry.further_cells:
            stated = ", ".join(geometry.further_cells) or "none"
            raise OffBoard(f"{name} is no further cell of this rule; stated are {quote(stated)}")
        cells.append(geometry.further_cells[name])
    if not cells or last_group.lower() != group.lower():
        raise InputError(f"{word!r} is not a run; expected further cells of one group, such as va1-va8")
    return cells
