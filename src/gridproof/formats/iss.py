"""Strings of the Interactive Sudoku Solver: ``.~R1C1_5.Cage~10~R1C2~R1C3``.

Each item is a type, its arguments and its cells, parted by ``~``. Kinds of rules name their types
(``Rule.formats["iss"]``); this module knows shapes, givens and clues outside the grid.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any
from urllib.parse import unquote

from gridproof.errors import InputError, shortened
from gridproof.formats.shapes import usual, with_diagonals
from gridproof.formats.sheet import Sheet, Unread
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule, all_kinds, find

FORMAT = "iss"
LARGEST_ORDER = 16
LONGEST = 1_000_000
"""Characters of a string at most."""
MOST_ITEMS = 5_000

_NUMBERS = "0123456789abcdefg"
LINK = re.compile(r"[\W_]{0,3}(?:https?://)?sigh\.github\.io/\S*?[?&]q=([^\s&#>\"']*)", re.IGNORECASE)
_CELL = re.compile(r"R([1-9a-g])C([1-9a-g])", re.IGNORECASE)
_SHAPE = re.compile(r"(\d{1,2})x(\d{1,2})(?:~(?:1-)?(\d{1,2}))?")


def read(text: str) -> Sheet:
    """The sheet of a string, or of a link that holds one.

    Raises
    ------
    InputError
        If it is none, is longer than any, or is of no square board.

    Examples
    --------
    >>> sheet = read(".Shape~4x4.~R1C1_1.Thermo~R1C2~R1C3~R1C4")
    >>> sheet.board.rules[0].sentence(sheet.board.geometry)
    'the thermometer r1c2 r1c3 r1c4 increases from its bulb'
    """
    if len(text) > LONGEST:
        raise InputError(f"a text of {len(text):,} characters; expected at most {LONGEST:,}")
    link = LINK.match(text)
    found = re.sub(r"\s+", "", unquote(link[1]) if link else text)
    if not found.startswith("."):
        raise InputError(f"{shortened(found)} begins with no dot; expected a string such as .~R1C1_5.Cage~10~R1C2~R1C3")
    items = [item.split("~") for item in found[1:].split(".")]
    if len(items) > MOST_ITEMS:
        raise InputError(f"a string of {len(items):,} items; expected at most {MOST_ITEMS:,}")
    return _Reader([(name or "Given", arguments) for name, *arguments in items]).sheet()


class _Wrong(Exception):
    """An item that is not what its type says."""


class _Reader:
    def __init__(self, items: Sequence[tuple[str, Sequence[str]]]) -> None:
        self.items = items
        self.unread: list[Unread] = []
        self.names = {name for name, _ in items}
        self.order = self._order()

    def sheet(self) -> Sheet:
        """Everything that is said."""
        geometry = self._geometry()
        every = (1 << self.order) - 1
        masks = [every] * geometry.cell_count
        rules: list[Rule] = []
        depth = 0
        for number, (name, arguments) in enumerate(self.items, 1):
            where = f"{name} (item {number} of {len(self.items)})"
            depth += (name in ("Or", "And", "Replicate")) - (name == "End")
            try:
                if depth > 0 or name == "End":
                    raise _Wrong("a choice among rules")
                if name == "Given":
                    for given in arguments:
                        cell, mask = self._given(given)
                        masks[cell] &= mask
                elif name not in _OF_THE_BOARD:
                    rules += self._rules(name, list(arguments), geometry)
            except (_Wrong, InputError) as problem:
                self.unread.append(Unread(where, str(problem)))
        clues = [mask.bit_length() if mask and not mask & (mask - 1) else 0 for mask in masks]
        marks = [every if clue else mask for clue, mask in zip(clues, masks, strict=True)]
        board = Board(geometry, tuple(clues), marks=None if {*marks} == {every} else tuple(marks))
        return Sheet(board.with_rules(rules), unread=tuple(self.unread))

    def _order(self) -> int:
        orders = set[int]()
        for name, arguments in self.items:
            if name == "Shape":
                shape = _SHAPE.fullmatch("~".join(arguments))
                numbers = {int(number) for number in shape.groups() if number} if shape else set()
                if len(numbers) != 1 or not 1 <= max(numbers) <= LARGEST_ORDER:
                    said = shortened("~".join(arguments))
                    raise InputError(f"Shape~{said}; expected a square such as 6x6, up to {LARGEST_ORDER}")
                orders |= numbers
        if len(orders) > 1:
            raise InputError(f"Shapes of the orders {' and '.join(map(str, sorted(orders)))}; expected one")
        return max(orders, default=9)

    def _geometry(self) -> Geometry:
        n = self.order
        geometry = Geometry.latin(n) if "NoBoxes" in self.names else usual(n) or Geometry.latin(n)
        for name, arguments in self.items:
            if name == "Jigsaw":
                labels = arguments[-1] if arguments else ""
                members: dict[str, list[int]] = {}
                for cell, label in enumerate(labels):
                    members.setdefault(label, []).append(cell)
                sizes = Counter(map(len, members.values()))
                if len(labels) != n * n or set(sizes) != {n}:
                    self.unread.append(Unread(name, f"regions of {sorted(sizes)[:9]} cells; expected {n} of {n}"))
                elif geometry.region_of is None:
                    geometry = Geometry.jigsaw(labels)
                else:
                    geometry = geometry.with_houses(members.values(), "region")
            elif name == "Diagonal" and not (arguments and {*arguments} <= {"1", "-1"}):
                self.unread.append(Unread(name, f"{shortened('~'.join(arguments))}; expected 1 or -1"))
        both = {argument for name, arguments in self.items if name == "Diagonal" for argument in arguments}
        geometry = with_diagonals(geometry, rising="1" in both, falling="-1" in both)
        if "Windoku" in self.names:
            if n == 9 and geometry.box_shape is not None:
                geometry = geometry.with_windoku()
            else:
                self.unread.append(Unread("Windoku", "of a board that is not 9x9 with boxes"))
        return geometry

    def _given(self, text: str) -> tuple[int, int]:
        name, *values = text.split("_")
        symbols = [self._number(value) for value in values]
        if not symbols or not all(1 <= symbol <= self.order for symbol in symbols):
            raise _Wrong(f"{shortened(text)}; expected a cell and symbols from 1 to {self.order}, such as R1C1_5")
        return self._cell(name), sum(1 << (symbol - 1) for symbol in {*symbols})

    def _rules(self, name: str, arguments: list[str], geometry: Geometry) -> Iterator[Rule]:
        make = _SPECIAL.get(name)
        if make is not None:
            yield from make(self, arguments)
            return
        for kind in all_kinds().values():
            fmt = kind.formats.get(FORMAT, {})
            if fmt.get("flag") == name and not arguments:
                yield kind.make(kind.defaults)
            elif fmt.get("pairs") == name and kind.name not in ("clone", "minimum", "maximum"):
                for one, other in self._neighbours(arguments):
                    pair = (other, one) if fmt.get("turned") else (one, other)
                    yield kind.make(kind.defaults | fmt.get("only", {}) | {"cells": pair})
            elif fmt.get("type") == name and "clue" in fmt:
                for value, cells in self._sights(name, arguments):
                    yield kind.make({fmt["clue"]: value, "cells": cells})
            elif fmt.get("type") == name and (values := self._values(fmt, arguments)) is not None:
                yield kind.make(kind.defaults | values)
            else:
                continue
            if name == "AntiConsecutive" and self.names & {"WhiteDot", "BlackDot"}:
                raise _Wrong("beside dots, which are no exceptions to it there")
            return
        raise _Wrong("a type that is not read, or one with these arguments")

    def _values(self, fmt: Mapping[str, Any], arguments: Sequence[str]) -> dict[str, Any] | None:
        """The parameters of a kind; ``None`` if a constant among the arguments is not its own."""
        names: Sequence[str | int] = fmt.get("args", ())
        if names == ["difference"] and fmt["type"] == "Whisper" and arguments and _CELL.fullmatch(arguments[0]):
            arguments = ["5", *arguments]
        if len(arguments) < len(names):
            raise _Wrong(f"{shortened('~'.join(arguments))}; expected {len(names)} arguments and cells")
        values: dict[str, Any] = {}
        for named, argument in zip(names, arguments, strict=False):
            if isinstance(named, str) and len(named) > 1:
                values[named] = self._number(argument)
            elif str(named) != argument:
                return None
        cells = tuple(map(self._cell, arguments[len(names) :]))
        if not cells:
            raise _Wrong("no cells; expected some")
        if fmt["type"] == "Cage" and not values["total"]:
            values["total"] = None
        return values | {fmt["cells"]: (cells,) if fmt["cells"] == "lines" else cells}

    def _sights(self, name: str, arguments: Sequence[str]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The clues of an item, each with the cells that it sees."""
        clues = arguments[1:] if name in _BOTH_WAYS else arguments[:1]
        place = (arguments[:1] if name in _BOTH_WAYS else arguments[1:2]) or [""]
        sights = diagonals(self.order) if name == "LittleKiller" else lines(self.order)
        cells = next((seen for known, seen in sights.items() if known.upper() == place[0].upper()), None)
        if cells is None or len(clues) > 2:
            raise _Wrong(f"{shortened('~'.join(arguments))}; expected a clue and where it stands")
        for clue, seen in zip(clues, (cells, cells[::-1]), strict=False):
            if clue:
                yield self._number(clue), seen

    def _quad(self, arguments: Sequence[str]) -> Iterator[Rule]:
        cell, n = self._cell((arguments or [""])[0]), self.order
        if cell % n == n - 1 or cell // n == n - 1:
            raise _Wrong(f"{arguments[0]} is no upper left cell of four")
        values = tuple(map(self._number, arguments[1:]))
        yield find("quadruple").make({"values": values, "cells": (cell, cell + 1, cell + n, cell + n + 1)})

    def _contain(self, arguments: Sequence[str]) -> Iterator[Rule]:
        values = tuple(map(self._number, (arguments or [""])[0].split("_")))
        yield find("quadruple").make({"values": values, "cells": tuple(map(self._cell, arguments[1:]))})

    def _arrow(self, arguments: Sequence[str]) -> Iterator[Rule]:
        size = 1
        if arguments and not _CELL.fullmatch(arguments[0]):
            size, arguments = self._number(arguments[0]), arguments[1:]
        cells = tuple(map(self._cell, arguments))
        if not 0 < size < len(cells):
            raise _Wrong(f"{len(cells)} cells; expected a circle and a shaft")
        yield find("arrow").make({"circle": tuple(sorted(cells[:size])), "shafts": (cells[size:],)})

    def _sum(self, arguments: Sequence[str]) -> Iterator[Rule]:
        total = self._number((arguments or [""])[0])
        yield find("killer").make({"total": total, "cells": tuple(map(self._cell, arguments[1:])), "repeats": True})

    def _pair_sum(self, total: int, arguments: Sequence[str]) -> Iterator[Rule]:
        for pair in self._neighbours(arguments):
            yield find("xv").make({"total": total, "cells": pair})

    def _strict_kropki(self, _: Sequence[str]) -> Iterator[Rule]:
        for kind in (find("negative-difference"), find("negative-ratio")):
            yield kind.make(kind.defaults)

    def _neighbours(self, arguments: Sequence[str]) -> Iterator[tuple[int, int]]:
        """The pairs of orthogonal neighbours among cells, each in their order."""
        return ((a, b) for a, b in combinations(map(self._cell, arguments), 2) if touch(a, b, self.order))

    def _cell(self, name: str) -> int:
        match = _CELL.fullmatch(name)
        row, column = (_NUMBERS.index(part.lower()) for part in match.groups()) if match else (0, 0)
        if not 1 <= row <= self.order or not 1 <= column <= self.order:
            raise _Wrong(f"{shortened(name)} is not a cell of a board of order {self.order}")
        return (row - 1) * self.order + column - 1

    def _number(self, text: str) -> int:
        if not re.fullmatch(r"-?\d{1,4}", text):
            raise _Wrong(f"{shortened(text)}; expected a whole number")
        return int(text)


_OF_THE_BOARD = ("Shape", "NoBoxes", "Jigsaw", "Diagonal", "Windoku", "Priority")
_BOTH_WAYS = ("XSum", "Skyscraper", "NumberedRoom")
_SPECIAL: Mapping[str, Callable[[_Reader, Sequence[str]], Iterator[Rule]]] = {
    "Quad": _Reader._quad,
    "ContainAtLeast": _Reader._contain,
    "Arrow": _Reader._arrow,
    "PillArrow": _Reader._arrow,
    "Sum": _Reader._sum,
    "X": lambda reader, arguments: reader._pair_sum(10, arguments),
    "V": lambda reader, arguments: reader._pair_sum(5, arguments),
    "StrictKropki": _Reader._strict_kropki,
}
"""Types that are no kind's own."""


def touch(a: int, b: int, n: int) -> bool:
    """Whether two cells are orthogonal neighbours."""
    return abs(a // n - b // n) + abs(a % n - b % n) == 1


def cell_id(cell: int, n: int) -> str:
    """What the program calls a cell: ``R1C1``, with letters from 10 on."""
    return f"R{_NUMBERS[cell // n + 1]}C{_NUMBERS[cell % n + 1]}"


def lines(n: int) -> dict[str, tuple[int, ...]]:
    """The cells of each row and column, by the name that a clue has beside it."""
    rows = {f"R{k + 1}": tuple(range(k * n, k * n + n)) for k in range(n)}
    return rows | {f"C{k + 1}": tuple(range(k, n * n, n)) for k in range(n)}


def diagonals(n: int) -> dict[str, tuple[int, ...]]:
    """The cells that each little killer clue sees, by the first of them, from which the program calls it."""
    found: dict[str, tuple[int, ...]] = {}
    seen: set[frozenset[int]] = set()
    starts = [(row, 0, 1, 1) for row in range(n - 1)] + [(row, n - 1, -1, -1) for row in range(1, n - 1)]
    starts += [(0, column, 1, -1) for column in range(1, n)] + [(n - 1, column, -1, 1) for column in range(1, n - 1)]
    for row, column, down, right in starts:
        cells = []
        while 0 <= row < n and 0 <= column < n:
            cells.append(row * n + column)
            row, column = row + down, column + right
        if len(cells) > 1 and frozenset(cells) not in seen:
            seen.add(frozenset(cells))
            found[cell_id(cells[0], n)] = tuple(cells)
    return found
