"""Puzzles that were made as text, tables, and pages to be printed.

A puzzle stands on a line where that can be: its clues, or with rules a string of the Interactive Sudoku Solver. What
that program cannot express (such as kinds of rules of one's own) is written as TOML, which can express every rule.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gridproof.errors import BoardError, InputError
from gridproof.formats import to_line
from gridproof.formats.known.jsonl import rule_list
from gridproof.formats.one_line import as_toml, string_of, text_of
from gridproof.generation.recipe import Generated, Recipe
from gridproof.pictures import board_svg
from gridproof.pictures.book import PER_PAGE, write_book
from gridproof.pictures.colours import Theme
from gridproof.pictures.document import save_text, web_page
from gridproof.puzzle.board import Board
from gridproof.runs import tables
from gridproof.runs.journal import replace_file

FIELDS = {
    "puzzle": "string",
    "solution": "string",
    "clues": "int64",
    "seed": "int64",
    "number": "int64",
    "minimal": "string",
}
"""The columns of a table of puzzles, and their types."""

RATING_FIELDS = {
    "grade": "string",
    "cost": "float64",
    "hardest": "float64",
    "times": "int64",
    "total": "float64",
    "rounds": "int64",
    "width": "int64",
    "name": "string",
}
"""The further columns of puzzles that are rated."""


def refusal(board: Board) -> str:
    """Return why a board without clues cannot stand on a line with its rules, or nothing if it can."""
    if board.rules:
        try:
            string_of(board)
        except BoardError as problem:
            return str(problem)
    return ""


@dataclass(frozen=True)
class Output:
    """The place that puzzles go to, and their form.

    Attributes
    ----------
    path : Path or None
        The file of a table, or of a puzzle in TOML; ``None`` for standard output.
    form : str
        ``lines``, ``toml``, or ``csv``, ``jsonl`` or ``parquet`` for a table.
    recipe : Recipe
        The recipe of the puzzles.
    """

    path: Path | None
    form: str
    recipe: Recipe

    @classmethod
    def choose(cls, output: str | None, count: int, recipe: Recipe) -> Output:
        """Return the output for so many puzzles.

        Raises ``InputError`` for a file of another ending, or one whose form cannot hold the puzzles.
        """
        why = refusal(Board.empty(recipe.shape).with_rules(recipe.problem.rules))
        if output is None:
            if not why:
                return cls(None, "lines", recipe)
            return cls(None, "toml" if count == 1 else "jsonl", recipe)
        path = Path(output)
        if path.suffix.casefold() == ".toml":
            if count > 1:
                raise InputError(f"{count} puzzles in {output}, a file of one; expected a name that ends in .jsonl")
            return cls(path, "toml", recipe)
        form = tables.form_of(tables.resolve_output(output))
        if form == "csv" and why:
            raise InputError(f"{output}: {why}; expected a name that ends in .jsonl, .parquet, or .toml for one puzzle")
        return cls(path, str(form), recipe)

    @property
    def types(self) -> dict[str, str]:
        """The columns of the table, and their types."""
        if self.recipe.rates:
            return FIELDS | RATING_FIELDS
        return FIELDS

    def row(self, made: Generated) -> dict[str, Any]:
        """Return the row of a puzzle."""
        board = made.board
        row: dict[str, Any] = {
            "puzzle": text_of(board),
            "solution": to_line(made.solution, board.geometry),
            "clues": board.clue_count,
            "seed": self.recipe.seed,
            "number": made.number,
            "minimal": "yes" if made.minimal else "no",
        }
        if made.rating is not None:
            figures = made.rating.as_dict()
            row |= {name: figures[name] for name in RATING_FIELDS}
        return row

    def line(self, made: Generated) -> str:
        """Return a puzzle as it is printed: on a line, or alone in TOML."""
        if self.form == "jsonl":
            return self._json_line(made)
        return text_of(made.board) if self.form == "lines" else as_toml(made.board)

    def write(self, made: Sequence[Generated]) -> None:
        """Write the file, if there is a puzzle."""
        if self.path is None or not made:
            return
        if self.form == "toml":
            save_text(self.path, as_toml(made[0].board) + "\n")
        elif self.form == "jsonl":
            lines = [self._json_line(one) + "\n" for one in made]
            with replace_file(self.path) as draft:
                draft.write_text("".join(lines), encoding="utf-8")
        else:
            rows = [self.row(one) for one in made]
            columns = [[row[name] for row in rows] for name in self.types]
            tables.write(self.path, self.types, columns)

    def _json_line(self, made: Generated) -> str:
        """Return the row of a puzzle as JSON, with its rules as data, too."""
        row = self.row(made)
        if made.board.rules:
            row["rule_list"] = rule_list(made.board)
        return json.dumps(row)


def write_pages(
    made: Sequence[Generated], path: str | Path, title: str, *, with_cost: bool = False, per_page: int = PER_PAGE
) -> None:
    """Write puzzles with their grades, and then their solutions in small, as HTML to be printed or as PDF.

    with_cost: whether what the hardest step costs stands beside the grade. per_page: boards on a page of the PDF.
    """
    theme: Theme = "light" if is_book(path) else "auto"
    boards = []
    solved = []
    for number, one in enumerate(made, 1):
        heading = str(number)
        if one.rating is not None:
            heading += f" · {one.rating.grade}"
            if with_cost:
                heading += f", cost {one.rating.hardest:.1f}"
        boards.append(board_svg(one.board, heading=heading, theme=theme))
        entries = [0 if clue else symbol for symbol, clue in zip(one.solution, one.board.clues, strict=True)]
        solved.append(board_svg(one.board.with_filled(entries), heading=str(number), theme=theme))
    if is_book(path):
        write_book(Path(path), boards, title, solved, per_page=per_page)
    else:
        save_text(path, web_page(boards, title, solved))


def is_book(path: str | Path) -> bool:
    """Return whether the name of a file is that of a book as PDF."""
    return Path(path).suffix.casefold() == ".pdf"
