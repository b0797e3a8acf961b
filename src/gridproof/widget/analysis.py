"""The analysis of the board on the screen, in a process that is ended when the board changes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any, Literal, TypeAlias

from gridproof.errors import GridproofError, Interrupted
from gridproof.explanations import candidates, explain
from gridproof.formats import Puzzle
from gridproof.limits import Limits
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.runs.children import Child, serve
from gridproof.solving import steps
from gridproof.trust.verdict import Status

MOST_SOLUTIONS = 200
"""How many solutions are counted."""

SECONDS = 20.0
"""Time for each step of the analysis."""

PAUSE = 0.08
"""Seconds that the board has to stay as it is before it is analysed: not at each key of fast typing."""

IDLE_SECONDS = 10.0
"""Seconds after which a process without work ends."""

Question: TypeAlias = Literal["look", "why", "next", "path"]
"""The verdict on a puzzle, its explanation, the next step of its solver, and each step from the beginning on."""

Task: TypeAlias = tuple[Question, Puzzle]


class Analyst:
    """Works on one task after another; ``found`` is called in a thread of its own with a task and what was found.

    Each finding is a dictionary: ``verdict``; ``solutions``, how many were counted, and whether they are ``complete``;
    ``candidates``, a mask for each cell; ``explanation``; a ``step``; the ``problem`` why there is no more. The last
    one is ``done``.

    A new task ends the one before, whatever the solver does. ``close`` ends all. After ``IDLE_SECONDS`` without a
    task there is neither a thread nor a process.
    """

    def __init__(self, found: Callable[[Task, dict[str, Any]], None]) -> None:
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


# ---- in the process --------------------------------------------------------------------------------------------------


def answer(pipe: Connection) -> None:
    """Work on task after task until the pipe closes: the main function of the process."""
    serve(pipe, _findings)


def _findings(task: Task) -> Iterator[dict[str, Any]]:
    question, puzzle = task
    limits, step = Limits(seconds=SECONDS), None
    try:
        if question == "look":
            yield from look_at(puzzle.board, limits)
        elif question == "why":
            yield {"explanation": explain(puzzle.board, limits=limits)}
        else:
            for step in islice(steps(puzzle, limits=limits), 1 if question == "next" else None):
                yield {"step": step}
            if step is None:
                yield {"problem": "No step follows from here: the board is full, or there are several solutions."}
    except GridproofError as problem:
        yield {"problem": str(problem)}
    yield {"done": True}


def look_at(board: Board, limits: Limits) -> Iterator[dict[str, Any]]:
    """Yield the verdict on a board, and then what explains it and how many solutions there are."""
    with Pipeline(limits=limits) as pipeline, suppress(Interrupted):
        verdict = pipeline.verify(board)
        yield {"verdict": verdict, "solutions": len(verdict.solutions), "complete": verdict.is_unique}
        if verdict.status is Status.NONE:
            yield {"explanation": explain(board, limits=limits)}
        elif verdict.status is Status.MULTIPLE:
            counted = pipeline.count(board, MOST_SOLUTIONS)
            yield {"solutions": max(2, counted.number), "complete": counted.complete}
        if verdict.status in (Status.UNIQUE, Status.MULTIPLE):
            yield {"candidates": candidates(board, limits=limits).masks}
