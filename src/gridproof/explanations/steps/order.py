"""An order of cells and symbols that goes along when a board is turned, transposed or relabelled.

Among equally good reasons one has to be taken. To take the first one by this order, and not by the place in the grid,
gives a turned or relabelled board the same steps at the same costs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from gridproof.puzzle.board import Board


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
    geometry, n, size = board.geometry, board.geometry.order, len(candidates)
    keys: list[Any] = [("cell",)] * size
    keys += [("symbol", symbol if board.rules else 0) for symbol in range(n)]  # without rules all symbols are alike
    keys += [("line" if house.kind in ("row", "column") else house.kind,) for house in geometry.houses]
    keys += [(_without_cells(rule),) for rule in board.rules]
    edges = [(cell, size + s, 0) for cell, mask in enumerate(candidates) for s in range(n) if mask >> s & 1]
    edges += [(cell, size + n + house, 0) for cell in range(size) for house in geometry.houses_of[cell]]
    for number, rule in enumerate(board.rules, size + n + len(geometry.houses)):
        edges += [(cell, number, place) for _, line in rule.lists() for place, cell in enumerate(line)]
    around: list[list[tuple[int, int]]] = [[] for _ in keys]
    for cell, other, place in edges:
        around[cell].append((place, other))
        around[other].append((place, cell))
    colours, number = _ranks(keys), 0
    while True:
        while len({*colours}) > number:
            number = len({*colours})
            near = [(*sorted([(place, colours[other]) for place, other in others]),) for others in around]
            colours = _ranks([*zip(colours, near, strict=True)])
        cells, symbols = colours[:size], colours[size : size + n]
        shared = [colour for ranks in (cells, symbols) for colour, times in Counter(ranks).items() if times > 1]
        if not shared:
            by_symbol = sorted(range(n), key=symbols.__getitem__)
            return sorted(range(size), key=cells.__getitem__), [symbol + 1 for symbol in by_symbol]
        colours[colours.index(min(shared))] = len(colours)


def _without_cells(rule: Any) -> str:
    return repr([rule.kind, [value for _, kind, value in rule.parameters() if kind not in ("cells", "lines")]])


def _ranks(keys: Sequence[Any]) -> list[int]:
    """Return the place of each key among the different keys in order."""
    places = {key: place for place, key in enumerate(sorted({*keys}))}
    return [places[key] for key in keys]
