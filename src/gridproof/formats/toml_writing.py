"""The text of a puzzle file of our own; ``known/toml.py`` reads it again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gridproof.errors import BoardError
from gridproof.formats.known.text import marks_line, to_rows_text
from gridproof.formats.puzzle import Puzzle, make_readable
from gridproof.formats.shapes import usual_geometry
from gridproof.puzzle.geometry import Geometry
from gridproof.text import CONTROL

if TYPE_CHECKING:
    from gridproof.rules import Rule

FAMILIES = {"diagonal": "diagonals", "windoku": "windoku", "disjoint": "disjoint groups"}
"""The keys of families of further houses, and the names that a geometry has for these."""


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
    values["clues"] = _write_rows(board.clues, geometry) if board.marks is None else marks_line(board)
    if any(board.filled):
        values["filled"] = _write_rows(board.filled, geometry)
    if puzzle.solution:
        values["solution"] = _write_rows(puzzle.solution, geometry)
    values |= list_shape_values(geometry)
    lines = _write_keys({key: value for key, value in values.items() if value})
    for rule in board.rules:
        lines += ["", "[[rule]]"]
        lines += _write_keys(rule_values(rule, geometry))
    drawn, tables = _write_drawn(puzzle)
    lines += tables
    for part in puzzle.not_understood:
        if part.where in drawn:
            continue
        lines += ["", "[[unread]]"]
        lines += _write_keys({"where": part.where, "what": part.what})
        if not part.relaxes:
            lines.append("relaxes = false")
    return "\n".join(lines)


def _write_drawn(puzzle: Puzzle) -> tuple[set[str], list[str]]:
    """Return the tables of the groups of drawings, and which parts of the puzzle these are.

    A group that was read is one that is ignored from now on, because its rules are written as rules.
    """
    if not puzzle.unread:
        return set(), []
    from gridproof.formats.drawn.drawings import all_groups_of
    from gridproof.formats.drawn.of_toml import table_of

    unread = {part.where for part in puzzle.not_understood}
    reading_of = {group.letter: group.reading for group in puzzle.as_read}
    parts: set[str] = set()
    lines: list[str] = []
    for group in all_groups_of(puzzle):
        parts.update(group.parts())
        lines += ["", "[[drawn]]"]
        lines += _write_keys(table_of(group, puzzle.board.geometry))
        if not unread.intersection(group.parts()):
            reading = reading_of.get(group.letter)
            if reading is not None:
                lines.append(f"# read as {CONTROL.sub(' ', reading)}: its rules stand above")
            lines.append("ignored = true")
    return parts, lines


def _write_rows(values: Sequence[int], geometry: Geometry) -> str:
    """Return cells as text of n lines; of a board with one cell, without a line end."""
    text = to_rows_text(values, geometry)
    return f"{text}\n" if geometry.cell_count > 1 else text


def list_shape_values(geometry: Geometry) -> dict[str, Any]:
    """Return the keys that state a shape, empty ones where it has no such houses."""
    from gridproof.rules.cells import cell_names

    values: dict[str, Any] = {}
    if not geometry.is_plain:
        values["size"] = f"{geometry.rows}x{geometry.columns}"
        values["digits"] = str(geometry.digits)
    if geometry.box_shape is not None and not (geometry.is_plain and geometry == usual_geometry(geometry.order)):
        high, wide = geometry.box_shape
        values["boxes"] = f"{high}x{wide}"
    if geometry.regions:
        values["jigsaw"] = _write_regions(geometry.regions, geometry)
    values["latin"] = geometry.region_of is None
    for key, family in FAMILIES.items():
        values[key] = family in geometry.families
    houses: dict[str, list[str]] = {}
    for house in geometry.extra:
        houses.setdefault(house.kind, []).append(cell_names(house.cells, geometry))
    values["houses"] = houses
    if list(houses) == ["extra"]:
        values["houses"] = houses["extra"]
    return values


def _write_regions(regions: Sequence[int], geometry: Geometry) -> str:
    """Return the label of each cell's region in rows."""
    if geometry.is_plain:
        return _write_rows([number + 1 for number in regions], geometry)
    lines = []
    for start in range(0, len(regions), geometry.columns):
        labels = [str(number + 1) for number in regions[start : start + geometry.columns]]
        lines.append(" ".join(labels))
    return "\n".join(lines) + "\n"


def rule_values(rule: Rule, geometry: Geometry) -> dict[str, Any]:
    """Return the kind of a rule and those of its parameters that are not as usual."""
    from gridproof.rules import find
    from gridproof.rules.cells import cell_names

    defaults = find(rule.name_or_path).defaults()
    values: dict[str, Any] = {"kind": rule.name_or_path}
    for name, kind, value in rule.stated_values():
        is_default = value == defaults[name] and type(value) is type(defaults[name])
        if is_default:
            continue
        if kind == "cells":
            values[name] = cell_names(value, geometry)
        elif kind == "lines":
            lines = [cell_names(line, geometry) for line in value]
            values[name] = lines
            if len(lines) == 1:
                values[name] = lines[0]
        elif kind == "rules":
            values[name] = [inner.text(geometry) for inner in value]
        else:
            values[name] = value
    return values


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
