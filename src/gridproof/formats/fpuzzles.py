"""Puzzles of f-puzzles: JSON behind ``?load=`` in a link, which SudokuPad opens as well.

Each kind of rule names its own keys (see ``fpuzzles_items.py``); this module knows givens, regions, diagonals, and what
is decoration. Whatever is neither is listed as unread, never ignored. What f-puzzles and SudokuPad would not draw by
themselves is drawn in what is written, too, and marked as the copy of a rule, so that no reader takes it for one more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from gridproof.errors import BoardError, InputError
from gridproof.formats.drawings import Outlines, listed, outlines, unread_drawings
from gridproof.formats.fpuzzles_items import FORMAT, is_empty, items_of, named, number_of, outside, rule_of, short
from gridproof.formats.programs import Reader, Unsayable, Wrong, further_houses, terms_of, written
from gridproof.formats.puzzle import Puzzle, clean
from gridproof.formats.shapes import usual, with_diagonals
from gridproof.pictures.colours import RULES
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, symbol_number
from gridproof.puzzle.houses import diagonals
from gridproof.rules import Rule, all_kinds, find
from gridproof.rules.drawing import Line, Mark, Outside, Shape
from gridproof.rules.kind import Kind

LARGEST_ORDER = 35
MOST_ENTRIES = 5_000
"""Items of one key at most; a board of order 35 has 2,380 pairs of neighbours."""

_BOARD_KEYS = {"size", "title", "author", "ruleset", "grid", "solution", "negative"}
_TEXTS = ("title", "author", "ruleset")
_DIAGONALS = {"diagonal+", "diagonal-"}
_DECORATION = {
    *("foglight", "triggereffect", "fogofwar", "successMessage", "disabledlogic", "truecandidatesoptions"),
    *("metadata", "highlightConflicts", "customTimerStart", "msgcorrect"),
}
_DRAWINGS = {"line", "rectangle", "circle", "text", "cage"}
_COLOURS, _NOTES = ("c", "cArray", "highlight", "highlightArray"), ("centerPencilMarks", "cornerPencilMarks")
_CELL = {"value", "given", "givenPencilMarks", "region", *_COLOURS, *_NOTES}

_NOT_DRAWN = {
    *("renban", "whispers", "regionsumline", "entropicline", "modularline", "nabner", "zipperline", "doublearrow"),
    *("slowthermometer", "xsum", "skyscraper", "rowindexer", "columnindexer", "boxindexer"),
}
"""Keys of rules that SudokuPad, or f-puzzles without additions, does not draw."""

_WIDTHS = {"thin": 0.1, "normal": 0.2, "thick": 0.35}


# ---- reading ---------------------------------------------------------------------------------------------------------


def sheet_of(data: Mapping[str, Any]) -> Puzzle:
    """The sheet of decoded JSON with a list called grid. Raises ``InputError`` if its size is none of a board."""
    return _Reader(data).sheet()


class _Reader(Reader):
    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__()
        self.data = data
        self.outlines: Outlines = {}
        size = data.get("size", len(data["grid"]))
        if type(size) is not int or not 1 <= size <= LARGEST_ORDER:
            raise InputError(f"size {size!r:.40}; expected a whole number from 1 to {LARGEST_ORDER}")
        self.size = size
        self.cells = self._grid()

    def sheet(self) -> Puzzle:
        """Everything that is said."""
        rising, falling = (self.data.get(key) is True for key in ("diagonal+", "diagonal-"))
        geometry = with_diagonals(self._regions(), rising=rising, falling=falling)
        clues, entries, marks = self._digits()
        rules: list[Rule] = []
        by_key, flags = _kinds_with("key"), _kinds_with("flag")
        for key, value in self.data.items():
            if key in _BOARD_KEYS or is_empty(value) or (key in _DIAGONALS and value is True):
                continue
            if key in flags and value is True:
                rules.append(flags[key].make(flags[key].defaults))
            elif key in by_key:
                rules += self._rules(key, by_key[key], value, geometry)
            elif key not in _DRAWINGS:
                self.leave(key, short(value), key not in _DECORATION)
        rules += self._negatives(rules)
        for key in sorted(_DRAWINGS):
            items = [item for item in _all(self.data.get(key)) if not is_empty(item)]
            self.unread += unread_drawings(key, items, self.outlines)
        for fields, what in (_COLOURS, "coloured"), (_NOTES, "with notes of a solver"):
            if number := sum(any(cell.get(field) for field in fields) for cell in self.cells):
                self.leave("grid", f"{number} cells {what}", False)
        for name in _TEXTS:
            if not (isinstance(text := self.data.get(name), str) or is_empty(text)):
                self.leave(name, f"{short(text)}; expected a text", False)
        board = Board(geometry, clues, entries, marks).with_rules(rules)
        title, author, prose = (clean(self.data.get(name)) for name in _TEXTS)
        return Puzzle(board, self._solution(), title, author, prose, tuple(self.unread))

    def _grid(self) -> list[Mapping[str, Any]]:
        rows = self.data["grid"]
        shape = [len(row) if isinstance(row, list) else -1 for row in rows[: self.size + 1]]
        if shape != [self.size] * self.size:
            raise InputError(f"a grid whose rows have {shape[:5]} ... cells; expected {self.size} rows of {self.size}")
        cells = [cell for row in rows for cell in row]
        for number, cell in enumerate(cells):
            if not isinstance(cell, dict) and not is_empty(cell):
                self.leave(f"grid {self._name(number)}", f'{short(cell)}; expected a cell such as {{"value": 1}}')
        cells = [cell if isinstance(cell, dict) else {} for cell in cells]
        further: dict[str, list[str]] = {}
        for number, cell in enumerate(cells):
            for field in cell:
                if field not in _CELL and not is_empty(cell[field]):
                    further.setdefault(field, []).append(self._name(number))
        for field, names in further.items():
            self.leave(f"grid.{field[:40]}", f"at {listed(names)}")
        return cells

    def _name(self, cell: int) -> str:
        return f"r{cell // self.size + 1}c{cell % self.size + 1}"

    def _regions(self) -> Geometry:
        n = self.size
        standard = usual(n) or Geometry.latin(n)
        default = standard.region_of or tuple(cell // n for cell in range(n * n))
        labels = [cell.get("region", default[number]) for number, cell in enumerate(self.cells)]
        if labels == [*default]:
            return standard
        members: dict[int, list[int]] = {}
        for number, label in enumerate(labels):
            if type(label) is int:
                members.setdefault(label, []).append(number)
            elif label is not None:
                self.leave("grid.region", f"{short(label)}; expected a whole number")
        return self.with_regions(n, members, "grid.region")

    def _digits(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...] | None]:
        """Givens, entries (none if there is not one), and pencil marks if any are given."""
        full = (1 << self.size) - 1
        clues, entries, marks = ([value] * len(self.cells) for value in (0, 0, full))
        for number, cell in enumerate(self.cells):
            where, value, given = f"grid {self._name(number)}", cell.get("value"), cell.get("given")
            if given is not True and not is_empty(given):
                self.leave(f"{where} given", f"{short(given)}; expected true or false")
            for symbol in self._symbols(where, [] if value == 0 or is_empty(value) else [value]):
                (clues if given is True else entries)[number] = symbol
            noted = self._symbols(f"{where} givenPencilMarks", _all(cell.get("givenPencilMarks")))
            if not clues[number]:  # below a given digit f-puzzles ignores them
                marks[number] = sum({1 << (symbol - 1) for symbol in noted}) or full
        return tuple(clues), tuple(entries) if any(entries) else (), None if {*marks} == {full} else tuple(marks)

    def _symbols(self, where: str, values: Sequence[Any]) -> list[int]:
        try:
            symbols = [*map(number_of, values)]
            for symbol in symbols:
                if not 1 <= symbol <= self.size:
                    raise Wrong(f"value {symbol}; expected 1 to {self.size}")
        except Wrong as problem:
            self.leave(where, str(problem))
            return []
        return symbols

    def _solution(self) -> tuple[int, ...] | None:
        """The stored solution, where it is whole and of this board's symbols."""
        stored = self.data.get("solution")
        symbols = tuple(map(_symbol, stored if isinstance(stored, (str, list)) else []))
        if len(symbols) == self.size**2 and all(1 <= symbol <= self.size for symbol in symbols):
            return symbols
        if stored:
            self.leave("solution", "it is not whole, and so was not tested", False)
        return None

    def _rules(self, key: str, kind: Kind, value: Any, geometry: Geometry) -> Iterator[Rule]:
        items = [item for item in value if not is_empty(item)] if isinstance(value, list) else []
        if not isinstance(value, list) or len(items) > MOST_ENTRIES:
            count = f"{len(items):,} items" if items else short(value)
            self.leave(key, f"{count}; expected a list of at most {MOST_ENTRIES:,}")
            return
        groups = [items] if kind.formats[FORMAT].get("gather") else [[item] for item in items]
        for number, group in enumerate(groups, 1):
            try:
                if rule := rule_of(kind, group, self.size):
                    yield self.sensible(rule, geometry)
                    self.outlines.setdefault(key, set()).update(*map(outlines, group))
            except (Wrong, InputError) as problem:
                self.leave(f"{key} {number} of {len(groups)}", str(problem))

    def _negatives(self, rules: Sequence[Rule]) -> Iterator[Rule]:
        kinds = _kinds_with("negative")
        for name in _all(self.data.get("negative")):
            if not isinstance(name, str) or name not in kinds:
                self.leave("negative", short(name))
                continue
            values = kinds[name].defaults
            if name == "ratio":
                values["ratios"] = _ratios(rules)
            yield kinds[name].make(values)


def _kinds_with(entry: str) -> dict[str, Kind]:
    """The kinds by what their entry of this format says."""
    formats = [(kind, kind.formats.get(FORMAT, {})) for kind in all_kinds().values()]
    return {fmt[entry]: kind for kind, fmt in formats if entry in fmt}


def _ratios(rules: Iterable[Rule]) -> tuple[int, ...]:
    """What is forbidden elsewhere where all dots are given: 2, and each ratio that occurs."""
    return tuple(sorted({2, *(value for rule in rules if rule.kind == "ratio" for value in _numbers(rule))}))


def _numbers(rule: Rule) -> list[int]:
    return [value for _, kind, value in rule.parameters() if kind == "number"]


def _all(value: Any) -> list[Any]:
    """Return the entries of a list, and anything else as the only one, which is left unread."""
    return value if isinstance(value, list) else [] if is_empty(value) else [value]


def _symbol(value: Any) -> int:
    """A symbol of a stored solution: a number, its text, or a letter from 10 on; 0 for anything else."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 4:
        return int(value)
    if isinstance(value, str) and len(value) == 1:
        return symbol_number(value) or 0
    return value if type(value) is int else 0


# ---- writing ---------------------------------------------------------------------------------------------------------


def json_of(sheet: Puzzle, refuse: Callable[[str], BoardError]) -> str:
    """The JSON of a sheet. refuse: makes the error for what it cannot say, which is raised."""
    board, geometry = sheet.board, sheet.board.geometry
    if geometry.order > LARGEST_ORDER:
        raise refuse(f"a board of order {geometry.order}")
    if 0 in (board.marks or ()):
        raise refuse("pencil marks that leave nothing in a cell")
    sentences = [rule.sentence(geometry) for rule in board.rules]
    data: dict[str, Any] = {
        "size": geometry.order,
        "title": sheet.title,
        "author": sheet.author,
        "ruleset": sheet.prose or "\n".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in sentences),
        "grid": _grid_of(sheet),
    }
    for key, said in chain(_houses(geometry), written(board, lambda rule: _keys_of(rule, board), refuse)):
        if said is True:
            data[key] = True
        else:
            data.setdefault(key, []).append(said)
    if sheet.solution:
        data["solution"] = list(sheet.solution)
    return json.dumps({key: value for key, value in data.items() if value not in ("", [])}, separators=(",", ":"))


def _grid_of(sheet: Puzzle) -> list[list[dict[str, Any]]]:
    board, geometry = sheet.board, sheet.board.geometry
    cells: list[dict[str, Any]] = [{} for _ in range(geometry.cell_count)]
    n, standard = geometry.order, usual(geometry.order)
    for number, cell in enumerate(cells):
        if clue := board.clues[number]:
            cell |= {"value": clue, "given": True}
        elif board.filled and (entry := board.filled[number]):
            cell["value"] = entry
        if board.marks is not None and (mask := board.marks[number]) != (1 << n) - 1:
            cell["givenPencilMarks"] = [symbol + 1 for symbol in range(n) if mask >> symbol & 1]
        if geometry.region_of is None:
            cell["region"] = None
        elif standard is None or geometry.region_of != standard.region_of:
            cell["region"] = geometry.region_of[number]
    return [cells[start : start + n] for start in range(0, n * n, n)]


def _houses(geometry: Geometry) -> Iterator[tuple[str, Any]]:
    """The keys of the houses beyond rows, columns and regions."""
    falling, rising = map(frozenset, diagonals(geometry.order))
    keys = {rising: "diagonal+", falling: "diagonal-"}
    if "disjoint groups" in geometry.families:
        yield "disjointgroups", True
    for house in further_houses(geometry):
        if key := keys.get(frozenset(house.cells)):
            yield key, True
        elif house in geometry.extra or "disjoint" not in house.kind:
            yield "extraregion", {"cells": named(house.cells, geometry.order)}


def _keys_of(rule: Rule, board: Board) -> Iterator[tuple[str, Any]]:
    """What stands under which key for a rule: its items, and copies of what would not be drawn; ``True`` for a flag."""
    geometry = board.geometry
    fmt, values = terms_of(rule, geometry, FORMAT)
    key = fmt.get("key") or fmt.get("written")
    if "flag" in fmt and find(rule.kind).is_plain(rule):
        yield fmt["flag"], True
    elif "negative" in fmt and (
        values["ratios"] == _ratios(board.rules) if rule.kind == "negative-ratio" else find(rule.kind).is_plain(rule)
    ):
        yield "negative", fmt["negative"]
    elif key is None or (fmt.get("gather") and sum(other.kind == rule.kind for other in board.rules) > 1):
        raise Unsayable  # all such cells of a board are one rule there
    else:
        yield from ((key, item) for item in items_of(rule, fmt, values, geometry.order))
        if key in _NOT_DRAWN:
            copy = {"fromConstraint": rule.kind, "isNewConstraint": True}
            yield from ((drawing, item | copy) for drawing, item in _drawn(rule.draw(geometry), geometry.order))


def _drawn(marks: Iterable[Mark], n: int) -> Iterator[tuple[str, dict[str, Any]]]:
    for mark in marks:
        if isinstance(mark, Line):
            style: dict[str, Any] = {"outlineC": RULES[mark.colour], "width": _WIDTHS[mark.width]}
            yield "line", {"lines": [named(mark.cells, n)], **style}
        elif isinstance(mark, Outside):
            cell = outside(mark.cells, n, slanted=False)["cell"]
            yield "text", {"cells": [cell], "value": mark.text, "fontC": "#000000", "size": 0.7}
        elif isinstance(mark, Shape) and mark.shape == "shade":
            style = {"baseC": RULES[mark.colour], "outlineC": RULES[mark.colour], "width": 1, "height": 1}
            yield "rectangle", {"cells": named(mark.cells, n), **style}
