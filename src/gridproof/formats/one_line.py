"""A puzzle on a line with its shape and its rules, where that can be."""

from __future__ import annotations

from gridproof.errors import BoardError, GeometryError
from gridproof.formats.catalog import all_formats
from gridproof.formats.known.text import marks_line, to_line
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.reading import parse
from gridproof.formats.shapes import Shape, geometry_of
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry


def text_of(board: Board, shape: Shape | None = None) -> str:
    """Return a puzzle as text with its rules: a line where that can be, else TOML.

    shape: the one that whoever reads the text states beside it; ``None`` for that of the board. A board of another
    shape is written with its shape.

    Examples
    --------
    >>> board = Board.from_symbols(Geometry.classic(2), "1... .... .... ...2".replace(" ", ""))
    >>> text_of(board), text_of(board.with_rules("anti-knight"))
    ('1..............2', '.Shape~4x4.~R1C1_1~R4C4_2.AntiKnight')
    >>> text_of(Board.empty(Geometry.latin(2)), Geometry.standard)
    '.Shape~2x2.NoBoxes'
    >>> text_of(board.with_rules("nabner r1c1-r1c2")).splitlines()[-1]
    'lines = "r1c1 r1c2"'
    """
    try:
        if board.rules or not is_stated(board.geometry, shape):
            return string_of(board)
        if board.marks is not None:
            return marks_line(board)
        return to_line(board.clues, board.geometry)
    except BoardError:
        return as_toml(board)


def is_stated(geometry: Geometry, shape: Shape | None) -> bool:
    """Return whether a shape gives this geometry, so that the cells alone are enough."""
    if shape is None:
        return True
    try:
        return geometry_of(shape, geometry.symbol_count) == geometry
    except GeometryError:
        return False


def string_of(board: Board) -> str:
    """Return a puzzle as a string of the Interactive Sudoku Solver.

    Raises ``BoardError`` where this would not be read as the same kinds of rules, such as pairs for a line.
    """
    text = all_formats()["iss"].text_of(Puzzle(board)).rstrip("\n")
    if parse(text) != board:
        raise BoardError("a line would state its rules as others of the same meaning")
    return text


def as_toml(board: Board) -> str:
    """Return a puzzle as TOML."""
    return all_formats()["toml"].text_of(Puzzle(board)).rstrip("\n")
