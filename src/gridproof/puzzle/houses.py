"""Houses, and the checks before a geometry takes numbers, regions or houses."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

from gridproof.errors import GeometryError

Shape: TypeAlias = tuple[int, int]
"""Rows and columns, of a board or of a box."""


@dataclass(frozen=True, slots=True)
class House:
    """A set of cells that holds no symbol twice. ``kind`` is its family, ``name`` what a person calls it.

    With as many cells as the board has symbols it holds every symbol once.
    """

    kind: str
    name: str
    cells: tuple[int, ...]

    def checked(self, cell_count: int, sizes: range) -> House:
        """Return the house with plain numbers.

        Parameters
        ----------
        cell_count
            The number of cells of the board.
        sizes
            How many cells a house may have.

        Raises
        ------
        GeometryError
            If it is no house on such a board.
        """
        cells = all_whole(self.cells, f"house {self.name!r} with the cell")
        fits = len(cells) in sizes and len(set(cells)) == len(cells)
        if not fits or not 0 <= min(cells) <= max(cells) < cell_count:
            size = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
            expected = f"{size} different cells from 0 to {cell_count - 1}"
            raise GeometryError(f"house {self.name!r} has the cells {cells!r}; expected {expected}")
        return House(self.kind, self.name, cells)


def whole_number(value: Any) -> int | None:
    """Return the value as a plain ``int``; ``None`` for what is no integer (2.0, ``True``, '2')."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def whole(value: Any, what: str) -> int:
    number = whole_number(value)
    if number is None:
        raise GeometryError(f"{what} {value!r}; expected a whole number")
    return number


def whole_order(value: Any) -> int:
    """Return the order of a usual board. Raises ``GeometryError`` if there is no such board."""
    order = whole(value, "order")
    if order < 1:
        raise GeometryError(f"order {order}; expected a whole number of at least 1")
    return order


def all_whole(values: Iterable[Any], what: str) -> tuple[int, ...]:
    return tuple(whole(value, what) for value in values)


def check_boxes(box_shape: tuple[int, ...], shape: Shape, symbol_count: int) -> None:
    """Raise ``GeometryError`` for boxes that do not tile a board, or have more cells than it has symbols."""
    rows, columns = box_shape
    if shape == (symbol_count, symbol_count):
        if rows < 1 or columns < 1 or rows * columns != symbol_count:
            expected = f"R x C = {symbol_count}"
            raise GeometryError(f"boxes of {rows}x{columns} on a board of order {symbol_count}; expected {expected}")
        return
    if rows < 1 or columns < 1 or shape[0] % rows or shape[1] % columns:
        board = f"{shape[0]}x{shape[1]} cells"
        raise GeometryError(f"boxes of {rows}x{columns} on a board of {board}; expected boxes that fill the board")
    check_size("a box", rows * columns, symbol_count)


def check_size(house: str, cells: int, symbol_count: int) -> None:
    """Raise ``GeometryError`` if a house has more cells than the board has symbols."""
    if cells > symbol_count:
        expected = f"at least as many digits as {house} has cells"
        raise GeometryError(f"{symbol_count} digits on a board where {house} has {cells} cells; expected {expected}")


def check_regions(regions: tuple[int, ...], shape: Shape, symbol_count: int) -> None:
    """Raise ``GeometryError`` for numbers that are not those of the regions of a board."""
    sizes = Counter(regions)
    if shape == (symbol_count, symbol_count):
        fits = sizes == Counter(dict.fromkeys(range(symbol_count), symbol_count))
        expected = f"the numbers 0 to {symbol_count - 1}, {symbol_count} times each"
    else:
        fits = len(regions) == shape[0] * shape[1] and set(sizes) == set(range(len(sizes)))
        expected = f"a number from 0 for each of {shape[0] * shape[1]} cells"
    if not fits:
        raise GeometryError(f"regions {regions!r}; expected {expected}")
    check_size("a region", max(sizes.values()), symbol_count)


def lines(shape: Shape) -> list[House]:
    """Return the rows, then the columns."""
    rows, columns = shape
    houses = []
    for row in range(rows):
        first = row * columns
        houses.append(House("row", f"row {row + 1}", tuple(range(first, first + columns))))
    for column in range(columns):
        houses.append(House("column", f"column {column + 1}", tuple(range(column, rows * columns, columns))))
    return houses


def boxes(shape: Shape, box_shape: Shape) -> tuple[int, ...]:
    """Return the number of each cell's box. box_shape: rows and columns of a box."""
    rows, columns = box_shape
    boxes_across = shape[1] // columns
    numbers = []
    for cell in range(shape[0] * shape[1]):
        row, column = divmod(cell, shape[1])
        numbers.append(row // rows * boxes_across + column // columns)
    return tuple(numbers)


def regions_of(region_of: Sequence[int], kind: str) -> list[House]:
    """Return the boxes or regions, from the number of each cell's region."""
    cells_of: list[list[int]] = [[] for _ in range(max(region_of) + 1)]
    for cell, region in enumerate(region_of):
        cells_of[region].append(cell)
    regions = []
    for number, cells in enumerate(cells_of, 1):
        regions.append(House(kind, f"{kind} {number}", tuple(cells)))
    return regions


def find_peers(houses: Sequence[House], houses_of: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Return for each cell the other cells of its houses, ascending. houses_of: the indices of the houses of each."""
    peers = []
    for cell, indices in enumerate(houses_of):
        around: set[int] = set()
        for index in indices:
            around.update(houses[index].cells)
        around.discard(cell)
        peers.append(tuple(sorted(around)))
    return tuple(peers)


def diagonals(order: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the cells of the falling and of the rising diagonal of a square board."""
    falling = []
    rising = []
    for row in range(order):
        falling.append(row * order + row)
        rising.append(row * order + order - 1 - row)
    return tuple(falling), tuple(rising)


def _diagonals(shape: Shape, box_shape: Shape) -> list[House]:
    if shape[0] != shape[1]:
        return []
    falling, rising = diagonals(shape[0])
    return [House("diagonal", "falling diagonal", falling), House("diagonal", "rising diagonal", rising)]


def _windows(shape: Shape, box_shape: Shape) -> list[House]:
    rows, columns = box_shape
    if not rows:
        return []
    corners = product(range(1, shape[0] - rows, rows + 1), range(1, shape[1] - columns, columns + 1))
    windows = []
    for number, (top, left) in enumerate(corners, 1):
        windows.append(House("window", f"window {number}", _rectangle(shape[1], top, left, box_shape)))
    return windows


def _disjoint_groups(shape: Shape, box_shape: Shape) -> list[House]:
    rows, columns = box_shape
    if not rows:
        return []
    corners = list(product(range(0, shape[0], rows), range(0, shape[1], columns)))
    boxes = [_rectangle(shape[1], top, left, box_shape) for top, left in corners]
    groups = []
    for number, cells in enumerate(zip(*boxes, strict=True), 1):
        groups.append(House("group", f"group {number}", cells))
    return groups


def _rectangle(board_columns: int, top: int, left: int, shape: Shape) -> tuple[int, ...]:
    rows, columns = shape
    cells = []
    for row in range(top, top + rows):
        for column in range(left, left + columns):
            cells.append(row * board_columns + column)
    return tuple(cells)


FAMILIES: dict[str, Callable[[Shape, Shape], list[House]]] = {
    "diagonals": _diagonals,
    "windoku": _windows,
    "disjoint groups": _disjoint_groups,
}
"""The houses of each built-in family, from the shapes of the board and of a box (0 x 0 without boxes); none if the
board has no such houses."""


def check_family(family: str, shape: Shape, symbol_count: int, box_shape: Shape | None, board: str) -> None:
    """Raise ``GeometryError`` for a family that there is not, or not on a board, which is described in words."""
    if family not in FAMILIES:
        raise GeometryError(f"family {family!r}; expected one of {', '.join(sorted(FAMILIES))}")
    houses = FAMILIES[family](shape, box_shape or (0, 0))
    if not houses:
        expected = "a square board" if family == "diagonals" else "boxes with room for them"
        raise GeometryError(f"{family} on a board of {board}; expected {expected}")
    check_size(f"a {houses[0].kind}", len(houses[0].cells), symbol_count)


def number_regions(regions: str | Iterable[object]) -> tuple[int, ...]:
    """Return the number of each cell's region, from its label. Raises ``GeometryError`` for what is no jigsaw."""
    labels: list[Any]
    try:
        labels = list(labels_of(regions) if isinstance(regions, str) else regions)
        sizes = Counter(labels)
    except TypeError:
        raise GeometryError(f"regions {regions!r:.60}; expected a text, or a label for each cell") from None
    order = round(len(labels) ** 0.5)
    if not labels or order * order != len(labels):
        raise GeometryError(f"a jigsaw of {len(labels)} labels; expected a square number, one label for each cell")
    for label, size in sizes.items():
        if size != order:
            raise GeometryError(f"region {label!r} has {size} cells; expected {order} cells in each region")
    number_of = {}
    for number, label in enumerate(sizes):
        number_of[label] = number
    return tuple([number_of[label] for label in labels])


def labels_of(text: str) -> list[str]:
    """Return the labels in the text of a jigsaw: its words where these make regions and its characters do not."""
    characters = [character for character in text if not character.isspace()]
    words = text.split()
    longest = max([len(word) for word in words], default=0)
    if _is_even(characters) or len(words) <= longest:  # rows of characters, even damaged ones
        return characters
    if _is_even(words):
        return words
    return characters


def _is_even(labels: list[str]) -> bool:
    sizes = set(Counter(labels).values())
    return len(sizes) == 1 and len(labels) == max(sizes) ** 2
