"""The ways to write rules for the Interactive Sudoku Solver, and its names for cells and places."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any, TypeAlias

from gridproof.errors import shortened
from gridproof.formats.programs import Wrong
from gridproof.formats.shapes import usual
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.kind import Kind

LARGEST_ORDER = 16
NUMBERS = "0123456789abcdefg"
CELL = re.compile(r"R([1-9a-g])C([1-9a-g])", re.IGNORECASE)

Way: TypeAlias = Mapping[str, Any]


def ways_of(kind: Kind) -> Sequence[Way]:
    table = kind.formats.get("iss", ())
    return [table] if isinstance(table, Mapping) else table


def fits(way: Way, geometry: Geometry, kinds: Collection[str]) -> bool:
    """Return whether a way to write a rule means the same there, on a board with these kinds of rules."""
    regions, wanted = geometry.region_of, way.get("regions")
    return (
        way.get("order", geometry.order) == geometry.order
        and (wanted is None or regions is not None)
        and (wanted != "usual" or regions == getattr(usual(geometry.order), "region_of", ()))
        and {*kinds} >= {*way.get("beside", ())}
        and not {*kinds} & {*way.get("unless", ())}
    )


def number_of(text: str) -> int:
    """Return a whole number. Raises ``Wrong``."""
    if not re.fullmatch(r"-?\d{1,4}", text):
        raise Wrong(f"{shortened(text)}; expected a whole number")
    return int(text)


def cell_id(cell: int, n: int) -> str:
    """Return the name of a cell: ``R1C1``, with letters from 10 on."""
    return f"R{NUMBERS[cell // n + 1]}C{NUMBERS[cell % n + 1]}"


def touch(a: int, b: int, n: int) -> bool:
    """Return whether two cells are orthogonal neighbours."""
    return abs(a // n - b // n) + abs(a % n - b % n) == 1


def is_readable(pill: Sequence[int], n: int) -> bool:
    """Return whether each cell of a pill is one step right of, below, or both, the one before."""
    return all(second - first in (1, n, n + 1) and first % n <= second % n for first, second in pairwise(pill))


def sights(way: Way, n: int) -> dict[str, tuple[int, ...]]:
    """Return the cells that outside clues see, by the name of their place: a line, or the first slanted cell."""
    if way["type"] == "LittleKiller":
        slanted = chain(
            (range(row * n, n * n, n + 1) for row in range(n - 1)),
            (range(row * n + n - 1, -1, -n - 1) for row in range(1, n - 1)),
            (range(column, column * n + 1, n - 1) for column in range(1, n)),
            (range(n * n - n + column, column * n, 1 - n) for column in range(1, n - 1)),
        )
        return {cell_id(cells[0], n): tuple(cells) for cells in slanted}
    rows = {f"R{k + 1}": tuple(range(k * n, k * n + n)) for k in range(n)}
    return rows | {f"C{k + 1}": tuple(range(k, n * n, n)) for k in range(n)}
