"""Strings and links of the Interactive Sudoku Solver: ``.~R1C1_5.Cage~10~R1C2~R1C3``.

Each item is a type, its arguments and its cells, separated by ``~``. How a kind of rule is stated is in its records
``IssItem``, for reader and writer alike.

Shapes, givens, and quadruples by their upper left cell are read here, what else is stated otherwise in coded.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any
from urllib.parse import unquote

from gridproof.errors import GeometryError, InputError
from gridproof.formats.catalog import Format
from gridproof.formats.known.iss.coded import Coded, Stated
from gridproof.formats.known.iss.writing import CELL, LARGEST_ORDER, fits, items_of, number_of, sights_of, string_of
from gridproof.formats.programs import Wrong
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import Shapes, touch, usual, with_diagonals
from gridproof.formats.symbols import board_from_masks
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule, all_kinds, find
from gridproof.rules.foreign import IssItem
from gridproof.rules.kind import Kind
from gridproof.text import quote

LONGEST, MOST_ITEMS = 1_000_000, 5_000

_LINK = re.compile(r"[\W_]{0,3}(?:https?://)?sigh\.github\.io/\S*?[?&]q=([^\s&#>\"']*)", re.IGNORECASE)
_STRING = re.compile(r"\s*\.+(?:[A-Z][A-Za-z]*(?:\s*\.[A-Z][A-Za-z]*)*\s*\.?)?~[\w~.,=%+\s-]*$")
_PART = re.compile(r"\.+(?:[A-Z]|~)[\w~.,=%+ \t-]*")
_CELL = re.compile(r"~R[1-9a-g]C[1-9a-g]", re.IGNORECASE)
_SHAPE = re.compile(r"(\d{1,2})x(\d{1,2})(?:~(?:1-)?(\d{1,2}))?")
_OTHER_BOARDS = ("ChaosConstruction", "Doppelganger", "RegionSize")
_OF_THE_BOARD = ("Given", "Shape", "NoBoxes", "Jigsaw", "Diagonal", "Windoku", "Priority", "SearchPriority")


def _is_joined(text: str) -> bool:
    """Return whether a text is, or its first line begins, one string over several lines.

    The first line names no cell, or only one of several lines has clues: otherwise each line is a string.
    """
    lines = [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")]
    is_one = len(lines) > 1 and sum(".~" in line for line in lines) <= 1
    return bool(lines) and all(map(_PART.fullmatch, lines)) and (is_one or not _CELL.search(lines[0]))


def _read(text: str, _: Shapes) -> Iterator[Puzzle]:
    link = _LINK.match(text)
    string = re.sub(r"\s+", "", unquote(link[1]) if link else re.sub(r"(?m)^\s*#.*$", "", text))
    if not string.startswith("."):
        raise InputError(f"{quote(string)} begins with no dot; expected one such as .~R1C1_5.Cage~10~R1C2~R1C3")
    if "\n" in text and string.count(".Shape~") > 1:
        raise InputError("two Shapes; expected one string, over several lines or on one line for each puzzle")
    items = [item.split("~") for item in string[1:].split(".")]
    for size, most, what in (len(string), LONGEST, "characters"), (len(items), MOST_ITEMS, "items"):
        if size > most:
            raise InputError(f"a string of {size:,} {what}; expected at most {most:,}")
    yield Reading([(name or "Given", arguments) for name, *arguments in items]).puzzle()


class Reading(Coded):
    """The reading of the items of a string, each its type and its arguments. Raises ``InputError``."""

    def __init__(self, items: Sequence[tuple[str, list[str]]]) -> None:
        super().__init__()
        self.items = [*self._top(items)]
        self.order = self._order()
        self.geometry = self._geometry()
        ways = [(kind, way) for kind in all_kinds().values() for way in items_of(kind) if way.is_read]
        kinds = {kind.name for kind, way in ways if any(way.type == name for name, _ in items)}
        self.ways = [(kind, way) for kind, way in ways if fits(way, self.geometry, kinds)]
        self.clues: dict[tuple[object, ...], object] = {}

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
                    stated = [(find(kind), terms) for kind, terms in self._rules(name, arguments)]
                    made = [kind.make(kind.defaults | terms) for kind, terms in stated]
                    rules += [self.sensible(rule, self.geometry) for rule in made]
            except (Wrong, InputError) as problem:
                self.leave(where, str(problem), relaxes=getattr(problem, "relaxes", False))
        return Puzzle(board_from_masks(self.geometry, masks).with_rules(rules), unread=tuple(self.unread))

    def _order(self) -> int:
        orders = set[int]()
        for text in ("~".join(arguments) for _, name, arguments in self.items if name == "Shape"):
            shape = _SHAPE.fullmatch(text)
            orders |= {int(number) for number in shape.groups() if number} if shape else {0}
            if len(orders) != 1 or not 1 <= max(orders) <= LARGEST_ORDER:
                raise InputError(f"Shape~{quote(text)}; expected one square such as 6x6, up to {LARGEST_ORDER}")
        return max(orders, default=9)

    def _geometry(self) -> Geometry:
        n = self.order
        boxes = None if any(name == "NoBoxes" for _, name, _ in self.items) else usual(n)
        geometry = boxes or Geometry.latin(n)
        diagonals = {argument for _, name, arguments in self.items if name == "Diagonal" for argument in arguments}
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
                elif name == "Diagonal" and (not arguments or not {*arguments} <= {"1", "-1"}):
                    raise Wrong(f"{quote('~'.join(arguments))}; expected 1 or -1")
            except (Wrong, GeometryError) as problem:
                self.leave(name, str(problem))
        return with_diagonals(geometry, rising="1" in diagonals, falling="-1" in diagonals)

    def _given(self, text: str) -> tuple[int, int]:
        name, *values = text.split("_")
        symbols = [number_of(value) for value in values]
        if not symbols or not all(1 <= symbol <= self.order for symbol in symbols):
            raise Wrong(f"{quote(text)}; expected a cell and symbols from 1 to {self.order}, such as R1C1_5")
        return self.cell(name), sum(1 << (symbol - 1) for symbol in {*symbols})

    def _rules(self, name: str, arguments: list[str]) -> Stated:
        """Return the rules that an item states: the kind of each, and its parameters that are no defaults."""
        reader: Callable[..., Stated | None] | None = getattr(self, f"read_{name}", None)
        if reader and (otherwise := reader(name, arguments)) is not None:
            return otherwise
        stated = [
            (kind.name, terms)
            for kind, way in self.ways
            if way.type == name
            for terms in self._stated(kind, way, arguments)
        ]
        if not stated:
            raise Wrong("a type that is not read, or not with these arguments on this board")
        return stated

    def _stated(self, kind: Kind, way: IssItem, arguments: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield the parameters of each rule of an item; of none if a constant among the arguments is another."""
        if way.clue:
            yield from self._outside(way, arguments)
            return
        if way.omitted is not None and arguments and CELL.fullmatch(arguments[0]):
            arguments = [str(way.omitted), *arguments]
        values, types = dict(way.only), {p.name: p.type for p in kind.parameters}
        names = [str(name) for name in way.arguments]
        if len(arguments) < len(names):
            raise Wrong(f"{quote('~'.join(arguments))}; expected {len(names)} arguments and cells")
        for name, argument in zip(names, arguments, strict=False):
            if types.get(name) == "numbers":
                values[name] = tuple(map(number_of, argument.split("_")))
            elif name not in types:
                if argument != name:
                    return
            elif (number := number_of(argument)) != way.number_for_none:
                values[name] = number
        cells = tuple(map(self.cell, arguments[len(names) :]))
        if way.pairs:
            pairs = [pair for pair in combinations(dict.fromkeys(cells), 2) if touch(*pair, self.order)]
            if not pairs:
                raise Wrong(f"no neighbours among {len(cells)} cells; expected some that touch")
            yield from (values | {"cells": pair[::-1] if way.turned else pair} for pair in pairs)
        elif way.cells:
            if not cells:
                raise Wrong("no cells; expected some")
            cells = tuple(dict.fromkeys(cells)) if way.once else cells
            yield values | {way.cells: (cells,) if way.cells == "lines" else cells}
        elif not cells:
            yield values

    def _outside(self, way: IssItem, arguments: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield the clues of an item, each with the cells that it sees."""
        clues, places = (arguments[1:], arguments[:1]) if way.ends else (arguments[:1], arguments[1:2])
        place = "".join(places).upper()
        cells = {known.upper(): cells for known, cells in sights_of(way, self.order).items()}.get(place)
        if cells is None or len(clues) > 2:
            raise Wrong(f"{quote('~'.join(arguments))}; expected a clue and where it stands")
        for end, clue in enumerate(clues):
            if clue:
                value = number_of(clue)
                if way.least is not None and value < way.least:
                    raise Wrong(f"the clue {value}; expected one from {way.least} on")
                self._note_clue(value, way.type, place, end)
                yield {way.clue: value, "cells": cells[::-1] if end else cells}

    def _note_clue(self, value: object, *place: object) -> None:
        if self.clues.setdefault(place, value) != value:
            raise Wrong(f"a second clue at {place[1]}; expected one, since the solver takes the last", relaxes=True)

    def read_RegionSumLine(self, _: str, arguments: Sequence[str]) -> Stated | None:
        """Check the cells where there are no regions: as the solver has it, no parts are to be equal."""
        return () if self.geometry.region_of is None and self.lines(arguments) else None

    def read_DisjointSets(self, *_: object) -> Stated | None:
        """Return the groups of the usual boxes where these are no regions; ``None`` where they are."""
        board = usual(self.order)
        if board is None or board.region_of == self.geometry.region_of:
            return None
        boxes = [house.cells for house in board.houses[2 * self.order :]]
        return [("extra-region", {"cells": cells}) for cells in zip(*boxes, strict=True)]

    def read_Quad(self, _: str, arguments: Sequence[str]) -> Stated:
        """Yield a quadruple of its upper left cell and its digits."""
        cell, n = self.cell(*arguments[:1] or [""]), self.order
        if n - 1 in divmod(cell, n) or len(arguments) < 2:
            raise Wrong(f"{quote('~'.join(arguments))}; expected the upper left of four cells, and digits")
        self._note_clue(arguments[1:], "Quad", arguments[0].upper())
        values = tuple(map(number_of, arguments[1:]))
        yield "quadruple", {"values": values, "cells": (cell, cell + 1, cell + n, cell + n + 1)}


ISS: Format = Format(
    name="iss",
    summary="strings and links of the Interactive Sudoku Solver",
    by_line=True,
    joined=_is_joined,
    sniff=lambda text: (_LINK.match(text) or _STRING.match(text)) is not None,
    read=_read,
    write=lambda puzzle: string_of(puzzle, ISS.refuse),
    examples=(
        ".Shape~4x4.~R1C1_1~R4C4_2_3.Cage~5~R1C2~R1C3.Thermo~R2C1~R2C2.AntiKnight",
        "https://sigh.github.io/Interactive-Sudoku-Solver/?q=.~R1C1_5.Sandwich~13~R1.XSum~C2~~20",
    ),
)
FORMATS = (ISS,)
