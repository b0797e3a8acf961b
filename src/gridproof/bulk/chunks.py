"""Chunks: so many rows of the input, decoded as far as it takes to hand them to a worker.

A *row* is a puzzle of the input or what stands in its place, in order, counted from 1. Nearly all rows of a large file
are one-character-a-cell puzzles of one geometry; these are kept as a matrix of bytes (``Group``). Puzzles written in
any other way, and errors in the place of puzzles, are kept one by one (``Item``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from operator import itemgetter
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from gridproof.errors import PuzzleFormatError
from gridproof.formats.lines import easy_order
from gridproof.formats.puzzle import Item, given_text
from gridproof.formats.shapes import Shapes
from gridproof.formats.symbols import BLANKS, WRONG, byte_table, symbol_names
from gridproof.puzzle.geometry import Geometry

Bytes = NDArray[np.uint8]

_ZERO = 1
_OTHER_BLANK = 2


def tabulate_kinds_of_blanks() -> bytes:
    """Return a table for ``bytes.translate``: the kind of blank that each character is, 0 for all that are none."""
    table = bytearray(256)
    for character in BLANKS:
        table[ord(character)] = _OTHER_BLANK
    table[ord("0")] = _ZERO
    return bytes(table)


_KINDS_OF_BLANKS = tabulate_kinds_of_blanks()


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Puzzles of one geometry.

    places: their positions in the chunk, ascending. cells: (puzzles, cells) characters. answers: (puzzles, cells)
    symbols of the solutions given with them, rows of zeros where none is; ``None`` if none is at all. decoded: the
    cells as symbols if they are there; they do not go to another process, where they are cheaper to find again.
    """

    geometry: Geometry
    places: NDArray[np.int64]
    cells: Bytes
    answers: Bytes | None = None
    decoded: Bytes | None = None

    def __reduce__(self) -> tuple[type[Group], tuple[Any, ...]]:
        return Group, (self.geometry, self.places, self.cells, self.answers)

    @property
    def symbols(self) -> Bytes:
        """The cells as symbols, 0 where there is no clue."""
        return to_symbols(self.cells, self.geometry.order) if self.decoded is None else self.decoded

    def only(self, which: NDArray[np.bool_] | slice, less: int = 0) -> Group:
        """Return some of them. less: is subtracted from their places."""
        answers = None if self.answers is None else self.answers[which]
        decoded = None if self.decoded is None else self.decoded[which]
        return Group(self.geometry, self.places[which] - less, self.cells[which], answers, decoded)


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Rows that follow each other. lines: the line of each in the input, 0 where there are no lines.

    items: what was read one by one, each with its place. index: number of the chunk in its input, from 0. first_row:
    number of its first row, from 1.
    """

    lines: NDArray[np.int64]
    groups: tuple[Group, ...] = ()
    items: tuple[tuple[int, Item], ...] = ()
    index: int = 0
    first_row: int = 1

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def rows(self) -> NDArray[np.int64]:
        """The number of each row."""
        return np.arange(self.first_row, self.first_row + len(self), dtype=np.int64)

    def part(self, start: int, stop: int) -> Chunk:
        """Return the rows at places ``start`` to ``stop - 1``, with their numbers."""
        groups = []
        for group in self.groups:
            low, high = np.searchsorted(group.places, (start, stop)).tolist()
            if low < high:
                groups.append(group.only(slice(low, high), start))
        return Chunk(
            self.lines[start:stop],
            tuple(groups),
            tuple((place - start, item) for place, item in self.items if start <= place < stop),
            self.index,
            self.first_row + start,
        )

    def digest(self) -> str:
        """Return a hash of everything in it: the same for the same rows of the same input.

        Of arrays it has a CRC, which takes a sixth of the time: nobody is to be kept from making another input with the
        same hash, which would harm nobody else.
        """
        digest = blake2b(digest_size=16)
        digest.update(f"{self.first_row} {len(self)} {crc_of(self.lines)}".encode())
        for group in self.groups:
            crcs = [crc_of(array) for array in (group.places, group.cells, group.answers)]
            digest.update(repr((group.geometry, crcs)).encode())
        for place, item in self.items:
            if isinstance(item, PuzzleFormatError):
                content: object = item.reason
            else:  # all that its row of the result may depend on
                content = (item.board, item.solution, item.title, item.author, item.prose, item.unread)
            digest.update(repr((place, given_text(item), content)).encode("utf-8", "surrogateescape"))
        return digest.hexdigest()


def crc_of(array: NDArray[Any] | None) -> int | None:
    """Return the CRC of the bytes of an array."""
    if array is None:
        return None
    return crc32(np.ascontiguousarray(array).data)


# ---- characters and symbols as matrices ------------------------------------------------------------------------------


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


def find_lines(data: bytes) -> Texts:
    """Return the lines of bytes in which each line ends with ``\\n``."""
    raw = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(raw == ord("\n"))
    return Texts(raw, np.concatenate([ends[:0], [0], ends[:-1] + 1])[: len(ends)], ends)


def decode(texts: Texts, order: int, *, zeros_are_blanks: bool = False) -> Decoded:
    """Return the texts of one character for each cell: symbols 1-9 and A-Z (or a-z), blanks ``.0*_-``.

    Neither texts of another length are among them, nor those with another character, nor those where ``0`` may be a
    symbol (beside another blank, where the last symbol does not occur) unless zeros_are_blanks.
    """
    table = byte_table(order)
    good = np.flatnonzero(texts.lengths == order * order)
    characters = take_characters(texts.raw, texts.starts[good], order * order)
    usual = decode_usual(characters, order)
    if usual is not None:
        return Decoded(good, characters, usual)
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


def decode_usual(characters: Bytes, order: int) -> Bytes | None:
    """Return the symbols if all characters are digits of a board and one kind of blank, else ``None``.

    Arithmetic on all of them takes half as long as a table.
    """
    if order > 9 or not characters.size:
        return None
    data = characters.tobytes()
    has_two_blanks = b"." in data and b"0" in data
    values = characters - np.uint8(ord("."))  # then come "/", "0", "1"; what is before the point becomes large
    if has_two_blanks or b"/" in data or values.max() > order + 2:
        return None
    np.maximum(values, 2, out=values)
    values -= 2
    return values


def to_symbols(characters: Bytes, order: int) -> Bytes:
    """Return the symbols of characters that ``decode`` has accepted as puzzles."""
    return np.frombuffer(characters.tobytes().translate(byte_table(order)), np.uint8).reshape(characters.shape)


def encode_grids(grids: Bytes, order: int) -> Bytes:
    """Return the characters of grids or puzzles, by row; 0 becomes a point."""
    if order <= 9 and grids.size and grids.min() > 0 and grids.max() <= order:
        return np.asarray(grids + np.uint8(ord("0")), np.uint8)
    characters = ("." + "".join(symbol_names(order))).encode().ljust(256, b"?")
    symbols = grids.astype(np.uint8, copy=False).tobytes()
    return np.frombuffer(symbols.translate(characters), np.uint8).reshape(grids.shape)


def to_texts(characters: Bytes) -> list[str]:
    """Return rows of ASCII characters, none of them a line end, as texts."""
    number, width = characters.shape
    if not number:
        return []
    lines = np.full((number, width + 1), ord("\n"), np.uint8)
    lines[:, :width] = characters
    return lines.tobytes()[:-1].decode("ascii").split("\n")  # three times as fast as slices


def take_characters(raw: Bytes, starts: NDArray[np.int64], width: int) -> Bytes:
    """Return the (texts, width) characters that start at these places."""
    if not len(starts):
        return np.zeros((0, width), np.uint8)
    return np.ascontiguousarray(np.lib.stride_tricks.sliding_window_view(raw, width)[starts])


# ---- chunks of rows ------------------------------------------------------------------------------------------------


def easy_rows(shapes: Shapes, puzzles: Texts, answers: Texts | None = None) -> Group | None:
    """Return the texts that can only be puzzles of the most frequent order; places: their indices.

    answers: the solutions given with them. A puzzle counts only if its solution is easy, too, or empty.
    """
    order = most_frequent_order(shapes, puzzles)
    if order is None or shapes.zero == "symbol":
        return None
    good, characters, symbols = decode(puzzles, order, zeros_are_blanks=shapes.zero == "blank")
    given: Bytes | None = None
    if answers is not None:
        decoded = decode(answers, order)
        full = decoded.symbols.all(axis=1)
        given = np.zeros((len(puzzles.starts), order * order), np.uint8)
        given[decoded.good[full]] = decoded.symbols[full]
        fine = ((answers.lengths == 0) | given.any(axis=1))[good]
        good, characters, symbols, given = good[fine], characters[fine], symbols[fine], given[good[fine]]
    if not len(good):
        return None
    return Group(shapes.geometry(order), good, characters, given, symbols)


def most_frequent_order(shapes: Shapes, puzzles: Texts) -> int | None:
    """Return the order of the most frequent length that can only be that of a puzzle."""
    lengths, counts = np.unique(puzzles.lengths, return_counts=True)
    for length in lengths[np.argsort(-counts)].tolist():
        order = easy_order(length, shapes)
        if order:
            return order
    return None


def make_chunk(fast: Group | None, items: Sequence[tuple[int, int, Item]], first_line: int | None = None) -> Chunk:
    """Return a chunk of these rows, in the order of their places.

    fast: its places are those of its rows among all. items: place, line and item; a place may have several, which
    stay in their order, and none has a place of ``fast``. first_line: that of place 0, if the rows are lines.
    """
    places, lines = np.array([(place, line) for place, line, _ in items], np.int64).reshape(-1, 2).T
    known = 0
    if fast is not None:
        known = len(fast.places)
        places = np.concatenate([fast.places, places])
        known_lines = np.zeros(known, np.int64)
        if first_line is not None:
            known_lines = fast.places + first_line
        lines = np.concatenate([known_lines, lines])
    order = np.argsort(places, kind="stable")
    ranks = np.empty(len(places), np.int64)
    ranks[order] = np.arange(len(places))
    groups: list[Group] = []
    if fast is not None and known:
        groups.append(replace(fast, places=ranks[:known]))
    moved = [(place, item) for (_, _, item), place in zip(items, ranks[known:].tolist(), strict=True)]
    return Chunk(lines[order], tuple(groups), tuple(sorted(moved, key=itemgetter(0))))


def cut_to_size(pieces: Iterable[Chunk], size: int) -> Iterator[Chunk]:
    """Yield the same rows in numbered chunks of at most ``size``; none has rows of two pieces."""
    index = 0
    first_row = 1
    for piece in pieces:
        whole = replace(piece, first_row=first_row)
        for start in range(0, len(piece), size):
            yield replace(whole.part(start, min(start + size, len(piece))), index=index)
            index += 1
        first_row += len(piece)
