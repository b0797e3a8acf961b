"""Minimal sets of assumptions that contradict, by one incremental solver.

A set is minimal if without any one of its members there is a model; another set may be smaller all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gridproof.backends.capabilities import Incremental
from gridproof.limits import Watch
from gridproof.puzzle.geometry import Geometry
from gridproof.runs.interrupts import PysatsHandlerOff, ctrl_c_waits


def minimal(solver: Incremental, groups: Sequence[int], watch: Watch, fixed: Sequence[int] = ()) -> list[int] | None:
    """One minimal set, by deletion from an unsatisfiable core.

    Chinneck and Dravnieks 1991, "Locating minimal infeasible constraint sets in linear programs"; Marques-Silva 2010,
    "Minimal unsatisfiability: models, algorithms and applications".

    Parameters
    ----------
    solver
        With the clauses that always hold.
    groups
        Assumptions, each of which switches something on; those that come first are left out if they can be.
    watch
        Of all questions together.
    fixed
        Assumptions that are not to be left out.

    Returns
    -------
    list of int, or None
        In the order of ``groups``; ``None`` if all of them together have a model.

    Raises
    ------
    Interrupted
        If a limit came first.
    """

    def core(some: Sequence[int]) -> list[int] | None:
        if solver.solve([*fixed, *some], watch):
            return None
        left = set(solver.core())
        return [group for group in some if group in left]

    needed = core(groups)
    for group in tuple(needed or ()):
        if needed and group in needed:
            fewer = core([other for other in needed if other != group])
            needed = needed if fewer is None else fewer
    return needed


def all_minimal(solver: Incremental, groups: Sequence[int], watch: Watch, fixed: Sequence[int]) -> Iterator[list[int]]:
    """Every minimal set, smallest first; none if all ``groups`` together have a model. Parameters as of ``minimal``.

    By implicit hitting sets (Ignatiev, Previti, Liffiton and Marques-Silva 2015, "Smallest MUS extraction with minimal
    hitting set dualization"): a smallest set that has a member of each *correction set* found, which is what a model
    leaves out, either contradicts, and is a smallest one, or has a model that leaves out another correction set.
    """
    from pysat.examples.hitman import Hitman

    if solver.solve([*fixed, *groups], watch):
        return
    sets = Hitman(solver="g4")
    try:
        while True:
            with PysatsHandlerOff():
                chosen = sets.get() if sets.oracle else []
            if chosen is None:
                return
            if solver.solve([*fixed, *chosen], watch):
                left_out = _left_out(solver, groups, watch, fixed)
                with PysatsHandlerOff():
                    sets.hit(left_out)
                continue
            yield sorted(chosen, key=groups.index)
            if not chosen:
                return
            sets.block(chosen)
            watch.look()
    finally:
        with ctrl_c_waits():
            sets.delete()


def _left_out(solver: Incremental, groups: Sequence[int], watch: Watch, fixed: Sequence[int]) -> list[int]:
    """A minimal correction set: what a largest set of groups with a model leaves out. The solver has just found one."""
    kept: list[int] = []
    left = list(groups)
    out: list[int] = []
    while True:
        true = set(solver.model())
        kept += [group for group in left if group in true]
        left = [group for group in left if group not in true]
        while left:
            group = left.pop(0)
            if solver.solve([*fixed, *kept, group], watch):
                kept.append(group)
                break
            out.append(group)
        else:
            return out


def always_has_a_grid(geometry: Geometry) -> bool:
    """Whether rows and columns, perhaps with boxes, are all its houses: each row a shift of the first makes a grid.

    Spares a question that takes seconds on large boards; where it is ``False``, only a solver knows.
    """
    return geometry.regions is None and not geometry.families and not geometry.extra
