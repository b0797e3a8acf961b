"""A puzzle after a step of its setter, together with the work of its solver."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from gridproof.errors import InputError
from gridproof.formats import Puzzle
from gridproof.formats.drawn import groups_of, sketches_of
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


def refuse_large(rows: int, columns: int, digit_count: int) -> None:
    """Refuse a board that is too large to click into. Raises ``InputError``."""
    if max(rows, columns, digit_count) > LARGEST_ORDER:
        raise InputError(
            f"a board of {rows}x{columns} with {digit_count} digits; expected at most"
            f" {LARGEST_ORDER} rows, columns and digits"
        )


def make_stage(puzzle: Puzzle) -> Stage:
    """Return the first stage of a puzzle. Raises ``InputError`` if it is too large."""
    geometry = puzzle.board.geometry
    refuse_large(*geometry.shape, geometry.symbol_count)
    given = replace(puzzle, board=replace(puzzle.board, filled=()), notes=None)
    return Stage(given, False, tuple(sketches_of(groups_of(puzzle), puzzle.board)), History(Entries.of(puzzle)))
