"""The reading of a string of the Interactive Sudoku Solver: its board, its givens, and the rules of its items.

Shapes, givens, and quadruples by their upper left cell are read here, rules that kinds state in their records by these,
and whatever is stated otherwise in coded.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from gridproof.errors import InputError
from gridproof.formats.known.iss.board_items import BoardItems
from gridproof.formats.known.iss.coded import StatedRule
from gridproof.formats.known.iss.groups import (
    GROUPS,
    StringItem,
    nest_items,
    open_group,
    types_in,
)
from gridproof.formats.known.iss.names import (
    CELL,
    Way,
    add_usual_boxes,
    first_of,
    fits,
    is_refused,
    items_of,
    number_of,
    sights_of,
)
from gridproof.formats.programs import UnreadItem, check_sense
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.symbols import board_from_masks
from gridproof.puzzle.further_cells import WithFurtherCells, with_further_cells
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule, all_kinds, find
from gridproof.rules.foreign import IssItem
from gridproof.rules.kinds.choices import AllTogether, AtLeastOne
from gridproof.rules.kinds.further_cells import FurtherCells
from gridproof.text import counted, quote

_OTHER_BOARDS = ("ChaosConstruction",)
_OF_THE_BOARD = (
    *("Given", "Shape", "RegionSize", "NoBoxes", "Jigsaw", "Diagonal", "Windoku", "Priority", "SearchPriority"),
    "Var",
)

_OF_FULL_HOUSES = ("Sandwich",)
"""Types that mean something else where lines do not hold every digit."""

_FEWER_HOUSES = ("Shape", "RegionSize", "NoBoxes")
"""Types that are read, and allow more in a choice."""


class IssReading(BoardItems):
    """The reading of the items of a string. Raises ``InputError``."""

    def __init__(self, items: Sequence[StringItem]) -> None:
        super().__init__()
        ways = []
        self.known_types = set(_OF_THE_BOARD)
        for kind in all_kinds().values():
            for item in items_of(kind):
                if item.is_read:
                    ways.append(Way(kind, item))
                    self.known_types.add(item.type)
        nested = nest_items(items)
        for where, problem in nested.problems:
            self.leave(where, problem)
        self.shape = self.read_shape([item for item in nested.items if item.type == "Shape"])
        self.digits = self.shape.digits
        groups = self.read_further_cells(nested.items)
        if groups:
            self.shape = with_further_cells(self.shape, groups)
        self.items = list(self._take_outer_items(nested.items))
        self.region_size = self.read_region_size()
        self.usual = add_usual_boxes(self.shape, self.region_size)
        self.geometry = self.make_geometry()
        self.board = with_further_cells(self.geometry, groups) if groups else self.geometry
        types = types_in(nested.items)
        kinds = set()
        for way in ways:
            if way.item.type in types:
                kinds.add(way.kind.kind)
        self.ways = [way for way in ways if fits(way.item, self.geometry, kinds, self.usual)]
        self.clues: dict[tuple[object, ...], object] = {}
        self.is_in_choice = False

    def _take_outer_items(self, items: Iterable[StringItem]) -> Iterator[StringItem]:
        """Yield the items that hold in any case, also those of an ``And`` and all copies, and the choices."""
        for item in items:
            try:
                group = open_group(item, self.shape)
            except UnreadItem as problem:
                self.leave(item.where, str(problem), relaxes=not self._only_restricts(item))
                continue
            if group.type == "And":
                yield from self._take_outer_items(group.children)
            elif item.type in _OTHER_BOARDS:
                self.leave(item.where, "another board than gridproof has")
            else:
                yield item

    def _only_restricts(self, item: StringItem) -> bool:
        """Return whether an item, with all in its group, is known to do nothing but take solutions away."""
        name = item.type
        is_known = name in self.known_types or name in GROUPS
        if not is_known and self._own_reader(name) is None:
            return False
        return name not in _FEWER_HOUSES and all(self._only_restricts(child) for child in item.children)

    def _own_reader(self, name: str) -> Callable[..., list[StatedRule] | None] | None:
        """Return the method that reads items of a type, if there is one: these begin with a capital letter."""
        if name[:1].isupper():
            return getattr(self, f"read_{name}", None)
        return None

    def read_puzzle(self) -> Puzzle:
        """Return the puzzle, with everything that the items state."""
        masks = [self.geometry.every_symbol] * self.geometry.cell_count
        rules: list[Rule] = []
        for item in self.items:
            try:
                if item.type == "Given":
                    rules += self._take_givens(item.arguments, masks)
                elif item.type not in _OF_THE_BOARD:
                    rules += self._read_rules(item)
            except (UnreadItem, InputError) as problem:
                relaxes = isinstance(problem, UnreadItem) and problem.relaxes
                self.leave(item.where, str(problem), relaxes=relaxes or not self._only_restricts(item))
        board = board_from_masks(self.geometry, masks).with_rules(self._gather_rules(rules))
        return Puzzle(board, unread=tuple(self.unread))

    def _gather_rules(self, rules: Sequence[Rule]) -> list[Rule]:
        """Return rules with all those about further cells in one that states these."""
        gathered = []
        inside = []
        for rule in rules:
            named = [cell for _, cells in rule.lists() for cell in cells]
            if max(named, default=0) >= self.geometry.cell_count:
                inside.append(rule)
            else:
                gathered.append(rule)
        if inside and isinstance(self.board, WithFurtherCells):
            groups = " ".join(str(group) for group in self.board.groups)
            gathered.append(FurtherCells(groups=groups, rules=tuple(inside)))
        return gathered

    def _take_givens(self, givens: Sequence[str], masks: list[int]) -> list[Rule]:
        """Leave in each cell only the symbols that are given for it: ``R1C1_5`` or, of several, ``R1C1_5_6``.

        Return the rules of givens for further cells.
        """
        rules: list[Rule] = []
        for text in givens:
            cell, digits = self._read_given(text)
            if cell >= len(masks):
                rules += make_rules(self._state_givens([text]), self.board)
                continue
            allowed = 0
            for digit in digits:
                allowed |= 1 << (self.digits.symbol(digit) - 1)
            masks[cell] &= allowed
        return rules

    def _read_given(self, text: str) -> tuple[int, tuple[int, ...]]:
        """Return the cell of a given, and its digits."""
        words = text.split("_")
        digits = tuple([number_of(word) for word in words[1:]])
        if not digits or not all(digit in self.digits for digit in digits):
            expected = f"expected a cell and symbols from {self.digits.first} to {self.digits.last}, such as R1C1_5"
            raise UnreadItem(f"{quote(text)}; {expected}", relaxes=True)
        return self.cell(words[0]), digits

    # ---- rules -------------------------------------------------------------------------------------------------------

    def _read_rules(self, item: StringItem) -> list[Rule]:
        """Return the rules of an item; those of a choice are one rule."""
        if item.type == "Or":
            return self._read_choice(item)
        if item.type == "Given":
            return make_rules(self._state_givens(item.arguments), self.board)
        if item.type not in GROUPS:
            return make_rules(self._read_item(item.type, item.arguments), self.board)
        rules = []
        for child in open_group(item, self.shape).children:
            rules += self._read_rules(child)
        return rules

    def _read_choice(self, item: StringItem) -> list[Rule]:
        """Return the rule that one option of a choice holds; none if an option holds in any case."""
        clues = self.clues
        was_in_choice = self.is_in_choice
        self.is_in_choice = True
        try:
            options = self._read_options(item)
        finally:
            self.clues = clues
            self.is_in_choice = was_in_choice
        if options is None:
            return []
        if not options:
            raise UnreadItem("a choice without options, which nothing fulfils")
        return [check_sense(AtLeastOne(rules=tuple(options)), self.board)]

    def _read_options(self, item: StringItem) -> list[Rule] | None:
        """Return the options of a choice; ``None`` if one of them holds in any case."""
        options: list[Rule] = []
        for child in open_group(item, self.shape).children:
            if child.type == "Given" and not child.arguments:
                continue  # two dots in a row: no item at all
            self.clues = {}  # of the clues at one place in two options none is a second one
            rules = self._read_rules(child)
            if not rules:
                return None
            options.append(rules[0] if len(rules) == 1 else AllTogether(rules=tuple(rules)))
        return options

    def _read_item(self, name: str, arguments: Sequence[str]) -> Sequence[StatedRule]:
        """Return the rules that an item states: the kind of each, and its parameters that are no defaults."""
        if is_refused(name, self.geometry):
            raise UnreadItem(f"on a board of {self.geometry.description}, where the solver has none")
        if name in _OF_FULL_HOUSES and not self.geometry.has_full_houses_only:
            raise UnreadItem(f"on a board of {self.geometry.description}, where it is about the digits of the line")
        reader = self._own_reader(name)
        if reader is not None:
            read_otherwise = reader(name, arguments)
            if read_otherwise is not None:
                return read_otherwise
        stated = []
        for way in self.ways:
            if way.item.type == name:
                for terms in self._read_terms(way.kind, way.item, arguments):
                    stated.append(StatedRule(way.kind.kind, terms))
        if not stated:
            raise UnreadItem("a type that is not read, or not with these arguments on this board")
        return stated

    def _read_terms(self, kind: type[Rule], way: IssItem, arguments: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield the parameters of each rule of an item; of none if a constant among the arguments is another."""
        if way.clue:
            yield from self._read_clues(way, arguments)
            return
        if way.omitted is not None and arguments and CELL.fullmatch(arguments[0]):
            arguments = [str(way.omitted)] + list(arguments)
        number = len(way.arguments)
        if len(arguments) < number:
            raise UnreadItem(f"{quote('~'.join(arguments))}; expected {number} arguments and cells")
        values = read_arguments(kind, way, arguments[:number])
        if values is None:
            return
        cells = self.cells(arguments[number:])
        if way.pairs:
            for pair in find_neighbours(cells, self.shape):
                yield {**values, "cells": pair[::-1] if way.turned else pair}
        elif way.cells:
            if len(cells) < way.shortest:
                raise UnreadItem(f"{counted(len(cells), 'cell')}; expected at least {way.shortest}")
            if way.once:
                cells = tuple(dict.fromkeys(cells))
            yield {**values, way.cells: (cells,) if way.cells == "lines" else cells}
        elif not cells:
            yield values

    def _read_clues(self, way: IssItem, arguments: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield the clues of an item, each with the cells that it sees."""
        if way.ends:
            clues, places = arguments[1:], arguments[:1]
        else:
            clues, places = arguments[:1], arguments[1:2]
        place = "".join(places).upper()
        sights = {}
        for name, cells in sights_of(way, self.shape).items():
            sights[name.upper()] = cells
        if place not in sights or len(clues) > 2:
            raise UnreadItem(f"{quote('~'.join(arguments))}; expected a clue and where it stands")
        for end, clue in enumerate(clues):
            if not clue:
                continue
            value = number_of(clue)
            if way.least is not None and value < way.least:
                raise UnreadItem(f"the clue {value}; expected one from {way.least} on")
            self._note_clue(value, way.type, place, end)
            seen = sights[place]
            yield {way.clue: value, "cells": seen[::-1] if end else seen}

    def _note_clue(self, value: object, *place: object) -> None:
        if self.clues.setdefault(place, value) != value:
            problem = f"a second clue at {place[1]}; expected one, since the solver takes the last"
            raise UnreadItem(problem, relaxes=True)

    # ---- givens in a choice, and quadruples --------------------------------------------------------------------------

    def _state_givens(self, givens: Sequence[str]) -> list[StatedRule]:
        """Return the rules that cells hold one of their symbols, as an option of a choice states it."""
        rules = []
        for text in givens:
            cell, digits = self._read_given(text)
            rules.append(StatedRule("given", {"values": digits, "cells": (cell,)}))
        return rules

    def read_Quad(self, _: str, arguments: Sequence[str]) -> list[StatedRule]:
        """Return a quadruple of its upper left cell and its digits."""
        columns = self.shape.columns
        cell = self.cell(first_of(arguments))
        row, column = divmod(cell, columns)
        if row == self.shape.rows - 1 or column == columns - 1 or len(arguments) < 2:
            raise UnreadItem(f"{quote('~'.join(arguments))}; expected the upper left of four cells, and digits")
        self._note_clue(tuple(arguments[1:]), "Quad", arguments[0].upper())
        values = tuple(number_of(digit) for digit in arguments[1:])
        return [
            StatedRule("quadruple", {"values": values, "cells": (cell, cell + 1, cell + columns, cell + columns + 1)})
        ]


def find_neighbours(cells: Sequence[int], board: Geometry) -> list[tuple[int, int]]:
    """Return the pairs of cells that touch. Raises ``UnreadItem`` if there are none."""
    pairs = []
    for first, second in combinations(dict.fromkeys(cells), 2):
        if second in board.neighbours(first):
            pairs.append((first, second))
    if not pairs:
        raise UnreadItem(f"no neighbours among {counted(len(cells), 'cell')}; expected some that touch")
    return pairs


def read_arguments(kind: type[Rule], way: IssItem, arguments: Sequence[str]) -> dict[str, Any] | None:
    """Return the parameters that arguments state; ``None`` if a constant among them is another."""
    types = {p.name: p.type for p in kind.parameters()}
    values = dict(way.only)
    for name, argument in zip(way.arguments, arguments, strict=True):
        if not isinstance(name, str) or name not in types:
            if argument != str(name):
                return None
        elif types[name] == "numbers":
            values[name] = tuple(number_of(number) for number in argument.split("_"))
        else:
            if not argument and way.number_for_none is not None:
                continue
            number = number_of(argument)
            if way.least is not None and number < way.least:
                raise UnreadItem(f"the number {number}; expected one from {way.least} on")
            if number != way.number_for_none:
                values[name] = number
    return values


def make_rules(stated: Sequence[StatedRule], geometry: Geometry) -> list[Rule]:
    """Return the rules that are stated. Raises ``UnreadItem`` if one of them makes no sense on the board."""
    rules = []
    for kind_name, terms in stated:
        kind = find(kind_name)
        rules.append(kind(**terms))
    for rule in rules:
        check_sense(rule, geometry)
    return rules
