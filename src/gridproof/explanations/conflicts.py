"""Minimal sets that contradict, and minimal sets to leave out, by one incremental solver.

A set is minimal if it no longer does its job without any one of its members. Another set may be smaller all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from gridproof.backends.capabilities import Incremental
from gridproof.limits import Watch
from gridproof.puzzle.geometry import Geometry
from gridproof.runs.interrupts import PysatsHandlerOff, ctrl_c_waits

Oracle: TypeAlias = Callable[[list[int]], list[int] | None]
"""Takes members; returns some of them that do the job as well, or ``None`` if all together do not."""


def minimal(members: Sequence[int], enough: Oracle) -> list[int] | None:
    """Find one minimal set that does the job, by deletion.

    Chinneck and Dravnieks 1991, "Locating minimal infeasible constraint sets in linear programs"; Marques-Silva 2010,
    "Minimal unsatisfiability: models, algorithms and applications".

    Parameters
    ----------
    members
        Those that come first are left out if they can be.
    enough
        The job. With more members it must not be harder.

    Returns
    -------
    list of int, or None
        In the order of ``members``; ``None`` if all of them together are not enough.

    Examples
    --------
    >>> minimal([1, 2, 3, 4], lambda members: members if sum(members) >= 6 else None)
    [3, 4]
    """
    needed = enough(list(members))
    for member in tuple(needed or ()):
        if needed and member in needed:
            fewer = enough([other for other in needed if other != member])
            needed = needed if fewer is None else fewer
    return needed


def contradicting(solver: Incremental, watch: Watch, fixed: Sequence[int] = ()) -> Oracle:
    """Return the job of contradicting: which of some assumptions, with the ``fixed`` ones, have no model together."""

    def core(members: list[int]) -> list[int] | None:
        if solver.solve([*fixed, *members], watch):
            return None
        needed = set(solver.core())
        return [member for member in members if member in needed]

    return core


def conflicts(solver: Incremental, groups: Sequence[int], watch: Watch) -> Iterator[list[int]]:
    """Find every minimal set of assumptions that contradict, smallest first; none if all together have a model."""

    def left_out(chosen: list[int]) -> list[int] | None:
        return _left_out(solver, groups, watch) if solver.solve(chosen, watch) else None

    for chosen in _smallest_first(left_out, watch):
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

    def conflict(chosen: list[int]) -> list[int] | None:
        if len(chosen) > size:
            return []  # which ends the search
        return core([group for group in groups if group not in chosen])

    for chosen in _smallest_first(conflict, watch, known):
        if chosen and (number := count(chosen)):
            size = len(chosen)
            yield chosen, number


def _smallest_first(
    other: Callable[[list[int]], list[int] | None], watch: Watch, known: Sequence[int] = ()
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


def _left_out(solver: Incremental, groups: Sequence[int], watch: Watch) -> list[int]:
    """Find a minimal correction set: what a largest set of groups with a model leaves out, from the solver's model."""
    kept: list[int] = []
    rest = list(groups)
    out: list[int] = []
    while True:
        true = set(solver.model())
        kept += [group for group in rest if group in true]
        rest = [group for group in rest if group not in true]
        while rest:
            group = rest.pop(0)
            if solver.solve([*kept, group], watch):
                kept.append(group)
                break
            out.append(group)
        else:
            return out


def always_has_a_grid(geometry: Geometry) -> bool:
    """Return whether rows and columns, perhaps with boxes, are all its houses: each row a shift of the first is a grid.

    Spares a question that takes seconds on large boards; where it is ``False``, only a solver knows.
    """
    return geometry.regions is None and not geometry.families and not geometry.extra
