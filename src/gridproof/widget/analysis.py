"""The analysis of the board on the screen: a task, and what is found about it, one finding after the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, Literal, TypeAlias

from gridproof.errors import GridproofError, Interrupted
from gridproof.explanations import Explainer, explain_board
from gridproof.formats import Puzzle
from gridproof.limits import Limits
from gridproof.models.targets.cnf import LARGE_ORDER
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.solving import steps
from gridproof.trust.verdict import Status

MOST_SOLUTIONS = 200
"""Largest number of solutions that are counted."""

SECONDS = 20.0
"""Time for each step of the analysis."""

SECONDS_TO_CORRECT = 0.5
"""Time for what to leave out of a board without a solution, while it is being set; *Why* takes longer."""

LARGE_ENCODING = "extended"
"""The encoding of large boards. While they are set they have few clues, with which the usual one for large boards takes
more than 20 seconds where this one takes 0.02."""

MOST_EXPLAINED = 50
"""Boards that one explainer serves: its solver keeps the clauses of all rules that it has seen."""

Question: TypeAlias = Literal["look", "why", "next", "path"]
"""The verdict on a puzzle, its explanation, the next step of its solver, and each step from the beginning on."""

Task: TypeAlias = tuple[Question, Puzzle]

Finding: TypeAlias = dict[str, Any]
"""A part of what is found: ``verdict``; ``solutions``, how many were counted, and whether they are ``complete``;
``candidates``, a mask for each cell; ``explanation``; a ``step``; the ``problem`` why there is no more. The last one is
``done``. An empty one only gives way to whatever has come in the meantime."""


class Finder:
    """Works on one task after another, and keeps what it has compiled: most boards differ from the last one by a clue.

    Examples
    --------
    >>> from gridproof import read_puzzle
    >>> with_verdict = next(Finder().find(("look", read_puzzle("1... ..2. .3.. ...4"))))
    >>> print(with_verdict["verdict"])
    unique; reference: agrees
    """

    def __init__(self) -> None:
        limits = Limits(seconds=SECONDS)
        self._usual = Pipeline(limits=limits)
        self._large = Pipeline(encoding=LARGE_ENCODING, limits=limits)
        self._explainer: Explainer | None = None
        self._explained = 0

    def find(self, task: Task) -> Iterator[Finding]:
        """Yield what is found for a task, as it is found."""
        question, puzzle = task
        step = None
        try:
            if question == "look":
                yield from self._look_at(puzzle.board)
            elif question == "why":
                with self._explainer_of(puzzle.board).within(SECONDS):
                    yield {"explanation": explain_board(puzzle.board, self._explainer_of(puzzle.board))}
            else:
                for step in islice(steps(puzzle, limits=Limits(seconds=SECONDS)), 1 if question == "next" else None):
                    yield {"step": step}
                if step is None:
                    yield {"problem": "No step follows from here: the board is full, or there are several solutions."}
        except GridproofError as problem:
            self._forget_explainer()
            yield {"problem": str(problem)}
        yield {"done": True}

    def _look_at(self, board: Board) -> Iterator[Finding]:
        """Yield the verdict on a board, and then what explains it and how many solutions there are."""
        pipeline = self._large if board.geometry.symbol_count >= LARGE_ORDER else self._usual
        with suppress(Interrupted):
            verdict = pipeline.verify(board)
            yield {"verdict": verdict, "solutions": len(verdict.solutions), "complete": verdict.is_unique}
            if verdict.status is Status.NONE:
                explainer = self._explainer_of(board)
                with explainer.within(SECONDS):
                    yield {"explanation": explain_board(board, explainer, seconds_to_correct=SECONDS_TO_CORRECT)}
            elif verdict.status is Status.MULTIPLE:
                yield from count_solutions(pipeline, board)
            if verdict.status in (Status.UNIQUE, Status.MULTIPLE):
                yield from self._find_candidates(board)

    def _find_candidates(self, board: Board) -> Iterator[Finding]:
        """Yield the true candidates."""
        explainer = self._explainer_of(board)
        with explainer.within(SECONDS):
            for found in explainer.search_candidates(board):
                if found is None:
                    yield {}
                else:
                    yield {"candidates": found.masks}

    def _explainer_of(self, board: Board) -> Explainer:
        """Return the explainer for boards of this geometry: the last one, unless it has served too many."""
        explainer = self._explainer
        self._explained += 1
        if explainer is None or explainer.geometry != board.geometry or self._explained >= MOST_EXPLAINED:
            self._forget_explainer()
            encoding = LARGE_ENCODING if board.geometry.symbol_count >= LARGE_ORDER else None
            explainer = self._explainer = Explainer(board.geometry, encoding=encoding)
            self._explained = 0
        return explainer

    def _forget_explainer(self) -> None:
        if self._explainer is not None:
            self._explainer.close()
            self._explainer = None


def count_solutions(pipeline: Pipeline, board: Board) -> Iterator[Finding]:
    """Yield how many solutions there are, up to ``MOST_SOLUTIONS``; that these are all is cross-checked."""
    for number, _ in enumerate(pipeline.solutions(board), 1):
        if number == MOST_SOLUTIONS:
            yield {"solutions": number, "complete": False}
            return
        yield {}
    counted = pipeline.count(board, MOST_SOLUTIONS)
    yield {"solutions": counted.number, "complete": counted.complete}
