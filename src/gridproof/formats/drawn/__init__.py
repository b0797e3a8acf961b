"""Drawings of a puzzle of SudokuPad, where they have no meaning: their look, for pictures and in words.

items.py          the drawn items of a file
forms.py          their forms: a line with a bulb, a dot on an edge, a number outside
geometry.py       points and cells
looks.py          items that look alike, in words
"""

from __future__ import annotations

from gridproof.formats.drawn.forms import with_forms
from gridproof.formats.drawn.items import LISTS, DrawnItem, items_of
from gridproof.formats.drawn.looks import describe_looks
from gridproof.formats.known.links.payloads import data_in
from gridproof.formats.known.links.sudokupad import SudokuPadReading
from gridproof.formats.puzzle import Puzzle, count_by_key
from gridproof.rules.drawing import Sketch


def drawings_of(puzzle: Puzzle) -> list[DrawnItem]:
    """Return the drawings of a puzzle of which something was not understood, by their forms; none for any other.

    The text of the puzzle is read again, because hardly anybody asks.
    """
    if puzzle.format != "sudokupad" or not puzzle.not_understood:
        return []
    reading = SudokuPadReading(data_in(puzzle.text.strip()))
    return with_forms(items_of(reading), reading.size)


def sketches_of(drawings: list[DrawnItem]) -> list[Sketch]:
    """Return how drawings look, as far as they have a colour."""
    sketches = []
    for item in drawings:
        sketch = item.sketch()
        if sketch is not None:
            sketches.append(sketch)
    return sketches


def note_of_unread(puzzle: Puzzle, drawings: list[DrawnItem], in_picture: bool) -> str:
    """Return the note for a picture about what was not understood; empty if nothing was.

    in_picture: whether the picture shows the drawings, pale.
    """
    looks = describe_looks(drawings)
    if not looks:
        return puzzle.missing()
    others = [part for part in puzzle.not_understood if part.key not in LISTS]
    where = "not"
    if in_picture:
        where = "pale"
    note = f"not understood, and {where} in the picture: {', '.join(looks)}"
    if others:
        return f"{note}; and not drawn: {count_by_key(others)}"
    return note
