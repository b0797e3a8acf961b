"""Estimate the number of solutions by random probes, many at once.

A probe walks down the tree of a search: it propagates singles, takes a cell with the fewest candidates, and one of
these at random, until the grid is full or contradicts itself. The product of the numbers of candidates on its way, or 0
for a contradiction, has the number of solutions as its expectation (Knuth 1975, Estimating the efficiency of backtrack
programs; Chen, Diaconis, Holmes and Liu 2005, Sequential Monte Carlo methods for statistical analysis of tables).
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from math import exp, sqrt
from typing import Any, NamedTuple

import numpy as np

from gridproof.lanes import check_grids
from gridproof.limits import Watch
from gridproof.puzzle.geometry import Geometry

_CANDIDATES = 3_000_000
"""Candidates of all boards that are probed at a time."""

_WIDTH = 1.959964
"""Standard errors to either side of an interval of 95 %."""


class Estimate(NamedTuple):
    """The mean of some probes, an interval of 95 % about it, and how many probes of equal weight are worth as much.

    The interval is that of a log-normal mean: the mean times and over the exponential of 1.96 relative standard errors.
    It is too narrow where few probes carry all the weight.
    """

    number: int
    low: int
    high: int
    effective: float


def estimate(geometry: Geometry, candidates: Sequence[int], probes: int, seed: int, watch: Watch) -> Estimate:
    """Estimate the number of solutions from the candidates of each cell.

    Raises ``Interrupted`` if a limit came first.

    Examples
    --------
    >>> from gridproof.puzzle.geometry import Geometry
    >>> found = estimate(Geometry.classic(2), [0b1111] * 16, 4000, 1, Watch())
    >>> found.low <= 288 <= found.high
    True
    """
    random = np.random.default_rng(seed)
    at_once = max(1, _CANDIDATES // geometry.order**3)
    parts = []
    for begun in range(0, probes, at_once):
        number = min(at_once, probes - begun)
        parts.append(_probe(geometry, candidates, number, random, watch))
    logs = np.concatenate(parts)
    largest = logs.max()
    if not np.isfinite(largest):
        return Estimate(0, 0, 0, 0.0)
    weights = np.exp(logs - largest)
    mean = weights.mean()
    error = weights.std() / sqrt(probes)

    def whole(factor: float) -> int:
        return round(Decimal(float(largest)).exp() * Decimal(float(mean) * factor))

    spread = exp(_WIDTH * error / mean)
    effective = float(weights.sum() ** 2 / (weights**2).sum())
    return Estimate(whole(1), whole(1 / spread), whole(spread), effective)


def _probe(geometry: Geometry, candidates: Sequence[int], number: int, random: Any, watch: Watch) -> Any:
    """Return the logarithm of the weight of each of so many probes."""
    order = geometry.order
    houses = np.array([house.cells for house in geometry.houses])
    masks = np.tile(np.array(candidates, np.uint32), (number, 1))
    logs = np.zeros(number)
    rows = np.arange(number)
    while True:
        watch.look()
        _propagate(masks, houses)
        counts = np.zeros(masks.shape, np.int8)
        for symbol in range(order):
            counts += (masks >> symbol & 1).astype(np.int8)
        logs[(counts == 0).any(axis=1)] = -np.inf
        masks[~np.isfinite(logs)] = 0
        walking = np.isfinite(logs) & (counts > 1).any(axis=1)
        if not walking.any():
            break
        open_counts = np.where(counts > 1, counts, order + 1)
        cells = np.argmin(open_counts + random.random(counts.shape) / 2, axis=1)  # of equals one at random
        choices = counts[rows, cells]
        # the chosen candidate is the last one that so many lower ones precede
        skipped = (random.random(number) * choices).astype(int)
        chosen = masks[rows, cells]
        for _ in range(order):
            chosen = np.where(skipped > 0, chosen & (chosen - 1), chosen)
            skipped -= 1
        masks[rows[walking], cells[walking]] = (chosen & (~chosen + 1))[walking]
        logs[walking] += np.log(choices[walking])
    grids = np.zeros(masks.shape, np.uint8)
    for symbol in range(order):
        grids[masks == 1 << symbol] = symbol + 1
    given = np.tile(np.array(candidates, np.uint32), (number, 1))
    return np.where(check_grids(grids, order, houses, grids, given), logs, -np.inf)


def _propagate(masks: Any, houses: Any) -> None:
    """Remove what naked and hidden singles exclude, until nothing changes."""
    before = np.zeros_like(masks)
    while (masks != before).any():
        before = masks.copy()
        for house in houses:
            cells = masks[:, house]
            alone = cells & (cells - 1) == 0
            once = np.bitwise_or.accumulate(cells, axis=1)
            twice = np.bitwise_or.reduce(once[:, :-1] & cells[:, 1:], axis=1, initial=0)
            taken = np.bitwise_or.reduce(np.where(alone, cells, 0), axis=1)
            hidden = cells & (once[:, -1] & ~twice)[:, None]
            masks[:, house] = np.where(alone, cells, np.where(hidden, hidden, cells & ~taken[:, None]))
