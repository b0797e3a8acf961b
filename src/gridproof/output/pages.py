"""Puzzles that were made as pages to be printed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gridproof.generation.recipe import Generated
from gridproof.pictures import board_svg
from gridproof.pictures.book import PER_PAGE
from gridproof.pictures.pages import draw_solution, save_pages, theme_of


def write_pages(
    made: Sequence[Generated],
    path: str | Path,
    title: str,
    *,
    with_cost: bool = False,
    per_page: int = PER_PAGE,
    symbols: Sequence[str] = (),
) -> None:
    """Write puzzles with their grades, and then their solutions in small, as HTML to be printed or as PDF.

    with_cost: whether what the hardest step costs stands beside the grade. per_page: boards on a page of the PDF.
    symbols: their names, as of ``board_svg``.
    """
    path = Path(path)
    theme = theme_of(path)
    boards = []
    solved = []
    for number, one in enumerate(made, 1):
        heading = str(number)
        if one.rating is not None:
            heading += f" · {one.rating.grade}"
            if with_cost:
                heading += f", cost {one.rating.hardest:.1f}"
        boards.append(board_svg(one.board, heading=heading, theme=theme, symbols=symbols))
        solved.append(draw_solution(one.board, one.solution, number, theme, symbols))
    save_pages(path, boards, title, solved, per_page=per_page)
