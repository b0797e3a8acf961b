"""One puzzle: its board, or its whole record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from gridproof.arguments import checked
from gridproof.errors import PuzzleFormatError
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.reading import only
from gridproof.formats.shapes import Shape, Shapes, Zero
from gridproof.formats.sources import exists
from gridproof.formats.values import PuzzleLike, from_values
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

if TYPE_CHECKING:
    from gridproof.rules.statement import AnyRule


class Reading(TypedDict, total=False):
    """The options of every function that reads a puzzle; see ``parse``."""

    shape: Shape
    zero: Zero | None
    rules: Iterable[AnyRule] | AnyRule
    entries_as_clues: bool
    despite_unread: bool


@checked
def parse(
    puzzle: PuzzleLike,
    shape: Shape = Geometry.standard,
    zero: Zero | None = None,
    *,
    rules: Iterable[AnyRule] | AnyRule = (),
    entries_as_clues: bool = False,
    despite_unread: bool = False,
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
    return read_puzzle(
        puzzle, shape, zero, rules=rules, entries_as_clues=entries_as_clues, despite_unread=despite_unread
    ).board


@checked
def read_puzzle(
    puzzle: PuzzleLike,
    shape: Shape = Geometry.standard,
    zero: Zero | None = None,
    *,
    rules: Iterable[AnyRule] | AnyRule = (),
    entries_as_clues: bool = False,
    despite_unread: bool = True,
) -> Puzzle:
    """Read everything that a text, a link or a file says about one puzzle, and list what was not understood.

    Parameters
    ----------
    puzzle, shape, zero, rules
        As in ``parse``. A link of f-puzzles or SudokuPad, its payload or its JSON states its shape, to which
        ``shape`` may add further houses. No link is opened.
    entries_as_clues
        Whether digits that are filled in but not given are clues.
    despite_unread
        Whether to return a puzzle of which something unread may be a rule. Otherwise it is a ``NotUnderstoodError``.

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
    >>> gridproof.verify(puzzle)
    Traceback (most recent call last):
        ...
    gridproof.errors.NotUnderstoodError: not understood: line 1 of 1: drawn along r1c1 r2c2
    >>> print(gridproof.verify(puzzle, despite_unread=True))
    unique; despite what is unread: line 1 of 1: drawn along r1c1 r2c2; reference: agrees
    """
    if isinstance(puzzle, Puzzle):
        found = puzzle.with_filled_as_clues() if entries_as_clues else puzzle
    elif isinstance(puzzle, (str, bytes, Path)):
        shapes = Shapes(shape, zero, despite_unread=True, entries_as_clues=entries_as_clues)
        try:
            found = only(puzzle, shapes, in_table=False)
        except PuzzleFormatError as problem:
            if isinstance(puzzle, str) and exists(puzzle):
                problem.expected += f"; gridproof.read(Path({puzzle!r})) reads the file of this name"
            raise
    else:
        found = Puzzle(puzzle if isinstance(puzzle, Board) else from_values(puzzle, shape, zero))
    found = found.understood(despite_unread)
    no_rules = isinstance(rules, tuple) and not rules
    return found if no_rules else replace(found, board=found.board.with_rules(rules))
