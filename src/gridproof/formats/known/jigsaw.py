"""A jigsaw on two lines of plain text, its clues and its regions, where the text is one puzzle."""

from __future__ import annotations

from collections.abc import Iterator

from gridproof.formats.catalog import Format
from gridproof.formats.jigsaws import are_clues_and_labels, is_on_two_lines
from gridproof.formats.layouts import read_jigsaw
from gridproof.formats.lines import TextLine
from gridproof.formats.puzzle import Item
from gridproof.formats.shapes import Shapes


def read_two_lines(text: str, shapes: Shapes) -> Iterator[Item]:
    """Yield the jigsaw of a text, or the error in its place."""
    lines = []
    for number, line in enumerate(text.splitlines(), shapes.place.line):
        if line.strip():
            lines.append(TextLine(number, line, shapes.place))
    if len(lines) != 2 or not are_clues_and_labels([line.text.strip() for line in lines]):
        expected = "a line of clues, and a line with the label of a region for each cell"
        yield shapes.place.error("no jigsaw", text, expected)
        return
    yield read_jigsaw(lines[0], lines[1], shapes, text.strip())


JIGSAW = Format(
    name="jigsaw",
    summary="a line of clues, and a line with a label for the region of each cell",
    joined=is_on_two_lines,
    read=read_two_lines,
    examples=("1..............2\nAABBAABBCCDDCCDD",),
)
FORMATS = (JIGSAW,)
