"""Counts in clauses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

from gridproof.models.builder import Builder
from gridproof.rules.primitives import Count
from gridproof.runs.interrupts import PysatsHandlerOff

MOST_SUBSETS = 500
"""A count with more subsets of cells than this is said by PySAT's sequential counter."""


def add_count(count: Count, to: Builder, label: str) -> None:
    """Say how many of the cells hold one of the values."""
    number = len(count.cells)
    if count.low > number or count.high < 0 or count.low > count.high:
        to.never(label)
        return
    literals = [_holds_one_of(cell, count.values, to, label) for cell in count.cells]
    _at_least(literals, count.low, to, label)
    _at_least([-literal for literal in literals], number - count.high, to, label)


def _holds_one_of(cell: int, values: Sequence[int], to: Builder, label: str) -> int:
    """A literal that is true exactly when the cell holds one of the values."""
    literals = [to.x(cell, value) for value in values if 1 <= value <= to.order]
    if len(literals) == 1:
        return literals[0]
    variable = to.new(1, f"{label}: one of {' '.join(map(str, values))}")
    to.add((-variable, *literals))
    for literal in literals:
        to.add((-literal, variable))
    return variable


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
    to.take(encoded, f"{label}: counter")
