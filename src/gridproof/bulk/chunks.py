"""Chunks: so many rows of the input, decoded as far as it takes to hand them to a worker.

A *row* is a puzzle of the input or what stands in its place, in order, counted from 1. Nearly all rows of a large file
are one-character-a-cell puzzles of one geometry; these are kept as a matrix of bytes (``Group``). Puzzles written in
any other way are records (``Puzzle``), and what is no puzzle is its error (``Damaged``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from gridproof.errors import PuzzleFormatError
from gridproof.formats.lines import easy_order
from gridproof.formats.matrix import Bytes, Texts, decode
from gridproof.formats.puzzle import Item, Puzzle, readable
from gridproof.formats.shapes import Shapes
from gridproof.puzzle.geometry import Geometry

LONGEST_TEXT = 1000
"""Characters of what is no puzzle that are kept for the result."""


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
        """Some of them. less: what is taken from their places."""
        answers = None if self.answers is None else self.answers[which]
        return Group(self.geometry, self.places[which] - less, self.cells[which], answers)


@dataclass(frozen=True, slots=True)
class Damaged:
    """What is no puzzle: its place in the chunk, what is there, and what is wrong with it.

    puzzle: of a puzzle that is not understood, what was read of it.
    """

    place: int
    text: str
    reason: str
    puzzle: Puzzle | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Rows that follow each other. lines: the line of each in the input, 0 where there are no lines.

    singles: puzzles that were read by ``gridproof.formats``, each with its place.

    index: number of the chunk in its input, from 0. first_row: number of its first row, from 1.
    """

    lines: NDArray[np.int64]
    groups: tuple[Group, ...] = ()
    singles: tuple[tuple[int, Puzzle], ...] = ()
    damaged: tuple[Damaged, ...] = ()
    index: int = 0
    first_row: int = 1

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def rows(self) -> NDArray[np.int64]:
        """The number of each row."""
        return np.arange(self.first_row, self.first_row + len(self), dtype=np.int64)

    def text_at(self, place: int) -> str:
        """What stands at a place."""
        for group in self.groups:
            at = int(np.searchsorted(group.places, place))
            if at < len(group.places) and group.places[at] == place:
                return str(group.cells[at].tobytes(), "ascii")
        texts = [(at, puzzle.text) for at, puzzle in self.singles] + [(one.place, one.text) for one in self.damaged]
        return next((text for at, text in texts if at == place), "")

    def part(self, start: int, stop: int) -> Chunk:
        """The rows at places ``start`` to ``stop - 1``, with their numbers."""
        groups = []
        for group in self.groups:
            low, high = np.searchsorted(group.places, (start, stop)).tolist()
            if low < high:
                groups.append(group.only(slice(low, high), start))
        return Chunk(
            self.lines[start:stop],
            tuple(groups),
            tuple((place - start, puzzle) for place, puzzle in self.singles if start <= place < stop),
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
            for array in (group.places, group.cells, group.answers):
                found.update(b"-" if array is None else array.tobytes())
        for place, puzzle in self.singles:
            found.update(repr((place, puzzle.text, puzzle.board, puzzle.solution)).encode("utf-8", "surrogateescape"))
        found.update(repr(self.damaged).encode("utf-8", "surrogateescape"))
        return found.hexdigest()


def easy_rows(shapes: Shapes, puzzles: Texts, answers: Texts | None = None) -> Group | None:
    """Of these texts those that can only be puzzles of one order, most have; places: their indices.

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
        found = decode(answers, order)
        full = found.symbols.all(axis=1)
        given = np.zeros((len(puzzles.starts), order * order), np.uint8)
        given[found.good[full]] = found.symbols[full]
        fine = ((answers.lengths == 0) | given.any(axis=1))[good]
        good, characters, given = good[fine], characters[fine], given[good[fine]]
    return Group(shapes.geometry(order), good, characters, given) if len(good) else None


def row_of(item: Item, given: str) -> Puzzle | Damaged:
    """What the careful reader found. given: the line as it is."""
    if not isinstance(item, PuzzleFormatError):
        return item
    if item.puzzle is not None:
        return Damaged(0, item.text, item.reason, item.puzzle)
    return Damaged(0, max(readable(given[:LONGEST_TEXT]), item.text, key=len)[:LONGEST_TEXT], item.reason)


def ordered(
    fast: Group | None, others: Sequence[tuple[int, int, Puzzle | Damaged]], first_line: int | None = None
) -> Chunk:
    """A chunk of these rows, in order.

    fast: its places tell where its rows stand among all. others: place, line and row; a place may have several, which
    stay in their order, and none has a place of ``fast``. first_line: that of place 0, if the rows are lines.
    """
    places, lines = np.array([(place, line) for place, line, _ in others], np.int64).reshape(-1, 2).T
    known = 0
    if fast is not None:
        known, places = len(fast.places), np.concatenate([fast.places, places])
        known_lines = np.zeros(known, np.int64) if first_line is None else fast.places + first_line
        lines = np.concatenate([known_lines, lines])
    order = np.argsort(places, kind="stable")
    ranks = np.empty(len(places), np.int64)
    ranks[order] = np.arange(len(places))
    moved = [(place, one) for (_, _, one), place in zip(others, ranks[known:].tolist(), strict=True)]
    return Chunk(
        lines[order],
        (replace(fast, places=ranks[:known]),) if fast is not None and known else (),
        tuple((place, one) for place, one in moved if isinstance(one, Puzzle)),
        tuple(replace(one, place=place) for place, one in moved if isinstance(one, Damaged)),
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
    singles: list[tuple[int, Puzzle]] = []
    damaged: list[Damaged] = []
    start = 0
    for chunk in chunks:
        for group in chunk.groups:
            groups.setdefault(group.geometry, []).append(replace(group, places=group.places + start))
        singles += [(place + start, puzzle) for place, puzzle in chunk.singles]
        damaged += [replace(one, place=one.place + start) for one in chunk.damaged]
        start += len(chunk)
    return Chunk(
        np.concatenate([chunk.lines for chunk in chunks]),
        tuple(joined_groups(members) for members in groups.values()),
        tuple(singles),
        tuple(damaged),
    )


def joined_groups(groups: Sequence[Group]) -> Group:
    """The puzzles of groups of one geometry, in order."""
    if len(groups) == 1:
        return groups[0]
    answers = None
    if any(group.answers is not None for group in groups):
        answers = np.concatenate([np.zeros_like(g.cells) if g.answers is None else g.answers for g in groups])
    places = np.concatenate([group.places for group in groups])
    return Group(groups[0].geometry, places, np.concatenate([group.cells for group in groups]), answers)
