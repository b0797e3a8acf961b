"""The keys that state a puzzle: its shape, its rules, its drawings, and what of it was not read.

``stated_puzzle.py`` reads them again, from a puzzle file in TOML or from a record in JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gridproof.formats.known.text import to_rows_text
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import usual_geometry
from gridproof.puzzle.geometry import Geometry

if TYPE_CHECKING:
    from gridproof.rules import Rule

FAMILIES = {"diagonal": "diagonals", "windoku": "windoku", "disjoint": "disjoint groups"}
"""The keys of families of further houses, and the names that a geometry has for these."""


def write_rows(values: Sequence[int], geometry: Geometry) -> str:
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
        return write_rows([number + 1 for number in regions], geometry)
    lines = []
    for start in range(0, len(regions), geometry.columns):
        labels = [str(number + 1) for number in regions[start : start + geometry.columns]]
        lines.append(" ".join(labels))
    return "\n".join(lines) + "\n"


def rule_values(rule: Rule, geometry: Geometry) -> dict[str, Any]:
    """Return the kind of a rule and those of its parameters that are not as usual, cells as one text."""
    from gridproof.rules.cells import cell_names

    values: dict[str, Any] = {"kind": rule.name_or_path}
    for name, kind, value in _unusual_values(rule):
        if kind == "cells":
            values[name] = cell_names(value, geometry)
        elif kind == "lines":
            lines = [cell_names(line, geometry) for line in value]
            values[name] = lines
            if len(lines) == 1:
                values[name] = lines[0]
        elif kind == "rules":
            inside = rule.board_inside(geometry, vars(rule))
            values[name] = [inner.text(inside) for inner in value]
        else:
            values[name] = value
    return values


def rule_data(rule: Rule, geometry: Geometry) -> dict[str, Any]:
    """Return the same for programs: cells as a list of names, lines as a list of such lists, rules as data.

    Examples
    --------
    >>> from gridproof.puzzle.board import Board
    >>> board = Board.empty(Geometry.classic(2)).with_rules("killer 5 r1c1 r1c2")
    >>> rule_data(board.rules[0], board.geometry)
    {'kind': 'killer', 'total': 5, 'cells': ['r1c1', 'r1c2']}
    """
    data: dict[str, Any] = {"kind": rule.name_or_path}
    for name, kind, value in _unusual_values(rule):
        if kind == "cells":
            data[name] = [geometry.cell_name(cell) for cell in value]
        elif kind == "lines":
            data[name] = []
            for line in value:
                data[name].append([geometry.cell_name(cell) for cell in line])
        elif kind == "rules":
            inside = rule.board_inside(geometry, vars(rule))
            data[name] = [rule_data(inner, inside) for inner in value]
        elif isinstance(value, tuple):
            data[name] = list(value)
        else:
            data[name] = value
    return data


def _unusual_values(rule: Rule) -> Iterator[tuple[str, str, Any]]:
    """Yield name, type and value of each parameter that is not as usual."""
    from gridproof.rules import find

    defaults = find(rule.name_or_path).defaults()
    for name, kind, value in rule.stated_values():
        is_default = value == defaults[name] and type(value) is type(defaults[name])
        if not is_default:
            yield name, kind, value


class DrawnTable(NamedTuple):
    """The keys of a group of drawings.

    is_ignored: whether it is no rule. reading: the kind of rule that somebody has read it as, if any.
    """

    values: dict[str, Any]
    is_ignored: bool
    reading: str | None


def drawn_tables(puzzle: Puzzle) -> tuple[set[str], list[DrawnTable]]:
    """Return the names of the parts of a puzzle that are drawings, and the tables of their groups.

    A group that was read is one that is ignored from now on, because its rules are written as rules.
    """
    if not puzzle.unread:
        return set(), []
    from gridproof.formats.drawn.drawings import all_groups_of
    from gridproof.formats.drawn.of_toml import table_of

    unread = {part.where for part in puzzle.not_understood}
    reading_of = {group.letter: group.reading for group in puzzle.as_read}
    parts: set[str] = set()
    tables = []
    for group in all_groups_of(puzzle):
        parts.update(group.parts())
        is_ignored = not unread.intersection(group.parts())
        reading = reading_of.get(group.letter) if is_ignored else None
        tables.append(DrawnTable(table_of(group, puzzle.board.geometry), is_ignored, reading))
    return parts, tables


def unread_tables(puzzle: Puzzle, drawn: set[str]) -> list[dict[str, Any]]:
    """Return the keys of each part that was not read and may be a rule. drawn: the parts that are drawings."""
    tables = []
    for part in puzzle.not_understood:
        if part.where in drawn:
            continue
        values: dict[str, Any] = {"where": part.where, "what": part.what}
        if not part.relaxes:
            values["relaxes"] = False
        tables.append(values)
    return tables
