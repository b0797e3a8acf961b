"""Puzzles written to a file from Python, in any form that the commands write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gridproof.errors import PuzzleFormatError
from gridproof.expect import expect, expect_flag, list_of, texts_of
from gridproof.formats import read_puzzle
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import Shape
from gridproof.output.columns import Made
from gridproof.output.sets import check_shares
from gridproof.output.way_out import LINES, WayOut, Wishes
from gridproof.puzzle.geometry import Geometry

OWN = {"puzzle": "string", "solution": "string", "title": "string", "author": "string"}
"""The columns of a table of puzzles of which nothing else is stated, and their types."""


def write(
    puzzles: Iterable[Any],
    path: str | Path,
    to: str | None = None,
    *,
    columns: Sequence[str] | None = None,
    keep: Sequence[str] = (),
    split: Sequence[float] = (),
    rate: bool = False,
    steps: bool = False,
    symbols: Sequence[str] = (),
    shape: Shape = Geometry.standard,
) -> dict[Path, int]:
    """Write puzzles to a file, or to several sets of which no puzzle is equal to one of another up to symmetry.

    Parameters
    ----------
    puzzles
        Boards, puzzles, texts of such, or what has a board and perhaps a solution, such as an ``Image``.
    path
        The file, which is replaced if it is there.
    to
        The name of the format, or ``parquet``; by default the ending of the path states it.
    columns
        The columns of a table, in order.
    keep
        The columns that the puzzles have brought from a table and that are kept; ``["all"]`` for all of them.
    split
        The shares of sets, such as ``(90, 10)``: the files get numbers.
    rate
        Whether a table has the grade of each puzzle, and the figures that it is made of.
    steps
        Whether a table has the path to each solution, with its stories.
    symbols
        The names of the symbols, such as ``"ABCD"``, that JSON lines and puzzle files state; by default each puzzle's.
    shape
        The shape that a reader of a table states beside it; puzzles of another one are written with theirs.

    Returns
    -------
    dict of Path to int
        The files, and the number of puzzles in each.

    Raises
    ------
    InputError
        For what is no puzzle, a column that there is not, or options that do not go together.
    BoardError
        If the format cannot express a puzzle; then nothing is written.

    Examples
    --------
    >>> import gridproof, tempfile
    >>> board = gridproof.parse("1... ..2. .3.. ...4", rules=["anti-king"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "puzzles.jsonl")
    ...     written = gridproof.write([board], path)
    ...     [puzzle] = gridproof.read(path)
    >>> puzzle.board == board, list(written.values())
    (True, [1])
    """
    expect(path, (str, Path), "path", "the path of a file")
    expect_flag(rate, "rate")
    expect_flag(steps, "steps")
    if split:
        check_shares(split)
    wishes = Wishes(
        to=to,
        path=Path(path),
        columns=None if columns is None else list_of(columns, str, "columns", "names of columns"),
        keep=list_of(keep, str, "keep", "names of columns"),
        split=split,
        rated=rate,
        with_steps=steps,
    )
    names = texts_of(symbols, "symbols", "the names of the symbols")
    with WayOut(wishes, OWN, usual=LINES, shape=shape) as way_out:
        for puzzle in puzzles:
            made = make(puzzle)
            if names:
                made.board.geometry.with_symbol_texts(names)  # which refuses names that the board cannot have
                made = replace(made, source=replace(made.puzzle, names=names))
            way_out.add(made)
    return way_out.sizes


def make(item: Any) -> Made:
    """Return anything with a board, or whatever is read as one, on its way out."""
    if isinstance(item, PuzzleFormatError):
        raise item
    if isinstance(item, Made):
        return item
    board = getattr(item, "board", None)
    if board is None or isinstance(item, Puzzle):
        return Made(read_puzzle(item))
    solution = getattr(item, "solution", None)
    return Made(Puzzle(board, None if solution is None else tuple(solution)))
