"""Boards on pages to be printed, their solutions in small at the end: as HTML, or as a book in PDF."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gridproof.pictures import board_svg
from gridproof.pictures.book import PER_PAGE, write_book
from gridproof.pictures.colours import Theme
from gridproof.pictures.document import Svg, save_text, web_page
from gridproof.puzzle.board import Board


def is_book(path: Path) -> bool:
    """Return whether the name of a file is that of a book as PDF."""
    return path.suffix.casefold() == ".pdf"


def theme_of(path: Path) -> Theme:
    """Return the colours of pictures in a file: those of paper, or those that a reader prefers."""
    return "auto" if path.suffix.casefold() in (".html", ".svg") else "light"


def draw_solution(board: Board, solution: Sequence[int], number: int, theme: Theme, symbols: Sequence[str] = ()) -> Svg:
    """Return the picture of a solution, with the clues as such.

    number: of its puzzle, from 1. symbols: their names, as of ``board_svg``.
    """
    entries = [0 if clue else symbol for symbol, clue in zip(solution, board.clues, strict=True)]
    return board_svg(board.with_filled(entries), heading=str(number), theme=theme, symbols=symbols)


def save_pages(
    path: Path, boards: Sequence[Svg], title: str, solutions: Sequence[Svg], *, per_page: int = PER_PAGE
) -> None:
    """Write pictures of boards, and then their solutions in small. per_page: boards on a page of the PDF."""
    if is_book(path):
        write_book(path, boards, title, solutions, per_page=per_page)
    else:
        save_text(path, web_page(boards, title, solutions))
