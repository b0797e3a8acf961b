"""Strings and links of the Interactive Sudoku Solver: ``.~R1C1_5.Cage~10~R1C2~R1C3``.

Each item is a type, its arguments and its cells, separated by ``~``. A kind of rule states the ways to write it in
``Rule.formats["iss"]``, one table or several, for reader and writer alike:

- ``type``: the item; ``written`` instead where such an item is read as another kind.
- ``args``: parameters and constants before the cells. ``omitted``: the first, where a cell stands in its place.
  ``unstated``: the value for none. ``only``: other parameters that are not their defaults.
- ``cells``: the parameter of cells; of ``lines``, each is an item. ``once``: a cell named twice is meant once.
- ``pairs``: an item for each two cells compared; ``turned``: the second first; ``apart``: also if they do not touch.
- ``clue``: the parameter of an outside clue; ``ends``: at either end of a line; ``least``: from what number on.
- ``order``, ``regions`` (``any``, ``usual``), ``beside`` and ``unless`` (kinds): where the item means the same there.

This module knows shapes, givens, arrows, and quadruples by their upper left cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from gridproof.errors import InputError, shortened
from gridproof.formats.catalog import Format
from gridproof.formats.known.iss.reading import Reading
from gridproof.formats.known.iss.writing import string_of
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import Shapes

LONGEST, MOST_ITEMS = 1_000_000, 5_000

_LINK = re.compile(r"[\W_]{0,3}(?:https?://)?sigh\.github\.io/\S*?[?&]q=([^\s&#>\"']*)", re.IGNORECASE)
_STRING = re.compile(r"\s*\.+(?:[A-Z][A-Za-z]*(?:\s*\.[A-Z][A-Za-z]*)*\s*\.?)?~[\w~.,=%+\s-]*$")
_PART = re.compile(r"\.+(?:[A-Z]|~)[\w~.,=%+ \t-]*")
_CELL = re.compile(r"~R[1-9a-g]C[1-9a-g]", re.IGNORECASE)


def _is_joined(text: str) -> bool:
    """Return whether a text is, or its first line begins, one string over several lines.

    The first line names no cell, or only one of several lines has clues: otherwise each line is a string.
    """
    lines = [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")]
    if not lines or not all(map(_PART.fullmatch, lines)):
        return False
    return not _CELL.search(lines[0]) or (len(lines) > 1 and sum(".~" in line for line in lines) <= 1)


def _read(text: str, _: Shapes) -> Iterator[Puzzle]:
    link = _LINK.match(text)
    string = re.sub(r"\s+", "", unquote(link[1]) if link else re.sub(r"(?m)^\s*#.*$", "", text))
    if not string.startswith("."):
        raise InputError(f"{shortened(string)} begins with no dot; expected one such as .~R1C1_5.Cage~10~R1C2~R1C3")
    if "\n" in text and string.count(".Shape~") > 1:
        raise InputError("two Shapes; expected one string, over several lines or on one line for each puzzle")
    items = [item.split("~") for item in string[1:].split(".")]
    for size, most, what in (len(string), LONGEST, "characters"), (len(items), MOST_ITEMS, "items"):
        if size > most:
            raise InputError(f"a string of {size:,} {what}; expected at most {most:,}")
    yield Reading([(name or "Given", arguments) for name, *arguments in items]).puzzle()


ISS: Format = Format(
    name="iss",
    summary="strings and links of the Interactive Sudoku Solver",
    by_line=True,
    joined=_is_joined,
    sniff=lambda text: (_LINK.match(text) or _STRING.match(text)) is not None,
    read=_read,
    write=lambda puzzle: string_of(puzzle, ISS.refuse),
    examples=(
        ".Shape~4x4.~R1C1_1~R4C4_2_3.Cage~5~R1C2~R1C3.Thermo~R2C1~R2C2.AntiKnight",
        "https://sigh.github.io/Interactive-Sudoku-Solver/?q=.~R1C1_5.Sandwich~13~R1.XSum~C2~~20",
    ),
)
FORMATS = (ISS,)
