"""Kinds of rules about other rules, and the parts that fit exactly where others do not; see ``machines``."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import chain
from typing import TypeAlias

from .findings import Refusal
from .machines import Distinct, Line, Machine, Part, Region, Repeated, Some, kind, never
from .statement import Layout

Rules: TypeAlias = tuple[tuple[Part, ...], ...]
"""The parts of each rule that stands in a rule."""


@kind("any-of", rules="rules")
def _any_of(layout: Layout, rules: Rules) -> Iterator[Part]:
    """One of the rules is kept, or more."""
    yield Some(rules)


@kind("all-of", rules="rules")
def _all_of(layout: Layout, rules: Rules) -> Iterator[Part]:
    """All of the rules are kept."""
    return chain.from_iterable(rules)


@kind("none-of", rules="rules")
def _none_of(layout: Layout, rules: Rules) -> Iterator[Part]:
    """None of the rules is kept."""
    return (one_fails(parts) for parts in rules)


def one_fails(parts: tuple[Part, ...]) -> Part:
    """Return the part that fits where one of some parts does not."""
    if not parts:
        return never()
    return Some(tuple([negated(part) for part in parts]))


def negated(part: Part) -> tuple[Part, ...]:
    """Return parts of which all fit exactly where a part does not."""
    if isinstance(part, Distinct):
        return (Repeated(part.cells),)
    if isinstance(part, Repeated):
        return (Distinct(part.cells),)
    if isinstance(part, Some):
        return tuple([one_fails(option) for option in part.options])
    if isinstance(part, Region):
        raise Refusal("bad-rules", "a rule about a connected region in none-of; expected one that has a negation")
    return (Line(part.cells, negated_machine(part.machine)),)


def negated_machine(machine: Machine) -> Machine:
    """Return the machine that accepts what another one does not. Where that one has stopped, it reads on."""
    stopped = ()

    def step(state: tuple[Hashable, ...], symbol: int) -> tuple[Hashable, ...]:
        if state == stopped:
            return stopped
        after = machine.step(state[0], symbol)
        return stopped if after is None else (after,)

    def accepts(state: tuple[Hashable, ...]) -> bool:
        return state == stopped or not machine.accepts(state[0])

    def size(state: tuple[Hashable, ...]) -> int:
        return 1 if state == stopped else machine.size(state[0])

    return Machine((machine.start,), step, accepts, size)
