"""Puzzles of f-puzzles: JSON behind ``?load=`` in a link, which SudokuPad opens as well.

Each kind of rule names its own keys (``Rule.formats["f-puzzles"]``); this module knows givens, regions, diagonals,
where outside clues look, and what is decoration. Whatever is neither is listed as unread, never ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gridproof.errors import InputError
from gridproof.formats.drawings import Outlines, outlines, unread_drawings
from gridproof.formats.shapes import usual, with_diagonals
from gridproof.formats.sheet import Sheet, Unread, clean
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, symbol_number
from gridproof.rules import Rule, all_kinds
from gridproof.rules.kind import Kind, Parameter
from gridproof.rules.rule import REQUIRED

FORMAT = "f-puzzles"

LARGEST_SIZE = 35
MOST_ENTRIES = 5_000
"""Items of one key at most; a board of order 35 has 2,380 pairs of neighbours."""

_BOARD_KEYS = {"size", "title", "author", "ruleset", "grid", "solution", "negative"}
_DIAGONALS = {"diagonal+", "diagonal-"}
_DECORATION = {
    *("foglight", "triggereffect", "fogofwar", "successMessage", "disabledlogic", "truecandidatesoptions"),
    *("metadata", "highlightConflicts", "customTimerStart", "msgcorrect"),
}
_DRAWINGS = {"line", "rectangle", "circle", "text", "cage"}
_COSMETIC = {"outlineC", "fontC", "baseC", "width", "height", "angle", "size", "hidden"}
_DIRECTIONS = {"UL": (-1, -1), "UR": (-1, 1), "DL": (1, -1), "DR": (1, 1)}


_EMPTY: tuple[object, ...] = (None, False, [], {}, "")
"""Values that say nothing."""


class _Wrong(Exception):
    """An item that is not what the format says."""


def sheet_of(data: Mapping[str, Any]) -> Sheet:
    """The sheet of decoded JSON with a list called grid. Raises ``InputError`` if its size is none of a board."""
    return _Reader(data).sheet()


class _Reader:
    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.unread: list[Unread] = []
        self.outlines: Outlines = {}
        size = data.get("size", len(data["grid"]))
        if type(size) is not int or not 1 <= size <= LARGEST_SIZE:
            raise InputError(f"size {size!r:.40}; expected a whole number from 1 to {LARGEST_SIZE}")
        self.size = size
        self.rows = self._grid()
        self.geometry = self._diagonals(self._regions())

    def sheet(self) -> Sheet:
        """Everything that is said."""
        clues, entries, marks = self._cells()
        rules: list[Rule] = []
        by_key, flags = _kinds_with("key"), _kinds_with("flag")
        for key, value in self.data.items():
            if key in _BOARD_KEYS or value in _EMPTY or (key in _DIAGONALS and value is True):
                continue
            if key in flags and value is True:
                rules.append(flags[key].make(flags[key].defaults))
            elif key in by_key:
                rules += self._rules(key, by_key[key], value)
            elif key not in _DRAWINGS:
                self._leave(key, _short(value), key not in _DECORATION)
        rules += self._negatives(rules)
        for key in sorted(_DRAWINGS):
            self._drawings(key)
        self._decorated()
        board = Board(self.geometry, clues, marks=marks).with_rules(rules)
        title, author, prose = (clean(self.data.get(name)) for name in _TEXTS)
        solution = self._solution()
        return Sheet(board, entries if any(entries) else (), solution, title, author, prose, tuple(self.unread))

    # ---- the board -------------------------------------------------------------------------------------------------

    def _grid(self) -> list[list[Mapping[str, Any]]]:
        rows = self.data["grid"]
        shape = [len(row) if isinstance(row, list) else -1 for row in rows[: self.size + 1]]
        if shape != [self.size] * self.size:
            raise InputError(f"a grid whose rows have {shape[:5]} ... cells; expected {self.size} rows of {self.size}")
        for row, cells in enumerate(rows, 1):
            for column, cell in enumerate(cells, 1):
                if cell and not isinstance(cell, dict):
                    self._leave(f"grid r{row}c{column}", f'{_short(cell)}; expected a cell such as {{"value": 1}}')
        return [[_dict(cell) for cell in row] for row in rows]

    def _regions(self) -> Geometry:
        n = self.size
        standard = usual(n) or Geometry.latin(n)
        if not any("region" in cell for row in self.rows for cell in row):
            return standard
        default = standard.region_of or tuple(cell // n for cell in range(n * n))
        numbers = [cell.get("region", default[k]) for k, cell in enumerate(cell for row in self.rows for cell in row)]
        if list(default) == numbers:
            return standard
        members: dict[object, list[int]] = {}
        for cell, number in enumerate(numbers):
            if type(number) is int:
                members.setdefault(number, []).append(cell)
            elif number is not None:
                self._leave("grid.region", f"{_short(number)}; expected a whole number")
        whole = [cells for cells in members.values() if len(cells) == n]
        if len(whole) == n:
            return Geometry.jigsaw(numbers)
        for number, cells in members.items():
            if len(cells) != n:
                self._leave("grid.region", f"region {number} has {len(cells)} cells; expected {n}")
        geometry = Geometry.latin(n)  # cells outside every region: the regions that are whole are houses
        return geometry.with_houses(whole, "region") if whole else geometry

    def _diagonals(self, geometry: Geometry) -> Geometry:
        rising, falling = (self.data.get(key) is True for key in ("diagonal+", "diagonal-"))
        return with_diagonals(geometry, rising=rising, falling=falling)

    def _cells(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...] | None]:
        n = self.size
        clues, entries, marks = [0] * (n * n), [0] * (n * n), [(1 << n) - 1] * (n * n)
        for number, cell in enumerate(cell for row in self.rows for cell in row):
            name = f"grid {self.geometry.cell_name(number)}"
            if (value := cell.get("value")) not in (None, "", 0):
                try:
                    (clues if cell.get("given") else entries)[number] = self._symbol(value)
                except _Wrong as problem:
                    self._leave(name, str(problem))
            given = [mark for mark in _all(cell.get("givenPencilMarks") or []) if mark is not None]
            if given:
                try:
                    marks[number] = sum({1 << (self._symbol(mark) - 1) for mark in given})
                except _Wrong as problem:
                    self._leave(f"{name} givenPencilMarks", str(problem))
        limited = any(mark != (1 << n) - 1 for mark in marks)
        return tuple(clues), tuple(entries), tuple(marks) if limited else None

    def _symbol(self, value: Any) -> int:
        symbol = _number(value)
        if not 1 <= symbol <= self.size:
            raise _Wrong(f"value {symbol}; expected 1 to {self.size}")
        return symbol

    def _decorated(self) -> None:
        """Colours and a solver's notes of the cells."""
        cells = [cell for row in self.rows for cell in row]
        for fields, what in (_COLOURS, "coloured"), (_NOTES, "with notes of a solver"):
            if number := sum(any(cell.get(field) for field in fields) for cell in cells):
                self._leave("grid", f"{number} cells {what}", False)

    def _solution(self) -> tuple[int, ...] | None:
        """The stored solution, where it is whole and of this board's symbols."""
        stored = self.data.get("solution")
        values = list(stored) if isinstance(stored, (str, list)) else []
        symbols = tuple(map(_symbol, values))
        whole = len(symbols) == self.size**2 and all(1 <= symbol <= self.size for symbol in symbols)
        if stored and not whole:
            self._leave("solution", "it is not whole, and so was not tested", False)
        return symbols if whole else None

    # ---- rules -----------------------------------------------------------------------------------------------------

    def _rules(self, key: str, kind: Kind, value: Any) -> Iterator[Rule]:
        fmt = kind.formats[FORMAT]
        items = [item for item in _list(value) if item not in ({}, [], None)]
        if not isinstance(value, list) or len(items) > MOST_ENTRIES:
            count = f"{len(items):,} items" if items else _short(value)
            self._leave(key, f"{count}; expected a list of at most {MOST_ENTRIES:,}")
            return
        known = _COSMETIC | _fields(kind)
        if fmt.get("gather"):
            items = [{"all": items}]
        for number, item in enumerate(items, 1):
            where = f"{key} {number} of {len(items)}"
            try:
                for one in item["all"] if fmt.get("gather") else [item]:
                    if not isinstance(one, dict):
                        raise _Wrong(_short(one))
                    if further := sorted(
                        name for name, said in one.items() if name not in known and said not in _EMPTY
                    ):
                        raise _Wrong(f"{', '.join(further)[:60]} beside what is known of it")
                values = {p.name: self._parameter(p, fmt, item) for p in kind.parameters}
                if all(values[p.name] in ((), ((),)) for p in kind.parameters if p.type in ("cells", "lines")):
                    continue  # an item that was drawn nowhere
                yield kind.make(values)
                self.outlines.setdefault(key, set()).update(outlines(item))
            except (_Wrong, InputError) as problem:
                self._leave(where, str(problem))

    def _parameter(self, p: Parameter, fmt: Mapping[str, Any], item: Mapping[str, Any]) -> Any:
        field = fmt.get(p.name)
        if field is None:
            if p.default is REQUIRED:
                raise _Wrong(f"{p.name} is nowhere in this format")
            return p.default
        if p.type == "lines":
            lines = [item.get(name) for name in field] if isinstance(field, list) else _list(item.get(field))
            drop = 1 if fmt.get("drop first") else 0
            found = tuple(self._named(line)[drop:] for line in lines if line)
            return tuple(line for line in found if line)
        if p.type == "cells":
            if field == "sight":
                return self._sight(item, slanted=bool(fmt.get("slanted")))
            if "all" in item:
                return tuple(cell for one in item["all"] for cell in self._named([_dict(one).get(field)]))
            value = item.get(field)
            return self._named(value if isinstance(value, list) else [value])
        value = item.get(field)
        if p.type == "numbers":
            return tuple(map(_number, _list(value)))
        if value in (None, ""):
            if p.default is REQUIRED:
                raise _Wrong(f"no {p.name} is said")
            return p.default
        words = fmt.get("words", {})
        if isinstance(value, str) and value.strip().upper() in words:
            return words[value.strip().upper()]
        return _number(value)

    def _named(self, names: Any) -> tuple[int, ...]:
        if not isinstance(names, list) or len(names) > self.size**2:
            raise _Wrong(f"{_short(names)}; expected a list of at most {self.size**2} cells")
        cells = []
        for name in names:
            row, column = _place(name)
            if not (1 <= row <= self.size and 1 <= column <= self.size):
                raise _Wrong(f"{name} is not on a board of order {self.size}")
            cells.append((row - 1) * self.size + column - 1)
        return tuple(cells)

    def _sight(self, item: Mapping[str, Any], *, slanted: bool) -> tuple[int, ...]:
        """The cells that a clue outside the grid sees, the nearest first. slanted: along a diagonal."""
        n = self.size
        row, column = _place(item.get("cell"))
        said = item.get("direction")
        direction = _DIRECTIONS.get(said) if isinstance(said, str) else None
        if slanted and direction is None:
            raise _Wrong(f"direction {_short(said)}; expected one of {', '.join(_DIRECTIONS)}")
        inside = (1 <= row <= n, 1 <= column <= n)
        straight = ((row < 1) - (row > n), (column < 1) - (column > n))
        down, right = direction if slanted and direction else straight
        if all(inside) or not (slanted or any(inside)):
            raise _Wrong(f"cell {_short(item.get('cell'))}; expected one outside the grid")
        cells = []
        row, column = row + down, column + right
        while 1 <= row <= n and 1 <= column <= n:
            cells.append((row - 1) * n + column - 1)
            row, column = row + down, column + right
        if not cells:
            raise _Wrong(f"the clue at {_short(item.get('cell'))} sees no cell")
        if item.get("cells") and sorted(self._named(item["cells"])) != sorted(cells):
            raise _Wrong(f"cells {_short(item['cells'])}; expected those that its clue sees")
        return tuple(cells)

    def _negatives(self, rules: Sequence[Rule]) -> Iterator[Rule]:
        kinds, named = _kinds_with("negative"), self.data.get("negative") or []
        for name in _all(named):
            if not isinstance(name, str) or name not in kinds:
                self._leave("negative", _short(name))
                continue
            values = kinds[name].defaults
            if name == "ratio":  # each ratio that occurs is forbidden elsewhere
                dots = [parameter for rule in rules if rule.kind == "ratio" for parameter in rule.parameters()]
                values["ratios"] = tuple(sorted({2, *(value for named, _, value in dots if named == "ratio")}))
            yield kinds[name].make(values)

    # ---- what is not read --------------------------------------------------------------------------------------------

    def _drawings(self, key: str) -> None:
        items = [item for item in _all(self.data.get(key) or []) if item not in ({}, [], None)]
        self.unread += unread_drawings(key, items, self.outlines)

    def _leave(self, where: str, what: str, may_be_rule: bool = True) -> None:
        self.unread.append(Unread(where, what, may_be_rule))


_TEXTS = ("title", "author", "ruleset")
_COLOURS, _NOTES = ("c", "cArray", "highlight", "highlightArray"), ("centerPencilMarks", "cornerPencilMarks")


def _kinds_with(entry: str) -> dict[str, Kind]:
    """The kinds by what their entry of this format says."""
    formats = [(kind, kind.formats.get(FORMAT, {})) for kind in all_kinds().values()]
    return {fmt[entry]: kind for kind, fmt in formats if entry in fmt}


def _fields(kind: Kind) -> set[str]:
    """The fields of an item that say the parameters of its kind."""
    fmt, fields = kind.formats[FORMAT], set[str]()
    for field in (fmt.get(p.name, []) for p in kind.parameters):
        if field == "sight":
            fields |= {"cell", "cells", "direction"} if fmt.get("slanted") else {"cell"}
        else:
            fields |= {field} if isinstance(field, str) else {*field}
    return fields


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _all(value: Any) -> list[Any]:
    """The entries of a list; of anything else itself, to be left unread."""
    return value if isinstance(value, list) else [value]


def _dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=True, default=str)[:60]
    return text if len(text) < 60 else f"{text}..."


def _symbol(value: Any) -> int:
    """A symbol of a stored solution: a number, its text, or a letter from 10 on; 0 for anything else."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 4:
        return int(value)
    if isinstance(value, str) and len(value) == 1:
        return symbol_number(value) or 0
    return value if type(value) is int else 0


def _number(value: Any) -> int:
    if type(value) is int:
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,6}\s*", value):
        return int(value)
    raise _Wrong(f"value {_short(value)}; expected a whole number")


def _place(name: Any) -> tuple[int, int]:
    match = re.fullmatch(r"R(-?\d{1,3})C(-?\d{1,3})", name, re.IGNORECASE) if isinstance(name, str) else None
    if match is None:
        raise _Wrong(f"cell {_short(name)}; expected a name such as R1C1")
    return int(match[1]), int(match[2])
