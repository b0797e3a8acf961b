"""Calls of functions in child processes, each of which may die on its own."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from gridproof.errors import BackendFailure, describe_error
from gridproof.runs.children import LONGEST_WAIT, Child, serve
from gridproof.runs.interrupts import ctrl_c_waits
from gridproof.runs.mailbox import Mailbox, make_room

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

GUARDED = 'a script that works below `if __name__ == "__main__":` only, as each new process imports it'
"""The requirement for a script whose own classes are sent to a child."""

_STARTS = 3

T = TypeVar("T")
R = TypeVar("R")
C = TypeVar("C", bound=Child)


class ChildDied(Exception):
    """The process of a ``ChildExecutor`` ended while it had a call to do. Its text states how the process ended."""


class ChildPool(Executor, Generic[C]):
    """Threads, each of which waits for a child process of its own; the processes end with the pool.

    Parameters
    ----------
    number
        The number of threads.
    """

    def __init__(self, number: int) -> None:
        self._threads = ThreadPoolExecutor(number)
        self._idle: list[C] = []
        self._all: list[C] = []
        self._closed = False

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes at once, even if they are at work."""
        with ctrl_c_waits():
            self._closed = True
            self._threads.shutdown(wait=False, cancel_futures=True)
            for child in list(self._all):
                child.end()

    def _keep(self, child: C) -> C:
        """Note a new process. It is ended at once if the pool is closed already."""
        self._all.append(child)
        if self._closed:
            child.end()
        return child

    def _drop(self, child: C) -> None:
        """End a process that is of no use any more."""
        child.end()
        self._all.remove(child)


class Worker(Child):
    """A process that makes calls. call: its first one is like it. room: the bytes of memory that it shares."""

    def __init__(self, call: tuple[Any, ...], room: int) -> None:
        shared = make_room(room)
        super().__init__(_serve_calls, call, shared=(shared,))
        self._mailbox = Mailbox(self.pipe, shared)

    def send(self, call: tuple[Any, ...]) -> None:
        """Send a call."""
        self._mailbox.send(call)

    def receive(self) -> Any:
        """See ``Child.receive``."""
        return self._mailbox.recv()


class ChildExecutor(ChildPool[Worker]):
    """Calls functions in child processes, which start when they are needed and are replaced when they die.

    A call raises ``ChildDied`` if its process dies. It raises ``BackendFailure`` if no process starts at all, because
    then the call is not the cause.

    Parameters
    ----------
    number
        The largest number of processes.
    room
        The bytes of memory that each of them shares with this one: arrays of a call or of its value go through it as
        far as they fit.

    Examples
    --------
    >>> with ChildExecutor(1) as executor:
    ...     executor.call(len, "abc")
    3
    """

    def __init__(self, number: int, room: int = 0) -> None:
        super().__init__(number)
        self._room = room

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """See ``Executor.submit``."""
        return self._threads.submit(self._call, function, args, kwargs)

    def call(self, function: Callable[..., Any], *args: Any) -> Any:
        """Return the result of a call."""
        future = self.submit(function, *args)
        while not wait([future], LONGEST_WAIT).done:
            pass
        return future.result()

    def _call(self, *call: Any) -> Any:
        child = self._idle.pop() if self._idle else None
        if child is None:
            child = self._start(call)
        try:
            child.send(call)
            has_returned, value = child.reply()
        except (EOFError, OSError):
            how = end_of(child.exit_code(LONGEST_WAIT))
            self._drop(child)
            raise ChildDied(how) from None
        self._idle.append(child)
        if not has_returned:
            raise value
        return value

    def _start(self, call: tuple[Any, ...]) -> Worker:
        """Return a new child that is about to do its first call."""
        for _ in range(_STARTS):
            try:
                # the call goes along: whether it needs the user's script decides how the child starts
                child = self._keep(Worker(call, self._room))
            except (OSError, ImportError) as problem:  # no file can be opened, or no process started
                why = getattr(problem, "strerror", None) or problem
                raise BackendFailure(
                    f"worker processes cannot be started: {why}; expected higher limits for "
                    "this user (ulimit -n, ulimit -u), or fewer jobs"
                ) from None
            with suppress(EOFError, OSError):
                child.reply()
                return child
            self._drop(child)
        raise BackendFailure(f"worker processes end before they begin; expected {GUARDED}")


def end_of(code: int | None) -> str:
    """Return in words how a process ended, by its exit code; below zero it is the signal that killed it."""
    if code is None:
        return "it does not answer"
    if code >= 0:
        return f"it ended with exit code {code}"
    try:
        return f"it was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"it was killed by signal {-code}"


def _serve_calls(pipe: Connection, room: Any, call: Any) -> None:
    def make_call(call: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]) -> Iterator[tuple[bool, Any]]:
        """Yield whether a call returned, and the value that it returned or the error that it raised."""
        function, args, kwargs = call
        try:
            outcome = True, function(*args, **kwargs)
        except BaseException as problem:
            outcome = False, problem
        yield outcome

    mailbox = Mailbox(pipe, room)
    mailbox.send(None)  # whatever ends this process from here on, it is not that it could not be started
    serve(mailbox, make_call, lambda outcome: (False, BackendFailure(describe_error(outcome[1]))))


def yield_done(
    begin: Callable[[T], Future[R]],
    items: Iterable[T],
    most: Callable[[], int],
    *,
    ahead: float = inf,
    tick: Callable[[], None] = lambda: None,
) -> Iterator[tuple[T, Future[R]]]:
    """Begin a call for each item, and yield each item with its call as soon as that is done.

    If the iteration ends early, calls that wait for a worker are cancelled.

    Parameters
    ----------
    begin
        A function that submits the call of an item to an executor.
    items
        The items. The next one is taken only when its call can begin.
    most
        A function that returns how many calls may be open now.
    ahead
        How many items may be begun from the first that is not done.
    tick
        A function that is called several times a second.

    Examples
    --------
    >>> with ThreadPoolExecutor(2) as threads:
    ...     done = yield_done(lambda text: threads.submit(len, text), ["a", "bc"], lambda: 2)
    ...     sorted((text, future.result()) for text, future in done)
    [('a', 1), ('bc', 2)]
    """
    begun: dict[Future[R], tuple[int, T]] = {}  # with the number of each item
    source = enumerate(items)
    last = 0

    def is_far_ahead() -> bool:
        for number, _ in begun.values():  # the first of them is the first that is not done
            return last - number >= ahead
        return False

    try:
        while True:
            while len(begun) < most() and not is_far_ahead():
                numbered = next(source, None)
                if numbered is None:
                    break
                last, item = numbered
                begun[begin(item)] = numbered
            if not begun:
                return
            for future in wait(begun, LONGEST_WAIT, FIRST_COMPLETED).done:
                yield begun.pop(future)[1], future
            tick()
    finally:
        for future in begun:
            future.cancel()
