"""Shared parts of the readers and writers of other programs' puzzles."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple, TypeVar

from gridproof.errors import BoardError, GeometryError, InexpressibleRule, InputError
from gridproof.formats.puzzle import Unread, replace_surrogates
from gridproof.formats.shapes import usual_geometry
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import House
from gridproof.rules import Rule, all_kinds
from gridproof.text import counted

Written = TypeVar("Written")

_MOST_LISTED_DRAWINGS = 100
"""Drawings of one key that are listed one by one; more are counted."""

_MOST_LISTED_CELLS = 8
"""Cells of one drawing or field that are named; more are hinted at."""

_LONGEST_SHOWN = 60
"""Characters of a value that are shown."""


class UnreadItem(Exception):
    """An item that is not as its format has it. relaxes: as of ``Unread``."""

    def __init__(self, problem: str, relaxes: bool = False) -> None:
        super().__init__(problem)
        self.relaxes = relaxes


class Inexpressible(Exception):
    """A rule that a format has no word for, or none for its parameters."""


def is_empty(value: Any) -> bool:
    """Return whether a value states nothing, as ``[]`` and ``[[]]`` do; a 0 may be a number."""
    return value is False or is_blank(value)


def is_blank(value: Any) -> bool:
    """Return whether a value is none; ``false`` is one, which an unknown key may mean."""
    if isinstance(value, list):
        return all(is_empty(entry) for entry in value)
    if isinstance(value, str):
        return not value.strip()
    return value is None or value == {}


def as_list(value: Any) -> list[Any]:
    """Return a list, or an empty one in place of anything else."""
    if isinstance(value, list):
        return value
    return []


def entries_of(value: Any) -> list[Any]:
    """Return the entries of a list that state something; anything else but a list is the only one."""
    entries = value if isinstance(value, list) else [value]
    return [entry for entry in entries if not is_empty(entry)]


def shorten(value: Any) -> str:
    """Return the beginning of a value as JSON."""
    text = json.dumps(value, ensure_ascii=True, default=str)[:_LONGEST_SHOWN]
    return text if len(text) < _LONGEST_SHOWN else f"{text}..."


def list_cells(names: Sequence[str]) -> str:
    """Return the names of some cells, the first of many."""
    text = " ".join(names[:_MOST_LISTED_CELLS])
    return f"{text} ..." if len(names) > _MOST_LISTED_CELLS else text


# ---- reading ---------------------------------------------------------------------------------------------------------


NAMED = "gridproofNamed"
"""The field of a drawing that a person has read or ignored before it was written: it is no further rule."""


def is_named(entry: Any) -> bool:
    """Return whether a drawing has the mark of those that a person has read or ignored."""
    return isinstance(entry, dict) and entry.get(NAMED) is True


class Drawing(NamedTuple):
    """A drawing that may be a rule, as its file states it. where: of its unread part. key: of its list in the file."""

    where: str
    key: str
    entry: Any


class ProgramReader:
    """A reader of one puzzle, which notes what it leaves unread, and keeps the drawings among that.

    digits: those that a person states; if nobody does, they are those from 1 on.
    """

    def __init__(self, digits: Digits | None = None) -> None:
        self.digits = digits
        self.unread: list[Unread] = []
        self.drawings: list[Drawing] = []
        self.named: list[Drawing] = []

    def leave(self, where: str, what: str, relaxes: bool = True) -> None:
        """Note what may be a rule and is not turned into one.

        relaxes: whether it may also allow more than the rest, as anything may whose type is not known. Only a rule of a
        known kind, and a drawing, can do nothing but take solutions away.
        """
        self.unread.append(Unread(where, what, relaxes=relaxes))

    def note(self, where: str, what: str) -> None:
        """Note what is not read and changes no solution."""
        self.unread.append(Unread(where, what, may_be_rule=False, relaxes=False))

    def doubt(self, where: str, what: str) -> None:
        """Note what is no rule and yet may allow more than the rest, such as a solution in other digits."""
        self.unread.append(Unread(where, what, may_be_rule=False, relaxes=True))

    def read_text(self, where: str, value: Any) -> str:
        """Return a text for people, and note what is none."""
        if not isinstance(value, str) and not is_empty(value):
            self.note(where, f"{shorten(value)}; expected a text")
        return replace_surrogates(value)

    def with_digits(self, geometry: Geometry) -> Geometry:
        """Return the geometry with the digits that a person states. Raises ``InputError`` for too few."""
        if self.digits is None:
            return geometry
        try:
            return geometry.with_digits(self.digits)
        except GeometryError as problem:
            raise InputError(str(problem)) from None

    def read_symbol(self, where: str, value: Any, digits: Digits | None) -> int:
        """Return the symbol of a digit, or 0 for none; and note what is no digit. digits: ``None`` beyond the board."""
        if is_empty(value):
            return 0
        number = value
        if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,3}\s*", value):
            number = int(value)
        if type(number) is int and digits is not None and number in digits:
            return digits.symbol(number)
        expected = f"{digits.first} to {digits.last}" if digits else "none beyond the board"
        self.leave(where, f"value {shorten(value)}; expected {expected}")
        return 0

    def read_flag(self, where: str, value: Any, default: bool = False) -> bool:
        """Return a flag, and note what is none. default: where nothing is stated."""
        if type(value) is bool:
            return value
        if is_empty(value):
            return default
        self.leave(where, f"{shorten(value)}; expected true or false")
        return False

    def read_notes(self, cells: Sequence[Any], digits: Digits) -> tuple[int, ...] | None:
        """Return what a solver has noted in each cell, as masks; a cell without digits of the board has all of them."""
        all_symbols = (1 << len(digits)) - 1
        bit_of = {str(digit): 1 << place for place, digit in enumerate(digits)}
        masks = []
        something_is_noted = False
        for cell in cells:
            symbol_mask = 0
            for value in as_list(cell):
                symbol_mask |= bit_of.get(str(value), 0)
                something_is_noted = True
            masks.append(symbol_mask or all_symbols)
        if not something_is_noted:
            return None
        return tuple(masks)

    def describe_drawing(self, is_line: bool, names: Sequence[str], text: str) -> str:
        """Return the words for a drawing. names: of the cells that it is at, or that it goes along."""
        words = f"drawn {'along' if is_line else 'at'} {list_cells(names)}"
        if text:
            words += f", with the text {text[:30]!r}"
        return words

    def leave_fields(self, where: str, cells: Mapping[str, Mapping[str, Any]], known: Collection[str]) -> None:
        """Note the fields of cells, by the names of these, that are no such fields."""
        unknown: dict[str, list[str]] = {}
        for name, fields in cells.items():
            for field, value in fields.items():
                if field not in known and not is_blank(value):
                    unknown.setdefault(field, []).append(name)
        for field, names in unknown.items():
            self.leave(f"{where}.{field[:40]}", f"at {list_cells(names)}")

    def leave_drawings(
        self, key: str, loose: Sequence[tuple[int, Any]], number: int, describe: Callable[[Any], str]
    ) -> None:
        """Note drawings of a key that may be rules. loose: which of so many they are, and how the file states them."""
        named = [Drawing(f"{key} {place} of {number}", key, entry) for place, entry in loose if is_named(entry)]
        if named:
            self.note(key, f"{len(named)} that a person has read or ignored")
            self.named += named
            loose = [(place, entry) for place, entry in loose if not is_named(entry)]
        for place, entry in loose[:_MOST_LISTED_DRAWINGS]:
            where = f"{key} {place} of {number}"
            self.leave(where, describe(entry), relaxes=False)
            self.drawings.append(Drawing(where, key, entry))
        others = loose[_MOST_LISTED_DRAWINGS:]
        if others:
            self.leave(key, f"{len(others):,} more drawn", relaxes=False)
        for _, entry in others:
            self.drawings.append(Drawing(key, key, entry))

    def make_regions(self, order: int, regions: Mapping[int, Sequence[int]], where: str) -> Geometry:
        """Return the board of these regions; where they do not cover it, those that are whole are houses."""
        whole = []
        for name, cells in regions.items():
            if len(cells) == len(set(cells)) == order:
                whole.append(cells)
            else:
                self.leave(where, f"region {name} has {counted(len(cells), 'cell')}; expected {order} different ones")
        if not whole:
            return Geometry.latin(order)
        region_of: dict[int, int] = {}
        for number, cells in enumerate(whole):
            for cell in cells:
                region_of[cell] = number
        if len(whole) < order or len(region_of) < order * order:
            return Geometry.latin(order).with_houses(whole, "region")
        geometry = Geometry.jigsaw([region_of[cell] for cell in range(order * order)])
        standard = usual_geometry(order)
        if standard is not None and standard.region_of == geometry.region_of:
            return standard
        return geometry


def check_sense(rule: Rule, geometry: Geometry) -> Rule:
    """Return the rule. Raises ``UnreadItem`` if nobody can mean it, such as a cage that names a cell twice."""
    if reason := rule.invalid_reason(geometry):
        raise UnreadItem(reason)
    return rule


_STRAIGHT = ((0, 1), (0, -1), (1, 0), (-1, 0))
_SLANTED = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_VERTICAL = {1: "D", -1: "U"}
_HORIZONTAL = {1: "R", -1: "L"}


@lru_cache(maxsize=8)
def sights(n: int, slanted: bool) -> dict[tuple[int, int, str], tuple[int, ...]]:
    """Return the cells that clues outside the grid see, the nearest first, by row, column, and direction if slanted.

    Those above and below come first, which is where people put a clue that sees a corner only.
    """
    lines = {}
    for down, right in _SLANTED if slanted else _STRAIGHT:
        direction = ""
        if slanted:
            direction = f"{_VERTICAL[down]}{_HORIZONTAL[right]}"
        for row, column in product(range(n), repeat=2):
            place = (row - down, column - right)
            if not _is_on_board(place, n):
                lines[place[0] + 1, place[1] + 1, direction] = look_along(row, column, down, right, n)
    beside = {place: cells for place, cells in lines.items() if 1 <= place[0] <= n}
    above_and_below = {place: cells for place, cells in lines.items() if place not in beside}
    return above_and_below | beside


def _is_on_board(place: tuple[int, int], n: int) -> bool:
    return 0 <= place[0] < n and 0 <= place[1] < n


def look_along(row: int, column: int, down: int, right: int, n: int) -> tuple[int, ...]:
    """Return the cells that are seen from a cell on, itself among them, in a direction up to the edge of the board."""
    cells = []
    while _is_on_board((row, column), n):
        cells.append(row * n + column)
        row += down
        column += right
    return tuple(cells)


def find_place(cells: Sequence[int], n: int, *, slanted: bool) -> tuple[int, int, str] | None:
    """Return the place outside the grid from which a clue sees these cells and no others, as of ``sights``."""
    for place, line in sights(n, slanted).items():
        if line == tuple(cells):
            return place
    return None


# ---- writing ---------------------------------------------------------------------------------------------------------


def terms_of(rule: Rule, geometry: Geometry) -> dict[str, Any]:
    """Return the parameters of a rule, numbers where they depend on the order.

    Raises ``Inexpressible`` for a kind of the user's own.
    """
    if rule.name_or_path not in all_kinds():
        raise Inexpressible
    terms = {name: value for name, _, value in rule.stated_values()}
    return terms | rule.numbers(geometry)


def write_rules(
    board: Board, write: Callable[[Rule], Iterable[Written]], refuse: Callable[[str], BoardError]
) -> Iterator[Written]:
    """Yield the items of each rule of a board. refuse: makes the error for a rule that cannot be expressed."""
    for rule in board.rules:
        try:
            yield from write(rule)
        except Inexpressible:
            problem = refuse(f"the rule: {rule.sentence(board.geometry)}")
            raise InexpressibleRule(str(problem), rule) from None


def words_for(board: Board) -> str:
    """Return the rules of a board in words, a line each."""
    return "\n".join(as_sentence(rule, board.geometry) for rule in board.rules)


def as_sentence(rule: Rule, geometry: Geometry) -> str:
    """Return a rule in words, as a sentence by itself."""
    sentence = rule.sentence(geometry)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def further_houses(geometry: Geometry) -> Sequence[House]:
    """Return the houses beyond rows, columns and regions."""
    before = geometry.rows + geometry.columns
    if geometry.region_of is not None:
        before += max(geometry.region_of) + 1
    return geometry.houses[before:]
