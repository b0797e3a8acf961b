"""The kinds of claims that a paper makes about its figures, each tried on ours.

A claim has a sentence, and holds or not; what was found stands beside it. Where ours has no such figure, it is open.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import ClassVar

from gridproof.papers.figures import Figures, write_figure
from gridproof.papers.options import FACTOR, NUMBER, ROWS, TEXT, TWO_NUMBERS, TWO_ROWS, Option


@dataclass(frozen=True)
class Finding:
    """The result of a claim: whether it holds here (``None`` if it cannot be tried), and the figures that show it."""

    holds: bool | None
    found: str


OPEN = Finding(None, "not measured")


class Claim(ABC):
    """A statement about figures.

    options: the keys that a file may have for it, with their values.
    """

    options: ClassVar[Mapping[str, Option]] = {}

    @abstractmethod
    def sentence(self, published: Figures) -> str:
        """Return the claim in words."""

    @abstractmethod
    def try_on(self, ours: Figures, published: Figures) -> Finding:
        """Return whether the claim holds of our figures."""


@dataclass(frozen=True)
class SameFigures(Claim):
    """Each published figure is exactly ours."""

    def sentence(self, published: Figures) -> str:
        return f"all {len(published.values):,} published figures are ours"

    def try_on(self, ours: Figures, published: Figures) -> Finding:
        compared = 0
        different = []
        for (row, column), number in published.values.items():
            mine = ours.get(row, column)
            if mine is None:
                continue
            compared += 1
            if mine != number:
                different.append(f"{row}, {column}: {mine:,g} for {number:,g}")
        if not compared:
            return OPEN
        return Finding(not different, "; ".join(different) or f"{compared:,} compared, all equal")


@dataclass(frozen=True)
class NearFigures(Claim):
    """Each published figure differs from ours by at most a number.

    within: the largest difference, in the unit of the figures.
    """

    options: ClassVar[Mapping[str, Option]] = {"within": NUMBER}

    within: float

    def sentence(self, published: Figures) -> str:
        return f"each published figure is ours, give or take {self.within:g}"

    def try_on(self, ours: Figures, published: Figures) -> Finding:
        shown = []
        worst = 0.0
        for (row, column), number in published.values.items():
            mine = ours.get(row, column)
            if mine is not None:
                worst = max(worst, abs(mine - number))
                shown.append(f"{row}, {column}: {write_figure(mine)} for {write_figure(number)}")
        if not shown:
            return OPEN
        return Finding(worst <= self.within, "; ".join(shown))


@dataclass(frozen=True)
class Order(Claim):
    """The figures of a column fall, row after row.

    column: the column. rows: the rows, the largest figure first; rows in one list are taken to be alike.
    """

    options: ClassVar[Mapping[str, Option]] = {"column": TEXT, "rows": ROWS}

    column: str
    rows: Sequence[str | Sequence[str]]

    def sentence(self, published: Figures) -> str:
        names = [row if isinstance(row, str) else " and ".join(row) for row in self.rows]
        return f"{self.column}: {', then '.join(names)}"

    def try_on(self, ours: Figures, published: Figures) -> Finding:
        groups = []
        shown = []
        for row in self.rows:
            numbers = []
            for name in [row] if isinstance(row, str) else row:
                number = ours.get(name, self.column)
                if number is None:
                    return OPEN
                numbers.append(number)
                shown.append(f"{name} {write_figure(number)}")
            groups.append(numbers)
        falls = all(min(earlier) > max(later) for earlier, later in pairwise(groups))
        return Finding(falls, ", ".join(shown))


@dataclass(frozen=True)
class Ratio(Claim):
    """The ratio of two rows is that of the published figures, within a factor.

    column, rows: where the two figures stand. factor: the largest ratio between the two ratios.
    """

    options: ClassVar[Mapping[str, Option]] = {"column": TEXT, "rows": TWO_ROWS, "factor": FACTOR}

    column: str
    rows: tuple[str, str]
    factor: float = 1.5

    def sentence(self, published: Figures) -> str:
        ratio = ratio_of(published, self.column, self.rows)
        shown = "not published" if ratio is None else f"{ratio:.3g}"
        first, second = self.rows
        return f"{self.column}: {first} to {second} is {shown}, within {self.factor:g} times"

    def try_on(self, ours: Figures, published: Figures) -> Finding:
        theirs = ratio_of(published, self.column, self.rows)
        mine = ratio_of(ours, self.column, self.rows)
        if theirs is None or mine is None:
            return OPEN
        return Finding(1 / self.factor <= mine / theirs <= self.factor, f"{mine:.3g}")


def ratio_of(figures: Figures, column: str, rows: Sequence[str]) -> float | None:
    """Return the ratio of two rows in a column, or ``None`` where one has no figure."""
    first, second = rows
    above = figures.get(first, column)
    below = figures.get(second, column)
    if above is None or not below:
        return None
    return above / below


@dataclass(frozen=True)
class Factor(Claim):
    """The published figure is ours, within a factor.

    column, row: where the figure stands. factor: the largest ratio between the two.
    """

    options: ClassVar[Mapping[str, Option]] = {"column": TEXT, "row": TEXT, "factor": FACTOR}

    column: str
    row: str
    factor: float = 1.5

    def sentence(self, published: Figures) -> str:
        number = published.get(self.row, self.column)
        shown = "not published" if number is None else write_figure(number)
        return f"{self.row}, {self.column}: {shown}, within {self.factor:g} times"

    def try_on(self, ours: Figures, published: Figures) -> Finding:
        mine = ours.get(self.row, self.column)
        theirs = published.get(self.row, self.column)
        if not mine or not theirs:
            return OPEN
        return Finding(1 / self.factor <= mine / theirs <= self.factor, write_figure(mine))


@dataclass(frozen=True)
class Between(Claim):
    """A figure lies between two numbers.

    column, row: where the figure stands. bounds: the least and the greatest number.
    """

    options: ClassVar[Mapping[str, Option]] = {"column": TEXT, "row": TEXT, "bounds": TWO_NUMBERS}

    column: str
    row: str
    bounds: tuple[float, float]

    def sentence(self, published: Figures) -> str:
        low, high = self.bounds
        return f"{self.row}, {self.column}: between {low:g} and {high:g}"

    def try_on(self, ours: Figures, published: Figures) -> Finding:
        mine = ours.get(self.row, self.column)
        if mine is None:
            return OPEN
        low, high = self.bounds
        return Finding(low <= mine <= high, write_figure(mine))


@dataclass(frozen=True)
class Peak(Claim):
    """The largest figure of a column stands in one of the rows between two.

    column: the column. between: the first and the last of these rows.
    """

    options: ClassVar[Mapping[str, Option]] = {"column": TEXT, "between": TWO_ROWS}

    column: str
    between: tuple[str, str]

    def sentence(self, published: Figures) -> str:
        first, last = self.between
        return f"{self.column}: the peak lies between {first} and {last}"

    def try_on(self, ours: Figures, published: Figures) -> Finding:
        numbers = ours.column(self.column)
        first, last = self.between
        if not numbers or first not in numbers or last not in numbers:
            return OPEN
        peak = max(numbers, key=numbers.__getitem__)
        places = list(numbers)
        is_between = places.index(first) <= places.index(peak) <= places.index(last)
        return Finding(is_between, f"{write_figure(numbers[peak])} at {peak}")


@dataclass(frozen=True)
class Crossing(Claim):
    """The figures of a column reach a level between two rows, from below or from above.

    column, level: what is crossed. between: the rows before and behind.
    """

    options: ClassVar[Mapping[str, Option]] = {"column": TEXT, "level": NUMBER, "between": TWO_ROWS}

    column: str
    level: float
    between: tuple[str, str]

    def sentence(self, published: Figures) -> str:
        first, last = self.between
        return f"{self.column}: {self.level:g} is crossed between {first} and {last}"

    def try_on(self, ours: Figures, published: Figures) -> Finding:
        first, last = self.between
        before = ours.get(first, self.column)
        behind = ours.get(last, self.column)
        if before is None or behind is None:
            return OPEN
        crosses = min(before, behind) <= self.level <= max(before, behind)
        return Finding(crosses, f"{before:.3g} at {first}, {behind:.3g} at {last}")


@dataclass(frozen=True)
class Growth(Claim):
    """A row grows as a power of its columns, which are numbers: the slope between the last two columns.

    row: the row. power: the two numbers between which the exponent lies.
    """

    options: ClassVar[Mapping[str, Option]] = {"row": TEXT, "power": TWO_NUMBERS}

    row: str
    power: tuple[float, float]

    def sentence(self, published: Figures) -> str:
        low, high = self.power
        return f"{self.row} grows with an exponent between {low:g} and {high:g}"

    def try_on(self, ours: Figures, published: Figures) -> Finding:
        points = []
        for column in ours.columns:
            number = ours.get(self.row, column)
            if number:
                points.append((float(column), number))
        if len(points) < 2:
            return OPEN
        (x, y), (far_x, far_y) = points[-2:]
        exponent = log(far_y / y) / log(far_x / x)
        low, high = self.power
        return Finding(low <= exponent <= high, f"{exponent:.2f} from {x:g} to {far_x:g}")


CLAIMS: dict[str, type[Claim]] = {
    "same": SameFigures,
    "near": NearFigures,
    "order": Order,
    "ratio": Ratio,
    "factor": Factor,
    "between": Between,
    "peak": Peak,
    "crossing": Crossing,
    "growth": Growth,
}
"""The kinds of claims, by the word that a file has for each."""
