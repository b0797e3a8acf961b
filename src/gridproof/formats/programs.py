"""Shared parts of the readers and writers of other programs' puzzles."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, TypeVar

from gridproof.errors import BoardError
from gridproof.formats.puzzle import Unread, clean
from gridproof.formats.shapes import usual
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import House
from gridproof.rules import Rule, all_kinds
from gridproof.rules.relation import RelationRule

Item = TypeVar("Item")

_LISTED_DRAWINGS, _LISTED_CELLS = 100, 8
"""Drawings of one key, and cells of one drawing, that are listed one by one; more are counted."""


class Wrong(Exception):
    """An item that is not as its format has it. relaxes: as of ``Unread``."""

    def __init__(self, problem: str, relaxes: bool = False) -> None:
        super().__init__(problem)
        self.relaxes = relaxes


class Inexpressible(Exception):
    """A rule that a format has no word for, or none for its parameters."""


def is_empty(value: Any) -> bool:
    """Return whether a value states nothing, as ``[]`` and ``[[]]`` do; a 0 may be a number."""
    if isinstance(value, list):
        return all(map(is_empty, value))
    return value is None or value is False or value == {} or (isinstance(value, str) and not value.strip())


def short(value: Any) -> str:
    """Return the beginning of a value as JSON."""
    text = json.dumps(value, ensure_ascii=True, default=str)[:60]
    return text if len(text) < 60 else f"{text}..."


def listed(cells: Sequence[str]) -> str:
    """Return the names of some cells, the first of many."""
    return " ".join(cells[:_LISTED_CELLS]) + " ..." * (len(cells) > _LISTED_CELLS)


class Reader:
    """A reader of one puzzle, which notes what it leaves unread."""

    def __init__(self) -> None:
        self.unread: list[Unread] = []

    def leave(self, where: str, what: str, may_be_rule: bool = True, relaxes: bool = False) -> None:
        """Note what is not turned into a rule."""
        self.unread.append(Unread(where, what, may_be_rule, relaxes))

    def text(self, where: str, value: Any) -> str:
        """Return a text for people, and note what is none."""
        if not isinstance(value, str) and not is_empty(value):
            self.leave(where, f"{short(value)}; expected a text", False)
        return clean(value)

    def symbol(self, where: str, value: Any, n: int) -> int:
        """Return a symbol from 1 to n, or 0 for none; and note what is no symbol. n: 0 beyond the board."""
        number = int(value) if isinstance(value, str) and re.fullmatch(r"\s*\d{1,3}\s*", value) else value
        if is_empty(value):
            return 0
        if type(number) is int and 1 <= number <= n:
            return number
        expected = f"1 to {n}" if n else "none beyond the board"
        self.leave(where, f"value {short(value)}; expected {expected}", relaxes=True)
        return 0

    def flag(self, where: str, value: Any, default: bool = False) -> bool:
        """Return a flag, and note what is none. default: where nothing is stated."""
        if type(value) is bool or is_empty(value):
            return value if type(value) is bool else default
        self.leave(where, f"{short(value)}; expected true or false")
        return False

    def notes(self, cells: Sequence[Any], n: int) -> tuple[int, ...] | None:
        """Return what a solver has noted in each cell, as masks; a cell without digits from 1 to n has all of them."""
        full, digits = (1 << n) - 1, {str(symbol): 1 << (symbol - 1) for symbol in range(1, n + 1)}
        noted = [{digits.get(str(value), 0) for value in cell} if isinstance(cell, list) else () for cell in cells]
        return tuple([sum(symbols) or full for symbols in noted]) if any(noted) else None

    def drawing(self, is_line: bool, names: Sequence[str], text: str) -> str:
        """Return the words for a drawing. names: of the cells that it is at, or that it goes along."""
        place = f"drawn {'along' if is_line else 'at'} {listed(names)}"
        return place + (f", with the text {text[:30]!r}" if text else "")

    def leave_fields(self, where: str, cells: Mapping[str, Mapping[str, Any]], known: Collection[str]) -> None:
        """Note the fields of cells, by the names of these, that are no such fields."""
        unknown: dict[str, list[str]] = {}
        for name, fields in cells.items():
            for field, value in fields.items():
                if field not in known and not is_empty(value):
                    unknown.setdefault(field, []).append(name)
        for field, names in unknown.items():
            self.leave(f"{where}.{field[:40]}", f"at {listed(names)}")

    def leave_drawings(self, key: str, loose: Sequence[tuple[int, str]], number: int) -> None:
        """Note drawings of a key that may be rules. loose: which of so many they are, and what they are."""
        for place, what in loose[:_LISTED_DRAWINGS]:
            self.leave(f"{key} {place} of {number}", what)
        if len(loose) > _LISTED_DRAWINGS:
            self.leave(key, f"{len(loose) - _LISTED_DRAWINGS:,} more drawn")

    def sensible(self, rule: Rule, geometry: Geometry) -> Rule:
        """Return the rule. Raises ``Wrong`` if nobody can mean it, such as a cage that names a cell twice."""
        if reason := rule.senseless(geometry):
            raise Wrong(reason)
        return rule

    def with_regions(self, order: int, regions: Mapping[int, Sequence[int]], where: str) -> Geometry:
        """Return the board of these regions; where they do not cover it, those that are whole are houses."""
        whole = []
        for name, cells in regions.items():
            if len(cells) == len({*cells}) == order:
                whole.append(cells)
            else:
                what = f"region {name} has {len(cells)} cells; expected {order} different ones"
                self.leave(where, what, relaxes=True)
        number = {cell: k for k, cells in enumerate(whole) for cell in cells}
        if len(whole) == order and len(number) == order * order:
            geometry, standard = Geometry.jigsaw([number[cell] for cell in range(order * order)]), usual(order)
            return standard if standard and standard.region_of == geometry.region_of else geometry
        return Geometry.latin(order).with_houses(whole, "region") if whole else Geometry.latin(order)


def terms_of(rule: Rule, geometry: Geometry) -> dict[str, Any]:
    """Return the parameters of a rule, numbers where they depend on the order.

    Raises ``Inexpressible`` for a kind of the user's own.
    """
    if rule.called not in all_kinds():
        raise Inexpressible
    numbers = rule.numbers(geometry) if isinstance(rule, RelationRule) else {}
    return {name: value for name, _, value in rule.parameters()} | numbers


def written(
    board: Board, write: Callable[[Rule], Iterable[Item]], refuse: Callable[[str], BoardError]
) -> Iterator[Item]:
    """Yield the items of each rule of a board. refuse: makes the error for a rule that cannot be expressed."""
    for rule in board.rules:
        try:
            yield from write(rule)
        except Inexpressible:
            raise refuse(f"the rule: {rule.sentence(board.geometry)}") from None


def words_for(board: Board) -> str:
    """Return the rules of a board in words, a line each."""
    sentences = [rule.sentence(board.geometry) for rule in board.rules]
    return "\n".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in sentences)


def further_houses(geometry: Geometry) -> Sequence[House]:
    """Return the houses beyond rows, columns and regions."""
    return geometry.houses[(2 if geometry.region_of is None else 3) * geometry.order :]


@lru_cache(maxsize=8)
def sights(n: int, slanted: bool) -> dict[tuple[int, int, str], tuple[int, ...]]:
    """Return the cells that clues outside the grid see, the nearest first, by row, column, and direction if slanted.

    Those above and below come first, which is where people put a clue that sees a corner only.
    """
    lines = {}
    for down, right in product((1, -1), repeat=2) if slanted else ((0, 1), (0, -1), (1, 0), (-1, 0)):
        slant = f"{'D' if down > 0 else 'U'}{'R' if right > 0 else 'L'}" if slanted else ""
        for row, column in product(range(n), repeat=2):
            (above, left), *places = [(row + k * down, column + k * right) for k in range(-1, n)]
            if not (0 <= above < n and 0 <= left < n):
                cells = tuple(r * n + c for r, c in places if 0 <= r < n and 0 <= c < n)
                lines[above + 1, left + 1, slant] = cells
    return dict(sorted(lines.items(), key=lambda sight: 1 <= sight[0][0] <= n))
