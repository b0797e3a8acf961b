"""Symmetries of boards, and whether they keep the rules: turns, mirror images, and other names of the symbols.

Whether a rule is kept is not looked up by its name. The rule with its cells moved is expanded, and has to state exactly
what the moved parts of the rule state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import Any

from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.rules import Rule
from gridproof.rules.filling import Exists
from gridproof.rules.primitives import (
    AnyOf,
    Automaton,
    Count,
    Different,
    Domain,
    Primitive,
    Relation,
    Sum,
)
from gridproof.rules.ranks import Ranked
from gridproof.rules.regions import Connected


@dataclass(frozen=True)
class Symmetry:
    """A symmetry of a board.

    source : for each cell of the image, the cell of the board that comes there.
    names : for each symbol of the board, from 0 for a blank, its symbol in the image.
    """

    source: tuple[int, ...]
    names: tuple[int, ...]

    def of_grid(self, symbols: Sequence[int]) -> SymbolTuple:
        """Return the image of a grid, or of clues."""
        return tuple([self.names[symbols[cell]] for cell in self.source])

    def of_board(self, board: Board) -> Board:
        """Return the image of a board with its clues, entries, pencil marks and rules."""
        rules = [move_rule(rule, self.place) for rule in board.rules]
        image = Board(board.geometry, self.of_grid(board.clues)).with_rules(rules)
        if board.filled is not None and any(board.filled):
            image = image.with_filled(self.of_grid(board.filled))
        if board.marks is not None:
            image = image.with_marks([self.of_mask(board.marks[cell]) for cell in self.source])
        return image

    def of_mask(self, mask: int) -> int:
        """Return the image of a mask of symbols."""
        image = 0
        for symbol in range(1, len(self.names)):
            if mask >> (symbol - 1) & 1:
                image |= 1 << (self.names[symbol] - 1)
        return image

    @property
    def place(self) -> tuple[int, ...]:
        """The cell of the image to which each cell of the board goes."""
        places = [0] * len(self.source)
        for target, cell in enumerate(self.source):
            places[cell] = target
        return tuple(places)


def is_classic_shape(geometry: Geometry) -> bool:
    """Return whether all symmetries of symbols, bands, stacks and the lines in them keep a geometry."""
    further = geometry.regions or geometry.families or geometry.extra
    return geometry.rows == geometry.columns and not further and geometry.has_full_houses_only


def kept_moves(board: Board) -> Iterator[tuple[int, ...]]:
    """Yield each turn and mirror image that keeps houses and rules of a board, first the one that moves nothing.

    Each is, for a cell of the image, the cell that comes there.
    """
    geometry = board.geometry
    rows, columns = geometry.rows, geometry.columns
    houses = {frozenset(house.cells) for house in geometry.houses}
    swaps = (False, True) if rows == columns else (False,)
    for swap, upside_down, mirrored in product(swaps, (False, True), (False, True)):
        source = []
        for row, column in product(range(rows), range(columns)):
            from_row = rows - 1 - row if upside_down else row
            from_column = columns - 1 - column if mirrored else column
            if swap:
                from_row, from_column = from_column, from_row
            source.append(from_row * columns + from_column)
        place = Symmetry(tuple(source), ()).place
        moved = {frozenset([place[cell] for cell in house]) for house in houses}
        if moved == houses and keeps_rules(board, place):
            yield tuple(source)


def keeps_rules(board: Board, place: Sequence[int]) -> bool:
    """Return whether each rule, with its cells moved, states what the moved parts of the rule state."""
    identity = range(board.geometry.symbol_count + 1)
    for rule in board.rules:
        moved = move_rule(rule, place)
        if moved.invalid_reason(board.geometry) is not None:
            return False
        others = tuple([move_rule(other, place) for other in board.rules])
        stated = parts_of(moved.complete(others, board.geometry), board.geometry)
        expected = set()
        for part in rule.complete(board.rules, board.geometry).expand(board.geometry):
            expected |= normal_parts(part, place, identity)
        if stated != expected:
            return False
    return True


def move_rule(rule: Rule, place: Sequence[int]) -> Rule:
    """Return a rule with its cells moved. place: where each cell goes."""
    values: dict[str, Any] = {}
    for name, kind, value in rule.stated_values():
        if kind == "cells":
            values[name] = move_cells(value, place)
        elif kind == "lines":
            values[name] = tuple([move_cells(line, place) for line in value])
        elif kind == "rules":
            values[name] = tuple([move_rule(one, place) for one in value])
    return replace(rule, **values)


def move_cells(cells: Sequence[int], place: Sequence[int]) -> tuple[int, ...]:
    """Return where cells go; further cells, which are beside the grid, stay."""
    places = []
    for cell in cells:
        places.append(place[cell] if cell < len(place) else cell)
    return tuple(places)


class Renames:
    """The ways to rename the symbols of a board that keep its rules: all, the reversed order, or none.

    Attributes
    ----------
    is_free : bool
        True if no rule looks at digits, so that any names will do.
    can_reverse : bool
        True if the rules allow of 1 to n what they allow of n to 1.
    """

    def __init__(self, board: Board) -> None:
        self.order = board.geometry.symbol_count
        self.reversed = (0, *range(self.order, 0, -1))
        swapped = (0, 2, 1, *range(3, self.order + 1))
        turned = (0, *range(2, self.order + 1), 1)
        # these two generate all orders of the symbols
        self.is_free = self.order > 1 and keeps_names(board, swapped[: self.order + 1]) and keeps_names(board, turned)
        self.can_reverse = keeps_names(board, self.reversed)

    @property
    def any(self) -> bool:
        """True if there are names other than those that the symbols have."""
        return self.is_free or self.can_reverse

    def choose(self, random: Random) -> tuple[int, ...]:
        """Return names for the symbols, from 0 for a blank."""
        same = range(1, self.order + 1)
        if self.is_free:
            return (0, *random.sample(same, self.order))
        if self.can_reverse and random.random() < 0.5:
            return self.reversed
        return (0, *same)


def keeps_names(board: Board, names: Sequence[int]) -> bool:
    """Return whether the rules state of renamed symbols what they state of the symbols themselves."""
    place = range(board.geometry.cell_count)
    for rule in board.rules:
        complete = rule.complete(board.rules, board.geometry)
        renamed = set()
        for part in complete.expand(board.geometry):
            renamed |= normal_parts(part, place, names)
        if renamed != parts_of(complete, board.geometry):
            return False
    return True


def content_of(board: Board) -> object:
    """Return what a board states, in a form in which boards that state the same are equal, however rules list cells."""
    parts: set[object] = set()
    for rule in board.rules:
        parts |= parts_of(rule, board.geometry)
    return board.clues, board.filled, board.marks, frozenset(parts)


def parts_of(rule: Rule, geometry: Geometry) -> set[object]:
    """Return what a rule states, in a form in which equal statements are equal objects."""
    parts: set[object] = set()
    for part in rule.expand(geometry):
        parts |= normal_parts(part, range(geometry.cell_count), range(geometry.symbol_count + 1))
    return parts


def normal_parts(part: Primitive, place: Sequence[int], names: Sequence[int]) -> set[object]:
    """Return the image of a part of a rule, in a form in which equal statements are equal objects.

    place: where each cell goes. names: the name that each symbol gets. A part about digits themselves, such as a sum,
    has an image only under the names that the symbols have; under others it is an object that equals nothing.
    """
    renames = list(names) != list(range(len(names)))
    if isinstance(part, Different):
        return {("different", frozenset([place[cell] for cell in part.cells]))}
    if isinstance(part, Domain):
        return {("domain", place[part.cell], frozenset([names[symbol] for symbol in part.values]))}
    if isinstance(part, Relation):
        pairs = set()
        allowed = renamed_pairs(part.allowed, names)
        for first, second in part.pairs:
            pairs.add(normal_pair(place[first], place[second], allowed))
        return pairs
    if isinstance(part, Count):
        return {("count", tuple(sorted([place[cell] for cell in part.cells])), names[part.symbol], part.low, part.high)}
    if isinstance(part, AnyOf):
        options = []
        for option in part.options:
            inner: set[object] = set()
            for one in option:
                inner |= normal_parts(one, place, names)
            options.append(frozenset(inner))
        return {("any", frozenset(options))}
    if isinstance(part, (Connected, Exists, Ranked)):
        return {normal_form(part, place, names)}
    if isinstance(part, Sum) and not renames:
        terms = sorted([(place[cell], weight) for cell, weight in zip(part.cells, part.coefficients, strict=True)])
        return {("sum", tuple(terms), part.total)}
    if isinstance(part, Automaton) and not renames:
        return {("automaton", tuple([place[cell] for cell in part.cells]), part.layers)}
    return {object()}


def normal_form(part: Connected | Exists | Ranked, place: Sequence[int], names: Sequence[int]) -> object:
    """Return the image of a region, a rank, or of parts about further cells, which stay; see ``normal_parts``."""
    if isinstance(part, Exists):
        further = range(part.board.board.cell_count, part.board.cell_count)
        inside = list(place) + list(further)
        parts = [normal_parts(one, inside, names) for one in part.parts]
        return ("exists", len(further), frozenset().union(*parts))
    if isinstance(part, Ranked):
        return normal_rank(part, place, names)
    cells = [place[cell] for cell in part.cells]
    edges = set()
    for own, others in zip(cells, part.neighbours, strict=True):
        edges |= {(own, cells[other]) for other in others}
    symbols = frozenset([names[symbol] for symbol in part.symbols])
    return ("connected", frozenset(cells), frozenset(edges), symbols, part.size)


def normal_rank(part: Ranked, place: Sequence[int], names: Sequence[int]) -> object:
    """Return the image of a rank. What is lower by one order of the symbols is higher by the opposite one."""
    number = tuple([place[cell] for cell in part.number])
    groups = []
    for group in part.groups:
        groups.append(frozenset([tuple([place[cell] for cell in cells]) for cells in group]))
    upwards = tuple(names[1:])
    orders = {(upwards, part.lower), (upwards[::-1], len(groups) - part.lower)}
    return ("ranked", number, frozenset(groups), frozenset(orders))


def renamed_pairs(allowed: Sequence[int], names: Sequence[int]) -> frozenset[tuple[int, int]]:
    """Return the pairs of symbols that a relation allows, renamed."""
    pairs = set()
    for first, mask in enumerate(allowed, 1):
        for second in range(1, len(allowed) + 1):
            if mask >> (second - 1) & 1:
                pairs.add((names[first], names[second]))
    return frozenset(pairs)


def normal_pair(first: int, second: int, allowed: frozenset[tuple[int, int]]) -> object:
    """Return two cells and the pairs of symbols that they may hold, the smaller cell first."""
    if first <= second:
        return ("pair", first, second, allowed)
    return ("pair", second, first, frozenset([(b, a) for a, b in allowed]))
