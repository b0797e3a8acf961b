"""Drawings of a puzzle of SudokuPad, by their form.

A drawing has no meaning there, so it is listed as unread; it is shown as it was drawn.

items.py                                   drawn items by their form
geometry.py                                points and cells
"""

from __future__ import annotations

from gridproof.formats.drawn.items import items_of
from gridproof.formats.known.links import sudokupad
from gridproof.formats.known.links.payloads import data_in
from gridproof.formats.puzzle import Puzzle
from gridproof.rules.drawing import Sketch


def sketches_of(puzzle: Puzzle) -> list[Sketch]:
    """Return how the drawings of a puzzle look of which something was not understood; none for any other puzzle."""
    if puzzle.format != "sudokupad" or not puzzle.not_understood:
        return []
    sketches = [item.sketch() for item in items_of(sudokupad.SudokuPadReading(data_in(puzzle.text)))]
    return [sketch for sketch in sketches if sketch is not None]
