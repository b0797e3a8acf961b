"""Puzzles of SudokuPad: JSON, or the same as shortened text, behind ``scl`` or ``ctc`` in a link.

Little of it is a rule that a program can read: givens, regions, cages marked as unique, and the moves of chess pieces.
Thermometers, arrows and dots are drawings without a meaning, so they are listed as unread. So are cages with a number
that are not marked as unique, since that number is often not the sum; but where the stored solution agrees with all of
them they are killer cages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import floor
from typing import Any

from gridproof.errors import BoardError, InputError
from gridproof.formats.drawings import MOST_LISTED, drawn, listed
from gridproof.formats.programs import Reader, Unsayable, further_houses, terms_of, written
from gridproof.formats.puzzle import Puzzle, clean
from gridproof.formats.values import to_lists
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, symbol_number
from gridproof.rules import Rule, find

LARGEST_SIDE, LARGEST_ORDER = 40, 35
"""Of what is read, perhaps with a frame, and of what is written."""
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


def sheet_of(data: Mapping[str, Any]) -> Puzzle:
    """The sheet of data with a list called cells. Raises ``InputError`` if these are none of a board."""
    return _Reader(data).sheet()


class _Reader(Reader):
    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__()
        self.data = data
        self.metadata = dict(self._part("metadata", {}))
        self.regions, self.flags = self._part("regions", []), self._part("global", [])
        self.cages: list[dict[str, Any]] = []
        for number, cage in enumerate(self._part("cages", []), 1):
            if isinstance(cage, dict):
                self.cages.append(cage)
            elif cage:
                self.leave(f"cages {number}", f"{cage!r:.40}; expected an object")
        for key, value in self.metadata.items():
            if value and key not in _METADATA | _FLAGS:
                self.leave(f"metadata.{key}", f"{value!r:.40}")
        for cage in self.cages:
            hidden = _HIDDEN.match(str(cage.get("value", ""))) if not cage.get("cells") else None
            if hidden:
                self.metadata.setdefault(hidden[1].lower(), hidden[2])
        self.top, self.left, self.size = self._square()
        self.geometry = self._geometry()

    def _part(self, key: str, nothing: Any) -> Any:
        """A list or an object of the data. nothing: an empty one."""
        value = self.data.get(key) or nothing
        if not isinstance(value, type(nothing)):
            self.leave(key, f"{value!r:.40}; expected {'an object' if nothing == {} else 'a list'}")
            return nothing
        if len(value) > MOST_ENTRIES:
            raise InputError(f"{len(value):,} {key}; expected at most {MOST_ENTRIES:,}")
        return value

    def sheet(self) -> Puzzle:
        """Everything that is said."""
        clues, entries = self._clues()
        solution = self._solution()
        rules = [*self._cages(solution), *self._moves()]
        for key, value in self.data.items():
            if key not in _KEYS and value not in (None, False, [], {}, ""):
                self._drawn(key, value)
        # some files escape line ends twice
        title, author, prose = (clean(self.metadata.get(name)).replace("\\n", "\n") for name in _TEXTS)
        board = Board(self.geometry, clues, entries if any(entries) else ()).with_rules(rules)
        return Puzzle(board, solution, title, author, prose, tuple(self.unread))

    def _square(self) -> tuple[int, int, int]:
        """Top, left and order of the board: all cells, or inside a frame for outside clues those of the regions."""
        rows = self.data["cells"]
        widths = {len(row) if isinstance(row, list) else -1 for row in rows}
        if len(widths) != 1 or not 1 <= len(rows) <= LARGEST_SIDE or not 1 <= max(widths) <= LARGEST_SIDE:
            raise InputError(f"cells in rows of {sorted(widths)}; expected up to {LARGEST_SIDE} rows of one length")
        regions = [*map(_places, self.regions)]
        places, n = {place for region in regions for place in region}, len(regions)
        if places and {*map(len, regions)} == {n}:
            top, left = min(row for row, _ in places), min(column for _, column in places)
            inside = 0 <= top <= len(rows) - n and 0 <= left <= max(widths) - n
            if inside and places == {*product(range(top, top + n), range(left, left + n))}:
                return top, left, n
        if len(rows) != max(widths):
            raise InputError(f"{len(rows)} rows of {max(widths)} cells; expected a square")
        return 0, 0, len(rows)

    def _geometry(self) -> Geometry:
        regions = {k: cells for k, region in enumerate(self.regions, 1) if (cells := self._cells(region))}
        if not regions:
            self.leave("regions", "none: only rows and columns are houses", False)
        if self.metadata.get("norowcol"):
            self.leave("metadata.norowcol", "rows and columns hold digits twice, which cannot be said here")
        return self.with_regions(self.size, regions, "regions")

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
                    self.leave(f"cells r{row + 1}c{column + 1}", f"value {value!r:.20}; expected 1 to {n} on the board")
        return tuple(clues), tuple(entries)

    def _cages(self, solution: Sequence[int] | None) -> Iterator[Rule]:
        """Cages whose digits differ, or add up to a whole number, or both.

        Those with a number that are not said to be killer cages are, if the stored solution agrees with all of them.
        """
        numbered: dict[str, tuple[int, Rule]] = {}
        for number, cage in enumerate(self.cages, 1):
            value, places = cage.get("value", ""), _places(cage.get("cells"))
            text = str(value if value is not None else "").strip()
            cells = self._cells(cage.get("cells"))
            if not places or _FOG.match(text):
                continue  # hidden metadata, or fog
            where = f"cages {number} of {len(self.cages)} ({listed(list(map(self.geometry.cell_name, cells)))})"
            total = int(text) if re.fullmatch(r"-?\d{1,6}", text) else None
            if len(cells) != len(places) or len(cells) > self.size**2:
                self.leave(where, "cells beyond the board" if len(cells) < len(places) else f"{len(cells):,} cells")
            elif cage.get("type") == "rowcol":
                if {*cells} not in [{*house.cells} for house in self.geometry.houses]:
                    self.leave(where, "a row or column of its own")
            elif text and total is None:
                self.leave(where, f"the text {text[:30]!r}")
            elif len({*cells}) < len(cells):
                self.leave(where, "a cell that is named twice")
            elif cage.get("unique"):
                yield _killer(cells, total)
            elif total is not None:
                numbered[where] = total, _killer(cells, total)
            elif not cage.get("hidden"):
                self.leave(where, "a cage without a sum")
        rules = [rule for _, rule in numbered.values()]
        if solution and len(rules) >= _ENOUGH and all(rule.holds(solution, self.geometry) for rule in rules):
            self.leave("cages", f"{len(rules)} taken for killer cages, as the stored solution agrees with each", False)
            yield from rules
            return
        for where, (total, _) in numbered.items():
            self.leave(where, f"the number {total}, which is not marked as a sum of different digits")

    def _moves(self) -> Iterator[Rule]:
        said = {str(flag).lower() for flag in self.flags}
        for name in ("antiknight", "antiking"):
            if self.metadata.get(name) or name in said:
                kind = find(name.replace("anti", "anti-"))
                yield kind.make(kind.defaults)
        for flag in sorted(said - {"antiknight", "antiking"}):
            self.leave("global", flag)

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
            self.leave("solution", f"{what}; expected {n * n} of the symbols of a {self.geometry.description} board")
        elif 0 not in symbols:
            return tuple(symbols)
        else:
            self.leave("solution", f"{symbols.count(0)} cells are blank, and so it was not tested", False)
        return None

    def _drawn(self, key: str, value: Any) -> None:
        if key in _DECORATION:
            self.leave(key, "display only", False)
            return
        items = [item for item in value if item] if isinstance(value, list) else [value]
        items = [item for item in items if not (isinstance(item, dict) and item.get("class") == "board-position")]
        for number, item in enumerate(items[:MOST_LISTED], 1):
            self.leave(f"{key} {number} of {len(items)}", self._said(item))
        if len(items) > MOST_LISTED:
            self.leave(key, f"{len(items) - MOST_LISTED:,} more drawn")

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


_TEXTS = ("title", "author", "rules")


def _killer(cells: tuple[int, ...], total: int | None) -> Rule:
    return find("killer").make({"total": total, "cells": cells, "repeats": False})


def _places(names: Any) -> list[tuple[int, int]]:
    """The pairs (row, column) of a list; whatever is no such pair is left out."""
    pairs = [name for name in names if isinstance(name, list) and len(name) == 2] if isinstance(names, list) else []
    return [(row, column) for row, column in pairs if type(row) is int and type(column) is int]


# ---- writing ---------------------------------------------------------------------------------------------------------


def json_of(sheet: Puzzle, refuse: Callable[..., BoardError]) -> str:
    """The JSON of a sheet. refuse: makes the error for what it cannot say, which is raised."""
    board, geometry, n = sheet.board, sheet.board.geometry, sheet.board.geometry.order
    if n > LARGEST_ORDER:
        raise refuse(f"a board of order {n}")
    if board.marks is not None:
        raise refuse("pencil marks", "f-puzzles or toml")
    metadata: dict[str, Any] = {"title": sheet.title, "author": sheet.author, "rules": sheet.prose}
    if sheet.solution and n < 10:
        metadata["solution"] = "".join(map(str, sheet.solution))

    def cage(cells: Sequence[int], **said: Any) -> dict[str, Any]:
        return {"cells": places(cells), "unique": True, **said}

    def places(cells: Sequence[int]) -> list[list[int]]:
        return [list(divmod(cell, n)) for cell in cells]

    def cages(rule: Rule) -> Iterator[dict[str, Any]]:
        _, values = terms_of(rule, geometry, "sudokupad")
        match rule.kind:
            case "killer" if values["cells"] and not values["repeats"]:
                yield cage(values["cells"], **({} if values["total"] is None else {"value": str(values["total"])}))
            case "extra-region":
                yield cage(values["cells"])
            case "anti-knight" | "anti-king" if find(rule.kind).is_plain(rule):
                metadata[rule.kind.replace("-", "")] = True
            case _:
                raise Unsayable

    further = further_houses(geometry)
    regions = geometry.houses[2 * n : len(geometry.houses) - len(further)]
    data = {
        "metadata": metadata,
        "cellSize": 50,
        "cells": [[{"value": clue} if clue else {} for clue in row] for row in to_lists(board.clues, geometry)],
        "regions": [places(house.cells) for house in regions],
        "cages": [
            *(cage(house.cells) for house in further),
            *written(board, cages, lambda what: refuse(what, "sudokupad-link, or another format")),
        ],
    }
    data["metadata"] = {key: value for key, value in metadata.items() if value}
    return json.dumps(data, separators=(",", ":"))
