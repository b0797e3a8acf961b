"""Puzzles of any text, as they come (``read_source``), and one puzzle (``parse``, ``read_puzzle``)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

from gridproof.errors import InputError, PuzzleFormatError
from gridproof.formats.blocks import BlockReader
from gridproof.formats.catalog import (
    NumberedLine,
    all_formats,
    choose_format,
    read_in_format,
    up_to_content,
    whole_text,
)
from gridproof.formats.digit_cells import CellReader
from gridproof.formats.lines import easy_puzzle
from gridproof.formats.options import NO_READINGS, DrawnOptions, Readings
from gridproof.formats.options import ReadOptions as ReadOptions
from gridproof.formats.places import Place
from gridproof.formats.puzzle import Item, Puzzle
from gridproof.formats.shapes import Shape, Shapes, Zero
from gridproof.formats.sources import exists, lines_of, utf_16_of
from gridproof.formats.tables import RecordReader, no_such_column, table_of
from gridproof.formats.values import board_of_values
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

if TYPE_CHECKING:
    import numpy.typing as npt

    from gridproof.rules.rule_text import AnyRule

_FILE_NAME = re.compile(r".*\w\.(toml|txt|text|csv|tsv|jsonl?|sdk|sdm|sudoku|xml|parquet|gz|bz2|xz|zst)", re.IGNORECASE)
"""Text that is hardly meant as a puzzle: it ends as the names of files of puzzles do."""

_LINE_END = re.compile(r"\r*\n|\r")

Source: TypeAlias = "Iterable[str | bytes] | str | bytes | Path"
"""The path of a file, a text, or lines as they come; lines are not read before they are needed."""

PuzzleLike: TypeAlias = "Board | Puzzle | str | bytes | Path | Sequence[object] | npt.NDArray[Any]"
"""One puzzle: a board, a record, a text in any notation, the path of a file, or its cells in a list or an array."""


# ---- what users call -----------------------------------------------------------------------------------------------


def parse(
    puzzle: PuzzleLike,
    shape: Shape = Geometry.standard,
    zero: Zero | None = None,
    *,
    rules: Iterable[AnyRule] | AnyRule = (),
    entries_as_clues: bool = False,
    despite_unread: bool = False,
    readings: Readings = NO_READINGS,
    ignored: Collection[str] = (),
    words_read: bool = False,
) -> Board:
    """Read the board of one puzzle: a text in any notation, a link, a file, or cells in a list or an array.

    Parameters
    ----------
    puzzle
        A text; the path of a file, as a ``Path``; or n*n cells, flat or as n rows of n, where 0, ``None``, NaN, ``''``
        and ``. 0 * _ -`` are blank. A ``Board`` is returned unchanged, and a ``Puzzle`` gives its board.
    shape
        The geometry, or a function from an order to one; without it, the usual boxes.
    zero
        The meaning of ``0``, ``"blank"`` or ``"symbol"``, if the text of the puzzle leaves it open.
    rules
        Further rules for the board, such as ``"killer 15 r1c1 r1c2 r2c1"``; see ``gridproof.rules``.
    entries_as_clues
        Whether digits that are filled in but not given are clues.
    despite_unread
        Whether to accept a puzzle of another program if something unread may be a rule.
    readings, ignored, words_read
        What is known of the drawings and words of a link; see ``read_puzzle``.

    Returns
    -------
    Board

    Raises
    ------
    NotUnderstoodError
        If something unread may be a rule; see ``read_puzzle``.
    PuzzleFormatError
        If it is not a puzzle, or more than one, or could be read as two different puzzles.
    InputError
        If a rule cannot be read.

    Examples
    --------
    >>> import gridproof
    >>> board = gridproof.parse("1....6..2......1....5......3..6....2")
    >>> board.geometry.description
    '6x6, 2x3 boxes'
    >>> gridproof.parse([[0, 0, 0, 4], [0] * 4, [2, 0, 0, 0], [0] * 4]).clues
    (0, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0)
    >>> gridproof.parse("1..0 ..3. .2.. 0..1", zero="symbol").clues
    (2, 0, 0, 1, 0, 0, 4, 0, 0, 3, 0, 0, 1, 0, 0, 2)
    """
    options = Shapes(shape, zero, entries_as_clues=entries_as_clues, despite_unread=True)
    drawn = DrawnOptions(readings, ignored, words_read)
    return _read_puzzle(puzzle, options, rules, despite_unread, drawn).board


def read_puzzle(
    puzzle: PuzzleLike,
    shape: Shape = Geometry.standard,
    zero: Zero | None = None,
    *,
    rules: Iterable[AnyRule] | AnyRule = (),
    entries_as_clues: bool = False,
    despite_unread: bool = True,
    readings: Readings = NO_READINGS,
    ignored: Collection[str] = (),
    words_read: bool = False,
) -> Puzzle:
    """Read everything that a text, a link or a file holds about one puzzle, and list what was not understood.

    Parameters
    ----------
    puzzle, shape, zero, rules
        As in ``parse``. A link of f-puzzles or SudokuPad, its payload or its JSON states its shape, to which
        ``shape`` may add further houses. No link is opened.
    entries_as_clues
        Whether digits that are filled in but not given are clues.
    despite_unread
        Whether to return a puzzle of which something unread may be a rule. Otherwise it is a ``NotUnderstoodError``.
    readings
        The kinds of rules that drawings are, by the letter of their group; ``gridproof.formats.drawn.groups_of`` lists
        the groups. ``"suggested"`` stands for what the words suggest.
    ignored
        The letters of groups that are no rules, and the keys of other unread parts that are none.
    words_read
        Whether the rules in words were read, and add nothing.

    Returns
    -------
    Puzzle
        The board with title, author, prose, stored solution, and ``unread``.

    Raises
    ------
    PuzzleFormatError
        As in ``parse``; but what is not understood is listed on the puzzle.

    Examples
    --------
    >>> import gridproof
    >>> puzzle = gridproof.read_puzzle(
    ...     '{"title": "Tiny", "grid": [[{}, {}], [{}, {}]], "odd": [{"cell": "R1C1"}],'
    ...     ' "line": [{"lines": [["R1C1", "R2C2"]]}]}'
    ... )
    >>> puzzle.title, [rule.sentence(puzzle.board.geometry) for rule in puzzle.board.rules]
    ('Tiny', ['r1c1 holds an odd digit'])
    >>> print(puzzle.not_understood[0])
    line 1 of 1: drawn along r1c1 r2c2
    >>> print(gridproof.verify(puzzle).status)
    at most one
    >>> print(gridproof.verify(puzzle, despite_unread=True))
    unique; despite what is unread: line 1 of 1: drawn along r1c1 r2c2; reference: agrees
    """
    options = Shapes(shape, zero, entries_as_clues=entries_as_clues, despite_unread=True)
    drawn = DrawnOptions(readings, ignored, words_read)
    return _read_puzzle(puzzle, options, rules, despite_unread, drawn)


def read_named(puzzle: PuzzleLike, **reading: Unpack[ReadOptions]) -> Puzzle:
    """Read a puzzle that is told in its own symbols: as ``parse`` does, with a board that writes these.

    Examples
    --------
    >>> read_named("A..............C").board.geometry.symbol_text(3)
    'C'
    """
    reading.setdefault("despite_unread", False)
    return read_puzzle(puzzle, **reading).with_named_symbols()


def _read_puzzle(
    given: PuzzleLike,
    shapes: Shapes,
    rules: Iterable[AnyRule] | AnyRule,
    despite_unread: bool,
    drawn: DrawnOptions,
) -> Puzzle:
    """Return one puzzle. shapes: the options, with which a puzzle is taken whatever is unread of it."""
    if isinstance(given, (str, bytes, Path)):
        item = read_one(given, shapes)
    elif isinstance(given, Puzzle):
        item = given
        if shapes.entries_as_clues:
            item = given.with_filled_as_clues()
    elif isinstance(given, Board):
        item = Puzzle(given)
    else:
        item = Puzzle(board_of_values(given, shapes.shape, shapes.zero))
    if isinstance(item, PuzzleFormatError):
        raise add_hint(item, given) if isinstance(given, str) else item
    if drawn.is_given:
        item = drawn.apply(item)
    puzzle = item.understood(despite_unread)
    if isinstance(rules, tuple) and not rules:
        return puzzle
    return replace(puzzle, board=puzzle.board.with_rules(rules))


def add_hint(error: PuzzleFormatError, text: str) -> PuzzleFormatError:
    """Return the error for a text that is no puzzle, with a hint if the text may be meant as the path of a file."""
    if exists(text):
        hint = f"; gridproof.read(Path({text!r})) reads the file of this name"
    elif _FILE_NAME.fullmatch(text.strip()):
        hint = f"; is that a path? There is no file of this name, and Path({text!r}) would be read"
    else:
        return error
    expected = error.expected + hint
    return PuzzleFormatError(error.problem, text=error.text, expected=expected, line=error.line, column=error.column)


# ---- readers of parts ------------------------------------------------------------------------------------------------


def read_source(source: Source, shapes: Shapes) -> Iterator[Item]:
    """Read each puzzle of a source. shapes: the options."""
    if not isinstance(source, Path):
        yield from _read_lines(_number_lines(source, shapes.place.line), shapes)
        return
    damage: list[PuzzleFormatError] = []
    shapes = replace(shapes, folder=source.parent, place=Place(str(source)))
    yield from _read_lines(_number_lines(lines_of(source, damage.append)), shapes)
    yield from damage  # which is known when all before it is given


def read_plain(text: str, shapes: Shapes) -> Iterator[Item]:
    """Read each puzzle of text that is a part of another format; it begins at the place that the shapes state."""
    return _read_stream(_number_lines(text, shapes.place.line), make_reader(shapes, foreign=False))


def read_one(text: str | bytes | Path, shapes: Shapes, in_table: bool = False) -> Item:
    """Read the one puzzle of a text or a file, or return the error in its place. in_table: whether it is a field."""
    puzzle = None
    if isinstance(text, str):
        puzzle = easy_puzzle(text, shapes.place.line, shapes)
    if puzzle is not None:
        return puzzle
    items = read_items(text, shapes, in_table)
    item = next(items, None)
    if item is None:
        if isinstance(text, bytes):
            given = text.decode("utf-8", "backslashreplace")
        else:
            given = str(text)
        return shapes.place.error("no puzzle", given, "one puzzle")
    if isinstance(item, PuzzleFormatError):
        return item
    second = next(items, None)
    if isinstance(second, Puzzle):
        return shapes.place.error("more than one puzzle", second.text, "one puzzle", second.line)
    return second or item


def read_items(text: str | bytes | Path, shapes: Shapes, in_table: bool = False) -> Iterator[Item]:
    """Read each puzzle of a text that should hold one. in_table: whether it is a field."""
    if isinstance(text, Path):
        return read_source(text, shapes)
    if isinstance(text, str) and "\n" in text.strip():
        for form in all_formats().values():
            if form.joined is not None and form.joined(text):
                return read_in_format(form, text, shapes)
    lines = _number_lines(text, shapes.place.line)
    if in_table:
        return _read_stream(lines, make_reader(shapes))
    return _read_lines(lines, shapes)


def _read_lines(lines: Iterator[NumberedLine], shapes: Shapes) -> Iterator[Item]:
    """Read lines as one text of another program, as records of a table, or as a stream of blocks."""
    form, lines = choose_format(lines)
    if form is not None:
        yield from read_in_format(form, whole_text(lines), shapes)
        return
    before = up_to_content(lines)
    table = None
    if before:
        first = before[-1][1]
        table = table_of(first, shapes.column)
        if table is None and shapes.column is not None and not first.lstrip().startswith("{"):
            raise no_such_column(shapes.column, first.split(","), shapes.place.source or "the text")
    if table is not None:
        yield from _read_stream(lines, RecordReader(table, shapes, partial(read_one, in_table=True)))
    else:
        yield from _read_stream(chain(before, lines), make_reader(shapes))


def make_reader(shapes: Shapes, foreign: bool = True) -> BlockReader | CellReader:
    """Return the reader of lines; foreign: whether those of other programs are read, too."""
    if shapes.of_cells is not None:
        return CellReader(shapes, shapes.of_cells)
    return BlockReader(shapes, foreign)


def _read_stream(lines: Iterator[NumberedLine], reader: BlockReader | CellReader | RecordReader) -> Iterator[Item]:
    for number, text in lines:
        yield from reader.take(number, text)
        if reader.ended:
            break
    yield from reader.close()


def _number_lines(source: Iterable[str | bytes] | str | bytes, first: int = 1) -> Iterator[NumberedLine]:
    """Yield the lines of a source without their ends; bytes that are not UTF-8 as lone surrogates.

    first: the number of the first line.
    """
    number = first
    pieces: Iterator[str | bytes] = iter([source]) if isinstance(source, (str, bytes)) else iter(source)
    beginning = next(pieces, b"")
    encoding = None
    if isinstance(beginning, bytes):
        encoding = utf_16_of(beginning)
    pieces = chain([beginning], pieces)
    if encoding:  # of which bytes are cut elsewhere than characters
        data = b"".join([piece for piece in pieces if isinstance(piece, bytes)])
        pieces = iter([data.decode(encoding, "replace")])
    for piece in pieces:
        text = piece
        if isinstance(piece, bytes):
            text = piece.decode("utf-8", "surrogateescape")
        if not isinstance(text, str):
            raise InputError(f"read: a line is {text!r:.60}; expected a text or bytes")
        if number == first:
            text = text.removeprefix("\ufeff")
        text = text.removesuffix("\n").rstrip("\r")
        # most texts are a line, and to look for an end in it is quicker than to split it
        if "\r" in text:
            lines = _LINE_END.split(text)
        elif "\n" in text:
            lines = text.split("\n")
        else:
            yield number, text
            number += 1
            continue
        for line in lines:
            yield number, line
            number += 1
