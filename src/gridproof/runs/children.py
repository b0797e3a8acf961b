"""Child processes: the one way to start them, to talk with them and to end them."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from math import inf
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gridproof.runs.interrupts import children_start, ctrl_c_waits

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

LONGEST_WAIT = 0.25
"""Seconds of one wait: Ctrl-C does not interrupt a wait everywhere, and the system refuses waits of many years."""

_SCRIPT = threading.Lock()


class Child:
    """A process that runs ``main(pipe, *shared, *arguments)`` and talks through ``pipe``.

    Ctrl-C does not reach it. It ends when this process ends, for whatever reason, and so do the processes that it
    started. It is spawned, because a forked child would share the state of the threads of solver libraries.

    Parameters
    ----------
    main, arguments
        A function of a module, and its arguments. If they cannot be pickled, the error of ``pickle`` is raised.
    shared
        Shared memory, which comes before the arguments.
    """

    def __init__(self, main: Callable[..., None], *arguments: Any, shared: tuple[Any, ...] = ()) -> None:
        import multiprocessing
        from multiprocessing.util import Finalize

        with _SCRIPT:  # while another thread starts a child without the script, its classes are not to be found
            content = pickle.dumps((main, arguments))
        context = multiprocessing.get_context("spawn")
        self.pipe: Connection
        self.pipe, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=_begin, args=(theirs, shared))
        try:
            script = nullcontext() if b"__main__" in content else _without_script()
            with children_start(), _SCRIPT, script, _allowed_children():
                self._process.start()
        finally:
            theirs.close()
        # also when nobody holds it any more, and before the interpreter waits for its processes
        self._end = Finalize(self, _end, args=(self._process,), exitpriority=0)
        with suppress(OSError):  # it is gone already, which shows when it is to answer
            self.pipe.send_bytes(content)

    @property
    def alive(self) -> bool:
        """True while the process runs."""
        return self._process.is_alive()

    @property
    def pid(self) -> int | None:
        """The identifier of the process."""
        return self._process.pid

    def exit_code(self, seconds: float) -> int | None:
        """Wait up to so many seconds, and return the exit code, or ``None`` if the process still runs."""
        self._process.join(seconds)
        return self._process.exitcode

    def reply(self, until: float = inf) -> Any:
        """Wait for the next message from the process and return it.

        Raises
        ------
        TimeoutError
            If it has not come at the time ``until`` of the monotonic clock.
        EOFError, OSError
            If the process has ended.
        """
        while not self.pipe.poll(min(max(until - monotonic(), 0.0), LONGEST_WAIT)):
            if monotonic() >= until:
                raise TimeoutError
        return self.pipe.recv()

    def end(self) -> None:
        """End the process and all processes that it started, at once."""
        self._end()


@contextmanager
def _without_script() -> Iterator[None]:
    """Children started here do not import the user's script, as they need nothing that it defines.

    A script without ``if __name__ == "__main__":`` would run once more in the child, and fail there.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _allowed_children() -> Iterator[None]:
    """Daemonic processes, such as the workers of Dask, may start children here: these end with their parent anyway."""
    from multiprocessing import current_process

    config: dict[str, Any] = current_process()._config  # type: ignore[attr-defined]
    daemon = config.get("daemon", False)
    config["daemon"] = False
    try:
        yield
    finally:
        config["daemon"] = daemon


def _end(process: BaseProcess) -> None:
    with ctrl_c_waits():  # a second one must not leave it alive
        if process.exitcode is None and process.pid is not None:
            kill_with_all_it_started(process.pid)
            process.kill()
        process.join()


def started_by(process: int) -> list[int]:
    """Return all processes that a process has started, and those that these have started."""
    import psutil

    with suppress(psutil.Error):
        return [child.pid for child in psutil.Process(process).children(recursive=True)]
    return []


def kill_with_all_it_started(process: int) -> None:
    """Kill what a process has started, in whatever groups that is, and its own group if it leads one.

    MiniZinc, for one, gives what it starts groups of their own.
    """
    for each in started_by(process):
        with suppress(OSError):
            os.kill(each, signal.SIGKILL)
    with suppress(OSError):
        if hasattr(os, "killpg") and os.getpgid(process) == process:
            os.killpg(process, signal.SIGKILL)


def serve(
    pipe: Connection, answer: Callable[[Any], Iterable[object]], unsendable: Callable[[Any], object] | None = None
) -> None:
    """Reply to each message that comes through a pipe by all that ``answer`` yields for it, until the pipe closes.

    This is the loop of a ``Child``, which ends when its parent closes the pipe. unsendable: makes a reply of one that
    cannot be pickled.
    """
    while True:
        for reply in answer(pipe.recv()):
            try:
                pipe.send(reply)
            except (pickle.PicklingError, AttributeError, TypeError):
                if unsendable is None:
                    raise
                pipe.send(unsendable(reply))


# ---- in the child ----------------------------------------------------------------------------------------------------


def _begin(pipe: Connection, shared: tuple[Any, ...]) -> None:
    """Every child begins with this."""
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
    from multiprocessing.connection import wait

    wait([sentinel])
    kill_with_all_it_started(os.getpid())
    os._exit(1)
