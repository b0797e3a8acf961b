"""Lines that can only be one thing: a puzzle of one character a cell, whose length settles its order.

Nearly all lines of large files are such. This is the one place that knows which they are: ``reading.py`` asks it line
by line, ``gridproof.bulk`` for thousands at once. All other lines need a closer look, which ``reading.py`` takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import isqrt

from gridproof.formats.notation import Form, Puzzle, Shapes, Symbols, decode_characters
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Geometry


class EasyLines:
    """By the number of characters of a line: the geometry of the one order that it can have as a puzzle."""

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes
        self._symbols = Symbols.FROM_ZERO if shapes.zero == "symbol" else Symbols.FROM_ONE
        self._known: dict[int, Geometry | None] = {}

    def puzzle(self, text: str, number: int) -> Puzzle | None:
        """The puzzle of a line; ``None`` if it needs a closer look."""
        geometry = self._geometry(len(text))
        clues = None if geometry is None else decode_characters(text, geometry.order, self._symbols)
        if geometry is None or clues is None or (self.shapes.zero is None and "0" in text and not text.isalnum()):
            return None
        return Puzzle(Board.trusted(geometry, clues), Form.LINE, text, number, symbols=self._symbols)

    def order_of_most(self, lengths: Iterable[int]) -> int | None:
        """The order that most lines of these lengths have; ``None`` if all need a closer look."""
        votes = {length: lines for length, lines in Counter(lengths).items() if self._geometry(length)}
        return isqrt(max(votes, key=votes.__getitem__)) if votes else None

    def _geometry(self, length: int) -> Geometry | None:
        if length not in self._known:
            self._known[length] = self._find(length)
        return self._known[length]

    def _find(self, length: int) -> Geometry | None:
        order, asked = isqrt(length), self.shapes.order
        if order * order != length or not 0 < order <= LARGEST_ORDER_IN_CHARACTERS or asked not in (None, order):
            return None
        # up to 35 characters may be a row of a board, a cube may be pencil marks
        if asked is None and (length <= LARGEST_ORDER_IN_CHARACTERS or round(length ** (1 / 3)) ** 3 == length):
            return None
        return self.shapes.geometry(order) if self.shapes.usable(order) else None
