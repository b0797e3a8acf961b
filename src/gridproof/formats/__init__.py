"""Puzzle text to boards and back: ``read``, ``read_puzzle`` and ``parse``; and the formats of ``catalog``.

``read`` takes any mixture of these, and any of them alone (``#`` at the start of a line or after white space begins a
comment; blank lines, Windows or old Macintosh line ends, a byte-order mark and UTF-16 do no harm):

- a puzzle on one line: n*n characters, n*n numbers, or n*n*n characters of pencil marks; beside it may stand a name or
  a rating, if that cannot be taken for cells;
- a puzzle on n lines: characters or numbers, plain, in brackets, decorated with bars and dashes, or as fields of a
  spreadsheet, where a blank may be nothing; in its middle may stand comments, and blank lines between the bands of
  boxes; a heading such as ``Grid 01`` may stand before it;
- a CSV file, recognised by its first line, which names a column ``puzzle``, ``question``, ``quiz`` or a plural of them;
- a puzzle file of our own, with rules: TOML with a key ``clues``, the only puzzle of its source (``known/toml.py``);
- links, strings and files of other programs (``known/``);
- a line ``end``, after which nothing is read.

The number of cells decides the shape of a puzzle (``layouts.py``), and where it does not, a geometry does.
Symbols are those of three alphabets (``symbols.py``). A text that could be two different puzzles is refused. A puzzle
that is malformed gives one error in its place: the line of a puzzle on one line, else the rows that the damage is in.

puzzle.py, shapes.py                       the record of a puzzle, the shape that is requested
symbols.py, values.py                      the symbols of cells, in text; cells in Python values
lines.py, layouts.py                       a line taken apart; the puzzle of some lines
readings.py                                every reading of a block of lines, and the decision
blocks.py                                  a stream of lines, cut into blocks
places.py                                  where a text stands, handed down to whoever finds a fault in it
tables.py                                  records of CSV files
catalog.py, known/                         formats by name, a file or package for each family
reading.py, parquet.py, any_source.py      text of all these, one puzzle; Parquet files; any source
sources.py, datasets.py                    files and standard input; the sets that come with the package
"""

from gridproof.formats.any_source import read
from gridproof.formats.known.text import SolutionWriter, to_line, to_rows_text
from gridproof.formats.puzzle import Puzzle, Symbols, Unread
from gridproof.formats.reading import PuzzleLike, Source, parse, read_puzzle
from gridproof.formats.shapes import Shape, Zero

__all__ = [
    "Puzzle",
    "PuzzleLike",
    "Shape",
    "SolutionWriter",
    "Source",
    "Symbols",
    "Unread",
    "Zero",
    "parse",
    "read",
    "read_puzzle",
    "to_line",
    "to_rows_text",
]


def __dir__() -> list[str]:
    return __all__
