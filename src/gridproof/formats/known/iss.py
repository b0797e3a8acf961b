"""Strings and links of the Interactive Sudoku Solver: ``.~R1C1_5.Cage~10~R1C2~R1C3``.

Each item is a type, its arguments and its cells, separated by ``~``. A kind of rule states the ways to write it in
``Rule.formats["iss"]``, one table or several, for reader and writer alike:

- ``type``: the item; ``written`` instead where such an item is read as another kind.
- ``args``: parameters and constants before the cells. ``omitted``: the first, where a cell stands in its place.
  ``unstated``: the value for none. ``only``: other parameters that are not their defaults.
- ``cells``: the parameter of cells; of ``lines``, each is an item. ``once``: a cell named twice is meant once.
- ``pairs``: an item for each two cells compared; ``turned``: the second first; ``apart``: also if they do not touch.
- ``clue``: the parameter of an outside clue; ``ends``: at either end of a line; ``least``: from what number on.
- ``order``, ``regions`` (``any``, ``usual``), ``beside`` and ``unless`` (kinds): where the item means the same there.

This module knows shapes, givens, arrows, and quadruples by their upper left cell.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, combinations, pairwise
from typing import Any, TypeAlias
from urllib.parse import unquote

from gridproof.errors import GeometryError, InputError, shortened
from gridproof.formats.catalog import Format
from gridproof.formats.programs import Inexpressible, Reader, Wrong, further_houses, terms_of, written
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import Shapes, usual, with_diagonals
from gridproof.formats.symbols import board_from_masks
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import diagonals
from gridproof.rules import Rule, all_kinds, find
from gridproof.rules.kind import Kind
from gridproof.rules.primitives import Domain

LARGEST_ORDER, LONGEST, MOST_ITEMS = 16, 1_000_000, 5_000

_LINK = re.compile(r"[\W_]{0,3}(?:https?://)?sigh\.github\.io/\S*?[?&]q=([^\s&#>\"']*)", re.IGNORECASE)
_STRING = re.compile(r"\s*\.(?:[A-Z][A-Za-z]*(?:\.[A-Z][A-Za-z]*)*\.?)?~[\w~.,=%+-]*\s*$")
_NUMBERS = "0123456789abcdefg"
_CELL = re.compile(r"R([1-9a-g])C([1-9a-g])", re.IGNORECASE)
_SHAPE = re.compile(r"(\d{1,2})x(\d{1,2})(?:~(?:1-)?(\d{1,2}))?")
_OTHER_BOARDS = ("ChaosConstruction", "Doppelganger", "RegionSize")
_OF_THE_BOARD = ("Given", "Shape", "NoBoxes", "Jigsaw", "Diagonal", "Windoku", "Priority", "SearchPriority")

Way: TypeAlias = Mapping[str, Any]


def _ways(kind: Kind) -> Sequence[Way]:
    table = kind.formats.get("iss", ())
    return [table] if isinstance(table, Mapping) else table


def _fits(way: Way, geometry: Geometry, kinds: Collection[str]) -> bool:
    """Return whether a way to write a rule means the same there, on a board with these kinds of rules."""
    regions, wanted = geometry.region_of, way.get("regions")
    return (
        way.get("order", geometry.order) == geometry.order
        and (wanted is None or regions is not None)
        and (wanted != "usual" or regions == getattr(usual(geometry.order), "region_of", ()))
        and {*kinds} >= {*way.get("beside", ())}
        and not {*kinds} & {*way.get("unless", ())}
    )


def _cell_id(cell: int, n: int) -> str:
    """Return the name of a cell: ``R1C1``, with letters from 10 on."""
    return f"R{_NUMBERS[cell // n + 1]}C{_NUMBERS[cell % n + 1]}"


def _touch(a: int, b: int, n: int) -> bool:
    """Return whether two cells are orthogonal neighbours."""
    return abs(a // n - b // n) + abs(a % n - b % n) == 1


def _is_readable(pill: Sequence[int], n: int) -> bool:
    """Return whether each cell of a pill is one step right of, below, or both, the one before."""
    return all(second - first in (1, n, n + 1) and first % n <= second % n for first, second in pairwise(pill))


def _sights(way: Way, n: int) -> dict[str, tuple[int, ...]]:
    """Return the cells that outside clues see, by the name of their place: a line, or the first slanted cell."""
    if way["type"] == "LittleKiller":
        slanted = chain(
            (range(row * n, n * n, n + 1) for row in range(n - 1)),
            (range(row * n + n - 1, -1, -n - 1) for row in range(1, n - 1)),
            (range(column, column * n + 1, n - 1) for column in range(1, n)),
            (range(n * n - n + column, column * n, 1 - n) for column in range(1, n - 1)),
        )
        return {_cell_id(cells[0], n): tuple(cells) for cells in slanted}
    rows = {f"R{k + 1}": tuple(range(k * n, k * n + n)) for k in range(n)}
    return rows | {f"C{k + 1}": tuple(range(k, n * n, n)) for k in range(n)}


def _read(text: str, _: Shapes) -> Iterator[Puzzle]:
    link = _LINK.match(text)
    string = re.sub(r"\s+", "", unquote(link[1]) if link else text)
    if not string.startswith("."):
        raise InputError(f"{shortened(string)} begins with no dot; expected one such as .~R1C1_5.Cage~10~R1C2~R1C3")
    items = [item.split("~") for item in string[1:].split(".")]
    for size, most, what in (len(string), LONGEST, "characters"), (len(items), MOST_ITEMS, "items"):
        if size > most:
            raise InputError(f"a string of {size:,} {what}; expected at most {most:,}")
    yield _Reader([(name or "Given", arguments) for name, *arguments in items]).puzzle()


class _Reader(Reader):
    def __init__(self, items: Sequence[tuple[str, list[str]]]) -> None:
        super().__init__()
        self.items, self.names = items, {name for name, _ in items}
        self.order = self._order()
        self.geometry = self._geometry()
        self.ways = [(kind, way) for kind in all_kinds().values() for way in _ways(kind) if "type" in way]
        self.kinds = {kind.name for kind, way in self.ways if way["type"] in self.names}
        self.clues: dict[tuple[object, ...], object] = {}

    def puzzle(self) -> Puzzle:
        """Return the puzzle, with everything that the items state."""
        masks = [(1 << self.order) - 1] * self.geometry.cell_count
        rules: list[Rule] = []
        depth = 0
        for number, (name, arguments) in enumerate(self.items, 1):
            depth += (name in ("Or", "And", "Replicate")) - (name == "End")
            try:
                if depth > 0 or name == "End":
                    raise Wrong("a choice among rules", relaxes=name in _OF_THE_BOARD)
                if name in _OTHER_BOARDS:
                    raise Wrong("another board than gridproof has", relaxes=True)
                for given in arguments if name == "Given" else ():
                    cell, mask = self._given(given)
                    masks[cell] &= mask
                if name not in _OF_THE_BOARD:
                    stated = [kind.make(kind.defaults | values) for kind, values in self._rules(name, arguments)]
                    rules += [self.sensible(rule, self.geometry) for rule in stated]
            except (Wrong, InputError) as problem:
                relaxes = isinstance(problem, Wrong) and problem.relaxes
                self.leave(f"{name} (item {number} of {len(self.items)})", str(problem), relaxes=relaxes)
        return Puzzle(board_from_masks(self.geometry, masks).with_rules(rules), unread=tuple(self.unread))

    def _order(self) -> int:
        orders = set[int]()
        for text in ("~".join(arguments) for name, arguments in self.items if name == "Shape"):
            shape = _SHAPE.fullmatch(text)
            orders |= {int(number) for number in shape.groups() if number} if shape else {0}
            if len(orders) != 1 or not 1 <= max(orders) <= LARGEST_ORDER:
                raise InputError(f"Shape~{shortened(text)}; expected one square such as 6x6, up to {LARGEST_ORDER}")
        return max(orders, default=9)

    def _geometry(self) -> Geometry:
        n = self.order
        geometry = Geometry.latin(n) if "NoBoxes" in self.names else usual(n) or Geometry.latin(n)
        both: set[str] = set()
        for name, arguments in self.items:
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
        symbols = [_number(value) for value in values]
        if not symbols or not all(1 <= symbol <= self.order for symbol in symbols):
            raise Wrong(f"{shortened(text)}; expected a cell and symbols from 1 to {self.order}, such as R1C1_5")
        return self._cell(name), sum(1 << (symbol - 1) for symbol in {*symbols})

    def _rules(self, name: str, arguments: list[str]) -> list[tuple[Kind, dict[str, Any]]]:
        """Return the rules that an item states: the kind of each, and its parameters that are no defaults."""
        if name in ("Arrow", "PillArrow"):
            return [(find("arrow"), self._arrow(name, arguments))]
        if name == "Quad":
            name, arguments = "ContainAtLeast", self._quadruple(arguments)
        stated = [
            (kind, values)
            for kind, way in self.ways
            if way["type"] == name and _fits(way, self.geometry, self.kinds)
            for values in self._stated(kind, way, arguments)
        ]
        if not stated:
            raise Wrong("a type that is not read, or not with these arguments on this board")
        return stated

    def _stated(self, kind: Kind, way: Way, arguments: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield the parameters of each rule of an item; of none if a constant among the arguments is another."""
        if "clue" in way:
            yield from self._outside(way, arguments)
            return
        if "omitted" in way and arguments and _CELL.fullmatch(arguments[0]):
            arguments = [str(way["omitted"]), *arguments]
        values, types = dict(way.get("only", {})), {p.name: p.type for p in kind.parameters}
        names = way.get("args", ())
        if len(arguments) < len(names):
            raise Wrong(f"{shortened('~'.join(arguments))}; expected {len(names)} arguments and cells")
        for name, argument in zip(names, arguments, strict=False):
            if types.get(name) == "numbers":
                values[name] = tuple(map(_number, argument.split("_")))
            elif name not in types:
                if argument != str(name):
                    return
            elif (number := _number(argument)) != way.get("unstated"):
                values[name] = number
        cells = tuple(map(self._cell, arguments[len(names) :]))
        if "pairs" in way:
            pairs = [pair for pair in combinations(dict.fromkeys(cells), 2) if _touch(*pair, self.order)]
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
        cells = {known.upper(): cells for known, cells in _sights(way, self.order).items()}.get(place)
        if cells is None or len(clues) > 2:
            raise Wrong(f"{shortened('~'.join(arguments))}; expected a clue and where it stands")
        for end, clue in enumerate(clues):
            if clue:
                value = _number(clue)
                if value < way.get("least", value):
                    raise Wrong(f"the clue {value}; expected one from {way['least']} on")
                self._note_clue(value, way["type"], place, end)
                yield {way["clue"]: value, "cells": cells[::-1] if end else cells}

    def _note_clue(self, value: object, *place: object) -> None:
        if self.clues.setdefault(place, value) != value:
            raise Wrong(f"a second clue at {place[1]}; expected one, since the solver takes the last", relaxes=True)

    def _arrow(self, name: str, arguments: Sequence[str]) -> dict[str, Any]:
        size = _number(*arguments[:1] or [""]) if name == "PillArrow" else 1
        cells = tuple(map(self._cell, arguments[name == "PillArrow" :]))
        circle = tuple(sorted(cells[:size]))
        if (name == "PillArrow" and size not in (2, 3)) or not _is_readable(circle, self.order) or size >= len(cells):
            raise Wrong(f"{len(cells)} cells, {size} of them the circle; expected one, or two or three that touch")
        return {"circle": circle, "shafts": (cells[size:],)}

    def _quadruple(self, arguments: Sequence[str]) -> list[str]:
        """Return the arguments of a quadruple with all its cells, of one with its upper left cell."""
        cell, n = self._cell(*arguments[:1] or [""]), self.order
        if n - 1 in divmod(cell, n):
            raise Wrong(f"{arguments[0]} is no upper left cell of four")
        self._note_clue(arguments[1:], "Quad", arguments[0].upper())
        return ["_".join(arguments[1:]), *(_cell_id(other, n) for other in (cell, cell + 1, cell + n, cell + n + 1))]

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


def _write(puzzle: Puzzle) -> str:
    board, n = puzzle.board, puzzle.board.geometry.order
    if n > LARGEST_ORDER:
        raise ISS.refuse(f"a board of order {n}")
    writer = _Writer(board)
    items = [*written(board, writer.rule, ISS.refuse)]
    if 0 in writer.masks:
        raise ISS.refuse("a cell that can hold nothing")
    given = [
        "_".join([f"~{_cell_id(cell, n)}", *(str(symbol + 1) for symbol in range(n) if mask >> symbol & 1)])
        for cell, mask in enumerate(writer.masks)
        if mask != (1 << n) - 1
    ]
    return "".join(dict.fromkeys([*writer.shape(), "." * bool(given), *given, *items]))


class _Writer:
    """Writes the rules of a board. masks: of candidates; cells that rules limit by themselves are limited there."""

    def __init__(self, board: Board) -> None:
        self.geometry, self.order = board.geometry, board.geometry.order
        self.masks, self.kinds = list(board.candidates), {rule.kind for rule in board.rules}
        self.clues: dict[tuple[str, str, int], int] = {}

    def shape(self) -> Iterator[str]:
        """Yield the size, regions, and houses beyond rows and columns."""
        n, standard, regions = self.order, usual(self.order), self.geometry.region_of
        yield f".Shape~{n}x{n}"
        if regions is None or standard is None or regions != standard.region_of:
            yield f".Jigsaw~{''.join(_NUMBERS[region] for region in regions)}.NoBoxes" if regions else ".NoBoxes"
        falling, rising = map(frozenset, diagonals(n))
        for house in further_houses(self.geometry):
            if (cells := frozenset(house.cells)) in (rising, falling):
                yield f".Diagonal~{1 if cells == rising else -1}"
            else:
                yield self._item("AllDifferent", (), house.cells)

    def rule(self, rule: Any) -> Sequence[str]:
        """Return the items of a rule. Raises ``Inexpressible``."""
        values = terms_of(rule, self.geometry)
        if rule.kind == "arrow":
            return [*self._arrow(sorted(values["circle"]), values["shafts"])]
        if rule.kind == "lockout":
            values["difference"] = rule.least(self.geometry)
        for way in _ways(find(rule.kind)):
            if _fits(way, self.geometry, self.kinds):
                with suppress(Inexpressible):
                    return [*self._items(way, rule, values)]
        for part in rule.expand(self.geometry):
            if not isinstance(part, Domain):
                raise Inexpressible
            self.masks[part.cell] &= sum(1 << (value - 1) for value in part.values)
        return []

    def _items(self, way: Way, rule: Any, values: Mapping[str, Any]) -> Iterator[str]:
        """Yield the items of a rule, written in this way."""
        others, is_placed = find(rule.kind).defaults | way.get("only", {}), way.keys() & {"cells", "pairs", "clue"}
        for name, kind, value in rule.parameters():
            is_stated = name in (*way.get("args", ()), way.get("clue")) or (is_placed and kind in ("cells", "lines"))
            if not is_stated and value != others[name]:
                raise Inexpressible
        name = way.get("type") or way["written"]
        arguments = [self._argument(way, values, p) for p in way.get("args", ())]
        if "clue" in way:
            yield self._clue(way, values[way["clue"]], values["cells"])
        elif "pairs" in way:
            for one, other in rule.pairs(self.geometry):
                if "apart" not in way and not _touch(one, other, self.order):
                    raise Inexpressible
                yield self._item(name, arguments, (other, one) if "turned" in way else (one, other))
        elif way.get("cells") == "lines":
            for line in filter(None, values["lines"]):
                yield self._item(name, arguments, dict.fromkeys(line) if "once" in way else line)
        elif "cells" not in way:
            yield f".{name}"
        elif cells := values[way["cells"]]:
            yield self._item(name, arguments, cells)
        else:
            raise Inexpressible

    def _argument(self, way: Way, values: Mapping[str, Any], name: Any) -> str:
        value = values.get(name, name)
        parts = value if isinstance(value, tuple) else (value,)
        if not parts or parts[0] in (None, way.get("unstated")):
            raise Inexpressible
        if isinstance(value, tuple) and not all(1 <= symbol <= self.order for symbol in value):
            raise Inexpressible
        return "_".join(map(str, parts))

    def _arrow(self, circle: Sequence[int], shafts: Iterable[Sequence[int]]) -> Iterator[str]:
        sized = [len(circle)] if len(circle) > 1 else []
        for shaft in shafts:
            if not shaft or len(circle) > 3 or not _is_readable(circle, self.order):
                raise Inexpressible
            yield self._item("PillArrow" if sized else "Arrow", sized, (*circle, *shaft))

    def _item(self, name: str, arguments: Iterable[object], cells: Iterable[int]) -> str:
        return "~".join([f".{name}", *map(str, arguments), *(_cell_id(cell, self.order) for cell in cells)])

    def _clue(self, way: Way, value: int, cells: Sequence[int]) -> str:
        for place, line in _sights(way, self.order).items():
            ways = (line, line[::-1])
            if tuple(cells) in ways and value >= way.get("least", value):
                end = ways.index(tuple(cells)) if "ends" in way else 0
                if self.clues.setdefault((way["type"], place, end), value) != value:
                    raise Inexpressible  # of two clues at one place the program takes the last
                terms = [place, *[""] * end, value] if "ends" in way else [value, place]
                return "~".join(map(str, [f".{way['type']}", *terms]))
        raise Inexpressible


ISS = Format(
    name="iss",
    summary="strings and links of the Interactive Sudoku Solver",
    by_line=True,
    sniff=lambda text: (_LINK.match(text) or _STRING.match(text)) is not None,
    read=_read,
    write=_write,
    examples=(
        ".Shape~4x4.~R1C1_1~R4C4_2_3.Cage~5~R1C2~R1C3.Thermo~R2C1~R2C2.AntiKnight",
        "https://sigh.github.io/Interactive-Sudoku-Solver/?q=.~R1C1_5.Sandwich~13~R1.XSum~C2~~20",
    ),
)
FORMATS = (ISS,)
