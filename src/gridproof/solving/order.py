"""The canonical order of cells and symbols, which does not depend on how a board is turned or relabelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from gridproof.puzzle.board import Board
from gridproof.rules import Rule


class Link(NamedTuple):
    """A link from a cell to a symbol, a house or a rule, by their nodes. role: the place of the cell in the rule."""

    cell: int
    other: int
    role: int = 0


def canonical_order(board: Board, candidates: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the cells, and the symbols, in an order that depends on what is around them and not on their place.

    Cells, symbols, houses and rules are nodes of a graph. Their colours are refined by those of their neighbours until
    nothing changes (Weisfeiler and Leman 1968). Where several cells, or several symbols, keep one colour, as on a
    symmetric board, one is singled out.

    Parameters
    ----------
    board
        Houses and rules.
    candidates
        The mask of each cell.

    Examples
    --------
    >>> from gridproof import parse
    >>> board, turned = parse("12.. ..1. .... ...3"), parse("3... .... .1.. ..21")
    >>> cells, symbols = canonical_order(board, board.candidates)
    >>> ([15 - cell for cell in cells], symbols) == canonical_order(turned, turned.candidates)
    True
    """
    size = len(candidates)
    symbol_count = board.geometry.symbol_count
    colours = rank_keys(first_keys(board, size))
    around: list[list[tuple[int, int]]] = [[] for _ in colours]
    for link in find_links(board, candidates):
        around[link.cell].append((link.role, link.other))
        around[link.other].append((link.role, link.cell))
    while True:
        colours = refine(colours, around)
        cell_colours = colours[:size]
        symbol_colours = colours[size : size + symbol_count]
        shared = [colour for colour, times in Counter(cell_colours).items() if times > 1]
        shared += [colour for colour, times in Counter(symbol_colours).items() if times > 1]
        if not shared:
            cells = sorted(range(size), key=cell_colours.__getitem__)
            symbols = sorted(range(symbol_count), key=symbol_colours.__getitem__)
            return cells, [symbol + 1 for symbol in symbols]
        colours[colours.index(min(shared))] = len(colours)


def first_keys(board: Board, size: int) -> list[Any]:
    """Return a key for each node, by which nodes of different kinds differ: cells, symbols, houses, rules.

    Without rules all symbols are alike.
    """
    keys: list[Any] = [("cell",)] * size
    for symbol in range(board.geometry.symbol_count):
        keys.append(("symbol", symbol if board.rules else 0))
    for house in board.geometry.houses:
        kind = "line" if house.kind in ("row", "column") else house.kind
        keys.append((kind,))
    for rule in board.rules:
        keys.append((describe_values(rule),))
    return keys


def describe_values(rule: Rule) -> str:
    """Return the kind of a rule and its values as a text, without its cells."""
    values = []
    for _, kind, value in rule.stated_values():
        if kind == "rules":
            values.append([describe_values(inner) for inner in value])
        elif kind not in ("cells", "lines"):
            values.append(value)
    return repr([rule.kind, values])


def find_links(board: Board, candidates: Sequence[int]) -> list[Link]:
    """Return the links of each cell: to the symbols that are left in it, to its houses and to its rules."""
    geometry = board.geometry
    first_symbol = len(candidates)
    first_house = first_symbol + geometry.symbol_count
    first_rule = first_house + len(geometry.houses)
    links: list[Link] = []
    for cell, mask in enumerate(candidates):
        links += [Link(cell, first_symbol + s) for s in range(geometry.symbol_count) if mask >> s & 1]
        links += [Link(cell, first_house + house) for house in geometry.houses_of[cell]]
    for number, rule in enumerate(board.rules, first_rule):
        for _, line in rule.lists():
            links += [Link(cell, number, role) for role, cell in enumerate(line)]
    return links


def refine(colours: list[int], around: Sequence[Sequence[tuple[int, int]]]) -> list[int]:
    """Return the colours after each node took in those of its neighbours, again and again until nothing changes."""
    number = 0
    while len(set(colours)) > number:
        number = len(set(colours))
        keys: list[Any] = []
        for colour, links in zip(colours, around, strict=True):
            near = [(role, colours[other]) for role, other in links]
            keys.append((colour, tuple(sorted(near))))
        colours = rank_keys(keys)
    return colours


def rank_keys(keys: Sequence[Any]) -> list[int]:
    """Return the place of each key among the different keys in order.

    Examples
    --------
    >>> rank_keys([("line",), ("cell",), ("line",)])
    [1, 0, 1]
    """
    places = {key: place for place, key in enumerate(sorted(set(keys)))}
    return [places[key] for key in keys]
