"""Puzzles that were made by a recipe, on their way out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gridproof.errors import BoardError, InputError
from gridproof.formats.one_line import string_of
from gridproof.formats.puzzle import Puzzle
from gridproof.generation.recipe import Generated, Recipe
from gridproof.output.columns import RATING_TYPES, Made
from gridproof.output.way_out import LINES, WayOut, Wishes
from gridproof.puzzle.board import Board
from gridproof.text import counted

TYPES = {
    "puzzle": "string",
    "solution": "string",
    "clues": "int64",
    "seed": "int64",
    "number": "int64",
    "minimal": "string",
}
"""The columns of a table of puzzles that were made, and their types."""


def open_way_out(wishes: Wishes, recipe: Recipe, count: int, names: Sequence[str] = ()) -> WayOut:
    """Return the way out for so many puzzles of a recipe.

    names: of the symbols, for drawings. Where a line cannot hold the rules, one puzzle is written as a file of its own,
    and several as JSON lines. Raises ``InputError`` for a form that cannot hold the puzzles, and names that no board
    has.
    """
    if names:
        recipe.shape.with_symbol_texts(names)
    wishes = replace(wishes, rated=False)  # the recipe rates, also for pages beside lines
    own = dict(TYPES)
    if recipe.rates:
        own |= RATING_TYPES
    why = refusal(Board.empty(recipe.shape).with_rules(recipe.problem.rules))
    usual = LINES
    if why:
        usual = "toml" if count == 1 else "jsonl"
    way_out = WayOut(wishes, own, usual=usual, shape=recipe.shape, live=True)
    if way_out.form == "toml" and count > 1:
        where = wishes.path or "standard output"
        raise InputError(f"{counted(count, 'puzzle')} in {where}, a file of one; expected a name that ends in .jsonl")
    if way_out.form == "csv" and why:
        where = wishes.path or "csv"
        raise InputError(f"{where}: {why}; expected a name that ends in .jsonl, .parquet, or .toml for one puzzle")
    return way_out


def refusal(board: Board) -> str:
    """Return why a board without clues cannot stand on a line with its rules, or nothing if it can."""
    if board.rules:
        try:
            string_of(board)
        except BoardError as problem:
            return str(problem)
    return ""


def made_of(generated: Generated, recipe: Recipe, names: tuple[str, ...] = ()) -> Made:
    """Return a puzzle on its way out. names: of its symbols, for drawings."""
    columns = {
        "seed": recipe.seed,
        "number": generated.number,
        "minimal": "yes" if generated.minimal else "no",
    }
    puzzle = Puzzle(generated.board, tuple(generated.solution), names=names)
    return Made(puzzle, columns, rating=generated.rating)
