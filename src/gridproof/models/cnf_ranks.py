"""The rank of a number -> clauses.

A number is compared with each other one digit by digit, with a variable for "they are equal up to here". Which of the
two is lower is one variable for all numbers of a group, as only one of them begins with the same symbol. So a
comparison is stated once, and not for each choice of the groups that are lower.
"""

from __future__ import annotations

from collections.abc import Sequence

from gridproof.models.clauses import Builder
from gridproof.models.cnf_counts import add_at_least
from gridproof.models.variables import Clause
from gridproof.rules.ranks import Ranked


def add_ranked(ranked: Ranked, to: Builder, label: str) -> None:
    size = len(ranked.groups)
    if ranked.lower > size:
        to.never(label)
        return
    first = to.new(size, f"{label}: the other number is lower")
    is_lower = range(first, first + size)
    add_at_least(is_lower, ranked.lower, to, label)
    add_at_least([-literal for literal in is_lower], size - ranked.lower, to, label)
    for lower, group in zip(is_lower, ranked.groups, strict=True):
        for other in group:
            to.check()
            add_comparison(ranked.number, other, lower, to, label)


def add_comparison(number: Sequence[int], other: Sequence[int], lower: int, to: Builder, label: str) -> None:
    """State that the other number, if it begins with the same symbol, is lower or, without that literal, higher."""
    # where two numbers cross they are equal
    pairs = [pair for pair in zip(number, other, strict=True) if pair[0] != pair[1]]
    equal = to.new(max(len(pairs) - 1, 0), f"{label}: equal up to here")
    unless: Clause = ()  # the literals of which one is true as soon as the numbers are not equal
    for place, (own, cell) in enumerate(pairs):
        is_first = (own, cell) == (number[0], other[0])
        own_literals = [to.x(own, symbol) for symbol in range(1, to.symbol_count + 1)]
        literals = [to.x(cell, symbol) for symbol in range(1, to.symbol_count + 1)]
        if not is_first:
            add_at_most(literals, own_literals, unless + (-lower,), to)
            add_at_most(own_literals, literals, unless + (lower,), to)
        go_on: Clause = (equal + place,) if place + 1 < len(pairs) else ()
        to.extend([unless + (-a, -b) + go_on for a, b in zip(own_literals, literals, strict=True)])
        unless = tuple([-literal for literal in go_on])


def add_at_most(literals: Sequence[int], bounds: Sequence[int], unless: Clause, to: Builder) -> None:
    """State that a cell holds no higher symbol than another one, both by their literals from the lowest symbol on."""
    clauses = []
    for count in range(1, len(literals)):
        clauses.append(unless + (-bounds[count - 1],) + tuple(literals[:count]))
    to.extend(clauses)
