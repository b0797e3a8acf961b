"""Answers to puzzles, scored: one by one (``score``), or the rows of a table (``score_table``).

::

    answer in any words -> answers (the last grid in it) -> score (right, wrong, blank, what breaks first)

A puzzle's truth is its verdict, found and cross-checked as ``verify`` does it, whatever solution is stored with it.
"""

from __future__ import annotations

from typing import Unpack

from gridproof.errors import InputError
from gridproof.formats import PuzzleLike
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.reading import ReadOptions, read_puzzle
from gridproof.formats.values import board_of_values
from gridproof.limits import NO_LIMITS, Limits
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.questions import verify
from gridproof.scoring.answers import Answer, find_answer
from gridproof.scoring.scores import Score, score_grid
from gridproof.scoring.tables import score_columns, score_table
from gridproof.text import counted
from gridproof.trust.answer import Status

__all__ = ["Answer", "Score", "find_answer", "score", "score_columns", "score_table"]


def score(puzzle: PuzzleLike, answer: object, *, limits: Limits = NO_LIMITS, **reading: Unpack[ReadOptions]) -> Score:
    """Score an answer to a puzzle.

    Parameters
    ----------
    puzzle
        A ``Board``, or whatever ``gridproof.parse`` reads.
    answer
        A text, in which the last grid of the puzzle's size counts, also inside prose, a fence, ``\\boxed{}`` or lines
        such as ``Row 1: ...``; or the cells in a list or an array, with 0 for a blank.
    limits
        When to stop looking for the solutions of the puzzle; the default is never.
    **reading
        The options of ``gridproof.parse``, such as ``rules``.

    Returns
    -------
    Score
        What is right, wrong and blank, the first wrong cell and what it breaks, and rewards.

    Raises
    ------
    InputError
        If ``puzzle`` is no puzzle, or a list of cells no grid of its size.

    Examples
    --------
    >>> import gridproof
    >>> scored = gridproof.score("1... ..2. .3.. ...4", "My answer: \\\\boxed{1243 3421 4312 2114}. Fine.")
    >>> print(scored)
    not solved: 11 right, 1 wrong, 0 blank; r4c3 holds 1: 1 is in row 4 twice
    >>> scored.correct_before_error, scored.wrong_cells
    (11, (14,))
    """
    record = read_puzzle(puzzle, **reading)
    verdict = verify(record, limits=limits, cross_check="none", despite_unread=True)
    solution = verdict.solutions[0] if verdict.status is Status.UNIQUE else None
    return score_answer(record.board, verdict.status, solution, answer)


def score_answer(board: Board, verdict: Status, solution: SymbolTuple | None, answer: object) -> Score:
    """Score an answer to a puzzle whose verdict is known. Raises as ``score``."""
    geometry = board.geometry
    if isinstance(answer, str):
        found = find_answer(answer, geometry)
        if found is None:
            return score_grid(board, verdict, solution, (), "")
        return score_grid(board, verdict, solution, found.symbols, found.text)
    if isinstance(answer, (Board, Puzzle)):
        given = answer.board if isinstance(answer, Puzzle) else answer
        symbols = tuple([clue or filled for clue, filled in zip(given.clues, given.filled or given.clues, strict=True)])
    else:
        symbols = board_of_values(answer, geometry).clues
    if len(symbols) != geometry.cell_count:
        raise InputError(
            f"an answer of {counted(len(symbols), 'cell')}; expected {geometry.cell_count}, as the puzzle has"
        )
    return score_grid(board, verdict, solution, symbols, "")
