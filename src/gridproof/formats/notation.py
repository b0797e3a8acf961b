"""One line of puzzle text and the cells in it: characters, numbers, pencil marks, decoration.

Nothing here knows about streams or about where a puzzle begins and ends; that is for ``blocks.py`` and ``reading.py``.
Columns in errors count characters from 1, as given (a tab is one character).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias

from gridproof.errors import PuzzleFormatError
from gridproof.formats.pasted import plain
from gridproof.formats.puzzle import Symbols, malformed
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS

BLANKS = ".0*_-"
"""The characters of a cell without a clue; ``0`` only where it is no symbol (see ``readings.py``)."""


# ---- symbols -------------------------------------------------------------------------------------------------------


_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NOTHING = ("none", "None", "null", "nan", "NaN", "")

WRONG = 255
"""Stands for a character that is neither a symbol nor a blank, in a table of symbols."""


@lru_cache(maxsize=64)
def names(order: int, symbols: Symbols = Symbols.FROM_ONE) -> tuple[str, ...]:
    """What each symbol is called: characters up to order 35, else numbers. Nothing where there are too few letters."""
    if symbols is Symbols.LETTERS:
        return tuple(_CHARACTERS[10 : order + 10]) if order <= 26 else ()
    first = 1 if symbols is Symbols.FROM_ONE else 0
    if order > LARGEST_ORDER_IN_CHARACTERS:
        return tuple(map(str, range(first, first + order)))
    return tuple(_CHARACTERS[first : first + order])


@lru_cache(maxsize=64)
def words(order: int, symbols: Symbols = Symbols.FROM_ONE) -> dict[str, int]:
    """Each way to write a symbol or a blank as a word of its own: ``7``, ``07``, ``G``, ``16``, ``.``, ``None``."""
    found = dict.fromkeys([*BLANKS, *_NOTHING], 0)
    if symbols is not Symbols.LETTERS:
        less = 1 if symbols is Symbols.FROM_ZERO else 0
        width = len(str(order - less))
        for symbol in range(less, order + 1):
            for digits in range(1, width + 1):
                found[str(symbol - less).zfill(digits)] = symbol
    if order <= LARGEST_ORDER_IN_CHARACTERS:
        for symbol, character in enumerate(names(order, symbols), 1):
            found[character] = found[character.lower()] = symbol
    return found


@lru_cache(maxsize=64)
def alphabet(order: int, symbols: Symbols = Symbols.FROM_ONE) -> bytes:
    """The table that ``bytes.translate`` turns characters to symbols with: 0 for a blank, ``WRONG`` for any other."""
    known = words(order, symbols)
    return bytes([known.get(chr(code), WRONG) for code in range(256)])


def called(order: int, symbols: Symbols = Symbols.FROM_ONE) -> str:
    """All symbols in short, such as ``1-9, A-G``."""
    known = names(order, symbols)
    if order > LARGEST_ORDER_IN_CHARACTERS:
        return f"a number from {known[0]} to {known[-1]}"
    kinds = [name for name in known if name.isdigit()], [name for name in known if not name.isdigit()]
    return ", ".join(f"{kind[0]}-{kind[-1]}" if len(kind) > 1 else kind[0] for kind in kinds if kind)


def symbols_expected(order: int, symbols: Symbols = Symbols.FROM_ONE) -> str:
    """What a cell may hold, for messages."""
    blanks = BLANKS.replace("0", "") if symbols is Symbols.FROM_ZERO else BLANKS
    return f"{called(order, symbols)}, or one of {' '.join(blanks)} for a blank cell"


def decode_characters(characters: str, order: int, symbols: Symbols = Symbols.FROM_ONE) -> tuple[int, ...] | None:
    """The symbols (0 for a blank) of one character for each cell, up to order 35; ``None`` if one is not valid."""
    found = characters.encode("ascii", "replace").translate(alphabet(order, symbols))
    return None if WRONG in found else tuple(found)


# ---- a line --------------------------------------------------------------------------------------------------------

_SEPARATORS = str.maketrans(dict.fromkeys("|,;[](){}\"'", " "))
_SEPARATOR = re.compile(r"[\s|,;\[\](){}\"']")
_NO_TABLE = re.compile(r"[|\[\](){}]")
_WITH_SPACES = re.compile(r"(?=.*(?:\d|  ))[0-9A-Za-z ]*")  # prose has seldom two spaces, or digits

Kind: TypeAlias = Literal["cells", "rule", "either"]


class Line:
    """A line taken apart.

    number: from 1. given: as it came. text: as ``pasted.plain`` has it, character for character. words: what stands
    between separators (white space, bars, commas, brackets, quotes). size: characters in words. fields: how many are
    between tabs, semicolons or commas, if some are empty, else 0. places: how many characters, if its blanks can be
    spaces, else 0. kind: ``cells``; ``rule``, which only separates; ``either``, perhaps a row of blanks (``---``).
    """

    __slots__ = ("fields", "given", "kind", "number", "places", "size", "text", "words")

    def __init__(self, number: int, given: str) -> None:
        self.number = number
        self.given = given
        self.text = text = plain(given)
        self.words = text.translate(_SEPARATORS).split() if _SEPARATOR.search(text) else [text]
        self.size = sum(map(len, self.words))
        self.fields = self.places = 0
        if len(self.words) != 1 or self.size != len(text):
            edges = self._between(_delimiter(text)) if not _NO_TABLE.search(text) else []
            if len(edges) > 1 and any(not text[start:end].strip(" \t\"'") for start, end in edges):
                self.fields = len(edges)
            elif _WITH_SPACES.fullmatch(text):
                self.places = len(text)
        self.kind: Kind = "either" if self.fields > 3 and not self.words else _kind(text, self.words)

    def error(self, problem: str, expected: str, column: int = 1, text: str | None = None) -> PuzzleFormatError:
        """The error for something on this line. text: what is wrong, if it is not the line as a whole."""
        return malformed(problem, self.given if text is None else text, expected, self.number, column)

    def without_separators(self) -> str:
        """The text with blanks for separators, character for character."""
        return self.text.translate(_SEPARATORS)

    @property
    def bars(self) -> bool:
        """Whether bars stand in it."""
        return "|" in self.text

    def symbols(self, want: int, order: int) -> Sequence[int] | None:
        """The symbols of ``want`` cells in the usual writing (from 1, ``0`` a blank); ``None`` if it is another."""
        if len(self.words) == want:
            table = words(order)
            values = [table.get(word, -1) for word in self.words]
            return None if -1 in values else values
        if self.size == want and order <= LARGEST_ORDER_IN_CHARACTERS:
            return decode_characters("".join(self.words), order)
        return None

    def cells(self, want: int, order: int) -> list[tuple[str, int]] | None:
        """What is written in each of ``want`` cells, and where it begins; ``None`` if there are not as many.

        A space is a blank where it has a place of its own; a field, or what is between bars, may be ''.
        """
        spans = self.spans(want, order)
        if spans is None:
            return None
        nothing = " " if self.by_place(want) else ""
        found = []
        for start, end in spans:
            word = self.text[start:end].strip(" \t\"'")
            found.append((word or nothing, start + self.text[start:end].index(word)))
        return found

    def fits(self, want: int, order: int) -> bool:
        """Whether it can be read as so many cells, their values apart."""
        return len(self.words) == want or self.spans(want, order) is not None

    def by_place(self, want: int) -> bool:
        """Whether it is so many cells only if each space is one."""
        return self.places == want and want not in (len(self.words), self.size, self.fields)

    def spans(self, want: int, order: int) -> list[tuple[int, int]] | None:
        """Where the text of each of ``want`` cells begins and ends; ``None`` if there are not as many."""
        separated = self.without_separators()
        if len(self.words) == want:
            return [match.span() for match in re.finditer(r"\S+", separated)]
        if self.size == want and order <= LARGEST_ORDER_IN_CHARACTERS:
            return [(place, place + 1) for place, character in enumerate(separated) if not character.isspace()]
        if self.fields == want:
            return self._between(_delimiter(self.text))
        if self.places == want and order <= LARGEST_ORDER_IN_CHARACTERS:
            return [(place, place + 1) for place in range(want)]
        return self._spans_between_bars(want) if self.bars and want == order else None

    def _between(self, delimiter: str) -> list[tuple[int, int]]:
        edges = [-1, *(place for place, character in enumerate(self.text) if character == delimiter), len(self.text)]
        return [(left + 1, right) for left, right in pairwise(edges)]

    def _spans_between_bars(self, want: int) -> list[tuple[int, int]] | None:
        """The cells of a row whose blanks are drawn as nothing, which only its bars can tell."""
        if self.text.count("|") > want + 1:
            return None
        segments = self._between("|")
        for end in (0, -1):
            if not self.text[slice(*segments[end])].strip():
                del segments[end]
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
                if sum(not self.text[place].isspace() for place in places) == self.size:  # nothing stands beside them
                    return [(place, place + 1) for place in places]
        return None


def _delimiter(text: str) -> str:
    return next((character for character in "\t;" if character in text), ",")


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
