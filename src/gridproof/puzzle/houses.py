"""Houses, and the checks before a geometry takes numbers, regions or houses."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any

from gridproof.errors import GeometryError


@dataclass(frozen=True, slots=True)
class House:
    """A set of cells that holds every symbol once. ``kind`` is its family, ``name`` what a person calls it."""

    kind: str
    name: str
    cells: tuple[int, ...]

    def for_order(self, order: int) -> House:
        """Return the house with plain numbers. Raises ``GeometryError`` if it is none on a board of this order."""
        cells = all_whole(self.cells, f"house {self.name!r} with the cell")
        if len(cells) != order or len(set(cells)) != order or not 0 <= min(cells) <= max(cells) < order * order:
            expected = f"{order} different cells from 0 to {order * order - 1}"
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


def all_whole(values: Iterable[Any], what: str) -> tuple[int, ...]:
    return tuple(whole(value, what) for value in values)


def check_boxes(box_shape: tuple[int, ...], order: int) -> None:
    rows, columns = box_shape
    if rows < 1 or columns < 1 or rows * columns != order:
        raise GeometryError(f"boxes of {rows}x{columns} on a board of order {order}; expected R x C = {order}")


def check_regions(regions: tuple[int, ...], order: int) -> None:
    if len(regions) != order * order or Counter(regions) != Counter(dict.fromkeys(range(order), order)):
        raise GeometryError(f"regions {regions!r}; expected the numbers 0 to {order - 1}, {order} times each")


def lines(order: int) -> list[House]:
    """Return the rows, then the columns."""
    n = order
    houses = []
    for row in range(n):
        houses.append(House("row", f"row {row + 1}", tuple(range(row * n, row * n + n))))
    for column in range(n):
        houses.append(House("column", f"column {column + 1}", tuple(range(column, n * n, n))))
    return houses


def boxes(order: int, box_shape: tuple[int, int]) -> tuple[int, ...]:
    """Return the number of each cell's box. box_shape: rows and columns of a box."""
    rows, columns = box_shape
    boxes_across = order // columns
    numbers = []
    for cell in range(order * order):
        row, column = divmod(cell, order)
        numbers.append(row // rows * boxes_across + column // columns)
    return tuple(numbers)


def regions_of(region_of: Iterable[int], kind: str, order: int) -> list[House]:
    """Return the boxes or regions, from the number of each cell's region."""
    cells_of: list[list[int]] = [[] for _ in range(order)]
    for cell, region in enumerate(region_of):
        cells_of[region].append(cell)
    regions = []
    for number, cells in enumerate(cells_of, 1):
        regions.append(House(kind, f"{kind} {number}", tuple(cells)))
    return regions


def diagonals(order: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the cells of the falling and of the rising diagonal."""
    falling = []
    rising = []
    for row in range(order):
        falling.append(row * order + row)
        rising.append(row * order + order - 1 - row)
    return tuple(falling), tuple(rising)


def _diagonals(order: int, box_shape: tuple[int, int]) -> list[House]:
    falling, rising = diagonals(order)
    return [House("diagonal", "falling diagonal", falling), House("diagonal", "rising diagonal", rising)]


def _windows(order: int, box_shape: tuple[int, int]) -> list[House]:
    rows, columns = box_shape
    if not rows:
        return []
    corners = product(range(1, order - rows, rows + 1), range(1, order - columns, columns + 1))
    windows = []
    for number, (top, left) in enumerate(corners, 1):
        windows.append(House("window", f"window {number}", _rectangle(order, top, left, box_shape)))
    return windows


def _disjoint_groups(order: int, box_shape: tuple[int, int]) -> list[House]:
    rows, columns = box_shape
    if not rows:
        return []
    corners = list(product(range(0, order, rows), range(0, order, columns)))
    boxes = [_rectangle(order, top, left, box_shape) for top, left in corners]
    groups = []
    for number, cells in enumerate(zip(*boxes, strict=True), 1):
        groups.append(House("group", f"group {number}", cells))
    return groups


def _rectangle(order: int, top: int, left: int, shape: tuple[int, int]) -> tuple[int, ...]:
    rows, columns = shape
    cells = []
    for row in range(top, top + rows):
        for column in range(left, left + columns):
            cells.append(row * order + column)
    return tuple(cells)


FAMILIES: dict[str, Callable[[int, tuple[int, int]], list[House]]] = {
    "diagonals": _diagonals,
    "windoku": _windows,
    "disjoint groups": _disjoint_groups,
}
"""The houses of each built-in family, from the order and the shape of a box (0 x 0 without boxes); none if the board
has no such houses."""


def check_family(family: str, order: int, box_shape: tuple[int, int] | None, board: str) -> None:
    """Raise ``GeometryError`` for a family that there is not, or not on a board, which is described in words."""
    if family not in FAMILIES:
        raise GeometryError(f"family {family!r}; expected one of {', '.join(sorted(FAMILIES))}")
    if not FAMILIES[family](order, box_shape or (0, 0)):
        raise GeometryError(f"{family} on a board of {board}; expected boxes with room for them")


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
