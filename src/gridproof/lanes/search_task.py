"""A search of many puzzles, as both kernels take it, and its result, as both give it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gridproof.lanes.layout import Layout


class SearchTask(NamedTuple):
    """Puzzles of one geometry, and the bounds of the search of each.

    clues: (puzzles, cells) symbols, 0 where there is none. masks: (puzzles, cells) candidates, which count instead of
    the clues; no rows if the clues count. max_depth, max_branches: a puzzle that reaches one of them is left open.
    """

    layout: Layout
    clues: NDArray[np.uint8]
    masks: NDArray[np.uint32]
    max_depth: int
    max_branches: int

    def part(self, start: int, stop: int) -> SearchTask:
        """Return the search of the puzzles from ``start`` to ``stop - 1``."""
        return self._replace(clues=self.clues[start:stop], masks=self.masks[start:stop])


class SearchResult(NamedTuple):
    """The findings by puzzle; see ``LaneResult``."""

    codes: NDArray[np.uint8]
    first: NDArray[np.uint8]
    second: NDArray[np.uint8]
    branches: NDArray[np.int64]

    @classmethod
    def blank(cls, task: SearchTask) -> SearchResult:
        """Return the result of a search that has not begun."""
        number = len(task.clues)
        return cls(
            codes=np.zeros(number, np.uint8),
            first=np.zeros(task.clues.shape, np.uint8),
            second=np.zeros(task.clues.shape, np.uint8),
            branches=np.zeros(number, np.int64),
        )

    @classmethod
    def join(cls, parts: Sequence[SearchResult]) -> SearchResult:
        """Return the results of parts of a task as one."""
        if len(parts) == 1:
            return parts[0]
        columns = zip(*parts, strict=True)
        return cls(*[np.concatenate(column) for column in columns])


Search: TypeAlias = Callable[[SearchTask], SearchResult]
