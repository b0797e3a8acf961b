"""Finds the grid in an answer: in any notation, in prose, in a fence, in ``\\boxed{}``, or row by row ("Row 1: ...").

Lines that are nothing but cells of a row, after decoration is taken away, are gathered; n of them that follow each
other are a grid, as is one line of all cells. The last grid of an answer counts, because people and language models
correct themselves: what they state last is what they mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from gridproof.puzzle.geometry import Geometry

BLANKS = frozenset(".0_*?xX-")
"""Characters that stand for a blank cell, unless they are symbols of the board."""

LABELS = (
    re.compile(r"^\s*[-*•]\s"),
    re.compile(r"^\W*\d{1,3}\s*[.)]\s"),
    re.compile(r"^.*[:=](?=[^:=]*$)"),
    re.compile(r"^\W*r(?:ow)?[\s_]*\d{1,3}(?=[\s|])", re.IGNORECASE),
    re.compile(r"^\W*r(?:ow)?[\s_]*\d{1,3}\s*[-–—>.)*]+\s", re.IGNORECASE),
)
"""Labels before a row or a grid: a mark or a number as in a list, words up to a colon (``Row 1:``), the name of a row
(``R1 5 3 4``), also with a dash or a dot behind it."""

BOXED = re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
"""A box of LaTeX, which may stand in the middle of a sentence."""

COMMANDS = re.compile(r"\\(?:boxed|text|mathrm|mathbf|left|right)\b")
"""Commands of LaTeX that stand around cells."""

ROW_ENDS = re.compile(
    r"\\(?:begin|end)\{[a-z*]+\}(?:\{[^}\n]*\})?|\\hline|\\\\|\\n(?![a-z])|\]\s*,\s*\[|\[\s*\[|\]\s*\]"
)
"""Ends of rows within a line: of LaTeX, of an escaped text, and of a list of lists."""

DECORATION = re.compile(r"[\s|,;&'\"`\[\](){}<>$\\┃│║┆┊]+")
"""Characters between and around cells."""

RULE = re.compile(r"[\s\-+=|─━═┼╋╬├┤┌┐└┘┬┴╔╗╚╝╠╣╦╩╪╫:`~#]*")
"""A line that only separates rows; one of dashes alone is none of blank cells."""


class Answer(NamedTuple):
    """The grid of an answer.

    symbols: a symbol for each cell in reading order, 0 for a blank. text: the lines that were taken, as they stood.
    """

    symbols: tuple[int, ...]
    text: str


def find_answer(text: str, geometry: Geometry) -> Answer | None:
    """Return the last grid of this geometry in a text, or ``None`` if there is none.

    Examples
    --------
    >>> text = "So the grid is:\\nRow 1: 1 2 3 4\\nRow 2: 3 4 1 2\\nRow 3: 2143\\nRow 4: 4 3 2 ."
    >>> find_answer(text, Geometry.classic(2)).symbols
    (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 0)
    """
    if len(text) == geometry.cell_count:  # most are nothing but their grid
        symbol_of = _symbol_table(geometry)
        symbols = tuple([symbol_of.get(character, -1) for character in text])
        if min(symbols) >= 0:
            return Answer(symbols, text)
    last = None
    for answer in find_grids(text, geometry):
        last = answer
    return last


def find_grids(text: str, geometry: Geometry) -> Iterator[Answer]:
    """Yield each grid in a text, in order."""
    rows: list[tuple[tuple[int, ...], str]] = []
    for line in _lines_of(text):
        cells = read_cells(line, geometry)
        if cells is None:
            yield from _whole_words(line, geometry)
            if not RULE.fullmatch(line):
                rows.clear()
        elif len(cells) == geometry.cell_count:
            rows.clear()
            yield Answer(cells, line.strip())
        else:
            rows.append((cells, line))
            if len(rows) == geometry.rows:
                yield _join(rows)
                rows.clear()


def _join(rows: Sequence[tuple[tuple[int, ...], str]]) -> Answer:
    """Return the grid of all its rows."""
    symbols: list[int] = []
    lines = []
    for cells, line in rows:
        symbols += cells
        lines.append(line.strip())
    return Answer(tuple(symbols), "\n".join(lines))


def _whole_words(line: str, geometry: Geometry) -> Iterator[Answer]:
    """Yield the grids of a line of prose that are one word each, of as many characters as there are cells."""
    for word in DECORATION.split(line):
        if geometry.cell_count <= len(word) <= geometry.cell_count + 1:
            stripped = word.removesuffix(".") if len(word) > geometry.cell_count else word
            symbols = _read_marks(stripped, geometry)
            if symbols is not None and len(symbols) == geometry.cell_count:
                yield Answer(symbols, stripped)


def read_cells(line: str, geometry: Geometry) -> tuple[int, ...] | None:
    """Return the symbols of a line that has nothing but the cells of a row or of the whole grid, or ``None``.

    Examples
    --------
    >>> read_cells("| 1 . | 3 4 |", Geometry.classic(2)), read_cells("I see 1 2 3 4", Geometry.classic(2))
    ((1, 0, 3, 4), None)
    """
    if RULE.fullmatch(line):
        return None
    texts = [line]
    for label in LABELS:
        texts.append(label.sub("", line, count=1))
    for text in texts:
        symbols = _read_marks(text, geometry)
        if symbols is not None and len(symbols) in (geometry.columns, geometry.cell_count):
            return symbols
    return None


def _read_marks(text: str, geometry: Geometry) -> tuple[int, ...] | None:
    """Return the symbols of a line without a label: those of its words, or else of its characters."""
    symbol_of = _symbol_table(geometry)
    words = [word for word in DECORATION.split(text.replace("**", " ")) if word]
    for marks in (words, "".join(words)):
        symbols = [symbol_of.get(mark, -1) for mark in marks]
        if symbols and min(symbols) >= 0:
            return tuple(symbols)
    return None


@lru_cache(maxsize=16)
def _symbol_table(geometry: Geometry) -> dict[str, int]:
    """Return the symbol of each text, 0 for blanks: as boards are written, in small letters, and as a number."""
    table = dict.fromkeys(BLANKS, 0)
    for symbol in geometry.symbols:
        text = geometry.symbol_text(symbol)
        for spelling in (text.lower(), str(geometry.digits.digit(symbol)), text):
            table[spelling] = symbol
    return table


def _lines_of(text: str) -> Iterator[str]:
    """Yield the lines of a text, with rows of LaTeX and rows of a list of lists on lines of their own."""
    text = BOXED.sub(r"\n\1\n", text)
    return iter(ROW_ENDS.sub("\n", COMMANDS.sub(" ", text)).splitlines())
