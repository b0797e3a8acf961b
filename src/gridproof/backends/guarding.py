"""Time limits and Ctrl-C for backends that cannot be stopped, or might not stop: a child process that can be ended."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from abc import abstractmethod
from collections.abc import Generator, Iterator
from contextlib import suppress
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

from gridproof.backends.protocol import Backend, Model, Session, Statistics, sound
from gridproof.errors import BackendFailure, BackendUnavailable, Interrupted
from gridproof.limits import Limits
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Grid
from gridproof.runs.children import Child, serve
from gridproof.runs.foreign import described, failure, harmless

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

OPENING_SECONDS = 60.0
"""Seconds that a child may take to start and to load the rules, which is no work on a board."""


class EndableBackend(Backend):
    """A backend whose sessions work in a child process where they may have to be ended."""

    grace: ClassVar[float | None] = None
    """Seconds beyond a time limit that it has for stopping by itself; ``None`` if it cannot."""

    largest_short: ClassVar[int]
    """The largest order of boards without rules for whose end Ctrl-C can wait, as long as there is no time limit."""

    def short(self, problem: Problem) -> bool:
        """Return whether Ctrl-C can wait for the end of each question, as long as there is no time limit."""
        return problem.geometry.order <= (min(4, self.largest_short) if problem.rules else self.largest_short)

    @abstractmethod
    def open_here(self, model: Any) -> Session:
        """A session in this process, whatever limits it will be given."""

    def _open(self, model: Any) -> Session:
        return GuardedSession(self, model)


class GuardedSession(Session):
    """A session that works in a child process when it may have to be ended, and in this one otherwise.

    It is opened, here or in the child, when it is first needed.
    """

    guarded = True

    def __init__(self, backend: EndableBackend, model: Model) -> None:
        super().__init__(model if isinstance(model, Problem) else model.problem)
        self._backend, self._model = backend, model
        self._short = backend.short(self.problem)
        self._inner: Session | None = None
        self._child: Child | None = None
        self._childs_statistics: Statistics | None = None
        self._hopeless = False

    @property
    def statistics(self) -> Statistics:
        if self._childs_statistics is None and self._inner is not None:
            return self._inner.statistics
        return self._childs_statistics or Statistics()

    def close(self) -> None:
        super().close()
        self._end_child()
        if self._inner is not None:
            self._inner.close()

    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        if not may_be_ended(limits, short=self._short):
            self._childs_statistics = None
            if self._inner is None:
                self._inner = self._backend.open_here(self._model)
            yield from self._inner.solutions(board, limits)
            return
        self._childs_statistics = Statistics()
        if self._child is None or not self._child.alive:
            self._end_child()
            self._start_child()
        # only now: to start a process is no work on the board
        grace = self._backend.grace
        until = inf if limits.seconds is None else monotonic() + limits.seconds + (grace or 0.0)
        stop = Interrupted("seconds", limits.seconds)
        own = Limits(None if grace is None else limits.seconds, limits.conflicts, limits.solutions)
        order: tuple[Board, Limits] | None = (board, own)
        while (grid := self._answer(order, until, stop)) is not None:
            yield grid  # while it waits here, the child waits for the next order
            order = None

    def _start_child(self) -> None:
        if self._hopeless:  # trying again for each board would cost as much each time
            raise Interrupted(f"{self._backend.name} did not load the rules in {OPENING_SECONDS:g} seconds before")
        if multiprocessing.current_process().daemon:
            reason = "keeps a time limit only in a child process, which a worker of this kind may not start"
            raise BackendUnavailable(
                f"{self._backend.name} {reason}; expected no time limit, or workers that are not daemonic"
            )
        late = Interrupted(f"{self._backend.name} had not loaded the rules after {OPENING_SECONDS:g} seconds")
        self._child = Child(_serve, self._backend, self._model)
        try:
            self._answer(None, monotonic() + OPENING_SECONDS, late)
        except BaseException as problem:
            self._end_child()
            self._hopeless = problem is late
            raise

    def _answer(self, order: object, until: float, late: Interrupted) -> Grid | None:
        """Return the child's answer to an order. Raises ``late`` if that takes too long, and the error of the child.

        A child that has not answered is ended: it may be in the middle of anything.
        """
        assert self._child is not None
        answered = False
        try:
            self._child.pipe.send(order)
            grid, problem, self._childs_statistics = self._child.reply(until)
            answered = True
        except TimeoutError:
            raise late from None
        except (EOFError, OSError) as problem:
            raise BackendFailure(f"{self._backend.name}: its process ended ({type(problem).__name__})") from problem
        finally:
            if not answered:
                self._end_child()
        if problem is not None:
            raise problem
        given: Grid | None = grid
        return given

    def _end_child(self) -> None:
        if self._child is not None:
            self._child.end()
            self._child = None


def may_be_ended(limits: Limits, *, short: bool) -> bool:
    """Return whether a question may have to be ended: by a time limit, or by Ctrl-C if it is not short.

    Ctrl-C ends nothing where it is ignored, and in a daemon, which could not start a process, it is its parent's.
    """
    heard = callable(signal.getsignal(signal.SIGINT)) and not multiprocessing.current_process().daemon
    return limits.seconds is not None or (heard and not short)


def _serve(pipe: Connection, backend: EndableBackend, model: Model) -> None:
    """Serve orders in the child; each is answered by (grid, ``None``, statistics), without a grid if there is no other.

    The first order is to load the rules. Then a board with its limits wants its first grid, ``None`` the next one.
    Instead of ``None`` the second may be the error that ended the solutions.
    """
    with suppress(OSError):
        os.dup2(2, 1)  # standard output is the parent's, for its results
    sys.stdout = sys.stderr
    session: Session | None = None
    running: Any = None

    def answer(order: tuple[Board, Limits] | None) -> Iterator[tuple[Any, Exception | None, Statistics]]:
        nonlocal session, running
        reply: tuple[Any, Exception | None, Statistics] = None, None, Statistics()
        try:
            if session is None:
                session = backend.open_here(model)
            else:
                if order is not None:
                    running = session.solutions(*order)
                reply = _sendable(next(running, _NO_MORE)), None, sound(session.statistics)
        except BaseException as problem:
            reply = None, failure(problem), Statistics()
        yield reply

    serve(pipe, answer)


_NO_MORE = object()


def _sendable(grid: object) -> Any:
    """Return a grid that can be sent, or ``None`` if there are no more. Raises ``BackendFailure`` for what is none."""
    if grid is _NO_MORE:
        return None
    if not isinstance(grid, tuple):
        raise BackendFailure(f"it gave {described(grid)}; expected a tuple of symbols")
    return harmless(tuple(grid))
