"""Read puzzles of Penpa+, a program for drawing puzzles of any kind.

Nearly all of it is drawings. What Penpa+ has a tool of its own for is read as what the tool is for: numbers in cells,
thermometers with a bulb, and killer cages with a sum in their corner. Thick lines that bound areas of the right size
are regions. Anything else is a drawing, or unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from gridproof.errors import InputError
from gridproof.formats.known.links.penpa_payloads import PenpaData
from gridproof.formats.known.links.penpa_places import Plan, Point, find_areas, join_segments
from gridproof.formats.programs import ProgramReader, as_list, is_empty, list_cells, shorten
from gridproof.formats.puzzle import MOST_ENTRIES, Puzzle, replace_surrogates
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.rules import Rule
from gridproof.rules.kinds.killer import Killer
from gridproof.rules.kinds.pair_lines import Thermometer

_HISTORY = {"command_redo", "command_undo", "command_replay"}
_LINES = ("line", "lineE", "wall", "freeline", "freelineE", "cage")
"""Features that are segments between two points, by the names of these."""

_PATHS = {"thermo": "lines", "nobulbthermo": "lines", "arrows": "arrows", "direction": "arrows"}
"""Features that are lists of points, and what is drawn along them."""

_WHOLE_NUMBERS = ("1", "5", "6", "10")
"""Ways to write a number into a cell: normal, small, medium and large."""

_CIRCLED = {5, 6, 7, 11}
"""Styles of numbers with a circle around them."""

_BORDERS = {2, 21}
"""Styles of lines that bound regions."""

_BLACK, _GREY, _GREEN, _RED, _BLUE, _WHITE = "#000000", "#999999", "#208020", "#ff0000", "#187bcd", "#ffffff"
_LINE_COLOURS = {3: _GREEN, 5: _GREY, 6: _GREY, 8: _RED, 9: _BLUE, 20: _WHITE, 30: _GREEN, 40: _GREY}
_LINE_WIDTHS = {2: 5, 21: 9, 3: 5, 5: 5, 6: 20, 8: 5, 9: 5, 30: 5}
_SHADES = {
    1: "#444444", 2: "#b3ffb3", 3: "#cccccc", 4: _BLACK, 5: "#c0e0ff", 6: "#ffa3a3", 7: "#ffffa3", 8: _GREY,
    9: "#ffb3ff", 10: "#ffcc80", 11: "#cc99ff", 12: "#eecab1", 13: "#ff6700", 99: "#f0f0f0",
}  # fmt: skip
_CIRCLE_SIZES = {"circle_L": 0.86, "circle_M": 0.7, "circle_S": 0.44, "circle_SS": 0.26}
_CIRCLE_FILLS = {1: _WHITE, 2: _BLACK, 3: "#cccccc", 5: "#cccccc", 6: _WHITE, 7: _WHITE, 8: _WHITE}
_OTHER_THERMOMETERS = re.compile(r"\b(?:slow|fast)\b|decreas|stay the same", re.IGNORECASE)
"""Words for thermometers of other kinds, which are drawn with the same tool."""

_THERMO_WIDTH = 24
_THERMO_COLOUR = "#cccccc"


class Mark(NamedTuple):
    """Something drawn, on the board.

    key: ``lines``, ``arrows``, ``overlays`` or ``cages``. points: of a line, or the middle. cells: of a cage.
    """

    key: str
    points: tuple[Point, ...] = ()
    cells: tuple[int, ...] = ()
    text: str = ""
    colour: str = ""
    size: float = 0
    rounded: bool = False
    name: str = ""


_Marked: TypeAlias = tuple[str, Mark]
"""The feature that a mark is of, and the mark."""


class PenpaReading(ProgramReader):
    """The reading of the data of a link. Raises ``InputError`` if these are no square grid."""

    def __init__(self, data: PenpaData) -> None:
        super().__init__()
        self.data = data
        self.plan = Plan.of(data.fields, data.cells)
        self.size = self.plan.order
        self.marks: list[_Marked] = []
        self.texts_in_corners = dict(self._feature("numberS", {}))

    def read_puzzle(self) -> Puzzle:
        """Return the puzzle, with everything that the data state."""
        clues = self._read_numbers()
        geometry = self._read_regions()
        cages = list(self._read_cages(geometry))
        thermometers = list(self._read_thermometers(geometry))
        for feature, rules in (("killercages", cages), ("thermo", thermometers)):
            if rules:
                self.note(feature, f"{len(rules)} read as rules of this kind, as the tool is named")
        self._mark_paths()
        self._mark_symbols()
        for key, fields in self.texts_in_corners.items():
            self._mark_text("numberS", key, fields)
        self._leave_marks()
        self._leave_features()
        entries, solution = self._read_answers(clues)
        board = Board(geometry, tuple(clues), entries).with_rules(cages + thermometers)
        texts = []
        for place, label in ((15, "Title: "), (16, "Author: "), (18, "")):
            texts.append(replace_surrogates(self.data.text(place, label)))
        title, author, prose = texts
        return Puzzle(board, solution, title, author, prose, tuple(self.unread))

    # ---- parts of the data -------------------------------------------------------------------------------------------

    def _feature(self, name: str, nothing: Any) -> Any:
        """Return what is drawn with a tool. nothing: an empty list or object."""
        value = self.data.question.get(name)
        if is_empty(value):
            return nothing
        if not isinstance(value, type(nothing)):
            self.leave(name, f"{shorten(value)}; expected {'an object' if nothing == {} else 'a list'}")
            return nothing
        if len(value) > MOST_ENTRIES:
            raise InputError(f"{len(value):,} entries of {name}; expected at most {MOST_ENTRIES:,}")
        return value

    def _colour(self, feature: str, key: Any, usual: str) -> str:
        """Return the colour of something drawn: its own, or the usual one."""
        own = self.data.colours.get(feature)
        if isinstance(own, dict):
            colour = own.get(str(key))
        else:
            colour = as_list(own)[key] if type(key) is int and key < len(as_list(own)) else None
        return colour if isinstance(colour, str) and colour else usual

    def _read_numbers(self) -> list[int]:
        """Return the givens; any other text is a mark."""
        clues = [0] * self.size**2
        for key, fields in self._feature("number", {}).items():
            cell = self.plan.cell_of(key)
            symbol = 0
            if cell is not None:
                symbol = symbol_of(fields, self.size)
            if cell is not None and not symbol and is_whole_number(fields):
                where = f"r{cell // self.size + 1}c{cell % self.size + 1}"
                self.leave(f"number at {where}", f"{shorten(fields[0])}; expected 1 to {self.size}")  # another digit
                continue
            if cell is None or not symbol:
                self._mark_text("number", key, fields)
                continue
            clues[cell] = symbol
            style = as_list(fields)[1]
            if style in _CIRCLED:
                self.marks.append(("number", self._circle(cell, f"the circle of style {style}")))
        return clues

    def _circle(self, cell: int, name: str) -> Mark:
        middle = (cell // self.size + 0.5, cell % self.size + 0.5)
        return Mark("overlays", (middle,), colour=_WHITE, size=0.8, rounded=True, name=name)

    def _mark_text(self, feature: str, key: str, fields: Any) -> None:
        """Note a text that is no digit of a cell."""
        point = self.plan.point_of(key.removesuffix("E"))
        text = str(fields[0]) if as_list(fields) else ""
        if not text.strip():
            return
        points = () if point is None else (point,)
        self.marks.append((feature, Mark("overlays", points, text=text[:100])))

    # ---- regions and rules -------------------------------------------------------------------------------------------

    def _read_regions(self) -> Geometry:
        """Return the board, with the regions that thick lines bound; all other segments are marks."""
        borders = set()
        inner = False
        for key, style in self._feature("lineE", {}).items():
            border = self.plan.border_of(key)
            if border is not None and type(style) is int and style in _BORDERS:
                borders.add(border)
                inner = inner or border.is_inside(self.size)
        areas = find_areas(borders, self.size)
        are_regions = inner and all(len(area) == self.size for area in areas)
        for feature in _LINES:
            self._mark_segments(feature, leaves_borders=not are_regions)
        if are_regions:
            return self.make_regions(self.size, dict(enumerate(areas, 1)), "lineE")
        self.doubt("lineE", "no lines that bound regions: only rows and columns are houses")
        return Geometry.latin(self.size)

    def _mark_segments(self, feature: str, leaves_borders: bool) -> None:
        """Note the lines that segments of one look make up. leaves_borders: whether those inside are lines, too."""
        looks: dict[tuple[str, str], list[tuple[Point, Point]]] = {}
        for key, style in self._feature(feature, {}).items():
            border = self.plan.border_of(key) if feature == "lineE" else None
            is_border = border is not None and type(style) is int and style in _BORDERS
            if border is not None and is_border and not (leaves_borders and border.is_inside(self.size)):
                continue
            ends = self.plan.segment_of(key)
            if ends is None:
                self.marks.append((feature, Mark("lines", name=f"{key[:20]} of style {shorten(style)}")))
                continue
            usual = _LINE_COLOURS.get(style, _BLACK) if type(style) is int else ""
            looks.setdefault((shorten(style), self._colour(feature, key, usual)), []).append(ends)
        for (style, colour), segments in looks.items():
            width = _LINE_WIDTHS.get(int(style), 2) if style.isdecimal() and len(style) < 5 else 2
            for points in join_segments(segments):
                self.marks.append((feature, Mark("lines", points, colour=colour, size=width)))

    def _cells_of(self, path: Any) -> tuple[int, ...]:
        """Return the cells of a path; none if one is not on the board, or is named twice."""
        cells = []
        for key in as_list(path):
            cell = self.plan.cell_of(key)
            if cell is None:
                return ()
            cells.append(cell)
        return tuple(cells) if len(set(cells)) == len(cells) else ()

    def _read_cages(self, geometry: Geometry) -> Iterator[Rule]:
        """Yield the killer cages with a sum in the corner of their first cell; the others are marks."""
        cages = [(path, self._cells_of(path)) for path in self._feature("killercages", []) if not is_empty(path)]
        first_cells = [min(cells) for _, cells in cages if cells]
        for path, cells in cages:
            if not cells:
                self.leave("killercages", f"{shorten(path)}; expected different cells of the board")
                continue
            corner = self.plan.corner_of(min(cells))
            fields = as_list(self.texts_in_corners.get(corner))
            text = str(fields[0]).strip() if fields else ""
            rule = Killer(total=int(text), cells=cells) if re.fullmatch(r"[0-9]{1,6}", text) else None
            is_shared = first_cells.count(min(cells)) > 1
            if rule is None or is_shared or rule.invalid_reason(geometry):
                self.marks.append(("killercages", Mark("cages", cells=cells, text=text[:100])))
                continue
            del self.texts_in_corners[corner]
            yield rule

    def _read_thermometers(self, geometry: Geometry) -> Iterator[Rule]:
        """Yield the thermometers with a bulb whose cells touch one another; the others are marks."""
        may_be_others = _OTHER_THERMOMETERS.search(self.data.text(18)) is not None
        for place, path in enumerate(self._feature("thermo", [])):
            cells = self._cells_of(path)
            if not may_be_others and len(cells) > 1 and all(self._touch(a, b) for a, b in pairwise(cells)):
                rule = Thermometer(lines=(cells,))
                if not rule.invalid_reason(geometry):
                    yield rule
                    continue
            self._mark_path("thermo", place, path)

    def _touch(self, a: int, b: int) -> bool:
        n = self.size
        return max(abs(a // n - b // n), abs(a % n - b % n)) == 1

    # ---- drawings ----------------------------------------------------------------------------------------------------

    def _mark_paths(self) -> None:
        for feature in _PATHS:
            if feature != "thermo":
                for place, path in enumerate(self._feature(feature, [])):
                    self._mark_path(feature, place, path)

    def _mark_path(self, feature: str, place: int, path: Any) -> None:
        """Note a line along points."""
        if is_empty(path):
            return
        points = [self.plan.point_of(key) for key in as_list(path)]
        known = tuple(point for point in points if point is not None)
        if len(known) < 2 or len(known) < len(points):
            known = ()
        is_thermometer = feature in ("thermo", "nobulbthermo")
        colour = self._colour(feature, place, _THERMO_COLOUR if is_thermometer else _BLACK)
        width = _THERMO_WIDTH if is_thermometer else 2
        self.marks.append((feature, Mark(_PATHS[feature], known, colour=colour, size=width, name=feature)))

    def _mark_symbols(self) -> None:
        """Note the symbols and the shaded cells."""
        for key, style in self._feature("surface", {}).items():
            point = self.plan.point_of(key)
            usual = _SHADES.get(style, "") if type(style) is int else ""
            shade = Mark("overlays", () if point is None else (point,), size=1.0)
            self.marks.append(("surface", shade._replace(colour=self._colour("surface", key, usual))))
        for key, fields in self._feature("symbol", {}).items():
            point = self.plan.point_of(key.removesuffix("E"))
            number, name = (as_list(fields) + [None, None])[:2]
            symbol = Mark("overlays", () if point is None else (point,), name=f"{name} {shorten(number)}"[:40])
            if isinstance(name, str) and name in _CIRCLE_SIZES and type(number) is int and number in _CIRCLE_FILLS:
                colour = self._colour("symbol", key, _CIRCLE_FILLS[number])
                symbol = symbol._replace(size=_CIRCLE_SIZES[name], rounded=True, colour=colour)
            else:
                symbol = symbol._replace(text=symbol.name)  # what nobody can tell from its look has its name
            self.marks.append(("symbol", symbol))

    def _leave_marks(self) -> None:
        """Note all marks, by the features that they are of."""
        of_feature: dict[str, list[Mark]] = {}
        for feature, mark in self.marks:
            of_feature.setdefault(feature, []).append(mark)
        for feature, marks in of_feature.items():
            self.leave_drawings(feature, list(enumerate(marks, 1)), len(marks), self._describe)

    def _describe(self, mark: Mark) -> str:
        """Return the words for what is drawn, and where."""
        names = [f"r{cell // self.size + 1}c{cell % self.size + 1}" for cell in mark.cells]
        names += [f"r{int(row // 1) + 1}c{int(column // 1) + 1}" for row, column in mark.points]
        return self.describe_drawing(mark.key in ("lines", "arrows"), names, mark.text or mark.name)

    def _leave_features(self) -> None:
        """Note what is drawn with any other tool."""
        known = {"number", "numberS", "symbol", "surface", "killercages", *_LINES, *_PATHS, *_HISTORY}
        for name, value in self.data.question.items():
            if name not in known and not is_empty(value):
                self.leave(name[:40], shorten(value))

    # ---- answers -----------------------------------------------------------------------------------------------------

    def _read_answers(self, clues: Sequence[int]) -> tuple[tuple[int, ...], SymbolTuple | None]:
        """Return what a solver has filled in, and the solution of the answer check if it is whole."""
        entries = [0] * len(clues)
        numbers = self.data.answer.get("number")
        for key, fields in (numbers if isinstance(numbers, dict) else {}).items():
            cell = self.plan.cell_of(key)
            if cell is not None and not clues[cell]:
                entries[cell] = symbol_of(fields, self.size)
        others = [name for name, value in self.data.answer.items() if not is_empty(value) and name not in _HISTORY]
        if others and others != ["number"]:
            self.note("pu_a", f"the solver's own: {list_cells([name[:40] for name in others])}")
        solution = list(clues)
        stated = as_list(self.data.solution)
        pairs = as_list(stated[4]) if len(stated) > 4 else []
        for pair in pairs:
            key, _, text = str(pair).partition(",")
            cell = self.plan.cell_of(key)
            if cell is not None:
                solution[cell] = solution[cell] or symbol_of([text, 1, "1"], self.size)
        filled = tuple(entries) if any(entries) else ()
        if pairs and all(solution):
            return filled, tuple(solution)
        if self.data.solution is not None:
            self.note("solution", "an answer check that is no whole solution")
        return filled, None


def symbol_of(fields: Any, n: int) -> int:
    """Return the symbol of a number as it is stated for a cell; 0 for any other text."""
    if not is_whole_number(fields) or not re.fullmatch(r"[0-9]{1,2}", str(fields[0])):
        return 0
    number = int(fields[0])
    return number if 1 <= number <= n else 0


def is_whole_number(fields: Any) -> bool:
    """Return whether a number is written into the middle of its cell, where a digit stands."""
    if not isinstance(fields, list) or len(fields) != 3 or type(fields[1]) is not int:
        return False
    return str(fields[2]) in _WHOLE_NUMBERS and bool(str(fields[0]).strip())
