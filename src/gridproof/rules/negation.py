"""Negation: primitives that hold exactly where others do not.

A rule is broken where one of its primitives is, so its negation is a choice. Each negation is exact on every grid of
symbols, also on one that breaks a house: it uses nothing that is true for another reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from gridproof.puzzle.digits import Digits
from gridproof.rules.primitives import (
    AnyOf,
    Automaton,
    Cells,
    Count,
    Different,
    Domain,
    Option,
    OwnPrimitive,
    Primitive,
    Relation,
    Sum,
    check_effort,
)

STOPPED = -1
"""The state of a machine that has stopped, where the rest of its cells is free."""


def negate_all(primitives: Iterable[Primitive], symbol_count: int) -> AnyOf:
    """Return the primitive that holds where at least one of some primitives does not.

    Parameters
    ----------
    primitives
        The primitives, which a rule expands into.
    symbol_count
        The number of symbols.

    Raises
    ------
    TooLarge
        For a negation of too many options or states.

    Examples
    --------
    >>> broken = negate_all([Domain(0, (1, 2)), Different((0, 1))], 3)
    >>> broken.allows((1, 1)), broken.allows((1, 2))
    (True, False)
    """
    options: list[Option] = []
    for primitive in primitives:
        options += negate(primitive, symbol_count)
        check_effort(len(options))
    return AnyOf(tuple(options))


def negate(primitive: Primitive, symbol_count: int) -> list[Option]:
    """Return the ways in which a primitive is broken; it is broken where one of them holds."""
    match primitive:
        case Domain(cell=cell, values=values):
            others = set(range(1, symbol_count + 1)).difference(values)
            return [(Domain.of(cell, sorted(others), symbols_as_digits(symbol_count)),)]
        case Different(cells=cells):
            return negate_different(cells, symbol_count)
        case Relation(pairs=pairs, allowed=allowed):
            every_symbol = (1 << symbol_count) - 1
            forbidden = tuple([every_symbol & ~mask for mask in allowed])
            return [(Relation((pair,), forbidden),) for pair in pairs]
        case Count(cells=cells, symbol=symbol, low=low, high=high):
            fewer = Count(cells, symbol, 0, low - 1)
            more = Count(cells, symbol, high + 1, len(cells))
            return [(fewer,), (more,)]
        case Automaton(cells=cells):
            if not cells:
                return []  # it accepts what has nothing to read
            return [(negate_machine(primitive, symbol_count),)]
        case Sum(cells=cells, total=total):
            if not cells:
                return [()] if total else []
            return [(negate_sum(primitive, symbol_count),)]
        case AnyOf(options=options):
            return [tuple([negate_all(option, symbol_count) for option in options])]
        case OwnPrimitive():
            return primitive.negate(symbol_count)


def symbols_as_digits(symbol_count: int) -> Digits:
    """Return the digits that are equal to their symbols: primitives are about symbols, whatever the digits."""
    return Digits(1, symbol_count)


def negate_different(cells: Cells, symbol_count: int) -> list[Option]:
    """Return the ways in which cells do not differ: two of them are equal."""
    if len(set(cells)) < len(cells):
        return [()]  # a cell never differs from itself
    ways: list[Option] = []
    for pair in combinations(cells, 2):
        ways.append((Relation.of((pair,), symbols_as_digits(symbol_count), lambda a, b: a == b),))
    return ways


def negate_machine(machine: Automaton, symbol_count: int) -> Automaton:
    """Return the machine that accepts what another one does not: that one has stopped on the way."""

    def step(state: tuple[int, int], symbol: int) -> tuple[int, int]:
        place, number = state
        if number == STOPPED:
            return place + 1, STOPPED
        return place + 1, machine.layers[place][number][symbol - 1]

    return Automaton.of(machine.cells, symbols_as_digits(symbol_count), (0, 0), step, lambda state: state[1] == STOPPED)


def negate_sum(total: Sum, symbol_count: int) -> Automaton:
    """Return the machine that adds up what cells hold, and accepts every other total."""
    bounds = [(0, 0)]  # the least and the greatest sum of the last cells, for each number of them
    for weight in reversed(total.coefficients):
        least, greatest = bounds[-1]
        bounds.append((least + min(weight, weight * symbol_count), greatest + max(weight, weight * symbol_count)))

    def step(state: tuple[int, int | None], symbol: int) -> tuple[int, int | None]:
        place, missing = state
        if missing is not None:
            missing -= total.coefficients[place] * symbol
            least, greatest = bounds[len(total.cells) - place - 1]
            if not least <= missing <= greatest:
                missing = None  # the total is out of reach
        return place + 1, missing

    return Automaton.of(
        total.cells, symbols_as_digits(symbol_count), (0, total.total), step, lambda state: state[1] != 0
    )
