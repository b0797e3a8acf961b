"""JSON lines: a record for each puzzle, with its board, its digits and its rules as data, and its rules as sentences.

::

    {"puzzle": ".Shape~4x4.Cage~5~R1C1~R1C2", "solution": null,
     "board": {"clues": "................", "boxes": "2x2"}, "digits": "1-4",
     "rule_list": [{"kind": "killer", "total": 5, "cells": ["r1c1", "r1c2"]}],
     "sentences": ["the killer cage r1c1 r1c2 sums to 5"]}

on one line. ``puzzle`` states the same as ``board``, ``digits`` and ``rule_list`` for whoever reads one text alone.
Records of other people have one of these: ``puzzle`` (or another name as in a table), or ``board`` with ``clues``. The
keys of ``board`` are those of a puzzle file. A record may have any further keys, such as a grade; ``rules`` and other
names of columns of rules, which nobody reads, are listed as unread.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from gridproof.errors import PuzzleFormatError
from gridproof.formats.catalog import EXTRAS, Format
from gridproof.formats.known.text import marks_line, to_line
from gridproof.formats.one_line import text_of
from gridproof.formats.puzzle import Item, Puzzle, make_readable
from gridproof.formats.reading import read_one
from gridproof.formats.shapes import Shapes
from gridproof.formats.stated_puzzle import CLUES, TYPES, read_stated
from gridproof.formats.stated_values import StatedValues
from gridproof.formats.stated_writing import drawn_tables, list_shape_values, rule_data, unread_tables
from gridproof.formats.symbols import write_names
from gridproof.formats.tables import PUZZLE_COLUMNS, RULE_COLUMNS, SOLUTION_COLUMNS, read_answer, unread_rules
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

_NAMES = re.compile(rf'"\s*(?:board|{"|".join(PUZZLE_COLUMNS)})\s*"\s*:', re.IGNORECASE)
_USUAL_DIGITS = re.compile(r"1-\d+")
MORE_KEYS = frozenset(("prose", "symbols", "unread", "drawn", *RULE_COLUMNS))
"""The keys of a record that state more than cells, a solution, a title and an author."""

_BESIDE = ("title", "author", "prose", "solution", "symbols", "unread", "drawn")
"""The keys of a puzzle file that stand in a record itself, not in its board."""


# ---- writing ---------------------------------------------------------------------------------------------------------


def puzzle_record(puzzle: Puzzle, shape: Any = Geometry.standard) -> dict[str, Any]:
    """Return the record of a puzzle. shape: that of ``puzzle`` where its text states none, as in ``text_of``.

    Examples
    --------
    >>> record = puzzle_record(Puzzle(Board.empty(Geometry.classic(2)).with_rules("even r1c1")))
    >>> record["board"], record["rule_list"]
    ({'clues': '................', 'boxes': '2x2'}, [{'kind': 'even', 'cells': ['r1c1']}])
    """
    board = puzzle.board
    geometry = board.geometry
    record: dict[str, Any] = {"puzzle": text_of(board, shape), "solution": None}
    if puzzle.solution:
        record["solution"] = to_line(puzzle.solution, geometry)
    for key in ("title", "author", "prose"):
        text = getattr(puzzle, key)
        if make_readable(text) != text:
            raise JSONL.refuse(f"{make_readable(text)!r}", "text that UTF-8 can write")
        if text:
            record[key] = text
    record["board"] = board_values(board)
    record["digits"] = str(geometry.digits)
    names = puzzle.symbol_texts
    if names:
        record["symbols"] = write_names(names)
    record["rule_list"] = rule_list(board)
    record["sentences"] = [rule.sentence(geometry) for rule in board.rules]
    drawn, groups = drawn_tables(puzzle)
    if groups:
        record["drawn"] = []
        for group in groups:
            values = dict(group.values)
            if group.is_ignored:
                values["ignored"] = True
            record["drawn"].append(values)
    unread = unread_tables(puzzle, drawn)
    if unread:
        record["unread"] = unread
    return record


def board_values(board: Board) -> dict[str, Any]:
    """Return the cells of a board and its shape by the keys of a puzzle file."""
    geometry = board.geometry
    values: dict[str, Any] = {"clues": to_line(board.clues, geometry)}
    if board.marks is not None:
        if not geometry.is_plain:
            raise JSONL.refuse(f"pencil marks on a board of {geometry.description}", "the digits from 1 on")
        values["clues"] = marks_line(board)
    if any(board.filled):
        values["filled"] = to_line(board.filled, geometry)
    if geometry.box_shape is not None:
        high, wide = geometry.box_shape
        values["boxes"] = f"{high}x{wide}"
    for key, value in list_shape_values(geometry).items():
        if value and key != "digits":
            values[key] = value
    return values


def rule_list(board: Board) -> list[dict[str, Any]]:
    """Return the rules of a board as data: for each its kind, and those of its parameters that are not as usual.

    Examples
    --------
    >>> rule_list(Board.empty(Geometry.classic(2)).with_rules("killer 5 r1c1 r1c2"))
    [{'kind': 'killer', 'total': 5, 'cells': ['r1c1', 'r1c2']}]
    """
    return [rule_data(rule, board.geometry) for rule in board.rules]


def write_record(puzzle: Puzzle) -> str:
    """Return the line of a puzzle. Raises ``BoardError``."""
    return json.dumps(puzzle_record(puzzle))


# ---- reading ---------------------------------------------------------------------------------------------------------


def is_record(text: str) -> bool:
    """Return whether a line is a record with a puzzle."""
    stripped = text.strip()
    if not stripped.startswith("{") or not stripped.endswith("}") or _NAMES.search(stripped) is None:
        return False
    record = load_record(stripped)
    return isinstance(record.get("board"), dict) or puzzle_key(record) is not None


@lru_cache(maxsize=1)
def load_record(text: str) -> dict[str, Any]:
    """Return the record of a line, or an empty one for a line that is none; it is recognised and read one by one."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def puzzle_key(record: Mapping[str, Any], column: str | None = None) -> str | None:
    """Return the key of the puzzle of a record, or ``None``: that of a text or a list of cells.

    column: the name of the key, if it is none of the usual.
    """
    if column is not None:
        return find_key(record, (column.strip().casefold(),))
    return find_key(record, PUZZLE_COLUMNS)


def find_key(record: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    """Return the key of a record that is the first of some names, in any case, and has a text or a list."""
    keys = {key.strip().casefold(): key for key in record}
    for name in names:
        if name in keys and isinstance(record[keys[name]], (str, list)):
            return keys[name]
    return None


def read_record(text: str, shapes: Shapes) -> Iterator[Item]:
    """Yield the puzzle of a line, or its error."""
    record = load_record(text)
    item: Item
    if isinstance(record.get("board"), dict) and shapes.column is None:
        item = read_usual(record, text, shapes) or read_board(record, text, shapes)
    else:
        item = read_text(record, text, shapes)
    if isinstance(item, PuzzleFormatError):
        item.record = record
    yield item


def read_usual(record: Mapping[str, Any], text: str, shapes: Shapes) -> Puzzle | None:
    """Return the puzzle of a record that states cells alone; ``None`` for another record.

    So nearly all records are; by their text they are read three times as fast.
    """
    if not states_cells_alone(record):
        return None
    item = read_text(record, text, shapes)
    if isinstance(item, PuzzleFormatError) or not has_shape(record, item.board.geometry):
        return None
    return item


def states_cells_alone(record: Mapping[str, Any]) -> bool:
    """Return whether a record has nothing that matters but cells and boxes, and perhaps a solution."""
    if record.get("rule_list") or not MORE_KEYS.isdisjoint(record):
        return False
    board = record.get("board")
    if board is None:
        return True
    return isinstance(board, dict) and board.keys() == {"clues", "boxes"} and board["clues"] == record.get("puzzle")


def has_shape(record: Mapping[str, Any], geometry: Geometry) -> bool:
    """Return whether boxes and digits that a record of cells alone states, if it does, are those of a geometry."""
    if record.get("digits") not in (None, str(geometry.digits)):
        return False
    if record.get("board") is None:
        return True
    boxes = geometry.box_shape
    return geometry.is_plain and boxes is not None and record["board"]["boxes"] == f"{boxes[0]}x{boxes[1]}"


def read_board(record: Mapping[str, Any], text: str, shapes: Shapes) -> Puzzle:
    """Return the puzzle that the keys of a record state, whose text states the same if there is one.

    Raises ``PuzzleFormatError``.
    """
    place = shapes.place
    values = dict(record["board"])
    digits = record.get("digits")
    if isinstance(digits, str) and ("size" in values or not _USUAL_DIGITS.fullmatch(digits)):
        values["digits"] = digits
    if record.get("rule_list") is not None:
        values["rule"] = record["rule_list"]
    for key in _BESIDE:
        if record.get(key) is not None:
            values[key] = record[key]
    puzzle = read_stated(StatedValues(values, text, place, TYPES, required=CLUES), shapes, text)
    own_digits = str(puzzle.board.geometry.digits)
    if isinstance(digits, str) and digits != own_digits:
        raise place.error(f"digits {digits} of a board whose digits are {own_digits}", "", own_digits, given=text)
    own_key = puzzle_key(record)
    if own_key is not None and record[own_key] != text_of(puzzle.board):
        other = read_one(as_text(record[own_key]), Shapes(puzzle.board.geometry, place=place))
        if isinstance(other, PuzzleFormatError) or content_of(other.board) != content_of(puzzle.board):
            raise place.error(f"{own_key} and board state two different puzzles", text, "the same, or one of them")
    return replace(puzzle, record=record)


def content_of(board: Board) -> object:
    """Return what a board states; a kind of one's own is another class whenever its file is read."""
    rules = sorted([rule.text(board.geometry) for rule in board.rules])
    return board.geometry, board.clues, board.marks, rules


def read_text(record: Mapping[str, Any], text: str, shapes: Shapes) -> Item:
    """Return the puzzle of a record that has it as a text, as the record of a table has it."""
    place = shapes.place
    key = puzzle_key(record, shapes.column)
    if key is None:
        expected = shapes.column or " or ".join(PUZZLE_COLUMNS)
        return place.error("a record without a puzzle", "", f"a key {expected}", given=text)
    field = as_text(record[key])
    shapes = shapes.of_field()
    item = read_one(field, shapes)
    if isinstance(item, PuzzleFormatError):
        return item
    solution = item.solution
    answer_key = find_key(record, SOLUTION_COLUMNS)
    if answer_key is not None and record[answer_key]:
        given = read_answer(as_text(record[answer_key]), item, lambda answer: read_one(answer, shapes, True), place)
        if isinstance(given, PuzzleFormatError):
            return given
        solution = given
    rules = []
    for name, value in record.items():
        if name.strip().casefold() in RULE_COLUMNS:
            rules.append((name, as_text(value)))
    return replace(
        item,
        title=item.title or text_in(record, "title"),
        author=item.author or text_in(record, "author"),
        solution=solution,
        unread=item.unread + unread_rules(rules),
        text=field,
        record=record,
    )


def as_text(value: Any) -> str:
    """Return the value of a key as the text of a table: a text as it is, anything else as JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(value)


def text_in(record: Mapping[str, Any], key: str) -> str:
    """Return the text of a key, empty if there is none."""
    value = record.get(key)
    return value if isinstance(value, str) else ""


JSONL = Format(
    name="jsonl",
    summary="JSON lines: a record each, with board, digits and rules as data",
    endings=(".jsonl", ".ndjson"),
    by_line=True,
    sniff=is_record,
    read=read_record,
    write=write_record,
    keeps=tuple(EXTRAS),
    has_digits=True,
    examples=(
        '{"question": "1... .... .... ...2", "rating": 1.5}',
        '{"board": {"clues": "1..............2"}, "rule_list": [{"kind": "even", "cells": ["r1c2"]}]}',
    ),
)
FORMATS = (JSONL,)
