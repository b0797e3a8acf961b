"""From a sheet to the puzzle that everything else works with: as it is asked for, or the error that says why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gridproof.errors import InputError, NotUnderstoodError, PuzzleFormatError
from gridproof.formats.notation import Form, Item, Puzzle, Shapes, readable
from gridproof.formats.shapes import usual
from gridproof.formats.sheet import Sheet
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry


def item_of(sheet: Sheet, text: str, line: int, asked: Shapes) -> Item:
    """The puzzle of a sheet, or its error: of another shape than is asked for, or not understood.

    text, line: where the sheet was read from. asked: also says whether entries are clues, and whether a puzzle is taken
    of which something was not read that may be a rule.
    """
    try:
        sheet = replace(sheet, board=shaped(sheet.board, asked))
    except InputError as problem:
        return PuzzleFormatError(str(problem), text=readable(text), expected="", line=line, column=1)
    if asked.entries_as_clues:
        sheet = sheet.with_entries_as_clues()
    text = readable(text.strip())
    if sheet.not_understood and not asked.despite_unread:
        return NotUnderstoodError(sheet, text=text, line=line)
    board = replace(sheet.board, filled=sheet.entries)
    return Puzzle(board, Form.LINE, text, line, answer=sheet.solution, title=sheet.title, sheet=sheet)


def shaped(board: Board, asked: Shapes, where: str = "") -> Board:
    """The board with the further houses that are asked for; no other shape may be asked for than it has.

    where: what its shape was said by. Raises ``InputError``.
    """
    own, wanted = board.geometry, asked.wanted(board.geometry.order)
    if wanted is None or wanted == own or (asked.fixed is None and wanted == usual(own.order)):
        return board
    if wanted.order == own.order and {*_houses(own)} <= {*_houses(wanted)}:
        return replace(board, geometry=wanted)
    raise InputError(
        f"{where}a board of {own.description}, where {wanted.description} is asked for; expected the shape in one place"
    )


def _houses(geometry: Geometry) -> Iterator[frozenset[int]]:
    return (frozenset(house.cells) for house in geometry.houses)
