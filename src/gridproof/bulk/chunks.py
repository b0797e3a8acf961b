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

import numpy as np
from numpy.typing import NDArray

from gridproof.errors import PuzzleFormatError
from gridproof.formats.lines import easy_order
from gridproof.formats.matrix import Bytes, Texts, decode
from gridproof.formats.puzzle import Item, text_of
from gridproof.formats.shapes import Shapes
from gridproof.puzzle.geometry import Geometry


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Puzzles of one geometry.

    places: their positions in the chunk, ascending. cells: (puzzles, cells) characters, or symbols in a worker.
    answers: (puzzles, cells) symbols of the solutions given with them, rows of zeros where none is; ``None`` if none
    is at all.
    """

    geometry: Geometry
    places: NDArray[np.int64]
    cells: Bytes
    answers: Bytes | None = None

    def only(self, which: NDArray[np.bool_] | slice, less: int = 0) -> Group:
        """Return some of them. less: is subtracted from their places."""
        answers = None if self.answers is None else self.answers[which]
        return Group(self.geometry, self.places[which] - less, self.cells[which], answers)


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

    def text_at(self, place: int) -> str:
        """Return the text at a place."""
        for group in self.groups:
            at = int(np.searchsorted(group.places, place))
            if at < len(group.places) and group.places[at] == place:
                return str(group.cells[at].tobytes(), "ascii")
        return next((text_of(item) for at, item in self.items if at == place), "")

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
        """Return a hash of everything in it: the same for the same rows of the same input."""
        digest = blake2b(digest_size=16)
        digest.update(f"{self.first_row} {len(self)}".encode())
        digest.update(self.lines.tobytes())
        for group in self.groups:
            digest.update(repr(group.geometry).encode())
            for array in (group.places, group.cells, group.answers):
                digest.update(b"-" if array is None else array.tobytes())
        for place, item in self.items:
            content = item.reason if isinstance(item, PuzzleFormatError) else (item.board, item.solution)
            digest.update(repr((place, text_of(item), content)).encode("utf-8", "surrogateescape"))
        return digest.hexdigest()


def easy_rows(shapes: Shapes, puzzles: Texts, answers: Texts | None = None) -> Group | None:
    """Return the texts that can only be puzzles of the most frequent order; places: their indices.

    answers: the solutions given with them. A puzzle counts only if its solution is easy, too, or empty.
    """
    lengths, counts = np.unique(puzzles.lengths, return_counts=True)
    orders = (easy_order(length, shapes) for length in lengths[np.argsort(-counts)].tolist())
    order = next(filter(None, orders), None)
    if order is None or shapes.zero == "symbol":
        return None
    good, characters, _ = decode(puzzles, order, zeros_are_blanks=shapes.zero == "blank")
    given: Bytes | None = None
    if answers is not None:
        decoded = decode(answers, order)
        full = decoded.symbols.all(axis=1)
        given = np.zeros((len(puzzles.starts), order * order), np.uint8)
        given[decoded.good[full]] = decoded.symbols[full]
        fine = ((answers.lengths == 0) | given.any(axis=1))[good]
        good, characters, given = good[fine], characters[fine], given[good[fine]]
    return Group(shapes.geometry(order), good, characters, given) if len(good) else None


def ordered(fast: Group | None, items: Sequence[tuple[int, int, Item]], first_line: int | None = None) -> Chunk:
    """Return a chunk of these rows, in order.

    fast: its places tell where its rows stand among all. items: place, line and item; a place may have several, which
    stay in their order, and none has a place of ``fast``. first_line: that of place 0, if the rows are lines.
    """
    places, lines = np.array([(place, line) for place, line, _ in items], np.int64).reshape(-1, 2).T
    known = 0
    if fast is not None:
        known, places = len(fast.places), np.concatenate([fast.places, places])
        known_lines = np.zeros(known, np.int64) if first_line is None else fast.places + first_line
        lines = np.concatenate([known_lines, lines])
    order = np.argsort(places, kind="stable")
    ranks = np.empty(len(places), np.int64)
    ranks[order] = np.arange(len(places))
    moved = [(place, item) for (_, _, item), place in zip(items, ranks[known:].tolist(), strict=True)]
    return Chunk(
        lines[order],
        (replace(fast, places=ranks[:known]),) if fast is not None and known else (),
        tuple(sorted(moved, key=itemgetter(0))),
    )


def cut(pieces: Iterable[Chunk], size: int) -> Iterator[Chunk]:
    """Yield the same rows in numbered chunks of ``size``; the last one may be smaller."""
    waiting: list[Chunk] = []
    number = index = 0
    first_row = 1
    for piece in pieces:
        waiting.append(piece)
        number += len(piece)
        if number < size:
            continue
        whole = _joined(waiting)
        start = 0
        while number - start >= size:
            yield replace(whole.part(start, start + size), index=index, first_row=first_row)
            index, first_row, start = index + 1, first_row + size, start + size
        waiting = [whole.part(start, number)] if start < number else []
        number -= start
    if number:
        yield replace(_joined(waiting), index=index, first_row=first_row)


def _joined(chunks: Sequence[Chunk]) -> Chunk:
    if len(chunks) == 1:
        return replace(chunks[0], first_row=1)
    groups: dict[Geometry, list[Group]] = {}
    items: list[tuple[int, Item]] = []
    start = 0
    for chunk in chunks:
        for group in chunk.groups:
            groups.setdefault(group.geometry, []).append(replace(group, places=group.places + start))
        items += [(place + start, item) for place, item in chunk.items]
        start += len(chunk)
    return Chunk(
        np.concatenate([chunk.lines for chunk in chunks]),
        tuple(_joined_groups(members) for members in groups.values()),
        tuple(items),
    )


def _joined_groups(groups: Sequence[Group]) -> Group:
    if len(groups) == 1:
        return groups[0]
    answers = None
    if any(group.answers is not None for group in groups):
        answers = np.concatenate([np.zeros_like(g.cells) if g.answers is None else g.answers for g in groups])
    places = np.concatenate([group.places for group in groups])
    return Group(groups[0].geometry, places, np.concatenate([group.cells for group in groups]), answers)
