"""A puzzle after a step of its setter, together with the work of its solver."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from gridproof.errors import InputError
from gridproof.formats import Puzzle
from gridproof.formats.drawn import groups_of, sketches_of
from gridproof.puzzle.board import Board
from gridproof.rules.drawing import Sketch
from gridproof.widget.entries import Entries
from gridproof.widget.history import History

LARGEST_ORDER = 25
"""Most rows, columns and digits of boards that one can click into."""


class Stage(NamedTuple):
    """The puzzle after a step, without the work of its solver.

    words_covered: whether its setter has stated that its rules on the board are all that its words and drawings state.
    sketch: what another program drew, and nobody read. work: what its solver does, step by step.
    """

    puzzle: Puzzle
    words_covered: bool
    sketch: tuple[Sketch, ...]
    work: History[Entries]


def refuse_large(board: Board) -> None:
    """Refuse a board that is too large to click into. Raises ``InputError``."""
    geometry = board.geometry
    if max(geometry.rows, geometry.columns, geometry.symbol_count) > LARGEST_ORDER:
        raise InputError(
            f"a board of {geometry.rows}x{geometry.columns} with {geometry.symbol_count} digits; expected at most"
            f" {LARGEST_ORDER} rows, columns and digits"
        )


def make_stage(puzzle: Puzzle) -> Stage:
    """Return the first stage of a puzzle. Raises ``InputError`` if it is too large."""
    refuse_large(puzzle.board)
    given = replace(puzzle, board=replace(puzzle.board, filled=()), notes=None)
    return Stage(given, False, tuple(sketches_of(groups_of(puzzle), puzzle.board)), History(Entries.of(puzzle)))
