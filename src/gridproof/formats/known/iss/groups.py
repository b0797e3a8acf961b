"""Groups of items of the Interactive Sudoku Solver: choices (``Or``), ``And``, and copies of items (``Replicate``).

A group begins with an item and ends with ``End``; groups may stand in groups. Copies are made when a string is read, so
that the rest of the reader meets items, ``And`` and ``Or`` only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gridproof.formats.known.iss.names import (
    CELL,
    Layer,
    cell_of,
    layer_of,
    name_on_board,
    names_of_further,
    read_bits,
)
from gridproof.formats.programs import UnreadItem
from gridproof.puzzle.geometry import Geometry
from gridproof.text import quote

GROUPS = ("And", "Or", "Replicate")
"""Types of items that begin a group."""

DEEPEST = 15
"""Groups inside each other at most."""

MOST_COPIES = 20_000
"""Items that one ``Replicate`` may make, with those of the groups inside it."""

NOT_IN_GROUPS = frozenset(
    {
        *("AntiConsecutive", "AntiKing", "AntiKnight", "AntiTaxicab", "Binary", "BinaryX", "ChaosConstruction"),
        *("ConnectedValues", "Diagonal", "DisjointSets", "Doppelganger", "DutchFlatmates", "FullRankTies"),
        *("GlobalEntropy", "GlobalMod", "Jigsaw", "NoBoxes", "Priority", "RegionSameValues", "RegionSize"),
        *("SearchPriority", "Shape", "StrictKropki", "StrictXV", "Var", "Windoku"),
    }
)
"""Types that the solver refuses in a group: they are about the whole board."""

NOT_MOVED = frozenset(
    {"FullRank", "HiddenSkyscraper", "LittleKiller", "NumberedRoom", "Sandwich", "Skyscraper", "XSum"}
)
"""Types of clues outside the grid, of which the solver makes no copies."""

_CODED = ("NFA", "Pair", "PairX", "Regex")
"""Types whose first argument is a code, in which letters that look like a cell are none."""


class StringItem(NamedTuple):
    """An item of a string, with the items of its group. where: its place, for people."""

    where: str
    type: str
    arguments: Sequence[str]
    children: Sequence[StringItem] = ()


class NestedItems(NamedTuple):
    """The outer items of a string, and what is wrong with its groups: a place, and the problem there."""

    items: list[StringItem]
    problems: list[tuple[str, str]]


def nest_items(items: Iterable[StringItem]) -> NestedItems:
    """Return the items with those of each group inside it."""
    nested = NestedItems([], [])
    open_groups: list[tuple[StringItem, list[StringItem]]] = []
    around = nested.items
    for item in items:
        if item.type in GROUPS and len(open_groups) < DEEPEST:
            open_groups.append((item, around))
            around = []
        elif item.type in GROUPS:
            nested.problems.append((item.where, f"groups inside each other; expected at most {DEEPEST}"))
        elif item.type != "End":
            around.append(item)
        elif open_groups:
            group, outside = open_groups.pop()
            outside.append(group._replace(children=tuple(around)))
            around = outside
        else:
            nested.problems.append((item.where, "nothing that it ends"))
    while open_groups:
        group, outside = open_groups.pop()
        nested.problems.append((group.where, "no End to it"))
        outside.append(group._replace(children=tuple(around)))
        around = outside
    return nested


def types_in(items: Iterable[StringItem]) -> set[str]:
    """Return the types of items, and of those in their groups."""
    types = set()
    for item in items:
        types.add(item.type)
        types |= types_in(item.children)
    return types


def open_group(item: StringItem, board: Geometry) -> StringItem:
    """Return a group with what it holds, copies as an ``And``; any other item as it is.

    Raises
    ------
    UnreadItem
        For an item in it that the solver has in no group, and as ``copy_group`` does.
    """
    refused = NOT_IN_GROUPS.intersection([child.type for child in item.children])
    if refused:
        raise UnreadItem(f"{min(refused)} in a group, where the solver has none")
    if item.type == "Replicate":
        return copy_group(item, board)
    return item


def copy_group(group: StringItem, board: Geometry) -> StringItem:
    """Return the ``And`` of all copies that a ``Replicate`` makes.

    Its bits, from the lowest of the first letter on, stand for the cells from the origin on in reading order. For each
    bit that is set the items are moved by as many rows and columns as that cell is away from the origin.

    Raises
    ------
    UnreadItem
        For another code, a copy that leaves the board, or too many copies.
    """
    if not group.arguments or len(group.arguments) > 2:
        raise UnreadItem(f"{quote('~'.join(group.arguments))}; expected the bits of cells, and an origin")
    origin = cell_of("".join(group.arguments[1:]) or "R1C1", board)
    bits = read_bits(group.arguments[0])
    if count_items(group) > MOST_COPIES:
        raise UnreadItem(f"copies of many items; expected at most {MOST_COPIES:,}")
    layer = layer_of(origin, board)
    copies: list[StringItem] = []
    for offset in range(bits.bit_length()):
        if not bits >> offset & 1:
            continue
        target = origin + offset
        if target >= layer.first + layer.size:
            raise UnreadItem("a copy at a cell beyond the board")
        row, column = divmod(origin - layer.first, layer.columns)
        target_row, target_column = divmod(target - layer.first, layer.columns)
        move = Move(layer, target_row - row, target_column - column)
        for item in group.children:
            copies.append(move_item(item, move, board))
    return StringItem(group.where, "And", (), tuple(copies))


def count_items(item: StringItem) -> int:
    """Return the number of items that an item stands for, with all copies."""
    number = 1 + sum(count_items(child) for child in item.children)
    if item.type == "Replicate" and item.arguments:
        number *= read_bits(item.arguments[0]).bit_count()
    return number


class Move(NamedTuple):
    """The way from an origin to a copy: so many rows and columns in its layer."""

    layer: Layer
    down: int
    right: int


def move_item(item: StringItem, move: Move, board: Geometry) -> StringItem:
    """Return an item, and all in its group, with its cells moved."""
    if item.type in NOT_MOVED:
        raise UnreadItem(f"{item.type}, which has no cells to move")
    if item.type == "Replicate":
        return move_item(copy_group(item, board), move, board)
    moved = []
    for place, argument in enumerate(item.arguments):
        if place == 0 and item.type in _CODED:
            moved.append(argument)
        else:
            moved.append(move_cell(argument, move, board))
    children = [move_item(child, move, board) for child in item.children]
    return item._replace(arguments=tuple(moved), children=tuple(children))


def move_cell(argument: str, move: Move, board: Geometry) -> str:
    """Return an argument with the cell that it begins with, if it does, moved."""
    name, mark, values = argument.partition("_")
    if not CELL.fullmatch(name) and name not in names_of_further(board):
        return argument
    cell = cell_of(name, board)
    layer = move.layer
    if layer_of(cell, board) != layer:
        raise UnreadItem(f"a copy of {quote(name)}, which is of another layer than the origin")
    row, column = divmod(cell - layer.first, layer.columns)
    column += move.right
    place = (row + move.down) * layer.columns + column
    if not 0 <= column < layer.columns or not 0 <= place < layer.size:
        raise UnreadItem(f"a copy of {quote(name)} that leaves the board")
    return name_on_board(layer.first + place, board) + mark + values
