"""Child processes for backends that cannot be stopped, or might not stop, and for those of other packages.

A child can be ended by a time limit and by Ctrl-C. Backends of other packages always work in one, if this process may
start it: whatever they raise there, ``SystemExit`` included, and the end of the process itself appears in the verdict,
and what they print goes to standard error.

- ``IsolatedSession`` works in a child: it sends orders, and waits for the answers as long as they may take.
- ``EndableSession`` decides for each board whether it has to be ended: then an isolated session works on it, otherwise
  one in this process.
- ``EndableBackend`` is a backend of ours with such sessions, ``IsolatedBackend`` one of another package.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from gridproof.backends.protocol import Backend, HintedStep, Incremental, Model, Session, Statistics, Values
from gridproof.errors import BackendFailure, Interrupted, error_for
from gridproof.limits import NO_LIMITS, Limits
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.runs.children import Child, serve

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

OPENING_SECONDS = 60.0
"""Seconds that a child may take to start and to load the rules, which is no work on a board."""


# ---- sessions --------------------------------------------------------------------------------------------------------


class Reply(NamedTuple):
    """The answer of a child to an order."""

    grids: tuple[SymbolTuple, ...] = ()
    """The next solution, alone in a tuple, as a backend that lies may yield ``None``; empty if there is none."""

    error: Exception | None = None
    """The error that ended the solutions, if one did."""

    statistics: Statistics = Statistics()


class IsolatedSession(Session):
    """A session that works in a child process, which is started when it is first needed, and again if it has died."""

    def __init__(self, backend: EndableBackend, model: Model) -> None:
        super().__init__(problem_of(model))
        self._backend = backend
        self._model = model
        self._child: Child | None = None
        self._failed_to_load = False

    def close(self) -> None:
        super().close()
        self._end_child()

    def _solutions(self, board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
        self._statistics = Statistics()
        if self._child is None or not self._child.alive:
            self._end_child()
            self._start_child()
        # only now: to start a process is no work on the board
        until = inf
        if limits.seconds is not None:
            until = monotonic() + limits.seconds + (self._backend.grace or 0.0)
        late = Interrupted("seconds", limits.seconds)
        own_limits = limits
        if self._backend.grace is None:  # it cannot look at the clock
            own_limits = Limits(None, limits.conflicts, limits.solutions)
        order: tuple[Board, Limits] | None = (board, own_limits)
        while grids := self._ask_child(order, until, late):
            yield from grids  # while it waits here, the child waits for the next order
            order = None

    def _start_child(self) -> None:
        """Start a child and let it load the rules. Raises ``Interrupted`` if that takes too long."""
        name = self._backend.name
        if self._failed_to_load:  # trying again for each board would cost as much each time
            raise Interrupted(f"{name} did not load the rules in {OPENING_SECONDS:g} seconds before")
        late = Interrupted(f"{name} had not loaded the rules after {OPENING_SECONDS:g} seconds")
        self._child = Child(_serve, self._backend, self._model)
        try:
            self._ask_child(None, monotonic() + OPENING_SECONDS, late)
        except BaseException as problem:
            self._end_child()
            self._failed_to_load = problem is late
            raise

    def _ask_child(self, order: object, until: float, late: Interrupted) -> tuple[SymbolTuple, ...]:
        """Return the child's answer to an order. Raises ``late`` if that takes too long, and the error of the child."""
        assert self._child is not None
        try:
            self._child.pipe.send(order)
            reply: Reply = self._child.reply(until)
        except BaseException as stop:
            self._end_child()  # it may be in the middle of anything
            if isinstance(stop, TimeoutError):
                raise late from None
            if isinstance(stop, (EOFError, OSError)):
                raise BackendFailure(f"{self._backend.name}: its process ended ({type(stop).__name__})") from stop
            raise
        self._statistics = reply.statistics
        if reply.error is not None:
            raise reply.error
        return reply.grids

    def _end_child(self) -> None:
        if self._child is not None:
            self._child.end()
            self._child = None


class EndableSession(Session):
    """A session that works in a child process on a board where it may have to be ended, and otherwise in this one.

    Both are opened when they are first needed.
    """

    endable = True

    def __init__(self, backend: EndableBackend, model: Model) -> None:
        super().__init__(problem_of(model))
        self._backend = backend
        self._model = model
        self._is_short = backend.is_short(self.problem)
        self._isolated = IsolatedSession(backend, model)
        self._here: Session | None = None
        self._last: Session = self._isolated

    @property
    def statistics(self) -> Statistics:
        return self._last.statistics

    def close(self) -> None:
        super().close()
        self._isolated.close()
        if self._here is not None:
            self._here.close()

    def _solutions(self, board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
        if self._may_have_to_end(limits):
            self._last = self._isolated
        else:
            if self._here is None:
                self._here = self._backend.open_here(self._model)
            self._last = self._here
        yield from self._last.solutions(board, limits)

    def _may_have_to_end(self, limits: Limits) -> bool:
        """Return whether a limit of seconds or Ctrl-C may have to end the work on a board."""
        if limits.seconds is not None:
            return True
        # Ctrl-C ends nothing where it is ignored, and in a daemon it is its parent's
        is_delivered = callable(signal.getsignal(signal.SIGINT)) and not multiprocessing.current_process().daemon
        return is_delivered and not self._is_short


def problem_of(model: Model) -> Problem:
    """Return the problem that a model states."""
    return model if isinstance(model, Problem) else model.problem


# ---- in the child ----------------------------------------------------------------------------------------------------


def _serve(pipe: Connection, backend: EndableBackend, model: Model) -> None:
    """Serve orders in the child, each of which is answered by a ``Reply``.

    The first order is to load the rules. Then a board with its limits stands for its first grid, ``None`` for the next.
    """
    with suppress(OSError):
        os.dup2(2, 1)  # standard output is the parent's, for its results
    sys.stdout = sys.stderr
    server = _Server(backend, model)
    serve(pipe, lambda order: [server.answer(order)])


class _Server:
    """The session of a child, and the solutions that it is yielding."""

    def __init__(self, backend: EndableBackend, model: Model) -> None:
        self._backend = backend
        self._model = model
        self._session: Session | None = None
        self._running: Iterator[Any] = iter(())

    def answer(self, order: tuple[Board, Limits] | None) -> Reply:
        try:
            if self._session is None:
                self._session = self._backend.open_here(self._model)
                return Reply()
            if order is not None:
                self._running = self._session.solutions(*order)
            for grid in self._running:
                return Reply((grid,), None, self._session.statistics)
            return Reply((), None, self._session.statistics)
        except BaseException as problem:
            return Reply(error=error_for(problem))


# ---- backends --------------------------------------------------------------------------------------------------------


class EndableBackend(Backend):
    """A backend whose sessions work in a child process where they may have to be ended."""

    largest_short: int
    """The largest order of boards without rules for whose end Ctrl-C can wait, as long as there is no time limit."""

    def is_short(self, problem: Problem) -> bool:
        """Return whether Ctrl-C can wait for the end of each question, as long as there is no time limit."""
        largest = self.largest_short
        if problem.rules:
            largest = min(4, largest)
        return problem.geometry.symbol_count <= largest

    @abstractmethod
    def open_here(self, model: Any) -> Session:
        """Return a session in this process, whatever limits it will be given."""

    def _open(self, model: Any) -> Session:
        return EndableSession(self, model)


class IsolatedBackend(EndableBackend):
    """A backend of another package whose sessions work in child processes.

    Parameters
    ----------
    inner
        The backend itself, to which everything else is passed on.
    name
        The name by which it is called here.
    load, arguments
        A function that gives it in another process, and the arguments of that: the backend of another package need not
        be an object that can be sent there.
    """

    largest_short = 0

    def __init__(self, inner: Backend, name: str, load: Callable[..., Backend], *arguments: Any) -> None:
        self.inner = inner
        self.name = name
        self._load = load
        self._arguments = arguments
        self.family = inner.family
        self.accepts = inner.accepts
        self.summary = inner.summary
        self.aliases = inner.aliases
        self.package = inner.package
        self.origin = inner.origin
        self.options = inner.options
        self.seed_option = inner.seed_option

    def __reduce__(self) -> tuple[Any, ...]:
        return self._load, self._arguments

    @property
    def grace(self) -> float | None:  # type: ignore[override]
        return self.inner.grace

    @property
    def version(self) -> str:
        return self.inner.version

    def is_short(self, problem: Problem) -> bool:
        return False

    def open_here(self, model: Any) -> Session:
        return self.inner.open(model)

    def unavailable(self) -> str | None:
        return self.inner.unavailable()

    def refuses(self, problem: Problem) -> str | None:
        return self.inner.refuses(problem)

    def configured(self, text: str) -> Backend:
        return IsolatedBackend(self.inner.configured(text), f"{self.name}:{text}", _configure, self, text)

    def _known_options(self) -> Mapping[str, Values]:
        return self.inner._known_options()

    def no_incremental(self) -> str | None:
        return self.inner.no_incremental()

    def incremental(self, clauses: Iterable[Sequence[int]], at_most_one: Iterable[Sequence[int]] = ()) -> Incremental:
        return self.inner.incremental(clauses, at_most_one)

    def no_proofs(self) -> str | None:
        return self.inner.no_proofs()

    def refute(self, clauses: Sequence[Sequence[int]], limits: Limits = NO_LIMITS) -> list[str] | None:
        return self.inner.refute(clauses, limits)

    def no_hints(self) -> str | None:
        return self.inner.no_hints()

    def refute_with_hints(
        self, clauses: Sequence[Sequence[int]], limits: Limits = NO_LIMITS
    ) -> list[HintedStep] | None:
        return self.inner.refute_with_hints(clauses, limits)


def without_isolation(backend: Backend) -> Backend:
    """Return a backend that works in the process of its caller, which is isolated already."""
    return backend.inner if isinstance(backend, IsolatedBackend) else backend


def _configure(backend: Backend, text: str) -> Backend:
    return backend.configured(text)
