"""Canonical forms of many puzzles, in processes of their own where that is wanted; in the order of the puzzles."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import islice
from typing import TypeAlias

from gridproof.bulk.run import open_workers
from gridproof.errors import BoardError, Interrupted
from gridproof.formats.puzzle import Puzzle
from gridproof.generation.canonical import Canonical, FormFinder
from gridproof.limits import Limits
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board

BATCH = 500
"""Puzzles whose forms are found together by a process."""

Found: TypeAlias = "Canonical | BoardError | Interrupted"
"""A form, or the reason why there is none."""


def find_forms(
    puzzles: Iterable[Puzzle], jobs: int, limits: Limits, *, by_solution: bool
) -> Iterator[tuple[Puzzle, Found]]:
    """Yield each puzzle with its form.

    jobs: the number of processes; 1 for this one. Boards that cannot be sent to another process, since they have a kind
    of rule of one's own, have their forms found in this one.
    """
    if jobs == 1:
        with open_finder(limits, by_solution=by_solution) as finder:
            for puzzle in puzzles:
                yield puzzle, find_one(finder, puzzle.board)
        return
    source = iter(puzzles)
    waiting: deque[tuple[list[Puzzle], Future[list[Found]] | list[Found]]] = deque()
    with open_workers(jobs) as workers:
        while True:
            batch = list(islice(source, BATCH))
            if batch:
                boards = [puzzle.board for puzzle in batch]
                if can_be_sent(boards):
                    waiting.append((batch, workers.executor.submit(find_all, boards, limits, by_solution)))
                else:
                    waiting.append((batch, find_all(boards, limits, by_solution)))
            if waiting and (not batch or len(waiting) >= workers.most()):
                done, forms = waiting.popleft()
                found = forms.result() if isinstance(forms, Future) else forms
                yield from zip(done, found, strict=True)
            elif not batch:
                return


def can_be_sent(boards: Sequence[Board]) -> bool:
    """Return whether boards can be sent to another process."""
    if not any(board.rules for board in boards):
        return True
    try:
        pickle.dumps(boards)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


@contextmanager
def open_finder(limits: Limits, *, by_solution: bool) -> Iterator[FormFinder]:
    """Return a finder of forms, with a pipeline where solutions are needed."""
    if not by_solution:
        yield FormFinder(limits)
        return
    with Pipeline(limits=limits, cross_check="none") as pipeline:
        yield FormFinder(limits, pipeline)


def find_one(finder: FormFinder, board: Board) -> Found:
    """Return the form of a board, or the reason why it has none."""
    try:
        return finder.find(board)
    except (BoardError, Interrupted) as problem:
        return type(problem)(str(problem))


def find_all(boards: Sequence[Board], limits: Limits, by_solution: bool) -> list[Found]:
    """Return the form of each board, or the reason why it has none."""
    with open_finder(limits, by_solution=by_solution) as finder:
        return [find_one(finder, board) for board in boards]
