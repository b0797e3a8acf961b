"""A stream of lines, cut into puzzles: what ends one, and which lines wait until it is settled."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from math import isqrt

from gridproof.arguments import checked
from gridproof.errors import PuzzleFormatError
from gridproof.formats.blocks import likely_order, rows_of, settle
from gridproof.formats.catalog import opened, puzzles, sniffed, whole_text
from gridproof.formats.notation import Line
from gridproof.formats.one_line import LONGEST_LINE, easy_puzzle, line_item, misfit, own_puzzle, too_long
from gridproof.formats.pasted import found_in, may_be_wrapped
from gridproof.formats.puzzle import Item, Puzzle, malformed
from gridproof.formats.shapes import Shape, Shapes, Zero
from gridproof.formats.sources import utf_16_of
from gridproof.formats.tables import Records, table_of
from gridproof.formats.toml_puzzle import begins_file, read_file
from gridproof.puzzle.geometry import Geometry

LONGEST_BLOCK = 4096
"""Lines without a blank line between them that are judged as one; of more the boards are read as they come."""

_LONGEST_BLOCK_IN_CHARACTERS = 16 * LONGEST_LINE
_LINE_END = re.compile(r"\r*\n|\r")
_JSON = re.compile(r'\s*\{\s*"[^"]*"\s*:(?!.*(?:\[|[,{]\s*$))')
"""How an object in JSON begins that does not go on over further lines, without an array, which might be a row."""

_HEADING = re.compile(r"\[?(puzzle|grid|board|sudoku|game|problem)\]?\s*[#:.]?\s*\d*\s*[:.]?|[^\W\d_].*:", re.I)


@checked
def read(
    source: Iterable[str | bytes] | str | bytes,
    shape: Shape = Geometry.standard,
    zero: Zero | None = None,
    *,
    despite_unread: bool = False,
    entries_as_clues: bool = False,
) -> Iterator[Item]:
    """Read each puzzle of a source, in order.

    Parameters
    ----------
    source
        The whole text, or lines, such as an open file. In binary mode bytes that are not UTF-8 damage only one puzzle.
    shape, zero
        As in ``parse``.
    despite_unread
        Whether to accept a puzzle of another program if something unread may be a rule. Otherwise its item is a
        ``NotUnderstoodError``.
    entries_as_clues
        Whether digits that are filled in but not given are clues.

    Yields
    ------
    Puzzle or PuzzleFormatError
        The error, which is not raised, describes what is wrong with a damaged puzzle.

    Examples
    --------
    >>> [type(item).__name__ for item in read(["1... ..2. .3.. ...4", "1...x..2.3.....4"])]
    ['Puzzle', 'PuzzleFormatError']
    """
    return read_as(source, Shapes(shape, zero, despite_unread=despite_unread, entries_as_clues=entries_as_clues))


def read_as(source: Iterable[str | bytes] | str | bytes, shapes: Shapes) -> Iterator[Item]:
    """The same; ``shapes`` is all that is asked for."""
    return _read(_numbered(source), shapes, in_table=False)


def read_plain(text: str, shapes: Shapes) -> Iterator[Item]:
    """Each puzzle of text that is a part of another format."""
    return _read(_numbered(text), shapes, in_table=True, others=False)


def only(text: str | bytes, shapes: Shapes, in_table: bool) -> Puzzle:
    """The one puzzle of a text. Raises ``PuzzleFormatError``. in_table: whether it is a field, and no file."""
    if isinstance(text, str) and (puzzle := easy_puzzle(text, 1, shapes)):
        return puzzle
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
        raise malformed("more than one puzzle", second.text, "one puzzle", second.line)
    return item


def read_field(shapes: Shapes, field: str) -> Item:
    """The puzzle in a field of a CSV file, or the error in its place."""
    try:
        return only(field, shapes, in_table=True)
    except PuzzleFormatError as error:
        return error.with_traceback(None)


def _numbered(source: Iterable[str | bytes] | str | bytes) -> Iterator[tuple[int, str]]:
    """The lines of a source, from 1, without their ends; bytes that are not UTF-8 as lone surrogates."""
    number = 0
    pieces = iter((source,) if isinstance(source, (str, bytes)) else source)
    first = next(pieces, b"")
    pieces = chain((first,), pieces)
    encoding = utf_16_of(first) if isinstance(first, bytes) else None
    for raw in _decoded(pieces, encoding) if encoding else pieces:
        text = raw.decode("utf-8", "surrogateescape") if isinstance(raw, bytes) else raw
        if not number:
            text = text.removeprefix("\ufeff")
        text = text.removesuffix("\n").rstrip("\r")
        # most texts are a line, and to look for an end in it is quicker than to split it
        for line in _LINE_END.split(text) if "\n" in text or "\r" in text else (text,):
            number += 1
            yield number, line


def _decoded(pieces: Iterable[str | bytes], encoding: str) -> Iterator[str]:
    """Lines of bytes that were cut as if they were not UTF-16, as lines."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    rest = ""
    for piece in pieces:
        *lines, rest = (rest + (decoder.decode(piece) if isinstance(piece, bytes) else piece)).split("\n")
        yield from lines
    if rest := rest + decoder.decode(b"", final=True):
        yield rest


def _read(lines: Iterator[tuple[int, str]], shapes: Shapes, in_table: bool, others: bool = True) -> Iterator[Item]:
    if not in_table:
        form, lines = opened(lines)
        if form is not None:
            yield from puzzles(form, whole_text(lines), shapes)
            return
    reader: Stream | Records = Stream(shapes, others)
    may_have_header = not in_table
    for number, text in lines:
        if may_have_header and (stripped := text.strip()) and not stripped.startswith("#"):
            may_have_header = False
            if begins_file(stripped):
                whole = whole_text(chain(((number, text),), lines))
                yield read_file(whole, shapes, lambda clues, wanted: only(clues, wanted, in_table=True))
                return
            if head := table_of(text):
                reader = Records(head, partial(read_field, shapes))
                continue
        yield from reader.take(number, text)
        if reader.ended:
            break
    yield from reader.close()


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
        self._last_line = -1
        self._last_order = 0

    @property
    def open(self) -> bool:
        """Whether lines wait for those that follow. If not, a line that is easy is a puzzle by itself."""
        return bool(self._lines or self._held)

    def _is_row_of_blanks(self, text: str) -> bool:
        """Whether white space is a row rather than a gap: fields of a table, or as many spaces as the last line has."""
        return text.count("\t") > 2 or bool(self._lines and text and len(text) == len(self._lines[-1].given))

    def _add(self, line: Line) -> Iterator[Item]:
        """A line that is neither blank nor comment nor heading."""
        item = own_puzzle(line, self._shapes, bool(self._lines))
        if item is None and _JSON.match(line.given):
            item = line.error(
                "JSON that cannot be read as a puzzle", "JSON of f-puzzles or SudokuPad, or the cells as text"
            )
        if item is None and not self._lines and self._last_line == line.number - 1:
            item = self._damaged_neighbour(line)
        if item is not None:
            yield from self.close(beside_a_line=True)
            self._last_line = line.number
            if isinstance(item, Puzzle):
                self._last_order = item.board.geometry.order
            yield item
            return
        last = self._last_cells
        may_be_row = line.kind == "either" and last is not None and line.size == last.size
        rule = bool(line.words) and line.kind != "cells" and not may_be_row
        if rule and self._after_rule and last is not None:
            yield from self._end(final=True)
        self._after_rule = rule
        if line.kind == "cells":
            self._last_cells = line
        self._lines.append(line)
        self._characters += len(line.given)
        if len(self._lines) >= LONGEST_BLOCK or self._characters > _LONGEST_BLOCK_IN_CHARACTERS:
            yield from self._make_room()

    def _gap(self, blank: bool) -> Iterator[Item]:
        """A blank line or a comment: the end of a block, unless rows are missing and the next lines are just those."""
        if self._lines:
            yield from self._end(final=False)
            self._blank_gap = False
        self._blank_gap |= blank

    def close(self, beside_a_line: bool = False) -> Iterator[Item]:
        """What all that waits settles: no line follows, or one that is no row. beside_a_line: as in ``settle``."""
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

    def _damaged_neighbour(self, line: Line) -> Item | None:
        """The error for a line that follows a one-line puzzle at once and is none, nor looks like a row."""
        order = self._shapes.order or self._last_order
        if line.kind != "cells" or not order or line.fits(order, order) or line.fields or line.places:
            return None
        root = isqrt(line.size)
        is_square = root * root == line.size and self._shapes.usable(root)
        if self._shapes.order is None and (len(line.words) > 1 or is_square):
            return None
        return misfit(line, order)


class Stream(_Blocks):
    """Takes lines one after the other and gives the puzzles, and the errors, that they settle.

    others: whether lines of other programs are read, too. ended: whether what follows is not to be read.
    """

    def __init__(self, shapes: Shapes, others: bool = True) -> None:
        super().__init__(shapes)
        self._others = others
        self.ended = False

    def passed(self, number: int, order: int) -> None:
        """The line of this number was not given, since it is easy, and nothing waited: a puzzle of this order."""
        self._last_line, self._last_order = number, order

    def take(self, number: int, text: str) -> Sequence[Item]:
        """What the line settles."""
        if not self.open and (puzzle := easy_puzzle(text, number, self._shapes)):
            self.passed(number, puzzle.board.geometry.order)
            return (puzzle,)
        return list(self._closer_look(number, text))

    def _closer_look(self, number: int, text: str) -> Iterator[Item]:
        stripped = text.strip() if len(text) <= LONGEST_LINE else text
        if (not stripped and not self._is_row_of_blanks(text)) or stripped[:1] == "#":
            yield from self._gap(blank=not stripped)
        elif len(stripped) == 3 and stripped.casefold() == "end":
            self.ended = True
        elif len(text) > LONGEST_LINE:
            yield from self.close()
            self._last_line = number
            yield too_long(number, text)
        elif len(stripped) <= 80 and _HEADING.fullmatch(stripped):
            yield from self.close()
        elif self._others and may_be_wrapped(text) and (wrapping := sniffed(text)) is not None:
            yield from self.close()
            yield from puzzles(wrapping, text, self._shapes, number)
        elif (found := found_in(text)) is None:
            yield from self._add(Line(number, text))
        elif isinstance(found, str):
            yield from self.close()
            yield line_item(Line(number, found), self._shapes.order or isqrt(len(found)), self._shapes)
        else:
            self.ended = text.lstrip().startswith('"')  # a key of JSON, which goes on over all lines that follow
            yield from (item for item in self.close() if not self.ended or isinstance(item, Puzzle))
            yield malformed(found[0], text, found[1], number)
