"""The compiled search of the lanes, called without numba: 512 at once, one bit each in a vector of eight words."""

from __future__ import annotations

from collections import namedtuple
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridproof.lanes.layout import Layout, layout_of
from gridproof.lanes.machine_code import MachineCode
from gridproof.puzzle.geometry import Geometry

WORDS = 8
"""Machine words in a vector."""

LANES = 64 * WORDS

STRIDE = 65
"""Vectors per 64 lanes by lane: one more than 64, or the words of a lane would compete for one set of the cache."""

PLANES = 4
"""Planes of a score, which stops at 15: to go on brings nothing on the classic board."""

PASSES = 64
"""Passes of one call of ``run``, which take up to some hundred milliseconds: when it returns, Ctrl-C is delivered."""


Tables = namedtuple(
    "Tables",
    "order planes house_candidates house_flags segment_starts segment_cells family_starts family_sides rest_starts"
    " rest_cells bare_cells view_starts views groups",
)
"""``Layout`` as flat arrays, lists of lists with where each begins; cells as offsets into ``state``.

house_candidates, house_flags: for each house and place, the offset of the cell's first candidate in ``state`` and of
the cell in ``flags``. bare_cells: the cells of bare houses. planes: of the number of a group."""

Batch = namedtuple(
    "Batch",
    "clues masks allowed max_branches state flags by_lane parts scores status stack slots queue crew mode again codes"
    " first second branches",
)
"""Puzzles, what was found of them so far, and the state of the search.

slots: for each lane its puzzle (-1 when idle), the depth where its search began and its depth. queue: next puzzle, next
and number of puzzles to be searched again, listed in ``again``. crew: lanes at work on each puzzle. Codes: 0 none, 1
unique, 2 multiple, 3 open."""


def _aligned(rows: int) -> NDArray[np.uint64]:
    """Zeros of shape (rows, WORDS) that start where a vector may lie: at a multiple of its bytes."""
    flat = np.zeros(rows * WORDS + WORDS, np.uint64)
    start = -flat.ctypes.data // 8 % WORDS
    return flat[start : start + rows * WORDS].reshape(rows, WORDS)


@lru_cache(maxsize=64)
def _tables(layout: Layout) -> Tables:
    def flat(lists: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        return starts, np.array([value for values in lists for value in values], np.int64)

    cell_words = layout.order * WORDS
    segment_starts, segment_cells = flat(layout.segments)
    rest_starts, rest_cells = flat([family.rest for family in layout.families])
    return Tables(
        layout.order,
        len(layout.groups).bit_length(),
        layout.houses.ravel() * cell_words,
        layout.houses.ravel() * WORDS,
        segment_starts,
        segment_cells * cell_words,
        *flat([family.sides for family in layout.families]),
        rest_starts,
        rest_cells * cell_words,
        layout.houses[list(layout.bare)].ravel() * cell_words,
        *flat(layout.views_of),
        layout.groups.ravel(),
    )


def _state(
    layout: Layout, clues: NDArray[np.uint8], masks: NDArray[np.uint32], max_depth: int, max_branches: int
) -> tuple[Batch, Tables]:
    """Return the arguments of ``run`` at the beginning of a search."""
    order, tables = layout.order, _tables(layout)
    rows = -(-(layout.candidate_count + 3 + tables.planes) // 64)
    puzzles = len(clues)
    slots = np.zeros((LANES, 3), np.int64)
    slots[:, 0] = -1  # at first no lane has a puzzle
    batch = Batch(
        clues,
        masks,
        allowed=np.array([(1 << order) - 1] + [1 << symbol for symbol in range(order)], np.uint64),
        max_branches=max_branches,
        state=_aligned(64 * rows),
        flags=_aligned(layout.cell_count),
        by_lane=_aligned(STRIDE * rows),
        parts=_aligned(6 * len(layout.segments) + PLANES * len(layout.bare)),
        scores=_aligned(PLANES * layout.candidate_count),
        status=_aligned(2 + max(2 * order, PLANES)),
        stack=np.empty((LANES, max_depth, rows), np.uint64),
        slots=slots,
        queue=np.zeros(3, np.int64),
        crew=np.zeros(puzzles, np.int32),
        mode=np.zeros(puzzles, np.uint8),
        again=np.zeros(puzzles, np.int64),
        codes=np.zeros(puzzles, np.uint8),
        first=np.zeros(clues.shape, np.uint8),
        second=np.zeros(clues.shape, np.uint8),
        branches=np.zeros(puzzles, np.int64),
    )
    return batch, tables


def _example() -> tuple[Any, ...]:
    no_masks = np.zeros((0, 16), np.uint32)
    return *_state(layout_of(Geometry.classic(2)), np.zeros((1, 16), np.uint8), no_masks, 1, 1), PASSES


run = MachineCode("gridproof.lanes.passes", "run", _example)


def search(
    layout: Layout, clues: NDArray[np.uint8], masks: NDArray[np.uint32], max_depth: int, max_branches: int
) -> tuple[NDArray[Any], ...]:
    """Search every puzzle; ``masks`` of no rows stands for "from the clues". Return the fields of a ``LaneResult``."""
    batch, tables = _state(layout, clues, masks, max_depth, max_branches)
    while not run(batch, tables, PASSES):
        pass
    return batch.codes, batch.first, batch.second, batch.branches
