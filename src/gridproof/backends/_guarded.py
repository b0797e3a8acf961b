"""Time limits for solvers that cannot be stopped: they work in a child process, which is ended when time is over.

Boards without a time limit stay in this process.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Generator
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import TYPE_CHECKING

from gridproof.backends.protocol import Backend, Model, Session, Statistics
from gridproof.board import Board
from gridproof.errors import BackendFailure, GridproofError
from gridproof.geometry import Grid
from gridproof.interrupts import ctrl_c_waits
from gridproof.limits import Limits, Watch

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess


LONGEST_WAIT = 3600.0
"""Seconds of one wait for the child: the system refuses waits of many years, or without end."""


class GuardedSession(Session):
    """``inner`` is a session of ``backend`` in this process; the child opens one of its own when it is first needed."""

    def __init__(self, backend: Backend, model: Model, inner: Session) -> None:
        super().__init__(inner.geometry)
        self._backend = backend
        self._model = model
        self._inner = inner
        self._child: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._statistics: Statistics | None = None

    @property
    def statistics(self) -> Statistics:
        return self._inner.statistics if self._statistics is None else self._statistics

    def close(self) -> None:
        super().close()
        self._end_child()
        self._inner.close()

    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        if limits.seconds is None:
            self._statistics = None
            yield from self._inner.solutions(board, limits)
            return
        self._statistics = Statistics()
        finished = False
        try:
            pipe = self._pipe if self._child is not None and self._child.is_alive() else None
            pipe = pipe or self._start_child()
            watch = Watch(limits)  # only now: to start a process is no work on the board
            pipe.send((board, Limits(conflicts=limits.conflicts, solutions=limits.solutions)))
            while True:
                pipe.send("next")
                while not pipe.poll(min(watch.remaining() or 0.0, LONGEST_WAIT)):
                    watch.look()
                news, self._statistics = pipe.recv()
                if isinstance(news, tuple):
                    yield news
                    continue
                finished = True
                if news is not None:
                    raise news
                return
        except (EOFError, OSError) as problem:
            raise BackendFailure(f"{self._backend.name}: its process ended ({type(problem).__name__})") from problem
        finally:
            if not finished:
                self._end_child()  # it may be in the middle of anything: the next board gets a new one

    def _start_child(self) -> Connection:
        # spawn: a forked child would share the state of the solver libraries' threads
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._child = context.Process(target=_serve, args=(theirs, self._backend, self._model), daemon=True)
        try:
            start_child(self._child)
        except BaseException:
            self._end_child()
            raise
        finally:
            theirs.close()
        self._pipe.recv()  # it has loaded the rules
        return self._pipe

    def _end_child(self) -> None:
        if self._child is not None:
            end_child(self._child)
            self._child = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None


def start_child(child: BaseProcess) -> None:
    """Start it. It does not import the user's script again, and Ctrl-C does not reach it.

    A script without ``if __name__ == "__main__":`` would otherwise run once more in the child, and fail there.
    """
    main = sys.modules["__main__"]
    with ctrl_c_waits():
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            child.start()
        finally:
            sys.modules["__main__"] = main


def end_child(child: BaseProcess) -> None:
    """End it, whatever it is at, if it could be started at all."""
    if child.pid is not None:
        child.kill()
        child.join()


def _serve(pipe: Connection, backend: Backend, model: Model) -> None:
    """The child: says that it is ready, then answers each ``next``: (grid, statistics), at the end (None, statistics).

    Instead of ``None`` it may be the error that ended the solutions.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle; it ends this process
    with backend.open(model) as session:
        pipe.send("ready")
        while True:
            try:
                board, limits = pipe.recv()
            except EOFError:
                return
            found = session.solutions(board, limits)
            news: object = ()
            while isinstance(news, tuple):
                try:
                    pipe.recv()
                    news = next(found, None)
                except EOFError:
                    return
                except GridproofError as problem:
                    news = problem
                pipe.send((news, session.statistics))
