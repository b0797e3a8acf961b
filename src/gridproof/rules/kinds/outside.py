"""Clues outside the grid: little killers, numbered rooms, sandwiches, skyscrapers and X-sums."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import combinations
from typing import ClassVar, Literal

from gridproof.puzzle.digits import Digit
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.cells import line_of_sight
from gridproof.rules.drawing import Mark, Outside
from gridproof.rules.foreign import FPuzzlesItem, IssItem
from gridproof.rules.primitives import AnyOf, Automaton, Cells, Domain, Primitive, Relation, Sum
from gridproof.rules.rule import Rule, differ, parameter


class OutsideClue(Rule):
    """A number outside the grid about the cells that it sees; it is the first parameter of the kind."""

    cells: Cells = parameter("cells", "the cells in the order in which the clue sees them", once=True)

    slanted: ClassVar[bool] = False
    frame: ClassVar[Literal["", "circle", "square", "diamond"]] = ""

    def texts(self, geometry: Geometry) -> dict[str, str]:
        """Return what ``words`` may name, with ``sight``: from where, and along what, the clue looks."""
        return super().texts(geometry) | {"sight": line_of_sight(self.cells, geometry)}

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        _, _, clue = self.stated_values()[0]
        yield Outside(self.cells, str(clue), self.slanted, self.frame)


class LineClue(OutsideClue):
    """A clue about nothing but the digits that it sees."""

    @abstractmethod
    def agrees(self, digits: Sequence[Digit], geometry: Geometry) -> bool:
        """Return whether the digits that the clue sees keep the rule; see ``holds``."""

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        return self.agrees([grid[cell] for cell in self.cells], geometry)


class LittleKiller(LineClue):
    """The digits along a diagonal add up to the clue outside the grid. They may repeat where no house forbids it."""

    total: int = parameter("number", "the sum")

    kind = "little-killer"
    words = "the diagonal {cells} sums to {total}"
    slanted = True
    example = "little-killer 10 r1c2-r2c1"
    formats = (
        FPuzzlesItem(key="littlekillersum", fields={"cells": "sight", "total": "value"}, slanted=True),
        IssItem(type="LittleKiller", clue="total"),
    )

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        distinct = differ(self.cells, geometry)
        yield Sum.of(self.cells, (1,) * len(self.cells), self.total, geometry.digits, distinct=distinct)

    def agrees(self, digits: Sequence[Digit], geometry: Geometry) -> bool:
        return sum(digits) == self.total


class NumberedRoom(LineClue):
    """The first digit is the place, counted along the row or column, at which the clue outside the grid stands."""

    symbol: int = parameter("number", "the digit that is found there")

    kind = "numbered-room"
    frame = "diamond"
    words = "{sight}, the first digit is the place of {symbol}"
    example = "numbered-room 2 row1"
    formats = (IssItem(type="NumberedRoom", clue="symbol", ends=True),)

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        digits = geometry.digits
        first = self.cells[0]
        for place, cell in enumerate(self.cells, 1):
            if cell == first:
                if self.symbol != 1:
                    yield Domain.of(first, [digit for digit in digits if digit != 1], digits)
                continue
            yield Relation.of(((first, cell),), digits, partial(self._fits, place))
        yield Domain.of(first, range(1, len(self.cells) + 1), digits)

    def _fits(self, place: int, a: int, b: int) -> bool:
        return a != place or b == self.symbol

    def agrees(self, digits: Sequence[Digit], geometry: Geometry) -> bool:
        return 1 <= digits[0] <= len(digits) and digits[digits[0] - 1] == self.symbol


class Sandwich(LineClue):
    """The digits between the smallest and the largest digit of the board, along a row or column, add up to the clue.

    These two may stand in either order. With 0 they are neighbours.
    """

    total: int = parameter("number", "the sum between the smallest and the largest digit")

    kind = "sandwich"
    words = "{sight}, the digits between {low} and {high} sum to {total}"
    example = "sandwich 5 row1"
    formats = (
        FPuzzlesItem(key="sandwichsum", fields={"cells": "sight", "total": "value"}),
        IssItem(type="Sandwich", clue="total"),
    )

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        digits = geometry.digits
        crusts = (digits.first, digits.last)
        fillings = range(digits.first + 1, digits.last)
        distinct = differ(self.cells, geometry)
        options = []
        for first, second in combinations(range(len(self.cells)), 2):
            ends = (self.cells[first], self.cells[second])
            inside = self.cells[first + 1 : second]
            size = len(inside)
            least = sum(fillings[:size])
            greatest = sum(fillings[len(fillings) - size :])
            if distinct and not least <= self.total <= greatest:
                continue
            option: list[Primitive] = [Domain.of(cell, crusts, digits) for cell in ends]
            if not distinct:  # another cell could hold a crust as well
                option += [Domain.of(cell, fillings, digits) for cell in set(self.cells) - set(ends)]
            option.append(Sum.of(inside, (1,) * size, self.total, digits, distinct=distinct))
            options.append(tuple(option))
        yield AnyOf(tuple(options))

    def agrees(self, digits: Sequence[Digit], geometry: Geometry) -> bool:
        smallest_and_largest = (geometry.digits.first, geometry.digits.last)
        crusts = [place for place, digit in enumerate(digits) if digit in smallest_and_largest]
        return len(crusts) == 2 and sum(digits[crusts[0] + 1 : crusts[1]]) == self.total


class Skyscraper(LineClue):
    """The clue outside the grid is the number of digits that are larger than all before them; the first one counts.

    A digit 0 is not seen (as in the Interactive Sudoku Solver).
    """

    seen: int = parameter("number", "how many are seen")

    kind = "skyscraper"
    frame = "square"
    words = "{sight}, {seen:skyscraper is|skyscrapers are} seen"
    example = "skyscraper 2 row1"
    formats = (
        FPuzzlesItem(key="skyscraper", is_drawn=False, fields={"cells": "sight", "seen": "value"}),
        IssItem(type="Skyscraper", clue="seen", ends=True, least=1),
    )

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        def step(state: tuple[int, int], digit: int) -> tuple[int, int] | None:
            tallest, seen = state
            if digit <= tallest:
                return tallest, seen
            return (digit, seen + 1) if seen < self.seen else None

        digits = geometry.digits
        # in a full house the largest digit stands somewhere and ends what is seen: half the states
        if len(self.cells) == len(digits) and differ(self.cells, geometry):
            ends = {(int(digits.last), self.seen)}
        else:
            ends = {(tallest, self.seen) for tallest in range(digits.last + 1)}
        yield Automaton.of(self.cells, digits, (0, 0), step, ends.__contains__)

    def agrees(self, digits: Sequence[Digit], geometry: Geometry) -> bool:
        seen = 0
        tallest = 0
        for digit in digits:
            if digit > tallest:
                seen += 1
                tallest = digit
        return seen == self.seen


class HiddenSkyscraper(LineClue):
    """The clue outside the grid is the first digit that is hidden: a larger one stands before it."""

    symbol: int = parameter("number", "the first digit that is hidden")

    kind = "hidden-skyscraper"
    frame = "square"
    words = "{sight}, the first hidden skyscraper is {symbol}"
    example = "hidden-skyscraper 2 row1"
    formats = (IssItem(type="HiddenSkyscraper", clue="symbol", ends=True),)

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        found = -1

        def step(tallest: int, digit: int) -> int | None:
            if tallest == found or digit < tallest:
                return found if digit == self.symbol or tallest == found else None
            return digit

        yield Automaton.of(self.cells, geometry.digits, 0, step, found.__eq__)

    def agrees(self, digits: Sequence[Digit], geometry: Geometry) -> bool:
        for place, digit in enumerate(digits):
            if place and digit < max(digits[:place]):
                return digit == self.symbol
        return False


class XSum(LineClue):
    """As many digits as the first one counts, itself included, add up to the clue outside the grid."""

    total: int = parameter("number", "the sum")

    kind = "x-sum"
    frame = "circle"
    words = "{sight}, as many digits as the first one counts sum to {total}"
    example = "x-sum 1 row1"
    aliases = ("xsum",)
    formats = (
        FPuzzlesItem(key="xsum", is_drawn=False, fields={"cells": "sight", "total": "value"}),
        IssItem(type="XSum", clue="total", ends=True, least=1),
    )

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        digits = geometry.digits

        def step(state: tuple[int, int], digit: int) -> tuple[int, int] | None:
            cells, missing = state
            if cells < 0:
                cells = digit
            if cells:
                cells -= 1
                missing -= digit
            is_reachable = missing >= cells * digits.first if cells else not missing
            return (cells, missing) if is_reachable else None

        yield Automaton.of(self.cells, digits, (-1, self.total), step, lambda state: state == (0, 0))

    def agrees(self, digits: Sequence[Digit], geometry: Geometry) -> bool:
        return digits[0] <= len(digits) and sum(digits[: digits[0]]) == self.total
