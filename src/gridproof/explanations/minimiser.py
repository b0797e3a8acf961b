"""Minimal sets: one that is enough for a purpose, all that contradict, and all smallest ones to leave out.

A set is minimal if it is no longer enough without any one of its members. Another set may be smaller all the same.
``minimise`` is the loop for every purpose: what is enough, and which members should go first, is the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from typing import TypeAlias, TypeVar

from gridproof.backends.protocol import Incremental
from gridproof.limits import Watch
from gridproof.runs.interrupts import PysatsHandlerOff, ctrl_c_waits

Member = TypeVar("Member", bound=Hashable)

Enough: TypeAlias = Callable[[list[Member]], Collection[Member] | None]
"""Takes members; returns those of them that are enough as well (all, if it has no idea), or ``None`` if all are not."""

_ONE_BY_ONE = 4
"""Number of members in a row that go one by one before more than one is left out at once."""


def minimise(members: Iterable[Member], enough: Enough[Member]) -> list[Member] | None:
    """Find one minimal set that is enough, by adaptive deletion.

    Where member after member can go, twice as many are tried at once each time: a long run of them costs few questions.

    Parameters
    ----------
    members
        Those that come first are left out if they can be.
    enough
        The question. If more members may be fewer (as with rules that lean on each other), ask again about the result.

    Returns
    -------
    list or None
        In the order of ``members``; ``None`` if all of them together are not enough.

    References
    ----------
    Chinneck and Dravnieks 1991, Locating minimal infeasible constraint sets in linear programs. Marques-Silva 2010,
    Minimal unsatisfiability: models, algorithms and applications.

    Examples
    --------
    >>> minimise([1, 2, 3, 4], lambda kept: kept if sum(kept) >= 6 else None)
    [3, 4]
    """
    order = list(members)
    first = enough(order)
    if first is None:
        return None
    needed: list[Member] = []
    rest = _among(first, order)
    at_once = 1
    in_a_row = 0
    while rest:
        fewer = enough(needed + rest[at_once:])
        if fewer is not None:
            rest = _among(fewer, rest[at_once:])
            in_a_row += 1
            if in_a_row >= _ONE_BY_ONE:
                at_once *= 2
        elif at_once > 1:
            at_once //= 2
            in_a_row = 0
        else:
            needed.append(rest.pop(0))
            in_a_row = 0
    return needed


def redundant(members: Iterable[Member], enough: Enough[Member]) -> list[Member]:
    """Find the members that can be left out on their own, of some that are enough together.

    Examples
    --------
    >>> redundant([1, 2, 3, 4], lambda kept: kept if sum(kept) >= 8 else None)
    [1, 2]
    """
    order = list(members)
    in_each = set(enough(order) or ())
    needed = set()
    for member in order:
        if member in in_each:
            fewer = enough([other for other in order if other != member])
            if fewer is None:
                needed.add(member)
            else:
                in_each &= set(fewer)
    return [member for member in order if member not in needed]


def _among(some: Iterable[Member], members: Iterable[Member]) -> list[Member]:
    chosen = set(some)
    return [member for member in members if member in chosen]


def contradicting(solver: Incremental, watch: Watch, fixed: Sequence[int] = ()) -> Enough[int]:
    """Return the question which of some assumptions, with the ``fixed`` ones, have no model together."""

    def core(members: list[int]) -> Collection[int] | None:
        if solver.solve(list(fixed) + members, watch):
            return None
        return _among(solver.core(), members)

    return core


def conflicts(
    solver: Incremental, groups: Sequence[int], watch: Watch, fixed: Sequence[int] = ()
) -> Iterator[list[int]]:
    """Find every minimal set of assumptions that contradict with the ``fixed`` ones, smallest first.

    None is found if all together have a model.
    """

    def helps(left_out: list[int]) -> Collection[int] | None:
        kept = set(groups).difference(left_out)
        if not solver.solve(list(fixed) + _among(kept, groups), watch):
            return None
        return set(left_out).difference(solver.model())

    def correction(chosen: list[int]) -> Collection[int] | None:
        return minimise([group for group in groups if group not in chosen], helps)

    for chosen in _smallest_first(correction, watch):
        yield sorted(chosen, key=groups.index)


def corrections(
    solver: Incremental,
    groups: Sequence[int],
    watch: Watch,
    count: Callable[[list[int]], int],
    known: Sequence[int] = (),
) -> Iterator[tuple[list[int], int]]:
    """Find the smallest sets of assumptions without which the others have a model, all of one size.

    count: returns the number of solutions without a set, which is passed on; sets without any are left out. known: a
    conflict to begin with. Nothing is found if all assumptions together have a model, or if nothing helps.
    """
    core = contradicting(solver, watch)
    size = len(groups)

    def conflict(chosen: list[int]) -> Collection[int] | None:
        if len(chosen) > size:
            return []  # which ends the search
        return core([group for group in groups if group not in chosen])

    for chosen in _smallest_first(conflict, watch, known):
        number = count(chosen) if chosen else 0
        if number:
            size = len(chosen)
            yield chosen, number


def _smallest_first(
    other: Callable[[list[int]], Collection[int] | None], watch: Watch, known: Sequence[int] = ()
) -> Iterator[list[int]]:
    """Find all minimal sets that have a member of each set of another family, smallest first.

    By implicit hitting sets (Ignatiev, Previti, Liffiton and Marques-Silva 2015, "Smallest MUS extraction with minimal
    hitting set dualization"): conflicts are the hitting sets of corrections, and corrections those of conflicts. other:
    returns a set of the other family of which nothing is chosen, ``None`` if there is none, an empty one to end the
    search. known: a set of the other family.
    """
    from pysat.examples.hitman import Hitman

    with PysatsHandlerOff():
        sets = Hitman(solver="g4", bootstrap_with=[list(known)] if known else [])
    try:
        while True:
            with PysatsHandlerOff():
                chosen = sets.get() if sets.oracle else []
            if chosen is None:
                return
            missed = other(chosen)
            if missed is None:
                yield chosen
                if not chosen:
                    return
                sets.block(chosen)
                watch.look()
            elif missed:
                with PysatsHandlerOff():
                    sets.hit(missed)
            else:
                return
    finally:
        with ctrl_c_waits():
            sets.delete()
