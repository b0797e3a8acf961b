"""A search of many puzzles, as both kernels take it, and its result, as both give it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gridproof.lanes.layout import WORTH_SHARING, Layout

Numbers: TypeAlias = NDArray[np.int64]


class SearchTask(NamedTuple):
    """Puzzles of one geometry, and the bounds of the search of each.

    clues: (puzzles, cells) symbols, 0 where there is none. masks: (puzzles, cells) candidates, which count instead of
    the clues; no rows if the clues count. max_depth, max_branches: a puzzle that reaches one of them is left open.
    worth_sharing: idle lanes take over branches of a search that has made so many.
    """

    layout: Layout
    clues: NDArray[np.uint8]
    masks: NDArray[np.uint32]
    max_depth: int
    max_branches: int
    worth_sharing: int = WORTH_SHARING

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

    def rows(self, numbers: Numbers) -> SearchResult:
        """Return the findings of some puzzles."""
        return SearchResult(self.codes[numbers], self.first[numbers], self.second[numbers], self.branches[numbers])

    def forget(self, numbers: Numbers) -> None:
        """Make the findings of some puzzles those of a search that has not begun."""
        for column in self:
            column[numbers] = 0

    @classmethod
    def join(cls, parts: Sequence[SearchResult]) -> SearchResult:
        """Return the results of parts of a task as one."""
        if len(parts) == 1:
            return parts[0]
        columns = zip(*parts, strict=True)
        return cls(*[np.concatenate(column) for column in columns])


FollowUp: TypeAlias = Callable[[Numbers, NDArray[np.uint8], SearchResult], tuple[Numbers, NDArray[np.uint8]]]
"""Takes the numbers of puzzles that are done, their clues and their findings. Returns those of the numbers under which
another puzzle is to be searched, and its clues."""

Search: TypeAlias = Callable[[SearchTask], SearchResult]


class Kernel(Protocol):
    """A module that searches."""

    def search(self, task: SearchTask) -> SearchResult:
        """Search every puzzle."""

    def search_in_turn(self, task: SearchTask, follow_up: FollowUp) -> None:
        """Search every puzzle, and those that follow."""


def search_in_rounds(search: Search, task: SearchTask, numbers: Numbers, follow_up: FollowUp) -> None:
    """Search every puzzle, and when all are done, those that follow. numbers: those of the puzzles."""
    while len(numbers):
        numbers, clues = follow_up(numbers, task.clues, search(task))
        task = task._replace(clues=clues)
