"""A book of boards as PDF: several on a page, page numbers, the solutions on pages of their own at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from math import ceil, sqrt
from pathlib import Path
from typing import Any

from gridproof.errors import InputError
from gridproof.pictures.document import FONTS, Svg, xml_text
from gridproof.runs.journal import replace_file

WIDTH, HEIGHT = 595.0, 842.0
"""Size of a page, in points: A4."""

MARGIN = 42.0
"""Free space around what is on a page, in points."""

GAP = 22.0
"""Free space between two boards, in points."""

HEAD, FOOT = 34.0, 20.0
"""Height of a title, and of the line with the number of the page, in points."""

PER_PAGE = 6
"""Default number of boards on a page."""

SOLUTIONS_TO_ONE = 2
"""Number of solutions that have the place of a board, or more."""

LARGEST_SCALE = 1.6
"""Largest factor by which a board is enlarged to fill its place."""


def write_book(
    path: Path,
    boards: Sequence[Svg],
    title: str = "",
    solutions: Sequence[Svg] = (),
    *,
    per_page: int = PER_PAGE,
) -> None:
    """Write boards, and then their solutions in small, to a PDF.

    Parameters
    ----------
    path
        The file.
    boards, solutions
        The pictures, in the light colours of paper.
    title
        The heading of the first page; none if it is empty.
    per_page
        The number of boards on a page.

    Raises
    ------
    InputError
        If a package for PDF is not installed, or for less than a board on a page.
    """
    if per_page < 1:
        raise InputError(f"{per_page} boards on a page; expected at least 1")
    cairosvg, pypdf = import_packages(path)
    writer = pypdf.PdfWriter()
    for page in book_pages(boards, title, solutions, per_page=per_page):
        writer.append(BytesIO(cairosvg.svg2pdf(page.encode())))
    if title:
        writer.add_metadata({"/Title": title})
    with replace_file(path) as draft:
        writer.write(draft)


def import_packages(path: Path) -> tuple[Any, Any]:
    """Return cairosvg and pypdf. Raises ``InputError`` if one is missing."""
    try:
        import cairosvg
        import pypdf
    except (ImportError, OSError) as problem:  # OSError: the C library that cairosvg needs is missing
        raise InputError(
            f"{path}: a book as PDF needs cairosvg and pypdf (pip install 'gridproof[picture]') and the library cairo: "
            f"{problem}; .html needs none of them"
        ) from None
    return cairosvg, pypdf


def book_pages(
    boards: Sequence[Svg], title: str = "", solutions: Sequence[Svg] = (), *, per_page: int = PER_PAGE
) -> Iterator[str]:
    """Yield each page of a book as SVG; see ``write_book``.

    Examples
    --------
    >>> from gridproof import Board
    >>> from gridproof.pictures import board_svg
    >>> pictures = [board_svg(Board.empty())] * 7
    >>> len(list(book_pages(pictures, "Seven", pictures, per_page=4)))
    3
    """
    number = 0
    for first in range(0, len(boards), per_page):
        number += 1
        heading = title if number == 1 else ""
        yield page_of(boards[first : first + per_page], heading, number, per_page)
    most = per_page * SOLUTIONS_TO_ONE
    for first in range(0, len(solutions), most):
        number += 1
        heading = "Solutions" if first == 0 else ""
        yield page_of(solutions[first : first + most], heading, number, most)


def page_of(pictures: Sequence[Svg], heading: str, number: int, places: int) -> str:
    """Return a page with pictures, as if it had so many places."""
    top = MARGIN
    parts = [f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" fill="white"/>']
    if heading:
        parts.append(text_element(WIDTH / 2, top + 0.55 * HEAD, 20, heading))
        top += HEAD
    parts.append(text_element(WIDTH / 2, HEIGHT - MARGIN + 0.6 * FOOT, 10, str(number)))
    width = WIDTH - 2 * MARGIN
    height = HEIGHT - top - MARGIN - FOOT
    columns, rows = columns_and_rows(places, width, height)
    cell_width = (width - (columns - 1) * GAP) / columns
    cell_height = (height - (rows - 1) * GAP) / rows
    for place, picture in enumerate(pictures):
        row, column = divmod(place, columns)
        left = MARGIN + column * (cell_width + GAP)
        above = top + row * (cell_height + GAP)
        parts.append(place_picture(picture, left, above, cell_width, cell_height))
    size = f'width="{WIDTH:g}pt" height="{HEIGHT:g}pt" viewBox="0 0 {WIDTH:g} {HEIGHT:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n' + "\n".join(parts) + "\n</svg>\n"


def columns_and_rows(places: int, width: float, height: float) -> tuple[int, int]:
    """Return how many columns and rows of squares fill a page best.

    Examples
    --------
    >>> [columns_and_rows(places, 511, 700) for places in (1, 2, 4, 6, 12)]
    [(1, 1), (1, 2), (2, 2), (2, 3), (3, 4)]
    """
    best = (0.0, 1, places)
    for columns in range(1, ceil(sqrt(places)) + 1):
        rows = ceil(places / columns)
        side = min((width - (columns - 1) * GAP) / columns, (height - (rows - 1) * GAP) / rows)
        best = max(best, (side, columns, rows))
    return best[1], best[2]


def place_picture(picture: Svg, left: float, top: float, width: float, height: float) -> str:
    """Return a picture in the middle of a place, as large as it fits."""
    wide, high = picture.size
    scale = min(width / wide, height / high, LARGEST_SCALE)
    x = left + (width - scale * wide) / 2
    y = top + (height - scale * high) / 2
    return f'<g transform="translate({x:.2f} {y:.2f}) scale({scale:.4f})">{picture}</g>'


def text_element(x: float, y: float, font: float, words: str) -> str:
    """Return a line of text whose middle is at a place."""
    look = f'font-family="{FONTS}" font-size="{font:g}" text-anchor="middle" fill="black"'
    return f'<text x="{x:g}" y="{y:g}" {look}>{xml_text(words)}</text>'
