"""A stream of lines is cut into blocks, each of which is read as a whole.

A block ends with a blank line, a comment, a heading, or a line that can only be a puzzle by itself. It goes on over
comments and over blank lines between bands of boxes, as long as its rows may be the beginning of one board.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gridproof.formats.catalog import all_formats, may_be_wrapped, read_in_format, recognise
from gridproof.formats.layouts import puzzle_alone
from gridproof.formats.lines import LONGEST_LINE, TextLine, easy_puzzle, refuse_long_line
from gridproof.formats.puzzle import Item
from gridproof.formats.readings import likely_order, read_block, rows_of
from gridproof.formats.shapes import Shapes

LONGEST_BLOCK = 4096
"""Lines of a block that are read together; of a longer one the boards are read as they come."""

_LONGEST_BLOCK_IN_CHARACTERS = 4000 * LONGEST_BLOCK
"""The same in characters, for boards of very large orders."""

_JSON = re.compile(r'\s*\{\s*"[^"]*"\s*:(?!.*(?:\[|[,{]\s*$))')
"""The beginning of an object in JSON that does not go on over further lines, without an array, which might be a row."""

_HEADING = re.compile(r"\[?(puzzle|grid|board|sudoku|game|problem)\]?\s*[#:.]?\s*\d*\s*[:.]?|[^\W\d_].*:", re.I)
_LONGEST_HEADING = 80
_LEAST_TABS = 3
"""Tabs of a line of nothing else that may be a row of blanks."""


class BlockReader:
    """A reader that takes lines one after the other and returns the puzzles, and the errors, that they complete.

    foreign: whether lines of other programs are read, too. ended: True after a line ``end``; later lines are ignored.
    """

    def __init__(self, shapes: Shapes, foreign: bool = True) -> None:
        self.ended = False
        self._shapes = shapes
        self._foreign = foreign
        self._parts: list[list[TextLine]] = []  # of the block; comments or blank lines part them
        self._goes_on = False  # whether the next line belongs to the last part
        self._blank_gap = False  # whether a blank line has parted the block
        self._after_rule = False

    @property
    def open(self) -> bool:
        """True while lines wait for those that follow. If not, a line that is easy is a puzzle by itself."""
        return bool(self._parts)

    def take(self, number: int, text: str) -> Sequence[Item]:
        """Return the puzzles and errors that the line completes."""
        if not text and not self._goes_on:  # of blank lines there may be millions
            self._blank_gap = True
            return ()
        if not self._parts:
            puzzle = easy_puzzle(text, number, self._shapes)
            if puzzle is not None:
                return (puzzle,)
        return list(self._look_closer(number, text))

    def close(self) -> Iterator[Item]:
        """Yield the puzzles of all lines that wait, since no row follows."""
        parts = self._parts
        if len(parts) > 1:
            lines = _join(parts)
            order = likely_order(lines, self._shapes)
            if order > 0 and len(rows_of(lines, order)) == order and self._are_parts(self._blank_gap):
                parts = [lines]
        self._parts = []
        self._goes_on = self._after_rule = False
        for part in parts:
            yield from read_block(part, self._shapes)

    def _look_closer(self, number: int, text: str) -> Iterator[Item]:
        stripped = text
        if len(text) <= LONGEST_LINE:
            stripped = text.strip()
        is_blank = not stripped and text.count("\t") < _LEAST_TABS
        if is_blank or stripped.startswith("#"):
            yield from self._end_part(is_blank)
        elif len(stripped) == 3 and stripped.casefold() == "end":
            self.ended = True
        elif len(text) > LONGEST_LINE:
            yield from self.close()
            yield refuse_long_line(number, text, self._shapes.place)
        elif len(stripped) <= _LONGEST_HEADING and _HEADING.fullmatch(stripped):
            yield from self.close()
        else:
            wrapping = None
            if self._shapes.column is not None and stripped.startswith("{"):
                wrapping = all_formats()["jsonl"]  # whose column is none that its records show
            elif self._foreign and may_be_wrapped(text):
                wrapping = recognise(text)
            if wrapping is None:
                yield from self._add(TextLine(number, text, self._shapes.place))
            else:
                yield from self.close()
                yield from read_in_format(wrapping, text, self._shapes, number)

    def _end_part(self, is_blank: bool) -> Iterator[Item]:
        """Take a blank line or a comment: the block ends, unless its rows may be the beginning of one board."""
        if self._goes_on:
            if len(self._parts) > 1 and not self._are_parts(self._blank_gap):
                last = self._parts.pop()
                yield from self.close()
                self._parts = [last]
                self._blank_gap = False
            lines = _join(self._parts)
            order = likely_order(lines, self._shapes)
            has_room = order > 0 and 0 < len(rows_of(lines, order)) < order
            if not has_room or not self._are_parts(self._blank_gap or is_blank):
                yield from self.close()
        self._goes_on = False
        self._blank_gap = self._blank_gap or is_blank

    def _are_parts(self, over_blank_line: bool) -> bool:
        """Return whether the parts of the block may be those of one board.

        Comments may stand between any two rows, blank lines only between bands of boxes.
        """
        lines = _join(self._parts)
        order = likely_order(lines, self._shapes)
        if any(line.kind == "cells" and not line.fits(order, order) for line in lines):
            return False
        heights = []
        if order:
            heights = [len(rows_of(part, order)) for part in self._parts]
        if 0 in heights or sum(heights) > order:
            return len(self._parts) == 1
        if not over_blank_line:
            return True
        if not self._shapes.usable(order):
            return False
        box_shape = self._shapes.geometry(order).box_shape
        return box_shape is not None and set(heights) == {box_shape[0]}

    def _add(self, line: TextLine) -> Iterator[Item]:
        """Take a line that is neither blank nor comment nor heading."""
        item = puzzle_alone(line, self._shapes, self._goes_on)
        if item is None and _JSON.match(line.given):
            expected = "a record with a key puzzle, JSON of f-puzzles or SudokuPad, or the cells as text"
            item = line.error("JSON that cannot be read as a puzzle", expected)
        if item is not None:
            yield from self.close()
            yield item
            return
        if self._after_rule and self._is_rule(line) and self._last_cells() is not None:
            yield from self.close()  # of two rules below cells the second begins another frame
        self._after_rule = self._is_rule(line)
        if not self._parts:
            self._blank_gap = False
        if not self._goes_on:
            self._parts.append([])
            self._goes_on = True
        part = self._parts[-1]
        part.append(line)
        if len(part) % 64 == 0:  # to count the characters of all takes a while
            characters = sum([len(one.given) for one in part])
            if len(part) >= LONGEST_BLOCK or characters >= _LONGEST_BLOCK_IN_CHARACTERS:
                yield from self._make_room()

    def _is_rule(self, line: TextLine) -> bool:
        """Return whether a line that is added is drawn between rows, and is no row of blanks itself."""
        if line.kind == "cells" or not line.words:
            return False
        cells = self._last_cells()
        return not (line.kind == "either" and cells is not None and line.size == cells.size)

    def _last_cells(self) -> TextLine | None:
        """Return the last line of the part that surely holds cells."""
        if self._goes_on:
            for line in reversed(self._parts[-1]):
                if line.kind == "cells":
                    return line
        return None

    def _make_room(self) -> Iterator[Item]:
        """Yield the puzzles of a very long block, of as many lines as make whole boards; of all if none do."""
        lines = _join(self._parts)
        order = likely_order(lines, self._shapes)
        last = lines[-1]
        if order:
            rows = rows_of(lines, order)
            whole = len(rows) // order * order
            if whole:
                last = rows[whole - 1]
        now = [line for line in lines if line.number <= last.number]
        rest = lines[len(now) :]
        self._parts = [rest] if rest else []
        self._goes_on = bool(rest)
        yield from read_block(now, self._shapes)


def _join(parts: Sequence[Sequence[TextLine]]) -> list[TextLine]:
    """Return the lines of all parts."""
    return [line for part in parts for line in part]
