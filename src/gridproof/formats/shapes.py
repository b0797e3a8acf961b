"""The shape of boards in options of a command and in puzzle files, and the requested shape."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from gridproof.errors import GeometryError, InputError
from gridproof.expect import expect, expect_flag
from gridproof.formats.places import START, Place
from gridproof.formats.puzzle import Item, Puzzle, make_readable
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import diagonals
from gridproof.text import describe_value


def read_boxes(text: str, named: str) -> Geometry:
    """Return the geometry with boxes of a size such as ``2x3``. named: the name of the text in an ``InputError``."""
    match = re.fullmatch(r"(\d{1,3})[xX](\d{1,3})", text)
    if not match:
        raise InputError(f"{named} {text!r}; expected rows x columns of a box, such as 2x3")
    return Geometry.classic(int(match[1]), int(match[2]))


def read_regions(text: str) -> Geometry:
    """Return the jigsaw of a text; lines that begin with # are comments, unless # is a label.

    Raises ``GeometryError``.
    """
    try:
        return Geometry.jigsaw(text)
    except GeometryError:
        return Geometry.jigsaw("\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#")))


def read_size(text: str, named: str) -> tuple[int, int]:
    """Return the rows and columns of a size such as ``6x8``. named: the name of the text in an ``InputError``."""
    match = re.fullmatch(r"(\d{1,3})[xX](\d{1,3})", text)
    if not match:
        raise InputError(f"{named} {text!r}; expected rows x columns, such as 6x8")
    return int(match[1]), int(match[2])


def with_size_and_digits(shape: Shape, size: tuple[int, int] | None, digits: Digits | None) -> Shape:
    """Return a shape of so many rows and columns and with these digits, where they are stated.

    A square board without stated boxes has the usual ones, an oblong board has none.
    """
    if size is None and digits is None:
        return shape
    if isinstance(shape, Digits):
        raise InputError(f"digits {shape} and {digits or size}; expected the shape in one place")
    if isinstance(shape, Geometry):
        stated = shape
    elif size is None:
        stated = shape(0 if digits is None else len(digits))
    elif size[0] == size[1]:
        stated = shape(size[0])
    else:
        return Geometry.oblong(*size, digits)
    if size in (None, stated.shape):
        return stated if digits is None else stated.with_digits(digits)
    assert size is not None
    if stated.regions is not None:
        raise InputError(f"a jigsaw of {stated.description} on a board of {size[0]}x{size[1]}; expected one size")
    if digits is None and stated.box_shape is not None:
        digits = Digits(1, max(*size, stated.box_shape[0] * stated.box_shape[1]))
    return Geometry.oblong(*size, digits, stated.box_shape)


def add_families(geometry: Geometry, *, diagonal: bool, windoku: bool, disjoint: bool) -> Geometry:
    """Return the geometry with these families of further houses.

    Raises ``GeometryError`` where a board has none such.
    """
    if diagonal:
        geometry = geometry.with_diagonals()
    if windoku:
        geometry = geometry.with_windoku()
    return geometry.with_disjoint_groups() if disjoint else geometry


def with_diagonals(geometry: Geometry, *, rising: bool, falling: bool) -> Geometry:
    """Return the geometry with one diagonal, both, or none."""
    if rising and falling:
        return geometry.with_diagonals()
    if rising or falling:
        if geometry.rows != geometry.columns:
            raise GeometryError(f"a diagonal on a board of {geometry.description}; expected a square board")
        return geometry.with_houses([diagonals(geometry.rows)[rising]], "diagonal")
    return geometry


def usual_geometry(order: int) -> Geometry | None:
    """Return the geometry that is meant where no shape is stated; ``None`` for an order without usual boxes."""
    try:
        return Geometry.standard(order)
    except GeometryError:
        return None


# ---- the requested shape ---

Zero: TypeAlias = Literal["blank", "symbol"]
"""The meaning of ``0``: a blank, or the first of the symbols, which are 0-8 on a 9x9 then."""

Shape: TypeAlias = Geometry | Digits | Callable[[int], Geometry]
"""The geometry to expect, or a function from an order to one (which raises ``GeometryError`` where there is none).

Digits alone leave cells and houses to puzzles that state theirs, such as links; other text is then read as the usual
board of as many cells in a row as there are digits."""


def geometry_of(shape: Shape, order: int) -> Geometry:
    """Return the geometry of a shape, for boards of an order where the shape leaves it open.

    Raises ``GeometryError`` where there is none.
    """
    if isinstance(shape, Geometry):
        return shape
    if isinstance(shape, Digits):
        return Geometry.standard(len(shape)).with_digits(shape)
    return shape(order)


@dataclass(eq=False)
class Shapes:
    """The geometry of each order, made once; ``order`` is the only one that is expected, if there is one.

    zero: what the zeros of all puzzles are, if stated. Raises ``InputError`` if it is neither. despite_unread: whether
    puzzles are taken of which something unread may be a rule. entries_as_clues: whether digits filled in are clues.
    folder: that of a puzzle file which the caller opened; the file may name kinds of rules that lie beside it. place:
    where the text begins that is read.

    column: the name of the column of puzzles in a table, if it is none of the usual. digits: those that are stated
    without cells and houses.
    """

    shape: Shape
    zero: Zero | None = None
    _: KW_ONLY
    despite_unread: bool = False
    entries_as_clues: bool = False
    folder: Path | None = None
    place: Place = START
    column: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.zero, str | None) or self.zero not in (None, "blank", "symbol"):
            raise InputError(f"zero is {describe_value(self.zero)}; expected one of blank, symbol or None")
        if not isinstance(self.shape, (Geometry, Digits)) and not callable(self.shape):
            raise InputError(f"shape={self.shape!r}; expected a Geometry, Digits, or a function from an order to one")
        expect_flag(self.despite_unread, "despite_unread")
        expect_flag(self.entries_as_clues, "entries_as_clues")
        if self.column is not None:
            expect(self.column, str, "column", "the name of a column")
        self.digits: Digits | None = None
        self.fixed: Geometry | None = None
        self.order: int | None = None
        if isinstance(self.shape, Geometry):
            self.fixed = self.shape
        elif isinstance(self.shape, Digits):
            self.digits = self.shape
            with suppress(GeometryError):  # a puzzle with a shape of its own may have these digits
                self.fixed = geometry_of(self.shape, len(self.shape))
        if self.fixed is not None and self.fixed.is_plain:
            self.order = self.fixed.order
        self._known: dict[int, Geometry] = {}

    def geometry(self, order: int) -> Geometry:
        """Return the geometry of an order. Raises ``GeometryError``."""
        if order not in self._known:
            made = geometry_of(self.shape, order)
            if not isinstance(made, Geometry):
                raise InputError(f"the shape of order {order} is {made!r}; expected a Geometry")
            if not made.is_plain or made.order != order:
                raise GeometryError(f"order {order}; expected {made.description}")
            self._known[order] = made
        return self._known[order]

    @property
    def of_cells(self) -> Geometry | None:
        """The one geometry, if its cells are read by its own digits: by other digits than 1 to the order."""
        if self.fixed is not None and not self.fixed.is_plain:
            return self.fixed
        return None

    def usable(self, order: int) -> bool:
        """Return whether boards of this order can be read."""
        try:
            self.geometry(order)
        except GeometryError:
            return False
        return True

    def at(self, place: Place) -> Shapes:
        """Return the same request for a text that begins at another place; it shares the geometries that are known."""
        request = copy(self)
        request.place = place
        return request

    def of_field(self) -> Shapes:
        """Return the same request for the text of a field, which is no table with columns."""
        if self.column is None:
            return self
        request = copy(self)
        request.column = None
        return request

    def wanted(self, order: int) -> Geometry | None:
        """Return the geometry requested for boards of an order; ``None`` if there is none."""
        return self.geometry(order) if self.usable(order) else self.fixed


def finish_puzzle(puzzle: Puzzle, shapes: Shapes) -> Item:
    """Return a puzzle with a shape of its own as it is requested, or its error: of another shape, or not understood."""
    try:
        board = fit_to_request(puzzle.board, shapes)
    except InputError as problem:
        return shapes.place.error(str(problem), puzzle.text, "", puzzle.line)
    puzzle = replace(puzzle, board=board, text=make_readable(puzzle.text.strip()))
    if shapes.entries_as_clues:
        puzzle = puzzle.with_filled_as_clues()
    if puzzle.not_understood and not shapes.despite_unread:
        return shapes.place.not_understood(puzzle)
    return puzzle


def fit_to_request(board: Board, shapes: Shapes, where: str = "") -> Board:
    """Return the board with the further houses that are requested; no other shape may be requested than it has.

    where: the keys that state its shape. Raises ``InputError``.
    """
    own = board.geometry
    if shapes.digits == own.digits:
        return board
    wanted = shapes.wanted(own.order) if own.is_usual else shapes.fixed
    if wanted is None or wanted == own or (shapes.fixed is None and wanted == usual_geometry(own.order)):
        return board
    houses = {frozenset(house.cells) for house in own.houses}
    wanted_houses = {frozenset(house.cells) for house in wanted.houses}
    if wanted.digits == own.digits and houses <= wanted_houses:
        return replace(board, geometry=wanted)
    raise InputError(
        f"{where}a board of {own.description}, where {wanted.description} is requested; expected the shape in one place"
    )


def are_neighbours(a: int, b: int, n: int) -> bool:
    """Return whether two cells are orthogonal neighbours."""
    return abs(a // n - b // n) + abs(a % n - b % n) == 1
