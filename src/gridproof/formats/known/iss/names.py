"""Names of cells, numbers and places of the Interactive Sudoku Solver, and which of its items mean a kind of rule."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from math import isqrt

from gridproof.formats.programs import UnreadItem
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.foreign import IssItem
from gridproof.rules.rule import Rule
from gridproof.text import quote

LARGEST_ORDER = 16
"""Largest order of boards that the program has."""

NUMBERS = "0123456789abcdefg"
"""Digits of the rows and columns in a name, from 0."""

SIX_BITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
"""Letters of codes, each for six bits."""

CELL = re.compile(r"R([1-9a-g])C([1-9a-g])", re.IGNORECASE)


def first_of(arguments: Sequence[str]) -> str:
    """Return the first argument of an item; empty if it has none."""
    return arguments[0] if arguments else ""


def number_of(text: str) -> int:
    """Return a whole number. Raises ``UnreadItem``."""
    if not re.fullmatch(r"-?[0-9]{1,4}", text):
        raise UnreadItem(f"{quote(text)}; expected a whole number")
    return int(text)


def cell_of(name: str, n: int) -> int:
    """Return the number of a cell. Raises ``UnreadItem``."""
    match = CELL.fullmatch(name)
    row = column = 0
    if match:
        row = NUMBERS.index(match[1].lower())
        column = NUMBERS.index(match[2].lower())
    if not 1 <= row <= n or not 1 <= column <= n:
        raise UnreadItem(f"{quote(name)} is not a cell of a board of order {n}")
    return (row - 1) * n + column - 1


def read_bits(code: str) -> int:
    """Return the bits of a code, six in each of its letters, the first in the lowest. Raises ``UnreadItem``."""
    bits = 0
    for place, letter in enumerate(code):
        if letter not in SIX_BITS:
            raise UnreadItem(f"the code {quote(code)}; expected letters, digits, - and _")
        bits |= SIX_BITS.index(letter) << 6 * place
    return bits


def name_of_cell(cell: int, n: int) -> str:
    """Return the name of a cell: ``R1C1``, with letters from 10 on."""
    return f"R{NUMBERS[cell // n + 1]}C{NUMBERS[cell % n + 1]}"


def items_of(kind: type[Rule]) -> list[IssItem]:
    """Return the ways in which rules of a kind are stated, if any."""
    return [item for item in kind.formats if isinstance(item, IssItem)]


def fits(item: IssItem, geometry: Geometry, kinds: Collection[str]) -> bool:
    """Return whether an item means its kind on a board of this geometry, with rules of these kinds."""
    if item.order is not None and (not geometry.is_plain or item.order != geometry.order):
        return False
    if item.regions is not None and geometry.region_of is None:
        return False
    if item.regions == "usual":
        bare = Geometry.oblong(geometry.rows, geometry.columns, geometry.digits)
        if add_usual_boxes(bare).region_of != geometry.region_of:
            return False
    return set(item.beside) <= set(kinds) and not set(item.unless) & set(kinds)


def add_usual_boxes(geometry: Geometry) -> Geometry:
    """Return a board with the boxes that the solver gives it: of as many cells as there are digits, if these fit."""
    count = geometry.symbol_count
    for small in range(isqrt(count), 1, -1):
        large, rest = divmod(count, small)
        if rest:
            continue
        for high, wide in ((small, large), (large, small)):
            if geometry.rows % high == 0 and geometry.columns % wide == 0:
                return Geometry.oblong(geometry.rows, geometry.columns, geometry.digits, (high, wide))
    return geometry


def sights_of(item: IssItem, n: int) -> dict[str, tuple[int, ...]]:
    """Return the cells that outside clues see, by the name of their place: a line, or the first slanted cell."""
    sights = {}
    if item.type == "LittleKiller":
        for cells in find_diagonals(n):
            sights[name_of_cell(cells[0], n)] = tuple(cells)
        return sights
    for row in range(n):
        sights[f"R{row + 1}"] = tuple(range(row * n, row * n + n))
    for column in range(n):
        sights[f"C{column + 1}"] = tuple(range(column, n * n, n))
    return sights


def find_diagonals(n: int) -> Iterator[range]:
    """Yield the cells of each diagonal from where it begins; a clue in a corner has one of the two there."""
    for row in range(n - 1):
        yield range(row * n, n * n, n + 1)
    for row in range(1, n - 1):
        yield range(row * n + n - 1, -1, -n - 1)
    for column in range(1, n):
        yield range(column, column * n + 1, n - 1)
    for column in range(1, n - 1):
        yield range(n * n - n + column, column * n, 1 - n)


def is_readable_pill(pill: Sequence[int], n: int) -> bool:
    """Return whether each cell of a pill is one step right of, below, or both, the one before."""
    for first, second in pairwise(pill):
        if second - first not in (1, n, n + 1) or first % n > second % n:
            return False
    return True
