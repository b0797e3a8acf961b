"""Puzzles that stand on one line, each on its own: what a damaged one was is known without its neighbours.

Which order a line has follows from its number of characters, unless a geometry is given. 64 and 729 are squares and
cubes: such a line is pencil marks if every symbol stands at its own place of its cell and there are at least as many
symbols as cells, else a puzzle of order 8 or 27. Up to 35 characters may be a row of a board as well, and so may any
number of words: these are left to ``gridproof.formats.blocks``, which sees their neighbours.
"""

from __future__ import annotations

import re
from math import isqrt

from gridproof.errors import GeometryError, PuzzleFormatError
from gridproof.formats.notation import Line, decode_characters, names, symbols_expected
from gridproof.formats.puzzle import Form, Item, Puzzle, Symbols, malformed
from gridproof.formats.readings import board_from_masks, masks_in_places, symbols_of
from gridproof.formats.shapes import Shapes
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Geometry

LONGEST_LINE = 1_000_000
"""Characters; a longer line is refused unread. A board of order 400 in numbers fits on one."""


def easy_order(length: int, shapes: Shapes) -> int | None:
    """The order of a line that can only be a puzzle of one character a cell; ``None`` if it needs a closer look.

    Nearly all lines of large files are such. This is the one place that knows which they are: ``reading.py`` asks it
    line by line, ``gridproof.bulk`` for thousands at once.
    """
    order = isqrt(length)
    if order * order != length or not 0 < order <= LARGEST_ORDER_IN_CHARACTERS or shapes.order not in (None, order):
        return None
    # up to 35 characters may be a row of a board, a cube may be pencil marks
    if shapes.order is None and (length <= LARGEST_ORDER_IN_CHARACTERS or round(length ** (1 / 3)) ** 3 == length):
        return None
    return order if shapes.usable(order) else None


def easy_puzzle(text: str, number: int, shapes: Shapes) -> Puzzle | None:
    """The puzzle of such a line; ``None`` if it needs a closer look."""
    order = easy_order(len(text), shapes)
    if order is None or (shapes.zero is None and "0" in text and not text.isalnum()):
        return None
    symbols = Symbols.FROM_ZERO if shapes.zero == "symbol" else Symbols.FROM_ONE
    clues = decode_characters(text, order, symbols)
    if clues is None:
        return None
    return Puzzle(Board.trusted(shapes.geometry(order), clues), text=text, line=number, symbols=symbols)


def too_long(number: int, given: str) -> PuzzleFormatError:
    """The error for a line of more than ``LONGEST_LINE`` characters, of which it keeps only the beginning."""
    expected = f"at most {LONGEST_LINE:,} characters on a line"
    return malformed(f"a line of {len(given):,} characters", given[:60], expected, number, LONGEST_LINE + 1)


def geometry_of(line: Line, order: int, shapes: Shapes, text: str | None = None) -> Geometry:
    """The geometry of a puzzle that begins on this line. text: all of it, if it has more lines.

    Raises ``PuzzleFormatError`` for an order without geometry.
    """
    try:
        return shapes.geometry(order)
    except GeometryError as problem:
        reason, _, hint = str(problem).partition("; expected ")
        expected = f"{hint or 'an order with a geometry'} (options --latin, --jigsaw FILE)"
        raise line.error(f"a puzzle of {order}x{order} cells: {reason}", expected, text=text) from None


def line_of_order(line: Line, order: int, shapes: Shapes) -> Puzzle | None:
    """The line as a whole puzzle of this order; ``None`` if it has not its number of cells or pencil marks.

    Raises ``PuzzleFormatError`` for a wrong symbol and for an order without geometry.
    """
    cells = order * order
    in_characters = order <= LARGEST_ORDER_IN_CHARACTERS
    marks = order > 1 and in_characters and line.size == cells * order and len(line.words) in (1, cells)
    if len(line.words) == order > 1 and {*line.words} == {Geometry.latin(order).symbol_characters}:
        return None  # a row of pencil marks of which none is missing
    if not marks and not line.fits(cells, order):
        return None
    if line.by_place(cells) and (order < 6 or line.fits(order, order)):
        return None  # rather a row in columns
    geometry = geometry_of(line, order, shapes)
    text = line.text if line.by_place(cells) or line.fields == cells else line.text.strip()
    if marks:
        board, symbols = _marks(line, geometry, shapes)
        return Puzzle(board, text=text, line=line.number, form=Form.MARKS, symbols=symbols)
    found = symbols_of([line], cells, geometry, shapes.zero)
    if found is None:
        return None
    form = Form.NUMBER_LINE if len(line.words) == cells > 1 else Form.LINE
    if set(text) & set("[({"):
        form = Form.LISTS
    return Puzzle(Board(geometry, found[0]), text=text, line=line.number, form=form, symbols=found[1])


def line_item(line: Line, order: int, shapes: Shapes) -> Item:
    """The line as a puzzle of this order, or the error for it."""
    try:
        return line_of_order(line, order, shapes) or misfit(line, order)
    except PuzzleFormatError as error:
        return error.with_traceback(None)


def own_puzzle(line: Line, shapes: Shapes, in_block: bool) -> Item | None:
    """The puzzle, or the error, if the line is a puzzle by itself; ``None`` if it belongs to a block of lines."""
    if line.kind == "rule" or (line.kind == "either" and in_block):
        return None
    try:
        if shapes.order is not None:
            return _of_known_order(line, shapes.order, shapes, in_block)
        return _of_any_order(line, shapes)
    except PuzzleFormatError as error:
        return error.with_traceback(None)


def misfit(line: Line, order: int | None) -> PuzzleFormatError:
    """The error for a line that was meant to be a puzzle and has not the size of one."""
    many = len(line.words)
    count, what = line.size, "characters"
    if many > 1 and order is not None and abs(many - order**2) < abs(line.size - order**2):
        count, what = many, "words"
    if order is None:
        root = max(isqrt(count), 1)
        near = f"{root * root} or {(root + 1) ** 2}" if root <= LARGEST_ORDER_IN_CHARACTERS else "81"
        expected = f"a square number of characters, such as {near}"
        column = line.size + 1
    else:
        cells = order * order
        expected = f"{cells} cells on a line ({order}x{order})"
        if order <= LARGEST_ORDER_IN_CHARACTERS and count > 2 * cells:
            expected += f", or {cells * order} characters of pencil marks"
        column = _column_after(line, min(count, cells), what == "words")
        if order > LARGEST_ORDER_IN_CHARACTERS:
            expected += ", as numbers with blanks between them"
    return line.error(f"a line of {count} {what}", expected, column)


def _of_known_order(line: Line, order: int, shapes: Shapes, in_block: bool) -> Item | None:
    if found := line_of_order(line, order, shapes):
        return found
    if line.fits(order, order):
        return None
    if order > 2 and len(line.words) > 1 and (named := _with_remark(line, order, shapes)):
        return named
    big = line.size > 3 * order and line.size**2 > order**3
    if not big or line.kind == "either" or (in_block and len(line.words) > 1):
        return None
    return misfit(line, order)


def _of_any_order(line: Line, shapes: Shapes) -> Item | None:
    size = line.size
    root, cube_root = isqrt(size), round(size ** (1 / 3))
    cube = cube_root**3 == size and cube_root <= LARGEST_ORDER_IN_CHARACTERS
    if len(line.words) > 1:
        groups = cube_root > 1 and cube and {len(word) for word in line.words} == {cube_root}
        if groups and shapes.usable(cube_root) and _looks_like_marks(line, cube_root, shapes):
            return line_of_order(line, cube_root, shapes)
        sizes = {len(word) for word in line.words if len(word) > LARGEST_ORDER_IN_CHARACTERS}
        orders = [order for order in range(1, LARGEST_ORDER_IN_CHARACTERS + 1) if order * order in sizes]
        return _with_remark(line, orders[0], shapes) if len(orders) == 1 else None
    if size <= LARGEST_ORDER_IN_CHARACTERS:
        return None
    square = root * root == size and root <= LARGEST_ORDER_IN_CHARACTERS
    if not square and not cube:
        return None if line.kind == "either" else misfit(line, None)
    marks = cube and (not square or _looks_like_marks(line, cube_root, shapes))
    return line_of_order(line, cube_root if marks else root, shapes)


def _with_remark(line: Line, order: int, shapes: Shapes) -> Item | None:
    """A puzzle among other words of its line: its name, its rating. ``None`` if no word has the size of a puzzle."""
    cells = order * order
    if order > LARGEST_ORDER_IN_CHARACTERS:
        return None
    puzzles = [word for word in line.words if len(word) == cells]
    if not puzzles:
        return None
    others = "".join(word for word in line.words if len(word) != cells)
    start = line.text.index(puzzles[0])
    if len(puzzles) > 1 or (len(others) >= order and decode_characters(others, order) is not None):
        column = (line.text.index(puzzles[1], start + cells) if len(puzzles) > 1 else start + cells) + 1
        expected = "one puzzle a line, or a first line that names CSV columns, such as puzzle,solution"
        return line.error("more cells than those of one puzzle", expected, column)
    geometry_of(line, order, shapes)  # an error shows the whole line
    return line_of_order(Line(line.number, " " * start + puzzles[0]), order, shapes)


def _looks_like_marks(line: Line, order: int, shapes: Shapes) -> bool:
    found = masks_in_places("".join(line.words), order, shapes.zero)
    return found is not None and sum(mask.bit_count() for mask in found[0]) >= order * order


def _marks(line: Line, geometry: Geometry, shapes: Shapes) -> tuple[Board, Symbols]:
    order = geometry.order
    characters = "".join(line.words)
    if read := masks_in_places(characters, order, shapes.zero):
        return board_from_masks(geometry, read[0]), read[1]
    usual = Symbols.FROM_ZERO if shapes.zero == "symbol" else Symbols.FROM_ONE
    for place, character in enumerate(characters):
        found = decode_characters(character, order, usual)
        wanted = place % order + 1
        if found is None or found[0] not in (0, wanted):
            problem, expected = f"no symbol of a {order}x{order} board", symbols_expected(order, usual)
            if found:
                name = names(order, usual)[wanted - 1]
                problem, expected = f"candidate {name} of {geometry.cell_name(place // order)}", f"{name} or a blank"
            raise line.error(problem, expected, _column_after(line, place, False), character)
    raise AssertionError("pencil marks are either in place or not")


def _column_after(line: Line, count: int, as_words: bool) -> int:
    """The column of the word or character that follows after so many, or of the end of the line."""
    found = list(re.finditer(r"\S+" if as_words else r"\S", line.without_separators()))
    if count < len(found):
        return found[count].start() + 1
    return (found[-1].end() if len(line.words) == 1 else len(line.text.rstrip())) + 1
