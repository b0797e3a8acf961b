"""Boards drawn as SVG, to be looked at in a notebook, a browser or a document.

Presentation attributes only and no ids: many hosts strip style blocks, and several drawings in one page must
not meet. The background is painted, so that the drawing reads the same on a dark page. Vertical centring is
computed, as ``dominant-baseline`` is not known to every viewer. Nothing is told by colour alone: clues are
bold, filled symbols are not; the first highlight is a filled cell, the second a ring; differing witnesses are
split by a slash.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from math import ceil, isqrt
from pathlib import Path
from typing import TYPE_CHECKING

from gridproof.errors import InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.show.cells import Picture, description, picture, walls

if TYPE_CHECKING:
    from gridproof.puzzle.board import Board

BACKGROUND = "#ffffff"
LINE = "#1a1a1a"
THIN_LINE = "#a6a6a6"
CLUE = "#111111"
FILLED = "#1d5fbf"
CANDIDATE = "#555555"
ALARM = "#c62828"
HIGHLIGHT = "#ffe08a"
RING = "#7b1fa2"
DIFFERS = "#ffd9d2"
TINTS = ("#3b6ea8", "#4d8b57", "#a8763b", "#8a4da8", "#a83b55", "#3b9a9a")
"""Shades of houses beyond rows, columns and boxes, laid on thinly: they add up where houses overlap."""

_FONTS = "Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif"
_CRISP = 'shape-rendering="crispEdges"'  # lines stay sharp where the picture is scaled
_DIGIT_WIDTH = 0.7  # of a bold digit in a wide typeface, in units of the font size
_DIGIT_RISE = 0.355  # from the middle of a digit down to its baseline: half the height of digits and capitals
_MARGIN = 4.5  # the half puts odd line widths on whole pixels
_CANDIDATE_INSET = 5  # keeps candidates off the lines and out of the ring
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Svg(str):
    """An SVG document that notebooks show as a picture; otherwise a string like any other."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        # beside the picture a notebook keeps this, and it is all that some code hosts show
        return f"<SVG of {len(self):,} characters>"

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the document to a file (UTF-8) and return its path. Raises ``OSError`` where that fails."""
        target = Path(path)
        target.write_text(str(self), encoding="utf-8", newline="\n")
        return target


def board_svg(
    board: Board,
    *,
    highlight: Iterable[int] = (),
    second: Iterable[int] = (),
    candidates: Sequence[int] | None = None,
    differs: Mapping[int, tuple[int, int]] | None = None,
    size: float | None = None,
    title: str | None = None,
) -> Svg:
    """The board as a picture.

    highlight, second: cells of two groups to stand out (a filled cell, a ring). candidates: masks (bit
    symbol-1), one for each cell, drawn small in cells that hold nothing else; ``None`` for the board's own
    pencil marks if it has any, ``()`` for none; a cell without any left gets a red cross. differs: for a cell
    without a clue, the two symbols that two witnesses have there, drawn in place of what is filled; see
    ``differences``. size: width and height in pixels, by default as large as the contents need. title: what
    the picture is called, by default what the board is. Windows, diagonals and extra houses are shaded;
    disjoint groups are not, as they would cover the whole board.
    Raises ``BoardError`` for cells, symbols or masks the board has not, ``InputError`` for a size that is not
    positive.
    """
    if size is not None and not 0 < size < float("inf"):
        raise InputError(f"size {size!r}; expected a positive number of pixels")
    shown = picture(board, highlight, second, candidates, differs)
    geometry = shown.geometry
    cell = _cell_size(shown)
    across = geometry.order * cell
    whole = _number(across + 2 * _MARGIN)
    pixels = whole if size is None else _number(size)
    name = f"Board of {geometry.description}" if title is None else title
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{pixels}" height="{pixels}"'
        f' viewBox="0 0 {whole} {whole}">',
        f"<title>{xml_text(name)}</title><desc>{xml_text(description(shown))}</desc>",
        f'<rect width="{whole}" height="{whole}" fill="{BACKGROUND}"/>',
        f'<g transform="translate({_MARGIN} {_MARGIN})">',
        *_shades(geometry, cell),
        *_areas(shown, cell),
        *_lines(geometry, cell),
        *_rings(shown, cell),
        f'<g font-family="{_FONTS}" text-anchor="middle">',
        *_symbols(shown, cell),
        *_pairs(shown, cell),
        *_candidates(shown, cell),
        "</g></g></svg>",
    ]
    return Svg("\n".join(parts))


def candidate_columns(order: int) -> int:
    """How many candidates stand side by side within a cell: 3 for order 9, 3 (in two rows) for order 6."""
    return isqrt(order - 1) + 1


def xml_text(text: str) -> str:
    """Text that may stand in an element or a quoted attribute; what XML cannot hold becomes U+FFFD."""
    return _NOT_XML.sub("\ufffd", text).translate(_ESCAPES)


def _cell_size(shown: Picture) -> int:
    """Width of a cell in pixels: even, so that its middle is whole."""
    order = shown.geometry.order
    size = next((size for most, size in ((9, 40), (16, 34), (25, 30)) if order <= most), 26)
    if shown.count("marks"):
        slot = 14 if shown.geometry.symbol_characters else 18
        size = max(size, slot * candidate_columns(order) + 2 * _CANDIDATE_INSET)
    return size + size % 2


def _shades(geometry: Geometry, cell: int) -> list[str]:
    """One tint for all diagonals, one for all windows, the next ones in turn for each extra house."""
    built_in = [house for house in geometry.houses if house.kind in ("diagonal", "window")]
    built_in = [house for house in built_in if house not in geometry.extra]
    kinds = list(dict.fromkeys(house.kind for house in built_in))
    tinted = [(kinds.index(house.kind), house) for house in built_in]
    tinted += enumerate(geometry.extra, len(kinds))
    groups: dict[int, set[int]] = {}
    for tint, house in tinted:
        groups.setdefault(tint % len(TINTS), set()).update(house.cells)
    n = geometry.order
    return [
        f'<path fill="{TINTS[tint]}" fill-opacity=".16" {_CRISP} d="{_squares(cells, n, cell)}"/>'
        for tint, cells in groups.items()
    ]


def _areas(shown: Picture, cell: int) -> list[str]:
    n = shown.geometry.order
    differing = {place for place, content in enumerate(shown.cells) if content.kind == "differs"}
    groups = ((differing - shown.highlight, DIFFERS), (shown.highlight, HIGHLIGHT))
    return [f'<path fill="{fill}" {_CRISP} d="{_squares(cells, n, cell)}"/>' for cells, fill in groups if cells]


def _squares(cells: Iterable[int], n: int, cell: int) -> str:
    """One path over these cells, with neighbours in a row joined."""
    chosen = set(cells)
    parts = []
    for start in sorted(chosen):
        if start % n and start - 1 in chosen:
            continue
        stop = start + 1
        while stop % n and stop in chosen:
            stop += 1
        parts.append(f"M{start % n * cell} {start // n * cell}h{(stop - start) * cell}v{cell}h{(start - stop) * cell}z")
    return "".join(parts)


def _lines(geometry: Geometry, cell: int) -> list[str]:
    n = geometry.order
    upright, level = walls(geometry)
    thin: list[str] = []
    bold: list[str] = []
    for place in range(1, n):
        across = [upright[row][place] for row in range(n)]
        for path, drawn in ((bold, across), (thin, [not wall for wall in across])):
            path += [f"M{place * cell} {a * cell}V{b * cell}" for a, b in _runs(drawn)]
        for path, drawn in ((bold, level[place]), (thin, [not wall for wall in level[place]])):
            path += [f"M{a * cell} {place * cell}H{b * cell}" for a, b in _runs(drawn)]
    side = n * cell
    parts = []
    if thin:
        parts.append(f'<path fill="none" stroke="{THIN_LINE}" {_CRISP} d="{"".join(thin)}"/>')
    bold.append(f"M0 0H{side}V{side}H0Z")
    parts.append(
        f'<path fill="none" stroke="{LINE}" stroke-width="3" stroke-linecap="square" {_CRISP} d="{"".join(bold)}"/>'
    )
    return parts


def _runs(drawn: Sequence[bool]) -> list[tuple[int, int]]:
    """The stretches of true entries, each as its start and the place after its end."""
    runs = []
    start = 0
    for place in range(len(drawn) + 1):
        if place == len(drawn) or not drawn[place]:
            if start < place:
                runs.append((start, place))
            start = place + 1
    return runs


def _rings(shown: Picture, cell: int) -> list[str]:
    if not shown.second:
        return []
    n, inset = shown.geometry.order, 3
    side = cell - 2 * inset
    parts = [f'<g fill="none" stroke="{RING}" stroke-width="2">']
    for place in sorted(shown.second):
        x, y = place % n * cell + inset, place // n * cell + inset
        parts.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" rx="4"/>')
    return [*parts, "</g>"]


def _symbols(shown: Picture, cell: int) -> list[str]:
    geometry = shown.geometry
    font = _font(cell, cell, geometry)
    groups = [("clue", f'font-weight="bold" fill="{CLUE}"'), ("filled", f'fill="{FILLED}"')]
    parts = []
    for kind, attributes in groups:
        texts = [
            _text(*_middle(place, geometry.order, cell), font, geometry.symbol_text(content.symbols[0]))
            for place, content in enumerate(shown.cells)
            if content.kind == kind
        ]
        if texts:
            parts += [f'<g font-size="{_number(font)}" {attributes}>', *texts, "</g>"]
    return parts


def _pairs(shown: Picture, cell: int) -> list[str]:
    """Cells where two witnesses differ: the first's symbol above a slash, the second's below."""
    geometry = shown.geometry
    font = _font(cell * 0.56, cell * 0.64, geometry)
    slashes, texts = [], []
    for place, content in enumerate(shown.cells):
        if content.kind == "differs":
            x, y = _middle(place, geometry.order, cell)
            reach = round(cell * 0.34)
            slashes.append(f"M{x - reach} {y + reach}L{x + reach} {y - reach}")
            for side, symbol in zip((-1, 1), content.symbols, strict=True):
                shift = side * cell * 0.22
                texts.append(_text(x + shift, y + shift, font, geometry.symbol_text(symbol)))
    if not texts:
        return []
    slash = f'<path fill="none" stroke="{ALARM}" d="{"".join(slashes)}"/>'
    return [slash, f'<g font-size="{_number(font)}" fill="{ALARM}">', *texts, "</g>"]


def _candidates(shown: Picture, cell: int) -> list[str]:
    geometry = shown.geometry
    n, columns = geometry.order, candidate_columns(geometry.order)
    rows = ceil(n / columns)
    room = cell - 2 * _CANDIDATE_INSET
    font = _font(room / columns, room / columns * 1.35, geometry)
    texts, crosses = [], []
    for place, content in enumerate(shown.cells):
        if content.kind != "marks":
            continue
        x, y = _middle(place, n, cell)
        if not content.symbols:
            arm = round(cell * 0.22)
            crosses.append(f"M{x - arm} {y - arm}l{2 * arm} {2 * arm}m0 {-2 * arm}l{-2 * arm} {2 * arm}")
        for symbol in content.symbols:
            row, column = divmod(symbol - 1, columns)
            right = (column + 0.5 - columns / 2) * room / columns
            down = (row + 0.5 - rows / 2) * room / rows
            texts.append(_text(x + right, y + down, font, geometry.symbol_text(symbol)))
    parts = []
    if crosses:
        parts.append(f'<path fill="none" stroke="{ALARM}" stroke-width="2.5" d="{"".join(crosses)}"/>')
    if texts:
        parts += [f'<g font-size="{_number(font)}" fill="{CANDIDATE}">', *texts, "</g>"]
    return parts


def _middle(place: int, n: int, cell: int) -> tuple[int, int]:
    return place % n * cell + cell // 2, place // n * cell + cell // 2


def _font(width: float, height: float, geometry: Geometry) -> float:
    """The font size for one symbol in a space of this width and height."""
    longest = len(geometry.symbol_text(geometry.order))
    return round(min(height * 0.62, width * 0.8 / (_DIGIT_WIDTH * longest)), 1)


def _text(x: float, middle: float, font: float, text: str) -> str:
    return f'<text x="{_number(x)}" y="{_number(middle + _DIGIT_RISE * font)}">{text}</text>'


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
