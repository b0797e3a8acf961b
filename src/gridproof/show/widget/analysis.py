"""The analysis of the board on the screen, in a process that is ended when the board changes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any, Literal, TypeAlias

from gridproof.errors import GridproofError, Interrupted
from gridproof.explain import Explainer, Explanation, explain
from gridproof.explain.values import ConflictSet
from gridproof.limits import Limits
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.runs.children import Child
from gridproof.trust.verdict import Status, Verdict

MOST_SOLUTIONS = 200
"""So many solutions are looked at for the candidates."""

SECONDS = 20.0
"""Time for each step of the analysis."""

PAUSE = 0.08
"""Seconds that the board has to stay as it is before it is looked at: who types fast is not watched at each key."""

Question: TypeAlias = Literal["look", "why"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What is known of a board so far.

    verdict: as soon as there is one. solutions: how many were found; complete: these are all. weights: for a cell and
    a symbol the share of these solutions that have it there. conflict: of a board without a solution. explanation: only
    if it was asked for. problem: why there is no more. done: whether more is to come.
    """

    board: Board
    verdict: Verdict | None = None
    solutions: int = 0
    complete: bool = False
    weights: tuple[tuple[int, int, float], ...] = ()
    conflict: ConflictSet | None = None
    explanation: Explanation | None = None
    problem: str = ""
    done: bool = False


class Analyst:
    """Looks at one board after another; ``tell`` is called in a thread of its own with what is found.

    A new question ends the one before, whatever the solver is at. ``close`` ends all.
    """

    def __init__(self, tell: Callable[[Finding], None]) -> None:
        self._tell = tell
        self._asked: tuple[Question, Board] | None = None
        self._news = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    def ask(self, board: Board, question: Question = "look") -> None:
        """Look at this board, and at no other any more."""
        with self._news:
            self._asked = question, board
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._work, name="gridproof widget", daemon=True)
                self._thread.start()
            self._news.notify_all()

    def close(self) -> None:
        """End the process and the thread."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(5.0)

    def _work(self) -> None:
        child: Child | None = None
        try:
            while (task := self._next()) is not None:
                if child is None or not child.alive:
                    child = Child(answer)
                if not self._followed(child, task):
                    child.end()
                    child = None
        finally:
            if child is not None:
                child.end()

    def _next(self) -> tuple[Question, Board] | None:
        with self._news:
            while self._asked is None and not self._closed:
                self._news.wait()
            while not self._closed:  # until nothing new has come for a moment
                task = self._asked
                self._news.wait(PAUSE)
                if task is self._asked:
                    self._asked = None
                    return task
        return None

    def _followed(self, child: Child, task: tuple[Question, Board]) -> bool:
        """Tell all that is found; ``False`` if the process was given up on the way."""
        with suppress(OSError):  # it has died, which shows below
            child.pipe.send(task)
        while True:
            with self._news:
                if self._closed or self._asked is not None:
                    return False
            try:
                if not child.pipe.poll(0.05):
                    continue
                finding: Finding = child.pipe.recv()
            except (EOFError, OSError):
                self._tell(Finding(task[1], problem="the process that looked at it has ended", done=True))
                return False
            self._tell(finding)
            if finding.done:
                return True


# ---- in the process --------------------------------------------------------------------------------------------------


def answer(pipe: Connection) -> None:
    """The process's main function: answer question after question until the pipe closes."""
    while True:
        question, board = pipe.recv()
        try:
            _look(pipe, board) if question == "look" else _why(pipe, board)
        except GridproofError as problem:
            pipe.send(Finding(board, problem=str(problem), done=True))


def _look(pipe: Connection, board: Board) -> None:
    with Pipeline(limits=Limits(seconds=SECONDS)) as pipeline:
        verdict = pipeline.verify(board)
        found: dict[str, Any] = {"verdict": verdict, "solutions": len(verdict.solutions)}
        if verdict.status is Status.NONE:
            pipe.send(Finding(board, **found))
            with Explainer(board.geometry, Limits(seconds=SECONDS)) as explainer:
                found["conflict"] = explainer.conflict_set(board)
        elif verdict.status in (Status.UNIQUE, Status.MULTIPLE):
            pipe.send(Finding(board, **found, weights=_weights(board, [tuple(grid) for grid in verdict.solutions])))
            found |= _counted(pipeline, board)
        pipe.send(Finding(board, **found, done=True))


def _counted(pipeline: Pipeline, board: Board) -> dict[str, Any]:
    """Solutions up to a number, and what share of them has each candidate."""
    grids: list[tuple[int, ...]] = []
    complete = False
    with suppress(Interrupted):
        running = pipeline.solutions(board)
        grids.extend(tuple(grid) for grid in islice(running, MOST_SOLUTIONS))
        complete = len(grids) < MOST_SOLUTIONS or next(running, None) is None
    return {"solutions": len(grids), "complete": complete, "weights": _weights(board, grids)}


def _weights(board: Board, grids: list[tuple[int, ...]]) -> tuple[tuple[int, int, float], ...]:
    counts: dict[tuple[int, int], int] = {}
    for grid in grids:
        for cell, symbol in enumerate(grid):
            counts[cell, symbol] = counts.get((cell, symbol), 0) + 1
    return tuple((cell, symbol, count / len(grids)) for (cell, symbol), count in sorted(counts.items()))


def _why(pipe: Connection, board: Board) -> None:
    explanation = explain(board, limits=Limits(seconds=SECONDS))
    conflict = explanation.conflicts[0] if explanation.conflicts else None
    pipe.send(Finding(board, conflict=conflict, explanation=explanation, done=True))
