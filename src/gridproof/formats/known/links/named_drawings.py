"""Drawings that a person has read or ignored, in links: they are written back as they were, with a mark.

The mark states that a drawing is no further rule. Other programs leave it out when they save a puzzle; the drawing is
unread again then, and a person has to name it once more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gridproof.formats.known.links.f_puzzles import FPuzzlesReading
from gridproof.formats.known.links.payloads import data_in
from gridproof.formats.known.links.sudokupad import SudokuPadReading
from gridproof.formats.known.links.sudokupad_cages import Cage
from gridproof.formats.programs import NAMED, ProgramReader
from gridproof.formats.puzzle import Puzzle

_FORMATS = ("f-puzzles", "sudokupad-link", "sudokupad")
"""The formats of puzzles whose drawings can be written back."""

_KEYS_OF_PLACES = ("wayPoints", "cells")
"""The fields of drawings of SudokuPad that are lists of places."""


def named_of_f_puzzles(puzzle: Puzzle) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield key and item of each drawing of a puzzle that a person has read or ignored, as f-puzzles has it.

    Those of f-puzzles are written back as they were, those of other files by the cells that they are at.
    """
    data = _data_of(puzzle)
    if isinstance(data.get("grid"), list):
        reading = FPuzzlesReading(data)
        reading.read_puzzle()
        yield from _mark_named(puzzle, reading)
    elif puzzle.unread:
        from gridproof.formats.drawn.drawings import all_groups_of
        from gridproof.formats.drawn.to_f_puzzles import draw_item

        unread = {part.where for part in puzzle.not_understood}
        for group in all_groups_of(puzzle):
            if unread.isdisjoint(group.parts()):
                for item in group.items:
                    for key, fields in draw_item(item, puzzle.board.geometry.order):
                        yield key, {**fields, NAMED: True}


def named_of_sudokupad(puzzle: Puzzle) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield key and item of each drawing of a puzzle of SudokuPad that a person has read or ignored.

    Places are counted from the first cell of the board, because a frame around the board is not written.
    """
    data = _data_of(puzzle)
    if isinstance(data.get("cells"), list):
        reading = SudokuPadReading(data)
        reading.read_puzzle()
        for key, item in _mark_named(puzzle, reading):
            yield key, _without_frame(item, reading.top, reading.left)


def _data_of(puzzle: Puzzle) -> Mapping[str, Any]:
    """Return the data of the text of a puzzle, which is read again; nothing if it has no drawings to be written."""
    if puzzle.format not in _FORMATS or not puzzle.unread:
        return {}
    return data_in(puzzle.text.strip())


def _mark_named(puzzle: Puzzle, reading: ProgramReader) -> Iterator[tuple[str, dict[str, Any]]]:
    unread = {part.where for part in puzzle.not_understood}
    for drawing in reading.named + reading.drawings:
        fields = drawing.entry
        if isinstance(fields, Cage):
            fields = fields.fields
        if drawing.where not in unread and isinstance(fields, Mapping):
            yield drawing.key, {**fields, NAMED: True}


def _without_frame(item: dict[str, Any], top: int, left: int) -> dict[str, Any]:
    """Return a drawing with its places counted from the first cell of the board."""
    moved = dict(item)
    for key in _KEYS_OF_PLACES:
        if isinstance(item.get(key), list):
            moved[key] = [_move(place, top, left) for place in item[key]]
    if "center" in item:
        moved["center"] = _move(item["center"], top, left)
    return moved


def _move(place: Any, top: int, left: int) -> Any:
    if isinstance(place, list) and len(place) == 2:
        row, column = place
        if isinstance(row, (int, float)) and isinstance(column, (int, float)):
            return [row - top, column - left]
    return place
