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

    def checked(self, order: int) -> House:
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


def check_regions(regions: tuple[int, ...], order: int) -> None:
    if len(regions) != order * order or Counter(regions) != Counter(dict.fromkeys(range(order), order)):
        raise GeometryError(f"regions {regions!r}; expected the numbers 0 to {order - 1}, {order} times each")


def diagonals(order: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the cells of the falling and of the rising diagonal."""
    rows = range(order)
    return tuple(row * order + row for row in rows), tuple(row * order + order - 1 - row for row in rows)


def _diagonals(order: int, box_shape: tuple[int, int]) -> list[House]:
    falling, rising = diagonals(order)
    return [House("diagonal", "falling diagonal", falling), House("diagonal", "rising diagonal", rising)]


def _windows(order: int, box_shape: tuple[int, int]) -> list[House]:
    rows, columns = box_shape
    if not rows:
        return []
    corners = product(range(1, order - rows, rows + 1), range(1, order - columns, columns + 1))
    return [
        House("window", f"window {number}", _rectangle(order, top, left, box_shape))
        for number, (top, left) in enumerate(corners, 1)
    ]


def _disjoint_groups(order: int, box_shape: tuple[int, int]) -> list[House]:
    rows, columns = box_shape
    if not rows:
        return []
    corners = list(product(range(0, order, rows), range(0, order, columns)))
    boxes = [_rectangle(order, top, left, box_shape) for top, left in corners]
    return [House("group", f"group {number}", cells) for number, cells in enumerate(zip(*boxes, strict=True), 1)]


def _rectangle(order: int, top: int, left: int, shape: tuple[int, int]) -> tuple[int, ...]:
    rows, columns = shape
    return tuple((top + row) * order + left + column for row in range(rows) for column in range(columns))


FAMILIES: dict[str, Callable[[int, tuple[int, int]], list[House]]] = {
    "diagonals": _diagonals,
    "windoku": _windows,
    "disjoint groups": _disjoint_groups,
}
"""The houses of each built-in family, from the order and the shape of a box (0 x 0 without boxes); none if the board
has no such houses."""


def labels_of(text: str) -> list[str]:
    """Return the labels in the text of a jigsaw: its words where these make regions and its characters do not."""
    characters = [character for character in text if not character.isspace()]
    words = text.split()
    if _is_even(characters) or len(words) <= max(map(len, words), default=0):  # rows of characters, even damaged ones
        return characters
    return words if _is_even(words) else characters


def _is_even(labels: list[str]) -> bool:
    sizes = set(Counter(labels).values())
    return len(sizes) == 1 and len(labels) == max(sizes) ** 2
