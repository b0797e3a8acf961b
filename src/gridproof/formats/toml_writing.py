"""The text of a puzzle file of our own; ``known/toml.py`` reads it again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from gridproof.errors import BoardError
from gridproof.formats.known.text import marks_line
from gridproof.formats.puzzle import Puzzle, make_readable
from gridproof.formats.stated_writing import drawn_tables, list_shape_values, rule_values, unread_tables, write_rows
from gridproof.formats.symbols import write_names
from gridproof.text import CONTROL


def write_puzzle(puzzle: Puzzle) -> str:
    """Return the text of a puzzle file, without the last line end.

    Examples
    --------
    >>> from gridproof.formats import read_puzzle
    >>> print(write_puzzle(read_puzzle("12342341341241..")).replace('"', "'"))
    clues = '''
    1234
    2341
    3412
    41..
    '''
    """
    board = puzzle.board
    geometry = board.geometry
    values: dict[str, Any] = {"title": puzzle.title, "author": puzzle.author, "prose": puzzle.prose}
    if board.marks is not None and not geometry.is_plain:
        raise BoardError(f"pencil marks on a board of {geometry.description}; expected none, or the digits from 1 on")
    values["clues"] = write_rows(board.clues, geometry) if board.marks is None else marks_line(board)
    if any(board.filled):
        values["filled"] = write_rows(board.filled, geometry)
    if puzzle.solution:
        values["solution"] = write_rows(puzzle.solution, geometry)
    values |= list_shape_values(geometry)
    values["symbols"] = write_names(puzzle.symbol_texts)
    lines = _write_keys({key: value for key, value in values.items() if value})
    for rule in board.rules:
        lines += ["", "[[rule]]"]
        lines += _write_keys(rule_values(rule, geometry))
    drawn, groups = drawn_tables(puzzle)
    for group in groups:
        lines += ["", "[[drawn]]"]
        lines += _write_keys(group.values)
        if group.reading is not None:
            lines.append(f"# read as {CONTROL.sub(' ', group.reading)}: its rules stand above")
        if group.is_ignored:
            lines.append("ignored = true")
    for part in unread_tables(puzzle, drawn):
        lines += ["", "[[unread]]"]
        lines += _write_keys(part)
    return "\n".join(lines)


def _write_keys(values: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_write_value(value)}" for key, value in values.items()]


def _write_value(value: object) -> str:
    """Return a value as TOML writes it. Raises ``BoardError`` for text that no file can hold."""
    if isinstance(value, dict):
        entries = [f"{_write_value(key)} = {_write_value(entry)}" for key, entry in value.items()]
        return f"{{ {', '.join(entries)} }}"
    if isinstance(value, (list, tuple)):
        entries = [_write_value(entry) for entry in value]
        return f"[{', '.join(entries)}]"
    if isinstance(value, str):
        return _write_text(value)
    return json.dumps(value)


def _write_text(text: str) -> str:
    """Return a text in quotes; one of several lines as several lines."""
    if "\n" in text:
        lines = [_write_text(line)[1:-1] for line in text.split("\n")]
        return '"""\n' + "\n".join(lines) + '"""'
    if make_readable(text) != text:
        raise BoardError(f"{make_readable(text)!r} in a puzzle file; expected text that UTF-8 can write")
    return CONTROL.sub(escape_control, json.dumps(text, ensure_ascii=False))


def escape_control(control: re.Match[str]) -> str:
    """Return a control character as TOML writes it in a text."""
    return f"\\u{ord(control[0]):04x}"
