"""Sessions, and the open sessions of a pipeline: each is lent to one question at a time, and a bounded number is kept.

A session holds the houses and rules of its problem: some megabytes for a SAT solver. When there are as many as may be
kept open, the one used longest ago makes room. A session that is lent, because a question is being answered
or an iterator of solutions is neither at its end nor closed, is never closed to make room.
"""

from __future__ import annotations

import threading
import warnings
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import ClassVar

from gridproof.errors import BackendFailure, BoardError, InputError, Interrupted
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.runs.interrupts import Closing
from gridproof.text import counted
from gridproof.trust.answer import Statistics

MOST_OPEN = 16
"""Sessions of a pipeline that are kept open; there are more only while more are lent."""


class Turn:
    """A lock without waiting: a thread that comes while another is at work gets a ``BackendFailure``."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @property
    def taken(self) -> bool:
        """True while a thread is at work."""
        return self._lock.locked()

    def take(self) -> threading.Lock:
        """Return the lock for a ``with`` block. Raises ``BackendFailure`` if a thread is at work."""
        if self._lock.locked():
            raise BackendFailure(
                "another thread is at work here; expected one thread at a time (threads may share a Pipeline)"
            )
        return self._lock  # Ctrl-C cannot come between taking a lock by ``with`` and the block


class Solutions(Iterator[SymbolTuple]):
    """The iterator of one board. A plain generator that was closed would just end, and so claim to be complete."""

    __slots__ = ("_complete", "_generator", "_over", "_turn")

    def __init__(self, generator: Generator[SymbolTuple, None, None], turn: Turn) -> None:
        self._generator = generator
        self._turn = turn
        self._complete = False
        self._over = False

    def __next__(self) -> SymbolTuple:
        with self._turn.take():
            if self._over and not self._complete:
                raise BackendFailure("these solutions were cut off by a limit, an error or another board; start again")
            try:
                return next(self._generator)
            except StopIteration:
                self._complete = True
                raise
            except BaseException:
                self._over = True
                raise

    def close(self) -> None:
        """Stop here. Raises ``BackendFailure`` while another thread is in a step."""
        with self._turn.take():
            self._end()

    def _end(self) -> None:
        self._over = True
        self._generator.close()


class Session(Closing):
    """A backend with a model loaded, for one thread at a time.

    Subclasses write ``_solutions``, keep ``_statistics`` or write ``statistics``, and a ``close`` that first calls this
    one's. ``gridproof.backends.protocol`` has the contract.

    Parameters
    ----------
    problem
        The geometry and the rules that are loaded.

    Examples
    --------
    >>> from gridproof import backends, parse
    >>> board = parse("1... ..2. .3.. ...4")
    >>> with backends.find("reference").open(board.problem) as session:
    ...     list(session.solutions(board))
    [(1, 2, 4, 3, 3, 4, 2, 1, 4, 3, 1, 2, 2, 1, 3, 4)]
    """

    endable: ClassVar[bool] = False
    """True for sessions that work in a child process under a time limit."""

    def __init__(self, problem: Problem | Geometry) -> None:
        self.problem = Problem.of(problem)
        self._running: Solutions | None = None
        self._closed = False
        self._turn = Turn()
        self._statistics = Statistics()

    @property
    def geometry(self) -> Geometry:
        """The geometry of the problem."""
        return self.problem.geometry

    @property
    def at_work(self) -> bool:
        """True while a thread is in the middle of a step."""
        return self._turn.taken

    def solutions(self, board: Board, limits: Limits = NO_LIMITS) -> Solutions:
        """Return an iterator of each solution of a board; see ``gridproof.backends.protocol``.

        Parameters
        ----------
        board
            A board of the session's problem.
        limits
            What the board may cost.

        Returns
        -------
        Solutions
            Each grid once. It raises ``Interrupted`` if a limit comes before the end.

        Raises
        ------
        BoardError
            If the board does not belong to the session's problem.
        BackendFailure
            After ``close``, and while another thread is in the middle of a step.
        """
        with self._turn.take():
            if self._closed:
                raise BackendFailure("the session is closed; open another one")
            if not isinstance(board, Board) or not isinstance(limits, Limits):
                raise InputError(f"solutions({board!r}, {limits!r}); expected a Board, and Limits or nothing")
            if board.geometry is not self.geometry and board.geometry != self.geometry:
                message = f"a board of {board.geometry.description}; this session takes {self.geometry.description}"
                raise BoardError(message)
            if board.rules != self.problem.rules:
                raise BoardError(
                    f"a board with {counted(len(board.rules), 'rule')}; this session has loaded other rules"
                )
            self._stop_running()
            self._running = running = Solutions(self._solutions(board, limits), self._turn)
            return running

    @abstractmethod
    def _solutions(self, board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
        """The generator behind ``solutions``; it cleans up in a ``finally``."""

    @property
    def statistics(self) -> Statistics:
        """The counters for the last board so far."""
        return self._statistics

    def _add_figures(self, watch: Watch, **figures: int) -> None:
        """Add figures to the statistics."""
        after = {name: (getattr(self._statistics, name) or 0) + figure for name, figure in figures.items()}
        self._statistics = replace(self._statistics, seconds=watch.elapsed, **after)

    def close(self) -> None:
        """Free the solver. You may call it twice; afterwards the session takes no boards.

        Raises ``BackendFailure``, and closes nothing, while another thread is in the middle of a step.
        """
        with self._turn.take():
            self._closed = True
            self._stop_running()

    def _stop_running(self) -> None:
        if self._running is not None:
            running, self._running = self._running, None
            running._end()


class Sessions:
    """Sessions by problem. Threads may share it.

    Parameters
    ----------
    describe_crash
        Makes the sentence of a warning from the error of a session that was closed.
    """

    def __init__(self, describe_crash: Callable[[BaseException], str]) -> None:
        self._describe_crash = describe_crash
        self._idle: list[tuple[Problem, Session]] = []  # the one given back longest ago first
        self._lent: set[Session] = set()
        self._lock = threading.RLock()  # collecting garbage closes iterators, and they give their session back

    def __len__(self) -> int:
        """Return the number of open sessions."""
        return len(self._lent) + len(self._idle)

    @contextmanager
    def lend(self, problem: Problem, open_session: Callable[[Problem], Session]) -> Iterator[Session]:
        """Lend a session for a problem to this block alone; it is opened if there is none.

        It is kept for the next question if this one ended as the protocol allows: by itself, by a limit, or because the
        asker had enough. Whatever else comes out of it, it is closed.
        """
        session = self._take(problem, open_session)
        good = False
        try:
            yield session
            good = True
        except (Interrupted, GeneratorExit):
            good = True
            raise
        finally:
            self._give_back(problem, session, good)

    def next_session(self, problem: Problem, open_session: Callable[[Problem], Session]) -> Session:
        """Return the session that the next question about a problem is given; it is opened if there is none."""
        with self.lend(problem, open_session) as session:
            return session

    def close(self) -> None:
        """Close every session; one that is lent, when it is given back.

        One that crashes at that is a warning: what it answered before was checked.
        """
        with self._lock:
            self._lent.clear()
        self._shrink(0)

    def _take(self, problem: Problem, open_session: Callable[[Problem], Session]) -> Session:
        with self._lock:
            for place in reversed(range(len(self._idle))):
                idle_for, session = self._idle[place]
                if idle_for == problem and not session.at_work:  # the one that ``next_session`` returned may be in use
                    del self._idle[place]
                    self._lent.add(session)
                    return session
        self._shrink(MOST_OPEN - 1)
        session = open_session(problem)
        with self._lock:
            self._lent.add(session)
        return session

    def _give_back(self, problem: Problem, session: Session, good: bool) -> None:
        with self._lock:
            kept = good and session in self._lent  # not if close was called in the meantime
            self._lent.discard(session)
            if kept:
                self._idle.append((problem, session))
        self._shrink(MOST_OPEN)
        if not kept:
            self._close(session, warn=good)

    def _shrink(self, most: int) -> None:
        """Close the sessions used longest ago, so that no more than ``most`` are open, as far as they are not lent."""
        with self._lock:
            number = min(max(len(self) - most, 0), len(self._idle))
            superfluous = self._idle[:number]
            del self._idle[:number]
        for _, session in superfluous:
            self._close(session)

    def _close(self, session: Session, *, warn: bool = True) -> None:
        try:
            session.close()
        except KeyboardInterrupt:
            raise
        except BaseException as problem:
            if warn:  # else its crash has been reported already
                warnings.warn(f"{self._describe_crash(problem)} (while it was closed)", RuntimeWarning, stacklevel=4)
