"""Child processes: the one way to start them, to talk with them, to call functions in them and to end them."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from math import inf
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gridproof.errors import BackendFailure
from gridproof.runs.foreign import crash
from gridproof.runs.interrupts import children_start, ctrl_c_waits

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

GUARDED = 'a script that works below `if __name__ == "__main__":` only, as each new process imports it'
"""What is expected of a script whose own classes are sent to a child."""

_LONGEST_WAIT = 0.25
"""Seconds of one wait: Ctrl-C does not interrupt a wait everywhere, and the system refuses waits of many years."""

_STARTS = 3
_SCRIPT = threading.Lock()


class ChildDied(Exception):
    """The process of a ``ChildExecutor`` ended while it had a call to do."""


class Child:
    """A process that runs ``main(pipe, *shared, *arguments)`` and talks through ``pipe``.

    Ctrl-C does not reach it. It ends with this process, however that ends, and takes with it all that it started. It
    is spawned, because a forked child would share the state of the solver libraries' threads.

    Parameters
    ----------
    main, arguments
        A function of a module and what it is given. Raises what ``pickle`` raises if they cannot be sent.
    shared
        Shared memory, which comes before the arguments.
    """

    def __init__(self, main: Callable[..., None], *arguments: Any, shared: tuple[Any, ...] = ()) -> None:
        import multiprocessing
        from multiprocessing.util import Finalize

        content = pickle.dumps((main, arguments))
        context = multiprocessing.get_context("spawn")
        self.pipe: Connection
        self.pipe, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=_begin, args=(theirs, shared))
        try:
            with children_start(), _script_imported(b"__main__" in content):
                self._process.start()
        finally:
            theirs.close()
        # also when nobody holds it any more, and before the interpreter waits for its processes
        self._end = Finalize(self, _end, args=(self._process,), exitpriority=0)
        with suppress(OSError):  # it is gone already, which shows when it is to answer
            self.pipe.send_bytes(content)

    @property
    def alive(self) -> bool:
        """Whether the process is there."""
        return self._process.is_alive()

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return self._process.pid

    def exit_code(self, seconds: float) -> int | None:
        """The exit code, waited for as long as this; ``None`` if the process still runs."""
        self._process.join(seconds)
        return self._process.exitcode

    def reply(self, until: float = inf) -> Any:
        """What comes through the pipe next.

        Raises ``TimeoutError`` if it has not come at the time ``until`` of the monotonic clock, ``EOFError`` or
        ``OSError`` if the process has ended.
        """
        while not self.pipe.poll(min(max(until - monotonic(), 0.0), _LONGEST_WAIT)):
            if monotonic() >= until:
                raise TimeoutError
        return self.pipe.recv()

    def end(self) -> None:
        """End the process and all that it started, whatever it is at."""
        self._end()


@contextmanager
def _script_imported(wanted: bool) -> Iterator[None]:
    """Children started here import the user's script only if they need what it defines.

    A script without ``if __name__ == "__main__":`` would run once more in the child, and fail there.
    """
    if wanted:
        yield
        return
    with _SCRIPT:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


def _end(process: BaseProcess) -> None:
    with ctrl_c_waits():  # a second one must not leave it alive
        if process.exitcode is None and process.pid is not None:
            with suppress(OSError):
                if hasattr(os, "killpg") and os.getpgid(process.pid) == process.pid:
                    os.killpg(process.pid, signal.SIGKILL)
            process.kill()
        process.join()


class ChildExecutor(Executor):
    """Calls functions in child processes, which are started when they are needed and replaced when they die.

    A call whose process dies raises ``ChildDied``; it raises ``BackendFailure`` if no process begins at all: what ends
    it then is not the call.
    """

    def __init__(self, number: int) -> None:
        self._threads = ThreadPoolExecutor(number)
        self._idle: list[Child] = []
        self._all: list[Child] = []
        self._closed = False

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """See ``Executor.submit``."""
        return self._threads.submit(self._call, function, args, kwargs)

    def call(self, function: Callable[..., Any], *args: Any, until: float = inf) -> Any:
        """The result of a call. Raises ``TimeoutError`` at the time ``until`` of the monotonic clock."""
        future = self.submit(function, *args)
        while not wait([future], min(max(until - monotonic(), 0.0), _LONGEST_WAIT)).done:
            if monotonic() >= until:
                raise TimeoutError
        return future.result()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, at once if they are at work."""
        with ctrl_c_waits():
            self._closed = True
            self._threads.shutdown(wait=False, cancel_futures=True)
            for child in [*self._all]:
                child.end()

    def _call(self, *call: Any) -> Any:
        child = self._idle.pop() if self._idle else None
        try:
            if child is None:
                child = self._begun(call)
            else:
                child.pipe.send(call)
            done, value = child.reply()
        except (EOFError, OSError):
            if child is not None:
                child.end()
                self._all.remove(child)
            raise ChildDied from None
        self._idle.append(child)
        if not done:
            raise value
        return value

    def _begun(self, call: tuple[Any, ...]) -> Child:
        """A new child that has begun with its first call."""
        for _ in range(_STARTS):
            child = Child(_calls, call)
            self._all.append(child)
            with suppress(EOFError, OSError):
                if not self._closed:
                    child.reply()
                    return child
            child.end()
            self._all.remove(child)
        raise BackendFailure(f"worker processes end before they begin; expected {GUARDED}")


# ---- in the child ----------------------------------------------------------------------------------------------------


def _begin(pipe: Connection, shared: tuple[Any, ...]) -> None:
    """Whatever a child is there for, it begins with this."""
    import multiprocessing

    # It stays blocked, too, where that can be done: a backend may install a handler of its own.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setpgid"):
        with suppress(OSError):
            os.setpgid(0, 0)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the parent is gone, or done with this process
        main, arguments = pickle.loads(pipe.recv_bytes())
        main(pipe, *shared, *arguments)


def _end_with(sentinel: int) -> None:
    from multiprocessing.connection import wait as wait_for

    wait_for([sentinel])
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _calls(pipe: Connection, call: tuple[Any, ...]) -> None:
    pipe.send(None)  # whatever ends this process from here on, it is not that it could not be started
    while True:
        function, args, kwargs = call
        try:
            answer = True, function(*args, **kwargs)
        except BaseException as problem:
            answer = False, problem
        try:
            pipe.send(answer)
        except (pickle.PicklingError, AttributeError, TypeError):
            pipe.send((False, BackendFailure(crash(answer[1]))))
        call = pipe.recv()
