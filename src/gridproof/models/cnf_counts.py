"""Counts in clauses, and what every translation to clauses needs of the model under construction."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Protocol

from gridproof.rules.primitives import Count, Sum
from gridproof.runs.interrupts import PysatsHandlerOff

MOST_SUBSETS = 500
"""A count with more subsets of cells than this is said by PySAT's sequential counter."""


class Builder(Protocol):
    """What a translation needs of the model under construction."""

    order: int

    def x(self, cell: int, symbol: int) -> int:
        """The literal "cell holds symbol"."""

    def new(self, number: int, label: str) -> int:
        """The first of so many new variables."""

    def add(self, clause: Sequence[int]) -> None:
        """One more clause."""

    def at_most_one(self, literals: tuple[int, ...], label: str) -> None:
        """At most one of the literals, by the scheme that the encoding has for houses."""

    def choice(self, key: str) -> str:
        """What the encoding's table ``[rule]`` says for a key."""

    @property
    def top(self) -> int:
        """The largest variable so far."""


class LinearBuilder(Builder, Protocol):
    """A builder whose choice for ``sum`` is ``linear``."""

    def linear(self, total: Sum, unless: Sequence[int] = ()) -> None:
        """The sum holds, or one of the literals ``unless`` is true."""


def add_count(count: Count, to: Builder, label: str) -> None:
    number = len(count.cells)
    if count.low > number or count.high < 0 or count.low > count.high:
        never(to, label)
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
    subsets = 1
    for k in range(size):
        subsets = subsets * (len(literals) - k) // (k + 1)
    if subsets <= MOST_SUBSETS:
        for subset in combinations(literals, size):
            to.add(subset)
        return
    from pysat.card import CardEnc, EncType

    with PysatsHandlerOff():
        encoded = CardEnc.atleast(list(literals), bound=low, top_id=to.top, encoding=EncType.seqcounter)
    if encoded.nv > to.top:
        to.new(encoded.nv - to.top, f"{label}: counter")
    for clause in encoded.clauses:
        to.add(clause)


def never(to: Builder, label: str) -> None:
    """What cannot be, without an empty clause: a guard turns it into "not this option"."""
    variable = to.new(1, f"{label}: impossible")
    to.add((variable,))
    to.add((-variable,))
