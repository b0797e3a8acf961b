"""The analysis of the board on the screen, in a process that is ended when the board changes."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any, Literal, TypeAlias

from gridproof.errors import GridproofError, Interrupted
from gridproof.explanations import Explanation, candidates, explain
from gridproof.limits import Limits
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.runs.children import Child, serve
from gridproof.trust.verdict import Status, Verdict

MOST_SOLUTIONS = 200
"""How many solutions are counted, and shade the candidates if these are all."""

SECONDS = 20.0
"""Time for each step of the analysis."""

PAUSE = 0.08
"""Seconds that the board has to stay as it is before it is analysed: not at each key of fast typing."""

IDLE_SECONDS = 60.0
"""Seconds after which a process without work ends."""

Question: TypeAlias = Literal["look", "why"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The facts known about a board so far.

    verdict: as soon as there is one. solutions: how many were counted; complete: these are all. candidates: the true
    candidates, a mask for each cell. weights: for a cell and a symbol the share of all solutions that have it there.
    unmarked: the verdict without the pencil marks, if these leave no solution. explanation: of a board without a
    solution, or if it was wanted. problem: why there is no more. done: whether nothing more is to come.
    """

    board: Board
    verdict: Verdict | None = None
    solutions: int = 0
    complete: bool = False
    candidates: tuple[int, ...] | None = None
    weights: Mapping[tuple[int, int], float] = field(default_factory=dict)
    unmarked: Verdict | None = None
    explanation: Explanation | None = None
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
        if self.verdict is None:
            return ""
        sentence = self.verdict.sentence()
        if self.verdict.status is Status.MULTIPLE and self.solutions > 2:
            number = f"{'' if self.complete else 'at least '}{self.solutions:,}"
            sentence = f"{sentence.rstrip('.')}; {number} solutions"
        return sentence


class _Spare:
    """The one process that waits for work, of any widget; after ``IDLE_SECONDS`` it ends."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._timer: threading.Timer | None = None

    def take(self) -> Child:
        """Return the waiting process, or a new one."""
        child = self._emptied()
        return child if child is not None and child.alive else Child(answer)

    def put(self, child: Child) -> None:
        """Let a process wait, in place of the one that waits."""
        with self._lock:
            old, self._child = self._child, child
            self._restart_timer(threading.Timer(IDLE_SECONDS, self.end))
        if old is not None:
            old.end()

    def end(self) -> None:
        """End the waiting process."""
        if (child := self._emptied()) is not None:
            child.end()

    def _emptied(self) -> Child | None:
        with self._lock:
            child, self._child = self._child, None
            self._restart_timer(None)
        return child

    def _restart_timer(self, timer: threading.Timer | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = timer
        if timer is not None:
            timer.daemon = True
            timer.start()


spare = _Spare()


class Analyst:
    """Analyses one board after another; ``tell`` is called in a thread of its own with each finding.

    A new question ends the one before, whatever the solver does. ``close`` ends all. Without questions it has neither a
    thread nor a process of its own.
    """

    def __init__(self, tell: Callable[[Finding], None]) -> None:
        self._tell = tell
        self._lock = threading.Lock()
        self._next: tuple[Question, Board] | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def ask(self, board: Board, question: Question = "look") -> None:
        """Analyse this board, and no other any more."""
        with self._lock:
            if self._closed:
                return
            self._next = question, board
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="gridproof widget", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End the process and the thread."""
        with self._lock:
            self._closed, self._next, thread = True, None, self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(5.0)

    @property
    def _interrupted(self) -> bool:
        return self._closed or self._next is not None

    def _work(self) -> None:
        while (task := self._taken()) is not None:
            time.sleep(PAUSE)
            if self._interrupted:
                continue
            child = spare.take()
            if self._follow(child, task):
                spare.put(child)
            else:
                child.end()

    def _taken(self) -> tuple[Question, Board] | None:
        with self._lock:
            task, self._next = self._next, None
            if task is None:
                self._thread = None
            return task

    def _follow(self, child: Child, task: tuple[Question, Board]) -> bool:
        """Pass on all findings; return ``False`` if the process is of no use any more."""
        with suppress(OSError):  # it has died, which shows below
            child.pipe.send(task)
        while not self._interrupted:
            try:
                if not child.pipe.poll(0.05):
                    continue
                finding: Finding = child.pipe.recv()
            except (EOFError, OSError):
                self._tell(Finding(task[1], problem="the process that analysed it has ended", done=True))
                return False
            self._tell(finding)
            if finding.done:
                return True
        return False


# ---- in the process --------------------------------------------------------------------------------------------------


def answer(pipe: Connection) -> None:
    """Answer question after question until the pipe closes: the main function of the process."""
    serve(pipe, _findings)


def _findings(task: tuple[Question, Board]) -> Iterator[Finding]:
    question, board = task
    try:
        if question == "look":
            yield from _look(board)
        else:
            yield Finding(board, explanation=explain(board, limits=Limits(seconds=SECONDS)), done=True)
    except GridproofError as problem:
        yield Finding(board, problem=str(problem), done=True)


def _look(board: Board) -> Iterator[Finding]:
    limits = Limits(seconds=SECONDS)
    with Pipeline(limits=limits) as pipeline:
        verdict = pipeline.verify(board)
        finding = Finding(board, verdict, len(verdict.solutions))
        if verdict.status is Status.UNIQUE:
            finding = replace(finding, complete=True, candidates=_masks(_weights(verdict.solutions), board))
        elif verdict.status in (Status.NONE, Status.MULTIPLE):
            yield finding
        with suppress(Interrupted):
            if verdict.status is Status.NONE:
                if board.marks is not None:
                    finding = replace(finding, unmarked=pipeline.verify(replace(board, marks=None)))
                finding = replace(finding, explanation=explain(board, limits=limits))
            elif verdict.status is Status.MULTIPLE:
                running = pipeline.solutions(board)
                grids = []
                with suppress(Interrupted):
                    for grid in islice(running, MOST_SOLUTIONS):
                        grids.append(grid)  # noqa: PERF402 -- what came before a limit is kept
                    complete = len(grids) < MOST_SOLUTIONS or next(running, None) is None
                    finding = replace(finding, complete=complete)
                finding = replace(finding, solutions=max(2, len(grids)))
                if finding.complete:
                    weights = _weights(grids)
                    finding = replace(finding, candidates=_masks(weights, board), weights=weights)
                else:
                    yield finding
                    finding = replace(finding, candidates=candidates(board, limits=limits).masks)
        yield replace(finding, done=True)


def _weights(grids: Any) -> dict[tuple[int, int], float]:
    """Return for each cell and symbol the share of the grids that have it there."""
    counts = Counter((cell, symbol) for grid in grids for cell, symbol in enumerate(grid))
    return {place: count / len(grids) for place, count in counts.items()}


def _masks(weights: Mapping[tuple[int, int], float], board: Board) -> tuple[int, ...]:
    masks = [0] * len(board.clues)
    for cell, symbol in weights:
        masks[cell] |= 1 << (symbol - 1)
    return tuple(masks)
