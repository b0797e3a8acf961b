"""The reference as a backend, so that it can be compared with the others by the same means.

Never choose it to be cross-checked: it would be compared with itself.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from time import monotonic

from gridproof.backends.protocol import Backend, Model, Session, Statistics
from gridproof.errors import BackendUnavailable
from gridproof.limits import Limits, Watch
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, Grid
from gridproof.trust import reference


class ReferenceSession(Session):
    """Holds a geometry and the figures of the last board, nothing else of it."""

    def __init__(self, geometry: Geometry) -> None:
        super().__init__(geometry)
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
    accepts = "geometry"
    summary = "the independent backtracker that answers are cross-checked with"

    def open(self, model: Model) -> Session:
        """A session for a geometry. Raises ``BackendUnavailable`` for any other kind of model."""
        if not isinstance(model, Geometry):
            raise BackendUnavailable(
                f"backend 'reference' was given a {type(model).__name__}; expected a geometry: it takes no encoding"
            )
        return ReferenceSession(model)


def backends() -> Iterable[Backend]:
    """The backends of this module."""
    return [ReferenceBackend()]
