"""The start of a child process: what its parent sees to, and what it does first itself."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gridproof.runs.processes import kill_with_all_it_started

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


@contextmanager
def let_start_children(script: bool) -> Iterator[None]:
    """Let daemonic processes, such as the workers of Dask, start children here: these end with their parent anyway.

    Without script the children do not import the user's script, as they need nothing that it defines. One without
    ``if __name__ == "__main__":`` would run once more in the child, and fail there.
    """
    config: dict[str, Any] = multiprocessing.current_process()._config  # type: ignore[attr-defined]
    daemon = config.get("daemon", False)
    main = sys.modules["__main__"]
    config["daemon"] = False
    if not script:
        sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        config["daemon"] = daemon


def begin_child(pipe: Connection, shared: tuple[Any, ...]) -> None:
    """Begin a child process: every one begins with this."""
    # It stays blocked, too, where that can be done: a backend may install a handler of its own.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setpgid"):
        with suppress(OSError):
            os.setpgid(0, 0)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=end_with_parent, args=(parent.sentinel,), daemon=True).start()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the parent is gone, or done with this process
        main, arguments = pickle.loads(pipe.recv_bytes())
        main(pipe, *shared, *arguments)


def end_with_parent(sentinel: int) -> None:
    """Wait until the parent has ended, then end this process and all that it has started."""
    from multiprocessing.connection import wait

    wait([sentinel])
    kill_with_all_it_started(os.getpid())
    os._exit(1)
