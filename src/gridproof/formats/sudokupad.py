"""Puzzles of SudokuPad: JSON, or the same as shortened text, behind ``scl`` or ``ctc`` in a link.

Little of it is a rule that a program can read: givens, regions, cages marked as unique, and the moves of chess pieces.
Thermometers, arrows and dots are drawings without a meaning, so they are listed as unread. So are cages with a number
that are not marked as unique: in stored solutions that number is often not the sum.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gridproof.errors import GeometryError, InputError
from gridproof.formats.sheet import Sheet, Unread
from gridproof.formats.shortened import data_of
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule, find

LARGEST_SIDE = 40

_HIDDEN = re.compile(r"\s*(title|author|rules|solution)\s*:\s*(.*)", re.IGNORECASE | re.DOTALL)
_FOG = re.compile(r"\s*(FOW|FOGLIGHT)\b", re.IGNORECASE)
_KEYS = {"id", "cells", "regions", "cages", "cellSize", "metadata", "global"}
_DECORATION = {"settings", "foglight", "triggereffect", "videos", "fogofwar"}


def read(text: str) -> Sheet:
    """The sheet of JSON or of shortened text.

    Raises
    ------
    InputError
        If the text is neither, or holds no cells.
    """
    return sheet_of(data_of(text))


def sheet_of(data: Any) -> Sheet:
    """The sheet of what such a text says. Raises ``InputError``."""
    if not isinstance(data, dict) or not isinstance(data.get("cells"), list):
        raise InputError("data without cells; expected a puzzle of SudokuPad")
    return _Reader(data).sheet()


class _Reader:
    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.unread: list[Unread] = []
        metadata = data.get("metadata")
        self.metadata: dict[str, Any] = dict(metadata) if isinstance(metadata, dict) else {}
        self.cages = [cage for cage in self._list("cages") if isinstance(cage, dict)]
        for cage in self.cages:
            hidden = _HIDDEN.match(str(cage.get("value", ""))) if not cage.get("cells") else None
            if hidden:
                self.metadata.setdefault(hidden[1].lower(), hidden[2])
        self.top, self.left, self.size = self._square()
        self.geometry = self._geometry()

    def sheet(self) -> Sheet:
        """Everything that is said."""
        clues = self._clues()
        rules = [*self._cages(), *self._moves()]
        for key, value in self.data.items():
            if key not in _KEYS and value not in (None, False, [], {}, ""):
                self._drawn(key, value)
        texts = {name: value if isinstance(value := self.metadata.get(name), str) else "" for name in _TEXTS}
        board = Board(self.geometry, clues).with_rules(rules)
        found = tuple(self.unread)
        return Sheet(board, (), self._solution(), texts["title"], texts["author"], texts["rules"], found)

    def _list(self, key: str) -> list[Any]:
        value = self.data.get(key)
        return value if isinstance(value, list) else []

    def _square(self) -> tuple[int, int, int]:
        """Top, left and order of the board: all cells, or inside a frame for outside clues those of the regions."""
        rows = self.data["cells"]
        widths = {len(row) if isinstance(row, list) else -1 for row in rows}
        if len(widths) != 1 or not 1 <= len(rows) <= LARGEST_SIDE or not 1 <= max(widths) <= LARGEST_SIDE:
            raise InputError(f"cells in rows of {sorted(widths)}; expected up to {LARGEST_SIDE} rows of one length")
        places = [place for region in self._list("regions") for place in _places(region)]
        if places:
            tops, lefts = [row for row, _ in places], [column for _, column in places]
            height, width = max(tops) - min(tops) + 1, max(lefts) - min(lefts) + 1
            inside = min(tops) >= 0 and max(tops) < len(rows) and min(lefts) >= 0 and max(lefts) < max(widths)
            if height == width and inside and len({*places}) == height * width:
                return min(tops), min(lefts), height
        if len(rows) != max(widths):
            raise InputError(f"{len(rows)} rows of {max(widths)} cells; expected a square")
        return 0, 0, len(rows)

    def _geometry(self) -> Geometry:
        n = self.size
        regions = [cells for region in self._list("regions") if (cells := self._cells(region))]
        if self.metadata.get("norowcol"):
            self._leave("metadata.norowcol", "rows and columns hold digits twice, which cannot be said here")
        number = {cell: k for k, cells in enumerate(regions) for cell in cells}
        if len(regions) == n and all(len(cells) == n for cells in regions) and len(number) == n * n:
            labels = tuple(number[cell] for cell in range(n * n))
            try:
                usual = Geometry.standard(n)
                canonical = Geometry.jigsaw(labels).regions
                if canonical == Geometry.jigsaw(usual.region_of or labels).regions:
                    return usual
            except GeometryError:
                pass
            return Geometry.jigsaw(labels)
        whole = [cells for cells in regions if len(set(cells)) == n]
        for cells in regions:
            if len(set(cells)) != n:
                self._leave("regions", f"a region of {len(cells)} cells; expected {n}")
        return Geometry.latin(n).with_houses(whole, "region") if whole else Geometry.latin(n)

    def _cells(self, names: Any) -> tuple[int, ...]:
        """Cell numbers of a list of (row, column) on the board; none for others."""
        places = [(row - self.top, column - self.left) for row, column in _places(names)]
        return tuple(r * self.size + c for r, c in places if 0 <= r < self.size and 0 <= c < self.size)

    def _clues(self) -> tuple[int, ...]:
        n = self.size
        clues = []
        for row in range(n):
            for column in range(n):
                cell = self.data["cells"][self.top + row][self.left + column]
                value = cell.get("value") if isinstance(cell, dict) else None
                if isinstance(value, str) and re.fullmatch(r"\d{1,3}", value):
                    value = int(value)
                if value in (None, "") or (type(value) is int and 1 <= value <= n):
                    clues.append(value or 0)
                    continue
                clues.append(0)
                self._leave(f"cells r{row + 1}c{column + 1}", f"value {value!r:.20}; expected 1 to {n}")
        return tuple(clues)

    def _cages(self) -> Iterator[Rule]:
        """Cages whose digits differ, or add up to a whole number, or both."""
        for number, cage in enumerate(self.cages, 1):
            value, places = cage.get("value", ""), _places(cage.get("cells"))
            text = str(value if value is not None else "").strip()
            cells = self._cells(cage.get("cells"))
            where = f"cages {number} of {len(self.cages)}"
            if cage.get("type") == "rowcol" or not places or _FOG.match(text):
                continue  # a house, hidden metadata, or fog
            total = int(text) if re.fullmatch(r"-?\d{1,6}", text) else None
            different = bool(cage.get("unique"))
            if len(cells) != len(places):
                self._leave(where, "cells beyond the board")
            elif (text and total is None) or (total is not None and not different):
                self._leave(where, f"the text {text[:30]!r}")
            elif different:
                yield find("killer").make({"total": total, "cells": cells, "repeats": False})
            elif not cage.get("hidden"):
                self._leave(where, "a cage without a sum")

    def _moves(self) -> Iterator[Rule]:
        flags = self.data.get("global")
        said = {str(flag).lower() for flag in flags} if isinstance(flags, list) else set()
        for name in ("antiknight", "antiking"):
            if self.metadata.get(name) or name in said:
                kind = find(name.replace("anti", "anti-"))
                yield kind.make({p.name: p.default for p in kind.parameters})
        for flag in sorted(said - {"antiknight", "antiking"}):
            self._leave("global", flag)

    def _solution(self) -> tuple[int, ...] | None:
        stored = self.metadata.get("solution")
        if not isinstance(stored, str) or self.size > 9 or not re.fullmatch(rf"[1-{self.size}]+", stored):
            return None
        return tuple(map(int, stored)) if len(stored) == self.size**2 else None

    def _drawn(self, key: str, value: Any) -> None:
        if key in _DECORATION:
            self._leave(key, "display only", False)
            return
        items = [item for item in value if item] if isinstance(value, list) else [value]
        items = [item for item in items if not (isinstance(item, dict) and item.get("class") == "board-position")]
        texts = [str(item["text"])[:20] for item in items if isinstance(item, dict) and item.get("text")]
        said = f", with the texts {', '.join(map(repr, texts[:5]))}" if texts else ""
        if items:
            self._leave(key, f"{len(items)} drawn{said}")

    def _leave(self, where: str, what: str, may_be_rule: bool = True) -> None:
        self.unread.append(Unread(where, what, may_be_rule))


_TEXTS = ("title", "author", "rules")


def _places(names: Any) -> list[tuple[int, int]]:
    """The pairs (row, column) of a list; whatever is no such pair is left out."""
    pairs = [name for name in names if isinstance(name, list) and len(name) == 2] if isinstance(names, list) else []
    return [(row, column) for row, column in pairs if type(row) is int and type(column) is int]
