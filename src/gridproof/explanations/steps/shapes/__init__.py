"""Names of steps: every module of this folder has ``SHAPES``, so a new file needs no registration.

A shape offers sets of facts among which a reason of its kind must be, if there is one for a goal. Whether they are
enough is found by the solver; so a shape never has to prove anything.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from importlib import import_module
from operator import or_
from typing import Any

from gridproof.explanations.steps.step import Fact, Goal, Position


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of step that people have a name for.

    Parameters
    ----------
    name
        Its name, in small letters.
    place
        Where it stands in the usual order: the first shape that fits gives the name.
    offers
        Takes a position and a goal; returns sets of facts, each of which may hold a reason of this shape.
    fits
        Takes the position, the goal and a minimal reason among the facts of an offer; returns whether it has this
        shape. If not given, it has if all cells and places of the offer are needed.
    twins
        Names of shapes that may be the same pattern seen in another way.
    within
        Takes a position and a goal; returns facts among which all that is offered is. So one question tells whether to
        look at all shapes that have the same function here.
    """

    name: str
    place: float
    offers: Callable[[Position, Goal], Iterable[Sequence[Fact]]]
    fits: Callable[[Position, Goal, Sequence[Fact]], bool] | None = None
    twins: tuple[str, ...] = ()
    within: Callable[[Position, Goal], Iterable[Fact]] | None = None


@cache
def shapes() -> tuple[Shape, ...]:
    """Return all shapes in the usual order.

    Examples
    --------
    >>> [shape.name for shape in shapes()][:3]
    ['full house', 'hidden single', 'naked single']
    """
    found: list[Shape] = []
    for module in pkgutil.iter_modules(__path__):
        found += import_module(f"{__name__}.{module.name}").SHAPES
    return tuple(sorted(found, key=lambda shape: shape.place))


def one_symbol(position: Position, goal: Goal) -> list[Fact]:
    """Return all facts about the symbol of a goal."""
    houses = range(0 if goal.placed else len(position.board.geometry.houses))
    return [fact for house in houses for fact in (Fact("place", house, goal.symbol), Fact("once", house))]


def rules_of(position: Position, kind: str) -> Iterator[tuple[int, Any]]:
    """Yield the rules of a kind, each once, with their numbers."""
    rules = position.board.rules
    return ((number, rule) for number, rule in enumerate(rules) if rule.kind == kind and rules.index(rule) == number)


def one_rule(name: str, place: float, kind: str) -> Shape:
    """Return the shape that is one rule of a kind, and nothing else."""

    def offers(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
        for number, rule in rules_of(position, kind):
            if goal.cell in rule.scope(position.board.geometry):
                yield [Fact("rule", number)]

    return Shape(name, place, offers)


def union(masks: Iterable[int]) -> int:
    """Return the union of sets that are integers with a bit for each member."""
    return reduce(or_, masks, 0)
