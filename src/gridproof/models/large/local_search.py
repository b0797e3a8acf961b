"""Look for a solution of a large board by repairing a grid: one conflicted cell after the other takes another symbol.

Where marginals do not condense to a grid, they still say where to start: each open cell takes its likeliest symbol.
Min-conflicts (Minton, Johnston, Philips and Laird 1992) then picks any cell that holds what a peer holds, and its best
other candidate that was not left lately (tabu; Hertz and de Werra 1987); a change for the worse is made with a
probability that falls with how much worse it is (Metropolis). Random boards of order 64 with 60 % and of order 144 with
68 % of their cells given, which neither marginals nor a solver solve, take a second or a few; with 2 % less given they
end in a few dozen conflicts that no patience mends.

It proves nothing: a grid without conflicts is a solution, no grid says nothing. The steps are plain loops over
integers: numba compiles them where it is installed, and Python takes fewer of them where it is not.

This module exists for NumPy and imports it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gridproof.limits import Watch
from gridproof.models.large.propagation import Flags, Reduction

TEMPERATURE = 0.29
TENURE = 1000
"""Steps for which a candidate that was left is not taken again, and one more for each conflicted cell."""

_STEPS = {True: 30_000_000, False: 4_000_000}
"""Steps of a search, compiled or not: some seconds."""

_STEPS_PER_LOOK = 10
"""A search is made in so many parts, between which it looks at the clock."""

MOST_CANDIDATES = 100_000
"""Open candidates up to which there is hope: of boards with more, none was ever solved so."""

_RANDOM = 2**31 - 1
_WORST = 12
"""A change that adds more conflicts than this is never made."""


def search(reduction: Reduction, weights: npt.NDArray[np.float64], seed: int, watch: Watch) -> Flags | None:
    """The candidates of a solution, or ``None``. Raises ``Interrupted`` when the time of ``watch`` is over.

    weights: how likely each candidate is; the search starts from the likeliest of each cell.
    """
    if reduction.candidate_count > MOST_CANDIDATES:
        return None
    starts = np.flatnonzero(np.diff(reduction.cells, prepend=-1))
    ends = np.append(starts[1:], reduction.candidate_count)
    number = np.repeat(np.arange(len(starts)), ends - starts)
    chosen = np.lexsort((weights, number))[ends - 1]
    counts, holders = (np.zeros(int(reduction.groups.max()) + 1, dtype=np.int64) for _ in range(2))
    for groups in reduction.groups[1:, chosen]:
        np.add.at(counts, groups, 1)
        np.add.at(holders, groups, np.arange(len(starts)))
    houses = np.ascontiguousarray(reduction.groups[1:].T)
    crowded = np.flatnonzero(((counts[houses[chosen]] > 1) & (houses[chosen] < reduction.real_groups)).any(axis=1))
    conflicted, place = np.zeros(len(starts), dtype=np.int64), np.full(len(starts), -1)
    conflicted[: len(crowded)] = crowded
    place[crowded] = np.arange(len(crowded))
    chances = (_RANDOM * np.exp(np.arange(_WORST + 1) / -TEMPERATURE)).astype(np.int64)
    state = np.array([len(crowded), seed % (_RANDOM - 1) + 1, 0])
    run, compiled = _steps()
    free_at = np.zeros(len(number), dtype=np.int64)
    tables: Any = (starts, ends, houses, chosen, counts, holders, conflicted, place, free_at, state, chances)
    if not compiled:
        tables = tuple([table.tolist() for table in tables])
    for _ in range(_STEPS_PER_LOOK):
        watch.look()
        run(tables, reduction.real_groups, TENURE, _STEPS[compiled] // _STEPS_PER_LOOK)
        if not tables[9][0]:  # no conflict is left
            true = np.zeros(reduction.candidate_count, dtype=bool)
            true[tables[3]] = True
            return true
    return None


@cache
def _steps() -> tuple[Callable[..., None], bool]:
    """The loop, and whether it is compiled."""
    try:
        compile_: Any = importlib.import_module("numba").njit
    except ImportError:
        return _repair, False
    try:
        return compile_(_repair, cache=True, nogil=True), True
    except RuntimeError:  # numba found no writable cache folder
        return compile_(_repair, nogil=True), True


def _repair(tables: Any, real: int, tenure: int, steps: int) -> None:
    """Take ``steps`` steps, or fewer to a solution.

    counts, holders: of the cells that hold the symbol of a group, how many, and the sum of their numbers (so that of
    one it is the number). conflicted, place: the cells in conflict, and where in that list each cell is, or -1. state:
    how many those are, the last random number, the steps taken. Indexing alone, so that arrays and lists both do.
    """
    starts, ends, houses, chosen, counts, holders, conflicted, place, free_at, state, chances = tables
    size, random, now = state[0], state[1], state[2]
    last = now + steps
    while size > 0 and now < last:
        now += 1
        random = random * 48271 % 2147483647
        cell = conflicted[random % size]
        old = chosen[cell]
        best, least, ties = -1, 1 << 30, 0
        for candidate in range(starts[cell], ends[cell]):
            if candidate == old or free_at[candidate] > now:
                continue
            cost = 0
            for group in houses[candidate]:
                if group < real:
                    cost += counts[group]
            if cost < least:
                best, least, ties = candidate, cost, 1
            elif cost == least:
                ties += 1
                random = random * 48271 % 2147483647
                if random % ties == 0:
                    best = candidate
        if best < 0:
            continue
        worse = least
        for group in houses[old]:
            if group < real:
                worse -= counts[group] - 1
        if worse > 0:
            random = random * 48271 % 2147483647
            if worse >= len(chances) or random >= chances[worse]:
                continue
        chosen[cell] = best
        free_at[old] = now + tenure + size
        for group in houses[old]:
            if group < real:
                counts[group] -= 1
                holders[group] -= cell
                if counts[group] == 1:  # the one that is left may be in no conflict any more
                    other = holders[group]
                    alone = True
                    for its in houses[chosen[other]]:
                        if its < real and counts[its] > 1:
                            alone = False
                    if alone and place[other] >= 0:
                        size -= 1
                        conflicted[place[other]] = conflicted[size]
                        place[conflicted[size]] = place[other]
                        place[other] = -1
        alone = True
        for group in houses[best]:
            if group < real:
                if counts[group] == 1 and place[holders[group]] < 0:
                    place[holders[group]] = size
                    conflicted[size] = holders[group]
                    size += 1
                if counts[group] > 0:
                    alone = False
                counts[group] += 1
                holders[group] += cell
        if alone and place[cell] >= 0:
            size -= 1
            conflicted[place[cell]] = conflicted[size]
            place[conflicted[size]] = place[cell]
            place[cell] = -1
    state[0], state[1], state[2] = size, random, now
