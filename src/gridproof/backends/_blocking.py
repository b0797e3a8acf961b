"""Sessions of solvers that are asked for one grid at a time: each grid is forbidden before the next question."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator

from gridproof.backends.protocol import Session, Statistics
from gridproof.errors import Interrupted
from gridproof.limits import Limits, Watch
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Grid


class BlockingSession(Session):
    """Asks, yields, forbids and asks again. Subclasses write ``_begin``, ``_ask``, ``_forbid`` and ``_end``."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self._statistics = Statistics()

    @property
    def statistics(self) -> Statistics:
        return self._statistics

    @abstractmethod
    def _begin(self, board: Board) -> None:
        """Take the board, each cell of which has a candidate."""

    @abstractmethod
    def _ask(self, watch: Watch) -> Grid | None:
        """A grid that is not forbidden, or ``None`` if there is none. Raises ``Interrupted`` and ``BackendFailure``."""

    @abstractmethod
    def _forbid(self, grid: Grid, board: Board) -> None:
        """Never give this grid again for this board."""

    def _end(self) -> None:
        """Forget the board and what was forbidden, in whatever state things are."""

    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        watch = Watch(limits)
        self._statistics = Statistics(seconds=0.0)
        try:
            if 0 in board.candidates:
                return
            self._begin(board)
            while True:
                watch.before_search()
                watch.look()
                if watch.conflicts_left() == 0:  # solvers look at this limit so rarely that one may have answered
                    raise Interrupted("conflicts", limits.conflicts)
                if (grid := self._ask(watch)) is None:
                    return
                watch.before_next_solution()
                yield grid
                self._forbid(grid, board)
        finally:
            self._end()

    def _count(self, watch: Watch, decisions: int | None, conflicts: int | None) -> None:
        """What a question has cost."""
        before = self._statistics
        watch.conflicts += conflicts or 0
        self._statistics = Statistics(
            decisions=None if decisions is None else (before.decisions or 0) + decisions,
            conflicts=None if conflicts is None else (before.conflicts or 0) + conflicts,
            seconds=watch.elapsed,
        )
