"""One line of puzzle text and the cells in it: characters, numbers, pencil marks, decoration.

Nothing here knows about streams or about where a puzzle begins and ends; that is for ``blocks.py`` and ``reading.py``.
Columns in errors count characters from 1, as given (a tab is one character).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, TypeAlias

from gridproof.errors import GeometryError, PuzzleFormatError
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Geometry, Grid

if TYPE_CHECKING:
    from gridproof.formats.tables import Table

BLANKS = ".0*_-"
"""The characters of a cell without a clue."""

Shape: TypeAlias = Geometry | Callable[[int], Geometry]
"""The geometry to expect, or what gives one for an order (and raises ``GeometryError`` where there is none)."""

Item: TypeAlias = "Puzzle | PuzzleFormatError"


class Form(StrEnum):
    """How a puzzle was written. ``JUDGE`` is only written: a reader cannot know that an ``end`` will follow."""

    LINE = "line"
    ROWS = "rows"
    NUMBERS = "numbers"
    NUMBER_LINE = "number line"
    DECORATED = "decorated"
    LISTS = "lists"
    MARKS = "marks"
    MARK_GRID = "mark grid"
    CSV = "csv"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A board and where it came from.

    text: the puzzle as given (without line end, comment or remark; for CSV the field). line: its first line,
    from 1. answer: the grid given with it in a CSV file, if any; not checked. row, table: its CSV row, to
    write it back.
    """

    board: Board
    form: Form
    text: str
    line: int
    answer: Grid | None = None
    row: tuple[str, ...] = ()
    table: Table | None = None


class Shapes:
    """The geometry of each order, asked for once; ``order`` is the only one that is expected, if there is one."""

    def __init__(self, shape: Shape) -> None:
        self.fixed = shape if isinstance(shape, Geometry) else None
        self.order = self.fixed.order if self.fixed is not None else None
        self._shape = shape
        self._known: dict[int, Geometry | str] = {} if self.fixed is None else {self.fixed.order: self.fixed}

    def geometry(self, order: int) -> Geometry:
        """The geometry of an order. Raises ``GeometryError``."""
        found = self._known.get(order)
        if found is None:
            found = self._known[order] = self._ask(order)
        if isinstance(found, str):
            raise GeometryError(found)
        return found

    def usable(self, order: int) -> bool:
        """Whether boards of this order can be read."""
        try:
            self.geometry(order)
        except GeometryError:
            return False
        return True

    def _ask(self, order: int) -> Geometry | str:
        if isinstance(self._shape, Geometry):
            return f"order {order}; expected {self._shape.order}"
        try:
            geometry = self._shape(order)
        except GeometryError as problem:
            return str(problem)
        if geometry.order != order:
            return f"order {order}; expected {geometry.order}"
        return geometry


# ---- symbols -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def alphabet(order: int) -> tuple[bytes, bytes]:
    """For orders up to 35: all valid characters, and the table that ``bytes.translate`` turns them to symbols with."""
    table = bytearray(256)
    valid = BLANKS
    for symbol, character in enumerate(Geometry.latin(order).symbol_characters, 1):
        valid += character
        table[ord(character)] = table[ord(character.lower())] = symbol
    return (valid + valid.lower()).encode("ascii"), bytes(table)


@lru_cache(maxsize=64)
def words(order: int) -> dict[str, int]:
    """Each way to write a symbol or a blank as a word of its own: ``7``, ``07``, ``G``, ``16``, ``.``, ``None``."""
    found = dict.fromkeys([*BLANKS, "none", "None", "null", "nan", "NaN"], 0)
    width = len(str(order))
    for symbol in range(order + 1):
        for digits in range(1, width + 1):
            found[str(symbol).zfill(digits)] = symbol
    for symbol, character in enumerate(Geometry.latin(order).symbol_characters, 1):
        found[character] = found[character.lower()] = symbol
    return found


def symbols_expected(order: int) -> str:
    """What a cell may hold, for messages."""
    if order > LARGEST_ORDER_IN_CHARACTERS:
        symbols = f"a number from 1 to {order}"
    elif order > 9:
        symbols = f"1-9, A-{Geometry.latin(order).symbol_characters[-1]}" if order > 10 else "1-9, A"
    else:
        symbols = f"1-{order}" if order > 1 else "1"
    return f"{symbols}, or one of {' '.join(BLANKS)} for a blank cell"


def decode_characters(characters: str, order: int) -> tuple[int, ...] | None:
    """The symbols (0 for a blank) of one character for each cell; ``None`` if one is not valid."""
    if not characters.isascii():
        return None
    valid, table = alphabet(order)
    codes = characters.encode("ascii")
    return None if codes.translate(None, valid) else tuple(codes.translate(table))


def readable(text: str) -> str:
    """The text with what stands for undecodable bytes escaped, so that it can be printed anywhere."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode("utf-8")


def bad_symbol(text: str, order: int, line: int | None, column: int | None) -> PuzzleFormatError:
    """The error for a piece of text that is no symbol of this order."""
    problem = f"no symbol of a {order}x{order} board"
    if any("\udc80" <= character <= "\udcff" for character in text):
        return PuzzleFormatError("not UTF-8", text=readable(text), expected="UTF-8 text", line=line, column=column)
    return PuzzleFormatError(problem, text=readable(text), expected=symbols_expected(order), line=line, column=column)


# ---- pencil marks --------------------------------------------------------------------------------------------------


def in_places(symbols: Sequence[int], order: int) -> bool:
    """Whether each symbol stands at its own place of its cell, as in n*n*n characters of pencil marks."""
    return all({0, place + 1}.issuperset(symbols[place::order]) for place in range(order))


def board_from_masks(geometry: Geometry, masks: Sequence[int]) -> Board:
    """The board of these pencil marks: a cell with one candidate is a clue, and marks are dropped if none is
    missing.

    The one candidate is said by the clue alone, so that the cell is free once its clue is taken away.
    """
    full = (1 << geometry.order) - 1
    clues = tuple([0 if mask & (mask - 1) else mask.bit_length() for mask in masks])
    marks = tuple([full if clue else mask for clue, mask in zip(clues, masks, strict=True)])
    return Board(geometry, clues, marks=None if {full}.issuperset(marks) else marks)


def masks_from_places(symbols: Sequence[int], order: int) -> list[int]:
    """The masks of n*n*n symbols or blanks, n for each cell."""
    bits = [[1 << place if symbol else 0 for symbol in symbols[place::order]] for place in range(order)]
    return list(map(sum, zip(*bits, strict=True)))


def mask_of_word(word: str, order: int) -> int:
    """The mask of a cell written as its candidates one after the other (``136``); 0 if it is anything else."""
    symbols = decode_characters(word, order) or (0,)
    return sum(1 << (symbol - 1) for symbol in symbols) if 0 not in symbols and len(set(symbols)) == len(symbols) else 0


# ---- a line --------------------------------------------------------------------------------------------------------

_VERTICAL = "│┃┆┇┊┋║╎╏╵╷╹╻╽╿▏▕｜∣¦‖"
_HORIZONTAL = "─━┄┅┈┉═╌╍╴╶╸╺╼╾"
_PASTED = dict.fromkeys(range(0x2500, 0x2580), "+")
_PASTED |= dict.fromkeys(map(ord, _VERTICAL), "|") | dict.fromkeys(map(ord, _HORIZONTAL), "=")
_PASTED |= dict.fromkeys(map(ord, "‒–—―−"), "-") | {0xB7: "."}
_PASTED |= dict.fromkeys([0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF], " ")

_SEPARATORS = str.maketrans(dict.fromkeys("|,;[](){}\"'", " "))
_SEPARATOR = re.compile(r"[\s|,;\[\](){}\"']")
_COMMENT = re.compile(r"(?:^|(?<=\s))#")
_QUOTED_NOTHING = re.compile(r"\"\"|''")

Kind: TypeAlias = Literal["cells", "rule", "either"]


class Line:
    """A line that is not blank, taken apart.

    number: from 1. given: as it came. text: without comment, pasted decoration as ASCII, character for
    character. words: what stands between separators (white space, bars, commas, brackets, quotes). size:
    characters in words. kind: ``cells``; ``rule``, which only separates; ``either``, which may also be a row
    of blanks (``---``).
    """

    __slots__ = ("given", "kind", "number", "size", "text", "words")

    def __init__(self, number: int, given: str) -> None:
        self.number = number
        self.given = given
        text = given if given.isascii() else given.translate(_PASTED)
        if "#" in text and (comment := _COMMENT.search(text)):
            text = text[: comment.start()]
        if "[" in text:
            text = _QUOTED_NOTHING.sub(" .", text)
        self.text = text
        self.words = text.translate(_SEPARATORS).split() if _SEPARATOR.search(text) else [text]
        self.size = sum(map(len, self.words))
        self.kind = _kind(text, self.words)

    def without_separators(self) -> str:
        """The text with blanks for separators, character for character."""
        return self.text.translate(_SEPARATORS)

    @property
    def bars(self) -> bool:
        """Whether bars stand in it."""
        return "|" in self.text

    def symbols(self, want: int, order: int) -> Sequence[int] | None:
        """The symbols of ``want`` cells; ``None`` if there are not as many. Raises ``PuzzleFormatError``."""
        found: Sequence[int] | None = None
        if len(self.words) == want:
            table = words(order)
            values = [table.get(word, -1) for word in self.words]
            found = None if -1 in values else values
        elif self.size == want and order <= LARGEST_ORDER_IN_CHARACTERS:
            found = decode_characters("".join(self.words), order)
        if found is None:
            return self._symbols_by_place(want, order)
        return found

    def fits(self, want: int, order: int) -> bool:
        """Whether it can be read as so many cells, their values apart."""
        if len(self.words) == want or (self.size == want and order <= LARGEST_ORDER_IN_CHARACTERS):
            return True
        return self.bars and self.spans(want, order) is not None

    def spans(self, want: int, order: int) -> list[tuple[int, int]] | None:
        """Where the text of each of ``want`` cells begins and ends; ``None`` if there are not as many."""
        separated = self.without_separators()
        if len(self.words) == want:
            return [match.span() for match in re.finditer(r"\S+", separated)]
        if self.size == want and order <= LARGEST_ORDER_IN_CHARACTERS:
            return [(place, place + 1) for place, character in enumerate(separated) if not character.isspace()]
        return self._spans_between_bars(want) if self.bars and want == order else None

    def _symbols_by_place(self, want: int, order: int) -> list[int] | None:
        spans = self.spans(want, order)
        if spans is None:
            return None
        table = words(order)
        values = []
        for start, end in spans:
            word = self.text[start:end].strip() or "."
            if word not in table:
                start += self.text[start:end].index(word)
                raise bad_symbol(self.given[start : start + len(word)], order, self.number, start + 1)
            values.append(table[word])
        return values

    def _spans_between_bars(self, want: int) -> list[tuple[int, int]] | None:
        """The cells of a row whose blanks are drawn as nothing, which only its bars can tell."""
        if self.text.count("|") > want + 1:
            return None
        bars = [place for place, character in enumerate(self.text) if character == "|"]
        edges = [-1, *bars, len(self.text)]
        segments = [(left + 1, right) for left, right in pairwise(edges)]
        if not self.text[: bars[0]].strip():
            del segments[0]
        if not self.text[bars[-1] + 1 :].strip():
            del segments[-1]
        if len(segments) == want:
            return segments
        widths = {end - start for start, end in segments}
        if len(segments) == 0 or want % len(segments) or len(widths) != 1:
            return None
        cells, width = want // len(segments), widths.pop()
        for first, step in ((0, 1), (1, 2), (0, 2), (1, 3), (1, 4)):
            # the last character of a segment may be drawn or not: both `5 3 .` and ` 5 3 . ` are usual
            if first + (cells - 1) * step + 1 <= width <= first + cells * step:
                places = [start + first + k * step for start, _ in segments for k in range(cells)]
                if self._nothing_beside(places):
                    return [(place, place + 1) for place in places]
        return None

    def _nothing_beside(self, places: Iterable[int]) -> bool:
        return sum(not self.text[place].isspace() for place in places) == self.size


def _kind(text: str, parts: list[str]) -> Kind:
    characters = set(text) - {" ", "\t"}
    if not characters <= set("-=+|*.:'`,~_[](){};"):
        return "cells"
    if not parts:
        return "either" if text.count("|") > 1 else "rule"
    drawn = characters & set("-=~")
    if characters <= set("+|:=") or (characters & set("+=~:") and drawn) or (characters & set("'`") and "--" in text):
        return "rule"
    if ("-" in characters and characters <= set("-_*.|")) or characters == {"_"}:
        return "either"
    return "cells"
