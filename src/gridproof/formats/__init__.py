"""Puzzle text to boards and back: ``read`` and ``parse``, ``write`` and the forms it knows.

``read`` takes any mixture of these, and any of them alone (``#`` at the start of a line or after white space begins a
comment; blank lines, Windows or old Macintosh line ends, a byte-order mark and UTF-16 do no harm):

- a puzzle on one line: n*n characters, n*n numbers, or n*n*n characters of pencil marks; beside it may stand a name or
  a rating, if that cannot be taken for cells;
- a puzzle on n lines: characters or numbers, plain, in brackets, decorated with bars and dashes, or as fields of a
  spreadsheet, where a blank may be nothing; in its middle may stand comments, and blank lines between the bands of
  boxes; a heading such as ``Grid 01`` may stand before it, numbers of rows and columns around it;
- a CSV file, told by its first line, which names a column ``puzzle``, ``question`` or ``quizzes``;
- a puzzle file of our own, with rules: TOML with a key ``clues``, the only puzzle of its source (``toml_puzzle.py``);
- links, strings and files of other programs (``known/``), and links that hold the cells of a puzzle (``pasted.py``);
- a line ``end``, after which nothing is read.

Symbols are 1-9 and A-Z, 0-9 and A-Z, or letters only; blanks ``. 0 * _ -``, or ``x``, ``?`` or a space alone. What
``0`` is, a puzzle's own text tells, or it is refused (see ``readings.py``).

A puzzle that is malformed gives one error in its place. In lines of one puzzle each that is the line; in a block of
rows, which ends at a blank line, a heading, a second frame or a one-line puzzle, it is the block; where a block holds
several times n rows, only those n that the damage is in. What the number of cells does not settle (see ``one_line.py``
and ``blocks.py``) a geometry does.

pasted.py -> notation.py -> readings.py    what is around cells, a line, what its characters stand for
one_line.py, drawn.py -> blocks.py         a puzzle on one line, a puzzle on several
matrix.py                                  thousands of lines that can only be a puzzle, at once
tables.py                                  columns and records of CSV files
shapes.py -> toml_puzzle.py                puzzle files of our own
catalog.py, known/                         formats of other programs, one file each
fpuzzles.py, sudokupad.py, iss.py          their readers and writers, where these are long; programs.py: what they share
reading.py                                 a stream of all these, cut into puzzles
writing.py                                 boards and grids in every form that is read
values.py                                  lists, arrays and pencil marks instead of text
lzstring.py, shortened.py -> links.py      what is behind a link
drawings.py -> fpuzzles.py, sudokupad.py   what it says; what of it is unread
"""

from gridproof.formats.one_puzzle import parse, read_puzzle
from gridproof.formats.puzzle import Form, Puzzle, Symbols, Unread
from gridproof.formats.reading import LONGEST_BLOCK, read
from gridproof.formats.shapes import Shape, Zero
from gridproof.formats.solutions import SolutionWriter, renamed, write_grid
from gridproof.formats.values import PuzzleLike, from_array, from_marks, from_rows, to_array, to_lists
from gridproof.formats.writing import (
    to_decorated,
    to_judge,
    to_line,
    to_lists_text,
    to_mark_grid,
    to_marks,
    to_numbers,
    to_rows_text,
    to_toml,
    write,
)

__all__ = [
    "LONGEST_BLOCK",
    "Form",
    "Puzzle",
    "PuzzleLike",
    "Shape",
    "SolutionWriter",
    "Symbols",
    "Unread",
    "Zero",
    "from_array",
    "from_marks",
    "from_rows",
    "parse",
    "read",
    "read_puzzle",
    "renamed",
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
    "to_toml",
    "write",
    "write_grid",
]


def __dir__() -> list[str]:
    return __all__
