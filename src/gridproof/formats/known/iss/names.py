"""Names of cells, numbers and places of the Interactive Sudoku Solver, and which of its items mean a kind of rule."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import isqrt
from typing import NamedTuple

from gridproof.formats.programs import UnreadItem
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.further_cells import WithFurtherCells
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import Shape
from gridproof.rules.foreign import IssItem
from gridproof.rules.rule import Rule
from gridproof.text import quote

LARGEST_ORDER = 16
"""Largest order of boards that the program has."""

NUMBERS = "0123456789abcdefg"
"""Digits of the rows and columns in a name, from 0."""

SIX_BITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
"""Letters of codes, each for six bits."""

OF_DOPPELGANGERS = {"vdoppelrow": "DGC", "vdoppelcolumn": "DGR", "vdoppelbox": "DGB"}
"""The groups of further cells for the digits that each row, column and box lacks, and what the solver calls them: the
cells beside the rows stand in a column there, and those beside the columns in a row."""

CELL = re.compile(r"R([1-9a-g])C([1-9a-g])", re.IGNORECASE)


def first_of(arguments: Sequence[str]) -> str:
    """Return the first argument of an item; empty if it has none."""
    return arguments[0] if arguments else ""


def number_of(text: str) -> int:
    """Return a whole number. Raises ``UnreadItem``."""
    if not re.fullmatch(r"-?[0-9]{1,4}", text):
        raise UnreadItem(f"{quote(text)}; expected a whole number")
    return int(text)


def cell_of(name: str, board: Geometry) -> int:
    """Return the number of a cell. Raises ``UnreadItem``."""
    further = names_of_further(board)
    if name in further:
        return further[name]
    match = CELL.fullmatch(name)
    row = column = 0
    if match:
        row = NUMBERS.index(match[1].lower())
        column = NUMBERS.index(match[2].lower())
    if not 1 <= row <= board.rows or not 1 <= column <= board.columns:
        raise UnreadItem(f"{quote(name)} is not a cell of a board of {board.rows}x{board.columns}")
    return (row - 1) * board.columns + column - 1


@lru_cache(maxsize=64)
def names_of_further(board: Geometry) -> Mapping[str, int]:
    """Return the number of each further cell by its name here: ``VA1``; the only one of a group has no number."""
    if not isinstance(board, WithFurtherCells):
        return {}
    names: dict[str, int] = {}
    for group in board.groups:
        prefix = OF_DOPPELGANGERS.get(group.name, group.name.upper())
        for number in range(1, group.size + 1):
            name = prefix if group.size == 1 else f"{prefix}{number}"
            names[name] = board.further_cells[f"{group.name}{number}"]
    return names


def name_on_board(cell: int, board: Geometry) -> str:
    """Return the name of a cell, which may be a further one."""
    for name, number in names_of_further(board).items():
        if number == cell:
            return name
    return name_of_cell(cell, board.columns)


class Way(NamedTuple):
    """A kind of rules and a way in which it is stated."""

    kind: type[Rule]
    item: IssItem


class Layer(NamedTuple):
    """The cells among which a copy may lie: the grid, or a group of further cells. first: the number of the first."""

    first: int
    size: int
    columns: int


def layer_of(cell: int, board: Geometry) -> Layer:
    """Return the layer of a cell."""
    if not isinstance(board, WithFurtherCells):
        return Layer(0, board.cell_count, board.columns)
    layer = Layer(0, board.board.cell_count, board.columns)
    for group in board.groups:
        if cell >= layer.first + layer.size:
            layer = Layer(layer.first + layer.size, group.size, group.columns or board.columns)
    return layer


def read_bits(code: str) -> int:
    """Return the bits of a code, six in each of its letters, the first in the lowest. Raises ``UnreadItem``."""
    bits = 0
    for place, letter in enumerate(code):
        if letter not in SIX_BITS:
            raise UnreadItem(f"the code {quote(code)}; expected letters, digits, - and _")
        bits |= SIX_BITS.index(letter) << 6 * place
    return bits


def name_of_cell(cell: int, columns: int) -> str:
    """Return the name of a cell: ``R1C1``, with letters from 10 on."""
    return f"R{NUMBERS[cell // columns + 1]}C{NUMBERS[cell % columns + 1]}"


def items_of(kind: type[Rule]) -> list[IssItem]:
    """Return the ways in which rules of a kind are stated, if any."""
    return [item for item in kind.formats if isinstance(item, IssItem)]


def fits(item: IssItem, geometry: Geometry, kinds: Collection[str], usual: Geometry) -> bool:
    """Return whether an item means its kind on a board of this geometry, with rules of these kinds.

    usual: the board with the boxes that the solver gives it.
    """
    if is_refused(item.type, geometry):
        return False
    if item.order is not None and (not geometry.is_plain or item.order != geometry.order):
        return False
    if item.regions is not None and geometry.region_of is None:
        return False
    if item.regions == "usual" and usual.region_of != geometry.region_of:
        return False
    return set(item.beside) <= set(kinds) and not set(item.unless) & set(kinds)


def is_refused(name: str, geometry: Geometry) -> bool:
    """Return whether the solver refuses items of a type on a board."""
    match name:
        case "AntiTaxicab":
            return geometry.digits.first != 1
        case "DutchFlatmates" | "GlobalEntropy" | "GlobalMod":
            return geometry.digits != Digits(1, 9)
        case "Doppelganger":
            return geometry.rows != geometry.columns or geometry.digits != Digits(0, geometry.rows)
        case "DisjointSets" | "FullRank" | "FullRankTies":
            return geometry.rows != geometry.columns
    return False


def without_boxes(geometry: Geometry) -> Geometry:
    """Return the rows, columns and digits of a board alone."""
    return Geometry.oblong(geometry.rows, geometry.columns, geometry.digits)


def usual_size(geometry: Geometry) -> int:
    """Return the number of cells that the solver's boxes have where no ``RegionSize`` is stated."""
    return max(geometry.shape)


def find_boxes(geometry: Geometry, size: int) -> Shape | None:
    """Return the rows and columns of the boxes of so many cells that the solver gives a board; ``None`` if none fit."""
    for small in range(isqrt(size), 1, -1):
        large, rest = divmod(size, small)
        if rest:
            continue
        for high, wide in ((small, large), (large, small)):
            if geometry.rows % high == 0 and geometry.columns % wide == 0:
                return high, wide
    return None


def add_usual_boxes(geometry: Geometry, size: int | None = None) -> Geometry:
    """Return a board with the boxes that the solver gives it, where some of that size fit. size: as in ``RegionSize``.

    Raises ``GeometryError`` for boxes of more cells than there are digits.
    """
    box_shape = find_boxes(geometry, size or usual_size(geometry))
    return Geometry.oblong(geometry.rows, geometry.columns, geometry.digits, box_shape)


def sights_of(item: IssItem, board: Geometry) -> dict[str, tuple[int, ...]]:
    """Return the cells that outside clues see, by the name of their place: a line, or the first slanted cell."""
    sights = {}
    if item.type == "LittleKiller":
        for cells in find_diagonals(board):
            sights[name_of_cell(cells[0], board.columns)] = cells
        return sights
    letters = {"row": "R", "column": "C"}
    numbers = {"row": 0, "column": 0}
    for house in board.houses[: board.rows + board.columns]:
        numbers[house.kind] += 1
        sights[f"{letters[house.kind]}{numbers[house.kind]}"] = house.cells
    return sights


def find_diagonals(board: Geometry) -> Iterator[tuple[int, ...]]:
    """Yield the cells of each diagonal from where it begins; a clue in a corner has one of the two there."""
    rows, columns = board.shape
    starts = [(row, 0, 1, 1) for row in range(rows - 1)]
    starts += [(row, columns - 1, -1, -1) for row in range(1, rows - 1)]
    starts += [(0, column, 1, -1) for column in range(1, columns)]
    starts += [(rows - 1, column, -1, 1) for column in range(1, columns - 1)]
    seen = set()
    for row, column, down, right in starts:
        cells = []
        while 0 <= row < rows and 0 <= column < columns:
            cells.append(row * columns + column)
            row += down
            column += right
        if len(cells) > 1 and frozenset(cells) not in seen:
            seen.add(frozenset(cells))
            yield tuple(cells)


def is_readable_pill(pill: Sequence[int], columns: int) -> bool:
    """Return whether each cell of a pill is one step right of, below, or both, the one before."""
    for first, second in pairwise(pill):
        if second - first not in (1, columns, columns + 1) or first % columns > second % columns:
            return False
    return True
