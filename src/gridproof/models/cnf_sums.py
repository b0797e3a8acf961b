"""Sums of rules -> clauses.

A sum is stated by its *ways* (one variable for each choice of symbols that reach it), where these are few. If not,
targets that have sums take it as it is, and others by *partial sums*, in the order encoding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations
from math import comb
from typing import TypeAlias

from gridproof.models.clauses import Builder
from gridproof.rules.primitives import Cells, Sum, check_effort

MOST_COMBINATIONS = 128
"""Largest number of sets of symbols for a sum that is stated by them; above it partial sums are. Each set costs a
variable (a cage of n = 9 has 12 at most, an arrow with two cells on its shaft 16)."""

MOST_TRIED = 20_000
"""Largest number of sets that are looked at to find these; above it a sum is taken by partial sums."""


def add_sum(total: Sum, to: Builder, label: str) -> None:
    ways = None
    if total.distinct:
        ways = find_ways(total.coefficients, total.total, to.symbol_count)
    if ways is not None:
        add_ways(total, ways, to, label)
    elif to.has_sums:
        to.linear(total)
    else:
        add_partial_sums(total, to, label)


Way: TypeAlias = tuple[frozenset[int], ...]
"""For each coefficient of a sum, in order, the set of symbols that its cells hold."""


@lru_cache(maxsize=1024)
def find_ways(coefficients: tuple[int, ...], total: int, symbol_count: int) -> tuple[Way, ...] | None:
    """Return every way to reach a sum; ``None`` if there are too many to look at, or to state."""
    weights = Counter(coefficients)
    begun: list[tuple[Way, int]] = [((), 0)]
    for number, (weight, size) in enumerate(weights.items(), 1):
        if len(begun) * comb(symbol_count, size) > MOST_TRIED:
            return None
        is_last = number == len(weights)
        longer = []
        for way, so_far in begun:
            for symbols in combinations(range(1, symbol_count + 1), size):
                reached = so_far + weight * sum(symbols)
                if reached == total or not is_last:
                    longer.append((way + (frozenset(symbols),), reached))
        begun = longer
    ways = tuple([way for way, _ in begun])
    return ways if len(ways) <= MOST_COMBINATIONS else None


def add_ways(total: Sum, ways: Sequence[Way], to: Builder, label: str) -> None:
    """Add a variable for each way; as the cells of a coefficient differ, each symbol of its set is in one of them.

    This is stated in all three directions (a way has these symbols and no others, a symbol needs a way that has it):
    twice to three times as fast as the first of them alone, which would do.
    """
    if not ways:
        to.never(label)
        return
    first = 0
    if len(ways) > 1:
        first = to.new(len(ways), f"{label}: symbols")
        to.add(range(first, first + len(ways)))
    for group, weight in enumerate(dict.fromkeys(total.coefficients)):
        symbol_sets = [way[group] for way in ways]
        cells = [cell for cell, other in zip(total.cells, total.coefficients, strict=True) if other == weight]
        in_some = frozenset().union(*symbol_sets)
        in_every = symbol_sets[0].intersection(*symbol_sets)
        for symbol in range(1, to.symbol_count + 1):
            places = [to.x(cell, symbol) for cell in cells]
            if symbol in in_every:
                to.add(places)
                continue
            if symbol not in in_some:
                to.extend([(-place,) for place in places])
                continue
            ways_with_it = []
            for way, symbols in enumerate(symbol_sets, first):
                if symbol in symbols:
                    ways_with_it.append(way)
                    to.add([-way] + places)
                else:
                    to.extend([(-way, -place) for place in places])
            for place in places:
                to.add([-place] + ways_with_it)


def add_partial_sums(total: Sum, to: Builder, label: str) -> None:
    """Add the variables "the first i cells add up to v or more" for the sums between the bounds of each i.

    The size grows with the cells and with what the bounds leave. States of an automaton would help solvers less.
    """
    houses = []
    if to.houses_of is not None:
        houses = [house.cells for house in to.houses_of.houses]
    groups, rest = group_cells(total, houses, to.symbol_count)
    bounds = bound_partial_sums(groups, rest, to.symbol_count)
    if any(low > high for low, high in bounds):
        to.never(label)
        return
    weighted = []
    for weight, group in groups:
        for cell in group:
            weighted.append((cell, weight))
    there = 0
    low, high = bounds[0]
    for (cell, weight), (next_low, next_high) in zip(weighted, bounds[1:], strict=True):
        check_effort(next_high - next_low)
        # the variable of "v or more" is v + here, and v + there with one cell more
        here = there
        there = to.new(next_high - next_low, f"{label}: sum up to a cell") - next_low - 1
        to.extend([(-there - value, there + value - 1) for value in range(next_low + 2, next_high + 1)])
        for symbol in to.symbols(cell):
            to.check()
            unless = -to.x(cell, symbol)
            more = weight * symbol
            for value in range(max(low, next_low - more + 1), high + 1):  # at least
                condition = (unless, -here - value) if value > low else (unless,)
                if value + more > next_high:
                    to.add(condition)
                    break
                to.add(condition + (there + value + more,))
            for value in range(min(high, next_high - more - 1), low - 1, -1):  # at most
                condition = (unless, here + value + 1) if value < high else (unless,)
                if value + more < next_low:
                    to.add(condition)
                    break
                to.add(condition + (-there - value - more - 1,))
        low, high = next_low, next_high


CellGroup: TypeAlias = tuple[int, list[int]]
"""Cells that differ, with the weight that they have in common, which comes first."""


def group_cells(total: Sum, houses: Sequence[Cells], symbol_count: int) -> tuple[list[CellGroup], int]:
    """Return a sum in groups of cells, those of small weights first and last, and the total of these.

    What the cells of a full house add up to is known. So such a house most of whose cells have one weight is taken out
    of the sum, and the rest of its cells come in with the opposite weight.
    """
    weights: Counter[int] = Counter()
    for cell, weight in zip(total.cells, total.coefficients, strict=True):
        weights[cell] += weight
    rest = total.total
    full_houses = [house for house in houses if len(house) == symbol_count]
    while True:
        gain, weight, house = find_best_house(weights, full_houses)
        if gain <= 0:
            break
        weights.subtract(dict.fromkeys(house, weight))
        rest -= weight * sum(range(len(house) + 1))
    left = {cell: weight for cell, weight in weights.items() if weight}
    groups: list[CellGroup] = []
    while left:
        first, weight = next(iter(left.items()))
        largest: list[int] = []
        for house in chain(houses, [(first,)]):
            alike = [cell for cell in house if left.get(cell) == weight]
            if len(alike) > len(largest):
                largest = alike
        groups.append((weight, largest))
        for cell in largest:
            del left[cell]
    groups.sort(key=weight_size)
    ends_last = groups[1::2][::-1]
    return groups[::2] + ends_last, rest


def weight_size(group: CellGroup) -> int:
    """Return how far the weight of a group is from 0."""
    weight, _ = group
    return abs(weight)


def find_best_house(weights: Mapping[int, int], houses: Iterable[Cells]) -> tuple[int, int, Cells]:
    """Return how many terms are gained by taking a house out of a sum so many times, and the best such house.

    The weight that most cells of the house have goes to 0, and cells of weight 0 get the opposite one.
    """
    best: tuple[int, int, Cells] = (0, 0, ())
    for house in houses:
        held = [weights[cell] for cell in house]
        for weight in set(held):
            if weight:
                gain = held.count(weight) - held.count(0)
                best = max(best, (gain, weight, house))
    return best


SumBounds: TypeAlias = tuple[int, int]
"""The least and the greatest sum."""


def bound_partial_sums(groups: Sequence[CellGroup], rest: int, symbol_count: int) -> list[SumBounds]:
    """Return the bounds of the sum of the first cells of groups, for each number of cells, if all add up to rest."""
    from_the_start = bound_sums(groups, symbol_count)
    from_the_end = bound_sums(groups[::-1], symbol_count)[::-1]
    bounds = []
    for (least, greatest), (least_left, greatest_left) in zip(from_the_start, from_the_end, strict=True):
        low = max(least, rest - greatest_left)
        high = min(greatest, rest - least_left)
        bounds.append((low, high))
    return bounds


def bound_sums(groups: Sequence[CellGroup], symbol_count: int) -> list[SumBounds]:
    """Return the bounds of the sum of the first cells of groups, for each number of cells from 0 on."""
    bounds = [(0, 0)]
    for weight, group in groups:
        low, high = bounds[-1]
        for number in range(1, len(group) + 1):
            least = weight * sum(range(number + 1))
            greatest = weight * sum(range(symbol_count - number + 1, symbol_count + 1))
            bounds.append((low + min(least, greatest), high + max(least, greatest)))
    return bounds
