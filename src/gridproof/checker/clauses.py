"""The clauses of the parts of rules, over the variables of cells and further ones; see ``machines``.

Where a function takes the number n of digits, a symbol is its place among them, from 1 on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import TypeAlias

from .statement import Layout

Clauses: TypeAlias = Iterator[list[int]]

Rows: TypeAlias = list[tuple[int, ...]]
"""The kinds of beginnings of one length that can be continued to the end of the line: for each, and for each
symbol, the kind of the beginning that is longer by this symbol, or -1 if that one cannot be continued."""


Sets: TypeAlias = tuple[tuple[int, ...], ...]
"""For each group of cells the set of symbols that its cells hold, ascending."""


def take(fresh: Iterator[int], number: int) -> list[int]:
    """Return so many further variables."""
    return list(islice(fresh, number))


def line_clauses(cells: tuple[int, ...], rows: list[Rows], n: int, fresh: Iterator[int]) -> Clauses:
    """Yield clauses for: each symbol takes a beginning of one kind to one of the next, or is impossible.

    From two cells on, a variable stands for each kind of beginning; a beginning of one cell is its symbol.
    """
    if not rows[0]:
        for symbol in range(1, n + 1):
            yield [-(cells[0] * n + symbol)]
        return
    # for each kind of beginning so far: the clause that holds unless the line begins so, and the number of the kind
    beginnings: list[tuple[list[int], int]] = [([], 0)]
    for place, cell in enumerate(cells):
        is_first = place == 0
        is_last = place + 1 == len(cells)
        variables: list[int] = []
        if not is_first and not is_last:
            variables = take(fresh, len(rows[place + 1]))
        longer = [([-variable], kind) for kind, variable in enumerate(variables)]
        for condition, kind in beginnings:
            for symbol, target in enumerate(rows[place][kind], 1):
                clause = condition + [-(cell * n + symbol)]
                if target < 0:
                    yield clause
                elif is_first:
                    longer.append((clause, target))
                elif not is_last:
                    yield clause + [variables[target]]
        beginnings = longer


def choice_clauses(groups: tuple[tuple[int, ...], ...], variables: Mapping[Sets, int], layout: Layout) -> Clauses:
    """Yield clauses for: the groups hold one of these tuples of sets, each of which has a variable.

    A set has its symbols and no others, and a symbol needs a set that has it.
    """
    yield list(variables.values())
    for place, group in enumerate(groups):
        for symbol in layout.digits:
            literals = [layout.variable(cell, symbol) for cell in group]
            having = [variable for sets, variable in variables.items() if symbol in sets[place]]
            lacking = [variable for sets, variable in variables.items() if symbol not in sets[place]]
            for variable in having:
                yield [-variable] + literals
            for literal in literals:
                yield [-literal] + having
            for variable in lacking:
                for literal in literals:
                    yield [-variable, -literal]


def distinct_clauses(cells: tuple[int, ...], n: int) -> Clauses:
    """Yield clauses for: no two cells hold the same symbol; and n different cells hold every symbol."""
    for a, b in combinations(cells, 2):
        for symbol in range(1, n + 1):
            yield [-(a * n + symbol), -(b * n + symbol)]
    if len(set(cells)) == len(cells) == n:
        for symbol in range(1, n + 1):
            yield [cell * n + symbol for cell in cells]


def repeated_clauses(cells: tuple[int, ...], n: int, fresh: Iterator[int]) -> Clauses:
    """Yield clauses for: a variable of two cells is true, and if it is, the second holds what the first holds."""
    if len(set(cells)) < len(cells):
        return  # a cell holds what it holds
    pairs = list(combinations(cells, 2))
    if not pairs:
        yield from ([-(cells[0] * n + symbol)] for symbol in range(1, n + 1))
        return
    chosen = take(fresh, len(pairs))
    yield chosen
    for (a, b), variable in zip(pairs, chosen, strict=True):
        for symbol in range(1, n + 1):
            yield [-variable, -(a * n + symbol), b * n + symbol]


def region_clauses(
    literals: Sequence[Sequence[int]], neighbours: Sequence[Sequence[int]], most: int, fresh: Iterator[int]
) -> Clauses:
    """Yield clauses for: some cells are in a region, and each of them is reached from the first one.

    literals: for each cell, that it holds one of the digits of the region. most: the most cells of a region. A variable
    stands for each cell in the region, and for each cell that is reached within so many steps.
    """
    inside = take(fresh, len(literals))
    for variable, held in zip(inside, literals, strict=True):
        yield [-variable] + list(held)
        for literal in held:
            yield [-literal, variable]
    yield inside
    reached = take(fresh, len(literals))
    for place, root in enumerate(reached):
        yield [-root, inside[place]]
        for earlier in inside[:place]:
            yield [-root, -earlier]
    for _ in range(most - 1):
        before = reached
        reached = take(fresh, len(literals))
        for place, variable in enumerate(reached):
            yield [-variable, inside[place]]
            yield [-variable, before[place]] + [before[other] for other in neighbours[place]]
    for variable, last in zip(inside, reached, strict=True):
        yield [-variable, last]
