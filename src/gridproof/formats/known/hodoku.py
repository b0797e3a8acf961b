"""Lines of HoDoKu's library: ``:0000:x:81 cells:excluded candidates:...``, and cells with ``+`` before placed digits.

The digits behind a ``+`` were placed by a solver: they are entries, no clues. The candidates that it has excluded are
missing in the notes: a verdict is about the puzzle as it was given, only steps go on from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from gridproof.errors import InputError, PuzzleFormatError, shortened
from gridproof.formats.catalog import Format
from gridproof.formats.puzzle import Puzzle, Unread
from gridproof.formats.reading import read_plain
from gridproof.formats.shapes import Shapes
from gridproof.formats.writing import to_line

_LINE = re.compile(r"\s*(?::[\w-]{4,8}:[^:]*:)?([0-9.]*(?:\+[1-9][0-9.]*)*)((?::[^:]*)*)\s*")


def _sniff(text: str) -> bool:
    line = _LINE.fullmatch(text) if "+" in text or text.lstrip()[:1] == ":" else None
    return line is not None and len(line[1]) > 15


def _read(text: str, shapes: Shapes) -> Iterator[Puzzle | PuzzleFormatError]:
    line = _LINE.fullmatch(text)
    if line is None:
        raise InputError(f"{shortened(text.strip())} is no line of HoDoKu's library; expected :0000:x:81 cells:::")
    cells, excluded = re.findall(r"\+?.", line[1]), [*line[2].split(":"), "", ""][1].strip()
    notes = [511] * len(cells)
    for symbol, row, column in re.findall("([1-9])([1-9])([1-9])", excluded if len(cells) == 81 else ""):
        notes[9 * int(row) + int(column) - 10] &= ~(1 << (int(symbol) - 1))
    filled = tuple(int(cell[1:] or 0) for cell in cells)
    entries = filled if any(filled) else ()
    unread = (Unread("candidates", f"{shortened(excluded)} excluded by a solver", False),) if excluded else ()
    for puzzle in read_plain("".join("." if cell[0] == "+" else cell for cell in cells), shapes):
        if isinstance(puzzle, Puzzle):
            board = replace(puzzle.board, filled=entries)
            puzzle = replace(puzzle, board=board, unread=unread, notes=tuple(notes) if excluded else None)
        yield puzzle


def _write(puzzle: Puzzle) -> str:
    board = HODOKU.clues_only(puzzle, 9)
    entries = board.filled or (0,) * 81
    cells = to_line(board.clues, board.geometry)
    return f":0000:x:{''.join(f'+{entry}' if entry else cell for cell, entry in zip(cells, entries, strict=True))}:::"


HODOKU = Format(
    name="hodoku",
    summary="lines of HoDoKu's library",
    by_line=True,
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=("filled digits",),
    examples=(
        ":0000:x:53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79:::",
        ":0701-1:2:53+4.7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79:121 221:288:",
    ),
)
FORMATS = (HODOKU,)
