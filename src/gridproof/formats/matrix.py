"""Many puzzles of one character a cell as a matrix, by NumPy: characters to symbols and back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridproof.errors import InputError
from gridproof.formats.symbols import BLANKS, WRONG, alphabet, names
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS

Bytes = NDArray[np.uint8]

_ZERO, _OTHER_BLANK = 1, 2
_KINDS_OF_BLANKS = bytes([_ZERO if k == ord("0") else _OTHER_BLANK * (chr(k) in BLANKS) for k in range(256)])


class Texts(NamedTuple):
    """Texts that lie anywhere in ``raw``, such as the lines of a file: where each begins and where it ends."""

    raw: Bytes
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of bytes of each."""
        return self.ends - self.starts


class Decoded(NamedTuple):
    """Those texts that are puzzles. good: their indices. characters, symbols: (good texts, cells), 0 for a blank."""

    good: NDArray[np.int64]
    characters: Bytes
    symbols: Bytes


def lines_of(data: bytes) -> Texts:
    """Return the lines of bytes in which each line ends with ``\\n``."""
    raw = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(raw == ord("\n"))
    return Texts(raw, np.concatenate([ends[:0], [0], ends[:-1] + 1])[: len(ends)], ends)


def decode(texts: Texts, order: int, *, zeros_are_blanks: bool = False) -> Decoded:
    """Return the texts of one character for each cell: symbols 1-9 and A-Z (or a-z), blanks ``.0*_-``.

    Neither texts of another length are among them, nor those with another character, nor those where ``0`` may be a
    symbol (beside another blank, where the last symbol does not occur) unless zeros_are_blanks. Raises ``InputError``
    for an order without a character per symbol (above 35).
    """
    table = alphabet(_checked(order))
    good = np.flatnonzero(texts.lengths == order * order)
    characters = _characters_at(texts.raw, texts.starts[good], order * order)
    data = characters.tobytes()
    # ``bytes.translate`` is several times as fast as a NumPy table indexed by an array
    values = np.frombuffer(data.translate(table), np.uint8).reshape(characters.shape)
    largest = values.max(axis=1, initial=0)
    right = largest != WRONG
    if not zeros_are_blanks and b"0" in data and any(sign in data for sign in b".*_-"):
        kinds = np.frombuffer(data.translate(_KINDS_OF_BLANKS), np.uint8).reshape(characters.shape)
        right &= (largest == order) | (np.bitwise_or.reduce(kinds, axis=1) != _ZERO | _OTHER_BLANK)
    if right.all():
        return Decoded(good, characters, values)
    return Decoded(good[right], characters[right], values[right])


def symbols(characters: Bytes, order: int) -> Bytes:
    """Return the symbols of characters that ``decode`` has accepted as puzzles."""
    return np.frombuffer(characters.tobytes().translate(alphabet(order)), np.uint8).reshape(characters.shape)


def encode_grids(grids: Bytes, order: int) -> NDArray[np.bytes_]:
    """Return the text of each grid or puzzle: (puzzles, cells) to (puzzles,) byte strings; 0 becomes a point."""
    characters = ("." + "".join(names(_checked(order)))).encode().ljust(256, b"?")
    return np.frombuffer(grids.tobytes().translate(characters), f"S{order * order}")


def strings(characters: Bytes) -> list[str]:
    """Return rows of ASCII characters, none of them a line end, as texts."""
    number, width = characters.shape
    if not number:
        return []
    lines = np.full((number, width + 1), ord("\n"), np.uint8)
    lines[:, :width] = characters
    return lines.tobytes()[:-1].decode("ascii").split("\n")  # three times as fast as slices


def _characters_at(raw: Bytes, starts: NDArray[np.int64], width: int) -> Bytes:
    """Return the (texts, width) characters that start at these places."""
    if not len(starts):
        return np.zeros((0, width), np.uint8)
    return np.ascontiguousarray(np.lib.stride_tricks.sliding_window_view(raw, width)[starts])


def _checked(order: int) -> int:
    if order > LARGEST_ORDER_IN_CHARACTERS:
        raise InputError(f"order {order}; one character per cell allows orders up to {LARGEST_ORDER_IN_CHARACTERS}")
    return order
