"""One line of text: its cells, and the puzzle that it is if it is one by itself.

The order of a puzzle on a line follows from its number of cells, unless a geometry is given. 64 and 729 are squares and
cubes: such a line is pencil marks if every symbol stands at its own place of its cell and there are at least as many
symbols as cells, else a puzzle of order 8 or 27. Up to 35 characters may be a row of a board as well, and so may any
number of words: these are for ``blocks.py``, which reads them with their neighbours. Columns in errors count
characters from 1, as given (a tab is one character).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from math import isqrt
from typing import Literal, TypeAlias

from gridproof.errors import GeometryError, PuzzleFormatError
from gridproof.formats import symbols
from gridproof.formats.puzzle import Item, Puzzle, Symbols, keep_given, malformed
from gridproof.formats.shapes import Shapes
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Geometry

LONGEST_LINE = 1_000_000
"""Characters; a longer line is refused unread. A board of order 400 in numbers fits on one."""


EXPECTED = "as many rows as each has cells, or a puzzle on one line"
"""The words for what would be right in place of text that is no puzzle."""


# ---- lines that are easy -------------------------------------------------------------------------------------------


def easy_order(length: int, shapes: Shapes) -> int | None:
    """Return the order of a line that can only be a puzzle of one character a cell; ``None`` if it needs a closer look.

    Nearly all lines of large files are such. Which they are is decided here alone: ``reading.py`` calls this
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
    """Return the puzzle of such a line; ``None`` if it needs a closer look."""
    order = easy_order(len(text), shapes)
    if order is None or (shapes.zero is None and "0" in text and not text.isalnum()):
        return None
    known = Symbols.FROM_ZERO if shapes.zero == "symbol" else Symbols.FROM_ONE
    clues = symbols.decode_characters(text, order, known)
    if clues is None:
        return None
    return Puzzle(Board.trusted(shapes.geometry(order), clues), text=text, line=number, symbols=known)


# ---- the cells of a line -------------------------------------------------------------------------------------------

_DECORATION = dict.fromkeys(range(0x2500, 0x2580), "+")
_DECORATION |= dict.fromkeys(map(ord, "│┃┆┇┊┋║╎╏╵╷╹╻╽╿▏▕∣¦‖"), "|") | dict.fromkeys(map(ord, "─━┄┅┈┉═╌╍╴╶╸╺╼╾"), "=")
_DECORATION |= dict.fromkeys(map(ord, "‒–—―−"), "-") | dict.fromkeys(map(ord, "·□"), ".")
_DECORATION |= dict.fromkeys([0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x3000], " ")
_DECORATION |= {wide: chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}  # of Chinese and Japanese keyboards

_COMMENT = re.compile(r"(?:^|(?<=\s))#")
_JSON_KEY = re.compile(r'\{?\s*"\w+"\s*:(?=\s*[\["])|""|\'\'')
_SEPARATORS = str.maketrans(dict.fromkeys("|,;[](){}\"'", " "))
_SEPARATOR = re.compile(r"[\s|,;\[\](){}\"']")
_BRACKET = re.compile(r"[\[\](){}]")

Kind: TypeAlias = Literal["cells", "rule", "either"]


def _plain(given: str) -> str:
    """Return the line without comment, its decoration in ASCII; each character that stays is at its place."""
    text = given if given.isascii() else given.translate(_DECORATION)
    if "#" in text and (comment := _COMMENT.search(text)):
        text = text[: comment.start()]
    if "[" in text:
        text = _JSON_KEY.sub(lambda match: " " * len(match[0]) if len(match[0]) > 2 else " .", text)
    return text


class Line:
    """A line taken apart.

    number: from 1. given: as it came. text: the same without comment, decoration in ASCII. words: what stands between
    separators (white space, bars, commas, brackets, quotes). size: characters in words. fields: where each field of a
    table begins and ends, if some are empty. kind: ``cells``; ``rule``, which only separates; ``either``, perhaps a row
    of blanks (``---``).
    """

    def __init__(self, number: int, given: str) -> None:
        self.number = number
        self.given = given
        self.text = text = _plain(given)
        self.words = text.translate(_SEPARATORS).split() if _SEPARATOR.search(text) else [text]
        self.size = sum(map(len, self.words))
        self.fields = self._empty_and_other_fields() if self.size < len(text) else []
        self.kind: Kind = "either" if len(self.fields) > 3 and not self.words else _kind(text, self.words)

    def _empty_and_other_fields(self) -> list[tuple[int, int]]:
        """Return where the fields of a table begin and end; nothing where none is empty, so that words will do."""
        text = self.text
        delimiter = next((character for character in "|\t;," if character in text), "")
        if not delimiter or (_BRACKET.search(text) and delimiter != "|"):
            return []
        edges = [-1, *(place for place, character in enumerate(text) if character == delimiter), len(text)]
        fields = [(left + 1, right) for left, right in pairwise(edges)]
        if delimiter == "|":  # of which the outer ones are a frame
            fields = fields[not text[slice(*fields[0])].strip() :]
            fields = fields[: len(fields) - (not text[slice(*fields[-1])].strip())] if fields else []
        return fields if any(not text[start:end].strip(" \t\"'") for start, end in fields) else []

    def error(self, problem: str, expected: str, column: int = 1, text: str | None = None) -> PuzzleFormatError:
        """Return the error for something on this line. text: what is wrong, if it is not the line as a whole."""
        blamed = self.given if text is None else text
        return keep_given(malformed(problem, blamed, expected, self.number, column), self.given)

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """The places where each word begins and ends."""
        return [match.span() for match in re.finditer(r"\S+", self.text.translate(_SEPARATORS))]

    def fits(self, want: int, order: int) -> bool:
        """Return whether the line can be ``want`` cells, their values apart."""
        fewer = self.size == want and order <= LARGEST_ORDER_IN_CHARACTERS
        return fewer or want in (len(self.words), len(self.fields))

    def cells(self, want: int, order: int) -> list[str]:
        """Return the texts of ``want`` cells; none if there are not as many."""
        if len(self.words) == want:
            return self.words
        if len(self.fields) == want:
            return [self.text[start:end].strip(" \t\"'") for start, end in self.fields]
        return list("".join(self.words)) if self.fits(want, order) else []

    def is_row(self, order: int) -> bool:
        """Return whether the line is a row of usual symbols and blanks of a board of this order."""
        cells = self.cells(order, order)
        return bool(cells) and symbols.words(order).keys() >= {*cells}

    def spans(self, want: int) -> list[tuple[int, int]]:
        """Return where each of these cells begins and ends; of fewer or more characters where each character does."""
        if len(self.words) == want:
            return self.places
        if len(self.fields) == want:
            return self.fields
        return [(place, place + 1) for start, end in self.places for place in range(start, end)]

    def item(self, order: int, shapes: Shapes) -> Item | None:
        """Return the line as a puzzle of this order, or the error for it; ``None`` if it is too short or too long."""
        cells = order * order
        if len(self.words) == order > 1 and {*self.words} == {Geometry.latin(order).symbol_characters}:
            return None  # a row of pencil marks of which none is missing
        marks = 1 < order <= LARGEST_ORDER_IN_CHARACTERS and self.size == cells * order
        if not self.fits(cells, order) and not (marks and len(self.words) in (1, cells)):
            return None
        return puzzle_of([self], order, shapes, self.text if len(self.fields) == cells else self.text.strip())

    def own_puzzle(self, shapes: Shapes, in_block: bool) -> Item | None:
        """Return the puzzle, or the error, of a line that is one by itself; ``None`` if its neighbours count."""
        if self.kind == "rule" or (self.kind == "either" and in_block):
            return None
        order, size, several = shapes.order, self.size, len(self.words) > 1
        for one in (order,) if order else _orders_of(self, shapes):
            if item := self.item(one, shapes):
                return item
        if order and self.fits(order, order):
            return None
        if several and (named := _with_remark(self, shapes)):
            return named
        most = max(3 * order, order**1.5) if order else LARGEST_ORDER_IN_CHARACTERS
        is_no_row = self.kind == "cells" and size > most and not (several and (in_block or not order))
        return self.misfit(order) if is_no_row else None

    def misfit(self, order: int | None) -> PuzzleFormatError:
        """Return the error for a line that was meant to be a puzzle and has not the size of one."""
        if order is None and len(self.words) > 1:
            return self.error("no puzzle", EXPECTED)
        if order is None:
            root = max(isqrt(self.size), 1)
            near = f"{root * root} or {(root + 1) ** 2}" if root <= LARGEST_ORDER_IN_CHARACTERS else "81"
            expected = f"a square number of characters, such as {near}"
            return self.error(f"a line of {self.size} characters", expected, self.size + 1)
        cells = order * order
        count, what, column = self.amount(cells)
        expected = f"{cells} cells on a line ({order}x{order})"
        if order > LARGEST_ORDER_IN_CHARACTERS:
            expected += ", as numbers with blanks between them"
        elif count > 2 * cells:
            expected += f", or {cells * order} characters of pencil marks"
        return self.error(f"a line of {count} {what}", expected + sign_for_blanks([self]), column)

    def amount(self, want: int) -> tuple[int, str, int]:
        """Return how many cells it has that are meant to be ``want``, as what, and the column where they should end."""
        by_words = 1 < len(self.words) < self.size and abs(len(self.words) - want) <= abs(self.size - want)
        count = len(self.fields) or (len(self.words) if by_words else self.size)
        spans = self.spans(count)
        column = spans[want][0] + 1 if count > want else spans[-1][1] + 1 if spans else 1
        return count, "words" if by_words or self.fields else "characters", column


def _kind(text: str, parts: list[str]) -> Kind:
    characters = set(text) - {" ", "\t"}
    if not characters <= set("-=+|*.:'`,~_[](){};"):
        return "cells"
    if not parts:
        return "either" if text.count("|") > 1 or not characters else "rule"
    drawn = characters & set("-=~")
    if characters <= set("+|:=") or (characters & set("+=~:") and drawn) or (characters & set("'`") and "--" in text):
        return "rule"
    if ("-" in characters and characters <= set("-_*.|")) or characters == {"_"}:
        return "either"
    return "cells"


# ---- the puzzle of some lines --------------------------------------------------------------------------------------


def puzzle_of(lines: Sequence[Line], order: int, shapes: Shapes, text: str) -> Item | None:
    """Return the puzzle of lines that are a whole board, n lines or one; or the error in its place.

    ``None`` if a line has not its number of cells. text: as given.
    """
    try:
        geometry = shapes.geometry(order)
    except GeometryError as problem:
        reason, _, hint = str(problem).partition("; expected ")
        expected = f"{hint or 'an order with a geometry'} (options --latin, --jigsaw FILE)"
        blamed = text if "\n" in text else None
        problem_here = f"a puzzle of {order}x{order} cells: {reason}"
        return lines[0].error(problem_here, expected, text=blamed)
    first, want = lines[0], geometry.cell_count // len(lines)
    texts = [word for line in lines for word in line.words]
    marks: tuple[list[int], Symbols] | None = None
    if len(lines) == 1 < order and first.size == want * order and len(texts) in (1, want):
        marks = symbols.masks_in_places("".join(texts), order, shapes.zero)
        if marks is None:
            return _misplaced(first, order)
        candidates = sum(mask.bit_count() for mask in marks[0])
        if not candidates or (shapes.order is None and candidates < want):
            return _too_few_candidates(first, order, marks[0].count(0))
    elif 1 < order < 10 and all(len(line.words) == want for line in lines) and max(map(len, texts)) > 1:
        marks = symbols.masks_of_sets(texts, order)
    if marks is not None:
        return Puzzle(symbols.board_from_masks(geometry, marks[0]), text=text, line=first.number, symbols=marks[1])
    cells = [cell for line in lines for cell in line.cells(want, order)]
    if len(cells) != geometry.cell_count:
        return None
    read = symbols.read_symbols(cells, geometry, shapes.zero)
    if isinstance(read, symbols.Misread):
        return _misread(lines[read.cell // want], read.cell % want, cells[read.cell], want, read)
    return Puzzle(Board(geometry, read[0]), text=text, line=first.number, symbols=read[1])


def _misread(line: Line, cell: int, word: str, want: int, why: symbols.Misread) -> PuzzleFormatError:
    """Return the error for a cell of a line."""
    start, end = line.spans(want)[cell]
    start = line.text.index(word, start, end)
    wrong = line.given[start : start + len(word)]
    if any("\udc80" <= character <= "\udcff" for character in wrong):
        return line.error("not UTF-8", "UTF-8 text", start + 1, wrong)
    return line.error(why.problem, why.expected, start + 1, wrong)


def _misplaced(line: Line, order: int) -> PuzzleFormatError:
    """Return the error for the first character of pencil marks that is not at its own place."""
    for place, (start, end) in enumerate(line.spans(line.size)):
        cell, candidate = divmod(place, order)
        name, character = symbols.names(order)[candidate], line.text[start:end]
        if symbols.decode_characters(character, order) not in ((0,), (candidate + 1,)):
            problem = f"candidate {name} of r{cell // order + 1}c{cell % order + 1}"
            return line.error(problem, f"{name} or a blank", start + 1, character)
    return line.error("pencil marks with symbols from 1", "symbols from 0, as is requested")


def _too_few_candidates(line: Line, order: int, empty: int) -> PuzzleFormatError:
    """Return the error for pencil marks that leave cells without a candidate, and may be meant as another board."""
    problem = f"pencil marks of {order}x{order} cells, of which {empty:,} have no candidate"
    expected = "a candidate in each cell"
    root = isqrt(line.size)
    if root * root == line.size:
        problem += f", or a board of {root}x{root} cells"
        expected += f", or the {line.size:,} cells of that board with blanks between them"
    return line.error(problem, expected)


# ---- a puzzle on one line ------------------------------------------------------------------------------------------


def _orders_of(line: Line, shapes: Shapes) -> list[int]:
    """Return the order that a line can only have, if it is too long for a row or a row of groups of pencil marks."""
    size, several = line.size, len(line.words) > 1
    root, cube_root = isqrt(size), round(size ** (1 / 3))
    is_cube = 1 < cube_root <= LARGEST_ORDER_IN_CHARACTERS and cube_root**3 == size
    grouped = several and {len(word) for word in line.words} == {cube_root}
    if is_cube and (grouped or not several) and shapes.usable(cube_root):
        marks = symbols.masks_in_places("".join(line.words), cube_root, shapes.zero)
        if marks is not None and sum(mask.bit_count() for mask in marks[0]) >= cube_root**2:
            return [cube_root] if grouped or size > LARGEST_ORDER_IN_CHARACTERS else []
    if several or size <= LARGEST_ORDER_IN_CHARACTERS:
        return []
    if root * root == size and root <= LARGEST_ORDER_IN_CHARACTERS:
        return [root]
    return [cube_root] if is_cube else []


def _with_remark(line: Line, shapes: Shapes) -> Item | None:
    """Return a puzzle among other words of its line, its name or its rating; ``None`` if no word has its size."""
    orders = [shapes.order] if shapes.order else range(6, LARGEST_ORDER_IN_CHARACTERS + 1)
    lengths = {len(word) for word in line.words}
    orders = [order for order in orders if 2 < order <= LARGEST_ORDER_IN_CHARACTERS and order * order in lengths]
    if len(orders) != 1:
        return None
    order, cells = orders[0], orders[0] ** 2
    puzzles = [word for word in line.words if len(word) == cells]
    rest = "".join(word for word in line.words if len(word) != cells)
    start = line.text.index(puzzles[0])
    if len(puzzles) > 1 or (len(rest) >= order and symbols.decode_characters(rest, order) is not None):
        column = (line.text.index(puzzles[1], start + cells) if len(puzzles) > 1 else start + cells) + 1
        expected = "one puzzle a line, or a first line that names CSV columns, such as puzzle,solution"
        return line.error("more cells than those of one puzzle", expected, column)
    cells_alone = Line(line.number, " " * start + puzzles[0])
    cells_alone.given = line.given
    return cells_alone.item(order, shapes)


# ---- errors --------------------------------------------------------------------------------------------------------


def sign_for_blanks(rows: Sequence[Line]) -> str:
    """Return the advice to write a blank cell as a character, for rows with gaps in which cells may be missing."""
    if any("  " in row.text for row in rows):
        return "; a blank cell is written as . or 0"
    return ""


def too_long(number: int, given: str) -> PuzzleFormatError:
    """Return the error for a line of more than ``LONGEST_LINE`` characters, of which it keeps only the beginning."""
    expected = f"at most {LONGEST_LINE:,} characters on a line"
    error = malformed(f"a line of {len(given):,} characters", given[:60], expected, number, LONGEST_LINE + 1)
    return keep_given(error, given)
