"""A jigsaw on two lines of plain text, its clues and its regions, where the text is one puzzle."""

from __future__ import annotations

from collections.abc import Iterator

from gridproof.formats.catalog import Format
from gridproof.formats.jigsaws import are_clues_and_labels
from gridproof.formats.layouts import read_jigsaw
from gridproof.formats.lines import TextLine
from gridproof.formats.puzzle import Item
from gridproof.formats.shapes import Shapes


def is_joined(text: str) -> bool:
    """Return whether a text is two lines, the second of which has as many characters and is meant as regions.

    Examples
    --------
    >>> is_joined("1..............2\\nAABBAABBCCDDCCDD"), is_joined("1..............2\\n1..............3")
    (True, False)
    """
    return are_clues_and_labels(text.split(maxsplit=2))


def read_two_lines(text: str, shapes: Shapes) -> Iterator[Item]:
    """Yield the jigsaw of a text, or the error in its place."""
    lines = []
    for number, line in enumerate(text.splitlines(), shapes.place.line):
        if line.strip():
            lines.append(TextLine(number, line, shapes.place))
    yield read_jigsaw(lines[0], lines[1], shapes, text.strip())


JIGSAW = Format(
    name="jigsaw",
    summary="a line of clues, and a line with a label for the region of each cell",
    joined=is_joined,
    read=read_two_lines,
    examples=("1..............2\nAABBAABBCCDDCCDD",),
)
FORMATS = (JIGSAW,)
