"""Strings of the Interactive Sudoku Solver: ``.~R1C1_5.Cage~10~R1C2~R1C3``.

Each item is a type, its arguments and its cells, parted by ``~``. Kinds of rules name their types
(``Rule.formats["iss"]``); this module knows shapes, givens, clues outside the grid, and types whose meaning depends on
their arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise
from typing import Any

from gridproof.errors import BoardError, GeometryError, InputError, shortened
from gridproof.formats.programs import Reader, Unsayable, Wrong, further_houses, terms_of, written
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.readings import board_from_masks
from gridproof.formats.shapes import usual, with_diagonals
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import diagonals
from gridproof.rules import Rule, all_kinds, find
from gridproof.rules.kind import Kind

FORMAT = "iss"
LARGEST_ORDER = 16
LONGEST, MOST_ITEMS = 1_000_000, 5_000
"""Characters of a string, and items, at most."""

_NUMBERS = "0123456789abcdefg"
_CELL = re.compile(r"R([1-9a-g])C([1-9a-g])", re.IGNORECASE)
_SHAPE = re.compile(r"(\d{1,2})x(\d{1,2})(?:~(?:1-)?(\d{1,2}))?")
_OF_THE_BOARD = ("Shape", "NoBoxes", "Jigsaw", "Diagonal", "Windoku", "Priority")
_BOTH_WAYS = ("XSum", "Skyscraper", "NumberedRoom")
_NO_KINDS_OWN = ("Quad", "Arrow", "PillArrow", "Sum", "X", "V", "StrictKropki")
_ONLY_WRITTEN_AS_PAIRS = ("clone", "minimum", "maximum")


def _cell_id(cell: int, n: int) -> str:
    """What the program calls a cell: ``R1C1``, with letters from 10 on."""
    return f"R{_NUMBERS[cell // n + 1]}C{_NUMBERS[cell % n + 1]}"


def _touch(a: int, b: int, n: int) -> bool:
    """Whether two cells are orthogonal neighbours."""
    return abs(a // n - b // n) + abs(a % n - b % n) == 1


def _sights(name: str, n: int) -> dict[str, tuple[int, ...]]:
    """The cells that outside clues see, by what the program calls their place: a line, or the first slanted cell."""
    if name == "LittleKiller":
        slanted = chain(
            (range(row * n, n * n, n + 1) for row in range(n - 1)),
            (range(row * n + n - 1, -1, -n - 1) for row in range(1, n - 1)),
            (range(column, column * n + 1, n - 1) for column in range(1, n)),
            (range(n * n - n + column, column * n, 1 - n) for column in range(1, n - 1)),
        )
        return {_cell_id(cells[0], n): tuple(cells) for cells in slanted}
    rows = {f"R{k + 1}": tuple(range(k * n, k * n + n)) for k in range(n)}
    return rows | {f"C{k + 1}": tuple(range(k, n * n, n)) for k in range(n)}


# ---- reading ---------------------------------------------------------------------------------------------------------


def read(text: str) -> Puzzle:
    """The sheet of a string.

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
    found = re.sub(r"\s+", "", text)
    if not found.startswith("."):
        raise InputError(f"{shortened(found)} begins with no dot; expected a string such as .~R1C1_5.Cage~10~R1C2~R1C3")
    items = [item.split("~") for item in found[1:].split(".")]
    if len(items) > MOST_ITEMS:
        raise InputError(f"a string of {len(items):,} items; expected at most {MOST_ITEMS:,}")
    return _Reader([(name or "Given", arguments) for name, *arguments in items]).sheet()


class _Reader(Reader):
    def __init__(self, items: Sequence[tuple[str, list[str]]]) -> None:
        super().__init__()
        self.items = items
        self.names = {name for name, _ in items}
        self.order = self._order()

    def sheet(self) -> Puzzle:
        """Everything that is said."""
        geometry = self._geometry()
        masks = [(1 << self.order) - 1] * geometry.cell_count
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
                    rules += self._rules(name, arguments)
            except (Wrong, InputError) as problem:
                self.leave(f"{name} (item {number} of {len(self.items)})", str(problem))
        return Puzzle(board_from_masks(geometry, masks).with_rules(rules), unread=tuple(self.unread))

    def _order(self) -> int:
        orders = set[int]()
        for said in ("~".join(arguments) for name, arguments in self.items if name == "Shape"):
            shape = _SHAPE.fullmatch(said)
            numbers = {int(number) for number in shape.groups() if number} if shape else set()
            if len(numbers) != 1 or not 1 <= max(numbers) <= LARGEST_ORDER:
                raise InputError(f"Shape~{shortened(said)}; expected a square such as 6x6, up to {LARGEST_ORDER}")
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

    def _rules(self, name: str, arguments: list[str]) -> Iterator[Rule]:
        if name in _NO_KINDS_OWN:
            for special, values in self._special(name, arguments):
                yield find(special).make(find(special).defaults | values)
            return
        for kind in all_kinds().values():
            fmt = kind.formats.get(FORMAT, {})
            if fmt.get("flag") == name and not arguments:
                yield kind.make(kind.defaults)
            elif fmt.get("pairs") == name and kind.name not in _ONLY_WRITTEN_AS_PAIRS:
                for one, other in self._neighbours(arguments):
                    pair = (other, one) if fmt.get("turned") else (one, other)
                    yield kind.make(kind.defaults | fmt.get("only", {}) | {"cells": pair})
            elif fmt.get("type") == name and "clue" in fmt:
                for value, cells in self._clues(name, arguments):
                    yield kind.make({fmt["clue"]: value, "cells": cells})
            elif fmt.get("type") == name and (said := self._values(kind, arguments)) is not None:
                yield kind.make(kind.defaults | said)
            else:
                continue
            if name == "AntiConsecutive" and self.names & {"WhiteDot", "BlackDot"}:
                raise Wrong("beside dots, which are no exceptions to it there")
            return
        raise Wrong("a type that is not read, or one with these arguments")

    def _special(self, name: str, arguments: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
        """The kind and the parameters of each rule that such an item states."""
        if name == "StrictKropki":
            yield from (("negative-difference", {}), ("negative-ratio", {}))
        elif name in ("X", "V"):
            yield from (
                ("xv", {"total": 10 if name == "X" else 5, "cells": pair}) for pair in self._neighbours(arguments)
            )
        elif name == "Sum":
            total, cells = _number(*arguments[:1] or [""]), self._cells(arguments[1:])
            yield "killer", {"total": total, "cells": cells, "repeats": True}
        elif name == "Quad":
            cell, n = self._cell(*arguments[:1] or [""]), self.order
            if n - 1 in divmod(cell, n):
                raise Wrong(f"{arguments[0]} is no upper left cell of four")
            values = tuple(map(_number, arguments[1:]))
            yield "quadruple", {"values": values, "cells": (cell, cell + 1, cell + n, cell + n + 1)}
        else:
            sized = bool(arguments) and not _CELL.fullmatch(arguments[0])
            size, cells = _number(arguments[0]) if sized else 1, self._cells(arguments[sized:])
            if not 0 < size < len(cells):
                raise Wrong(f"{len(cells)} cells; expected a circle and a shaft")
            yield "arrow", {"circle": tuple(sorted(cells[:size])), "shafts": (cells[size:],)}

    def _values(self, kind: Kind, arguments: Sequence[str]) -> dict[str, Any] | None:
        """The parameters of a kind; ``None`` if a constant among the arguments is not its own."""
        fmt = kind.formats[FORMAT]
        names: Sequence[str | int] = fmt.get("args", ())
        if kind.name == "whispers" and arguments and _CELL.fullmatch(arguments[0]):
            arguments = ["5", *arguments]
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
        if kind.name == "killer" and not values["total"]:
            values["total"] = None
        return values | {fmt["cells"]: (cells,) if fmt["cells"] == "lines" else cells}

    def _clues(self, name: str, arguments: Sequence[str]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The clues of an item, each with the cells that it sees."""
        clues = arguments[1:] if name in _BOTH_WAYS else arguments[:1]
        place = (arguments[:1] if name in _BOTH_WAYS else arguments[1:2]) or [""]
        sights = {known.upper(): cells for known, cells in _sights(name, self.order).items()}
        cells = sights.get(place[0].upper())
        if cells is None or len(clues) > 2:
            raise Wrong(f"{shortened('~'.join(arguments))}; expected a clue and where it stands")
        for clue, seen in zip(clues, (cells, cells[::-1]), strict=False):
            if clue:
                yield _number(clue), seen

    def _neighbours(self, names: Iterable[str]) -> Iterator[tuple[int, int]]:
        """The pairs of orthogonal neighbours among cells, each in their order."""
        return ((a, b) for a, b in combinations(self._cells(names), 2) if _touch(a, b, self.order))

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


# ---- writing ---------------------------------------------------------------------------------------------------------


def string_of(sheet: Puzzle, refuse: Callable[[str], BoardError]) -> str:
    """The string of a sheet. refuse: makes the error for what it cannot say, which is raised."""
    board, n = sheet.board, sheet.board.geometry.order
    if n > LARGEST_ORDER:
        raise refuse(f"a board of order {n}")
    writer = _Writer(board)
    items = [*written(board, writer.rule, refuse)]
    if 0 in writer.masks:
        raise refuse("a cell that can hold nothing")
    given = [
        "_".join([_cell_id(cell, n), *(str(symbol + 1) for symbol in range(n) if mask >> symbol & 1)])
        for cell, mask in enumerate(writer.masks)
        if mask != (1 << n) - 1
    ]
    givens = [f".~{'~'.join(given)}"] if given else []
    return "".join(dict.fromkeys([*writer.shape(), *givens, *items]))


class _Writer:
    """Writes the rules of a board. masks: of candidates; cells that rules limit by themselves are limited there."""

    def __init__(self, board: Board) -> None:
        self.geometry = board.geometry
        self.order = board.geometry.order
        self.masks = list(board.candidates)
        self.kinds = {rule.kind for rule in board.rules}
        self.said: dict[tuple[str, str, int], int] = {}

    def shape(self) -> Iterator[str]:
        """The size, regions, and houses beyond rows and columns."""
        n, standard, regions = self.order, usual(self.order), self.geometry.region_of
        yield f".Shape~{n}x{n}"
        if regions is None or standard is None or regions != standard.region_of:
            if regions is not None:
                yield f".Jigsaw~{''.join('0123456789abcdef'[region] for region in regions)}"
            yield ".NoBoxes"
        falling, rising = map(frozenset, diagonals(n))
        for house in further_houses(self.geometry):
            if (cells := frozenset(house.cells)) in (rising, falling):
                yield f".Diagonal~{1 if cells == rising else -1}"
            else:
                yield self._item("AllDifferent", (), house.cells)

    def rule(self, rule: Any) -> Iterator[str]:
        """The items of a rule. Raises ``Unsayable``."""
        fmt, values = terms_of(rule, self.geometry, FORMAT)
        if fmt.get("order", self.order) != self.order:
            raise Unsayable
        plain = find(rule.kind).is_plain(rule)
        match rule.kind:
            case "even" | "odd":
                for domain in rule.expand(self.geometry):
                    self.masks[domain.cell] &= sum(1 << (value - 1) for value in domain.values)
            case "killer":
                yield from self._cage(values["total"], values["cells"], values["repeats"])
            case "arrow":
                circle = sorted(values["circle"])
                for shaft in values["shafts"]:
                    if not shaft or len(circle) > 3:
                        raise Unsayable
                    sized = [len(circle)] if len(circle) > 1 else []
                    yield self._item("PillArrow" if sized else "Arrow", sized, (*circle, *shaft))
            case "xv":
                name = {5: "V", 10: "X"}.get(values["total"])
                if name is None and "negative-xv" in self.kinds:
                    raise Unsayable  # such a pair is no exception there
                for pair in pairwise(values["cells"]):
                    arguments = [] if name else [values["total"]]
                    yield self._item(name or "Sum", arguments, pair, touching=name is not None)
            case "lockout":
                yield from self._plain(fmt, values | {"difference": rule.least(self.geometry)})
            case "renban":
                yield from self._plain(fmt, {"lines": [tuple(dict.fromkeys(line)) for line in values["lines"]]})
            case "quadruple":
                if not values["values"] or not all(1 <= symbol <= self.order for symbol in values["values"]):
                    raise Unsayable
                digits = "_".join(map(str, values["values"]))
                yield from self._plain(fmt, {"values": digits, "cells": sorted(values["cells"])})
            case "disjoint-groups" if self.geometry.region_of != getattr(usual(self.order), "region_of", ()):
                raise Unsayable
            case "non-consecutive" if self.kinds & {"difference", "ratio"}:
                raise Unsayable  # dots are no exceptions to it there
            case "negative-difference" | "negative-ratio":
                if not plain or not self.kinds >= {"negative-difference", "negative-ratio"}:
                    raise Unsayable  # all dots are given, or none need be
                yield ".StrictKropki"
            case _ if "flag" in fmt and plain:
                yield f".{fmt['flag']}"
            case _ if "pairs" in fmt and all(values[name] == value for name, value in fmt.get("only", {}).items()):
                for a, b in rule.pairs(self.geometry):
                    pair = (b, a) if fmt.get("turned") else (a, b)
                    yield self._item(fmt["pairs"], (), pair, touching=fmt["pairs"] != "Palindrome")
            case _ if "clue" in fmt:
                yield self._clue(fmt["type"], values[fmt["clue"]], values["cells"])
            case _ if "type" in fmt or "written" in fmt:
                yield from self._plain(fmt, values)
            case _:
                raise Unsayable

    def _plain(self, fmt: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[str]:
        arguments = [values.get(name, name) for name in fmt.get("args", ())]
        for cells in values[fmt["cells"]] if fmt["cells"] == "lines" else [values[fmt["cells"]]]:
            if cells:
                yield self._item(fmt.get("type") or fmt["written"], arguments, cells)

    def _item(self, name: str, arguments: Iterable[object], cells: Sequence[int], *, touching: bool = False) -> str:
        if touching and not _touch(cells[0], cells[1], self.order):
            raise Unsayable
        return "~".join([f".{name}", *map(str, arguments), *(_cell_id(cell, self.order) for cell in cells)])

    def _clue(self, name: str, value: int, cells: Sequence[int]) -> str:
        both_ways = name in _BOTH_WAYS
        for place, seen in _sights(name, self.order).items():
            ways = (seen, seen[::-1])
            if tuple(cells) in ways and (value > 0 or not both_ways or name == "NumberedRoom"):
                way = ways.index(tuple(cells)) if both_ways else 0
                if self.said.setdefault((name, place, way), value) != value:
                    raise Unsayable  # of two clues at one place the program takes the last
                said = [place, *[""] * way, value] if both_ways else [value, place]
                return "~".join(map(str, [f".{name}", *said]))
        raise Unsayable

    def _cage(self, total: int | None, cells: Sequence[int], repeats: bool) -> Iterator[str]:
        if not cells or (total == 0 and not repeats):
            raise Unsayable  # 0 is any sum there
        if total is not None:
            yield self._item("Sum" if repeats else "Cage", (total,), cells)
        elif not repeats:
            yield self._item("AllDifferent", (), cells)
