"""The analysis of the board on the screen, in a process that is ended when the board changes."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection
from queue import Empty, Queue
from typing import Any, Literal, TypeAlias

from gridproof.errors import GridproofError, Interrupted
from gridproof.explanations import Explainer, Explanation, explain
from gridproof.explanations.values import ConflictSet
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
    weights: Mapping[tuple[int, int], float] = field(default_factory=dict)
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
        self._asked: Queue[tuple[Question, Board] | None] = Queue()
        self._thread = threading.Thread(target=self._work, name="gridproof widget", daemon=True)
        self._thread.start()

    def ask(self, board: Board, question: Question = "look") -> None:
        """Look at this board, and at no other any more."""
        self._asked.put((question, board))

    def close(self) -> None:
        """End the process and the thread."""
        self._asked.put(None)
        if self._thread is not threading.current_thread():
            self._thread.join(5.0)

    def _work(self) -> None:
        child = Child(answer)
        try:
            while (task := self._next()) is not None:
                if not child.alive:
                    child = Child(answer)
                if not self._followed(child, task):
                    child.end()
        finally:
            child.end()

    def _next(self) -> tuple[Question, Board] | None:
        task = self._asked.get()
        with suppress(Empty):  # until nothing new has come for a moment
            while task is not None:
                task = self._asked.get(timeout=PAUSE)
        return task

    def _followed(self, child: Child, task: tuple[Question, Board]) -> bool:
        """Tell all that is found; ``False`` if something else was asked on the way."""
        with suppress(OSError):  # it has died, which shows below
            child.pipe.send(task)
        while self._asked.empty():
            try:
                if not child.pipe.poll(0.05):
                    continue
                finding: Finding = child.pipe.recv()
            except (EOFError, OSError):
                child.end()
                finding = Finding(task[1], problem="the process that looked at it has ended", done=True)
            self._tell(finding)
            if finding.done:
                return True
        return False


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
            pipe.send(Finding(board, **found, weights=_weights(verdict.solutions)))
            grids = list[Sequence[int]]()
            with suppress(Interrupted):
                running = pipeline.solutions(board)
                grids.extend(islice(running, MOST_SOLUTIONS))
                found["complete"] = len(grids) < MOST_SOLUTIONS or next(running, None) is None
            found |= {"solutions": len(grids), "weights": _weights(grids)}
        pipe.send(Finding(board, **found, done=True))


def _weights(grids: Sequence[Sequence[int]]) -> dict[tuple[int, int], float]:
    """For each cell and symbol the share of the grids that have it there."""
    counts = Counter((cell, symbol) for grid in grids for cell, symbol in enumerate(grid))
    return {place: count / len(grids) for place, count in counts.items()}


def _why(pipe: Connection, board: Board) -> None:
    explanation = explain(board, limits=Limits(seconds=SECONDS))
    conflict = explanation.conflicts[0] if explanation.conflicts else None
    pipe.send(Finding(board, conflict=conflict, explanation=explanation, done=True))
