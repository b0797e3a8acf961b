"""Read the items of a string of the Interactive Sudoku Solver."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from gridproof.errors import GeometryError, InputError, shortened
from gridproof.formats.known.iss.coded import Coded
from gridproof.formats.known.iss.items import (
    CELL,
    LARGEST_ORDER,
    NUMBERS,
    Way,
    cell_id,
    fits,
    is_readable,
    number_of,
    sights,
    touch,
    ways_of,
)
from gridproof.formats.programs import Reader, Wrong
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import usual, with_diagonals
from gridproof.formats.symbols import board_from_masks
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule, all_kinds, find
from gridproof.rules.kind import Kind

_SHAPE = re.compile(r"(\d{1,2})x(\d{1,2})(?:~(?:1-)?(\d{1,2}))?")
_OTHER_BOARDS = ("ChaosConstruction", "Doppelganger", "RegionSize")
_OF_THE_BOARD = ("Given", "Shape", "NoBoxes", "Jigsaw", "Diagonal", "Windoku", "Priority", "SearchPriority")


class Reading(Reader):
    """The reading of the items of a string, each its type and its arguments. Raises ``InputError``."""

    def __init__(self, items: Sequence[tuple[str, list[str]]]) -> None:
        super().__init__()
        self.items = [*self._top(items)]
        self.names = {name for _, name, _ in self.items}
        self.order = self._order()
        self.geometry = self._geometry()
        self.ways = [(kind, way) for kind in all_kinds().values() for way in ways_of(kind) if "type" in way]
        anywhere = {name for name, _ in items}
        self.kinds = {kind.name for kind, way in self.ways if way["type"] in anywhere}
        self.clues: dict[tuple[object, ...], object] = {}
        self.coded = Coded(self.order, self._cell)

    def _top(self, items: Sequence[tuple[str, list[str]]]) -> Iterator[tuple[str, str, list[str]]]:
        """Yield the items that hold in any case, with their places; an ``And`` around them changes nothing."""
        around: list[str] = []
        for number, (name, arguments) in enumerate(items, 1):
            where = f"{name} (item {number} of {len(items)})"
            if name == "End":
                if not around:
                    self.leave(where, "nothing that it ends")
                around = around[:-1]
                continue
            around += [name] if name in ("And", "Or", "Replicate") else []
            if {"Or", "Replicate"} & {*around}:
                self.leave(where, "a choice among rules", relaxes=name in ("Shape", "NoBoxes"))
            elif name in _OTHER_BOARDS:
                self.leave(where, "another board than gridproof has", relaxes=True)
            elif name != "And":
                yield where, name, arguments
        if around:
            self.leave(around[-1], "no End to it")

    def puzzle(self) -> Puzzle:
        """Return the puzzle, with everything that the items state."""
        masks = [(1 << self.order) - 1] * self.geometry.cell_count
        rules: list[Rule] = []
        for where, name, arguments in self.items:
            try:
                for given in arguments if name == "Given" else ():
                    cell, mask = self._given(given)
                    masks[cell] &= mask
                if name not in _OF_THE_BOARD:
                    stated = [kind.make(kind.defaults | values) for kind, values in self._rules(name, arguments)]
                    rules += [self.sensible(rule, self.geometry) for rule in stated]
            except (Wrong, InputError) as problem:
                relaxes = isinstance(problem, Wrong) and problem.relaxes
                self.leave(where, str(problem), relaxes=relaxes)
        return Puzzle(board_from_masks(self.geometry, masks).with_rules(rules), unread=tuple(self.unread))

    def _order(self) -> int:
        orders = set[int]()
        for text in ("~".join(arguments) for _, name, arguments in self.items if name == "Shape"):
            shape = _SHAPE.fullmatch(text)
            orders |= {int(number) for number in shape.groups() if number} if shape else {0}
            if len(orders) != 1 or not 1 <= max(orders) <= LARGEST_ORDER:
                raise InputError(f"Shape~{shortened(text)}; expected one square such as 6x6, up to {LARGEST_ORDER}")
        return max(orders, default=9)

    def _geometry(self) -> Geometry:
        n = self.order
        geometry = Geometry.latin(n) if "NoBoxes" in self.names else usual(n) or Geometry.latin(n)
        both: set[str] = set()
        for _, name, arguments in self.items:
            try:
                if name == "Jigsaw":
                    jigsaw = Geometry.jigsaw([*"".join(arguments[-1:])])
                    if jigsaw.order != n:
                        raise Wrong(f"{jigsaw.cell_count} labels; expected {n * n}")
                    regions = (house.cells for house in jigsaw.houses[2 * n :])
                    geometry = jigsaw if geometry.region_of is None else geometry.with_houses(regions, "region")
                elif name == "Windoku":
                    if n != 9 or geometry.box_shape is None:
                        raise Wrong("of a board that is not 9x9 with boxes")
                    geometry = geometry.with_windoku()
                elif name == "Diagonal":
                    both |= {*arguments}
                    if not arguments or not {*arguments} <= {"1", "-1"}:
                        raise Wrong(f"{shortened('~'.join(arguments))}; expected 1 or -1")
            except (Wrong, GeometryError) as problem:
                self.leave(name, str(problem))
        return with_diagonals(geometry, rising="1" in both, falling="-1" in both)

    def _given(self, text: str) -> tuple[int, int]:
        name, *values = text.split("_")
        symbols = [number_of(value) for value in values]
        if not symbols or not all(1 <= symbol <= self.order for symbol in symbols):
            raise Wrong(f"{shortened(text)}; expected a cell and symbols from 1 to {self.order}, such as R1C1_5")
        return self._cell(name), sum(1 << (symbol - 1) for symbol in {*symbols})

    def _rules(self, name: str, arguments: list[str]) -> list[tuple[Kind, dict[str, Any]]]:
        """Return the rules that an item states: the kind of each, and its parameters that are no defaults."""
        if name in ("Arrow", "PillArrow"):
            return [(find("arrow"), self._arrow(name, arguments))]
        if (coded := self.coded.rules(name, arguments)) is not None:
            return [(find(kind), values) for kind, values in coded]
        if name == "Quad":
            name, arguments = "ContainAtLeast", self._quadruple(arguments)
        stated = [
            (kind, values)
            for kind, way in self.ways
            if way["type"] == name and fits(way, self.geometry, self.kinds)
            for values in self._stated(kind, way, arguments)
        ]
        if not stated and name == "RegionSumLine" and self.geometry.region_of is None:
            self.coded.lines(arguments)
            return []  # as the solver has it, no parts are to be equal
        if not stated and name == "DisjointSets":  # always those of the usual boxes, which may be no regions here
            boxes = [house.cells for house in board.houses[2 * self.order :]] if (board := usual(self.order)) else []
            return [(find("extra-region"), {"cells": cells}) for cells in zip(*boxes, strict=True)]
        if not stated:
            raise Wrong("a type that is not read, or not with these arguments on this board")
        return stated

    def _stated(self, kind: Kind, way: Way, arguments: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield the parameters of each rule of an item; of none if a constant among the arguments is another."""
        if "clue" in way:
            yield from self._outside(way, arguments)
            return
        if "omitted" in way and arguments and CELL.fullmatch(arguments[0]):
            arguments = [str(way["omitted"]), *arguments]
        values, types = dict(way.get("only", {})), {p.name: p.type for p in kind.parameters}
        names = way.get("args", ())
        if len(arguments) < len(names):
            raise Wrong(f"{shortened('~'.join(arguments))}; expected {len(names)} arguments and cells")
        for name, argument in zip(names, arguments, strict=False):
            if types.get(name) == "numbers":
                values[name] = tuple(map(number_of, argument.split("_")))
            elif name not in types:
                if argument != str(name):
                    return
            elif (number := number_of(argument)) != way.get("unstated"):
                values[name] = number
        cells = tuple(map(self._cell, arguments[len(names) :]))
        if "pairs" in way:
            pairs = [pair for pair in combinations(dict.fromkeys(cells), 2) if touch(*pair, self.order)]
            if not pairs:
                raise Wrong(f"no neighbours among {len(cells)} cells; expected some that touch")
            yield from (values | {"cells": pair[::-1] if "turned" in way else pair} for pair in pairs)
        elif "cells" in way:
            if not cells:
                raise Wrong("no cells; expected some")
            cells = tuple(dict.fromkeys(cells)) if "once" in way else cells
            yield values | {way["cells"]: (cells,) if way["cells"] == "lines" else cells}
        elif not cells:
            yield values

    def _outside(self, way: Way, arguments: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield the clues of an item, each with the cells that it sees."""
        clues, places = (arguments[1:], arguments[:1]) if "ends" in way else (arguments[:1], arguments[1:2])
        place = "".join(places).upper()
        cells = {known.upper(): cells for known, cells in sights(way, self.order).items()}.get(place)
        if cells is None or len(clues) > 2:
            raise Wrong(f"{shortened('~'.join(arguments))}; expected a clue and where it stands")
        for end, clue in enumerate(clues):
            if clue:
                value = number_of(clue)
                if value < way.get("least", value):
                    raise Wrong(f"the clue {value}; expected one from {way['least']} on")
                self._note_clue(value, way["type"], place, end)
                yield {way["clue"]: value, "cells": cells[::-1] if end else cells}

    def _note_clue(self, value: object, *place: object) -> None:
        if self.clues.setdefault(place, value) != value:
            raise Wrong(f"a second clue at {place[1]}; expected one, since the solver takes the last", relaxes=True)

    def _arrow(self, name: str, arguments: Sequence[str]) -> dict[str, Any]:
        size = number_of(*arguments[:1] or [""]) if name == "PillArrow" else 1
        cells = tuple(map(self._cell, arguments[name == "PillArrow" :]))
        circle = tuple(sorted(cells[:size]))
        if (name == "PillArrow" and size not in (2, 3)) or not is_readable(circle, self.order) or size >= len(cells):
            raise Wrong(f"{len(cells)} cells, {size} of them the circle; expected one, or two or three that touch")
        return {"circle": circle, "shafts": (cells[size:],)}

    def _quadruple(self, arguments: Sequence[str]) -> list[str]:
        """Return the arguments of a quadruple with all its cells, of one with its upper left cell."""
        cell, n = self._cell(*arguments[:1] or [""]), self.order
        if n - 1 in divmod(cell, n):
            raise Wrong(f"{arguments[0]} is no upper left cell of four")
        self._note_clue(arguments[1:], "Quad", arguments[0].upper())
        return ["_".join(arguments[1:]), *(cell_id(other, n) for other in (cell, cell + 1, cell + n, cell + n + 1))]

    def _cell(self, name: str) -> int:
        match = CELL.fullmatch(name)
        row, column = (NUMBERS.index(part.lower()) for part in match.groups()) if match else (0, 0)
        if not 1 <= row <= self.order or not 1 <= column <= self.order:
            raise Wrong(f"{shortened(name)} is not a cell of a board of order {self.order}")
        return (row - 1) * self.order + column - 1
