"""The analysis of the board on the screen: a task, and what is found about it, one finding after the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, Literal, TypeAlias

from gridproof.errors import GridproofError, Interrupted
from gridproof.explanations import candidates, explain
from gridproof.formats import Puzzle
from gridproof.limits import Limits
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.solving import steps
from gridproof.trust.verdict import Status

MOST_SOLUTIONS = 200
"""How many solutions are counted."""

SECONDS = 20.0
"""Time for each step of the analysis."""

Question: TypeAlias = Literal["look", "why", "next", "path"]
"""The verdict on a puzzle, its explanation, the next step of its solver, and each step from the beginning on."""

Task: TypeAlias = tuple[Question, Puzzle]


def find(task: Task) -> Iterator[dict[str, Any]]:
    """Yield what is found for a task, as it is found.

    Each finding is a dictionary: ``verdict``; ``solutions``, how many were counted, and whether they are ``complete``;
    ``candidates``, a mask for each cell; ``explanation``; a ``step``; the ``problem`` why there is no more. The last
    one is ``done``.
    """
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
