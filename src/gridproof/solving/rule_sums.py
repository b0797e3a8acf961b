"""Sums in a rule: cells with a total, and parts with the same sum; what they can reach, and which bound matters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from gridproof.puzzle.digits import Digits
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.without_houses import without_houses
from gridproof.rules import Rule
from gridproof.rules.primitives import Cells, Sum


class SumBound(NamedTuple):
    """The least or the greatest sum that some cells can reach."""

    cells: Cells
    is_least: bool
    value: int

    def describe(self) -> str:
        """Return the bound in words: ``at least 6``."""
        side = "at least" if self.is_least else "at most"
        return f"{side} {self.value}"


@dataclass(frozen=True)
class SumWays:
    """The sums that cells can reach.

    Attributes
    ----------
    candidates
        The mask of each cell.
    differing
        Sets of cells that are known to differ.
    digits
        What the symbols stand for.
    """

    candidates: Sequence[int]
    differing: Sequence[Set[int]]
    digits: Digits

    def reach(self, cells: Sequence[int], fixed: int = -1, symbol: int = 0) -> set[int]:
        """Return the sums of cells; cells that differ are counted so in one set only, so there may be too many.

        fixed, symbol: a cell, if one is given, and what it holds.
        """
        sums = {0}
        rest = list(cells)
        while rest:
            group = max([[cell for cell in rest if cell in some] for some in self.differing], key=len, default=[])
            if not group:
                group = rest[:1]
            rest = [cell for cell in rest if cell not in group]
            of_group = self.reach_differing(group, fixed, symbol)
            sums = {one + other for one in sums for other in of_group}
        return sums

    def reach_differing(self, cells: Sequence[int], fixed: int, symbol: int) -> set[int]:
        """Return the sums of cells that differ."""
        used_masks = {0}
        for cell in cells:
            mask = 1 << (symbol - 1) if cell == fixed else self.candidates[cell]
            longer: set[int] = set()
            for used in used_masks:
                free = mask & ~used
                while free:
                    lowest = free & -free
                    longer.add(used | lowest)
                    free ^= lowest
            used_masks = longer
        return {sum_of(used, self.digits) for used in used_masks}


@dataclass(frozen=True)
class EqualSums:
    """Parts of a rule that have the same sum, or cells with a total, which is the sum of no further cells.

    Attributes
    ----------
    parts
        The cells of each part.
    total
        The sum, if it is stated.
    """

    parts: Sequence[Cells]
    total: int | None = None

    def find_bound(self, cell: int, symbol: int, ways: SumWays) -> SumBound | None:
        """Return the bound by which a cell cannot hold a symbol: of another part, or of the other cells of its own."""
        for part in self.parts:
            if cell not in part or part.count(cell) > 1:
                continue
            if self.total is not None:
                others = tuple([other for other in part if other != cell])
                return find_bound_against(others, {self.total - ways.digits.digit(symbol)}, ways)
            own = ways.reach(part, cell, symbol)
            for other_part in self.parts:
                bound = find_bound_against(other_part, own, ways) if cell not in other_part else None
                if bound is not None:
                    return bound
        return None


def find_bound_against(cells: Cells, wanted: Set[int], ways: SumWays) -> SumBound | None:
    """Return the bound of the sum of cells by which it is none of those wanted; ``None`` if no bound excludes them."""
    reached = ways.reach(cells)
    if not reached or not wanted or not cells:
        return None
    if max(wanted) < min(reached):
        return SumBound(cells, True, min(reached))
    if min(wanted) > max(reached):
        return SumBound(cells, False, max(reached))
    return None


def find_equal_sums(rule: Rule, geometry: Geometry) -> list[EqualSums]:
    """Return the sums of a rule, as its primitives state them, by digits."""
    shift = geometry.digits.first - 1  # of a digit against its symbol, which primitives add up
    totals: list[EqualSums] = []
    equal: list[list[Cells]] = []
    for total in stated_sums(rule, geometry):
        added = tuple([c for c, weight in zip(total.cells, total.coefficients, strict=True) if weight == 1])
        taken = tuple([c for c, weight in zip(total.cells, total.coefficients, strict=True) if weight == -1])
        if len(added) + len(taken) < len(total.cells):
            continue
        if not taken:
            totals.append(EqualSums((added,), total.total + shift * len(added)))
        elif total.total + shift * (len(added) - len(taken)) == 0:
            join_parts(equal, added, taken)
    return totals + [EqualSums(parts) for parts in equal]


def stated_sums(rule: Rule, geometry: Geometry) -> Iterator[Sum]:
    """Yield the sums among the primitives of a rule."""
    for primitive in rule.expand(without_houses(geometry)):
        if isinstance(primitive, Sum):
            yield primitive


def join_parts(groups: list[list[Cells]], one: Cells, other: Cells) -> None:
    """Add two parts with the same sum to the group that has one of them, or as a group of their own."""
    for group in groups:
        if one in group or other in group:
            group += [part for part in (one, other) if part not in group]
            return
    groups.append([one, other])


def sum_of(mask: int, digits: Digits) -> int:
    """Return the sum of the digits of the symbols of a mask.

    Examples
    --------
    >>> sum_of(0b1001, Digits(1, 9)), sum_of(0b1001, Digits(0, 8))
    (5, 3)
    """
    total = 0
    while mask:
        total += digits.digit(mask.bit_length())
        mask &= ~(1 << (mask.bit_length() - 1))
    return total
