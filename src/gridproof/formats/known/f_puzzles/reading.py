"""Read puzzles of f-puzzles: JSON behind ``?load=`` in a link, which SudokuPad opens as well.

Each kind of rule names its own key, and the field of each parameter (``Rule.formats["f-puzzles"]``). An outside clue
has ``sight`` for its cells: the place from where it sees them. This module knows givens, regions and diagonals.
Whatever is neither a rule nor decoration is listed as unread, never ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from gridproof.errors import InputError
from gridproof.formats.known.f_puzzles.drawings import Outlines, outlines, unread_drawings
from gridproof.formats.programs import Reader, Wrong, is_empty, short, words_for
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import usual, with_diagonals
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, symbol_number
from gridproof.rules import Rule, all_kinds
from gridproof.rules.kind import Kind
from gridproof.rules.relation import RelationRule
from gridproof.rules.rule import REQUIRED, Parameter

FORMAT = "f-puzzles"
LARGEST_ORDER = 35
MOST_ENTRIES = 5_000
"""Items of one key at most; a board of order 35 has 2,380 pairs of neighbours."""

_BOARD_KEYS = {"size", "title", "author", "ruleset", "grid", "solution", "negative"}
_DIAGONALS = {"diagonal+", "diagonal-"}
_DECORATION = {
    *("foglight", "triggereffect", "fogofwar", "successMessage", "disabledlogic", "truecandidatesoptions"),
    *("metadata", "highlightConflicts", "customTimerStart", "msgcorrect"),
}
_DRAWINGS = ("cage", "circle", "line", "rectangle", "text")
_COLOURS, _NOTES = ("c", "cArray", "highlight", "highlightArray"), ("centerPencilMarks", "cornerPencilMarks")
_CELL = {"value", "given", "givenPencilMarks", "region", *_COLOURS, *_NOTES}
_COSMETIC = {"outlineC", "fontC", "baseC", "width", "height", "angle", "size", "hidden"}
_PLACE = re.compile(r"R(-?\d{1,3})C(-?\d{1,3})", re.IGNORECASE)


def read(data: Mapping[str, Any]) -> Puzzle:
    """Return the puzzle of decoded JSON with a list called grid. Raises ``InputError`` if its size is unusable."""
    return _Reader(data).puzzle()


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

    def puzzle(self) -> Puzzle:
        """Return the puzzle, with everything that the data state."""
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
            elif key == "unread":
                self.leave_marked(value)
            elif key not in _DRAWINGS:
                self.leave(key, short(value), key not in _DECORATION)
        rules += self._negatives()
        for key in _DRAWINGS:
            items = [item for item in _all(self.data.get(key)) if not is_empty(item)]
            self.unread += unread_drawings(key, items, self.outlines)
        for fields, what in (_COLOURS, "coloured"), (_NOTES, "with notes of a solver"):
            if number := sum(any(cell.get(field) for field in fields) for cell in self.cells):
                self.leave("grid", f"{number} cells {what}", False)
        board = Board(geometry, clues, entries, marks).with_rules(rules)
        title, author, prose = (self.text(name, self.data.get(name)) for name in ("title", "author", "ruleset"))
        lines = prose.splitlines()
        if len(lines) == len(rules) and {*lines} == {*words_for(board).splitlines()}:
            prose = ""  # nobody's own words
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
        self.leave_fields("grid", {self._name(number): cell for number, cell in enumerate(cells)}, _CELL)
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
        """Return givens, entries (none if there is not one), and pencil marks if any are given."""
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
        """Return the stored solution, where it is whole and of this board's symbols."""
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

    def _negatives(self) -> Iterator[Rule]:
        kinds = _kinds_with("negative")
        for name in _all(self.data.get("negative")):
            if isinstance(name, str) and name in kinds:
                yield kinds[name].make(kinds[name].defaults)
            else:
                self.leave("negative", short(name))


def _kinds_with(entry: str) -> dict[str, Kind]:
    """Return the kinds by the value of an entry of theirs for this format."""
    formats = [(kind, kind.formats.get(FORMAT, {})) for kind in all_kinds().values()]
    return {fmt[entry]: kind for kind, fmt in formats if entry in fmt}


def _all(value: Any) -> list[Any]:
    """Return the entries of a list, and anything else as the only one, which is left unread."""
    return value if isinstance(value, list) else [] if is_empty(value) else [value]


def _symbol(value: Any) -> int:
    """Return a symbol of a stored solution: a number, its text, or a letter from 10 on; 0 for anything else."""
    text = str(value)
    return int(text) if re.fullmatch(r"[0-9]{1,3}", text) else symbol_number(text) or 0


# ---- items -----------------------------------------------------------------------------------------------------------


def number_of(value: Any) -> int:
    """Return a whole number, perhaps given as text. Raises ``Wrong``."""
    if type(value) is int:
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,6}\s*", value):
        return int(value)
    raise Wrong(f"value {short(value)}; expected a whole number")


def rule_of(kind: Kind, items: Sequence[Any], n: int) -> Rule | None:
    """Return the rule of one item, or of all items of a kind that is gathered; ``None`` for one that is drawn nowhere.

    Raises ``Wrong`` or ``InputError``.
    """
    fmt = kind.formats[FORMAT]
    known = _COSMETIC.union(*(_fields(fmt.get(p.name), fmt) for p in kind.parameters))
    for item in items:
        if not isinstance(item, dict):
            raise Wrong(short(item))
        if further := sorted(name for name, value in item.items() if name not in known and not is_empty(value)):
            raise Wrong(f"{', '.join(further)[:60]} beside what is known of it")
    item = {"cell": [one.get("cell") for one in items]} if fmt.get("gather") else items[0]
    values = {p.name: _value(p, fmt, item, n) for p in kind.parameters}
    if not any(values[p.name] for p in kind.of_cells):
        if stated := [name for name, value in item.items() if name not in _COSMETIC and not is_empty(value)]:
            raise Wrong(f"no cells, but {stated[0]} {short(item[stated[0]])}")
        return None
    rule = kind.make(values)
    if is_of_pairs(rule, fmt) and (len(values["cells"]) != 2 or len({*values["cells"]}) != 2):
        raise Wrong(f"{len(values['cells'])} cells; expected two different ones")
    return rule


def is_of_pairs(rule: Rule, fmt: Mapping[str, Any]) -> bool:
    """Return whether an item has two cells that are compared, as a dot has."""
    return isinstance(rule, RelationRule) and rule.relation["pairs"] == "consecutive" and fmt.get("cells") == "cells"


def _fields(field: str | list[str] | None, fmt: Mapping[str, Any]) -> set[str]:
    """Return the fields of an item that state a parameter."""
    if field == "sight":
        return {"cell", "cells", "direction"} if fmt.get("slanted") else {"cell"}
    return {field} if isinstance(field, str) else {*(field or ())}


def _value(p: Parameter, fmt: Mapping[str, Any], item: Mapping[str, Any], n: int) -> Any:
    field = fmt.get(p.name)
    if field is None:
        return p.default
    if field == "sight":
        return _sight(item, n, slanted=bool(fmt.get("slanted")))
    if isinstance(field, list):
        return tuple(_cells(item[name], n) for name in field if not is_empty(item.get(name)))
    value = item.get(field)
    if p.type in ("lines", "cells", "numbers"):
        values = [value] if field == "cell" and not fmt.get("gather") else [] if value is None else value
        if not isinstance(values, list):
            raise Wrong(f"{field} {short(value)}; expected a list")
        if p.type == "lines":
            lines = [_cells(line, n)[1 if fmt.get("drop first") else 0 :] for line in values]
            return tuple(filter(None, lines))
        return _cells(values, n) if p.type == "cells" else tuple(map(number_of, values))
    if value in (None, ""):
        if p.default is REQUIRED:
            raise Wrong(f"no {field}; expected the {p.name}")
        return p.default
    number = fmt.get("words", {}).get(str(value).strip().upper()) or number_of(value)
    return p.default if number == fmt.get("unstated") else number


def _cells(names: Any, n: int) -> tuple[int, ...]:
    if not isinstance(names, list) or len(names) > n**2:
        raise Wrong(f"{short(names)}; expected a list of at most {n**2} cells")
    places = list(map(_place, names))
    for name, (row, column) in zip(names, places, strict=True):
        if not (1 <= row <= n and 1 <= column <= n):
            raise Wrong(f"{name} is not on a board of order {n}")
    return tuple((row - 1) * n + column - 1 for row, column in places)


def _place(name: Any) -> tuple[int, int]:
    match = _PLACE.fullmatch(name) if isinstance(name, str) else None
    if match is None:
        raise Wrong(f"cell {short(name)}; expected a name such as R1C1")
    return int(match[1]), int(match[2])


def _sight(item: Mapping[str, Any], n: int, *, slanted: bool) -> tuple[int, ...]:
    """Return the cells that a clue outside the grid sees."""
    direction = str(item.get("direction")) if slanted else ""
    cells = sights(n).get((*_place(item.get("cell")), direction))
    if cells is None or slanted != bool(direction):
        place = f"cell {short(item['cell'])}" + f", direction {short(item.get('direction'))}" * slanted
        wanted = "a place outside the grid" + ", and UL, UR, DL or DR" * slanted
        raise Wrong(f"{place}; expected {wanted}, from where a clue sees cells")
    if item.get("cells") and sorted(_cells(item["cells"], n)) != sorted(cells):
        raise Wrong(f"cells {short(item['cells'])}; expected those that its clue sees")
    return cells


@lru_cache(maxsize=8)
def sights(n: int) -> dict[tuple[int, int, str], tuple[int, ...]]:
    """Return the cells that clues outside the grid see, the nearest first, by row, column, and direction if slanted.

    Those above and below come first, which is where people put a clue that sees a corner only.
    """
    lines = {}
    for down, right in product((0, 1, -1), repeat=2):
        slant = f"{'D' if down > 0 else 'U'}{'R' if right > 0 else 'L'}" if down and right else ""
        for row, column in product(range(n), repeat=2):
            places = [(row + k * down, column + k * right) for k in range(-1, n)]
            inside = [0 <= r < n and 0 <= c < n for r, c in places]
            if not inside[0]:
                cells = tuple(r * n + c for (r, c), within in zip(places, inside, strict=True) if within)
                lines[places[0][0] + 1, places[0][1] + 1, slant] = cells
    return dict(sorted(lines.items(), key=lambda sight: 1 <= sight[0][0] <= n))
