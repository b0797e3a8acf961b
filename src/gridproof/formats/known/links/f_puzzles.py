"""Read the JSON of f-puzzles, which stands behind ``?load=`` in a link; SudokuPad opens it as well.

Rules are items (``items``). Givens, regions and diagonals are read here. Whatever is neither a rule nor decoration
is listed as unread, never ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product
from typing import Any

from gridproof.errors import InputError
from gridproof.formats.known.links.f_puzzles_decoration import is_decoration, outlines_of, text_of
from gridproof.formats.known.links.further_rules import KEY, list_drawings, read_further, remove_sentences
from gridproof.formats.known.links.items import Way, rule_of, ways_of_kinds
from gridproof.formats.programs import (
    ProgramReader,
    UnreadItem,
    as_list,
    check_sense,
    entries_of,
    is_blank,
    is_empty,
    is_named,
    list_cells,
    shorten,
    words_for,
)
from gridproof.formats.puzzle import MOST_ENTRIES, Puzzle
from gridproof.formats.shapes import usual_geometry, with_diagonals
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import LARGEST_ORDER_IN_CHARACTERS, Digits, digit_number
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.rules import Rule, find
from gridproof.text import counted

_BOARD_KEYS = {"size", "title", "author", "ruleset", "grid", "solution", "negative", "metadata", KEY}
_DIAGONALS = {"diagonal+", "diagonal-"}
_DECORATION = {
    *("foglight", "triggereffect", "fogofwar", "successMessage", "disabledlogic", "truecandidatesoptions"),
    *("highlightConflicts", "customTimerStart", "msgcorrect"),
}
_PICTURES = {"bgimage": "a picture behind the board"}
"""Keys of the metadata that may show a rule."""

_DRAWINGS = ("cage", "circle", "line", "rectangle", "text")
_COLOURS = ("c", "cArray", "highlight", "highlightArray")
_NOTES = ("centerPencilMarks", "cornerPencilMarks")
_CELL = {"value", "given", "givenPencilMarks", "region", "parity"}.union(_COLOURS, _NOTES)
_PARITIES = ("odd", "even")

_PLACE = re.compile(r"r-?[0-9]{1,3}c-?[0-9]{1,3}")


class FPuzzlesReading(ProgramReader):
    """The reading of decoded JSON with a list called grid. Raises ``InputError`` if its size is unusable.

    outlines: the cells of the rules so far, by their key, as names.
    """

    def __init__(self, data: Mapping[str, Any], digits: Digits | None = None) -> None:
        super().__init__(digits)
        self.data = data
        self.outlines: dict[str, set[frozenset[str]]] = {}
        size = data.get("size", len(data["grid"]))
        if type(size) is not int or not 1 <= size <= LARGEST_ORDER_IN_CHARACTERS:
            raise InputError(f"size {size!r:.40}; expected a whole number from 1 to {LARGEST_ORDER_IN_CHARACTERS}")
        self.size = size
        self.cells = self._read_grid()

    def read_puzzle(self) -> Puzzle:
        """Return the puzzle, with everything that the data state."""
        rising, falling = self.data.get("diagonal+") is True, self.data.get("diagonal-") is True
        geometry = self.with_digits(with_diagonals(self._read_regions(), rising=rising, falling=falling))
        digits = geometry.digits
        clues, entries, marks = self._read_digits(digits)
        rules = list(self._read_rules(geometry))
        rules += self._read_negative()
        rules += self._read_parities()
        further = list(self._read_further(geometry))
        self._leave_metadata()
        for key in _DRAWINGS:
            self._leave_drawings(key)
        self._note_cells_with("coloured", _COLOURS)
        self._note_cells_with("with notes of a solver", _NOTES)
        board = Board(geometry, clues, entries, marks).with_rules(rules)
        title = self.read_text("title", self.data.get("title"))
        author = self.read_text("author", self.data.get("author"))
        prose = remove_sentences(self.read_text("ruleset", self.data.get("ruleset")), further, geometry)
        lines = prose.splitlines()
        if len(lines) == len(rules) and set(lines) == set(words_for(board).splitlines()):
            prose = ""  # nobody's own words
        board = board.with_rules(further)
        solution = self._read_solution(digits)
        notes = self.read_notes([_marks_of(cell.get("centerPencilMarks")) for cell in self.cells.values()], digits)
        return Puzzle(board, solution, title, author, prose, tuple(self.unread), notes=notes)

    # ---- the grid ----------------------------------------------------------------------------------------------------

    def _read_grid(self) -> dict[str, Mapping[str, Any]]:
        """Return the cells by their names."""
        rows = self.data["grid"]
        lengths = [len(as_list(row)) for row in rows[: self.size + 1]]
        if lengths != [self.size] * self.size:
            expected = f"expected {self.size} rows of {self.size}"
            raise InputError(f"a grid whose rows have {lengths[:5]} ... cells; {expected}")
        numbers = range(1, self.size + 1)
        cells: dict[str, Mapping[str, Any]] = {}
        for (row, column), cell in zip(product(numbers, numbers), chain.from_iterable(rows), strict=True):
            name = f"r{row}c{column}"
            cells[name] = cell if isinstance(cell, dict) else {}
            if not isinstance(cell, dict) and not is_empty(cell):
                self.leave(f"grid {name}", f'{shorten(cell)}; expected a cell such as {{"value": 1}}')
        self.leave_fields("grid", cells, _CELL)
        return cells

    def _read_regions(self) -> Geometry:
        n = self.size
        standard = usual_geometry(n) or Geometry.latin(n)
        default = standard.region_of or tuple(cell // n for cell in range(n * n))
        labels = [cell.get("region", label) for cell, label in zip(self.cells.values(), default, strict=True)]
        if labels == list(default):
            return standard
        members: dict[int, list[int]] = {}
        for number, label in enumerate(labels):
            if type(label) is int:
                members.setdefault(label, []).append(number)
            elif label is not None:
                self.leave("grid.region", f"{shorten(label)}; expected a whole number")
        return self.make_regions(n, members, "grid.region")

    def _read_digits(self, digits: Digits) -> tuple[SymbolTuple, SymbolTuple, tuple[int, ...] | None]:
        """Return givens, entries (none if there is not one), and pencil marks if any are given."""
        all_symbols = (1 << len(digits)) - 1
        clues = [0] * len(self.cells)
        entries = [0] * len(self.cells)
        marks = [all_symbols] * len(self.cells)
        for number, (name, cell) in enumerate(self.cells.items()):
            where = f"grid {name}"
            is_given = self.read_flag(f"{where} given", cell.get("given"))
            symbols = entries
            if is_given:
                symbols = clues
            value = cell.get("value")
            is_stated = value or (value == 0 and 0 in digits)
            symbols[number] = self.read_symbol(where, value if is_stated else None, digits)
            place = f"{where} givenPencilMarks"
            noted = [self.read_symbol(place, str(mark), digits) for mark in _marks_of(cell.get("givenPencilMarks"))]
            if noted and all(noted) and not clues[number]:  # below a given digit f-puzzles ignores them
                marks[number] = 0
                for symbol in noted:
                    marks[number] |= 1 << (symbol - 1)
        has_marks = any(mask != all_symbols for mask in marks)
        return tuple(clues), tuple(entries) if any(entries) else (), tuple(marks) if has_marks else None

    def _note_cells_with(self, what: str, fields: Sequence[str]) -> None:
        number = 0
        for cell in self.cells.values():
            if any(cell.get(field) for field in fields):
                number += 1
        if number:
            self.note("grid", f"{counted(number, 'cell')} {what}")

    def _read_solution(self, digits: Digits) -> SymbolTuple | None:
        """Return the stored solution, where it is whole and of this board's digits."""
        stored = self.data.get("solution")
        numbers: list[int | None] = []
        for entry in list(stored) if isinstance(stored, str) else as_list(stored):
            text = str(entry)
            if re.fullmatch("[0-9]{1,3}", text):
                numbers.append(int(text))
            else:
                numbers.append(digit_number(text))
        if len(numbers) == self.size**2 and all(number in digits for number in numbers):
            return tuple([digits.symbol(number) for number in numbers if number is not None])
        if stored:
            self.doubt("solution", "it is not whole, and so was not tested")
        return None

    # ---- rules -------------------------------------------------------------------------------------------------------

    def _read_rules(self, geometry: Geometry) -> Iterator[Rule]:
        """Yield the rules of each key that states some; leave every other key unread."""
        ways, _ = ways_of_kinds()
        for key, value in self.data.items():
            way = ways.get(key)
            is_known = way is not None or key in _DIAGONALS or key in _DECORATION
            states_nothing = is_blank(value) or (is_known and value is False)
            if key in _BOARD_KEYS or key in _DRAWINGS or states_nothing:
                continue
            if way is not None and way.item.key:
                yield from self._read_items(way, value, geometry)
            elif way is not None and value is True:
                yield way.kind()
            elif key in _DECORATION:
                self.note(key, shorten(value))
            elif key not in _DIAGONALS or value is not True:
                self.leave(key, shorten(value), relaxes=not is_known)

    def _read_items(self, way: Way, value: Any, geometry: Geometry) -> Iterator[Rule]:
        key = way.item.key
        items = entries_of(value)
        if not isinstance(value, list) or len(items) > MOST_ENTRIES:
            if isinstance(value, list):
                count = f"{len(items):,} items"
            else:
                count = shorten(value)
            self.leave(key, f"{count}; expected a list of at most {MOST_ENTRIES:,}", relaxes=False)
            return
        groups = [[item] for item in items]
        if way.item.gather:
            groups = [items]
        for number, group in enumerate(groups, 1):
            try:
                rule = rule_of(way.kind, way.item, group, self.size)
                if rule is None:
                    continue
                yield check_sense(rule, geometry)
            except (UnreadItem, InputError) as problem:
                self.leave(f"{key} {number} of {len(groups)}", str(problem), relaxes=False)
            else:
                outlines = self.outlines.setdefault(key, set())
                for item in group:
                    outlines.update(outlines_of(item))

    def _read_negative(self) -> Iterator[Rule]:
        _, ways = ways_of_kinds()
        for name in entries_of(self.data.get("negative")):
            if isinstance(name, str) and name in ways:
                kind = ways[name].kind
                yield kind()
            else:
                self.leave("negative", shorten(name))

    def _read_parities(self) -> Iterator[Rule]:
        """Yield the rules of cells that are marked as odd or even in the grid."""
        marked: dict[str, list[int]] = {}
        for number, (name, cell) in enumerate(self.cells.items()):
            parity = cell.get("parity")
            word = str(parity).strip().lower()
            if word in _PARITIES:
                marked.setdefault(word, []).append(number)
            elif not is_empty(parity):
                self.leave(f"grid {name} parity", f"{shorten(parity)}; expected odd or even", relaxes=False)
        for word, cells in marked.items():
            values: dict[str, Any] = {"cells": tuple(cells)}
            yield find(word)(**values)

    def _read_further(self, geometry: Geometry) -> Iterator[Rule]:
        """Yield the rules that gridproof has written as drawings, and note where these are."""
        entries = entries_of(self.data.get(KEY))
        for number, entry in enumerate(entries[:MOST_ENTRIES], 1):
            try:
                rule = read_further(entry, geometry)
            except (UnreadItem, InputError) as problem:
                self.leave(f"{KEY} {number} of {len(entries)}", str(problem), relaxes=False)
                continue
            outlines = self.outlines.setdefault(KEY, set())
            for _, fields in list_drawings([rule], geometry):
                outlines.update(outlines_of(fields))
            yield rule
        if len(entries) > MOST_ENTRIES:
            self.leave(KEY, f"{len(entries):,} items; expected at most {MOST_ENTRIES:,}", relaxes=False)

    def _leave_metadata(self) -> None:
        metadata = self.data.get("metadata")
        if is_empty(metadata):
            return
        if not isinstance(metadata, dict):
            self.note("metadata", shorten(metadata))
            return
        for key, what in _PICTURES.items():
            if not is_empty(metadata.get(key)):
                self.leave(f"metadata.{key}", what)
        others = {}
        for key, value in metadata.items():
            if key not in _PICTURES:
                others[key] = value
        if others:
            self.note("metadata", shorten(others))

    # ---- drawings ----------------------------------------------------------------------------------------------------

    def _leave_drawings(self, key: str) -> None:
        """Leave each drawing of a key that may be a rule of its own; count those that decorate or stand for a rule."""
        items = entries_of(self.data.get(key))
        loose = []
        for place, item in enumerate(items, 1):
            if is_named(item) or not is_decoration(key, item, self.outlines):
                loose.append((place, item))
        if len(loose) < len(items):
            self.note(key, f"{len(items) - len(loose)} that stand for rules, messages or fog")
        self.leave_drawings(key, loose, len(items), self.describe)

    def describe(self, item: Any) -> str:
        """Return the words for what is drawn, and where."""
        if not isinstance(item, dict):
            return shorten(item)
        lines = item.get("lines")
        is_line = isinstance(lines, list)
        places = []
        for part in as_list(lines)[:3] if is_line else [item.get("cells")]:
            names = []
            for stated in as_list(part):
                name = str(stated).lower()
                if _PLACE.fullmatch(name):
                    names.append(name)
            places.append(list_cells(names))
        return self.describe_drawing(is_line, [" / ".join(places)], text_of(item))


def _marks_of(value: Any) -> list[Any]:
    """Return the entries of a list of pencil marks, and anything else as the only one, which is left unread."""
    if isinstance(value, list):
        return value
    return [] if is_empty(value) else [value]
