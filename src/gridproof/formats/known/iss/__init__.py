"""Strings and links of the Interactive Sudoku Solver."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from gridproof.formats.catalog import Format
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import Shapes

_LINK = re.compile(r"[\W_]{0,3}(?:https?://)?sigh\.github\.io/\S*?[?&]q=([^\s&#>\"']*)", re.IGNORECASE)
_STRING = re.compile(r"\s*\.(?:[A-Z][A-Za-z]*(?:\.[A-Z][A-Za-z]*)*\.?)?~[\w~.,=%+-]*\s*$")


def _sniff(text: str) -> bool:
    return (_LINK.match(text) or _STRING.match(text)) is not None


def _read(text: str, _: Shapes) -> Iterator[Puzzle]:
    from gridproof.formats.known.iss import reading

    link = _LINK.match(text)
    yield reading.read(unquote(link[1]) if link else text)


def _write(puzzle: Puzzle) -> str:
    from gridproof.formats.known.iss.writing import string_of

    return string_of(puzzle, ISS.refuse)


ISS = Format(
    name="iss",
    summary="strings and links of the Interactive Sudoku Solver",
    by_line=True,
    sniff=_sniff,
    read=_read,
    write=_write,
    examples=(
        ".Shape~4x4.~R1C1_1~R4C4_2_3.Cage~5~R1C2~R1C3.Thermo~R2C1~R2C2.AntiKnight",
        "https://sigh.github.io/Interactive-Sudoku-Solver/?q=.~R1C1_5.Sandwich~13~R1.XSum~C2~~20",
    ),
)
FORMATS = (ISS,)
