"""Child processes: the one way to start them, to send them messages and to end them; and other programs as commands."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from io import BufferedRandom
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from gridproof.runs.interrupts import children_start, ctrl_c_waits, end_cleanly
from gridproof.runs.processes import kill_with_all_it_started
from gridproof.runs.starting import begin_child, let_start_children
from gridproof.text import text_of

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from gridproof.runs.mailbox import Mailbox

LONGEST_WAIT = 0.25
"""Seconds of one wait: Ctrl-C does not interrupt a wait everywhere, and the system refuses waits of many years."""

_SCRIPT = threading.Lock()


class Child:
    """A process that runs ``main(pipe, *shared, *arguments)`` and sends its messages through ``pipe``.

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
        from multiprocessing.util import Finalize

        with _SCRIPT:  # while another thread starts a child without the script, its classes are not to be found
            content = pickle.dumps((main, arguments))
        context = multiprocessing.get_context("spawn")
        self.pipe: Connection
        self.pipe, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=begin_child, args=(theirs, shared))
        try:
            with children_start(), _SCRIPT, let_start_children(script=b"__main__" in content):
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
    def pid(self) -> int:
        """The identifier of the process."""
        return self._process.pid or 0

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
        return self.receive()

    def receive(self) -> Any:
        """Return the message that has come."""
        return self.pipe.recv()

    def end(self) -> None:
        """End the process and all processes that it started, at once."""
        self._end()


def _end(process: BaseProcess) -> None:
    with ctrl_c_waits():  # a second one must not leave it alive
        if process.exitcode is None and process.pid is not None:
            kill_with_all_it_started(process.pid)
            process.kill()
        process.join()


def serve(
    pipe: Connection | Mailbox,
    answer: Callable[[Any], Iterable[object]],
    unsendable: Callable[[Any], object] | None = None,
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


# ---- other programs --------------------------------------------------------------------------------------------------

MOST_OUTPUT = 64 * 2**20
"""Most bytes of what a command writes to standard output or to standard error; a model of 64x64 cells takes 2 MB."""

VERSION_SECONDS = 1.0
"""Seconds for a program to state its version."""


@lru_cache(maxsize=64)
def version_of(program: str) -> str:
    """Return the version that a program reports, or ``unknown``."""
    try:
        with tempfile.TemporaryDirectory(prefix="gridproof-") as folder:
            _, words, _ = run_command([program, "--version"], Path(folder), VERSION_SECONDS)
    except (OSError, ValueError):  # a TimeoutError is an OSError
        return "unknown"
    match = re.search(r"\d+(\.\d+)+", words) or re.match(r"\S+$", words.strip())
    return text_of(match[0], most=40) if match else "unknown"


def run_command(command: Sequence[str], folder: Path, seconds: float | None = None) -> tuple[int, str, str]:
    """Run a command; return its exit code, its standard output and its standard error.

    The command leads a process group, and nothing of this group is left when this function returns or raises: solvers
    are often started by scripts.

    Parameters
    ----------
    command
        The program and its arguments. No shell is used.
    folder
        A folder for its output during the run; a program that it started could hold a pipe open.
    seconds
        The time limit.

    Raises
    ------
    TimeoutError
        If the command was ended at the time limit.
    ValueError
        If it was ended because it wrote too much.

    Examples
    --------
    >>> import sys, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run_command([sys.executable, "-c", "print(1 + 1)"], Path(folder))[0]
    0
    """
    group = 0 if hasattr(os, "killpg") else None
    until = inf if seconds is None else monotonic() + seconds
    with (folder / "stdout").open("w+b") as out, (folder / "stderr").open("w+b") as err:
        with ctrl_c_waits():
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, process_group=group)
        try:
            with end_cleanly():
                code = _wait_for(process, (out, err), until)
        finally:
            with ctrl_c_waits():
                _end_command(process)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read(MOST_OUTPUT).decode("utf-8", "replace"))
        return code, texts[0], texts[1]


def _wait_for(process: subprocess.Popen[bytes], outputs: Iterable[BufferedRandom], until: float) -> int:
    """Return the exit code of a command. Raises as ``run_command`` does."""
    while True:
        left = until - monotonic()
        try:
            return process.wait(max(min(left, LONGEST_WAIT), 0))
        except subprocess.TimeoutExpired:
            if left <= LONGEST_WAIT:
                raise TimeoutError from None
        for file in outputs:
            if os.fstat(file.fileno()).st_size > MOST_OUTPUT:
                name = Path(file.name).name
                raise ValueError(f"it wrote more than {MOST_OUTPUT // 2**20} MB to {name}, and was ended") from None


def _end_command(process: subprocess.Popen[bytes]) -> None:
    """End a command, if it still runs, and all that it has started."""
    if process.poll() is None:
        kill_with_all_it_started(process.pid)
        process.kill()
        process.wait()
    elif hasattr(os, "killpg"):
        with suppress(OSError):  # usually nothing is left in its group
            os.killpg(process.pid, signal.SIGKILL)
