"""The means of every drawing: documents, elements, points and texts; web pages of several pictures, and files.

Points are complex numbers, x + yj: they add up, and ``1j *`` turns a step to the right.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gridproof.errors import InputError
from gridproof.pictures.colours import AS_THE_PAGE, BACKGROUND, Theme, themed
from gridproof.text import counted

if TYPE_CHECKING:
    from gridproof.pictures.cells import Content

# ---- the look -------------------------------------------------------------------------------------------------------

FONTS = "Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif"
_DIGIT_RISE = 0.355  # from the middle of a digit down to its baseline: half the height of digits and capitals
ENDINGS = (".svg", ".png", ".pdf", ".html")
_PRINTED = """\
body { margin: 1.5em }
.boards { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 2em; align-items: start }
.boards > div { break-inside: avoid; text-align: center }
.small { grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 1em }
.solutions { break-before: page }
@page { margin: 14mm }
@media print {
  :root, .boards .gridproof { color-scheme: light }
  body { margin: 0 }
  h1 { margin-top: 0 }
  .boards { grid-template-columns: 1fr 1fr; gap: 1.2em }
  .boards svg { max-height: 28vh }
  .large { grid-template-columns: 1fr }
  .large svg { max-height: 44vh }
  .small { grid-template-columns: repeat(4, 1fr) }
  .small svg { max-height: 17vh }
}"""
_LARGE = 500  # as wide as a board of order 12: from there on two are printed on a page
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Svg(str):
    """An SVG document that notebooks show as a picture; otherwise a string like any other.

    Attributes
    ----------
    size : (float, float)
        Width and height.
    frame : (float, float, float)
        In the drawing of a board: the left and the upper edge of the first cell, and the width of each.
    cells : tuple of Content
        In the drawing of a board: what is written in each cell.
    words : str
        The drawing in words.

    Examples
    --------
    >>> from gridproof import parse, pictures
    >>> picture = pictures.board_svg(parse("1... ..2. .3.. ...4"))
    >>> picture.size, picture.frame, picture.endswith("</svg>")
    ((169.0, 169.0), (4.5, 4.5, 40), True)
    """

    size: tuple[float, float]
    frame: tuple[float, float, float]
    cells: tuple[Content, ...]
    words: str

    @property
    def html(self) -> str:
        """An image for a page of HTML, light or dark as the page is.

        JupyterLab shows no SVG in a notebook that is not trusted, but it shows this. Without the style block, which it
        removes there, the browser's own preference decides between light and dark.
        """
        data = b64encode(self.encode()).decode()
        width = number(self.size[0])
        height = number(self.size[1])
        return (
            f'<style>{AS_THE_PAGE}</style><img class="gridproof" style="max-width:100%;height:auto" width="{width}" '
            f'height="{height}" alt="{xml_text(self.words)}" src="data:image/svg+xml;base64,{data}"/>'
        )

    def png(self) -> bytes | None:
        """Return the picture as PNG in twice its size, or ``None`` if the package that makes them is not installed."""
        try:
            import cairosvg
        except (ImportError, OSError):  # OSError: the C library that it needs is missing
            return None
        data: bytes = cairosvg.svg2png(self.encode(), scale=2)
        return data

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        # beside the picture a notebook keeps this, and it is all that some code hosts show
        return f"<SVG of {counted(len(self), 'character')}>"

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the drawing to a file that ends in .svg, .html, .png or .pdf, and return the path.

        Raises ``InputError`` for another ending, or if the package for PNG and PDF is not installed, and ``OSError``.
        """
        save([self], Path(path))
        return Path(path)


def document(
    whole: tuple[float, float], title: str, parts: Iterable[str], *, words: str = "", theme: Theme = "auto"
) -> Svg:
    """Return a drawing of a width and height on a painted ground. words: the drawing in words."""
    width = number(whole[0])
    height = number(whole[1])
    elements = [element("rect", width=width, height=height, fill=BACKGROUND)]
    elements += parts
    style, body = themed("\n".join(elements), theme)
    head = f"<title>{xml_text(title)}</title>"
    whole_in_words = title
    if words:
        head += f"<desc>{xml_text(words)}</desc>"
        whole_in_words = f"{title}. {words}"
    svg = Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="gridproof" role="img" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}">\n{head}\n{body}\n{style}</svg>'
    )
    svg.size = whole
    svg.words = whole_in_words
    return svg


def html_page(title: str, style: str, body: str) -> str:
    """Return a whole page in HTML, light or dark as the reader has it."""
    style = f"svg {{ max-width: 100%; height: auto }}\n{style}"
    style = f":root {{ color-scheme: light dark }} body {{ font-family: {FONTS} }}\n{style}"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"/>'
        f"<title>{xml_text(title)}</title>\n<style>\n{style}\n</style></head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def save_text(path: str | os.PathLike[str], text: str) -> Path:
    """Write a text to a file in the same way on every system, and return its path."""
    target = Path(path)
    target.write_text(text, encoding="utf-8", newline="\n")
    return target


def xml_text(text: str) -> str:
    """Return the text escaped for an element or a quoted attribute; what XML cannot hold becomes U+FFFD."""
    return _NOT_XML.sub("\ufffd", text).translate(_ESCAPES)


def number(value: float) -> str:
    """Write a coordinate, with one decimal at most."""
    return f"{value:z.1f}".removesuffix(".0")


def at(point: complex) -> str:
    """Write the coordinates of a point."""
    return f"{number(point.real)} {number(point.imag)}"


def through(points: Iterable[complex]) -> str:
    """Return the path data of straight lines through points."""
    return "M" + "L".join([at(point) for point in points])


def element(tag: str, content: str = "", /, **attributes: str | float) -> str:
    """Return an element. Numbers are written as coordinates, and ``_`` in a name stands for ``-``."""
    start = f"<{tag}{write_attributes(attributes)}"
    if content:
        return f"{start}>{content}</{tag}>"
    return f"{start}/>"


def write_attributes(attributes: Mapping[str, str | float]) -> str:
    """Return attributes as they stand in a start tag, each after a blank."""
    texts = []
    for name, value in attributes.items():
        if not isinstance(value, str):
            value = number(value)
        texts.append(f' {name.replace("_", "-")}="{value}"')
    return "".join(texts)


def stroke(d: str, colour: str, **attributes: str | float) -> str:
    """Return lines along path data."""
    return element("path", fill="none", stroke=colour, **attributes, d=d)


def text(place: complex, words: str, **attributes: str | float) -> str:
    """Return a text on a base line; its attributes, or those of the group around it, have the font."""
    start = f'<text{write_attributes(attributes)} x="{number(place.real)}" y="{number(place.imag)}">'
    return f"{start}{xml_text(words)}</text>"


def text_at(middle: complex, font: float, words: str, **attributes: str | float) -> str:
    """Return a text whose digits have their middle at this height."""
    return text(middle + _DIGIT_RISE * font * 1j, words, **attributes)


def group(parts: Collection[str], **attributes: str | float) -> list[str]:
    """Return elements in a group with attributes in common; nothing if there are none."""
    if not parts:
        return []
    elements = [f"<g{write_attributes(attributes)}>"]
    elements += parts
    elements.append("</g>")
    return elements


# ---- several pictures on a web page, and files by their ending ------------------------------------------------------


def web_page(pictures: Sequence[Svg], title: str = "", solutions: Sequence[Svg] = ()) -> str:
    """Return a page of pictures for a browser; in print light, six or two on a page, with the solutions at the end."""
    board_class, solution_class = "boards", "boards small"
    if any(picture.size[0] > _LARGE for picture in pictures):
        board_class, solution_class = "boards large", "boards"
    parts = []
    if title:
        parts.append(f"<h1>{xml_text(title)}</h1>")
    parts += _columns_of(pictures, board_class)
    if solutions:
        parts.append('<h1 class="solutions">Solutions</h1>')
        parts += _columns_of(solutions, solution_class)
    return html_page(title or "Boards", _PRINTED, "\n".join(parts))


def _columns_of(pictures: Sequence[Svg], html_class: str) -> list[str]:
    """Return pictures side by side in columns, as lines of HTML."""
    lines = [f'<div class="{html_class}">']
    lines += [f"<div>{picture}</div>" for picture in pictures]
    lines.append("</div>")
    return lines


def save(pictures: Sequence[Svg], path: Path, title: str = "") -> None:
    """Write a picture by the ending of the path, or several as a web page. A title is for a page only.

    PNG has twice the size of the picture. Raises ``InputError`` for another ending, for several in a file that is no
    page, or if the package for PNG and PDF is not installed, and ``OSError``.
    """
    ending = path.suffix.casefold()
    if ending == ".html":
        save_text(path, web_page(pictures, title))
        return
    if len(pictures) > 1:
        raise InputError(
            f"{counted(len(pictures), 'board')} in {path}; expected a name that ends in .html, or one board"
        )
    if ending not in (".svg", ".png", ".pdf"):
        raise InputError(f"{path}; expected a name that ends in .svg, .png, .pdf or .html")
    if ending == ".svg":
        save_text(path, pictures[0])
        return
    try:
        import cairosvg
    except (ImportError, OSError) as problem:  # OSError: the C library that it needs is missing
        raise InputError(
            f"{path}: {ending[1:].upper()} needs cairosvg (pip install 'gridproof[picture]') and the library cairo:"
            f" {problem}; .svg and .html need neither"
        ) from None
    text = pictures[0].encode()
    path.write_bytes(cairosvg.svg2png(text, scale=2) if ending == ".png" else cairosvg.svg2pdf(text))
