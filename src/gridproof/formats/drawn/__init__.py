"""Drawings of a puzzle, where they have no meaning until a person names it: groups of equal looks, and rules of these.

drawings.py       the drawings of a puzzle
items.py          a drawn item: its points, colours, size and text
colours.py        colours and their names
of_sudokupad.py   the items of a SudokuPad file
of_f_puzzles.py   those of an f-puzzles file
of_toml.py        groups in a puzzle file of our own
to_f_puzzles.py   items as drawings of f-puzzles, for a puzzle that comes from elsewhere
forms.py          their forms: a line with a bulb, a dot on an edge, a number outside
geometry.py       points and cells
groups.py         items that look alike, with letters and in words
lines.py          lines that were drawn in pieces, and loops
meanings.py       a group and a kind of rule: the rules that it states
readings.py       a puzzle with groups that were read or ignored
suggestions.py    what the words seem to mean by a group
"""

from __future__ import annotations

from gridproof.formats.drawn.drawings import drawings_of, groups_of
from gridproof.formats.drawn.groups import Group, note_of_unread, sketches_of
from gridproof.formats.drawn.meanings import kinds_that_fit
from gridproof.formats.drawn.readings import read_drawings
from gridproof.formats.drawn.suggestions import Suggestion, suggest_readings

__all__ = [
    "Group",
    "Suggestion",
    "drawings_of",
    "groups_of",
    "kinds_that_fit",
    "note_of_unread",
    "read_drawings",
    "sketches_of",
    "suggest_readings",
]
