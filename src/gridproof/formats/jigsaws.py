"""The regions of jigsaws in plain text: the clues, then a label for each cell, the same throughout a region.

Both may stand on one line with a blank between them, anywhere among other lines, or on two lines of a text that is one
puzzle. Nothing else can be meant: n labels, each n times and connected, put two equal labels side by side, so that they
are no board of clues with a solution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isqrt

from gridproof.formats.shapes import are_neighbours
from gridproof.puzzle.digits import LARGEST_ORDER_IN_CHARACTERS
from gridproof.text import counted

EXPECTED = "the clues of the jigsaw before them on the same line, or the option --jigsaw FILE"
"""The words for what would be right where labels stand alone."""

REGIONS_ALONE = f"read as clues, but these cells look like the regions of a jigsaw; expected {EXPECTED}"
"""The words for labels that are symbols, too, and stand on a line by themselves."""

LONGEST = LARGEST_ORDER_IN_CHARACTERS**2
"""Labels of a jigsaw at most: each is a character."""

_BLANKS = frozenset(".*_-")


def are_labels(text: str) -> bool:
    """Return whether a text is meant as the regions of a jigsaw: a label for each cell, most equal to a neighbour.

    There may be mistakes in it.

    Examples
    --------
    >>> are_labels("AABBAABBCCDDCCDD"), are_labels("1234341221434321")
    (True, False)
    """
    order = isqrt(len(text))
    if order < 3 or order * order != len(text) or _BLANKS & set(text):
        return False
    labels = len(set(text))
    if labels < 2 or abs(labels - order) > 1:
        return False
    equal = 0
    for cell in range(len(text)):
        if cell % order and text[cell] == text[cell - 1]:
            equal += 1
        if cell >= order and text[cell] == text[cell - order]:
            equal += 1
    # of 2n(n-1) pairs of neighbours, connected regions need n(n-1) that are equal
    return 3 * equal > 2 * order * (order - 1)


def are_clues_and_labels(words: Sequence[str]) -> bool:
    """Return whether words are the clues of a jigsaw and as many labels, perhaps with mistakes.

    Examples
    --------
    >>> are_clues_and_labels(["1..............2", "AABBAABBCCDDCCDD"])
    True
    >>> are_clues_and_labels(["1..............2", "1..............3"])
    False
    """
    if len(words) != 2 or len(words[0]) != len(words[1]) or len(words[0]) > LONGEST:
        return False
    return are_labels(words[1]) and not are_labels(words[0])


def is_on_two_lines(text: str) -> bool:
    """Return whether a text is a jigsaw on two lines, the second of which is meant as its regions.

    Examples
    --------
    >>> is_on_two_lines("1..............2\\nAABBAABBCCDDCCDD"), is_on_two_lines("1..............2\\n1..............3")
    (True, False)
    """
    return are_clues_and_labels(text.split(maxsplit=2))


def find_fault(labels: str) -> str:
    """Return what is wrong with the labels of a jigsaw, in words; empty if nothing is.

    Examples
    --------
    >>> find_fault("AABBAABBCCDDCCDD"), find_fault("AABBAABBCCDDCCDC")
    ('', "region 'C' has 5 cells")
    >>> find_fault("AABBAABBCCDDDDCC")
    "region 'C' is not connected"
    """
    order = isqrt(len(labels))
    for label, size in Counter(labels).items():
        if size != order:
            return f"region {label!r} has {counted(size, 'cell')}"
        cells = [cell for cell, other in enumerate(labels) if other == label]
        if not _are_connected(cells, order):
            return f"region {label!r} is not connected"
    return ""


def _are_connected(cells: Sequence[int], order: int) -> bool:
    """Return whether some cells are one orthogonally connected region."""
    reached = {cells[0]}
    waiting = [cells[0]]
    while waiting:
        cell = waiting.pop()
        for other in cells:
            if other not in reached and are_neighbours(cell, other, order):
                reached.add(other)
                waiting.append(other)
    return len(reached) == len(cells)
