"""A stream of lines, cut into puzzles: what ends one, and which lines wait for those that follow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gridproof.formats.blocks import likely_order, rows_of, settle
from gridproof.formats.catalog import may_be_wrapped, puzzles, sniffed
from gridproof.formats.lines import LONGEST_LINE, Line, easy_puzzle, own_puzzle, too_long
from gridproof.formats.puzzle import Item
from gridproof.formats.shapes import Shapes

LONGEST_BLOCK = 4096
"""Lines without a blank line between them that are judged as one; of more the boards are read as they come."""

_LONGEST_BLOCK_IN_CHARACTERS = 16 * LONGEST_LINE
_JSON = re.compile(r'\s*\{\s*"[^"]*"\s*:(?!.*(?:\[|[,{]\s*$))')
"""The beginning of an object in JSON that does not go on over further lines, without an array, which might be a row."""

_HEADING = re.compile(r"\[?(puzzle|grid|board|sudoku|game|problem)\]?\s*[#:.]?\s*\d*\s*[:.]?|[^\W\d_].*:", re.I)


class Stream:
    """A reader that takes lines one after the other and returns the puzzles, and the errors, that they complete.

    foreign: whether lines of other programs are read, too. ended: whether what follows is not to be read.
    """

    def __init__(self, shapes: Shapes, foreign: bool = True) -> None:
        self.ended = False
        self._shapes, self._foreign = shapes, foreign
        self._lines: list[Line] = []  # of the block
        self._held: list[list[Line]] = []  # blocks before it that may be parts of the same board
        self._blank_gap = self._after_rule = False

    @property
    def open(self) -> bool:
        """True while lines wait for those that follow. If not, a line that is easy is a puzzle by itself."""
        return bool(self._lines or self._held)

    def take(self, number: int, text: str) -> Sequence[Item]:
        """Return the puzzles and errors that the line completes."""
        if not self.open and (puzzle := easy_puzzle(text, number, self._shapes)):
            return (puzzle,)
        return list(self._closer_look(number, text))

    def close(self, beside_a_line: bool = False) -> Iterator[Item]:
        """Yield the puzzles of all lines that wait, since no row follows. beside_a_line: as in ``settle``."""
        if self.open:
            yield from self._end(final=True, beside_a_line=beside_a_line)

    def _closer_look(self, number: int, text: str) -> Iterator[Item]:
        stripped = text.strip() if len(text) <= LONGEST_LINE else text
        if (not stripped and text.count("\t") < 3) or stripped[:1] == "#":
            yield from self._gap(blank=not stripped)
        elif len(stripped) == 3 and stripped.casefold() == "end":
            self.ended = True
        elif len(text) > LONGEST_LINE:
            yield from self.close()
            yield too_long(number, text)
        elif len(stripped) <= 80 and _HEADING.fullmatch(stripped):
            yield from self.close()
        elif self._foreign and may_be_wrapped(text) and (wrapping := sniffed(text)) is not None:
            yield from self.close()
            yield from puzzles(wrapping, text, self._shapes, number)
        else:
            yield from self._add(Line(number, text))

    def _add(self, line: Line) -> Iterator[Item]:
        """Take a line that is neither blank nor comment nor heading."""
        item = own_puzzle(line, self._shapes, bool(self._lines))
        if item is None and _JSON.match(line.given):
            expected = "JSON of f-puzzles or SudokuPad, or the cells as text"
            item = line.error("JSON that cannot be read as a puzzle", expected)
        if item is not None:
            yield from self.close(beside_a_line=True)
            yield item
            return
        cells = next((other for other in reversed(self._lines) if other.kind == "cells"), None)
        may_be_row = line.kind == "either" and cells is not None and line.size == cells.size
        rule = bool(line.words) and line.kind != "cells" and not may_be_row
        if rule and self._after_rule and cells is not None:  # the end of a frame, and the beginning of another
            yield from self._end(final=True)
        self._after_rule = rule
        self._lines.append(line)
        if len(self._lines) % 64 == 0 and self._is_too_long():
            yield from self._make_room()

    def _gap(self, blank: bool) -> Iterator[Item]:
        """Take a blank line or a comment: the end of a block, unless it lacks rows that may follow."""
        if self._lines:
            yield from self._end(final=False)
            self._blank_gap = False
        self._blank_gap |= blank

    def _end(self, final: bool, beside_a_line: bool = False) -> Iterator[Item]:
        """Yield the puzzles of the block, or hold it back if it may be the beginning of a board."""
        lines, self._lines, self._after_rule = self._lines, [], False
        pieces, self._held = [*self._held, lines], []
        order = likely_order([line for piece in pieces for line in piece], self._shapes)
        counts = [len(rows_of(piece, order)) for piece in pieces] if order else [0]
        if self._may_be_one(pieces, counts, order):
            if sum(counts) == order:
                yield from settle([line for piece in pieces for line in piece], self._shapes)
                return
            if not final:
                self._held = pieces
                return
        for piece in pieces[:-1]:
            yield from settle(piece, self._shapes)
        if not final and self._may_be_one([lines], counts[-1:], order):
            self._held = [lines]
        elif lines:
            yield from settle(lines, self._shapes, beside_a_line)

    def _may_be_one(self, pieces: list[list[Line]], counts: list[int], order: int) -> bool:
        """Return whether blocks of so many rows may be parts of one puzzle: parted by comments, or bands of boxes."""
        if 0 in counts or not 0 < sum(counts) <= order or (len(counts) == 1 and sum(counts) == order):
            return False
        if len(pieces) > 1 and self._blank_gap:
            box = self._shapes.geometry(order).box_shape if self._shapes.usable(order) else None
            if box is None or set(counts) != {box[0]}:
                return False
        return all(line.kind != "cells" or line.fits(order, order) for piece in pieces for line in piece)

    def _is_too_long(self) -> bool:
        characters = sum(len(line.given) for line in self._lines)
        return len(self._lines) >= LONGEST_BLOCK or characters > _LONGEST_BLOCK_IN_CHARACTERS

    def _make_room(self) -> Iterator[Item]:
        """Yield the puzzles of a very long block, of as many lines as make whole boards; of all if none do."""
        order = likely_order(self._lines, self._shapes)
        rows = rows_of(self._lines, order) if order else []
        whole = len(rows) // order * order if order else 0
        last = rows[whole - 1].number if whole else self._lines[-1].number
        now = [line for line in self._lines if line.number <= last]
        self._lines = self._lines[len(now) :]
        yield from settle(now, self._shapes)
