"""Names of steps: every module of this folder has ``PATTERNS``, so a new file needs no registration.

A pattern offers sets of facts among which a reason of its kind must be, if there is one for a goal. Whether they are
enough is found by the solver; so a pattern never has to prove anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import TypeAlias

from gridproof.discovery import collect
from gridproof.solving.chain import Chain, Order
from gridproof.solving.position import Candidate, Fact, Goal, Position

ChainSearch: TypeAlias = Callable[[Position, Order, tuple[Candidate, ...], tuple[Fact, ...] | None], Iterable[Chain]]
"""A function that finds chains that exclude some candidates."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A kind of step that people have a name for.

    Parameters
    ----------
    name
        Its name, in small letters.
    place
        Where it stands in the usual order: the first pattern that fits gives the name.
    offers
        Takes a position and a goal; returns sets of facts, each of which may hold a reason of this pattern. Those of
        cells or places alone are offered with all houses in which two of these, or one and the goal, are.
    fits
        Takes the position and a minimal reason among the facts of an offer; returns whether it has this pattern. If not
        given, it has if all cells, places and rules of the offer are needed.
    twins
        Names of patterns that may be the same pattern seen in another way.
    one_symbol
        Whether all that is offered is about the symbol of the goal. Then one question settles whether to look at any
        such pattern.
    may_be_dual
        Whether two of it that have a house in common, and each give one of two goals, have a name together.
    along_chain
        Whether its story and its picture go along a chain, if its facts make one.
    chains
        Takes the position, the canonical order, the candidates to remove and the only facts to use, or ``None`` for
        all; returns chains, each for all of these candidates. A pattern with chains makes no other offers.
    """

    name: str
    place: float
    offers: Callable[[Position, Goal], Iterable[Sequence[Fact]]]
    fits: Callable[[Position, Sequence[Fact]], bool] | None = None
    twins: tuple[str, ...] = ()
    one_symbol: bool = False
    may_be_dual: bool = False
    along_chain: bool = False
    chains: ChainSearch | None = None


@cache
def patterns() -> tuple[Pattern, ...]:
    """Return all patterns in the usual order.

    Examples
    --------
    >>> [pattern.name for pattern in patterns()][:3]
    ['full house', 'hidden single', 'naked single']
    """
    return tuple(sorted(collect(__name__, "PATTERNS"), key=attrgetter("place")))


def cell_facts(cells: Iterable[int]) -> list[Fact]:
    """Return the facts that cells hold something."""
    return [Fact("cell", cell) for cell in cells]


def cell_set(cells: Iterable[int]) -> int:
    """Return a set of cells as an integer with a bit for each."""
    return union([1 << cell for cell in cells])


def union(masks: Iterable[int]) -> int:
    """Return the union of sets that are integers with a bit for each member."""
    members = 0
    for mask in masks:
        members |= mask
    return members
