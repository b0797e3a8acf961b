"""Boards drawn as SVG, to be looked at in a notebook, a browser or a document.

Presentation attributes say everything, and there are no ids: many hosts strip style blocks, and several drawings in
one page must not meet. The only style block turns light colours into dark ones (see ``colours``). The background is
painted, so that the drawing is legible on any page. Vertical centring is computed, as ``dominant-baseline`` is not
known to every viewer. Nothing is told by colour alone: clues are bold, filled symbols are not; the first highlight is a
filled cell, the second a ring; differing witnesses are split by a slash.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, isqrt
from textwrap import wrap
from typing import TYPE_CHECKING

from gridproof.errors import InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.show.cells import Picture, description, picture, walls
from gridproof.show.colours import (
    ALARM,
    CANDIDATE,
    CLUE,
    DIFFERS,
    FILLED,
    HIGHLIGHT,
    LINE,
    RING,
    THIN_LINE,
    TINTS,
    Theme,
)
from gridproof.show.document import CRISP, FONTS, Svg, document, number, text_at, texts_of
from gridproof.show.marks import Marks

if TYPE_CHECKING:
    from gridproof.puzzle.board import Board

_DIGIT_WIDTH = 0.7  # of a bold digit in a wide typeface, in units of the font size
_MARGIN = 4.5  # the half puts odd line widths on whole pixels
_CANDIDATE_INSET = 5  # keeps candidates off the lines and out of the ring
_BELOW_CAGE_SUMS = 8  # what candidates move down and to the right where cages have sums
_HEADING, _NOTE = 16, 12  # font sizes


_WEIGHTS = (0.45, 0.6, 0.8, 1.0)
"""How opaque a candidate is, by its weight: all are legible."""


def board_svg(
    board: Board,
    *,
    highlight: Iterable[int] = (),
    second: Iterable[int] = (),
    candidates: Sequence[int] | None = None,
    differs: Mapping[int, tuple[int, int]] | None = None,
    weights: Mapping[tuple[int, int], float] | None = None,
    size: float | None = None,
    title: str | None = None,
    heading: str = "",
    theme: Theme = "auto",
) -> Svg:
    """The board as a picture.

    Rules are drawn as their ``draw`` says. Windows, diagonals and extra houses are shaded; disjoint groups are not, as
    they would cover the whole board.

    Parameters
    ----------
    board : Board
        Its clues are bold, what is filled in is not.
    highlight, second : iterable of int
        Cells of two groups to stand out: a filled cell, a ring.
    candidates : sequence of int, optional
        A mask (bit symbol-1) for each cell, drawn small in cells that hold nothing else. By default the board's own
        pencil marks if it has any, ``()`` for none. A cell without any left gets a red cross.
    differs : mapping of int to (int, int), optional
        For a cell without a clue, the two symbols that two witnesses have there, drawn in place of what is filled; see
        ``differences``.
    weights : mapping of (int, int) to float, optional
        For a cell and one of its candidates how much it stands out, 0 to 1; the others stand out fully.
    size : float, optional
        The longer side in pixels; by default as large as the contents need.
    title : str, optional
        What the picture is called; by default what the board is.
    heading : str
        A text above the board.
    theme : {"auto", "light", "dark"}
        Light and dark as the page is, or always one of them.

    Returns
    -------
    Svg
        A ``str`` that a notebook shows as a picture.

    Raises
    ------
    BoardError
        For cells, symbols or masks that the board does not have.
    InputError
        For a size that is not positive.

    Examples
    --------
    >>> import gridproof
    >>> picture = board_svg(gridproof.parse("1... ..2. .3.. ...4"), highlight=[0, 6], theme="light")
    >>> picture[:4], "Board of 4x4" in picture
    ('<svg', True)
    """
    if size is not None and not 0 < size < float("inf"):
        raise InputError(f"size {size!r}; expected a positive number of pixels")
    shown = picture(board, highlight, second, candidates, differs)
    geometry = shown.geometry
    cell = _cell_size(shown)
    marks = Marks.of(board.rules, geometry, cell)
    across = geometry.order * cell
    left, top, width, height, above, under = _measures(marks, across, heading)
    name = (heading or f"Board of {geometry.description}") if title is None else title
    centre = (across + marks.margins[2] - marks.margins[0]) / 2
    words = "; ".join([description(shown), *(rule.sentence(geometry) for rule in board.rules)])
    parts = [
        f'<g transform="translate({number(left)} {number(top)})" font-family="{FONTS}" text-anchor="middle">',
        *_shades(geometry, cell),
        *_areas(shown, cell),
        *marks.under,
        *_lines(geometry, cell),
        *_rings(shown, cell),
        *marks.over,
        *_symbols(shown, cell),
        *_pairs(shown, cell),
        *_candidates(shown, cell, marks.caged, weights or {}),
        *_words(above, centre, 0.7 * _HEADING + _MARGIN - top, _HEADING, 'font-weight="bold" '),
        *_words(under, centre, across + marks.margins[3] + 0.9 * _NOTE, _NOTE),
        "</g>",
    ]
    return document((width, height), name, parts, words=words, size=size, theme=theme)


def frame(board: Board, candidates: Sequence[int] | None = None) -> tuple[float, float, float, float, float]:
    """Where the cells are in the drawing of ``board_svg`` without a heading, in its own units.

    Returns
    -------
    tuple of float
        The left and the upper edge of the first cell, the width of each; the width and the height of the drawing.
    """
    cell = _cell_size(picture(board, (), (), candidates, None))
    marks = Marks.of(board.rules, board.geometry, cell)
    left, top, width, height, _, _ = _measures(marks, board.geometry.order * cell, "")
    return left, top, cell, width, height


def _measures(marks: Marks, across: float, heading: str) -> tuple[float, float, float, float, list[str], list[str]]:
    """Left and upper edge of the cells, width and height of the whole, the lines above and under the board."""
    left, top, right, below = marks.margins
    width = across + left + right
    above, under = _lines_of_text(heading, width, _HEADING), _notes(marks.notes, width)
    top += len(above) * 1.4 * _HEADING
    height = top + across + below + len(under) * 1.4 * _NOTE
    return left + _MARGIN, top + _MARGIN, width + 2 * _MARGIN, height + 2 * _MARGIN, above, under


def _lines_of_text(text: str, width: float, font: float) -> list[str]:
    return wrap(text, max(8, int(width / (0.68 * font))))


def _notes(notes: Sequence[str], width: float) -> list[str]:
    return [line for note in notes for line in _lines_of_text(note, width, _NOTE)]


def _words(lines: Sequence[str], x: float, first: float, font: float, weight: str = "") -> list[str]:
    texts = [text_at(x, first + 1.4 * font * row, font, line) for row, line in enumerate(lines)]
    return texts_of(texts, font, f'{weight}fill="{CLUE}"')


def candidate_columns(order: int) -> int:
    """How many candidates stand side by side within a cell: 3 for order 9, 3 (in two rows) for order 6."""
    return isqrt(order - 1) + 1


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
        f'<path fill="{TINTS[tint]}" fill-opacity=".16" {CRISP} d="{_squares(cells, n, cell)}"/>'
        for tint, cells in groups.items()
    ]


def _areas(shown: Picture, cell: int) -> list[str]:
    n = shown.geometry.order
    differing = {place for place, content in enumerate(shown.cells) if content.kind == "differs"}
    groups = ((differing - shown.highlight, DIFFERS), (shown.highlight, HIGHLIGHT))
    return [f'<path fill="{fill}" {CRISP} d="{_squares(cells, n, cell)}"/>' for cells, fill in groups if cells]


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
        parts.append(f'<path fill="none" stroke="{THIN_LINE}" {CRISP} d="{"".join(thin)}"/>')
    bold.append(f"M0 0H{side}V{side}H0Z")
    parts.append(
        f'<path fill="none" stroke="{LINE}" stroke-width="3" stroke-linecap="square" {CRISP} d="{"".join(bold)}"/>'
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
            text_at(*_middle(place, geometry.order, cell), font, geometry.symbol_text(content.symbols[0]))
            for place, content in enumerate(shown.cells)
            if content.kind == kind
        ]
        parts += texts_of(texts, font, attributes)
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
                texts.append(text_at(x + shift, y + shift, font, geometry.symbol_text(symbol)))
    if not texts:
        return []
    slash = f'<path fill="none" stroke="{ALARM}" d="{"".join(slashes)}"/>'
    return [slash, *texts_of(texts, font, f'fill="{ALARM}"')]


def _candidates(shown: Picture, cell: int, caged: bool, weights: Mapping[tuple[int, int], float]) -> list[str]:
    geometry = shown.geometry
    n, columns = geometry.order, candidate_columns(geometry.order)
    rows = ceil(n / columns)
    shift = _BELOW_CAGE_SUMS / 2 if caged else 0
    room = cell - 2 * (_CANDIDATE_INSET + shift)
    font = _font(room / columns, room / columns * 1.35, geometry)
    texts: dict[float, list[str]] = {}
    crosses = []
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
            down = (row + 0.5 - rows / 2) * room / rows + shift
            weight = _WEIGHTS[min(len(_WEIGHTS) - 1, int(weights.get((place, symbol), 1.0) * len(_WEIGHTS)))]
            texts.setdefault(weight, []).append(text_at(x + right, y + down, font, geometry.symbol_text(symbol)))
    parts = []
    if crosses:
        parts.append(f'<path fill="none" stroke="{ALARM}" stroke-width="2.5" d="{"".join(crosses)}"/>')
    for weight, group in sorted(texts.items(), reverse=True):
        colour = f'fill="{CANDIDATE}"' if weight == 1.0 else f'fill="{FILLED}" fill-opacity="{weight}"'
        parts += texts_of(group, font, colour)
    return parts


def _middle(place: int, n: int, cell: int) -> tuple[int, int]:
    return place % n * cell + cell // 2, place // n * cell + cell // 2


def _font(width: float, height: float, geometry: Geometry) -> float:
    """The font size for one symbol in a space of this width and height."""
    longest = len(geometry.symbol_text(geometry.order))
    return round(min(height * 0.62, width * 0.8 / (_DIGIT_WIDTH * longest)), 1)
