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
        if 0 in board.candidates:
            return
        try:
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

    def _count(self, watch: Watch, conflicts: int, /, **figures: int) -> None:
        """What a question has cost: conflicts in the sense of limits, and figures of ``Statistics``."""
        watch.conflicts += conflicts
        before = {name: getattr(self._statistics, name) or 0 for name in figures}
        after = {name: before[name] + figure for name, figure in figures.items()}
        self._statistics = Statistics(seconds=watch.elapsed, **after)
