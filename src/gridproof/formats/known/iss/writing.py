"""The writer of strings for the Interactive Sudoku Solver.

A rule is written as an item of a type that states its kind, and else by its primitives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from gridproof.errors import BoardError
from gridproof.formats.known.iss.groups import NOT_IN_GROUPS
from gridproof.formats.known.iss.names import (
    LARGEST_ORDER,
    NUMBERS,
    add_usual_boxes,
    find_boxes,
    fits,
    is_readable_pill,
    items_of,
    name_of_cell,
    sights_of,
    usual_size,
    without_boxes,
)
from gridproof.formats.known.iss.primitives import write_item, write_primitive
from gridproof.formats.programs import Inexpressible, further_houses, terms_of, write_rules
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import are_neighbours
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import diagonals
from gridproof.rules import Rule, all_kinds, find
from gridproof.rules.bounds import mask_of
from gridproof.rules.foreign import IssItem
from gridproof.rules.primitives import Domain, Primitive, TooLarge

_GROUP_OF = {"any-of": "Or", "all-of": "And"}
"""The group of items for each kind of rules about rules that the program has."""

_Sight: TypeAlias = tuple[str, str, int]
"""The place of a clue: the type of its item, the line that it stands at, and at which end."""


def string_of(puzzle: Puzzle, refuse: Callable[[str], BoardError]) -> str:
    """Return the string of a puzzle. refuse: makes the error, to be raised, for what the format cannot express."""
    geometry = puzzle.board.geometry
    largest = max(geometry.rows, geometry.columns, geometry.symbol_count)
    if geometry.digits.first > 1 or largest > LARGEST_ORDER or not has_regions_of_one_size(geometry):
        raise refuse(f"a board of {geometry.description}")
    writer = IssWriter(puzzle.board)
    of_rules = list(write_rules(puzzle.board, writer.write_rule, refuse))
    if 0 in writer.masks:
        raise refuse("a cell that can hold nothing")
    items = list(writer.write_shape())
    items += writer.write_cells()
    items += of_rules
    return "".join(dict.fromkeys(items))


def size_of_regions(geometry: Geometry) -> int:
    """Return the number of cells of the first region of a board; the usual number if it has none."""
    if geometry.region_of is None:
        return usual_size(geometry)
    return geometry.region_of.count(0)


def has_regions_of_one_size(geometry: Geometry) -> bool:
    """Return whether the solver has the regions of a board: of one size, and no smaller than lines if they are odd."""
    if geometry.region_of is None or geometry.box_shape == find_boxes(geometry, size_of_regions(geometry)):
        return True
    size = size_of_regions(geometry)
    sizes = set(Counter(geometry.region_of).values())
    return sizes == {size} and size >= usual_size(geometry)


class IssWriter:
    """Writes the rules of a board. masks: of candidates; cells that rules limit by themselves are limited there."""

    def __init__(self, board: Board) -> None:
        self.geometry = board.geometry
        self.columns = board.geometry.columns
        self.usual = add_usual_boxes(without_boxes(board.geometry), size_of_regions(board.geometry))
        self.masks = list(board.candidates)
        self.kinds = {rule.kind for rule in board.rules}
        self.clues: dict[_Sight, int] = {}

    def write_shape(self) -> Iterator[str]:
        """Yield the size, regions, and houses beyond rows and columns."""
        geometry = self.geometry
        size = f"{geometry.rows}x{geometry.columns}"
        if geometry.digits == Digits(1, usual_size(geometry)):
            yield f".Shape~{size}"
        else:
            yield f".Shape~{size}~{geometry.digits}"
        regions = geometry.region_of
        if regions is None:
            yield ".NoBoxes"
        else:
            if size_of_regions(geometry) != usual_size(geometry):
                yield f".RegionSize~{size_of_regions(geometry)}"
            if regions != self.usual.region_of:
                labels = "".join(NUMBERS[region] for region in regions)
                yield f".Jigsaw~{labels}.NoBoxes"
        falling: Sequence[int] = ()
        rising: Sequence[int] = ()
        if geometry.rows == geometry.columns:
            falling, rising = diagonals(geometry.rows)
        for house in further_houses(self.geometry):
            if set(house.cells) == set(rising):
                yield ".Diagonal~1"
            elif set(house.cells) == set(falling):
                yield ".Diagonal~-1"
            else:
                yield write_item("AllDifferent", (), house.cells, self.columns)

    def write_cells(self) -> Iterator[str]:
        """Yield the symbols of each cell that does not have all of them."""
        is_first = True
        for cell, symbol_mask in enumerate(self.masks):
            if symbol_mask == self.geometry.every_symbol:
                continue
            if is_first:
                yield "."
                is_first = False
            words = [f"~{name_of_cell(cell, self.columns)}"]
            for place, digit in enumerate(self.geometry.digits):
                if symbol_mask >> place & 1:
                    words.append(str(digit))
            yield "_".join(words)

    def write_rule(self, rule: Any) -> Sequence[str]:
        """Return the items of a rule. Raises ``Inexpressible``."""
        if rule.kind in _GROUP_OF:
            return [self.write_group(rule)]
        items = self._write_as_items(rule)
        if items is not None:
            return items
        items = []
        for part in expand_rule(rule, self.geometry):
            if isinstance(part, Domain):
                self.masks[part.cell] &= mask_of(part.values)
            else:
                items += write_primitive(part, self.geometry)
        return items

    def write_group(self, rule: Any) -> str:
        """Return the group of a choice, in which an option of several items is a group of its own."""
        options: list[str] = []
        clues = self.clues
        for inner in rule.rules:
            self.clues = {}
            items = self.write_inside(inner)
            if len(items) == 1:
                options += items
            else:
                options.append(f".And{''.join(items)}.End")
        self.clues = clues
        return f".{_GROUP_OF[rule.kind]}{''.join(options)}.End"

    def write_inside(self, rule: Any) -> Sequence[str]:
        """Return the items of a rule in a group, where cells that it limits are givens."""
        if rule.kind in _GROUP_OF:
            return [self.write_group(rule)]
        items = self._write_as_items(rule)
        if items is not None and not NOT_IN_GROUPS.intersection(map(type_of, items)):
            return items
        items = []
        for part in expand_rule(rule, self.geometry):
            items += write_primitive(part, self.geometry)
        return items

    def _write_as_items(self, rule: Any) -> list[str] | None:
        """Return the items of a rule; ``None`` if no type of item states it."""
        if rule.name_or_path not in all_kinds():
            return None
        values = terms_of(rule, self.geometry)
        if rule.kind == "arrow":
            with suppress(Inexpressible):
                return list(write_arrow(sorted(values["circle"]), values["shafts"], self.columns))
        if rule.kind in _WRITERS:
            with suppress(Inexpressible):
                return [_WRITERS[rule.kind](values, self.columns)]
        if rule.kind == "lockout":
            values["difference"] = rule.least(self.geometry)
        for way in items_of(find(rule.kind)):
            if fits(way, self.geometry, self.kinds, self.usual):
                with suppress(Inexpressible):
                    return list(self._write_items(way, rule, values))
        return None

    def _write_items(self, way: IssItem, rule: Any, values: Mapping[str, Any]) -> Iterator[str]:
        """Yield the items of a rule, written in this way."""
        check_unstated(way, rule)
        arguments = [write_argument(way, values, name, self.geometry.digits) for name in way.arguments]
        if way.clue:
            yield write_clue(way, values[way.clue], values["cells"], self.geometry, self.clues)
        elif way.pairs:
            for one, other in rule.find_pairs(self.geometry):
                if not way.apart and not are_neighbours(one, other, self.columns):
                    raise Inexpressible
                yield write_item(way.type, arguments, (other, one) if way.turned else (one, other), self.columns)
        elif way.cells == "lines":
            for line in values["lines"]:
                if line and len(line) < way.shortest:
                    raise Inexpressible
                if line:
                    yield write_item(way.type, arguments, dict.fromkeys(line) if way.once else line, self.columns)
        elif not way.cells:
            yield f".{way.type}"
        elif values[way.cells]:
            yield write_item(way.type, arguments, values[way.cells], self.columns)
        else:
            raise Inexpressible


def expand_rule(rule: Rule, geometry: Geometry) -> list[Primitive]:
    """Return the primitives of a rule. Raises ``Inexpressible`` if they are too large."""
    try:
        return list(rule.expand(geometry))
    except TooLarge:
        raise Inexpressible from None


def type_of(item: str) -> str:
    """Return the type of a written item."""
    name, _, _ = item[1:].partition("~")
    return name


def check_unstated(way: IssItem, rule: Rule) -> None:
    """Raise ``Inexpressible`` if a parameter that the item has no place for is not what the item means."""
    meant = {**find(rule.kind).defaults(), **way.only}
    has_cells = bool(way.cells or way.pairs or way.clue)
    for name, kind, value in rule.stated_values():
        is_stated = name in way.arguments or name == way.clue
        if has_cells and kind in ("cells", "lines"):
            is_stated = True
        if not is_stated and value != meant[name]:
            raise Inexpressible


def write_argument(way: IssItem, values: Mapping[str, Any], name: str | int, digits: Digits) -> str:
    """Return the argument for a parameter, or a constant."""
    value = values.get(name, name) if isinstance(name, str) else name
    if not isinstance(value, tuple):
        is_too_small = way.least is not None and isinstance(value, int) and value < way.least
        if value is None or value == way.number_for_none or is_too_small:
            raise Inexpressible
        return str(value)
    if not value or not all(digit in digits for digit in value):
        raise Inexpressible
    return "_".join(str(symbol) for symbol in value)


def write_arrow(circle: Sequence[int], shafts: Iterable[Sequence[int]], columns: int) -> Iterator[str]:
    """Yield the item of each shaft. Raises ``Inexpressible`` for one without cells, or a circle that is no pill."""
    for shaft in shafts:
        if not shaft or len(circle) > 3 or not is_readable_pill(circle, columns):
            raise Inexpressible
        cells = list(circle)
        cells += shaft
        if len(circle) == 1:
            yield write_item("Arrow", (), cells, columns)
        else:
            yield write_item("PillArrow", (str(len(circle)),), cells, columns)


def write_groups(values: Mapping[str, Any], columns: int) -> str:
    """Return the item of groups of one sum."""
    return f".EqualSum~{'~-~'.join(names_of(line, columns) for line in values['lines'])}"


def write_sets(values: Mapping[str, Any], columns: int) -> str:
    """Return the item of groups that hold the same digits."""
    lines = values["lines"]
    return f".SameValues~{len(lines)}~{'~'.join(names_of(line, columns) for line in lines)}"


def write_weighted(values: Mapping[str, Any], columns: int) -> str:
    """Return the item of a sum with factors. Raises ``Inexpressible`` for factors that the program refuses."""
    factors = values["factors"] or (1,) * len(values["cells"])
    if max(factors) > 100 or min(factors) < -100:
        raise Inexpressible
    argument = "_".join([str(values["total"]), "=", *[str(factor) for factor in factors]])
    return f".Sum~{argument}~{names_of(values['cells'], columns)}"


def write_distinct(values: Mapping[str, Any], columns: int) -> str:
    """Return the item of a cell that counts different digits."""
    return f".CountDistinct~{names_of(values['circle'] + values['cells'], columns)}"


def names_of(cells: Sequence[int], columns: int) -> str:
    """Return the names of cells. Raises ``Inexpressible`` if there are none."""
    if not cells:
        raise Inexpressible
    return "~".join(name_of_cell(cell, columns) for cell in cells)


_WRITERS: Mapping[str, Callable[[Mapping[str, Any], int], str]] = {
    "equal-sums": write_groups,
    "same-values": write_sets,
    "linear-sum": write_weighted,
    "count-distinct": write_distinct,
}
"""The function that writes the item of a kind, from the parameters of a rule, where no record of the kind states it."""


def write_clue(way: IssItem, value: int, cells: Sequence[int], board: Geometry, written: dict[_Sight, int]) -> str:
    """Return the item of a clue outside the grid. Raises ``Inexpressible`` for a second one at its place.

    written: the clues so far, to which it is added.
    """
    if way.least is not None and value < way.least:
        raise Inexpressible
    for place, line in sights_of(way, board).items():
        is_backward = tuple(cells) != line
        if is_backward and tuple(cells) != line[::-1]:
            continue
        end = 0
        if is_backward and way.ends:
            end = 1
        if written.setdefault((way.type, place, end), value) != value:
            raise Inexpressible  # of two clues at one place the program takes the last
        if not way.ends:
            return f".{way.type}~{value}~{place}"
        if end == 0:
            return f".{way.type}~{place}~{value}"
        return f".{way.type}~{place}~~{value}"
    raise Inexpressible
