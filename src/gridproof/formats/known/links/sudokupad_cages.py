"""The cages of a SudokuPad file: what each states, and why it may be no rule."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from gridproof.formats.programs import is_blank, is_empty, shorten

_FOG = re.compile(r"\s*(FOW|FOGLIGHT)\b", re.IGNORECASE)
_CAGE = {"cells", "value", "unique", "type", "hidden", "outlineC", "fontC", "c1", "c2", "style"}

Place: TypeAlias = tuple[int, int]
"""A row and a column of the file, from 0, which may be in a frame around the board."""


class Cage(NamedTuple):
    """A cage of a file. where: its place in the file. fields: as stated. places: of its cells."""

    where: str
    fields: Mapping[str, Any]
    places: Sequence[Place]

    @property
    def is_fog(self) -> bool:
        """True if the cage only marks where the fog is thin."""
        return _FOG.match(str(self.fields.get("value") or "")) is not None

    @property
    def text(self) -> str:
        """The text in its corner."""
        value = self.fields.get("value")
        return "" if value is None else str(value).strip()

    def find_strange_field(self) -> str:
        """Return what it states that is not known; empty if there is nothing."""
        fields = self.fields
        for name, value in fields.items():
            is_known = name in _CAGE or (name == "sum" and value == fields.get("value"))
            if not is_known and not is_blank(value):
                return f"{name[:40]} {shorten(value)}"
        for name in ("unique", "hidden"):
            if type(fields.get(name)) not in (bool, type(None)):
                return f"{name} {shorten(fields[name])}"
        if not is_empty(fields.get("type")):
            return f"the type {shorten(fields['type'])}"
        return ""

    def find_problem(self, cells: Sequence[int], total: int | None) -> str:
        """Return the reason why it is no rule; empty if it is one. cells: on the board. total: its sum."""
        if len(cells) != len(self.places):
            return "cells beyond the board"
        if self.text and total is None:
            return f"the text {self.text[:30]!r}"
        return ""
