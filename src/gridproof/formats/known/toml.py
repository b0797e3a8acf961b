"""Puzzle files of our own: one puzzle in TOML, with its clues in any notation, its shape and its rules.

::

    title = "Two rules"
    clues = '''
    1 . . .
    . . . .
    . . . .
    . . . 2
    '''
    boxes = "2x2"                         # or latin = true, or jigsaw = the labels of all cells

    [[rule]]
    kind = "killer"                       # as `gridproof rules` lists them
    total = 5
    cells = "r1c2 r2c2"

    [[rule]]
    rule = "thermometer r3c1 r3c2 r3c3"   # the same in one line

``diagonal``, ``windoku`` and ``disjoint`` add the houses of these names, ``houses`` a list of others, each by its
cells. ``author`` and ``prose`` (the rules in words) are for people. ``solution`` is the known solution, if any, and
``filled`` holds digits that are filled in but not given. ``symbols = "ABCD"`` names the symbols for drawings; cells and
rules have digits nevertheless. ``zero`` is ``"blank"`` or ``"symbol"``. Each ``[[unread]]`` names with ``where`` and
``what`` a part of another program's puzzle that gridproof did not understand: as long as it stands there, neither is
the file understood. Each ``[[drawn]]`` is a group of drawings, which ``read`` makes rules of a kind. Without a shape
the board has boxes as usual, or the shape that is requested where the file is read. Of a file with a shape of its own
only further houses may be requested.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gridproof.formats.catalog import EXTRAS, Format
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import Shapes
from gridproof.formats.stated_puzzle import CLUES, TYPES, read_stated
from gridproof.formats.toml_values import TomlValues
from gridproof.formats.toml_writing import write_puzzle

_BEGINS = re.compile(
    rf"""\s*(?:(?:{"|".join(TYPES)})\s*=\s*(?:["'\[{{]|(?:true|false)\b)|\[\[\s*(?:rule|unread|drawn)\s*\]\])"""
)


def read_file(text: str, requested: Shapes) -> Iterator[Puzzle]:
    """Yield the puzzle of a file. requested: the shape that counts where the file states none.

    Raises ``PuzzleFormatError`` with the place to blame.
    """
    yield read_stated(TomlValues(text, requested.place, TYPES, required=CLUES), requested, text)


TOML = Format(
    name="toml",
    summary="gridproof's own puzzle file, which can express every shape and every rule",
    endings=(".toml",),
    sniff=lambda text: _BEGINS.match(text) is not None,
    read=read_file,
    write=write_puzzle,
    several=False,
    keeps=tuple(EXTRAS),
    has_digits=True,
    examples=('clues = "1... .... .... ...2"\n\n[[rule]]\nrule = "thermometer r1c2 r1c3"\n',),
)
FORMATS = (TOML,)
