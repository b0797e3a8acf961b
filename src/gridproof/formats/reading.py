"""Puzzles of any source: a stream of lines is cut into puzzles, each line taken as soon as it is clear what it is."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from gridproof.arguments import checked
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.formats.catalog import opened, puzzles, whole_text
from gridproof.formats.lines import easy_puzzle
from gridproof.formats.puzzle import Item, Puzzle, malformed
from gridproof.formats.shapes import Shape, Shapes, Zero
from gridproof.formats.sources import lines_of, utf_16_of
from gridproof.formats.stream import Stream
from gridproof.formats.tables import Records, table_of
from gridproof.puzzle.geometry import Geometry

_LINE_END = re.compile(r"\r*\n|\r")

Source: TypeAlias = "Iterable[str | bytes] | str | bytes | Path"
"""The path of a file, a text, or lines as they come; lines are not read before they are needed."""


# ---- what users call -----------------------------------------------------------------------------------------------


@checked
def read(
    source: Source,
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
        The path of a file, as a ``Path``; the whole text; or lines, such as an open file. In binary mode bytes that are
        not UTF-8 damage only one puzzle.
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

    Raises
    ------
    InputError, OSError
        If a file cannot be read at all.

    Examples
    --------
    >>> [type(item).__name__ for item in read(["1... ..2. .3.. ...4", "1...x..2.3.....4"])]
    ['Puzzle', 'PuzzleFormatError']
    """
    if not isinstance(source, (Iterable, Path)) or getattr(source, "shape", None) == ():
        raise InputError(f"read: source is {source!r:.60}; expected a text, lines, or the path of a file")
    return read_as(source, Shapes(shape, zero, despite_unread=despite_unread, entries_as_clues=entries_as_clues))


# ---- readers of parts ----------------------------------------------------------------------------------------------


def read_as(source: Source, shapes: Shapes) -> Iterator[Item]:
    """Read each puzzle of a source. ``shapes`` is all that is asked for."""
    if not isinstance(source, Path):
        yield from _read(_numbered(source), shapes, in_table=False)
        return
    damage: list[PuzzleFormatError] = []
    items = _read(_numbered(lines_of(source, damage.append)), shapes, in_table=False)
    for item in chain(items, damage):  # the damage is known when all before it is given
        if isinstance(item, PuzzleFormatError):
            item.source = str(source)
        yield item if isinstance(item, PuzzleFormatError) else replace(item, source=str(source))


def read_plain(text: str, shapes: Shapes) -> Iterator[Item]:
    """Read each puzzle of text that is a part of another format."""
    return _read(_numbered(text), shapes, in_table=True, foreign=False)


def only(text: str | bytes | Path, shapes: Shapes, in_table: bool) -> Puzzle:
    """Read the one puzzle of a text or a file. Raises ``PuzzleFormatError``. in_table: whether it is a field."""
    if isinstance(text, str) and (puzzle := easy_puzzle(text, 1, shapes)):
        return puzzle
    items = read_as(text, shapes) if isinstance(text, Path) else _read(_numbered(text), shapes, in_table)
    item = next(items, None)
    if item is None:
        given = text.decode("utf-8", "backslashreplace") if isinstance(text, bytes) else str(text)
        raise PuzzleFormatError("no puzzle", text=given, expected="one puzzle", line=1, column=1)
    if isinstance(item, PuzzleFormatError):
        raise item
    if second := next(items, None):
        if isinstance(second, PuzzleFormatError):
            raise second
        raise malformed("more than one puzzle", second.text, "one puzzle", second.line)
    return item


def read_field(shapes: Shapes, field: str) -> Item:
    """Read the puzzle in a field of a CSV file, or return the error in its place."""
    try:
        return only(field, shapes, in_table=True)
    except PuzzleFormatError as error:
        return error.with_traceback(None)


def _numbered(source: Iterable[str | bytes] | str | bytes) -> Iterator[tuple[int, str]]:
    """Yield the lines of a source, from 1, without their ends; bytes that are not UTF-8 as lone surrogates."""
    number = 0
    pieces = iter((source,) if isinstance(source, (str, bytes)) else source)
    first = next(pieces, b"")
    pieces = chain((first,), pieces)
    encoding = utf_16_of(first) if isinstance(first, bytes) else None
    for raw in _decoded(pieces, encoding) if encoding else pieces:
        text = raw.decode("utf-8", "surrogateescape") if isinstance(raw, bytes) else raw
        if not isinstance(text, str):
            raise InputError(f"read: a line is {text!r:.60}; expected a text or bytes")
        if not number:
            text = text.removeprefix("\ufeff")
        text = text.removesuffix("\n").rstrip("\r")
        # most texts are a line, and to look for an end in it is quicker than to split it
        for line in _LINE_END.split(text) if "\n" in text or "\r" in text else (text,):
            number += 1
            yield number, line


def _decoded(pieces: Iterable[str | bytes], encoding: str) -> Iterator[str]:
    """Yield the lines of bytes that were cut as if they were not UTF-16."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    rest = ""
    for piece in pieces:
        *lines, rest = (rest + (decoder.decode(piece) if isinstance(piece, bytes) else piece)).split("\n")
        yield from lines
    if rest := rest + decoder.decode(b"", final=True):
        yield rest


def _read(lines: Iterator[tuple[int, str]], shapes: Shapes, in_table: bool, foreign: bool = True) -> Iterator[Item]:
    if not in_table:
        form, lines = opened(lines)
        if form is not None:
            yield from puzzles(form, whole_text(lines), shapes)
            return
    reader: Stream | Records = Stream(shapes, foreign)
    may_have_header = not in_table
    for number, text in lines:
        if may_have_header and (stripped := text.strip()) and not stripped.startswith("#"):
            may_have_header = False
            if head := table_of(text):
                reader = Records(head, partial(read_field, shapes))
                continue
        yield from reader.take(number, text)
        if reader.ended:
            break
    yield from reader.close()
