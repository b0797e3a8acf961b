"""Boards drawn as SVG, for notebooks, browsers and documents; cards, which put a result beside the picture.

The look is in presentation attributes, and there are no ids: many hosts strip style blocks, and several drawings in
one page must not meet. The only style block turns light colours into dark ones (see ``colours``). The background is
painted, so that the drawing is legible on any page. Vertical centring is computed, as not every viewer has
``dominant-baseline``. No meaning is in the colour alone: clues are bold, filled symbols are not; the first highlight is
a filled cell, the second a ring; differing witnesses are split by a slash.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from math import ceil, isqrt
from textwrap import wrap
from typing import Any

from gridproof.pictures import colours
from gridproof.pictures.cells import Drawable, Picture, description, picture
from gridproof.pictures.document import FONTS, Svg, document, element, group, number, stroke, text_at, through, xml_text
from gridproof.pictures.marks import Marks, contour
from gridproof.rules.drawing import Sketch

LARGEST_ORDER_PICTURED = 49
"""Above this order a card has no picture: it would take megabytes."""

_CRISP = "crispEdges"  # the ``shape-rendering`` with which lines stay sharp where the picture is scaled
_DIGIT_WIDTH = 0.7  # of a bold digit in a wide typeface, in units of the font size
_MARGIN = 4.5  # the half puts odd line widths on whole pixels
_CANDIDATE_INSET = 5  # keeps candidates off the lines and out of the ring
_BELOW_CAGE_SUMS = 8  # what candidates move down and to the right where cages have sums
_NO_FORMULAS = "mathjax_ignore tex2jax_ignore"
"""The classes by which MathJax leaves the dollars of a title alone."""

_HEADING, _NOTE = 16, 12  # font sizes
_LOOKS = {
    "clue": {"font_weight": "bold", "fill": colours.CLUE},
    "filled": {"fill": colours.FILLED},
    "differs": {"fill": colours.ALARM},
    "marks": {"fill": colours.CANDIDATE},
    "wrong": {"fill": colours.ALARM},
}


def board_svg(
    board: Drawable,
    *,
    highlight: Iterable[int] = (),
    second: Iterable[int] = (),
    candidates: Sequence[int | None] | None = None,
    differs: Mapping[int, tuple[int, int]] | None = None,
    struck: Collection[tuple[int, int]] = (),
    wrong: Collection[int] = (),
    title: str | None = None,
    heading: str = "",
    notes: Iterable[str] = (),
    sketch: Iterable[Sketch] = (),
    theme: colours.Theme = "auto",
) -> Svg:
    """Draw the board as a picture.

    Rules are drawn by the marks of their ``draw``. Windows, diagonals and extra houses are shaded; disjoint groups are
    not, as they would cover the whole board.

    Parameters
    ----------
    board : Board
        Its clues are bold, what is filled in is not.
    highlight, second : iterable of int
        Two groups of highlighted cells, filled and as rings.
    candidates : sequence of int or None, optional
        A mask (bit symbol-1) for each cell, drawn small in cells that hold nothing else, or ``None`` for a blank cell.
        By default the board's own pencil marks, if it has any, in cells where they rule something out; ``()`` for
        none. A cell without any left gets a red cross.
    differs : mapping of int to (int, int), optional
        For a cell without a clue, the two symbols that two witnesses have there, drawn in place of what is filled; see
        ``differences``.
    struck : collection of (int, int)
        Cells and symbols: the candidates that are struck out.
    wrong : collection of int
        Cells with a wrong entry.
    title : str, optional
        What the picture is called; by default what the board is.
    heading : str
        A text above the board.
    notes : iterable of str
        Texts below the board; empty ones are left out.
    sketch : iterable of Sketch
        What another program drew, pale and below everything else.
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

    Examples
    --------
    >>> import gridproof
    >>> picture = board_svg(gridproof.parse("1... ..2. .3.. ...4"), highlight=[0, 6], theme="light")
    >>> picture[:4], "Board of 4x4" in picture
    ('<svg', True)
    """
    notes = list(filter(None, notes))
    drawing = _Drawing(
        board, picture(board, highlight, second, candidates, differs, free_is_blank=True), heading, notes
    )
    geometry = board.geometry
    name = (heading or f"Board of {geometry.description}") if title is None else title
    rules = [rule.sentence(geometry) for rule in board.rules]
    words = "; ".join([description(drawing.content), *rules, *notes])
    parts = drawing.parts(struck, wrong, sketch)
    svg = document((drawing.width, drawing.height), name, parts, words=words, theme=theme)
    svg.frame, svg.cells = (drawing.left, drawing.top, drawing.cell), drawing.content.cells
    return svg


def icon(board: Drawable) -> Svg:
    """Draw the rules of a board and the cells that they name, at most three rows and columns: a picture of a kind.

    Examples
    --------
    >>> import gridproof
    >>> icon(gridproof.parse("." * 16, rules="killer 10 r1c1 r1c2 r2c1")).size
    (89.0, 89.0)
    """
    n, drawing = board.geometry.order, _Drawing(board, picture(board, (), (), (), None), "", ())
    named = {cell for rule in board.rules for cell in rule.scope(board.geometry)}
    side, first, last = drawing.cell, min(cell % n for cell in named), max(cell % n for cell in named)
    first = first if last > 2 else 0  # else what is outside the grid is kept, too
    right, down = min(3, last - first + 1), min(3, 1 + max(cell // n for cell in named))
    grid = "".join(f"M{(first + x) * side} 0v{down * side}" for x in range(right + 1))
    grid += "".join(f"M{first * side} {y * side}h{right * side}" for y in range(down + 1))
    parts = [*drawing.marks.under, stroke(grid, colours.THIN_LINE), *drawing.marks.over]
    move = f"translate({number(drawing.left - first * side)} {number(drawing.top)})"
    size = drawing.left + right * side + _MARGIN, drawing.top + down * side + _MARGIN
    return document(size, "", group(parts, transform=move, font_family=FONTS, text_anchor="middle"))


class _Drawing:
    """The layout of a board: its cells (the first at ``left`` and ``top``, ``cell`` wide) and the texts around them."""

    def __init__(self, board: Drawable, content: Picture, heading: str, notes: Iterable[str]) -> None:
        self.content = content
        self._geometry = board.geometry
        self._n = n = self._geometry.order
        self._columns = isqrt(n - 1) + 1  # of candidates in a cell: 3 for order 9, 3 (in two rows) for order 6
        cell = next((size for most, size in ((9, 40), (16, 34), (25, 30)) if n <= most), 26)
        if content.count("marks"):
            slot = 14 if self._geometry.symbol_characters else 18
            cell = max(cell, slot * self._columns + 2 * _CANDIDATE_INSET)
        self.cell = cell = cell + cell % 2  # even, so that its middle is whole
        self.marks = Marks(board.rules, self._geometry, cell)
        left, top, right, bottom = self.marks.margins
        width = n * cell + left + right
        self._above = _lines_of_text(heading, width, _HEADING)
        below = [*self.marks.notes, *notes]
        self._under = [line for note in below for line in _lines_of_text(note, width, _NOTE)]
        self._centre, self._bottom = (n * cell + right - left) / 2, n * cell + bottom
        self.left = left + _MARGIN
        self.top = top + _MARGIN + 1.4 * _HEADING * len(self._above)
        self.width = width + 2 * _MARGIN
        self.height = self.top + self._bottom + 1.4 * _NOTE * len(self._under) + _MARGIN

    def parts(self, struck: Collection[tuple[int, int]], wrong: Collection[int], sketch: Iterable[Sketch]) -> list[str]:
        """Return the elements, from the lowest to the highest."""
        bold = {"font_weight": "bold"}
        parts = [
            *self._grounds(wrong),
            *group([self._sketched(item) for item in sketch], opacity=0.45, stroke_linecap="round"),
            *self.marks.under,
            *self._lines(),
            *self._rings(),
            *self.marks.over,
            *self._symbols(struck, wrong),
            *self._words(self._above, 0.7 * _HEADING + _MARGIN - self.top, _HEADING, **bold),
            *self._words(self._under, self._bottom + 0.9 * _NOTE, _NOTE),
        ]
        move = f"translate({number(self.left)} {number(self.top)})"
        return group(parts, transform=move, font_family=FONTS, text_anchor="middle")

    def _words(self, lines: Sequence[str], first: float, font: float, **style: str) -> list[str]:
        middle = complex(self._centre, first)
        texts = [text_at(middle + 1.4j * font * row, font, line) for row, line in enumerate(lines)]
        return group(texts, font_size=font, **style, fill=colours.CLUE)

    def _grounds(self, wrong: Collection[int]) -> Iterator[str]:
        """Draw shades of cells and houses: one tint for all diagonals, one for all windows, one for an extra house."""
        extra, content = self._geometry.extra, self.content
        shades: dict[object, set[int]] = {}
        for house in self._geometry.houses:
            if house in extra or house.kind in ("diagonal", "window"):
                shades.setdefault(house if house in extra else house.kind, set()).update(house.cells)
        for cells, tint in zip(shades.values(), cycle(colours.TINTS), strict=False):
            yield self._squares(cells, fill=tint, fill_opacity=".16")
        differing = {*wrong} | {place for place, cell in enumerate(content.cells) if cell.kind == "differs"}
        for marked, fill in ((differing - content.highlight, colours.DIFFERS), (content.highlight, colours.HIGHLIGHT)):
            if marked:
                yield self._squares(marked, fill=fill)

    def _sketched(self, item: Sketch) -> str:
        points, width = [complex(column, row) * self.cell for row, column in item.points], item.width * self.cell
        if len(points) > 1:
            return stroke(through(points), item.colour, stroke_width=width, stroke_linejoin="round")
        corner, radius = points[0] - (1 + 1j) * width / 2, width / 2 if item.rounded else 0
        box = {"x": corner.real, "y": corner.imag, "width": width, "height": width, "rx": radius}
        return element("rect", **box, fill=item.colour, stroke=colours.CLUE)  # by which white circles can be seen

    def _squares(self, cells: Iterable[int], **attributes: str) -> str:
        """Draw one path around these cells."""
        return element("path", **attributes, shape_rendering=_CRISP, d=contour(cells, self._n, self.cell, 0, 0))

    def _lines(self) -> list[str]:
        """Draw thin lines between cells, bold ones around boxes or regions and around the board."""
        n, cell, side = self._n, self.cell, self._n * self.cell
        thin = "".join(f"M{place} 0V{side}M0 {place}H{side}" for place in range(cell, side, cell))
        regions: dict[int, list[int]] = {}
        for place, region in enumerate(self._geometry.region_of or (0,) * n * n):
            regions.setdefault(region, []).append(place)
        bold = "".join(contour(cells, n, cell, 0, 0) for cells in regions.values())
        lines = [stroke(thin, colours.THIN_LINE, shape_rendering=_CRISP)] if thin else []
        return [*lines, stroke(bold, colours.LINE, stroke_width="3", shape_rendering=_CRISP)]

    def _rings(self) -> list[str]:
        inset = 3
        side = self.cell - 2 * inset
        rings = [
            element("rect", x=x * self.cell + inset, y=y * self.cell + inset, width=side, height=side, rx="4")
            for y, x in (divmod(place, self._n) for place in sorted(self.content.second))
        ]
        return group(rings, fill="none", stroke=colours.RING, stroke_width="2")

    def _symbols(self, struck: Collection[tuple[int, int]], wrong: Collection[int]) -> list[str]:
        """Draw the contents of the cells.

        Where two witnesses differ, the first's symbol stands above a slash and the second's below it.
        """
        n, cell, columns = self._n, self.cell, self._columns
        rows = ceil(n / columns)
        down = _BELOW_CAGE_SUMS / 2 if self.marks.caged else 0
        room = cell - 2 * (_CANDIDATE_INSET + down)
        candidates = [
            complex(column + 0.5 - columns / 2, (row + 0.5 - rows / 2) * columns / rows) * room / columns + 1j * down
            for row, column in (divmod(symbol, columns) for symbol in range(n))
        ]
        alone, aside = self._font(cell, cell), (0.22 + 0.22j) * cell
        fonts = {"clue": alone, "filled": alone, "differs": self._font(cell * 0.56, cell * 0.64)}
        fonts["marks"] = self._font(room / columns, room / columns * 1.35)
        texts: dict[tuple[str, str], list[str]] = {}  # by kind and look
        slash, arm = round(cell * 0.34) * (1 - 1j), round(cell * 0.22) * (1 + 1j)
        slashes, crosses, strikes = "", "", ""
        for place, content in enumerate(self.content.cells):
            kind, centre = content.kind, complex(place % n + 0.5, place // n + 0.5) * cell
            middles = [centre]
            if kind == "differs":
                slashes += through([centre - slash, centre + slash])
                middles = [centre - aside, centre + aside]
            elif kind == "marks":
                middles = [centre + candidates[symbol - 1] for symbol in content.symbols]
                if not middles:
                    crosses += through([centre - arm, centre + arm]) + through([centre - 1j * arm, centre + 1j * arm])
            for symbol, middle in zip(content.symbols, middles, strict=False):
                written = text_at(middle, fonts[kind], self._geometry.symbol_text(symbol))
                if kind == "marks" and (place, symbol) in struck:
                    half = 0.45 * fonts[kind] * (1 - 1j)
                    strikes += through([middle - half, middle + half])
                look: str = "wrong" if place in wrong and kind == "filled" else kind
                texts.setdefault((kind, look), []).append(written)
        parts = [stroke(slashes, colours.ALARM)] if slashes else []
        parts += [stroke(crosses, colours.ALARM, stroke_width=2.5)] if crosses else []
        for (what, look), alike in texts.items():
            parts += group(alike, font_size=fonts[what], **_LOOKS[look])
        return [*parts, stroke(strikes, colours.ALARM, stroke_width=1.5)] if strikes else parts

    def _font(self, width: float, height: float) -> float:
        """Return the font size for one symbol in a space of this width and height."""
        longest = len(self._geometry.symbol_text(self._n))
        return round(min(height * 0.62, width * 0.8 / (_DIGIT_WIDTH * longest)), 1)


def _lines_of_text(text: str, width: float, font: float) -> list[str]:
    return wrap(text, max(8, int(width / (0.68 * font))))


# ---- cards: results as notebooks show them ---------------------------------------------------------------------------


def card(sentence: str, rows: Iterable[tuple[str, object]] = (), picture: Svg | None = None) -> str:
    """Return a card in HTML.

    Parameters
    ----------
    sentence
        The result, in bold.
    rows
        Names with their values; empty values are left out.
    picture
        The picture beside it.

    Examples
    --------
    >>> "<b>It holds.</b>" in card("It holds.", [("seconds", 1.5)])
    True
    """
    lines = [
        f'<tr><td align="left" valign="top" style="opacity:.7;padding:0 1em 0 0">{xml_text(name)}</td>'
        f'<td align="left" style="text-align:left">{xml_text(str(value))}</td></tr>'
        for name, value in rows
        if value not in (None, "", ())
    ]
    table = f'<table style="border:none;margin-top:.5em">{"".join(lines)}</table>' if lines else ""
    image = f"<div>{picture.html}</div>" if picture else ""
    return (
        f'<div class="{_NO_FORMULAS}" style="display:flex;flex-wrap:wrap;gap:1.2em;align-items:flex-start">'
        f'{image}<div style="flex:1 1 20em;max-width:48em"><b>{xml_text(sentence)}</b>{table}</div></div>'
    )


def board_card(sentence: str, rows: Iterable[tuple[str, object]], board: Drawable, **options: Any) -> str:
    """Return a card with the picture of a board and, before the other rows, a row for each of its rules.

    options: of ``board_svg``.
    """
    rules = [("rule", rule.sentence(board.geometry)) for rule in board.rules]
    picture = None if board.geometry.order > LARGEST_ORDER_PICTURED else board_svg(board, **options)
    return card(sentence, [*rules, *rows], picture)
