"""Read strings of the Interactive Sudoku Solver: ``.~R1C1_5.Cage~10~R1C2~R1C3``.

Each item is a type, its arguments and its cells, separated by ``~``. Kinds of rules name their types
(``Rule.formats["iss"]``); this module knows shapes, givens, clues outside the grid, and types whose meaning depends on
their arguments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, pairwise
from typing import Any, TypeAlias

from gridproof.errors import GeometryError, InputError, shortened
from gridproof.formats.programs import Reader, Wrong
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import usual, with_diagonals
from gridproof.formats.symbols import board_from_masks
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule, all_kinds, find
from gridproof.rules.kind import Kind

FORMAT = "iss"
LARGEST_ORDER = 16
LONGEST, MOST_ITEMS = 1_000_000, 5_000
"""Characters of a string, and items, at most."""

BOTH_WAYS = ("XSum", "Skyscraper", "NumberedRoom")
"""Types of clues that stand at both ends of a line."""

_NUMBERS = "0123456789abcdefg"
_CELL = re.compile(r"R([1-9a-g])C([1-9a-g])", re.IGNORECASE)
_SHAPE = re.compile(r"(\d{1,2})x(\d{1,2})(?:~(?:1-)?(\d{1,2}))?")
_OF_THE_BOARD = ("Shape", "NoBoxes", "Jigsaw", "Diagonal", "Windoku", "Priority", "SearchPriority")
_ONLY_WRITTEN_AS_PAIRS = ("clone", "minimum", "maximum")

Stated: TypeAlias = Iterator[tuple[str, dict[str, Any]]]
"""Rules: the kind of each, and its parameters that are no defaults."""


def cell_id(cell: int, n: int) -> str:
    """Return the name of a cell: ``R1C1``, with letters from 10 on."""
    return f"R{_NUMBERS[cell // n + 1]}C{_NUMBERS[cell % n + 1]}"


def touch(a: int, b: int, n: int) -> bool:
    """Return whether two cells are orthogonal neighbours."""
    return abs(a // n - b // n) + abs(a % n - b % n) == 1


def is_readable(pill: Sequence[int], n: int) -> bool:
    """Return whether each cell of a pill is one step right of, below, or both, the one before."""
    return all(second - first in (1, n, n + 1) and first % n <= second % n for first, second in pairwise(pill))


def sights(name: str, n: int) -> dict[str, tuple[int, ...]]:
    """Return the cells that outside clues see, by the name of their place: a line, or the first slanted cell."""
    if name == "LittleKiller":
        slanted = chain(
            (range(row * n, n * n, n + 1) for row in range(n - 1)),
            (range(row * n + n - 1, -1, -n - 1) for row in range(1, n - 1)),
            (range(column, column * n + 1, n - 1) for column in range(1, n)),
            (range(n * n - n + column, column * n, 1 - n) for column in range(1, n - 1)),
        )
        return {cell_id(cells[0], n): tuple(cells) for cells in slanted}
    rows = {f"R{k + 1}": tuple(range(k * n, k * n + n)) for k in range(n)}
    return rows | {f"C{k + 1}": tuple(range(k, n * n, n)) for k in range(n)}


def read(text: str) -> Puzzle:
    """Return the puzzle of a string.

    Raises
    ------
    InputError
        If it is no such string, is longer than any, or is of no square board.

    Examples
    --------
    >>> puzzle = read(".Shape~4x4.~R1C1_1.Thermo~R1C2~R1C3~R1C4")
    >>> [rule.kind for rule in puzzle.board.rules]
    ['thermometer']
    """
    if len(text) > LONGEST:
        raise InputError(f"a text of {len(text):,} characters; expected at most {LONGEST:,}")
    string = re.sub(r"\s+", "", text)
    if not string.startswith("."):
        expected = "a string such as .~R1C1_5.Cage~10~R1C2~R1C3"
        raise InputError(f"{shortened(string)} begins with no dot; expected {expected}")
    items = [item.split("~") for item in string[1:].split(".")]
    if len(items) > MOST_ITEMS:
        raise InputError(f"a string of {len(items):,} items; expected at most {MOST_ITEMS:,}")
    return _Reader([(name or "Given", arguments) for name, *arguments in items]).puzzle()


class _Reader(Reader):
    def __init__(self, items: Sequence[tuple[str, list[str]]]) -> None:
        super().__init__()
        self.items = items
        self.names = {name for name, _ in items}
        self.order = self._order()
        self.geometry = self._geometry()
        self.clues: dict[tuple[str, str, int], int] = {}

    def puzzle(self) -> Puzzle:
        """Return the puzzle, with everything that the items state."""
        masks = [(1 << self.order) - 1] * self.geometry.cell_count
        rules: list[Rule] = []
        depth = 0
        for number, (name, arguments) in enumerate(self.items, 1):
            depth += (name in ("Or", "And", "Replicate")) - (name == "End")
            try:
                if depth > 0 or name == "End":
                    raise Wrong("a choice among rules")
                if name == "Given":
                    for given in arguments:
                        cell, mask = self._given(given)
                        masks[cell] &= mask
                elif name not in _OF_THE_BOARD:
                    rules += [
                        self.sensible(find(kind).make(find(kind).defaults | values), self.geometry)
                        for kind, values in self._rules(name, arguments)
                    ]
            except (Wrong, InputError) as problem:
                self.leave(f"{name} (item {number} of {len(self.items)})", str(problem))
        return Puzzle(board_from_masks(self.geometry, masks).with_rules(rules), unread=tuple(self.unread))

    def _order(self) -> int:
        orders = set[int]()
        for text in ("~".join(arguments) for name, arguments in self.items if name == "Shape"):
            shape = _SHAPE.fullmatch(text)
            numbers = {int(number) for number in shape.groups() if number} if shape else set()
            if len(numbers) != 1 or not 1 <= max(numbers) <= LARGEST_ORDER:
                raise InputError(f"Shape~{shortened(text)}; expected a square such as 6x6, up to {LARGEST_ORDER}")
            orders |= numbers
        if len(orders) > 1:
            raise InputError(f"Shapes of the orders {' and '.join(map(str, sorted(orders)))}; expected one")
        return max(orders, default=9)

    def _geometry(self) -> Geometry:
        n = self.order
        geometry = Geometry.latin(n) if "NoBoxes" in self.names else usual(n) or Geometry.latin(n)
        both: set[str] = set()
        for name, arguments in self.items:
            try:
                if name == "Jigsaw":
                    labels = arguments[-1] if arguments else ""
                    if len(labels) != n * n:
                        raise Wrong(f"{len(labels)} labels; expected {n * n}")
                    jigsaw = Geometry.jigsaw([*labels])
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
        symbols = [_number(value) for value in values]
        if not symbols or not all(1 <= symbol <= self.order for symbol in symbols):
            raise Wrong(f"{shortened(text)}; expected a cell and symbols from 1 to {self.order}, such as R1C1_5")
        return self._cell(name), sum(1 << (symbol - 1) for symbol in {*symbols})

    # ---- rules -------------------------------------------------------------------------------------------------------

    def _rules(self, name: str, arguments: list[str]) -> Stated:
        """Yield the rules that an item states. Raises ``Wrong``."""
        if special := getattr(self, f"read_{name}", None):
            yield from special(name, arguments)
            return
        for kind in all_kinds().values():
            fmt = kind.formats.get(FORMAT, {})
            if fmt.get("flag") == name and not arguments:
                yield kind.name, {}
            elif fmt.get("pairs") == name and kind.name not in _ONLY_WRITTEN_AS_PAIRS:
                for one, other in self._neighbours(arguments):
                    pair = (other, one) if fmt.get("turned") else (one, other)
                    yield kind.name, fmt.get("only", {}) | {"cells": pair}
            elif fmt.get("type") == name and "clue" in fmt:
                for value, cells in self._outside(name, arguments):
                    yield kind.name, {fmt["clue"]: value, "cells": cells}
            elif fmt.get("type") == name and (values := self._values(kind, arguments)) is not None:
                yield kind.name, values
            else:
                continue
            return
        raise Wrong("a type that is not read, or one with these arguments")

    def _values(self, kind: Kind, arguments: Sequence[str]) -> dict[str, Any] | None:
        """Return the parameters of a kind; ``None`` if a constant among the arguments is not its own."""
        fmt = kind.formats[FORMAT]
        names: Sequence[str | int] = fmt.get("args", ())
        if len(arguments) < len(names):
            raise Wrong(f"{shortened('~'.join(arguments))}; expected {len(names)} arguments and cells")
        values: dict[str, Any] = {}
        for name, argument in zip(names, arguments, strict=False):
            if name == "values":
                values["values"] = tuple(map(_number, argument.split("_")))
            elif name in kind.defaults:
                values[str(name)] = _number(argument)
            elif str(name) != argument:
                return None
        cells = self._cells(arguments[len(names) :])
        if not cells:
            raise Wrong("no cells; expected some")
        return values | {fmt["cells"]: (cells,) if fmt["cells"] == "lines" else cells}

    def _outside(self, name: str, arguments: Sequence[str]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield the clues of an item, each with the cells that it sees."""
        clues = arguments[1:] if name in BOTH_WAYS else arguments[:1]
        place = ((arguments[:1] if name in BOTH_WAYS else arguments[1:2]) or [""])[0].upper()
        cells = {known.upper(): cells for known, cells in sights(name, self.order).items()}.get(place)
        if cells is None or len(clues) > 2:
            raise Wrong(f"{shortened('~'.join(arguments))}; expected a clue and where it stands")
        for way, clue in enumerate(clues):
            if not clue:
                continue
            value = _number(clue)
            if value == 0 and name in ("XSum", "Skyscraper"):
                raise Wrong("the clue 0; expected one from 1 on")
            if self.clues.setdefault((name, place, way), value) != value:
                raise Wrong(f"a second clue at {place}; expected one, since the solver takes the last")
            yield value, cells[::-1] if way else cells

    # Each of these reads the type of its name, which no table of a kind describes.

    def read_AllDifferent(self, _: str, arguments: list[str]) -> Stated:
        yield "extra-region", {"cells": tuple(dict.fromkeys(self._some_cells(arguments)))}

    def read_AntiConsecutive(self, _: str, arguments: list[str]) -> Stated:
        if arguments or self.names & {"WhiteDot", "BlackDot"}:
            raise Wrong("beside dots, which are no exceptions to it there")
        yield "non-consecutive", {}

    def read_Arrow(self, name: str, arguments: list[str]) -> Stated:
        size = _number(*arguments[:1] or [""]) if name == "PillArrow" else 1
        cells = self._cells(arguments[name == "PillArrow" :])
        circle = tuple(sorted(cells[:size]))
        if (name == "PillArrow" and size not in (2, 3)) or not is_readable(circle, self.order) or size >= len(cells):
            raise Wrong(f"{len(cells)} cells, {size} of them the circle; expected one, or two or three that touch")
        yield "arrow", {"circle": circle, "shafts": (cells[size:],)}

    read_PillArrow = read_Arrow

    def read_Cage(self, _: str, arguments: list[str]) -> Stated:
        total, cells = _number(*arguments[:1] or [""]), self._some_cells(arguments[1:])
        # how often the solver counts a cell that is named twice differs from version to version
        yield "killer", {"total": total, "cells": cells} if total else {"cells": tuple(dict.fromkeys(cells))}

    def read_DisjointSets(self, _: str, arguments: list[str]) -> Stated:
        """Yield the places of the usual boxes, whatever regions the board has."""
        boxes = usual(self.order)
        if arguments or boxes is None or boxes.region_of is None:
            raise Wrong("on a board without usual boxes; expected one with them")
        if boxes.region_of == self.geometry.region_of:
            yield "disjoint-groups", {}
            return
        for house in boxes.with_disjoint_groups().houses[3 * self.order :]:
            yield "extra-region", {"cells": tuple(house.cells)}

    def read_Quad(self, _: str, arguments: list[str]) -> Stated:
        cell, n = self._cell(*arguments[:1] or [""]), self.order
        if n - 1 in divmod(cell, n):
            raise Wrong(f"{arguments[0]} is no upper left cell of four")
        if len(arguments) < 2:
            raise Wrong("no values; expected some")
        values = tuple(map(_number, arguments[1:]))
        if self.clues.setdefault(("Quad", arguments[0].upper(), 0), hash(values)) != hash(values):
            raise Wrong(f"a second one at {arguments[0]}; expected one, since the solver takes the last")
        yield "quadruple", {"values": values, "cells": (cell, cell + 1, cell + n, cell + n + 1)}

    def read_RegionSumLine(self, name: str, arguments: list[str]) -> Stated:
        lines = (self._some_cells(arguments),)
        if self.geometry.region_of is None:
            self.leave(name, "on a board without regions, where it holds", False)
        else:
            yield "region-sum", {"lines": lines}

    def read_StrictKropki(self, _: str, arguments: list[str]) -> Stated:
        if arguments:
            raise Wrong(f"{shortened('~'.join(arguments))}; expected no arguments")
        yield from (("negative-difference", {}), ("negative-ratio", {}))

    def read_Sum(self, _: str, arguments: list[str]) -> Stated:
        total, cells = _number(*arguments[:1] or [""]), self._some_cells(arguments[1:])
        yield "killer", {"total": total, "cells": cells, "repeats": True}

    def read_Whisper(self, _: str, arguments: list[str]) -> Stated:
        stated = bool(arguments) and not _CELL.fullmatch(arguments[0])
        least = _number(arguments[0]) if stated else 5
        yield "whispers", {"difference": least, "lines": (self._some_cells(arguments[stated:]),)}

    def read_X(self, name: str, arguments: list[str]) -> Stated:
        for pair in self._neighbours(arguments):
            yield "xv", {"total": 10 if name == "X" else 5, "cells": pair}

    read_V = read_X

    # ---- cells -------------------------------------------------------------------------------------------------------

    def _neighbours(self, names: Iterable[str]) -> list[tuple[int, int]]:
        """Return the pairs of orthogonal neighbours among cells, each in their order."""
        cells = tuple(dict.fromkeys(self._cells(names)))
        pairs = [(a, b) for a, b in combinations(cells, 2) if touch(a, b, self.order)]
        if not pairs:
            raise Wrong(f"no neighbours among {shortened(' '.join(names))}; expected cells that touch")
        return pairs

    def _some_cells(self, names: Sequence[str]) -> tuple[int, ...]:
        if not names:
            raise Wrong("no cells; expected some")
        return self._cells(names)

    def _cells(self, names: Iterable[str]) -> tuple[int, ...]:
        return tuple(map(self._cell, names))

    def _cell(self, name: str) -> int:
        match = _CELL.fullmatch(name)
        row, column = (_NUMBERS.index(part.lower()) for part in match.groups()) if match else (0, 0)
        if not 1 <= row <= self.order or not 1 <= column <= self.order:
            raise Wrong(f"{shortened(name)} is not a cell of a board of order {self.order}")
        return (row - 1) * self.order + column - 1


def _number(text: str) -> int:
    if not re.fullmatch(r"-?\d{1,4}", text):
        raise Wrong(f"{shortened(text)}; expected a whole number")
    return int(text)
