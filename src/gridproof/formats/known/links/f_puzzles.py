"""Read and write the JSON of f-puzzles, which stands behind ``?load=`` in a link; SudokuPad opens it as well.

Rules are items (``items``). Givens, regions and diagonals are read here. Whatever is neither a rule nor decoration
is listed as unread, never ignored. What f-puzzles and SudokuPad would not draw by themselves is drawn when it is
written, and marked as the copy of a rule, so that no reader takes it for one more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain, product
from typing import Any

from gridproof.errors import BoardError, InputError
from gridproof.formats.known.links.items import NOT_DRAWN, item_of, items_of, named, rule_of
from gridproof.formats.programs import Reader, Wrong, further_houses, is_empty, listed, short, words_for, written
from gridproof.formats.puzzle import MOST_ENTRIES, Puzzle
from gridproof.formats.shapes import usual, with_diagonals
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Geometry, symbol_number
from gridproof.puzzle.houses import diagonals
from gridproof.rules import Rule, all_kinds
from gridproof.rules.foreign import FPuzzlesItem
from gridproof.rules.kind import Kind

_BOARD_KEYS = {"size", "title", "author", "ruleset", "grid", "solution", "negative"}
_DIAGONALS = {"diagonal+", "diagonal-"}
_DECORATION = {
    *("foglight", "triggereffect", "fogofwar", "successMessage", "disabledlogic", "truecandidatesoptions"),
    *("metadata", "highlightConflicts", "customTimerStart", "msgcorrect"),
}
_DRAWINGS = ("cage", "circle", "line", "rectangle", "text")
_COLOURS, _NOTES = ("c", "cArray", "highlight", "highlightArray"), ("centerPencilMarks", "cornerPencilMarks")
_CELL = {"value", "given", "givenPencilMarks", "region", *_COLOURS, *_NOTES}

_COPY = re.compile(r"from[A-Z]\w*|is\w+Constraint")
"""The name of a field that marks a drawing as the copy of a constraint which is stated beside it."""

_MESSAGE = re.compile(r"\s*(?:(?:FOW|FOGLIGHT)\b|(?:msgcorrect|title|author|rules|solution)\s*:)", re.IGNORECASE)
_STANDS_FOR: Mapping[str, Collection[str]] = {
    "line": (*NOT_DRAWN, "lockout"),
    "cage": ("clone", "extraregion", "killercage"),
    "text": ("thermometer",),
}
"""By the key of a drawing: the keys of rules that are often drawn so, over exactly the same cells."""


class FPuzzlesReading(Reader):
    """The reading of decoded JSON with a list called grid. Raises ``InputError`` if its size is unusable.

    outlines: the cells of the rules so far, by their key, as names.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__()
        self.data = data
        self.outlines: dict[str, set[frozenset[str]]] = {}
        size = data.get("size", len(data["grid"]))
        if type(size) is not int or not 1 <= size <= LARGEST_ORDER_IN_CHARACTERS:
            raise InputError(f"size {size!r:.40}; expected a whole number from 1 to {LARGEST_ORDER_IN_CHARACTERS}")
        self.size = size
        self.cells = self._grid()

    def puzzle(self) -> Puzzle:
        """Return the puzzle, with everything that the data state."""
        rising, falling = (self.data.get(key) is True for key in ("diagonal+", "diagonal-"))
        geometry = with_diagonals(self._regions(), rising=rising, falling=falling)
        clues, entries, marks = self._digits()
        rules: list[Rule] = []
        ways = _ways_of_kinds()
        for key, value in self.data.items():
            if key in _BOARD_KEYS or is_empty(value) or (key in _DIAGONALS and value is True):
                continue
            kind, way = ways.get(key, (None, None))
            if kind and way and way.flag and value is True:
                rules.append(kind.make(kind.defaults))
            elif kind and way and way.key:
                rules += self._rules(kind, way, value, geometry)
            elif key not in _DRAWINGS:
                self.leave(key, short(value), key not in _DECORATION)
        for name in _all(self.data.get("negative")):
            kind, _ = ways.get(f"negative {name}", (None, None))
            if kind and isinstance(name, str):
                rules.append(kind.make(kind.defaults))
            else:
                self.leave("negative", short(name))
        for key in _DRAWINGS:
            self._drawings(key, [item for item in _all(self.data.get(key)) if not is_empty(item)])
        for fields, what in (_COLOURS, "coloured"), (_NOTES, "with notes of a solver"):
            if number := sum(any(cell.get(field) for field in fields) for cell in self.cells.values()):
                self.leave("grid", f"{number} cells {what}", False)
        board = Board(geometry, clues, entries, marks).with_rules(rules)
        title, author, prose = (self.text(name, self.data.get(name)) for name in ("title", "author", "ruleset"))
        lines = prose.splitlines()
        if len(lines) == len(rules) and {*lines} == {*words_for(board).splitlines()}:
            prose = ""  # nobody's own words
        noted = [_all(cell.get("centerPencilMarks")) for cell in self.cells.values()]
        solution, notes = self._solution(), self.notes(noted, self.size)
        return Puzzle(board, solution, title, author, prose, tuple(self.unread), notes=notes)

    def _grid(self) -> dict[str, Mapping[str, Any]]:
        """Return the cells by their names."""
        rows, numbers = self.data["grid"], range(1, self.size + 1)
        shape = [len(row) if isinstance(row, list) else -1 for row in rows[: self.size + 1]]
        if shape != [self.size] * self.size:
            raise InputError(f"a grid whose rows have {shape[:5]} ... cells; expected {self.size} rows of {self.size}")
        names = [f"r{row}c{column}" for row, column in product(numbers, numbers)]
        cells = dict(zip(names, chain.from_iterable(rows), strict=True))
        for name, cell in cells.items():
            if not isinstance(cell, dict) and not is_empty(cell):
                self.leave(f"grid {name}", f'{short(cell)}; expected a cell such as {{"value": 1}}')
        cells = {name: cell if isinstance(cell, dict) else {} for name, cell in cells.items()}
        self.leave_fields("grid", cells, _CELL)
        return cells

    def _regions(self) -> Geometry:
        n = self.size
        standard = usual(n) or Geometry.latin(n)
        default = standard.region_of or tuple(cell // n for cell in range(n * n))
        labels = [cell.get("region", label) for cell, label in zip(self.cells.values(), default, strict=True)]
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
        """Return givens, entries (none if there is not one), and pencil marks if any are given."""
        n, full = self.size, (1 << self.size) - 1
        clues, entries, marks = ([value] * len(self.cells) for value in (0, 0, full))
        for number, (name, cell) in enumerate(self.cells.items()):
            where = f"grid {name}"
            given = self.flag(f"{where} given", cell.get("given"))
            (clues if given else entries)[number] = self.symbol(where, cell.get("value") or None, n)
            stated = map(str, _all(cell.get("givenPencilMarks")))
            noted = [self.symbol(f"{where} givenPencilMarks", text, n) for text in stated]
            if not clues[number] and all(noted):  # below a given digit f-puzzles ignores them
                marks[number] = sum({1 << (symbol - 1) for symbol in noted}) or full
        return tuple(clues), tuple(entries) if any(entries) else (), None if {*marks} == {full} else tuple(marks)

    def _solution(self) -> tuple[int, ...] | None:
        """Return the stored solution, where it is whole and of this board's symbols."""
        stored = self.data.get("solution")
        texts = map(str, stored if isinstance(stored, (str, list)) else [])
        symbols = tuple(int(s) if re.fullmatch("[0-9]{1,3}", s) else symbol_number(s) or 0 for s in texts)
        if len(symbols) == self.size**2 and all(1 <= symbol <= self.size for symbol in symbols):
            return symbols
        if stored:
            self.leave("solution", "it is not whole, and so was not tested", False, relaxes=True)
        return None

    def _rules(self, kind: Kind, way: FPuzzlesItem, value: Any, geometry: Geometry) -> Iterator[Rule]:
        key = way.key
        items = [item for item in value if not is_empty(item)] if isinstance(value, list) else []
        if not isinstance(value, list) or len(items) > MOST_ENTRIES:
            count = f"{len(items):,} items" if items else short(value)
            self.leave(key, f"{count}; expected a list of at most {MOST_ENTRIES:,}")
            return
        groups = [items] if way.gather else [[item] for item in items]
        for number, group in enumerate(groups, 1):
            try:
                if rule := rule_of(kind, way, group, self.size):
                    yield self.sensible(rule, geometry)
                    self.outlines.setdefault(key, set()).update(*map(_outlines, group))
            except (Wrong, InputError) as problem:
                self.leave(f"{key} {number} of {len(groups)}", str(problem))

    def _drawings(self, key: str, items: Sequence[Any]) -> None:
        """Leave each drawing of a key that may be a rule of its own; count those that decorate or stand for a rule."""
        loose = [(k, self._description(item)) for k, item in enumerate(items, 1) if not self._decorates(key, item)]
        if copies := len(items) - len(loose):
            self.leave(key, f"{copies} that stand for rules, messages or fog", False)
        self.leave_drawings(key, loose, len(items))

    def _description(self, item: Any) -> str:
        """Return the words for what is drawn, and where."""
        if not isinstance(item, dict):
            return short(item)
        lines = item.get("lines")
        parts = lines[:3] if isinstance(lines, list) else [item.get("cells")]
        names = [[str(name).lower() for name in part] if isinstance(part, list) else [] for part in parts]
        places = [listed([name for name in part if re.fullmatch(r"r-?\d{1,3}c-?\d{1,3}", name)]) for part in names]
        return self.drawing(isinstance(lines, list), [" / ".join(places)], _text(item))

    def _decorates(self, key: str, item: Any) -> bool:
        if not isinstance(item, dict):
            return False
        text, drawn = _text(item), _outlines(item)
        if _MESSAGE.match(text):
            return True
        if any(value and _COPY.fullmatch(name) for name, value in item.items()):
            cells = frozenset[str]().union(*drawn)
            return any(cells <= frozenset[str]().union(*others) for others in self.outlines.values())
        if key == "text" and text not in ("<", ">"):
            return not text  # it is invisible
        exact = {cells for name in _STANDS_FOR.get(key, ()) for cells in self.outlines.get(name, ())}
        return bool(drawn) and (key == "text" or not text) and all(len(one) > 1 and one in exact for one in drawn)


def _ways_of_kinds() -> dict[str, tuple[Kind, FPuzzlesItem]]:
    """Return the kinds of rules that are read, each with how it is stated, by its key, or "negative" and its name."""
    ways = {}
    for kind in all_kinds().values():
        way = item_of(kind)
        if way is not None and way.is_read:
            ways[way.key or way.flag or f"negative {way.negative}"] = kind, way
    return ways


def _all(value: Any) -> list[Any]:
    """Return the entries of a list, and anything else as the only one, which is left unread."""
    return value if isinstance(value, list) else [] if is_empty(value) else [value]


def _outlines(item: Any) -> list[frozenset[str]]:
    """Return the cells of an item, as sets of names: of each of its lines, or of each of its lists of cells."""
    if not isinstance(item, dict):
        return []
    lists = item["lines"] if isinstance(item.get("lines"), list) else [item.get("cells"), item.get("cloneCells")]
    lists = [*lists, [item["cell"]]] if "cell" in item else lists
    return [
        frozenset(name.upper() for name in names if isinstance(name, str)) for names in lists if isinstance(names, list)
    ]


def _text(item: Mapping[str, Any]) -> str:
    value = item.get("value")
    return "" if value is None else str(value).strip()


# ---- writing ---------------------------------------------------------------------------------------------------------


def json_of(puzzle: Puzzle, refuse: Callable[[str], BoardError]) -> str:
    """Return the JSON of a puzzle. refuse: makes the error, to be raised, for what the format cannot express."""
    board, geometry = puzzle.board, puzzle.board.geometry
    if geometry.order > LARGEST_ORDER_IN_CHARACTERS:
        raise refuse(f"a board of order {geometry.order}")
    if board.marks is not None and 0 in board.candidates:
        raise refuse("pencil marks that leave nothing in a cell")
    data: dict[str, Any] = {
        "size": geometry.order,
        "title": puzzle.title,
        "author": puzzle.author,
        "ruleset": puzzle.prose or words_for(board),
        "grid": _grid_of(board),
    }
    for key, item in chain(_houses(geometry), written(board, lambda rule: items_of(rule, board), refuse)):
        if item is True:
            data[key] = True
        else:
            data.setdefault(key, []).append(item)
    if puzzle.solution:
        data["solution"] = list(puzzle.solution)
    return json.dumps({key: value for key, value in data.items() if value not in ("", [])}, separators=(",", ":"))


def _grid_of(board: Board) -> list[list[dict[str, Any]]]:
    geometry, n, full = board.geometry, board.geometry.order, (1 << board.geometry.order) - 1
    standard, regions = usual(n), geometry.region_of
    is_usual = standard is not None and regions == standard.region_of
    nothing = (0,) * geometry.cell_count
    cells: list[dict[str, Any]] = []
    for clue, entry, mask in zip(board.clues, board.filled or nothing, board.marks or nothing, strict=True):
        cell: dict[str, Any] = {"value": clue, "given": True} if clue else {"value": entry} if entry else {}
        if not clue and mask not in (0, full):
            cell["givenPencilMarks"] = [symbol + 1 for symbol in range(n) if mask >> symbol & 1]
        cells.append(cell if is_usual else cell | {"region": regions and regions[len(cells)]})
    return [cells[start : start + n] for start in range(0, n * n, n)]


def _houses(geometry: Geometry) -> Iterator[tuple[str, Any]]:
    """Yield the keys of the houses beyond rows, columns and regions, and what stands under each."""
    falling, rising = map(frozenset, diagonals(geometry.order))
    keys = {rising: "diagonal+", falling: "diagonal-"}
    if "disjoint groups" in geometry.families:
        yield "disjointgroups", True
    for house in further_houses(geometry):
        if key := keys.get(frozenset(house.cells)):
            yield key, True
        elif house in geometry.extra or "disjoint" not in house.kind:
            yield "extraregion", {"cells": named(house.cells, geometry.order)}
