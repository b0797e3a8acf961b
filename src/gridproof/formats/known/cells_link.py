"""Links that hold the cells of a puzzle as digits; links of the programs that have a format of their own apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isqrt

from gridproof.formats.catalog import Format
from gridproof.formats.known.text import read_plain
from gridproof.formats.links import linked
from gridproof.formats.puzzle import Item, malformed
from gridproof.formats.shapes import Shapes

_LINK = re.compile(
    r"[\W_]{0,3}(?:https?://|www\.|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/)(?!sigh\.github\.io/)\S*", re.IGNORECASE
)
_CELLS = re.compile(r"(?<=[=/?&#])[\d.*_-]{36,}(?=$|[^\w.*%+/=-])")


def _sniff(text: str) -> bool:
    return _LINK.match(text) is not None and not linked(text) and "sigh.github.io/" not in text


def _read(text: str, shapes: Shapes) -> Iterator[Item]:
    cells = [piece for piece in _CELLS.findall(text.strip()) if isqrt(len(piece)) ** 2 == len(piece)]
    if len(cells) == 1:
        yield from read_plain(cells[0], shapes)
    else:
        yield malformed("a link without the cells of a puzzle", text, "the cells, or a link with them", 1)


CELLS_LINK = Format(
    name="cells-link",
    summary="links that hold the cells of a puzzle",
    by_line=True,
    sniff=_sniff,
    read=_read,
    examples=(f"https://www.example.org/sudoku?bd={'53007' + '0' * 76}",),
)
FORMATS = (CELLS_LINK,)
