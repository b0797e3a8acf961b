"""Lines that can only be one thing: a puzzle of one character a cell, whose length settles its order.

Nearly all lines of large files are such. This is the one place that knows which they are: ``reading.py`` asks it line
by line, ``gridproof.bulk`` for thousands at once. All other lines need a closer look, which ``reading.py`` takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import isqrt

from gridproof.formats.notation import Form, Puzzle, Shapes, Symbols, alphabet
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Geometry

_NO_BLANKS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class EasyLines:
    """By the number of characters of a line: the one order it can have as a puzzle, and its geometry and alphabet."""

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes
        self._symbols = Symbols.FROM_ZERO if shapes.zero == "symbol" else Symbols.FROM_ONE
        self._known: dict[int, tuple[Geometry, bytes, bytes] | None] = {}

    def puzzle(self, text: str, number: int) -> Puzzle | None:
        """The puzzle of a line; ``None`` if it needs a closer look."""
        entry = self._entry(len(text))
        if entry is None:
            return None
        geometry, valid, table = entry
        codes = text.encode("utf-8", "replace")
        if codes.translate(None, valid):
            return None
        if b"0" in codes and self.shapes.zero is None and codes.translate(None, _NO_BLANKS):
            return None
        return Puzzle(
            Board.trusted(geometry, tuple(codes.translate(table))), Form.LINE, text, number, symbols=self._symbols
        )

    def order_of_most(self, lengths: Iterable[int]) -> int | None:
        """The order that most lines of these lengths have; ``None`` if all need a closer look."""
        votes: Counter[int] = Counter()
        for length, lines in Counter(lengths).items():
            if entry := self._entry(length):
                votes[entry[0].order] += lines
        return votes.most_common(1)[0][0] if votes else None

    def _entry(self, length: int) -> tuple[Geometry, bytes, bytes] | None:
        if length > LARGEST_ORDER_IN_CHARACTERS**2:
            return None
        if length not in self._known:
            self._known[length] = self._find(length)
        return self._known[length]

    def _find(self, length: int) -> tuple[Geometry, bytes, bytes] | None:
        order = isqrt(length)
        if order * order != length or not order:
            return None
        if self.shapes.order is None:
            # up to 35 characters may be a row of a board, a cube may be pencil marks
            if length <= LARGEST_ORDER_IN_CHARACTERS or round(length ** (1 / 3)) ** 3 == length:
                return None
            if not self.shapes.usable(order):
                return None
        elif self.shapes.order != order:
            return None
        return (self.shapes.geometry(order), *alphabet(order, self._symbols))
