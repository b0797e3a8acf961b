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
_ZERO, _OTHER_BLANK = 1, 2
_KINDS_OF_BLANKS = bytes([_ZERO if k == ord("0") else _OTHER_BLANK * (k in BLANKS) for k in range(256)])
_WRONG = 255
_BLOCK = 2048
"""Puzzles checked at a time: their symbols stay in the level-2 cache."""


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


def decode_lines(data: bytes | bytearray | memoryview, order: int, *, zeros_are_blanks: bool = False) -> Lines:
    """Decode lines of one character per cell; a line of another length or with another character is damaged.

    Symbols are 1-9 and A-Z (or a-z), blanks are ``.0*_-``; lines end with LF or CR LF, the last one with or without.
    A line where ``0`` may be a symbol (beside another blank, where the last symbol does not occur) counts as damaged,
    too, unless zeros_are_blanks. Raises ``InputError`` for an order without a character per symbol (above 35).
    """
    raw = np.frombuffer(data, np.uint8)
    cells = order * order
    stride = cells + 1
    regular = len(raw) % stride == 0 and np.count_nonzero(raw == 10) * stride == len(raw)
    if regular and (raw[cells::stride] == 10).all():
        starts = np.arange(0, len(raw), stride, dtype=np.int64)
        return decode_rows(raw, starts, starts + cells, order, zeros_are_blanks=zeros_are_blanks)
    ends = np.flatnonzero(raw == 10)
    if len(raw) and raw[-1] != 10:
        ends = np.append(ends, len(raw))
    starts = np.concatenate(([0], ends[:-1] + 1)).astype(np.int64) if len(ends) else ends.astype(np.int64)
    filled = ends > starts
    ends = ends - (filled & (raw[np.maximum(ends - 1, 0)] == 13)) if len(ends) else ends
    return decode_rows(raw, starts, ends.astype(np.int64), order, zeros_are_blanks=zeros_are_blanks)


def decode_rows(
    raw: Clues,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    order: int,
    *,
    zeros_are_blanks: bool = False,
) -> Lines:
    """As ``decode_lines``, for texts that lie anywhere in ``raw``, such as a string column of Arrow."""
    cells = order * order
    # Translating bytes is several times faster than indexing a table with an array.
    data = raw.tobytes()
    good = np.flatnonzero(ends - starts == cells)
    clues = _at(data.translate(_table(order)), starts[good], cells)
    largest = clues.max(axis=1, initial=0)
    right = largest != _WRONG
    if not zeros_are_blanks and b"0" in data and any(sign in data for sign in b".*_-"):
        kinds = _at(data.translate(_KINDS_OF_BLANKS), starts[good], cells)
        right &= (largest == order) | (np.bitwise_or.reduce(kinds, axis=1) != _ZERO | _OTHER_BLANK)
    if not right.all():
        clues, good = clues[right], good[right]
    damaged = np.ones(len(starts), np.bool_)
    damaged[good] = False
    return Lines(clues, good, np.flatnonzero(damaged), starts, ends)


def _at(data: bytes, starts: NDArray[np.int64], cells: int) -> Clues:
    """The (texts, cells) bytes that start at these places."""
    values = np.frombuffer(data, np.uint8)
    if not len(starts):
        return np.zeros((0, cells), np.uint8)
    if (np.diff(starts) == cells + 1).all():
        spread = np.lib.stride_tricks.as_strided(values[starts[0] :], (len(starts), cells), (cells + 1, 1))
        return np.ascontiguousarray(spread)
    return np.lib.stride_tricks.sliding_window_view(values, cells)[starts]


def encode_grids(grids: Clues, order: int) -> NDArray[np.bytes_]:
    """The text of each grid or puzzle: (puzzles, cells) to (puzzles,) byte strings; 0 becomes a point."""
    characters = (b"." + _CHARACTERS[: _checked(order)]).ljust(256, b"?")
    return np.frombuffer(grids.tobytes().translate(characters), f"S{order * order}")


def check_grids(
    grids: Clues, order: int, houses: NDArray[np.int64], clues: Clues, masks: NDArray[np.uint32] | None = None
) -> NDArray[np.bool_]:
    """Which grids are solutions: each house has every symbol, each clue (or candidate mask, if given) is kept.

    grids, clues: (puzzles, cells) symbols 1 .. order, clues with 0 for none. houses: (houses, order) cells. masks:
    (puzzles, cells), bit ``symbol - 1``. Knows nothing of how the grids were found.
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
def _table(order: int) -> bytes:
    """The symbol of each byte, 0 for a blank, 255 for what is neither."""
    table = bytearray([_WRONG]) * 256
    for blank in BLANKS:
        table[blank] = 0
    symbols = _CHARACTERS[: _checked(order)]
    for symbol, (upper, lower) in enumerate(zip(symbols, symbols.lower(), strict=True), 1):
        table[upper] = table[lower] = symbol
    return bytes(table)
