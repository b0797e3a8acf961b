"""The ways to write rules for the Interactive Sudoku Solver, its names for cells and places, and its writer."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, pairwise
from typing import Any

from gridproof.errors import BoardError
from gridproof.formats.programs import Inexpressible, Wrong, further_houses, terms_of, written
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import touch, usual
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import diagonals
from gridproof.rules import find
from gridproof.rules.foreign import IssItem
from gridproof.rules.kind import Kind
from gridproof.rules.primitives import Domain
from gridproof.text import quote

LARGEST_ORDER = 16
NUMBERS = "0123456789abcdefg"
CELL = re.compile(r"R([1-9a-g])C([1-9a-g])", re.IGNORECASE)


def fits(item: IssItem, geometry: Geometry, kinds: Collection[str]) -> bool:
    """Return whether an item means the same on a board of this geometry, with rules of these kinds."""
    if item.order is not None and item.order != geometry.order:
        return False
    if item.regions is not None and geometry.region_of is None:
        return False
    if item.regions == "usual":
        standard = usual(geometry.order)
        if standard is None or standard.region_of != geometry.region_of:
            return False
    return {*item.beside} <= {*kinds} and not {*item.unless} & {*kinds}


def sights_of(item: IssItem, n: int) -> dict[str, tuple[int, ...]]:
    """Return the cells that outside clues see, by the name of their place: a line, or the first slanted cell."""
    if item.type == "LittleKiller":
        slanted = chain(
            (range(row * n, n * n, n + 1) for row in range(n - 1)),
            (range(row * n + n - 1, -1, -n - 1) for row in range(1, n - 1)),
            (range(column, column * n + 1, n - 1) for column in range(1, n)),
            (range(n * n - n + column, column * n, 1 - n) for column in range(1, n - 1)),
        )
        return {cell_id(cells[0], n): tuple(cells) for cells in slanted}
    rows = {f"R{k + 1}": tuple(range(k * n, k * n + n)) for k in range(n)}
    return rows | {f"C{k + 1}": tuple(range(k, n * n, n)) for k in range(n)}


def items_of(kind: Kind) -> list[IssItem]:
    """Return the ways in which rules of a kind are stated, if any."""
    return [item for item in kind.formats if isinstance(item, IssItem)]


def number_of(text: str) -> int:
    """Return a whole number. Raises ``Wrong``."""
    if not re.fullmatch(r"-?\d{1,4}", text):
        raise Wrong(f"{quote(text)}; expected a whole number")
    return int(text)


def cell_id(cell: int, n: int) -> str:
    """Return the name of a cell: ``R1C1``, with letters from 10 on."""
    return f"R{NUMBERS[cell // n + 1]}C{NUMBERS[cell % n + 1]}"


def is_readable(pill: Sequence[int], n: int) -> bool:
    """Return whether each cell of a pill is one step right of, below, or both, the one before."""
    return all(second - first in (1, n, n + 1) and first % n <= second % n for first, second in pairwise(pill))


# ---- writing ---------------------------------------------------------------------------------------------------------


def string_of(puzzle: Puzzle, refuse: Callable[[str], BoardError]) -> str:
    """Return the string of a puzzle. refuse: makes the error, to be raised, for what the format cannot express."""
    board, n = puzzle.board, puzzle.board.geometry.order
    if n > LARGEST_ORDER:
        raise refuse(f"a board of order {n}")
    writer = Writer(board)
    items = [*written(board, writer.rule, refuse)]
    if 0 in writer.masks:
        raise refuse("a cell that can hold nothing")
    given = [
        "_".join([f"~{cell_id(cell, n)}", *(str(symbol + 1) for symbol in range(n) if mask >> symbol & 1)])
        for cell, mask in enumerate(writer.masks)
        if mask != (1 << n) - 1
    ]
    return "".join(dict.fromkeys([*writer.shape(), "." * bool(given), *given, *items]))


class Writer:
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
            yield f".Jigsaw~{''.join(NUMBERS[region] for region in regions)}.NoBoxes" if regions else ".NoBoxes"
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
        for way in items_of(find(rule.kind)):
            if fits(way, self.geometry, self.kinds):
                with suppress(Inexpressible):
                    return [*self._items(way, rule, values)]
        for part in rule.expand(self.geometry):
            if not isinstance(part, Domain):
                raise Inexpressible
            self.masks[part.cell] &= sum(1 << (value - 1) for value in part.values)
        return []

    def _items(self, way: IssItem, rule: Any, values: Mapping[str, Any]) -> Iterator[str]:
        """Yield the items of a rule, written in this way."""
        others, is_placed = {**find(rule.kind).defaults, **way.only}, bool(way.cells or way.pairs or way.clue)
        for name, kind, value in rule.parameters():
            is_stated = name in (*way.arguments, way.clue) or (is_placed and kind in ("cells", "lines"))
            if not is_stated and value != others[name]:
                raise Inexpressible
        name = way.type
        arguments = [self._argument(way, values, p) for p in way.arguments]
        if way.clue:
            yield self._clue(way, values[way.clue], values["cells"])
        elif way.pairs:
            for one, other in rule.compared(self.geometry):
                if not way.apart and not touch(one, other, self.order):
                    raise Inexpressible
                yield self._item(name, arguments, (other, one) if way.turned else (one, other))
        elif way.cells == "lines":
            for line in filter(None, values["lines"]):
                yield self._item(name, arguments, dict.fromkeys(line) if way.once else line)
        elif not way.cells:
            yield f".{name}"
        elif cells := values[way.cells]:
            yield self._item(name, arguments, cells)
        else:
            raise Inexpressible

    def _argument(self, way: IssItem, values: Mapping[str, Any], name: Any) -> str:
        value = values.get(name, name)
        parts = value if isinstance(value, tuple) else (value,)
        if not parts or parts[0] in (None, way.number_for_none):
            raise Inexpressible
        if isinstance(value, tuple) and not all(1 <= symbol <= self.order for symbol in value):
            raise Inexpressible
        return "_".join(map(str, parts))

    def _arrow(self, circle: Sequence[int], shafts: Iterable[Sequence[int]]) -> Iterator[str]:
        sized = [len(circle)] if len(circle) > 1 else []
        for shaft in shafts:
            if not shaft or len(circle) > 3 or not is_readable(circle, self.order):
                raise Inexpressible
            yield self._item("PillArrow" if sized else "Arrow", sized, (*circle, *shaft))

    def _item(self, name: str, arguments: Iterable[object], cells: Iterable[int]) -> str:
        return "~".join([f".{name}", *map(str, arguments), *(cell_id(cell, self.order) for cell in cells)])

    def _clue(self, way: IssItem, value: int, cells: Sequence[int]) -> str:
        for place, line in sights_of(way, self.order).items():
            ways = (line, line[::-1])
            if tuple(cells) in ways and (way.least is None or value >= way.least):
                end = ways.index(tuple(cells)) if way.ends else 0
                if self.clues.setdefault((way.type, place, end), value) != value:
                    raise Inexpressible  # of two clues at one place the program takes the last
                terms = [place, *[""] * end, value] if way.ends else [value, place]
                return "~".join(map(str, [f".{way.type}", *terms]))
        raise Inexpressible
