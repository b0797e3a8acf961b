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

EXACT = 1 << 24
"""16,777,216 puzzles, in 128 MB."""

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_FINAL = np.uint64(0xBF58476D1CE4E5B9)


class Duplicates:
    """Takes chunk after chunk; ``count()`` says how many puzzles were equal to one before them."""

    def __init__(self, room: int = EXACT) -> None:
        self._room = room
        self._bits = 0
        self._kept = 0
        self._hashes = np.zeros(min(1 << 16, room), np.uint64)

    @property
    def exact(self) -> bool:
        """Whether every puzzle so far is accounted for."""
        return self._bits == 0

    def add(self, chunk: Chunk) -> None:
        """The puzzles of another chunk."""
        for group in chunk.groups:
            self._keep(_hashes(symbols(group.cells, group.geometry.order)))
        for single in chunk.singles:
            board = single.board
            if board.rules:
                self._keep(_hashes(np.frombuffer(repr(board).encode(), np.uint8)[np.newaxis]))
                continue
            values = np.array([board.clues if board.marks is None else board.candidates])
            self._keep(
                _hashes(np.ascontiguousarray(values, np.int64).view(np.uint8)) if board.marks else _hashes(values)
            )

    def count(self) -> int:
        """How many of the puzzles so far are copies of an earlier one; an estimate unless ``exact``."""
        kept = self._hashes[: self._kept]
        kept.sort()
        copies = int(np.count_nonzero(kept[1:] == kept[:-1])) if len(kept) else 0
        return copies << self._bits

    def _keep(self, hashes: NDArray[np.uint64]) -> None:
        while True:
            if self._bits:
                hashes = hashes[hashes & np.uint64((1 << self._bits) - 1) == 0]
            if self._kept + len(hashes) <= self._room:
                break
            self._bits += 1
            kept = self._hashes[: self._kept]
            kept = kept[kept & np.uint64((1 << self._bits) - 1) == 0]
            self._kept = len(kept)
            self._hashes[: self._kept] = kept
        needed = self._kept + len(hashes)
        if needed > len(self._hashes):
            grown = np.zeros(min(max(2 * len(self._hashes), needed), self._room), np.uint64)
            grown[: self._kept] = self._hashes[: self._kept]
            self._hashes = grown
        self._hashes[self._kept : needed] = hashes
        self._kept = needed


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
