"""The analysis of the board on the screen, in a process that is ended when the board changes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from multiprocessing.connection import Connection
from typing import Literal, TypeAlias

from gridproof.errors import GridproofError, Interrupted
from gridproof.explanations import Explanation, candidates, explain
from gridproof.explanations.steps import Step, steps
from gridproof.formats import Puzzle
from gridproof.limits import Limits
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.runs.children import Child, serve
from gridproof.trust.verdict import Status, Verdict

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


@dataclass(frozen=True, slots=True)
class Finding:
    """The facts known about a board so far.

    question: which they answer. verdict: as soon as there is one. solutions: how many were counted; complete: these are
    all. candidates: the true candidates, a mask for each cell. unmarked: the verdict without the candidates that are
    given, if these leave no solution. explanation: of a board without a solution, or if it was wanted. step: the next
    one, or one of the path. problem: why there is no more. done: whether nothing more is to come.
    """

    board: Board
    question: Question = "look"
    verdict: Verdict | None = None
    solutions: int = 0
    complete: bool = False
    candidates: tuple[int, ...] | None = None
    unmarked: Verdict | None = None
    explanation: Explanation | None = None
    step: Step | None = None
    problem: str = ""
    done: bool = False

    def sentence(self) -> str:
        """State what is known, a line for each part."""
        if self.problem:
            return self.problem
        lines = self.explanation.sentences() if self.explanation else []
        if self.unmarked is not None and self.unmarked.status is not Status.NONE:
            lines[:1] = [f"the pencil marks leave no solution; without them: {self.unmarked.sentence().rstrip('.')}"]
        if lines:
            return "\n".join(f"{line[0].upper()}{line[1:]}." for line in lines)
        return "" if self.verdict is None else self.verdict.sentence()


class Analyst:
    """Analyses one board after another; ``tell`` is called in a thread of its own with each finding.

    A new question ends the one before, whatever the solver does. ``close`` ends all. After ``IDLE_SECONDS`` without a
    question it has neither a thread nor a process.
    """

    def __init__(self, tell: Callable[[Finding], None]) -> None:
        self._tell = tell
        self._changed = threading.Condition()
        self._next: tuple[Question, Puzzle] | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def ask(self, puzzle: Puzzle, question: Question = "look") -> None:
        """Analyse this puzzle, and no other any more."""
        with self._changed:
            if self._closed:
                return
            self._next = question, puzzle
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
        while (task := self._taken()) is not None:
            time.sleep(PAUSE)
            if self._interrupted():
                continue
            child = child or Child(answer)
            if not self._follow(child, task):
                child.end()
                child = None
        if child is not None:
            child.end()

    def _taken(self) -> tuple[Question, Puzzle] | None:
        with self._changed:
            self._changed.wait_for(self._interrupted, IDLE_SECONDS)
            task, self._next = self._next, None
            if task is None:
                self._thread = None
            return task

    def _follow(self, child: Child, task: tuple[Question, Puzzle]) -> bool:
        """Pass on all findings; return ``False`` if the process is of no use any more."""
        with suppress(OSError):  # it has died, which shows below
            child.pipe.send(task)
        while not self._interrupted():
            try:
                if not child.pipe.poll(0.05):
                    continue
                finding: Finding = child.pipe.recv()
            except (EOFError, OSError):
                problem = "the process that analysed it has ended"
                self._tell(Finding(task[1].board, task[0], problem=problem, done=True))
                return False
            self._tell(finding)
            if finding.done:
                return True
        return False


# ---- in the process --------------------------------------------------------------------------------------------------


def answer(pipe: Connection) -> None:
    """Answer question after question until the pipe closes: the main function of the process."""
    serve(pipe, _findings)


def _findings(task: tuple[Question, Puzzle]) -> Iterator[Finding]:
    question, puzzle = task
    finding, limits = Finding(puzzle.board, question), Limits(seconds=SECONDS)
    try:
        if question == "look":
            yield from _look(puzzle.board)
        elif question == "why":
            yield replace(finding, explanation=explain(puzzle.board, limits=limits), done=True)
        else:
            path = steps(puzzle, limits=limits)
            for step in islice(path, 1 if question == "next" else None):
                finding = replace(finding, step=step)
                yield finding
            yield replace(finding, step=None, problem="" if finding.step else "no step follows from here", done=True)
    except GridproofError as problem:
        yield replace(finding, step=None, problem=str(problem), done=True)


def _look(board: Board) -> Iterator[Finding]:
    limits = Limits(seconds=SECONDS)
    with Pipeline(limits=limits) as pipeline:
        verdict = pipeline.verify(board)
        finding = Finding(board, verdict=verdict, solutions=len(verdict.solutions))
        if verdict.status is Status.UNIQUE:
            masks = tuple(1 << (symbol - 1) for symbol in verdict.solutions[0])
            finding = replace(finding, complete=True, candidates=masks)
        else:
            yield finding
        with suppress(Interrupted):
            if verdict.status is Status.NONE:
                if board.marks is not None:
                    finding = replace(finding, unmarked=pipeline.verify(replace(board, marks=None)))
                finding = replace(finding, explanation=explain(board, limits=limits))
            elif verdict.status is Status.MULTIPLE:
                counted = pipeline.count(board, MOST_SOLUTIONS)
                finding = replace(finding, solutions=max(2, counted.number), complete=counted.complete)
                yield finding
                finding = replace(finding, candidates=candidates(board, limits=limits).masks)
        yield replace(finding, done=True)
