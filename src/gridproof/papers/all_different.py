"""Propagation of all-different: every house keeps the candidates that stand in some way to fill it, and no others.

That is domain consistency of the constraint (Regin 1994), which Simonis 2005 calls hyper arc consistency: it finds all
naked and hidden subsets, but looks at one house at a time. A candidate of a full house is kept if a perfect matching of
cells and symbols has it. That is tried for each candidate, by augmenting paths: slow, and easy to believe.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gridproof.puzzle.board import Board


def is_filled(board: Board) -> bool:
    """Return whether this propagation alone fills a board whose houses are full.

    Examples
    --------
    >>> from gridproof import parse
    >>> is_filled(parse("1... ..2. .3.. ...4"))
    True
    """
    symbols_of = [set(symbols_in(mask)) for mask in board.candidates]
    houses = [house.cells for house in board.geometry.houses]
    houses_of: dict[int, list[int]] = {}
    for number, cells in enumerate(houses):
        for cell in cells:
            houses_of.setdefault(cell, []).append(number)
    waiting = set(range(len(houses)))
    while waiting:
        cells = houses[waiting.pop()]
        for cell in cells:
            kept = keep_matched(cell, cells, symbols_of)
            if kept != symbols_of[cell]:
                symbols_of[cell] = kept
                waiting.update(houses_of[cell])
    return all(len(symbols) == 1 for symbols in symbols_of)


def symbols_in(mask: int) -> list[int]:
    """Return the symbols of a mask of candidates."""
    return [bit + 1 for bit in range(mask.bit_length()) if mask >> bit & 1]


def keep_matched(cell: int, cells: Sequence[int], symbols_of: Sequence[set[int]]) -> set[int]:
    """Return the candidates of a cell with which all cells of a house can be filled."""
    kept = set()
    for symbol in symbols_of[cell]:
        choices = {other: symbols_of[other] - {symbol} for other in cells if other != cell}
        if can_be_filled(choices):
            kept.add(symbol)
    return kept


def can_be_filled(choices: Mapping[int, set[int]]) -> bool:
    """Return whether every cell can have a symbol of its own.

    Examples
    --------
    >>> can_be_filled({0: {1, 2}, 1: {1, 2}, 2: {2, 3}}), can_be_filled({0: {1, 2}, 1: {1, 2}, 2: {1, 2}})
    (True, False)
    """
    holder: dict[int, int] = {}

    def place(cell: int, seen: set[int]) -> bool:
        for symbol in choices[cell]:
            if symbol not in seen:
                seen.add(symbol)
                if symbol not in holder or place(holder[symbol], seen):
                    holder[symbol] = cell
                    return True
        return False

    return all(place(cell, set()) for cell in choices)
