"""The check of many grids at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Clues = NDArray[np.uint8]

_BLOCK = 2048
"""Puzzles checked at a time: their symbols stay in the level-2 cache."""


def check_grids(
    grids: Clues, order: int, houses: NDArray[np.int64], clues: Clues, masks: NDArray[np.uint32] | None = None
) -> NDArray[np.bool_]:
    """Check which grids are solutions: each house has every symbol, each clue (or candidate mask, if given) is kept.

    The check does not depend on how the grids were found.

    Parameters
    ----------
    grids : array of uint8, (puzzles, cells)
        Symbols 1 .. order.
    order : int
        The number of symbols.
    houses : array of int64, (houses, order)
        The cells of each house.
    clues : array of uint8, (puzzles, cells)
        Symbols 1 .. order, 0 where there is none. They are not looked at if ``masks`` is given.
    masks : array of uint32, (puzzles, cells), optional
        The candidates of each cell: bit ``symbol - 1`` for each symbol.

    Returns
    -------
    array of bool, (puzzles,)
        Whether each grid is a solution.

    Examples
    --------
    >>> houses = np.array([[0, 1], [2, 3], [0, 2], [1, 3]])
    >>> grids = np.array([[1, 2, 2, 1], [1, 2, 1, 2]], np.uint8)
    >>> check_grids(grids, 2, houses, np.zeros((2, 4), np.uint8)).tolist()
    [True, False]
    """
    right = np.empty(len(grids), np.bool_)
    for start in range(0, len(grids), _BLOCK):
        block = slice(start, start + _BLOCK)
        right[block] = _check_block(grids[block], order, houses, clues[block], None if masks is None else masks[block])
    return right


def _check_block(
    grids: Clues, order: int, houses: NDArray[np.int64], clues: Clues, masks: NDArray[np.uint32] | None
) -> NDArray[np.bool_]:
    kind = np.uint16 if order <= 16 else np.uint32
    # A shift beyond the width gives 0 in NumPy; so what is no symbol has no bit, or one beyond ``everything``.
    powers = np.left_shift(kind(1), grids - np.uint8(1), dtype=kind)
    everything = kind((1 << order) - 1)
    kept = (clues == 0) | (clues == grids) if masks is None else np.bitwise_and(masks, powers) != 0
    right: NDArray[np.bool_] = kept.all(axis=1)
    symbols = np.ascontiguousarray(powers.T)  # by cell, so that each step below runs over contiguous puzzles
    for house in houses:
        held = symbols[house[0]].copy()
        for cell in house[1:]:
            held |= symbols[cell]
        right &= held == everything
    return right
