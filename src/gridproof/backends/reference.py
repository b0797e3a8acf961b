"""The reference as a backend, so that it can be compared with the others by the same means.

A cross-check of it is useless: it would be compared with itself.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from time import monotonic

from gridproof.backends.protocol import Backend, Session, Statistics
from gridproof.limits import Limits, Watch
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Grid
from gridproof.trust import reference


class ReferenceSession(Session):
    """Holds a geometry and the figures of the last board, nothing else of it."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self._effort = reference.Effort()
        self._seconds = 0.0

    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        self._effort = effort = reference.Effort()
        self._seconds = 0.0
        search = reference.solutions(board, effort, Watch(limits))
        while True:
            started = monotonic()
            try:
                grid = next(search, None)
            finally:
                self._seconds += monotonic() - started
            if grid is None:
                return
            yield grid

    @property
    def statistics(self) -> Statistics:
        """Nodes, tries and dead ends of the last board, and the seconds spent searching, not between solutions."""
        effort = self._effort
        return Statistics(nodes=effort.nodes, tries=effort.tries, dead_ends=effort.dead_ends, seconds=self._seconds)


class ReferenceBackend(Backend):
    """The independent backtracker of ``gridproof.trust.reference``."""

    name = "reference"
    family = "search"
    accepts = "problem"
    summary = "the independent backtracker that answers are cross-checked with"

    def _open(self, model: Problem) -> Session:
        return ReferenceSession(model)


def backends() -> Iterable[Backend]:
    """The backends of this module."""
    return [ReferenceBackend()]
