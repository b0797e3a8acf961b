"""Read puzzles of SudokuPad: JSON, or the same as shortened text, behind ``scl`` or ``ctc`` in a link.

Little of it is a rule that a program can read: givens, regions, cages marked as unique, and the moves of chess pieces.
Thermometers, arrows and dots are drawings without a meaning, so they are listed as unread. So are cages with a number
that are not marked as unique, since that number is often not the sum; but where the stored solution agrees with all of
them they are killer cages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import floor
from typing import Any

from gridproof.errors import InputError
from gridproof.formats.known.links.sudokupad_cages import Cage, Place
from gridproof.formats.programs import (
    Drawing,
    ProgramReader,
    as_list,
    entries_of,
    is_blank,
    is_empty,
    is_named,
    list_cells,
    shorten,
)
from gridproof.formats.puzzle import MOST_ENTRIES, Puzzle
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits, digit_number
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.rules import Rule, find
from gridproof.rules.kinds.killer import Killer
from gridproof.text import counted

LARGEST_SIDE = 40
"""Rows of a board that is read, perhaps with a frame around it."""

_HIDDEN = re.compile(r"\s*(\w+)\s*:\s*(.*)", re.DOTALL)
"""The text of a cage without cells, which is a part of the metadata."""

_KEYS = {"id", "cells", "regions", "cages", "cellSize", "metadata", "global"}
_DECORATION = {"settings", "foglight", "triggereffect", "videos", "fogofwar"}
_DRAWINGS = {"lines", "arrows", "overlays", "underlays"}
_TEXTS = ("title", "author", "rules", "solution")
_METADATA = {"source", "msgcorrect", "bgimage", "bgimageopacity", "videos", "norowcol"}.union(_TEXTS)
_MOVES = {"antiknight": "anti-knight", "antiking": "anti-king"}
_FEWEST_CAGES = 3
"""Cages with which the stored solution must agree before they are taken for killer cages."""


class SudokuPadReading(ProgramReader):
    """The reading of data with a list called cells. Raises ``InputError`` if these are none of a board."""

    def __init__(self, data: Mapping[str, Any], digits: Digits | None = None) -> None:
        super().__init__(digits)
        self.data = data
        self.metadata = dict(self._read_part("metadata", {}))
        regions = self._read_part("regions", [])
        self.regions = []
        for number, region in enumerate(regions, 1):
            self.regions.append(self._read_places(f"regions {number}", region))
        self.cages: list[Cage] = []
        cages = self._read_part("cages", [])
        for number, fields in enumerate(cages, 1):
            self._take_cage(f"cages {number} of {len(cages)}", fields)
        for key, value in self.metadata.items():
            if key not in _METADATA and key not in _MOVES and not is_blank(value):
                self.leave(f"metadata.{key}", shorten(value))
        if not is_empty(self.metadata.get("bgimage")):
            self.leave("metadata.bgimage", "a picture behind the board")
        self.top, self.left, self.size = find_square(self.data["cells"], self.regions)
        self.geometry = self.with_digits(self._make_geometry())

    def read_puzzle(self) -> Puzzle:
        """Return the puzzle, with everything that the data state."""
        texts = {}
        for name in _TEXTS:
            texts[name] = self.read_text(f"metadata.{name}", self.metadata.get(name))
        clues, entries, noted = self._read_digits()
        solution = self._read_solution(texts["solution"])
        rules = list(self._read_cages(solution))
        rules += self._read_moves()
        for key, value in self.data.items():
            self._leave_key(key, value)
        filled = tuple(entries) if any(entries) else ()
        board = Board(self.geometry, tuple(clues), filled).with_rules(rules)
        for name in ("title", "author", "rules"):
            texts[name] = texts[name].replace("\\n", "\n")  # some files escape line ends twice
        notes = self.read_notes(noted, self.geometry.digits)
        unread = tuple(self.unread)
        return Puzzle(board, solution, texts["title"], texts["author"], texts["rules"], unread, notes=notes)

    # ---- parts of the file -------------------------------------------------------------------------------------------

    def _read_part(self, key: str, nothing: Any) -> Any:
        """Return a list or an object of the data. nothing: an empty one."""
        value = self.data.get(key)
        if is_empty(value):
            return nothing
        if not isinstance(value, type(nothing)):
            self.leave(key, f"{shorten(value)}; expected {'an object' if nothing == {} else 'a list'}")
            return nothing
        if len(value) > MOST_ENTRIES:
            raise InputError(f"{len(value):,} {key}; expected at most {MOST_ENTRIES:,}")
        return value

    def _read_places(self, where: str, names: Any) -> list[Place]:
        """Return the pairs (row, column) of a list; none of anything else, which is left unread."""
        if is_empty(names):
            return []
        places = []
        for pair in as_list(names) or [names]:
            if not isinstance(pair, list) or [type(number) for number in pair] != [int, int]:
                self.leave(where, f"cells {shorten(names)}; expected pairs such as [0, 1]")
                return []
            places.append((pair[0], pair[1]))
        return places

    def _take_cage(self, where: str, fields: Any) -> None:
        """Note a cage, or what one without cells states about the puzzle."""
        if not isinstance(fields, dict):
            if not is_empty(fields):
                self.leave(where, f"{shorten(fields)}; expected an object")
            return
        cage = Cage(where, fields, self._read_places(where, fields.get("cells")))
        if cage.places:
            self.cages.append(cage)
        elif is_empty(fields.get("cells")):
            text = str(fields.get("value") or "")
            hidden = _HIDDEN.match(text)
            if hidden and hidden[1].lower() in _METADATA:
                self.metadata.setdefault(hidden[1].lower(), hidden[2])
            elif text.strip() and not cage.is_fog:
                self.leave(where, f"the text {text[:30]!r} without cells")

    def _make_geometry(self) -> Geometry:
        regions = {}
        for number, region in enumerate(self.regions, 1):
            if region:
                regions[number] = self.cells_at(region)
        if not regions:
            self.doubt("regions", "none: only rows and columns are houses")
        if not is_empty(self.metadata.get("norowcol")):
            self.leave("metadata.norowcol", "rows and columns may hold digits twice, which gridproof cannot express")
        return self.make_regions(self.size, regions, "regions")

    def cells_at(self, places: Sequence[Place]) -> tuple[int, ...]:
        """Return the numbers of the cells at places that are on the board."""
        cells = []
        for row, column in places:
            row, column = row - self.top, column - self.left
            if 0 <= row < self.size and 0 <= column < self.size:
                cells.append(row * self.size + column)
        return tuple(cells)

    def _read_digits(self) -> tuple[list[int], list[int], list[Any]]:
        """Return the givens, what is filled in beside them, and what a solver has noted in the middle of cells."""
        n = self.size
        clues = [0] * (n * n)
        entries = [0] * (n * n)
        notes: list[Any] = [None] * (n * n)
        cells: dict[str, Mapping[str, Any]] = {}
        for row, line in enumerate(self.data["cells"], -self.top):
            for column, cell in enumerate(line, -self.left):
                where = f"r{row + 1}c{column + 1}"
                is_object = isinstance(cell, dict)
                fields: Mapping[str, Any] = cell if is_object else {"value": cell or None}
                cells[where] = fields
                is_inside = 0 <= row < n and 0 <= column < n
                is_given = self.read_flag(f"cells {where} given", fields.get("given"), True)
                digits = self.geometry.digits if is_inside and is_object else None
                symbol = self.read_symbol(f"cells {where}", fields.get("value"), digits)
                if is_inside:
                    symbols = entries
                    if is_given:
                        symbols = clues
                    symbols[row * n + column] = symbol
                    notes[row * n + column] = fields.get("centremarks")
        self.leave_fields("cells", cells, {"value", "given", "centremarks"})
        noted = [note for note in notes if note]
        if noted:
            self.note("cells", f"{counted(len(noted), 'cell')} with notes of a solver")
        return clues, entries, notes

    def _read_solution(self, stored: str) -> SymbolTuple | None:
        """Return the stored solution, where it is whole; that of a board with a frame may be stored with its frame."""
        stored = "".join(stored.split())
        if not stored:
            return None
        n, rows = self.size, self.data["cells"]
        width = len(rows[0])
        if len(stored) == len(rows) * width != n * n:
            starts = [(self.top + row) * width + self.left for row in range(n)]
            stored = "".join(stored[start : start + n] for start in starts)
        digits = self.geometry.digits
        symbols = []
        strange = set()
        for character in stored:
            digit = digit_number(character)
            if character in ".?":
                symbols.append(0)
            elif digit is not None and digit in digits:
                symbols.append(digits.symbol(digit))
            else:
                strange.add(character)
        if len(stored) != n * n or strange:
            what = f"{counted(len(stored), 'cell')}"
            if len(stored) == n * n:
                what = f"the symbols {''.join(sorted(strange))[:20]!r}"
            self.leave("solution", f"{what}; expected {n * n} of the symbols of a {self.geometry.description} board")
            return None
        if 0 in symbols:
            self.doubt("solution", f"{counted(symbols.count(0), 'blank cell')}, and so it was not tested")
            return None
        return tuple(symbols)

    # ---- rules -------------------------------------------------------------------------------------------------------

    def _read_cages(self, solution: SymbolTuple | None) -> Iterator[Rule]:
        """Yield the cages whose digits differ, or add up to a whole number, or both.

        Those with a number that are not marked as unique are killer cages if the stored solution agrees with them all.
        """
        houses = [set(house.cells) for house in self.geometry.houses]
        numbered: dict[str, Rule] = {}
        cages: dict[str, Cage] = {}
        fogs = 0
        for cage in self.cages:
            cells = self.cells_at(cage.places)
            where = f"{cage.where} ({list_cells([self.geometry.cell_name(cell) for cell in cells])})"
            total = None
            if re.fullmatch(r"-?[0-9]{1,6}", cage.text):
                total = int(cage.text)
            rule = Killer(total=total, cells=cells)
            if is_named(cage.fields):
                self.named.append(Drawing(where, "cages", cage.fields))
            elif cage.is_fog:
                fogs += 1
            elif cage.fields.get("type") == "rowcol" and set(cells) in houses:
                pass  # a house that the board has anyway
            elif strange := cage.find_strange_field():
                self.leave(where, strange)
            elif reason := cage.find_problem(cells, total) or rule.invalid_reason(self.geometry):
                self._leave_cage(cage, where, reason)
            elif cage.fields.get("unique"):
                yield rule
            elif total is not None:
                numbered[where] = rule
                cages[where] = cage
            elif cage.fields.get("hidden"):
                self.note(where, "a cage without a sum")
            else:
                self._leave_cage(cage, where, "a cage without a sum")
        if fogs:
            self.note("cages", f"{fogs} of fog")
        yield from self._read_numbered(numbered, cages, solution)

    def _leave_cage(self, cage: Cage, where: str, what: str) -> None:
        """Note a cage that may be a rule, as a drawing."""
        self.leave(where, what, relaxes=False)
        self.drawings.append(Drawing(where, "cages", cage))

    def _read_numbered(
        self, numbered: Mapping[str, Rule], cages: Mapping[str, Cage], solution: SymbolTuple | None
    ) -> Iterator[Rule]:
        """Yield cages with a number that are not marked as unique, if the stored solution agrees with them all.

        numbered, cages: the cages, as rules and as stated, by their places in the file.
        """
        rules = list(numbered.values())
        is_enough = solution is not None and len(rules) >= _FEWEST_CAGES
        if solution is not None and is_enough:
            digits = self.geometry.digits.of(solution)
            if all(rule.holds(digits, self.geometry) for rule in rules):
                self.note("cages", f"{len(rules)} taken for killer cages, as the stored solution agrees with each")
                yield from rules
                return
        for where, rule in numbered.items():
            what = f"the number {rule.value('total')}, which is not marked as a sum of different digits"
            self._leave_cage(cages[where], where, what)

    def _read_moves(self) -> Iterator[Rule]:
        flags = self._read_part("global", [])
        names = [flag.lower() for flag in flags if isinstance(flag, str)]
        for name, kind in _MOVES.items():
            if self.read_flag(f"metadata.{name}", self.metadata.get(name)) or name in names:
                yield find(kind)()
        for name in names:
            if name not in _MOVES and not is_blank(name):
                self.leave("global", name)
        for flag in flags:
            if not isinstance(flag, str) and not is_blank(flag):
                self.leave("global", shorten(flag))

    # ---- drawings ----------------------------------------------------------------------------------------------------

    def _leave_key(self, key: str, value: Any) -> None:
        """Note what a key beyond the board states, if it does."""
        if key in _KEYS or is_blank(value):
            return
        if key in _DECORATION:
            if not is_empty(value):
                self.note(key, "display only")
        elif key not in _DRAWINGS:
            self.leave(key, shorten(value))
        elif not is_empty(value):
            items = entries_of(value)
            loose = [item for item in items if key != "underlays" or not makes_room(item)]
            if len(loose) < len(items):
                self.note(key, f"{len(items) - len(loose)} that only make room")
            self.leave_drawings(key, list(enumerate(loose, 1)), len(loose), self.describe)

    def describe(self, item: Any) -> str:
        """Return the words for what is drawn, and where."""
        if not isinstance(item, dict):
            return shorten(item)
        cells = []
        for point in as_list(item.get("wayPoints")) or [item.get("center")]:
            is_near = [type(number) in (int, float) and abs(number) < 100 for number in as_list(point)]
            if is_near == [True, True]:
                cells.append(f"r{floor(point[0]) - self.top + 1}c{floor(point[1]) - self.left + 1}")
        return self.describe_drawing("wayPoints" in item, cells, str(item.get("text") or ""))


def makes_room(item: Any) -> bool:
    """Return whether something drawn only makes room beside the board."""
    return isinstance(item, dict) and item.get("class") == "board-position" and "text" not in item


def find_square(rows: Sequence[Any], regions: Sequence[Sequence[Place]]) -> tuple[int, int, int]:
    """Return top, left and order of the board: all cells, or inside a frame for clues those of the regions."""
    widths = {len(as_list(row)) for row in rows}
    if len(widths) != 1 or not 1 <= len(rows) <= LARGEST_SIDE or not 1 <= max(widths) <= LARGEST_SIDE:
        raise InputError(f"cells in rows of {sorted(widths)}; expected up to {LARGEST_SIDE} rows of one length")
    (width,) = widths
    places: set[Place] = set()
    for region in regions:
        places.update(region)
    n = len(regions)
    if places and all(len(region) == n for region in regions):
        top = min(row for row, _ in places)
        left = min(column for _, column in places)
        is_inside = 0 <= top <= len(rows) - n and 0 <= left <= width - n
        if is_inside and places == set(product(range(top, top + n), range(left, left + n))):
            return top, left, n
    if len(rows) != width:
        raise InputError(f"{len(rows)} rows of {width} cells; expected a square")
    return 0, 0, len(rows)
