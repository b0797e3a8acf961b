"""Text of boards whose shape and digits are stated: each cell is a digit or a blank, and nothing is guessed.

Where digits are others than 1 to the order of the board, neither the shape nor the meaning of 0 follows from a text. So
they have to be stated, and with them reading is plain: a line is a board, or as many lines as it has rows are one. 0 is
a digit if the board has it, otherwise a blank as ``. * _ -`` are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gridproof.formats.catalog import may_be_wrapped, read_in_format, recognise
from gridproof.formats.puzzle import Item, Puzzle
from gridproof.formats.shapes import Shapes
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.text import counted, quote

BLANKS = (".", "*", "_", "-", "0")
"""The signs of a blank cell; 0 only where it is no digit of the board."""

_RULING = re.compile(r"[-+=|\s]*[+=][-+=|\s]*|-+\|[-|]*")
"""A line that is drawn between rows."""


class CellReader:
    """A reader that takes lines one after the other and returns the puzzles, and the errors, that they complete.

    A line that is neither a board nor a row of one may be that of another program, such as a link. ended: True after a
    line ``end``; later lines are ignored.
    """

    def __init__(self, shapes: Shapes, geometry: Geometry) -> None:
        self.ended = False
        self._shapes = shapes
        self._place = shapes.place
        self._geometry = geometry
        self._table = cell_table(geometry)
        self._rows: list[list[str]] = []
        self._lines: list[str] = []
        self._first = 0

    def take(self, number: int, text: str) -> Sequence[Item]:
        """Return the puzzle or the error that the line completes."""
        line = text.strip()
        if line == "end":
            self.ended = True
            return self.close()
        if not line or line.startswith("#") or _RULING.fullmatch(line):
            return ()
        cells = self._split(line)
        is_board = not self._rows and len(cells) == self._geometry.cell_count
        is_row = len(cells) == self._geometry.columns
        if not (self._rows or is_board or is_row) and may_be_wrapped(text):
            form = recognise(text)
            if form is not None:
                return list(read_in_format(form, text, self._shapes, number))
        if not self._rows:
            self._first = number
        self._lines.append(line)
        if is_board:
            return [self._complete(cells)]
        if not is_row:
            expected = f"{self._geometry.columns} cells in a row, or all {self._geometry.cell_count} in one line"
            return [self._refuse(f"{len(cells)} cells", expected)]
        self._rows.append(cells)
        if len(self._rows) < self._geometry.rows:
            return ()
        every_cell: list[str] = []
        for row in self._rows:
            every_cell += row
        return [self._complete(every_cell)]

    def close(self) -> Sequence[Item]:
        """Return the error of rows that are too few."""
        if not self._rows:
            return ()
        return [self._refuse(f"{counted(len(self._rows), 'row')}", f"{counted(self._geometry.rows, 'row')}")]

    def _split(self, line: str) -> list[str]:
        """Return the text of each cell of a line: its words, or its characters if digits are written as one each."""
        words = line.replace("/", " ").replace("|", " ").replace(",", " ").split()
        is_of_words = all(word.upper() in self._table for word in words)
        if is_of_words or not self._geometry.symbol_characters:
            return words
        return list("".join(words))

    def _complete(self, cells: Sequence[str]) -> Item:
        """Return the puzzle of all cells, or the error of the first that is neither a digit nor a blank."""
        for cell, word in enumerate(cells):
            if word.upper() not in self._table:
                where = self._geometry.cell_name(cell)
                expected = f"a digit of {self._geometry.digits}, or one of {' '.join(self._blanks())} for a blank cell"
                return self._refuse(f"{quote(word)} in {where}", expected)
        board = Board(self._geometry, tuple([self._table[word.upper()] for word in cells]))
        puzzle = Puzzle(board, text="\n".join(self._lines), line=self._first, source=self._place.source)
        self._begin_anew()
        return puzzle

    def _blanks(self) -> list[str]:
        return [sign for sign in BLANKS if self._table[sign] == 0]

    def _refuse(self, problem: str, expected: str) -> Item:
        problem = f"{problem} on a board of {self._geometry.description}"
        error = self._place.error(problem, "\n".join(self._lines), expected, self._first)
        self._begin_anew()
        return error

    def _begin_anew(self) -> None:
        self._rows = []
        self._lines = []


def cell_table(geometry: Geometry) -> dict[str, int]:
    """Return each way to write a cell, with its symbol; 0 for a blank."""
    table = dict.fromkeys(BLANKS, 0)
    for symbol in geometry.symbols:
        table[geometry.symbol_text(symbol)] = symbol
        table[str(geometry.digits.digit(symbol))] = symbol
    return table
