"""Puzzles of SudokuPad: JSON, or the same as shortened text, behind ``scl`` or ``ctc`` in a link.

Little of it is a rule that a program can read: givens, regions, cages marked as unique, and the moves of chess pieces.
Thermometers, arrows and dots are drawings without a meaning, so they are listed as unread. So are cages with a number
that are not marked as unique, since that number is often not the sum; but where the stored solution agrees with all of
them they are killer cages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import floor
from typing import Any

from gridproof.errors import InputError
from gridproof.formats.drawings import MOST_LISTED, drawn, listed
from gridproof.formats.shapes import usual
from gridproof.formats.sheet import Sheet, Unread, clean
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, symbol_number
from gridproof.rules import Rule, find

LARGEST_SIDE = 40
MOST_ENTRIES = 5_000
"""Cages or regions at most."""

_HIDDEN = re.compile(r"\s*(title|author|rules|solution)\s*:\s*(.*)", re.IGNORECASE | re.DOTALL)
_FOG = re.compile(r"\s*(FOW|FOGLIGHT)\b", re.IGNORECASE)
_KEYS = {"id", "cells", "regions", "cages", "cellSize", "metadata", "global"}
_DECORATION = {"settings", "foglight", "triggereffect", "videos", "fogofwar"}
_METADATA = {"title", "author", "rules", "solution", "source", "msgcorrect", "bgimage", "bgimageopacity", "videos"}
_FLAGS = {"antiknight", "antiking", "norowcol"}
_ENOUGH = 3
"""Cages with which the stored solution must agree before they are taken for killer cages."""


def sheet_of(data: Mapping[str, Any]) -> Sheet:
    """The sheet of data with a list called cells. Raises ``InputError`` if these are none of a board."""
    return _Reader(data).sheet()


class _Reader:
    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.unread: list[Unread] = []
        metadata = data.get("metadata")
        self.metadata: dict[str, Any] = dict(metadata) if isinstance(metadata, dict) else {}
        self.cages = [cage for cage in self._list("cages") if isinstance(cage, dict)]
        for key in ("cages", "regions"):
            if len(self._list(key)) > MOST_ENTRIES:
                raise InputError(f"{len(self._list(key)):,} {key}; expected at most {MOST_ENTRIES:,}")
        for key, wanted in (("metadata", dict), ("cages", list), ("regions", list), ("global", list)):
            if (value := data.get(key)) and not isinstance(value, wanted):
                self._leave(key, f"{value!r:.40}; expected {'an object' if wanted is dict else 'a list'}")
        for number, cage in enumerate(self._list("cages"), 1):
            if cage and not isinstance(cage, dict):
                self._leave(f"cages {number}", f"{cage!r:.40}; expected an object")
        for key, value in self.metadata.items():
            if value and key not in _METADATA | _FLAGS:
                self._leave(f"metadata.{key}", f"{value!r:.40}")
        for cage in self.cages:
            hidden = _HIDDEN.match(str(cage.get("value", ""))) if not cage.get("cells") else None
            if hidden:
                self.metadata.setdefault(hidden[1].lower(), hidden[2])
        self.top, self.left, self.size = self._square()
        self.geometry = self._geometry()

    def sheet(self) -> Sheet:
        """Everything that is said."""
        clues, entries = self._clues()
        solution = self._solution()
        rules = [*self._cages(solution), *self._moves()]
        for key, value in self.data.items():
            if key not in _KEYS and value not in (None, False, [], {}, ""):
                self._drawn(key, value)
        # some files escape line ends twice
        title, author, prose = (clean(self.metadata.get(name)).replace("\\n", "\n") for name in _TEXTS)
        board = Board(self.geometry, clues).with_rules(rules)
        return Sheet(board, entries if any(entries) else (), solution, title, author, prose, tuple(self.unread))

    def _list(self, key: str) -> list[Any]:
        value = self.data.get(key)
        return value if isinstance(value, list) else []

    def _square(self) -> tuple[int, int, int]:
        """Top, left and order of the board: all cells, or inside a frame for outside clues those of the regions."""
        rows = self.data["cells"]
        widths = {len(row) if isinstance(row, list) else -1 for row in rows}
        if len(widths) != 1 or not 1 <= len(rows) <= LARGEST_SIDE or not 1 <= max(widths) <= LARGEST_SIDE:
            raise InputError(f"cells in rows of {sorted(widths)}; expected up to {LARGEST_SIDE} rows of one length")
        regions = [_places(region) for region in self._list("regions")]
        places = [place for region in regions for place in region]
        if places and {*map(len, regions)} == {len(regions)}:
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
        if not regions:
            self._leave("regions", "none: only rows and columns are houses", False)
        if self.metadata.get("norowcol"):
            self._leave("metadata.norowcol", "rows and columns hold digits twice, which cannot be said here")
        number = {cell: k for k, cells in enumerate(regions) for cell in cells}
        if len(regions) == n and all(len(cells) == n for cells in regions) and len(number) == n * n:
            geometry, standard = Geometry.jigsaw([number[cell] for cell in range(n * n)]), usual(n)
            if standard and geometry.regions == Geometry.jigsaw(standard.region_of or ()).regions:
                return standard
            return geometry
        whole = [cells for cells in regions if len(set(cells)) == n]
        for cells in regions:
            if len(set(cells)) != n:
                self._leave("regions", f"a region of {len(cells)} cells; expected {n}")
        return Geometry.latin(n).with_houses(whole, "region") if whole else Geometry.latin(n)

    def _cells(self, names: Any) -> tuple[int, ...]:
        """Cell numbers of a list of (row, column) on the board; none for others."""
        places = [(row - self.top, column - self.left) for row, column in _places(names)]
        return tuple(r * self.size + c for r, c in places if 0 <= r < self.size and 0 <= c < self.size)

    def _clues(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The givens, and what is filled in beside them."""
        n = self.size
        clues, entries = [0] * (n * n), [0] * (n * n)
        for row, cells in enumerate(self.data["cells"], -self.top):
            for column, cell in enumerate(cells, -self.left):
                value = cell.get("value") if isinstance(cell, dict) else cell or None
                if isinstance(value, str) and re.fullmatch(r"\d{1,3}", value):
                    value = int(value)
                if value in (None, ""):
                    continue
                inside = 0 <= row < n and 0 <= column < n
                if inside and isinstance(cell, dict) and type(value) is int and 1 <= value <= n:
                    (entries if cell.get("given") is False else clues)[row * n + column] = value
                else:
                    self._leave(
                        f"cells r{row + 1}c{column + 1}", f"value {value!r:.20}; expected 1 to {n} on the board"
                    )
        return tuple(clues), tuple(entries)

    def _cages(self, solution: Sequence[int] | None) -> Iterator[Rule]:
        """Cages whose digits differ, or add up to a whole number, or both."""
        numbered = []
        for number, cage in enumerate(self.cages, 1):
            value, places = cage.get("value", ""), _places(cage.get("cells"))
            text = str(value if value is not None else "").strip()
            cells = self._cells(cage.get("cells"))
            if not places or _FOG.match(text):
                continue  # hidden metadata, or fog
            where = f"cages {number} of {len(self.cages)} ({listed(list(map(self.geometry.cell_name, cells)))})"
            total = int(text) if re.fullmatch(r"-?\d{1,6}", text) else None
            different = bool(cage.get("unique"))
            if len(cells) != len(places) or len(cells) > self.size**2:
                self._leave(where, "cells beyond the board" if len(cells) < len(places) else f"{len(cells):,} cells")
            elif cage.get("type") == "rowcol":
                if {*cells} not in [{*house.cells} for house in self.geometry.houses]:
                    self._leave(where, "a row or column of its own")
            elif text and total is None:
                self._leave(where, f"the text {text[:30]!r}")
            elif different:
                yield _killer(cells, total)
            elif total is not None:
                numbered.append((where, cells, total))
            elif not cage.get("hidden"):
                self._leave(where, "a cage without a sum")
        yield from self._numbered(numbered, solution)

    def _numbered(
        self, cages: list[tuple[str, tuple[int, ...], int]], solution: Sequence[int] | None
    ) -> Iterator[Rule]:
        """Cages with a number that are not said to be killer cages, which they are if the stored solution agrees."""
        rules = [_killer(cells, total) for _, cells, total in cages]
        if solution and len(rules) >= _ENOUGH and all(rule.holds(solution, self.geometry) for rule in rules):
            self._leave("cages", f"{len(rules)} taken for killer cages, as the stored solution agrees with each", False)
            yield from rules
            return
        for where, _, total in cages:
            self._leave(where, f"the number {total}, which is not marked as a sum of different digits")

    def _moves(self) -> Iterator[Rule]:
        flags = self.data.get("global")
        said = {str(flag).lower() for flag in flags} if isinstance(flags, list) else set()
        for name in ("antiknight", "antiking"):
            if self.metadata.get(name) or name in said:
                kind = find(name.replace("anti", "anti-"))
                yield kind.make(kind.defaults)
        for flag in sorted(said - {"antiknight", "antiking"}):
            self._leave("global", flag)

    def _solution(self) -> tuple[int, ...] | None:
        """The stored solution, where it is whole; that of a board with a frame may be said with its frame."""
        stored, n, rows = self.metadata.get("solution"), self.size, self.data["cells"]
        if not isinstance(stored, str) or not stored:
            return None
        width = len(rows[0])
        if len(stored) == len(rows) * width != n * n:
            starts = [(self.top + row) * width + self.left for row in range(n)]
            stored = "".join(stored[start : start + n] for start in starts)
        symbols = [symbol_number(character) or 0 for character in stored]
        strange = sorted({text for text, symbol in zip(stored, symbols, strict=True) if not 1 <= symbol <= n} - {*".?"})
        if strange or len(stored) != n * n:
            what = f"{len(stored)} cells" if len(stored) != n * n else f"the symbols {''.join(strange)[:20]!r}"
            self._leave("solution", f"{what}; expected {n * n} of the symbols of a {self.geometry.description} board")
        elif 0 not in symbols:
            return tuple(symbols)
        else:
            self._leave("solution", f"{symbols.count(0)} cells are blank, and so it was not tested", False)
        return None

    def _drawn(self, key: str, value: Any) -> None:
        if key in _DECORATION:
            self._leave(key, "display only", False)
            return
        items = [item for item in value if item] if isinstance(value, list) else [value]
        items = [item for item in items if not (isinstance(item, dict) and item.get("class") == "board-position")]
        for number, item in enumerate(items[:MOST_LISTED], 1):
            self._leave(f"{key} {number} of {len(items)}", self._said(item))
        if len(items) > MOST_LISTED:
            self._leave(key, f"{len(items) - MOST_LISTED:,} more drawn")

    def _said(self, item: Any) -> str:
        """What is drawn, and where."""
        if not isinstance(item, dict):
            return f"{item!r:.40}"
        points = item["wayPoints"] if isinstance(item.get("wayPoints"), list) else [item.get("center")]
        cells = [
            f"r{floor(point[0]) - self.top + 1}c{floor(point[1]) - self.left + 1}"
            for point in points
            if isinstance(point, list)
            and len(point) == 2
            and all(type(x) in (int, float) and abs(x) < 100 for x in point)
        ]
        return drawn(f"{'along' if 'wayPoints' in item else 'at'} {listed(cells)}", str(item.get("text") or ""))

    def _leave(self, where: str, what: str, may_be_rule: bool = True) -> None:
        self.unread.append(Unread(where, what, may_be_rule))


_TEXTS = ("title", "author", "rules")


def _killer(cells: tuple[int, ...], total: int | None) -> Rule:
    return find("killer").make({"total": total, "cells": cells, "repeats": False})


def _places(names: Any) -> list[tuple[int, int]]:
    """The pairs (row, column) of a list; whatever is no such pair is left out."""
    pairs = [name for name in names if isinstance(name, list) and len(name) == 2] if isinstance(names, list) else []
    return [(row, column) for row, column in pairs if type(row) is int and type(column) is int]
