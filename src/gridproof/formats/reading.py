"""A stream of lines, cut into puzzles: what ends one, and which lines wait until it is settled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import isqrt

from gridproof.errors import PuzzleFormatError
from gridproof.formats.blocks import likely_order, rows_of, settle
from gridproof.formats.notation import Form, Item, Line, Puzzle, Shape, Shapes, alphabet, readable
from gridproof.formats.one_line import LONGEST_LINE, misfit, own_puzzle, too_long
from gridproof.formats.tables import read_records, table_of
from gridproof.formats.values import PuzzleLike, from_values
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Geometry

LONGEST_BLOCK = 4096
"""Lines without a blank line between them that are kept to be judged as one; of more the boards are read as
they come.
"""

_LONGEST_BLOCK_IN_CHARACTERS = 16 * LONGEST_LINE
_LINE_END = re.compile(r"\r*\n|\r")
_UTF_16 = ("\udcff\udcfe", "\udcfe\udcff")
"""How the first bytes of a text in UTF-16 come out when they are read as UTF-8."""

_HEADING = re.compile(r"\[?(puzzle|grid|board|sudoku|game|problem)\]?\s*[#:.]?\s*\d*\s*[:.]?", re.IGNORECASE)


def read(source: Iterable[str | bytes] | str | bytes, shape: Shape = Geometry.standard) -> Iterator[Item]:
    """Each puzzle of a source, or the ``PuzzleFormatError`` that tells what is wrong with it, in order.

    source: lines, such as an open file (in binary mode, bytes that are not UTF-8 damage their own puzzle
    only), or the whole text. shape: the geometry, or what gives one for an order. Reads as it is asked, in
    constant memory.
    """
    return _read(_numbered(source), Shapes(shape), in_table=False)


def parse(puzzle: PuzzleLike, shape: Shape = Geometry.standard) -> Board:
    """The board of one puzzle: a text in any notation, or cells in a list or an array.

    Parameters
    ----------
    puzzle
        A text; or n*n cells, flat or as n rows of n, where 0, ``None``, NaN, ``''`` and ``. 0 * _ -`` are blank. A
        ``Board`` is given back as it is.
    shape
        The geometry, or what gives one for an order; without it, boxes as usual.

    Returns
    -------
    Board

    Raises
    ------
    PuzzleFormatError
        If it is anything else, or more than one puzzle.

    Examples
    --------
    >>> import gridproof
    >>> board = gridproof.parse("1....6..2......1....5......3..6....2")
    >>> board.geometry.description
    '6x6, 2x3 boxes'
    >>> gridproof.parse([[0, 0, 0, 4], [0] * 4, [2, 0, 0, 0], [0] * 4]).clues
    (0, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0)
    """
    if isinstance(puzzle, Board):
        return puzzle
    if isinstance(puzzle, (str, bytes)):
        return _only(puzzle, Shapes(shape), in_table=False).board
    return from_values(puzzle, shape)


def _only(text: str | bytes, shapes: Shapes, in_table: bool) -> Puzzle:
    items = _read(_numbered(text), shapes, in_table)
    item = next(items, None)
    if item is None:
        shown = text if isinstance(text, str) else text.decode("utf-8", "backslashreplace")
        raise PuzzleFormatError("no puzzle", text=shown, expected="one puzzle", line=1, column=1)
    if isinstance(item, PuzzleFormatError):
        raise item
    if second := next(items, None):
        if isinstance(second, PuzzleFormatError):
            raise second
        raise PuzzleFormatError(
            "more than one puzzle", text=second.text, expected="one puzzle", line=second.line, column=1
        )
    return item


def _numbered(source: Iterable[str | bytes] | str | bytes) -> Iterator[tuple[int, str]]:
    """The lines of a source, from 1, without their ends; bytes that are not UTF-8 as lone surrogates."""
    number = 0
    for raw in (source,) if isinstance(source, (str, bytes)) else source:
        text = raw.decode("utf-8", "surrogateescape") if isinstance(raw, bytes) else raw
        if text[-1:] == "\n":
            text = text[:-1]
        number += 1
        if number == 1:
            text = text.removeprefix("\ufeff")
        if "\r" in text or "\n" in text:
            number -= 1
            for part in _LINE_END.split(text.rstrip("\r")):
                number += 1
                yield number, part
        else:
            yield number, text


def _read(lines: Iterator[tuple[int, str]], shapes: Shapes, in_table: bool) -> Iterator[Item]:
    blocks = _Blocks(shapes)
    easy = _EasyLines(shapes)
    form = Form.LINE
    may_have_header = not in_table
    for number, text in lines:
        entry = easy.get(len(text))
        if entry is not None and not blocks.open:
            geometry, valid, table = entry
            codes = text.encode("utf-8", "replace")
            if not codes.translate(None, valid):
                may_have_header = False
                blocks.last_line = number
                blocks.last_order = geometry.order
                yield Puzzle(Board.trusted(geometry, tuple(codes.translate(table))), form, text, number)
                continue
        if number == 1 and text.startswith(_UTF_16):
            yield PuzzleFormatError("text in UTF-16", text=readable(text), expected="text in UTF-8", line=1, column=1)
            return
        stripped = text.strip() if len(text) <= LONGEST_LINE else text
        if not stripped or stripped[0] == "#":
            yield from blocks.gap(blank=not stripped)
            continue
        if may_have_header:
            may_have_header = False
            if head := table_of(text):
                yield from read_records(lines, head, lambda field: _field(field, shapes, easy))
                return
        if stripped == "end" or (len(stripped) == 3 and stripped.casefold() == "end"):
            break
        if len(text) > LONGEST_LINE:
            yield from blocks.close()
            blocks.last_line = number
            yield too_long(number, text)
        elif len(stripped) <= 80 and _HEADING.fullmatch(stripped):
            yield from blocks.close()
        else:
            yield from blocks.add(Line(number, text))
    yield from blocks.close()


def _field(field: str, shapes: Shapes, easy: _EasyLines) -> Item:
    """The puzzle in a field of a CSV file."""
    entry = easy.get(len(field))
    if entry is not None:
        geometry, valid, table = entry
        codes = field.encode("utf-8", "replace")
        if not codes.translate(None, valid):
            return Puzzle(Board.trusted(geometry, tuple(codes.translate(table))), Form.LINE, field, 1)
    try:
        return _only(field, shapes, in_table=True)
    except PuzzleFormatError as error:
        return error.with_traceback(None)


class _EasyLines:
    """By the number of characters of a line: the geometry and tables of the one-line puzzle it can only be."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes
        self._known: dict[int, tuple[Geometry, bytes, bytes] | None] = {}

    def get(self, length: int) -> tuple[Geometry, bytes, bytes] | None:
        """The entry for a length, ``None`` if such lines need a closer look."""
        try:
            return self._known[length]
        except KeyError:
            found = self._find(length)
            if length <= LARGEST_ORDER_IN_CHARACTERS**2:
                self._known[length] = found
            return found

    def _find(self, length: int) -> tuple[Geometry, bytes, bytes] | None:
        order = isqrt(length)
        if order * order != length or not 0 < order <= LARGEST_ORDER_IN_CHARACTERS:
            return None
        if self._shapes.order is None:
            # up to 35 characters may be a row of a board, a cube may be pencil marks
            if length <= LARGEST_ORDER_IN_CHARACTERS or round(length ** (1 / 3)) ** 3 == length:
                return None
            if not self._shapes.usable(order):
                return None
        elif self._shapes.order != order:
            return None
        return (self._shapes.geometry(order), *alphabet(order))


class _Blocks:
    """Gathers lines to blocks and gives what they hold as soon as it is settled."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes
        self._lines: list[Line] = []
        self._held: list[list[Line]] = []
        self._characters = 0
        self._blank_gap = False
        self._last_cells: Line | None = None
        self._after_rule = False
        self.last_line = -1
        self.last_order = 0

    @property
    def open(self) -> bool:
        """Whether lines wait to be settled."""
        return bool(self._lines or self._held)

    def add(self, line: Line) -> Iterator[Item]:
        """A line that is neither blank nor comment nor heading."""
        item = own_puzzle(line, self._shapes, bool(self._lines))
        if item is None and not self._lines and self.last_line == line.number - 1:
            item = self._damaged_neighbour(line)
        if item is not None:
            yield from self.close(beside_a_line=True)
            self.last_line = line.number
            if isinstance(item, Puzzle):
                self.last_order = item.board.geometry.order
            yield item
            return
        rule = bool(line.words) and line.kind != "cells" and not self._as_wide_as_last(line)
        if rule and self._after_rule and self._last_cells is not None:
            yield from self._end(final=True)
        self._after_rule = rule
        if line.kind == "cells":
            self._last_cells = line
        self._lines.append(line)
        self._characters += len(line.given)
        if len(self._lines) >= LONGEST_BLOCK or self._characters > _LONGEST_BLOCK_IN_CHARACTERS:
            yield from self._make_room()

    def gap(self, blank: bool) -> Iterator[Item]:
        """A blank line or a comment: the end of a block, unless rows are missing and the next lines are just those."""
        if self._lines:
            yield from self._end(final=False)
            self._blank_gap = False
        self._blank_gap |= blank

    def close(self, beside_a_line: bool = False) -> Iterator[Item]:
        """The end of everything that waits."""
        if self.open:
            yield from self._end(final=True, beside_a_line=beside_a_line)

    def _end(self, final: bool, beside_a_line: bool = False) -> Iterator[Item]:
        lines, self._lines, self._characters = self._lines, [], 0
        self._last_cells, self._after_rule = None, False
        pieces, self._held = [*self._held, lines], []
        together = [line for piece in pieces for line in piece]
        order = likely_order(together, self._shapes) or 0
        counts = [len(rows_of(piece, order)) for piece in pieces] if order else [0]
        if self._may_be_one(pieces, counts, order):
            if sum(counts) == order:
                yield from settle(together, self._shapes)
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
        """Whether blocks of so many rows may be parts of one puzzle: parted by comments, or bands of boxes."""
        if 0 in counts or not 0 < sum(counts) <= order or (len(counts) == 1 and sum(counts) == order):
            return False
        if len(pieces) > 1 and self._blank_gap and set(counts) != {self._band(order)}:
            return False
        return all(line.kind != "cells" or line.fits(order, order) for piece in pieces for line in piece)

    def _band(self, order: int) -> int:
        """How many rows a band of boxes has; 0 if there are no such bands."""
        if not order or not self._shapes.usable(order):
            return 0
        box = self._shapes.geometry(order).box_shape
        return box[0] if box else 0

    def _make_room(self) -> Iterator[Item]:
        """Settles of a very long block as many lines as make whole boards; all of them if they do not."""
        order = likely_order(self._lines, self._shapes) or 0
        if order and len(self._lines) < 2 * order and self._characters <= _LONGEST_BLOCK_IN_CHARACTERS:
            return
        rows = rows_of(self._lines, order) if order else []
        whole = len(rows) // order * order if order else 0
        last = rows[whole - 1].number if whole else self._lines[-1].number
        now = [line for line in self._lines if line.number <= last]
        self._lines = [line for line in self._lines if line.number > last]
        self._characters = sum(len(line.given) for line in self._lines)
        yield from settle(now, self._shapes)

    def _as_wide_as_last(self, line: Line) -> bool:
        """Whether a line that may be decoration has the width of the block's last row, and so may be one, too."""
        last = self._last_cells
        return line.kind == "either" and last is not None and line.size == last.size

    def _damaged_neighbour(self, line: Line) -> Item | None:
        """The error for a line that follows a one-line puzzle at once and is none, nor looks like a row."""
        order = self._shapes.order or self.last_order
        if line.kind != "cells" or not order or line.fits(order, order):
            return None
        if self._shapes.order is None and (len(line.words) > 1 or self._may_be_line_or_row(line.size)):
            return None
        return misfit(line, order)

    def _may_be_line_or_row(self, size: int) -> bool:
        return isqrt(size) ** 2 == size and self._shapes.usable(isqrt(size))
