"""Primitives of rules -> clauses.

Sums: by *combinations* of symbols (one variable for each set of symbols that a cage may hold), where these are few. If
not, targets that have sums take them as they are, and others by *partial sums*, in the order encoding. Automata have a
variable for each state, which is true at least where the machine is. Relations forbid pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import combinations, product
from math import comb
from typing import Any, TypeAlias

from gridproof.models.clauses import Builder, Guarded
from gridproof.models.variables import Clause
from gridproof.puzzle.board import Problem
from gridproof.rules.primitives import (
    AnyOf,
    Automaton,
    Cells,
    Count,
    Different,
    Domain,
    Primitive,
    Relation,
    Sum,
    TooLarge,
    check_effort,
)
from gridproof.runs.interrupts import PysatsHandlerOff
from gridproof.text import quote

MOST_COMBINATIONS = 128
"""A sum that more sets of symbols reach is taken by partial sums: each costs a variable (a cage of n = 9 has 12 at
most, an arrow with two cells on its shaft 16)."""

MOST_TRIED = 20_000
"""Sets that are looked at to find these; above it a sum is taken by partial sums."""

MOST_SUBSETS = 500
"""A count with more subsets of cells than this is stated by PySAT's sequential counter."""


def add_all(primitives: Iterable[Primitive], to: Builder, label: str) -> None:
    """State several primitives.

    Parameters
    ----------
    primitives : iterable of Primitive
        What must hold.
    to : Builder
        The model under construction.
    label : str
        What new variables are for, such as ``rule 1``.

    Raises
    ------
    TooLarge
        For too many clauses.
    Interrupted
        If the time of ``limits.watched`` is over.
    """
    for primitive in primitives:
        to.check()
        _TRANSLATIONS[type(primitive)](primitive, to, label)


def add_rules(problem: Problem, to: Builder) -> None:
    """State the rules of a problem.

    Raises
    ------
    TooLarge
        For the first rule with which they take too many clauses, with its sentence.
    Interrupted
        If the time of ``limits.watched`` is over.
    """
    for number, rule in enumerate(problem.rules, 1):
        try:
            add_all(rule.expand(problem.geometry), to, f"rule {number}")
        except TooLarge as too_large:
            sentence = quote(rule.sentence(problem.geometry), 100)
            raise TooLarge(f"{too_large}, from rule {number} of {len(problem.rules)} on: {sentence}") from None


def _domain(domain: Domain, to: Builder, label: str) -> None:
    for symbol in set(to.symbols(domain.cell)).difference(domain.values):
        to.add((-to.x(domain.cell, symbol),))


def _different(different: Different, to: Builder, label: str) -> None:
    cells, symbols = different.cells, range(1, to.order + 1)
    if len(cells) > to.order:
        to.never(label)
    elif to.stated and len(cells) < to.order:
        peers = to.stated.peers
        for one, other in combinations(cells, 2):
            if other not in peers[one]:
                to.extend([(-to.x(one, symbol), -to.x(other, symbol)) for symbol in symbols])
    else:
        for symbol in symbols:
            to.check()
            places = tuple(to.x(cell, symbol) for cell in cells)
            state = to.exactly_one if len(set(places)) == to.order else to.at_most_one
            state(places, f"{label} = {symbol}")


def _relation(relation: Relation, to: Builder, label: str) -> None:
    for one, other in relation.pairs:
        to.check()
        here, there, pairs = _forbidden(relation.allowed, to.symbols(one), to.symbols(other))
        not_one, not_other = to.not_in(one), to.not_in(other)
        to.extend([(not_one[a],) for a in here])
        to.extend([(not_other[b],) for b in there])
        to.extend([(not_one[a], not_other[b]) for a, b in pairs])


@lru_cache(maxsize=1024)
def _forbidden(
    allowed: Sequence[int], here: Sequence[int], there: Sequence[int]
) -> tuple[list[int], list[int], list[tuple[int, int]]]:
    """Return the symbols of each of two cells that fit none of the other, and the pairs of others that do not fit."""
    fits = {(a, b) for a, b in product(here, there) if allowed[a - 1] >> (b - 1) & 1}
    some_here, some_there = {a for a, _ in fits}, {b for _, b in fits}
    return (
        [a for a in here if a not in some_here],
        [b for b in there if b not in some_there],
        [(a, b) for a, b in product(here, there) if a in some_here and b in some_there and (a, b) not in fits],
    )


def _sum(total: Sum, to: Builder, label: str) -> None:
    ways = _combinations_of(total.coefficients, total.total, to.order) if total.distinct else None
    if ways is not None:
        _combinations(total, ways, to, label)
    elif to.has_sums:
        to.linear(total)
    else:
        _partial_sums(total, to, label)


Sets: TypeAlias = tuple[frozenset[int], ...]


@lru_cache(maxsize=1024)
def _combinations_of(coefficients: tuple[int, ...], total: int, order: int) -> tuple[Sets, ...] | None:
    """Return every way to give each coefficient, in order, the set of its cells' symbols; ``None`` if too many."""
    weights = Counter(coefficients)
    begun: list[tuple[Sets, int]] = [((), 0)]
    for number, (weight, size) in enumerate(weights.items(), 1):
        if len(begun) * comb(order, size) > MOST_TRIED:
            return None
        begun = [
            ((*sets, frozenset(more)), so_far + weight * sum(more))
            for sets, so_far in begun
            for more in combinations(range(1, order + 1), size)
            if number < len(weights) or so_far + weight * sum(more) == total
        ]
    return tuple([sets for sets, _ in begun]) if len(begun) <= MOST_COMBINATIONS else None


def _combinations(total: Sum, ways: Sequence[Sets], to: Builder, label: str) -> None:
    """Add a variable for each way; as the cells of a coefficient differ, each symbol of its set is in one of them.

    This is stated in all three directions (a way has these symbols and no others, a symbol needs a way that has it):
    twice to three times as fast as the first of them alone, which would do.
    """
    if not ways:
        to.never(label)
        return
    first = to.new(len(ways), f"{label}: symbols") if len(ways) > 1 else 0
    if first:
        to.add(range(first, first + len(ways)))
    for group, weight in enumerate(dict.fromkeys(total.coefficients)):
        sets = [way[group] for way in ways]
        cells = [cell for cell, other in zip(total.cells, total.coefficients, strict=True) if other == weight]
        some, every = sets[0].union(*sets), sets[0].intersection(*sets)
        for symbol in range(1, to.order + 1):
            places = [to.x(cell, symbol) for cell in cells]
            if symbol in every:
                to.add(places)
                continue
            if symbol not in some:
                to.extend([(-place,) for place in places])
                continue
            having = []
            for chosen, symbols in enumerate(sets, first):
                if symbol in symbols:
                    having.append(chosen)
                    to.add((-chosen, *places))
                else:
                    to.extend([(-chosen, -place) for place in places])
            to.extend([(-place, *having) for place in places])


def _partial_sums(total: Sum, to: Builder, label: str) -> None:
    """Add the variables "the first i cells add up to v or more" for the sums between the bounds of each i.

    The size grows with the cells and with what the bounds leave. States of an automaton would help solvers less.
    """
    groups, rest = _groups(total, [house.cells for house in to.stated.houses] if to.stated else ())
    cells = [cell for _, group in groups for cell in group]
    weights = [weight for weight, group in groups for _ in group]
    before, after = _bounds(groups, to.order), _bounds(groups[::-1], to.order)[::-1]
    bounds = [(max(a, rest - d), min(b, rest - c)) for (a, b), (c, d) in zip(before, after, strict=True)]
    if any(low > high for low, high in bounds):
        to.never(label)
        return
    there, (low, high) = 0, bounds[0]
    for cell, weight, (next_low, next_high) in zip(cells, weights, bounds[1:], strict=True):
        check_effort(next_high - next_low)
        # the variable of "v or more" is v + here, and v + there with one cell more
        here, there = there, to.new(next_high - next_low, f"{label}: sum up to a cell") - next_low - 1
        to.extend([(-there - value, there + value - 1) for value in range(next_low + 2, next_high + 1)])
        for symbol in to.symbols(cell):
            to.check()
            unless, more = -to.x(cell, symbol), weight * symbol
            for value in range(max(low, next_low - more + 1), high + 1):  # at least
                condition = (unless, -here - value) if value > low else (unless,)
                if value + more > next_high:
                    to.add(condition)
                    break
                to.add((*condition, there + value + more))
            for value in range(min(high, next_high - more - 1), low - 1, -1):  # at most
                condition = (unless, here + value + 1) if value < high else (unless,)
                if value + more < next_low:
                    to.add(condition)
                    break
                to.add((*condition, -there - value - more - 1))
        low, high = next_low, next_high


Group: TypeAlias = tuple[int, list[int]]
"""Cells that differ, with the weight that they have in common."""


def _groups(total: Sum, houses: Sequence[Cells]) -> tuple[list[Group], int]:
    """Return a sum in groups of cells, those of small weights first and last, and the total of these.

    What the cells of a house add up to is known. So a house most of whose cells have one weight is taken out of the
    sum, and the rest of its cells come in with the opposite weight.
    """
    weights: Counter[int] = Counter()
    for cell, weight in zip(total.cells, total.coefficients, strict=True):
        weights[cell] += weight
    rest = total.total
    while True:
        gains = [
            (held.count(weight) - held.count(0), weight, house)
            for house in houses
            for held in [[weights[cell] for cell in house]]
            for weight in {*held}
            if weight
        ]
        gain, weight, house = max(gains, default=(0, 0, ()))
        if gain <= 0:
            break
        weights.subtract(dict.fromkeys(house, weight))
        rest -= weight * sum(range(len(house) + 1))
    left = {cell: weight for cell, weight in weights.items() if weight}
    groups: list[Group] = []
    while left:
        one, weight = next(iter(left.items()))
        alike = [[cell for cell in house if left.get(cell) == weight] for house in [*houses, (one,)]]
        groups.append((weight, max(alike, key=len)))
        for cell in groups[-1][1]:
            del left[cell]
    groups.sort(key=lambda group: abs(group[0]))
    return [*groups[::2], *groups[1::2][::-1]], rest


def _bounds(groups: Sequence[Group], order: int) -> list[tuple[int, int]]:
    """Return the least and the greatest sum of the first cells of groups, for each number of cells from 0 on."""
    bounds = [(0, 0)]
    for weight, group in groups:
        low, high = bounds[-1]
        for number in range(1, len(group) + 1):
            least, greatest = sum(range(number + 1)), sum(range(order - number + 1, order + 1))
            ends = sorted((weight * least, weight * greatest))
            bounds.append((low + ends[0], high + ends[1]))
    return bounds


def _automaton(automaton: Automaton, to: Builder, label: str) -> None:
    """Add a variable for each state between two cells; none for the only state there, none for the accepted ends."""
    layers = automaton.layers
    conditions: Sequence[Clause] = [()]  # what the clauses of each state before a cell begin with
    for place, (cell, layer) in enumerate(zip(automaton.cells, layers, strict=True), 1):
        states = len(layers[place]) if place < len(layers) else 1
        first = to.new(states, f"{label}: after {place} cells") if states > 1 else 0
        if first:  # that there is a state follows, but as a clause it makes some searches four times as fast
            to.add(range(first, first + states))
        not_here = to.not_in(cell)
        for condition, row in zip(conditions, layer, strict=True):
            to.check()
            to.extend(
                [
                    (*condition, not_here[symbol], first + target) if target >= 0 else (*condition, not_here[symbol])
                    for symbol, target in enumerate(row, 1)
                    if target < 0 or first
                ]
            )
        conditions = [(-first - state,) if first else () for state in range(states)]


def _count(count: Count, to: Builder, label: str) -> None:
    literals = [to.x(cell, count.symbol) for cell in count.cells] if 1 <= count.symbol <= to.order else []
    if count.low > len(literals) or count.high < max(count.low, 0):
        to.never(label)
        return
    _at_least(literals, count.low, to, label)
    _at_least([-literal for literal in literals], len(literals) - count.high, to, label)


def _at_least(literals: Sequence[int], low: int, to: Builder, label: str) -> None:
    if low <= 0:
        return
    size = len(literals) - low + 1
    if comb(len(literals), size) <= MOST_SUBSETS:
        for subset in combinations(literals, size):
            to.add(subset)
        return
    from pysat.card import CardEnc, EncType

    with PysatsHandlerOff():
        encoded = CardEnc.atleast(list(literals), bound=low, top_id=to.top, encoding=EncType.seqcounter)
    to.new(max(encoded.nv - to.top, 0), f"{label}: counter")
    to.extend(encoded.clauses)


def _any_of(any_of: AnyOf, to: Builder, label: str) -> None:
    options = any_of.options
    if not options:
        to.never(label)
    elif len(options) == 1:
        add_all(options[0], to, label)
    elif all(len(option) == 1 and isinstance(option[0], Domain) for option in options):
        domains = [domain for option in options for domain in option if isinstance(domain, Domain)]
        to.add(tuple(dict.fromkeys(literal for domain in domains for literal in _in_domain(domain, to))))
    else:
        first = to.new(len(options), f"{label}: option")
        to.add(range(first, first + len(options)))
        for guard, option in enumerate(options, first):
            add_all(option, Guarded(to, guard), label)


def _in_domain(domain: Domain, to: Builder) -> list[int]:
    """Return the literals of which one is true exactly when the domain holds; of all symbols but one, only that."""
    excluded = [symbol for symbol in range(1, to.order + 1) if symbol not in domain.values]
    if len(excluded) == 1:
        return [-to.x(domain.cell, excluded[0])]
    return [to.x(domain.cell, symbol) for symbol in domain.values if 1 <= symbol <= to.order]


_TRANSLATIONS: dict[type[Primitive], Callable[[Any, Builder, str], None]] = {
    Domain: _domain,
    Different: _different,
    Relation: _relation,
    Sum: _sum,
    Automaton: _automaton,
    Count: _count,
    AnyOf: _any_of,
}
