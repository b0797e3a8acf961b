"""Between bytes and arrays of clues, in bulk; and the bulk check of grids."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gridproof.errors import InputError

Clues = NDArray[np.uint8]

BLANKS = b".0*_-"
_CHARACTERS = b"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_WRONG = 255


@dataclass(frozen=True, eq=False)
class Lines:
    """Decoded lines. clues: (good lines, cells). good: the indices of these lines. damaged: those of all others.

    starts, ends: where each line lies in the data, in bytes, without its line ending.
    """

    clues: Clues
    good: NDArray[np.int64]
    damaged: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


def decode_lines(data: bytes | bytearray | memoryview, order: int) -> Lines:
    """Decode lines of one character per cell; a line of another length or with another character is damaged.

    Symbols are 1-9 and A-Z (or a-z), blanks are ``.0*_-``; lines end with LF or CR LF, the last one with or without.
    Raises ``InputError`` for an order without a character per symbol (above 35).
    """
    raw = np.frombuffer(data, np.uint8)
    cells = order * order
    stride = cells + 1
    regular = len(raw) % stride == 0 and np.count_nonzero(raw == 10) * stride == len(raw)
    if regular and (raw[cells::stride] == 10).all():
        starts = np.arange(0, len(raw), stride, dtype=np.int64)
        return decode_rows(raw, starts, starts + cells, order)
    ends = np.flatnonzero(raw == 10)
    if len(raw) and raw[-1] != 10:
        ends = np.append(ends, len(raw))
    starts = np.concatenate(([0], ends[:-1] + 1)).astype(np.int64) if len(ends) else ends.astype(np.int64)
    filled = ends > starts
    ends = ends - (filled & (raw[np.maximum(ends - 1, 0)] == 13)) if len(ends) else ends
    return decode_rows(raw, starts, ends.astype(np.int64), order)


def decode_rows(raw: Clues, starts: NDArray[np.int64], ends: NDArray[np.int64], order: int) -> Lines:
    """As ``decode_lines``, for texts that lie anywhere in ``raw``, such as a string column of Arrow."""
    table = _table(order)
    cells = order * order
    fits = np.flatnonzero(ends - starts == cells)
    if not len(fits):
        clues = np.zeros((0, cells), np.uint8)
    elif len(fits) == len(starts) and (np.diff(starts) == cells + 1).all():
        rows = np.lib.stride_tricks.as_strided(raw[starts[0] :], (len(starts), cells), (cells + 1, 1), writeable=False)
        clues = table[rows]
    else:
        clues = table[np.lib.stride_tricks.sliding_window_view(raw, cells)[starts[fits]]]
    right = clues.max(axis=1, initial=0) != _WRONG
    good = fits
    if not right.all():
        clues, good = clues[right], fits[right]
    damaged = np.ones(len(starts), np.bool_)
    damaged[good] = False
    return Lines(clues, good, np.flatnonzero(damaged), starts, ends)


def encode_grids(grids: Clues, order: int) -> NDArray[np.bytes_]:
    """The text of each grid or puzzle: (puzzles, cells) to (puzzles,) byte strings; 0 becomes a point."""
    characters = np.frombuffer(b"." + _CHARACTERS[: _checked(order)], np.uint8)
    return np.ascontiguousarray(characters[grids]).view(f"S{order * order}").reshape(-1)


def check_grids(
    grids: Clues, order: int, houses: NDArray[np.int64], clues: Clues, masks: NDArray[np.uint32] | None = None
) -> NDArray[np.bool_]:
    """Which grids are solutions: each house has every symbol, each clue (or candidate mask, if given) is kept.

    grids, clues: (puzzles, cells) symbols 1 .. order, clues with 0 for none. houses: (houses, order) cells. masks:
    (puzzles, cells), bit ``symbol - 1``. Knows nothing of how the grids were found.
    """
    kind = np.uint16 if order <= 16 else np.uint32
    powers = np.zeros(256, kind)
    powers[1 : order + 1] = [1 << symbol for symbol in range(order)]
    symbols = np.ascontiguousarray(powers[grids].T)  # by cell, so that each step below runs over contiguous puzzles
    everything = kind((1 << order) - 1)
    kept = (clues == 0) | (clues == grids) if masks is None else np.bitwise_and(masks, powers[grids]) != 0
    right: NDArray[np.bool_] = kept.all(axis=1)
    for house in houses:
        seen = symbols[house[0]].copy()
        for cell in house[1:]:
            seen |= symbols[cell]
        right &= seen == everything
    return right


def _checked(order: int) -> int:
    if order > len(_CHARACTERS):
        raise InputError(f"order {order}; one character per cell allows orders up to {len(_CHARACTERS)}")
    return order


@lru_cache(maxsize=32)
def _table(order: int) -> Clues:
    """The symbol of each byte, 0 for a blank, 255 for what is neither."""
    table = np.full(256, _WRONG, np.uint8)
    table[list(BLANKS)] = 0
    symbols = _CHARACTERS[: _checked(order)]
    table[list(symbols)] = range(1, order + 1)
    table[list(symbols.lower())] = range(1, order + 1)
    return table
