"""Marks between neighbouring cells, and the rules that all such marks are given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, ClassVar, Literal

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.cells import cell_names
from gridproof.rules.drawing import Dot, Mark
from gridproof.rules.foreign import ForeignItem, FPuzzlesItem, IssItem
from gridproof.rules.pairs import Pair, PairRule, PairsOnBoard, orthogonal
from gridproof.rules.primitives import Cells
from gridproof.rules.rule import Rule, parameter

BOTH_NEGATIVES = ("negative-difference", "negative-ratio")
"""The two kinds that another program states as one: no dots of either colour are missing."""


class Chain(PairRule):
    """A rule that compares each cell of a chain with the next one; ``fill`` and ``text`` are the mark between them."""

    cells: Cells = parameter("cells", "two neighbouring cells, or a chain of them")

    fill: ClassVar[Literal["white", "black", "none"]] = "none"

    def groups(self, geometry: Geometry) -> Sequence[Cells]:
        return [self.cells]

    def invalid_reason(self, geometry: Geometry) -> str | None:
        return super().invalid_reason(geometry) or too_short("cells", self.cells, geometry)

    def mark_text(self) -> str:
        """Return the text of the mark."""
        return ""

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        return [Dot(pair, self.fill, self.mark_text()) for pair in pairwise(self.cells)]


class Difference(Chain):
    """The digits on both sides of a white dot differ by 1, or by the value in the dot."""

    difference: int = parameter("number", "the difference", 1)
    cells: Cells = parameter("cells", "two neighbouring cells, or a chain of them")

    kind = "difference"
    words = "{cells} differ by {difference}"
    fill = "white"
    example = "difference r1c1 r1c2"
    aliases = ("white-dot", "kropki-white")
    formats = (
        FPuzzlesItem(key="difference", pairs=True, fields={"cells": "cells", "difference": "value"}),
        IssItem(type="WhiteDot", pairs=True),
    )

    def allows(self, a: int, b: int, n: int) -> bool:
        return abs(a - b) == self.difference

    def mark_text(self) -> str:
        return "" if self.difference == 1 else str(self.difference)


class Ratio(Chain):
    """One digit beside a black dot is twice the other, or as many times the other as the value in the dot."""

    ratio: int = parameter("number", "the ratio", 2)
    cells: Cells = parameter("cells", "two neighbouring cells, or a chain of them")

    kind = "ratio"
    words = "{cells} stand in the ratio 1 to {ratio}"
    fill = "black"
    example = "ratio r1c1 r1c2"
    aliases = ("black-dot", "kropki-black")
    formats = (
        FPuzzlesItem(key="ratio", pairs=True, fields={"cells": "cells", "ratio": "value"}),
        IssItem(type="BlackDot", pairs=True),
    )

    def allows(self, a: int, b: int, n: int) -> bool:
        return a == self.ratio * b or b == self.ratio * a

    def mark_text(self) -> str:
        return "" if self.ratio == 2 else str(self.ratio)


class PairSum(Chain):
    """The digits of two cells with an X between them sum to 10, those with a V to 5.

    Any other sum may be stated as well.
    """

    total: int = parameter("number", "the sum: 10 for X, 5 for V")
    cells: Cells = parameter("cells", "two neighbouring cells")

    kind = "xv"
    words = "{cells} sum to {total}"
    example = "xv 5 r1c1 r1c2"
    aliases = ("pair-sum",)
    formats = (
        FPuzzlesItem(key="xv", pairs=True, fields={"cells": "cells", "total": "value"}, words={"X": 10, "V": 5}),
        IssItem(type="X", pairs=True, only={"total": 10}),
        IssItem(type="V", pairs=True, only={"total": 5}),
        IssItem(type="Sum", is_read=False, arguments=("total",), pairs=True, apart=True, unless=("negative-xv",)),
    )

    def allows(self, a: int, b: int, n: int) -> bool:
        return a + b == self.total

    def mark_text(self) -> str:
        return {10: "X", 5: "V"}.get(self.total, str(self.total))


class Inequality(Chain):
    """Digits increase from each cell to the next, as the sign < between them means."""

    cells: Cells = parameter("cells", "cells, the smaller first")

    kind = "inequality"
    words = "the digits of {cells} increase"
    example = "inequality r1c1 r1c2"
    formats = (IssItem(type="GreaterThan", pairs=True, turned=True),)

    def allows(self, a: int, b: int, n: int) -> bool:
        return a < b

    def mark_text(self) -> str:
        return "<"


# ---- all marks are given ---------------------------------------------------------------------------------------------


class Unmarked(PairsOnBoard):
    """A rule about all orthogonal neighbours but those with a mark between them.

    board_pairs: the pairs that other rules of its board mark. board_numbers: what those add to ``numbers_of_marks``.
    """

    marked: tuple[Cells, ...] = parameter("lines", "pairs with a dot, found on the board", ())
    board_pairs: tuple[Pair, ...] = ()
    board_numbers: tuple[int, ...] = ()

    marked_by: ClassVar[tuple[str, ...]] = ("difference", "ratio")
    """The kinds whose rules mark pairs."""

    numbers_of_marks: ClassVar[tuple[str, str] | None] = None
    """A parameter of this kind, and the one of another kind whose numbers on the board belong to it, too."""

    looks_at_others = True

    def complete(self, rules: Sequence[Rule], geometry: Geometry) -> Rule:
        """Return the rule with what other rules of the board mark."""
        pairs: set[Pair] = set()
        numbers: set[int] = set()
        for rule in rules:
            if rule.kind in self.marked_by:
                for _, line in rule.lists():
                    pairs.update(in_order(pairwise(line)))
                if self.numbers_of_marks and self.numbers_of_marks[1] in rule.defaults():
                    numbers.add(rule.value(self.numbers_of_marks[1]))
        return replace(self, board_pairs=tuple(sorted(pairs)), board_numbers=tuple(sorted(numbers)))

    def stand_alone(self) -> Rule:
        values: dict[str, Any] = {"marked": self.all_marked()}
        if self.numbers_of_marks:
            name = self.numbers_of_marks[0]
            values[name] = self.all_numbers(name)
        return replace(self, board_pairs=(), board_numbers=(), **values)

    def all_marked(self) -> tuple[Pair, ...]:
        """Return the pairs that are marked, here or on the board."""
        pairs: list[Pair] = []
        for line in self.marked:
            pairs += pairwise(line)
        if not self.board_pairs:
            return tuple(pairs)
        return tuple(dict.fromkeys(pairs + list(self.board_pairs)))

    def all_numbers(self, name: str) -> tuple[int, ...]:
        """Return the numbers of a parameter, with those that the board adds."""
        numbers: tuple[int, ...] = self.value(name)
        if not self.board_numbers:
            return numbers
        return tuple(dict.fromkeys(numbers + self.board_numbers))

    def numbers(self, geometry: Geometry) -> dict[str, Any]:
        if self.numbers_of_marks is None:
            return {}
        name = self.numbers_of_marks[0]
        return {name: self.all_numbers(name)}

    def invalid_reason(self, geometry: Geometry) -> str | None:
        reason = super().invalid_reason(geometry)
        for line in self.marked:
            reason = reason or too_short("marked", line, geometry)
        return reason

    def pairs_in(self, cells: Cells, geometry: Geometry) -> Iterable[Pair]:
        exempt = {frozenset(pair) for pair in self.all_marked()}
        return [pair for pair in orthogonal(cells, geometry) if frozenset(pair) not in exempt]


class NegativeDifference(Unmarked):
    """All white dots are given, so neighbours without any dot do not differ by 1."""

    differences: tuple[int, ...] = parameter("numbers", "the differences that would have a dot", (1,))

    kind = "negative-difference"
    words = "neighbours without a dot never differ by {differences}"
    note = "all white dots are given"
    example = "negative-difference"
    aliases = ("kropki-white-negative",)
    formats: ClassVar[tuple[ForeignItem, ...]] = (IssItem(type="StrictKropki", beside=BOTH_NEGATIVES),)

    def allows(self, a: int, b: int, n: int) -> bool:
        return abs(a - b) not in self.differences


class NegativeRatio(Unmarked):
    """All black dots are given: neighbours without any dot are not in the ratio 1 to 2, nor in one that a dot has.

    Pairs with a white dot are exempt as well, as in dclamage's solver.
    """

    ratios: tuple[int, ...] = parameter("numbers", "the ratios that would have a dot", (2,))

    kind = "negative-ratio"
    words = "neighbours without a dot never stand in the ratio 1 to {ratios}"
    note = "all black dots are given"
    numbers_of_marks = ("ratios", "ratio")
    example = "negative-ratio"
    aliases = ("kropki-black-negative",)
    formats = (FPuzzlesItem(negative="ratio"), IssItem(type="StrictKropki", beside=BOTH_NEGATIVES))

    def allows(self, a: int, b: int, n: int) -> bool:
        return all(a != ratio * b and b != ratio * a for ratio in self.all_numbers("ratios"))


class NegativeXV(Unmarked):
    """All X and V are given, so neighbours without a mark do not sum to 5 or 10."""

    totals: tuple[int, ...] = parameter("numbers", "the sums that would have a mark", (5, 10))
    marked: tuple[Cells, ...] = parameter("lines", "pairs with a mark, found on the board", ())

    kind = "negative-xv"
    words = "neighbours without a mark never sum to {totals}"
    note = "all X and V are given"
    marked_by = ("xv",)
    example = "negative-xv"
    formats = (FPuzzlesItem(negative="xv"), IssItem(type="StrictXV"))

    def allows(self, a: int, b: int, n: int) -> bool:
        return a + b not in self.totals


class NonConsecutive(Unmarked):
    """Orthogonal neighbours never differ by 1, unless a white or a black dot stands between them.

    The exception follows dclamage's solver; without dots there is none.
    """

    kind = "non-consecutive"
    words = "orthogonal neighbours are not consecutive"
    note = "non-consecutive"
    example = "non-consecutive"
    aliases = ("nonconsecutive",)
    formats = (
        FPuzzlesItem(flag="nonconsecutive"),
        IssItem(type="AntiConsecutive", unless=("difference", "ratio")),
    )

    def allows(self, a: int, b: int, n: int) -> bool:
        return abs(a - b) != 1


def in_order(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield pairs with the cell first that comes first in reading order."""
    for first, second in pairs:
        yield min(first, second), max(first, second)


def too_short(name: str, cells: Cells, geometry: Geometry) -> str | None:
    """Explain that a list of cells has no pair, or return ``None``."""
    if len(cells) > 1:
        return None
    named = cell_names(cells, geometry) or "no cell"
    return f"{name} = {named!r}; expected two cells or more"
