"""The reference as a backend, so that it can be compared with the others by the same means.

A cross-check of it is useless: it would be compared with itself.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable

from gridproof.backends.protocol import Backend, Session, Statistics
from gridproof.backends.solvers.search.session import TimedSession
from gridproof.limits import Limits, Watch
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.trust import reference


class ReferenceSession(TimedSession):
    """Holds a geometry and the figures of the last board, nothing else of it."""

    _effort = reference.Effort()

    def _solutions(self, board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
        self._effort = reference.Effort()
        yield from self._timed(reference.solutions(board, self._effort, Watch(limits)))

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
    """Return the backends of this module."""
    return [ReferenceBackend()]
