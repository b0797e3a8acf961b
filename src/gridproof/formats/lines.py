"""One line of text taken apart: its words, the fields of a table, and what it may be.

Nearly all lines of large files need none of this: they are easy, a puzzle by themselves with one character for each
cell. Columns in errors count characters from 1, as given (a tab is one character).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise
from math import isqrt
from typing import Literal, NamedTuple, TypeAlias

from gridproof.errors import PuzzleFormatError
from gridproof.formats import symbols
from gridproof.formats.places import START, Place
from gridproof.formats.puzzle import Puzzle, Symbols
from gridproof.formats.shapes import Shapes
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import LARGEST_ORDER_IN_CHARACTERS

LONGEST_LINE = 1_000_000
"""Characters; a longer line is refused unread. A board of order 400 in numbers fits on one."""

# ---- lines that are easy ---------------------------------------------------------------------------------------------


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
    if shapes.usable(order):
        return order
    return None


def easy_puzzle(text: str, number: int, shapes: Shapes) -> Puzzle | None:
    """Return the puzzle of such a line; ``None`` if it needs a closer look."""
    order = easy_order(len(text), shapes)
    if order is None or (shapes.zero is None and "0" in text and not text.isalnum()):
        return None
    known = Symbols.FROM_ONE
    if shapes.zero == "symbol":
        known = Symbols.FROM_ZERO
    clues = symbols.decode_characters(text, order, known)
    if clues is None:
        return None
    board = Board.trusted(shapes.geometry(order), clues)
    return Puzzle(board, text=text, line=number, source=shapes.place.source, symbols=known)


# ---- the parts of a line ---------------------------------------------------------------------------------------------


def make_decoration() -> dict[int, str]:
    """Return what stands for each character beyond ASCII that people decorate or separate cells with."""
    table = dict.fromkeys(range(0x2500, 0x2580), "+")
    signs = {"|": "│┃┆┇┊┋║╎╏╵╷╹╻╽╿▏▕∣¦‖", "=": "─━┄┅┈┉═╌╍╴╶╸╺╼╾", "-": "‒–—―−", ".": "·□"}
    signs[" "] = "\u200b\u200c\u200d\u2060\ufeff\u3000"
    for sign, characters in signs.items():
        for character in characters:
            table[ord(character)] = sign
    for wide in range(0xFF01, 0xFF5F):  # of Chinese and Japanese keyboards
        table[wide] = chr(wide - 0xFEE0)
    return table


_DECORATION = make_decoration()
_COMMENT = re.compile(r"(?:^|(?<=\s))#")
_JSON_KEY = re.compile(r'\{?\s*"\w+"\s*:(?=\s*[\["])|""|\'\'')
_SEPARATORS = str.maketrans(dict.fromkeys("|,;[](){}\"'", " "))
_SEPARATOR = re.compile(r"[\s|,;\[\](){}\"']")
_BRACKET = re.compile(r"[\[\](){}]")
_WORD = re.compile(r"\S+")
_MAY_SEPARATE = frozenset("-=+|*.:'`,~_[](){};")

LineKind: TypeAlias = Literal["cells", "rule", "either"]
"""The sorts of lines: ``cells``; ``rule``, which only separates; ``either``, perhaps a row of blanks (``---``)."""

Span: TypeAlias = tuple[int, int]
"""The places where a part of a line begins and ends, from 0."""


class Amount(NamedTuple):
    """The number of parts of a line that are meant as cells, what they are, and the column where the right one ends."""

    number: int
    parts: str
    column: int


class TextLine:
    """A line taken apart.

    number: in its file, from 1. given: as it came. text: the same without comment, decoration in ASCII. words: what
    stands between separators (white space, bars, commas, brackets, quotes). size: characters in words. fields: where
    each field of a table begins and ends, if some are empty. place: that of the text whose line it is.
    """

    def __init__(self, number: int, given: str, place: Place = START) -> None:
        self.number = number
        self.given = given
        self.place = place
        self.text = text = simplify_line(given)
        self.words = [text]
        if _SEPARATOR.search(text):
            self.words = text.translate(_SEPARATORS).split()
        self.size = sum([len(word) for word in self.words])
        self.fields = []
        if self.size < len(text):
            self.fields = find_fields(text)
        self.kind = self._classify()

    def _classify(self) -> LineKind:
        characters = set(self.text) - {" ", "\t"}
        if len(self.fields) > 3 and not self.words:
            return "either"
        if not characters <= _MAY_SEPARATE:
            return "cells"
        if not self.words:
            may_be_row = self.text.count("|") > 1 or not characters
            return "either" if may_be_row else "rule"
        if self._is_drawn_line(characters):
            return "rule"
        dashes_and_blanks = "-" in characters and characters <= set("-_*.|")
        if dashes_and_blanks or characters == {"_"}:
            return "either"
        return "cells"

    def _is_drawn_line(self, characters: set[str]) -> bool:
        """Return whether these characters, the line's, draw a line between rows: ``+---+---+``, ``:===:``, ``'--'``."""
        if characters <= set("+|:="):
            return True
        if characters & set("+=~:") and characters & set("-=~"):
            return True
        return bool(characters & set("'`")) and "--" in self.text

    def error(self, problem: str, expected: str, column: int = 1, text: str | None = None) -> PuzzleFormatError:
        """Return the error for something on this line. text: what is wrong, if it is not the line as a whole."""
        blamed = self.given if text is None else text
        return self.place.error(problem, blamed, expected, self.number, column, self.given)

    @cached_property
    def word_spans(self) -> list[Span]:
        """The places where each word begins and ends."""
        return [match.span() for match in _WORD.finditer(self.text.translate(_SEPARATORS))]

    def fits(self, want: int, order: int) -> bool:
        """Return whether the line can be ``want`` cells of a board of this order, their values apart."""
        if want in (len(self.words), len(self.fields)):
            return True
        return self.size == want and order <= LARGEST_ORDER_IN_CHARACTERS

    def cells(self, want: int, order: int) -> list[str]:
        """Return the texts of ``want`` cells; none if there are not as many."""
        if len(self.words) == want:
            return self.words
        if len(self.fields) == want:
            return [self.text[start:end].strip(" \t\"'") for start, end in self.fields]
        if self.fits(want, order):
            return list("".join(self.words))
        return []

    def is_row(self, order: int) -> bool:
        """Return whether the line is a row of usual symbols and blanks of a board of this order."""
        cells = self.cells(order, order)
        return bool(cells) and symbols.word_table(order).keys() >= set(cells)

    def spans(self, want: int) -> list[Span]:
        """Return where each of these cells begins and ends; of fewer or more characters where each character does."""
        if len(self.words) == want:
            return self.word_spans
        if len(self.fields) == want:
            return self.fields
        return [(place, place + 1) for start, end in self.word_spans for place in range(start, end)]

    def amount(self, want: int) -> Amount:
        """Return how many cells it has that are meant to be ``want``."""
        by_words = 1 < len(self.words) < self.size and abs(len(self.words) - want) <= abs(self.size - want)
        if self.fields:
            number = len(self.fields)
        elif by_words:
            number = len(self.words)
        else:
            number = self.size
        parts = "characters"
        if by_words or self.fields:
            parts = "words"
        spans = self.spans(number)
        if number > want:
            return Amount(number, parts, spans[want][0] + 1)
        return Amount(number, parts, spans[-1][1] + 1 if spans else 1)


def simplify_line(given: str) -> str:
    """Return the line without comment, its decoration in ASCII; each character that stays is at its place."""
    text = given
    if not given.isascii():
        text = given.translate(_DECORATION)
    if "#" in text:
        comment = _COMMENT.search(text)
        if comment is not None:
            text = text[: comment.start()]
    if "[" in text:
        text = _JSON_KEY.sub(blank_out_key, text)
    return text


def blank_out_key(key: re.Match[str]) -> str:
    """Return blanks for a key of JSON; a blank cell for two quotes without anything between them."""
    length = len(key[0])
    return " " * length if length > 2 else " ."


def find_fields(text: str) -> list[Span]:
    """Return where the fields of a table begin and end; nothing where none is empty, so that words will do."""
    delimiter = ""
    for sign in "|\t;,":
        if sign in text:
            delimiter = sign
            break
    if not delimiter or (_BRACKET.search(text) and delimiter != "|"):
        return []
    edges = [-1]
    edges += [place for place, character in enumerate(text) if character == delimiter]
    edges.append(len(text))
    fields = [(left + 1, right) for left, right in pairwise(edges)]
    if delimiter == "|":  # of which the outer ones are a frame
        if not text[slice(*fields[0])].strip():
            fields = fields[1:]
        if fields and not text[slice(*fields[-1])].strip():
            fields = fields[:-1]
    has_empty_field = any(not text[start:end].strip(" \t\"'") for start, end in fields)
    if not has_empty_field:
        return []
    return fields


# ---- errors ----------------------------------------------------------------------------------------------------------


def refuse_long_line(number: int, given: str, place: Place) -> PuzzleFormatError:
    """Return the error for a line of more than ``LONGEST_LINE`` characters, of which it keeps only the beginning."""
    expected = f"at most {LONGEST_LINE:,} characters on a line"
    return place.error(
        f"a line of {len(given):,} characters", given[:60], expected, number, LONGEST_LINE + 1, given[:LONGEST_LINE]
    )


def sign_for_blanks(rows: Iterable[TextLine]) -> str:
    """Return the advice to write a blank cell as a character, for rows with gaps in which cells may be missing."""
    for row in rows:
        if "  " in row.text and all(word.isalnum() for word in row.words):
            return "; a blank cell is written as . or 0"
    return ""
