"""The next step and why: steps with minimal reasons, hints, and the cost of a puzzle.

A step removes candidates or places a symbol. Its reason is a minimal set of facts that a person would name, found by
propagation and made minimal by a solver: "5 has a place in box 3", "the thermometer r1c1-r1c4". ``steps`` goes step by
step, and ``rate`` measures how hard a puzzle is.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import replace
from typing import Unpack

from gridproof.errors import InputError
from gridproof.formats import PuzzleLike
from gridproof.formats.reading import ReadOptions, read_named
from gridproof.limits import NO_LIMITS, Limits
from gridproof.pictures.steps import Slide, Steps
from gridproof.puzzle.board import Board
from gridproof.solving.path import SolvingPath
from gridproof.solving.position import Candidate, Fact, Goal, Position
from gridproof.solving.rating import Rating, rate, rating_of
from gridproof.solving.step import Step
from gridproof.solving.story import StoryLine
from gridproof.solving.story_pictures import told_lines


def steps(
    puzzle: PuzzleLike, *, limits: Limits = NO_LIMITS, **reading: Unpack[ReadOptions]
) -> Generator[Step, bool | None, None]:
    """Yield one step after another, from the position of a puzzle to its solution, the cheapest first.

    Entries and pencil marks are part of the position. If one of them is wrong, the first step restores it. Send
    ``False`` to decline a step; it is not offered again.

    Parameters
    ----------
    puzzle
        A ``Board``, or whatever ``gridproof.parse`` reads.
    limits
        The limits of all steps together.
    **reading
        The options of ``gridproof.parse``, such as ``rules``.

    Yields
    ------
    Step
        Nothing follows from the facts any more when it ends: the board is full, or has several solutions, or the
        last step is a contradiction, since there is no solution from here.

    Raises
    ------
    Interrupted
        If a limit came first, after the steps that were found so far.

    Examples
    --------
    >>> import gridproof
    >>> path = gridproof.steps("1... ..2. .3.. ...4")
    >>> next(path).sentence()
    'naked single: r3c3 is 1, because r3c3 has only one symbol left'
    >>> path.send(False).conclusion()
    'r4c1 is 2'
    """
    whole = read_named(puzzle, **reading)
    board = whole.position
    marks = whole.board.marks if whole.notes else None
    for mistake in find_mistakes(board, replace(whole.board, filled=(), marks=marks), limits):
        restoring = Step(Position(board, board.candidates, board.filled or board.clues), restored=(mistake,))
        reply = yield restoring
        if reply is not False:
            board = restoring.apply()
    with SolvingPath(board, limits) as path:
        together = path.name_round(path.next_round())
        while together:
            replies: list[bool | None] = []
            for step in together:
                reply = yield path.with_story(step)
                replies.append(reply)
            for step, reply in zip(together, replies, strict=True):
                path.take(step, accepted=reply is not False)
            if path.cut:
                break
            together = path.name_round(path.next_round())
        if path.cut:
            raise path.cut


MOST_LINES = 40
"""Largest number of lines of a story that have pictures of their own: nobody goes through a longer one by a slider."""


def slides(path: Iterable[Step], title: str = "Steps", level: int = 3) -> Steps:
    """Return the pictures of some steps, which a notebook shows with a slider, and ``save`` writes as a page.

    level: how much is shown of each step, as in ``Step.hint``; of all of it (3) the story, line by line, comes first.

    Examples
    --------
    >>> slides(steps("1... ..2. .3.. ...4"), "A small puzzle")
    <Steps: 12; A small puzzle>
    """
    path = list(path)
    if not path:
        raise InputError("no step to draw; expected at least one")
    pictures: list[Slide] = []
    for number, step in enumerate(path):
        based = step.rebase(path[:number])
        if level == 3 and step.has_story and len(step.story) <= MOST_LINES:
            # the last text may name what is told in the same way, without lines of its own
            for text, line in zip(step.story_texts(), told_lines(step.story), strict=False):
                pictures.append(Slide(text.strip(), picture=based.picture(line=line)))
        pictures.append(Slide(step.hint(level), picture=based.picture(level)))
    return Steps(path[0].position.board, title, tuple(pictures))


def find_mistakes(board: Board, puzzle: Board, limits: Limits) -> list[Candidate]:
    """Return what the only solution of the puzzle has where an entry or a pencil mark of the board contradicts it."""
    if board.marks is None and not any(board.filled):
        return []
    with SolvingPath(puzzle, limits) as path:
        solution = sorted(path.solution.items())
    candidates = board.candidates
    mistakes: list[Candidate] = []
    for cell, symbol in solution:
        entry = board.filled[cell] if board.filled else 0
        is_open = not entry and candidates[cell] >> (symbol - 1) & 1
        if entry != symbol and not is_open:
            mistakes.append((cell, symbol))
    return mistakes


__all__ = [
    "Fact",
    "Goal",
    "Position",
    "Rating",
    "Step",
    "StoryLine",
    "rate",
    "rating_of",
    "slides",
    "steps",
]


def __dir__() -> list[str]:
    return __all__
