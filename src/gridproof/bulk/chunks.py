"""Chunks: so many rows of the input, decoded as far as it takes to hand them to a worker.

A *row* is a puzzle of the input or what stands in its place, in order, counted from 1. Nearly all rows of a large file
are one-character-a-cell puzzles of one geometry; these are kept as a matrix of bytes (``Group``). Puzzles written in
any other way are boards (``Single``), and what is no puzzle is its error (``Damaged``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from gridproof.formats import Symbols
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, Grid

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Puzzles of one geometry. places: their positions in the chunk, ascending. texts: (puzzles, cells) characters.

    answers: (puzzles, cells) symbols of the solutions given with them, rows of zeros where none is; ``None`` if none
    is at all.
    """

    geometry: Geometry
    places: NDArray[np.int64]
    texts: Bytes
    answers: Bytes | None = None


@dataclass(frozen=True, slots=True)
class Single:
    """A puzzle that was read by ``gridproof.formats``: its place in the chunk, board, text as given, given solution.

    symbols: what it calls them, as its solution will.
    """

    place: int
    board: Board
    text: str
    answer: Grid | None = None
    symbols: Symbols = Symbols.FROM_ONE


@dataclass(frozen=True, slots=True)
class Damaged:
    """What is no puzzle: its place in the chunk, what is there, and what is wrong with it."""

    place: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Rows that follow each other. lines: the line of each in the input, 0 where there are no lines.

    index: number of the chunk in its input, from 0. first_row: number of its first row, from 1.
    """

    lines: NDArray[np.int64]
    groups: tuple[Group, ...] = ()
    singles: tuple[Single, ...] = ()
    damaged: tuple[Damaged, ...] = ()
    index: int = 0
    first_row: int = 1

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def rows(self) -> NDArray[np.int64]:
        """The number of each row."""
        return np.arange(self.first_row, self.first_row + len(self), dtype=np.int64)

    def part(self, start: int, stop: int) -> Chunk:
        """The rows at places ``start`` to ``stop - 1``, with their numbers."""
        groups = []
        for group in self.groups:
            low, high = np.searchsorted(group.places, (start, stop)).tolist()
            if low < high:
                answers = None if group.answers is None else group.answers[low:high]
                places = group.places[low:high] - start
                groups.append(Group(group.geometry, places, group.texts[low:high], answers))
        return Chunk(
            self.lines[start:stop],
            tuple(groups),
            tuple(replace(one, place=one.place - start) for one in self.singles if start <= one.place < stop),
            tuple(replace(one, place=one.place - start) for one in self.damaged if start <= one.place < stop),
            self.index,
            self.first_row + start,
        )

    def digest(self) -> str:
        """A hash of everything in it: the same for the same rows of the same input."""
        found = blake2b(digest_size=16)
        found.update(f"{self.first_row} {len(self)}".encode())
        found.update(self.lines.tobytes())
        for group in self.groups:
            found.update(repr(group.geometry).encode())
            for array in (group.places, group.texts, group.answers):
                found.update(b"-" if array is None else array.tobytes())
        found.update(repr((self.singles, self.damaged)).encode("utf-8", "surrogateescape"))
        return found.hexdigest()


def ordered(
    fast: Group | None,
    fast_keys: NDArray[np.int64],
    fast_lines: NDArray[np.int64],
    others: Sequence[tuple[int, int, Single | Damaged]],
) -> Chunk:
    """A chunk of these rows in the order of their keys.

    fast: its places are ignored. others: key, line and row; rows of equal keys stay in their order, behind a fast one.
    """
    keys = np.concatenate([fast_keys, np.array([key for key, _, _ in others], np.int64)])
    lines = np.concatenate([fast_lines, np.array([line for _, line, _ in others], np.int64)])
    order = np.argsort(keys, kind="stable")
    places = np.empty(len(keys), np.int64)
    places[order] = np.arange(len(keys))
    known = len(fast_keys)
    moved = [replace(one, place=place) for (_, _, one), place in zip(others, places[known:].tolist(), strict=True)]
    groups = (replace(fast, places=places[:known]),) if fast is not None and known else ()
    return Chunk(
        lines[order],
        groups,
        tuple(one for one in moved if isinstance(one, Single)),
        tuple(one for one in moved if isinstance(one, Damaged)),
    )


def cut(pieces: Iterable[Chunk], size: int) -> Iterator[Chunk]:
    """The same rows in chunks of ``size`` (the last one of what is left), numbered."""
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
    singles: list[Single] = []
    damaged: list[Damaged] = []
    start = 0
    for chunk in chunks:
        for group in chunk.groups:
            groups.setdefault(group.geometry, []).append(replace(group, places=group.places + start))
        singles += [replace(one, place=one.place + start) for one in chunk.singles]
        damaged += [replace(one, place=one.place + start) for one in chunk.damaged]
        start += len(chunk)
    return Chunk(
        np.concatenate([chunk.lines for chunk in chunks]),
        tuple(_one_group(members) for members in groups.values()),
        tuple(singles),
        tuple(damaged),
    )


def _one_group(groups: Sequence[Group]) -> Group:
    answers = None
    if any(group.answers is not None for group in groups):
        answers = np.concatenate([np.zeros_like(g.texts) if g.answers is None else g.answers for g in groups])
    places = np.concatenate([group.places for group in groups])
    return Group(groups[0].geometry, places, np.concatenate([group.texts for group in groups]), answers)
