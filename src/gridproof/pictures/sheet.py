"""Several pictures on one page, and pictures as PNG and PDF."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil
from pathlib import Path

from gridproof.errors import InputError
from gridproof.pictures.colours import CLUE
from gridproof.pictures.document import CRISP, FONTS, Svg, document, group, html_page, save_text, text_at, xml_text

ENDINGS = (".svg", ".png", ".pdf", ".html")
MOST_ON_A_PAGE = 60
"""Boards on one page. HTML takes any number and is printed on several pages."""

_PAGE = 595.0, 842.0  # A4 in points
_MARGIN, _GAP, _TITLE = 36.0, 18.0, 18.0
_SIZE = re.compile(r' width="[\d.]+" height="[\d.]+"')
_PRINTED = """\
body { margin: 1.5em }
.boards { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 2em; align-items: start }
.boards > div { break-inside: avoid; text-align: center }
.boards svg { max-width: 100%; height: auto }
@media print { :root { color-scheme: light } body { margin: 0 } .boards { grid-template-columns: 1fr 1fr } }
@media print { .boards .gridproof { color-scheme: light } }"""


def page(pictures: Sequence[Svg], title: str = "") -> Svg:
    """Put pictures in rows on an upright A4 page, each as large as fits.

    Raises ``InputError`` for more than ``MOST_ON_A_PAGE``.
    """
    if len(pictures) > MOST_ON_A_PAGE:
        raise InputError(f"{len(pictures)} boards on one page; expected at most {MOST_ON_A_PAGE}, or a name in .html")
    sizes = [picture.size for picture in pictures]
    top = _MARGIN + (2 * _TITLE if title else 0)
    across, down = max(width for width, _ in sizes), max(height for _, height in sizes)

    def scale(columns: int) -> float:
        rows = ceil(len(pictures) / columns)
        return min(
            (_PAGE[0] - 2 * _MARGIN - (columns - 1) * _GAP) / columns / across,
            (_PAGE[1] - top - _MARGIN - (rows - 1) * _GAP) / rows / down,
        )

    columns = max(range(1, len(pictures) + 1), key=scale)
    factor = scale(columns)
    left = (_PAGE[0] - columns * across * factor - (columns - 1) * _GAP) / 2
    parts: list[str] = []
    if title:
        heading = text_at(complex(_PAGE[0] / 2, _MARGIN + _TITLE / 2), _TITLE, title, fill=CLUE)
        style = {"font_family": FONTS, "font_weight": "bold", "text_anchor": "middle"}
        parts += group([heading], **style, font_size=_TITLE)
    for place, (picture, (width, height)) in enumerate(zip(pictures, sizes, strict=True)):
        row, column = divmod(place, columns)
        x, y = left + column * (across * factor + _GAP), top + row * (down * factor + _GAP)
        x += (across - width) * factor / 2
        size = f' x="{x:.1f}" y="{y:.1f}" width="{width * factor:.1f}" height="{height * factor:.1f}"'
        thick = picture.replace(f' shape-rendering="{CRISP}"', "")  # thin lines would vanish where it shrinks
        parts.append(_SIZE.sub(size, thick, count=1))
    return document(_PAGE, title or "Boards", parts, theme="light")


def web_page(pictures: Sequence[Svg], title: str = "") -> str:
    """Return a page of pictures for a browser, light in print."""
    boards = "\n".join(f"<div>{picture}</div>" for picture in pictures)
    heading = f"<h1>{xml_text(title)}</h1>\n" if title else ""
    return html_page(title or "Boards", _PRINTED, f'{heading}<div class="boards">\n{boards}\n</div>')


def save(pictures: Sequence[Svg], path: Path, title: str = "") -> None:
    """Write pictures by the ending of the path; several as a page. A title is for a page only.

    PNG has twice the size of the picture. Raises ``InputError`` for too many, or if the package for PNG and PDF is not
    installed, and ``OSError``.
    """
    ending = path.suffix.casefold()
    if ending == ".html":
        save_text(path, web_page(pictures, title))
        return
    picture = page(pictures, title) if len(pictures) > 1 else pictures[0]
    if ending == ".svg":
        picture.save(path)
        return
    try:
        import cairosvg
    except (ImportError, OSError) as problem:  # OSError: the C library that it needs is missing
        raise InputError(
            f"{path}: {ending[1:].upper()} needs cairosvg (pip install 'gridproof[picture]') and the library cairo:"
            f" {problem}; .svg and .html need neither"
        ) from None
    text = picture.encode()
    path.write_bytes(cairosvg.svg2png(text, scale=2) if ending == ".png" else cairosvg.svg2pdf(text))
