"""Drawings in a puzzle file of our own: a table ``[[drawn]]`` for each group, and the kind of rule that a person names.

::

    [[drawn]]
    look = "2 green lines"
    form = "plain"
    colour = "#67f067"
    cells = ["r1c1 r1c2 r1c3", "r4c1 r4c2"]
    read = "whispers"

Without ``read`` the file is not understood; ``ignored = true`` states that the drawings are no rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gridproof.errors import InputError
from gridproof.formats.drawn.colours import Colour
from gridproof.formats.drawn.groups import NOUNS, Group, Look, letter_of
from gridproof.formats.drawn.items import DrawnItem
from gridproof.formats.drawn.lines import chain_pieces, join_pieces
from gridproof.formats.drawn.meanings import mean
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule
from gridproof.rules.cells import cell_names, read_cells
from gridproof.text import counted
from gridproof.toml_tables import TomlTable

_KEYS = ("look", "form", "colour", "cells", "texts", "read", "ignored")


class DrawnTable(NamedTuple):
    """A group of a file, with the kind of rule that it is read as; ``None`` if nobody has named one."""

    group: Group
    reading: str | None
    is_ignored: bool


def read_table(number: int, entry: object, geometry: Geometry) -> DrawnTable:
    """Return the group of an entry of ``drawn``. number: its place in the file, from 1."""
    if not isinstance(entry, Mapping):
        raise InputError(f'{entry!r:.60}; expected form = "plain" and cells = [...]')
    table = TomlTable("drawn", entry, keys=_KEYS)
    form = table.choice("form", NOUNS)
    lines = _read_texts(table, "cells")
    texts = _read_texts(table, "texts") or [""] * len(lines)
    if len(texts) != len(lines):
        raise table.refusal("texts", f"one for each of {counted(len(lines), 'drawing')}")
    colour = None
    if "colour" in table:
        colour = Colour.of(table.text("colour"))
        if colour is None:
            raise table.refusal("colour", "a colour such as #67f067")
    where = f"drawn {number}"
    items = []
    for line, text in zip(lines, texts, strict=True):
        cells: tuple[int, ...] = ()
        if line.strip():  # a picture beside the board is at no cell
            cells = tuple(read_cells(line, geometry))
        items.append(DrawnItem("tables", (), fill=colour, text=text, form=form, cells=cells, parts=(where,)))
    words = table.text("look") if "look" in table else NOUNS[form].several
    group = Group(letter_of(number - 1), Look(form, colour), tuple(items), words)
    reading = table.text("read") if "read" in table else None
    return DrawnTable(group, reading, table.choice("ignored", (True, False), False))


def _read_texts(table: TomlTable, key: str) -> list[str]:
    values: Any = table.values.get(key, [])
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise table.refusal(key, "a list of texts")
    return values


def groups_of_entries(entries: Sequence[object], geometry: Geometry) -> list[Group]:
    """Return the groups of entries of ``drawn`` that were read before."""
    groups = []
    for number, entry in enumerate(entries, 1):
        groups.append(read_table(number, entry, geometry).group)
    return groups


def rules_of_table(drawn: DrawnTable, geometry: Geometry) -> Sequence[Rule]:
    """Return the rules of a group that was read; none of one that was not."""
    if drawn.reading is None:
        return ()
    return mean(drawn.group, drawn.reading, geometry).rules


def table_of(group: Group, geometry: Geometry) -> dict[str, Any]:
    """Return the values of the table of a group: each line that was drawn in pieces as one, where it is a path."""
    lines: list[str] = []
    texts: list[str] = []
    for pieces in join_pieces(group.items):
        paths = [piece.cells for piece in pieces]
        path = chain_pieces(paths) if all(paths) else None
        text = pieces[0].text
        if pieces[0].form == "pointer":
            text = " ".join([end.text for end in pieces[0].ends])
        if pieces[0].form != "bulb" and path is not None:
            paths = [path]
        for cells in paths:
            lines.append(cell_names(cells, geometry))
            texts.append(text)
    values: dict[str, Any] = {"look": group.words, "form": group.look.form}
    if group.look.colour is not None:
        values["colour"] = group.look.colour.code
    values["cells"] = lines
    if any(texts):
        values["texts"] = texts
    return values
