"""The analysis of a board in a child process, which is ended when the board changes: how Jupyter has it done."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection

from gridproof.runs.children import Child, serve
from gridproof.widget.analysis import Finder, Finding, Task

PAUSE = 0.08
"""Seconds that the board has to stay as it is before it is analysed: not at each key of fast typing."""

IDLE_SECONDS = 10.0
"""Seconds after which a process without work ends."""


class Analyst:
    """Works on one task after another; ``found`` is called in a thread of its own with a task and each finding.

    A new task ends the one before, whatever the solver does. ``close`` ends all. After ``IDLE_SECONDS`` without a
    task there is neither a thread nor a process.
    """

    def __init__(self, found: Callable[[Task, Finding], None]) -> None:
        self._found = found
        self._changed = threading.Condition()
        self._next: Task | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def begin(self, task: Task) -> None:
        """Begin with this task, and end every other."""
        with self._changed:
            if self._closed:
                return
            self._next = task
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="gridproof widget", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End the process and the thread."""
        with self._changed:
            self._closed, self._next, thread = True, None, self._thread
            self._changed.notify()
        if thread is not None and thread is not threading.current_thread():
            thread.join(5.0)

    def _interrupted(self) -> bool:
        return self._closed or self._next is not None

    def _work(self) -> None:
        child: Child | None = None
        while True:
            with self._changed:
                self._changed.wait_for(self._interrupted, IDLE_SECONDS)
                task, self._next = self._next, None
                if task is None:
                    self._thread = None
                    break
            time.sleep(PAUSE)
            if self._interrupted():
                continue
            child = child or Child(answer)
            if not self._follow(child, task):
                child.end()
                child = None
        if child is not None:
            child.end()

    def _follow(self, child: Child, task: Task) -> bool:
        """Pass on all findings; return ``False`` if the process is of no use any more."""
        with suppress(OSError):  # it has died, which shows below
            child.pipe.send(task)
        while not self._interrupted():
            try:
                if not child.pipe.poll(0.05):
                    continue
                finding = child.pipe.recv()
            except (EOFError, OSError):
                self._found(task, {"problem": "The process that analysed the board has ended.", "done": True})
                return False
            self._found(task, finding)
            if "done" in finding:
                return True
        return False


def answer(pipe: Connection) -> None:
    """Work on task after task until the pipe closes: the main function of the process."""
    finder = Finder()

    def find(task: Task) -> Iterator[Finding]:
        return filter(None, finder.find(task))  # a process that is to give way is ended

    serve(pipe, find)
