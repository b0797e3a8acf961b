"""Child processes for backends that cannot be stopped, or might not stop, and for those of other packages.

A child can be ended by a time limit and by Ctrl-C. Backends of other packages always work in one, if this process may
start it: whatever they raise there, ``SystemExit`` included, and the end of the process itself appears in the verdict,
and what they print goes to standard error.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator
from contextlib import nullcontext, redirect_stdout, suppress
from copy import copy
from functools import partial
from importlib import metadata
from itertools import islice
from math import inf
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from gridproof.backends.protocol import Backend, Model, Session, Statistics
from gridproof.errors import BackendFailure, BackendUnavailable, GridproofError, Interrupted, error_for
from gridproof.limits import Limits
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.runs.children import Child, serve
from gridproof.text import describe_value

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

OPENING_SECONDS = 60.0
"""Seconds that a child may take to start and to load the rules, which is no work on a board."""


class EndableBackend(Backend):
    """A backend whose sessions work in a child process where they may have to be ended."""

    largest_short: ClassVar[int]
    """The largest order of boards without rules for whose end Ctrl-C can wait, as long as there is no time limit."""

    def short(self, problem: Problem) -> bool:
        """Return whether Ctrl-C can wait for the end of each question, as long as there is no time limit."""
        return problem.geometry.order <= (min(4, self.largest_short) if problem.rules else self.largest_short)

    @abstractmethod
    def open_here(self, model: Any) -> Session:
        """Return a session in this process, whatever limits it will be given."""

    def _open(self, model: Any) -> Session:
        return GuardedSession(self, model)


class GuardedSession(Session):
    """A session that works in a child process when it may have to be ended, and in this one otherwise.

    It is opened, here or in the child, when it is first needed.
    """

    guarded = True

    def __init__(self, backend: Backend, model: Model) -> None:
        super().__init__(model if isinstance(model, Problem) else model.problem)
        self._backend, self._model = backend, model
        self._short = isinstance(backend, EndableBackend) and not backend.guard and backend.short(self.problem)
        self._inner: Session | None = None
        self._here = False
        self._child: Child | None = None
        self._hopeless = False

    @property
    def statistics(self) -> Statistics:
        return self._inner.statistics if self._here and self._inner is not None else self._statistics

    def close(self) -> None:
        super().close()
        self._end_child()
        if self._inner is not None:
            self._inner.close()

    def _solutions(self, board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
        # Ctrl-C ends nothing where it is ignored, and in a daemon it is its parent's
        delivered = callable(signal.getsignal(signal.SIGINT)) and not multiprocessing.current_process().daemon
        self._here = limits.seconds is None and (self._short or not delivered)
        if self._here:
            if self._inner is None:
                self._inner = _opened_here(self._backend, self._model)
            yield from self._inner.solutions(board, limits)
            return
        self._statistics = Statistics()
        if self._child is None or not self._child.alive:
            self._end_child()
            self._start_child()
        # only now: to start a process is no work on the board
        grace = self._backend.grace
        until = inf if limits.seconds is None else monotonic() + limits.seconds + (grace or 0.0)
        stop = Interrupted("seconds", limits.seconds)
        own = Limits(None if grace is None else limits.seconds, limits.conflicts, limits.solutions)
        order: tuple[Board, Limits] | None = (board, own)
        while grids := self._answer(order, until, stop):
            yield from grids  # while it waits here, the child waits for the next order
            order = None

    def _start_child(self) -> None:
        if self._hopeless:  # trying again for each board would cost as much each time
            raise Interrupted(f"{self._backend.name} did not load the rules in {OPENING_SECONDS:g} seconds before")
        late = Interrupted(f"{self._backend.name} had not loaded the rules after {OPENING_SECONDS:g} seconds")
        self._child = Child(_serve, self._backend, self._model)
        try:
            self._answer(None, monotonic() + OPENING_SECONDS, late)
        except BaseException as problem:
            self._end_child()
            self._hopeless = problem is late
            raise

    def _answer(self, order: object, until: float, late: Interrupted) -> tuple[SymbolTuple, ...]:
        """Return the child's answer to an order. Raises ``late`` if that takes too long, and the error of the child."""
        assert self._child is not None
        grids: tuple[SymbolTuple, ...]
        try:
            self._child.pipe.send(order)
            grids, problem, self._statistics = self._child.reply(until)
        except BaseException as stop:
            self._end_child()  # it may be in the middle of anything
            if isinstance(stop, TimeoutError):
                raise late from None
            if isinstance(stop, (EOFError, OSError)):
                raise BackendFailure(f"{self._backend.name}: its process ended ({type(stop).__name__})") from stop
            raise
        if problem is not None:
            raise problem
        return grids

    def _end_child(self) -> None:
        if self._child is not None:
            self._child.end()
            self._child = None


def _opened_here(backend: Backend, model: Model) -> Session:
    if isinstance(backend, EndableBackend) and not backend.guard:
        return backend.open_here(model)
    return backend.plain.open(model)


def _serve(pipe: Connection, backend: Backend, model: Model) -> None:
    """Serve orders in the child; each is answered by (grids, ``None``, statistics), with the next grid if there is one.

    The first order is to load the rules. Then a board with its limits stands for its first grid, ``None`` for the next.
    Instead of ``None`` the second may be the error that ended the solutions.
    """
    with suppress(OSError):
        os.dup2(2, 1)  # standard output is the parent's, for its results
    sys.stdout = sys.stderr
    session: Session | None = None
    running: Any = None

    def answer(order: tuple[Board, Limits] | None) -> Iterator[tuple[Any, Exception | None, Statistics]]:
        nonlocal session, running
        reply: tuple[Any, Exception | None, Statistics] = (), None, Statistics()
        try:
            if session is None:
                session = _opened_here(backend, model)
            else:
                if order is not None:
                    running = session.solutions(*order)
                # in a tuple: a backend that lies may yield ``None``
                grids = tuple(islice(running, 1))
                reply = grids, None, session.statistics
        except BaseException as problem:
            reply = (), error_for(problem), Statistics()
        yield reply

    serve(pipe, answer)


# ---- backends of other packages --------------------------------------------------------------------------------------

T = TypeVar("T")


def _foreign(plain: object, called: str = "") -> Backend:
    """Return a copy of a backend of another package whose sessions have the guard, perhaps under another name.

    Raises ``BackendFailure`` for anything else.
    """
    if not isinstance(plain, Backend):
        raise BackendFailure(f"it gives {describe_value(plain)}; expected backends")
    backend = copy(plain)
    backend.guard = GuardedSession
    if called:
        backend.name = called
    _ = backend.version, backend.unavailable()  # one that fails at these is of no use
    return backend


def _guarded(work: Callable[[], T]) -> T:
    """Return the result of code of others. Raises an error of ours for whatever it raises.

    What it prints goes to standard error, if no other thread may be printing, too.
    """
    main = threading.current_thread() is threading.main_thread()
    with redirect_stdout(sys.stderr) if main else nullcontext():
        try:
            return work()
        except KeyboardInterrupt:
            raise
        except BaseException as problem:
            raise error_for(problem) from problem


def of_other_packages() -> Iterator[Backend]:
    """Yield the backends that entry points name; of one that fails, a stand-in with the reason."""
    for entry in metadata.entry_points(group="gridproof.backends"):
        try:
            found = _guarded(partial(_listed, entry))
        except GridproofError as problem:
            found = [_Broken(entry.name, f"the entry point {entry.name!r} ({entry.value}) fails: {problem}")]
        yield from found


def _listed(entry: metadata.EntryPoint) -> list[Backend]:
    return list(map(_foreign, entry.load()()))


def of_file(path: str) -> Backend:
    """Return the backend of a user's own file, called by the path of the file."""
    try:
        listed = _guarded(partial(_listed_in, path))
        if len(listed) != 1:
            raise BackendFailure(f"it brings {len(listed)} backends; expected a function backends() with one")
        return listed[0]
    except GridproofError as problem:
        raise BackendUnavailable(f"{path}: {problem}") from None


def _listed_in(path: str) -> list[Backend]:
    # not called by its stem: whatever the file imports may be called like it
    module = ModuleType(f"gridproof backend {path}")
    module.__file__ = path
    exec(compile(Path(path).read_bytes(), path, "exec"), vars(module))
    return [_foreign(plain, path) for plain in getattr(module, "backends", tuple)()]


class _Broken(Backend):
    """A stand-in for the backends of a package that cannot list them."""

    family = "search"
    accepts = "problem"

    def __init__(self, name: str, reason: str) -> None:
        self.name, self._reason = name, reason
        self.summary = f"the entry point {name!r} of another package"

    def unavailable(self) -> str | None:
        return self._reason

    def _open(self, model: Model) -> Session:
        raise NotImplementedError
