"""The puzzle on the screen in other forms: for other programs, as a picture, and as a page to print."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gridproof.errors import InputError
from gridproof.formats.catalog import all_formats
from gridproof.pictures.document import html_page
from gridproof.widget.board import LiveBoard

FORMATS = {"f-puzzles": "f-puzzles", "sudokupad": "sudokupad-link", "iss": "iss", "toml": "toml", "text": "text"}
"""The format of each form that is text."""

FILES = {
    "toml": "puzzle.toml",
    "text": "puzzle.txt",
    "iss": "puzzle.iss.txt",
    "svg": "puzzle.svg",
    "print": "puzzle.html",
}
"""The file that a form is saved as; the others are links."""


def export(board: LiveBoard, what: str) -> dict[str, Any]:
    """Return the puzzle in another form: its ``text``, and the name of its ``file``, or that it is a ``link``.

    Raises
    ------
    InputError
        For a form that there is not, or that cannot hold the puzzle.
    """
    if what == "svg":
        text = str(board.picture(theme="light"))
    elif what == "print":
        text = page_to_print(board)
    elif what in FORMATS:
        text = all_formats()[FORMATS[what]].text_of(board.puzzle_to_give())
    else:
        raise InputError(f"the puzzle as {what!r}; expected {', '.join([*FORMATS, 'svg'])} or print")
    file = FILES.get(what, "")
    return {"text": text, "file": file, "link": text.startswith("https://")}


def page_to_print(board: LiveBoard) -> str:
    """Return a page with the puzzle as its solver gets it: title, author, rules in words, and the board."""
    puzzle = board.puzzle_to_give()
    shown = replace(puzzle, board=replace(puzzle.board, filled=()))
    return html_page(puzzle.title or "Sudoku", "", shown._repr_html_())
