"""Puzzles that were made, for people and programs: a line each, a table, or pages to be printed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gridproof.formats import to_line
from gridproof.formats.catalog import all_formats
from gridproof.formats.puzzle import Puzzle
from gridproof.generation.recipe import Generated, Recipe
from gridproof.pictures import board_svg
from gridproof.pictures.document import save_text, web_page
from gridproof.puzzle.board import Board
from gridproof.runs import tables

COLUMNS = {
    "puzzle": "string",
    "solution": "string",
    "clues": "int64",
    "seed": "int64",
    "number": "int64",
    "minimal": "string",
}
"""The columns of every table, with their types."""

RATING_COLUMNS = {
    "cost": "float64",
    "hardest": "float64",
    "times": "int64",
    "total": "float64",
    "rounds": "int64",
    "width": "int64",
    "name": "string",
}
"""The further columns if puzzles are rated."""


def text_of(board: Board) -> str:
    """Return a board on a line: its cells, or a string of the Interactive Sudoku Solver if it has rules.

    Raises ``BoardError`` for rules that such a string cannot express.
    """
    if board.rules:
        return all_formats()["iss"].text_of(Puzzle(board))
    return to_line(board.clues, board.geometry)


def write_table(made: Sequence[Generated], recipe: Recipe, path: str | Path) -> None:
    """Write puzzles with their properties; nothing if there are none."""
    rows = []
    for puzzle in made:
        board = puzzle.board
        row = [text_of(board), to_line(puzzle.solution, board.geometry), board.clue_count]
        row += [recipe.seed, puzzle.number, "yes" if puzzle.minimal else "no"]
        if puzzle.rating is not None and recipe.rated:
            measured = puzzle.rating.as_dict()
            row += [measured[name] for name in RATING_COLUMNS]
        rows.append(row)
    if rows:
        types = COLUMNS | RATING_COLUMNS if recipe.rated else COLUMNS
        tables.write(path, types, list(zip(*rows, strict=True)))


def write_pages(made: Sequence[Generated], path: str | Path, title: str) -> None:
    """Write puzzles, and then their solutions in small, as HTML that is printed on several pages."""
    boards = []
    solutions = []
    for number, puzzle in enumerate(made, 1):
        heading = str(number)
        if puzzle.rating:
            heading += f" · cost {puzzle.rating.cost:.1f}"
        boards.append(board_svg(puzzle.board, heading=heading))
        entries = [0 if clue else symbol for symbol, clue in zip(puzzle.solution, puzzle.board.clues, strict=True)]
        solutions.append(board_svg(puzzle.board.with_filled(entries), heading=str(number)))
    save_text(path, web_page(boards, title, solutions))
