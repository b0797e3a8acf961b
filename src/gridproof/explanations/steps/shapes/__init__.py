"""Names of steps: every module of this folder has a ``SHAPE``, so a new file needs no registration.

A shape offers sets of facts among which a reason of its kind must be, if there is one for a goal. Whether they are
enough is found by the solver; so a shape never has to prove anything.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module

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
        Takes the position, the goal and a minimal reason among such facts; returns whether it has this shape.
    """

    name: str
    place: float
    offers: Callable[[Position, Goal], Iterable[Sequence[Fact]]]
    fits: Callable[[Position, Goal, Sequence[Fact]], bool] = lambda position, goal, reason: True


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
