"""Puzzle text to boards and back: ``read`` and ``parse``, ``write`` and the forms it knows.

``read`` takes any mixture of these, and any of them alone (``#`` at the start of a line or after white space begins a
comment; blank lines, Windows or old Macintosh line ends and a byte-order mark do no harm):

- a puzzle on one line: n*n characters (``. 0 * _ -`` are blanks), n*n numbers, or n*n*n characters of pencil marks;
  beside it may stand a name or a rating, if that cannot be taken for cells;
- a puzzle on n lines: characters or numbers, plain, in brackets, or decorated with bars and dashes; in its middle may
  stand comments, and blank lines between the bands of boxes; a heading such as ``Grid 01`` may stand before it;
- a CSV file, told by its first line, which names a column ``puzzle``, ``question`` or ``quizzes``;
- a line ``end``, after which nothing is read.

A puzzle that is malformed gives one error in its place. In lines of one puzzle each that is the line; in a block of
rows, which ends at a blank line, a heading, a second frame or a one-line puzzle, it is the block; where a block holds
several times n rows, only those n that the damage is in. What the number of cells does not settle (see ``one_line.py``
and ``blocks.py``) a geometry does.

notation.py -> one_line.py -> blocks.py    a line, a puzzle on one line, a puzzle on several
tables.py                                  records of CSV files
reading.py                                 a stream of all these, cut into puzzles
writing.py                                 boards and grids in every form that is read
values.py                                  lists, arrays and pencil marks instead of text
"""

from gridproof.formats.notation import Form, Puzzle, Shape
from gridproof.formats.reading import LONGEST_BLOCK, parse, read
from gridproof.formats.values import PuzzleLike, from_array, from_marks, from_rows, to_array, to_lists
from gridproof.formats.writing import (
    SolutionWriter,
    to_decorated,
    to_judge,
    to_line,
    to_lists_text,
    to_mark_grid,
    to_marks,
    to_numbers,
    to_rows_text,
    write,
    write_grid,
)

__all__ = [
    "LONGEST_BLOCK",
    "Form",
    "Puzzle",
    "PuzzleLike",
    "Shape",
    "SolutionWriter",
    "from_array",
    "from_marks",
    "from_rows",
    "parse",
    "read",
    "to_array",
    "to_decorated",
    "to_judge",
    "to_line",
    "to_lists",
    "to_lists_text",
    "to_mark_grid",
    "to_marks",
    "to_numbers",
    "to_rows_text",
    "write",
    "write_grid",
]
