"""How many puzzles of an input occurred before, in bounded memory.

Each puzzle is kept as a hash of 64 bits. Up to ``EXACT`` puzzles the count is exact (the probability that any two
different ones share a hash is below one in 100,000 there). Beyond, only the puzzles whose hash ends in so many zero
bits are kept, twice as few each time the room is full (Wegman's adaptive sampling; Flajolet 1990): the count is then an
estimate, and called one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridproof.bulk.chunks import Chunk
from gridproof.formats.matrix import symbols
from gridproof.puzzle.board import Board

EXACT = 1 << 24
"""16,777,216 puzzles, in 128 MB."""

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_FINAL = np.uint64(0xBF58476D1CE4E5B9)
_NONE = np.zeros(0, np.uint64)


class Duplicates:
    """Takes chunk after chunk; ``count()`` says how many puzzles were equal to one before them."""

    def __init__(self, room: int = EXACT) -> None:
        self._room = room
        self._bits = 0
        self._kept = 0
        self._hashes: list[NDArray[np.uint64]] = []

    @property
    def exact(self) -> bool:
        """Whether every puzzle so far is accounted for."""
        return self._bits == 0

    def add(self, chunk: Chunk) -> None:
        """The puzzles of another chunk."""
        found = [_hashes(symbols(group.cells, group.geometry.order)) for group in chunk.groups]
        found += [_hashes(_values(puzzle.board)) for _, puzzle in chunk.singles]
        self._hashes.append(self._sampled(np.concatenate([_NONE, *found])))
        self._kept += len(self._hashes[-1])
        while self._kept > self._room:
            self._bits += 1
            self._hashes = list(map(self._sampled, self._hashes))
            self._kept = sum(map(len, self._hashes))

    def count(self) -> int:
        """How many of the puzzles so far are copies of an earlier one; an estimate unless ``exact``."""
        kept = np.concatenate([_NONE, *self._hashes])
        kept.sort()
        return int(np.count_nonzero(kept[1:] == kept[:-1])) << self._bits

    def _sampled(self, hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
        return hashes[hashes & np.uint64((1 << self._bits) - 1) == 0] if self._bits else hashes


def _values(board: Board) -> NDArray[np.generic]:
    """What tells a board from others: its clues, or all that it says."""
    if not board.rules and board.marks is None:
        return np.array([board.clues])
    return np.frombuffer(repr(board).encode(), np.uint8)[np.newaxis]


def _hashes(values: NDArray[np.generic]) -> NDArray[np.uint64]:
    """A hash of each row of bytes: multiply and fold, eight bytes at a time."""
    number, width = values.shape
    padded = np.zeros((number, -(-width // 8) * 8), np.uint8)
    padded[:, :width] = values
    words = padded.view(np.uint64)
    found = np.full(number, width, np.uint64)
    with np.errstate(over="ignore"):
        for word in range(words.shape[1]):
            found = (found ^ words[:, word]) * _MULTIPLIER
            found ^= found >> np.uint64(29)
        found *= _FINAL
    return found ^ (found >> np.uint64(32))
