"""The open sessions of a pipeline: each is lent to one question at a time, and a bounded number of them is kept.

A session holds the houses and rules of its problem: some megabytes for a SAT solver. When there are as many as may be
kept open, the one used longest ago makes room. A session that is lent, because a question is being answered
or an iterator of solutions is neither at its end nor closed, is never closed to make room.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager

from gridproof.backends.protocol import Session
from gridproof.errors import Interrupted
from gridproof.puzzle.board import Problem

MOST_OPEN = 16
"""Sessions kept open; there are more only while more are lent."""


class Sessions:
    """Sessions by problem. Threads may share it.

    Parameters
    ----------
    open_session
        Opens a session for a problem.
    crashed
        Says in a sentence what came out of a session that was closed, for a warning.
    """

    def __init__(self, open_session: Callable[[Problem], Session], crashed: Callable[[BaseException], str]) -> None:
        self._open = open_session
        self._crashed = crashed
        self._idle: list[tuple[Problem, Session]] = []  # the one given back longest ago first
        self._lent: set[Session] = set()
        self._lock = threading.RLock()  # collecting garbage closes iterators, and they give their session back

    def __len__(self) -> int:
        """Return the number of open sessions."""
        return len(self._lent) + len(self._idle)

    def lent(self, problem: Problem) -> AbstractContextManager[Session]:
        """A session for a problem that is nobody else's in this block.

        It is kept for the next question if this one ended as the protocol allows: by itself, by a limit, or because the
        asker had enough. Whatever else comes out of it, it is closed.
        """
        return _Loan(self, problem)

    def waiting(self, problem: Problem) -> Session:
        """The session that the next question about a problem is given; opened if there is none."""
        session = self._take(problem)
        self._give_back(problem, session, True)
        return session

    def close(self) -> None:
        """Close every session; one that is lent, when it is given back.

        One that crashes at that is a warning: what it answered before was checked.
        """
        with self._lock:
            superfluous = self._superfluous(0)
            self._lent.clear()
        for session in superfluous:
            self._close(session)

    def _take(self, problem: Problem) -> Session:
        with self._lock:
            for place in reversed(range(len(self._idle))):
                idle_for, session = self._idle[place]
                if idle_for == problem and not session.at_work:  # somebody may use what ``waiting`` gave
                    del self._idle[place]
                    self._lent.add(session)
                    return session
            superfluous = self._superfluous(MOST_OPEN - 1)
        for session in superfluous:
            self._close(session)
        session = self._open(problem)
        with self._lock:
            self._lent.add(session)
        return session

    def _give_back(self, problem: Problem, session: Session, good: bool) -> None:
        with self._lock:
            kept = good and session in self._lent  # not if close was called in the meantime
            self._lent.discard(session)
            if kept:
                self._idle.append((problem, session))
            superfluous = self._superfluous(MOST_OPEN)
        for other in superfluous:
            self._close(other)
        if not kept:
            self._close(session, warn=good)

    def _superfluous(self, most: int) -> list[Session]:
        """Those to be closed so that no more than ``most`` are open, as far as they are not lent."""
        number = min(max(len(self) - most, 0), len(self._idle))
        superfluous = [session for _, session in self._idle[:number]]
        del self._idle[:number]
        return superfluous

    def _close(self, session: Session, *, warn: bool = True) -> None:
        try:
            session.close()
        except KeyboardInterrupt:
            raise
        except BaseException as problem:
            if warn:  # else its crash has been reported already
                warnings.warn(f"{self._crashed(problem)} (while it was closed)", RuntimeWarning, stacklevel=4)


class _Loan:
    """See ``Sessions.lent``; a generator as a context manager would take several times as long."""

    __slots__ = ("_problem", "_session", "_sessions")

    def __init__(self, sessions: Sessions, problem: Problem) -> None:
        self._sessions, self._problem = sessions, problem

    def __enter__(self) -> Session:
        self._session = self._sessions._take(self._problem)
        return self._session

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        good = kind is None or issubclass(kind, (Interrupted, GeneratorExit))
        self._sessions._give_back(self._problem, self._session, good)
