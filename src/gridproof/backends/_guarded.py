"""Time limits and Ctrl-C for backends that cannot be stopped, or might not stop: a child process that can be ended."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import suppress
from math import inf
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from gridproof.backends.protocol import Model, Session, Statistics, sound
from gridproof.errors import BackendFailure, BackendUnavailable, GridproofError, Interrupted
from gridproof.limits import Limits
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Grid
from gridproof.runs.foreign import crash, described, harmless
from gridproof.runs.interrupts import children_start

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

Opener: TypeAlias = Callable[[Model], Session]
"""Opens a session in the process that calls it; it can be sent to another process."""

_LONGEST_WAIT = 0.25
"""Seconds of one wait for the child: Ctrl-C does not interrupt a wait everywhere, nor if another thread gets it."""

OPENING_SECONDS = 60.0
"""How long a child may take to start and to load the rules, which is no work on a board."""


class GuardedSession(Session):
    """A session that works in a child process when it may have to be ended, and in this one otherwise.

    Parameters
    ----------
    name
        Of the backend, for messages.
    opener, model
        What opens the session, here or in the child, when it is first needed.
    inner
        The session in this process, if it is open already.
    grace
        Seconds beyond the limit that the backend has for stopping by itself; ``None`` if it cannot.
    short
        Whether Ctrl-C can wait for the end of each question, as long as there is no time limit.
    """

    def __init__(
        self,
        name: str,
        opener: Opener,
        model: Model,
        inner: Session | None = None,
        *,
        grace: float | None = None,
        short: bool = True,
    ) -> None:
        super().__init__(model if isinstance(model, Problem) else model.problem)
        self._name = name
        self._opener = opener
        self._model = model
        self._inner = inner
        self._grace = grace
        self._short = short
        self._child: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._statistics: Statistics | None = None
        self._hopeless = False

    @property
    def statistics(self) -> Statistics:
        if self._statistics is None and self._inner is not None:
            return self._inner.statistics
        return self._statistics or Statistics()

    def close(self) -> None:
        super().close()
        self._end_child()
        if self._inner is not None:
            self._inner.close()

    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        if not may_be_ended(limits, short=self._short):
            self._statistics = None
            if self._inner is None:
                self._inner = self._opener(self._model)
            yield from self._inner.solutions(board, limits)
            return
        self._statistics = Statistics()
        if self._child is None or not self._child.is_alive():
            self._end_child()
            self._start_child()
        # only now: to start a process is no work on the board
        until = inf if limits.seconds is None else monotonic() + limits.seconds + (self._grace or 0.0)
        stop = Interrupted("seconds", limits.seconds)
        own = Limits(None if self._grace is None else limits.seconds, limits.conflicts, limits.solutions)
        order: tuple[Board, Limits] | None = (board, own)
        while (grid := self._answer(order, until, stop)) is not None:
            yield grid  # while it waits here, the child waits for the next order
            order = None

    def _start_child(self) -> None:
        if self._hopeless:  # trying again for each board would cost as much each time
            raise Interrupted(f"{self._name} did not load the rules in {OPENING_SECONDS:g} seconds before")
        if multiprocessing.current_process().daemon:
            said = "keeps a time limit only in a child process, which a worker of this kind may not start"
            raise BackendUnavailable(f"{self._name} {said}; expected no time limit, or workers that are not daemonic")
        # spawn: a forked child would share the state of the solver libraries' threads
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._child = context.Process(target=_serve, args=(theirs, self._opener), daemon=True)
        late = Interrupted(f"{self._name} had not loaded the rules after {OPENING_SECONDS:g} seconds")
        try:
            try:
                start_child(self._child)
            finally:
                theirs.close()
            # not with its arguments: Python would wait for ever for a child to take them that died before
            self._answer(self._model, monotonic() + OPENING_SECONDS, late)
        except BaseException as problem:
            self._end_child()
            self._hopeless = problem is late
            raise

    def _answer(self, order: object, until: float, late: Interrupted) -> Grid | None:
        """What the child says to an order. Raises ``late`` if that takes too long, and what went wrong in the child.

        A child that has not answered is ended: it may be in the middle of anything.
        """
        assert self._pipe is not None
        answered = False
        try:
            self._pipe.send(order)
            wait_for_news(self._pipe, until, late)
            grid, problem, self._statistics = self._pipe.recv()
            answered = True
        except (EOFError, OSError) as problem:
            raise BackendFailure(f"{self._name}: its process ended ({type(problem).__name__})") from problem
        finally:
            if not answered:
                self._end_child()
        if problem is not None:
            raise problem
        found: Grid | None = grid
        return found

    def _end_child(self) -> None:
        if self._child is not None:
            end_child(self._child)
            self._child = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None


def may_be_ended(limits: Limits, *, short: bool) -> bool:
    """Whether a question may have to be ended: by a time limit, or by Ctrl-C if it is not short.

    Ctrl-C ends nothing where it is ignored, and in a daemon, which could not start a process, it is its parent's.
    """
    heard = callable(signal.getsignal(signal.SIGINT)) and not multiprocessing.current_process().daemon
    return limits.seconds is not None or (heard and not short)


def wait_for_news(pipe: Connection, until: float, late: Interrupted) -> None:
    """Wait until a child has sent something or has ended. Raises ``late`` when it is."""
    while not pipe.poll(min(max(until - monotonic(), 0.0), _LONGEST_WAIT)):
        if monotonic() >= until:
            raise late


_STARTING = threading.Lock()


def start_child(child: BaseProcess) -> None:
    """Start it. It does not import the user's script again, and Ctrl-C does not reach it.

    A script without ``if __name__ == "__main__":`` would otherwise run once more in the child, and fail there.
    """
    with children_start(), _STARTING:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            child.start()
        finally:
            sys.modules["__main__"] = main


def begin_child() -> None:
    """What a child does first: Ctrl-C is its parent's to handle, and it can be ended with all that it will start."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setpgid"):
        with suppress(OSError):
            os.setpgid(0, 0)


def end_child(child: BaseProcess) -> None:
    """End it and all that it started, whatever it is at, if it could be started at all."""
    if child.pid is None:
        return
    if child.exitcode is None:
        with suppress(OSError):
            if hasattr(os, "killpg") and os.getpgid(child.pid) == child.pid:
                os.killpg(child.pid, signal.SIGKILL)
        child.kill()
    child.join()


def _serve(pipe: Connection, opener: Opener) -> None:
    """The child: each order is answered by (grid, ``None``, statistics), without a grid when there are no more.

    The first order is a model to load. Then a board and its limits ask for its first grid, ``None`` for the next one.
    Instead of ``None`` the second may be the error that ended the solutions.
    """
    begin_child()
    with suppress(OSError):
        os.dup2(2, 1)  # standard output is the parent's, for its results
    sys.stdout = sys.stderr
    session: Session | None = None
    running: Any = None
    with suppress(EOFError):
        while True:
            order = pipe.recv()
            grid: Any = None
            problem: Exception | None = None
            statistics = Statistics()
            try:
                if session is None:
                    session = opener(order)
                else:
                    if order is not None:
                        running = session.solutions(*order)
                    grid = _sendable(next(running, _NO_MORE))
                    statistics = sound(session.statistics)
            except GridproofError as raised:
                problem = raised
            except BaseException as raised:
                problem = BackendFailure(crash(raised))
            pipe.send((grid, problem, statistics))


_NO_MORE = object()


def _sendable(grid: object) -> Any:
    """A grid, harmless to send, or ``None`` if there are no more. Raises ``BackendFailure`` for what is none."""
    if grid is _NO_MORE:
        return None
    if type(grid) is not tuple:
        raise BackendFailure(f"it gave {described(grid)}; expected a tuple of symbols")
    return harmless(grid)
