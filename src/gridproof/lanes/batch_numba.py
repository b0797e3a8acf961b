"""The batch of the compiled search: 512 lanes at once, one bit each in a vector of eight words.

Everything here is an array, a number, or a named tuple of these, as numba takes it; numba itself is not needed.
"""

from __future__ import annotations

from collections import namedtuple
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridproof.lanes.layout import DIVING_ROOM, Layout, flatten
from gridproof.lanes.search_task import SearchResult, SearchTask

WORDS = 8
"""Machine words in a vector."""

LANES = 64 * WORDS

STRIDE = 65
"""Vectors per 64 lanes by lane: one more than 64, or the words of a lane would compete for one set of the cache."""

PLANES = 4
"""Planes of a score, which stops at 15: to go on brings nothing on the classic board."""

Tables = namedtuple(
    "Tables",
    "order planes house_candidates house_flags segment_starts segment_cells family_starts family_sides rest_starts"
    " rest_cells part_starts parts_of bare_cells view_starts views groups",
)
"""``Layout`` as flat arrays, lists of lists with where each begins; cells as offsets into ``state``.

house_candidates, house_flags: for each house and place, the offset of the cell's first candidate in ``state`` and of
the cell in ``flags``. parts_of: for each cell the offsets in ``Batch.parts`` of what its segments, and families that
have it in their rest, may keep. bare_cells: the cells of bare houses. planes: of the number of a group."""

Batch = namedtuple(
    "Batch",
    "clues masks allowed max_branches worth_sharing state flags by_lane parts scores status stack levels slots at_rest"
    " queue crew mode again codes first second branches",
)
"""Puzzles, what was found of them so far, and the state of the search.

slots: for each lane its puzzle (-1 when idle), the first and the next row of its stack, and the depth of its node: how
many branches led there. levels: the depth of each row of the stack. at_rest: the slots of lanes at rest, a row for each
thing to do. queue: next puzzle, next and number of puzzles to be searched again, listed in ``again``. crew: lanes at
work on each puzzle. Codes: 0 none, 1
unique, 2 multiple, 3 open."""


def make_vectors(rows: int) -> NDArray[np.uint64]:
    """Zeros of shape (rows, WORDS) that start where a vector may lie: at a multiple of its bytes."""
    flat = np.zeros(rows * WORDS + WORDS, np.uint64)
    start = -flat.ctypes.data // 8 % WORDS
    return flat[start : start + rows * WORDS].reshape(rows, WORDS)


def protected(values: NDArray[Any]) -> NDArray[Any]:
    """Return a view that cannot be written to, whatever the array allows.

    To numba these are two types, for each of which it would compile the search.
    """
    view = values.view()
    view.flags.writeable = False
    return view


@lru_cache(maxsize=64)
def tables_of(layout: Layout) -> Tables:
    cell_words = layout.order * WORDS
    segment_starts, segment_cells = flatten(layout.segments)
    family_starts, family_sides = flatten([family.sides for family in layout.families])
    rest_starts, rest_cells = flatten([family.rest for family in layout.families])
    part_starts, parts_of = flatten(list_parts(layout))
    view_starts, views = flatten(layout.views_of)
    return Tables(
        order=layout.order,
        planes=len(layout.groups).bit_length(),
        house_candidates=layout.houses.ravel() * cell_words,
        house_flags=layout.houses.ravel() * WORDS,
        segment_starts=segment_starts,
        segment_cells=segment_cells * cell_words,
        family_starts=family_starts,
        family_sides=family_sides,
        rest_starts=rest_starts,
        rest_cells=rest_cells * cell_words,
        part_starts=part_starts,
        parts_of=parts_of * WORDS,
        bare_cells=layout.houses[list(layout.bare)].ravel() * cell_words,
        view_starts=view_starts,
        views=views,
        groups=layout.groups.ravel(),
    )


def list_parts(layout: Layout) -> list[list[int]]:
    """Return for each cell the numbers of its segments, and of the families that have it in their rest.

    Those of families follow the segments and their two sides.
    """
    parts_of: list[list[int]] = [[] for _ in range(layout.cell_count)]
    for number, segment in enumerate(layout.segments):
        for cell in segment:
            parts_of[cell].append(number)
    for number, family in enumerate(layout.families, 3 * len(layout.segments)):
        for cell in family.rest:
            parts_of[cell].append(number)
    return parts_of


def begin(task: SearchTask) -> tuple[Batch, Tables]:
    """Return the arguments of the compiled search at its beginning."""
    layout = task.layout
    order = layout.order
    tables = tables_of(layout)
    rows = -(-(layout.candidate_count + 4 + tables.planes) // 64)
    puzzles = len(task.clues)
    symbols = [1 << symbol for symbol in range(order)]
    scores_of_parts = 6 * len(layout.segments) + PLANES * len(layout.bare)
    slots = np.zeros((LANES, 4), np.int64)
    slots[:, 0] = -1  # at first no lane has a puzzle
    batch = Batch(
        clues=protected(task.clues),
        masks=protected(task.masks),
        allowed=np.array([(1 << order) - 1, *symbols], np.uint64),
        max_branches=task.max_branches,
        worth_sharing=task.worth_sharing,
        state=make_vectors(64 * rows),
        flags=make_vectors(layout.cell_count),
        by_lane=make_vectors(STRIDE * rows),
        parts=make_vectors(max(scores_of_parts, 3 * len(layout.segments) + len(layout.families))),
        scores=make_vectors(PLANES * layout.candidate_count),
        status=make_vectors(2 + max(2 * order, PLANES)),
        stack=np.empty((LANES, task.max_depth + DIVING_ROOM, rows), np.uint64),
        levels=np.zeros((LANES, task.max_depth + DIVING_ROOM), np.int16),
        slots=slots,
        at_rest=np.zeros((4, LANES), np.int64),
        queue=np.zeros(3, np.int64),
        crew=np.zeros(puzzles, np.int32),
        mode=np.zeros(puzzles, np.uint8),
        again=np.zeros(puzzles, np.int64),
        **SearchResult.blank(task)._asdict(),
    )
    return batch, tables
