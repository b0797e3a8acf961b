"""Choose the candidate that lanes branch on, in NumPy: as ``choice``, on arrays of one byte per candidate and lane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gridproof.lanes.layout import Layout

Bits = NDArray[np.uint8]
Numbers = NDArray[np.int64]


def choose(layout: Layout, bits: Bits) -> Numbers:
    """The candidate to branch on for each lane of ``bits`` (candidates, lanes)."""
    order, cells, lanes = layout.order, layout.cell_count, bits.shape[1]
    tables = _tables(layout)
    # A cell more, without candidates, and a part and a view more, which count for nothing: tables are padded with them.
    state = np.zeros((cells + 1, order, lanes), np.uint8)
    state[:cells] = bits.reshape(cells, order, lanes)
    counts = np.zeros((len(tables.parts), order, lanes), np.uint8)
    for column in tables.parts.T:
        counts += state[column]
    np.minimum(counts, 3, out=counts)
    segments = len(layout.segments)
    views = np.zeros((segments + len(layout.bare) + 1, order, lanes), np.uint8)
    np.subtract(3, counts[:segments], out=views[:segments])
    for column in tables.beyond.T:
        views[:segments] += counts[column]
    views[segments:-1] = [state[layout.houses[house]].sum(axis=0, dtype=np.uint8) for house in layout.bare] or 0
    np.minimum(views, 15, out=views)
    scores = np.repeat(((state[:cells].sum(axis=1, dtype=np.uint8) > 2) & tables.several)[:, None], order, axis=1)
    scores = scores.view(np.uint8)
    for column in tables.views.T:
        scores += views[column]
    np.minimum(scores, 15, out=scores)
    scores |= state[:cells] - np.uint8(1)  # 255 where there is no candidate
    flat = scores.reshape(layout.candidate_count, lanes)
    lower = flat[layout.groups[:, 0]]
    left = bits[layout.groups[:, 0]]
    for column in layout.groups.T[1:]:
        np.minimum(lower, flat[column], out=lower)
        left += bits[column]
    lower[left != 2] = 0
    best = lower.argmax(axis=0)
    none = np.flatnonzero(lower[best, np.arange(lanes)] == 0)
    counted = bits[:, none].reshape(cells, order, len(none)).sum(axis=1, dtype=np.uint8)
    # The groups of the cells come last.
    best[none] = len(layout.groups) - cells + np.where(counted > 1, counted, 255).argmin(axis=0)
    members = layout.groups[best]
    return np.asarray(members[np.arange(lanes), bits[members, np.arange(lanes)[:, None]].argmax(axis=1)])


@dataclass(frozen=True, eq=False)
class ChoiceTables:
    """The cells that scores are counted from, padded.

    parts: cells of each segment, then of each family's rest. beyond: for each segment the parts beyond it in its two
    houses. views: for each cell. several: cells with more than one view.
    """

    parts: Numbers
    beyond: Numbers
    views: Numbers
    several: NDArray[np.bool_]


@lru_cache(maxsize=64)
def _tables(layout: Layout) -> ChoiceTables:
    segments = len(layout.segments)
    beyond: list[list[int]] = [[] for _ in range(segments)]
    for number, family in enumerate(layout.families):
        for side in family.sides:
            beyond[side // 2] += [other // 2 for other in family.sides if other != side] + [segments + number]
    parts = [*layout.segments, *(family.rest for family in layout.families), ()]
    return ChoiceTables(
        _padded(parts, layout.cell_count),
        _padded(beyond, len(parts) - 1),
        _padded(layout.views_of, segments + len(layout.bare)),
        np.array([[len(views) > 1] for views in layout.views_of]),
    )


def _padded(lists: Sequence[Sequence[int]], filler: int) -> Numbers:
    width = max(map(len, lists), default=0)
    rows = [[*values, *[filler] * (width - len(values))] for values in lists]
    return np.array(rows, np.int64).reshape(len(rows), width)
