"""Puzzles of any source, as they come: ``read`` of the package. A Parquet file is one, beside text of any format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from gridproof.errors import InputError
from gridproof.formats.parquet import is_parquet, read_parquet
from gridproof.formats.puzzle import Item
from gridproof.formats.reading import Source, read_source
from gridproof.formats.shapes import Shape, Shapes, Zero
from gridproof.puzzle.geometry import Geometry


def read(
    source: Source,
    shape: Shape = Geometry.standard,
    zero: Zero | None = None,
    *,
    despite_unread: bool = False,
    entries_as_clues: bool = False,
    column: str | None = None,
) -> Iterator[Item]:
    """Read each puzzle of a source, in order.

    Parameters
    ----------
    source
        The path of a file, as a ``Path``, which may be a Parquet file, too; the whole text; or lines, such as an open
        file. In binary mode bytes that are not UTF-8 damage only one puzzle.
    shape, zero
        As in ``parse``.
    despite_unread
        Whether to accept a puzzle of another program if something unread may be a rule. Otherwise its item is a
        ``NotUnderstoodError``.
    entries_as_clues
        Whether digits that are filled in but not given are clues.
    column
        The name of the column of puzzles in a table or in JSON lines, if it is none of the usual, such as ``puzzle``.

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
    given = Shapes(shape, zero, despite_unread=despite_unread, entries_as_clues=entries_as_clues, column=column)
    return read_any(source, given)


def read_any(source: Source, shapes: Shapes) -> Iterator[Item]:
    """Read each puzzle of a source. shapes: the options."""
    if isinstance(source, Path) and is_parquet(source):
        return read_parquet(source, shapes)
    return read_source(source, shapes)
