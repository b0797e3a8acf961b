"""Sessions around a solver that gives one grid at a time.

Each grid is forbidden before the next question.
"""

from __future__ import annotations

import tempfile
from abc import abstractmethod
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from gridproof.backends.protocol import Session, Statistics
from gridproof.errors import BackendFailure, Interrupted
from gridproof.limits import Limits, Watch
from gridproof.models.targets import Model
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.runs import children

_LONGEST = 10**6
"""Seconds: a longer limit for a command is none. The system refuses waits of many years."""

_NO_WORK = Statistics()

M = TypeVar("M", bound=Model)
"""The kind of model."""


class BlockingSession(Session, Generic[M]):
    """A session that solves, yields the grid, forbids it and solves again.

    Subclasses write ``_begin``, ``_ask``, ``_forbid`` and ``_end``.
    """

    def __init__(self, model: M) -> None:
        super().__init__(model.problem)
        self._model = model
        self._watch = Watch()
        self._last = False
        """True if there is no grid after the one that ``_ask`` has returned."""

    @abstractmethod
    def _begin(self, board: Board) -> None:
        """Take the board, each cell of which has a candidate."""

    @abstractmethod
    def _ask(self) -> SymbolTuple | None:
        """Return a grid that is not forbidden, or ``None``. Raises ``Interrupted`` and ``BackendFailure``."""

    @abstractmethod
    def _forbid(self, grid: SymbolTuple, board: Board) -> None:
        """Never give this grid again for this board."""

    def _end(self) -> None:
        """Forget the board and what was forbidden, in whatever state things are."""

    def _solutions(self, board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
        watch = self._watch = Watch(limits)
        self._statistics = _NO_WORK
        self._last = False
        if board.marks is not None and 0 in board.candidates:
            return
        try:
            self._begin(board)
            while True:
                watch.before_question()
                grid = self._ask()
                if grid is None:
                    return
                watch.before_next_solution()
                yield grid
                if self._last:
                    return
                self._forbid(grid, board)
        finally:
            self._end()

    def _count(self, conflicts: int, /, **figures: int) -> None:
        """Add the cost of a question: conflicts in the sense of limits, and figures of ``Statistics``."""
        self._watch.conflicts += conflicts
        self._add_figures(self._watch, **figures)

    def _unanswered(self, why: str, *, timed: bool = False) -> Exception:
        """Return the error for a solver that stopped without an answer: a limit came first, or else it broke.

        timed: it looks at the clock itself, so it may stop a moment before the time is over. Raises ``Interrupted`` if
        the time is over.
        """
        self._watch.look()
        limits = self._watch.limits
        by_time = timed and limits.seconds is not None
        by_conflicts = limits.conflicts is not None
        if by_time and by_conflicts:  # two limits may have stopped it: the conflicts, if none is left
            by_conflicts = self._watch.conflicts_left() == 0
        if by_conflicts:
            return Interrupted("conflicts", limits.conflicts)
        if by_time:
            return Interrupted("seconds", limits.seconds)
        return BackendFailure(why)


class CommandSession(BlockingSession[M]):
    """A session of a command, which is a new process each time, with a folder for its files."""

    def __init__(self, model: M) -> None:
        super().__init__(model)
        self._temporary = tempfile.TemporaryDirectory(prefix="gridproof-")
        self._folder = Path(self._temporary.name)

    def close(self) -> None:
        super().close()
        self._temporary.cleanup()


def run_within(watch: Watch, command: Sequence[str], folder: Path) -> tuple[int, str, str]:
    """Run a command. Raises ``Interrupted`` at the time limit of a watch, ``BackendFailure`` if nothing can be run."""
    seconds = watch.remaining()
    try:
        return children.run_command(command, folder, None if seconds is None or seconds > _LONGEST else seconds)
    except TimeoutError:
        raise Interrupted("seconds", watch.limits.seconds) from None
    except (OSError, ValueError) as problem:  # a ValueError for a word with a zero byte
        raise BackendFailure(f"{command[0]}: {problem}") from None
