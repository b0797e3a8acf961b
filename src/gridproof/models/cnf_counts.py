"""Numbers of true literals -> clauses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

from gridproof.models.clauses import Builder
from gridproof.rules.primitives import Count
from gridproof.runs.interrupts import PysatsHandlerOff

MOST_SUBSETS = 500
"""Largest number of subsets of cells for a count that is stated by them; above it PySAT's sequential counter is."""


def add_count(count: Count, to: Builder, label: str) -> None:
    literals = []
    if 1 <= count.symbol <= to.symbol_count:
        literals = [to.x(cell, count.symbol) for cell in count.cells]
    if count.low > len(literals) or count.high < max(count.low, 0):
        to.never(label)
        return
    add_at_least(literals, count.low, to, label)
    add_at_least([-literal for literal in literals], len(literals) - count.high, to, label)


def add_at_least(literals: Sequence[int], low: int, to: Builder, label: str) -> None:
    """State that so many of the literals are true: in each set that is larger than the others may be, one is."""
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
    to.extend([tuple(clause) for clause in encoded.clauses])
