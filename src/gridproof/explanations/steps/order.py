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

    Cells, symbols, houses and rules get colours, which are refined by the colours of their neighbours until nothing
    changes (Weisfeiler and Leman 1968). Where several keep one colour, as on a symmetric board, one is singled out.

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
    geometry, n = board.geometry, board.geometry.order
    symbols_of = [[s for s in range(n) if mask >> s & 1] for mask in candidates]
    cells_of = [[cell for cell, mask in enumerate(candidates) if mask >> s & 1] for s in range(n)]
    lists = [[cells for _, cells in rule.lists()] for rule in board.rules]
    in_rules: list[list[tuple[int, int]]] = [[] for _ in candidates]
    for number, lines in enumerate(lists):
        for line in lines:
            for place, cell in enumerate(line):
                in_rules[cell].append((number, place))
    cells = _ranks([len(symbols) for symbols in symbols_of])
    symbols = list(range(n)) if board.rules else [0] * n  # without rules, nobody can tell symbols from each other
    houses = _ranks(["line" if house.kind in ("row", "column") else house.kind for house in geometry.houses])
    rules = _ranks([_without_cells(rule) for rule in board.rules])
    while True:
        colours = 0
        while len({*cells}) + len({*symbols}) > colours:
            colours = len({*cells}) + len({*symbols})
            houses = _ranks([(old, _sorted(cells, house.cells)) for old, house in _each(houses, geometry.houses)])
            rules = _ranks([(old, [[cells[c] for c in line] for line in lines]) for old, lines in _each(rules, lists)])
            symbols = _ranks([(old, _sorted(cells, there)) for old, there in _each(symbols, cells_of)])
            cells = _ranks(
                [
                    (
                        old,
                        _sorted(houses, geometry.houses_of[cell]),
                        _sorted(symbols, symbols_of[cell]),
                        sorted([(rules[number], place) for number, place in in_rules[cell]]),
                    )
                    for cell, old in enumerate(cells)
                ]
            )
        for ranks in (cells, symbols):
            if shared := [rank for rank, number in Counter(ranks).items() if number > 1]:
                ranks[ranks.index(min(shared))] = len(ranks)
                break
        else:
            by_symbol = sorted(range(n), key=symbols.__getitem__)
            return sorted(range(len(cells)), key=cells.__getitem__), [symbol + 1 for symbol in by_symbol]


def _without_cells(rule: Any) -> str:
    return repr([rule.kind, [value for _, kind, value in rule.parameters() if kind not in ("cells", "lines")]])


def _sorted(ranks: Sequence[int], members: Sequence[int]) -> list[int]:
    return sorted([ranks[member] for member in members])


def _each(ranks: list[int], things: Sequence[Any]) -> zip[tuple[int, Any]]:
    return zip(ranks, things, strict=True)


def _ranks(keys: Sequence[Any]) -> list[int]:
    """Return the place of each key among the different keys in order."""
    ranks, last = [0] * len(keys), -1
    before: Any = None
    for at in sorted(range(len(keys)), key=keys.__getitem__):
        if last < 0 or keys[at] != before:
            last, before = last + 1, keys[at]
        ranks[at] = last
    return ranks
