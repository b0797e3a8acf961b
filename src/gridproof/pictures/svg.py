"""Boards drawn as SVG, for notebooks, browsers and documents.

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

from gridproof.pictures import colours
from gridproof.pictures.cells import BoardContents, Drawable, contents_of, describe_contents
from gridproof.pictures.document import FONTS, Svg, document, element, group, number, stroke, text_at, through
from gridproof.pictures.links import Link, draw_links
from gridproof.pictures.marks import Marks, contour
from gridproof.rules.drawing import Sketch

_CRISP = "crispEdges"  # the ``shape-rendering`` with which lines stay sharp where the picture is scaled
_DIGIT_WIDTH = 0.7  # of a bold digit in a wide typeface, in units of the font size
_MARGIN = 4.5  # the half puts odd line widths on whole pixels
_CANDIDATE_INSET = 5  # keeps candidates off the lines and out of the ring
_BELOW_CAGE_SUMS = 8  # what candidates move down and to the right where cages have sums

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
    links: Sequence[Link] = (),
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
    links : sequence of gridproof.pictures.links.Link
        Strong and weak links between candidates, numbered in this order.
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
    notes = [note for note in notes if note]
    contents = contents_of(board, highlight, second, candidates, differs, free_is_blank=True)
    drawing = BoardDrawing(board, contents, heading, notes)
    geometry = board.geometry
    if title is None:
        title = heading or f"Board of {geometry.description}"
    words = [describe_contents(contents)]
    words += [rule.sentence(geometry) for rule in board.rules]
    words += notes
    parts = drawing.parts(struck, links, wrong, sketch)
    svg = document((drawing.width, drawing.height), title, parts, words="; ".join(words), theme=theme)
    svg.frame = (drawing.left, drawing.top, drawing.cell)
    svg.cells = contents.cells
    return svg


def icon(board: Drawable) -> Svg:
    """Draw the rules of a board and the cells that they name, at most three rows and columns: a picture of a kind.

    Examples
    --------
    >>> import gridproof
    >>> icon(gridproof.parse("." * 16, rules="killer 10 r1c1 r1c2 r2c1")).size
    (89.0, 89.0)
    """
    n = board.geometry.order
    drawing = BoardDrawing(board, contents_of(board, (), (), (), None), "", ())
    side = drawing.cell
    rows: set[int] = set()
    columns: set[int] = set()
    for rule in board.rules:
        for cell in rule.scope(board.geometry):
            rows.add(cell // n)
            columns.add(cell % n)
    # where the first three columns have all cells, what is outside the grid is kept, too
    first = min(columns) if max(columns) > 2 else 0
    right = min(3, max(columns) - first + 1)
    down = min(3, max(rows) + 1)
    grid = ""
    for x in range(right + 1):
        grid += f"M{(first + x) * side} 0v{down * side}"
    for y in range(down + 1):
        grid += f"M{first * side} {y * side}h{right * side}"
    parts = drawing.marks.under + [stroke(grid, colours.THIN_LINE)] + drawing.marks.over
    move = f"translate({number(drawing.left - first * side)} {number(drawing.top)})"
    size = (drawing.left + right * side + _MARGIN, drawing.top + down * side + _MARGIN)
    return document(size, "", group(parts, transform=move, font_family=FONTS, text_anchor="middle"))


class BoardDrawing:
    """The layout of a board: its cells (the first at ``left`` and ``top``, ``cell`` wide) and the texts around them."""

    def __init__(self, board: Drawable, contents: BoardContents, heading: str, notes: Iterable[str]) -> None:
        self.contents = contents
        self._geometry = board.geometry
        n = self._geometry.order
        self._n = n
        self._columns = isqrt(n - 1) + 1  # of candidates in a cell: 3 for order 9, 3 (in two rows) for order 6
        cell = 26
        for largest, width_there in ((25, 30), (16, 34), (9, 40)):  # the cells of smaller boards are larger
            if n <= largest:
                cell = width_there
        if contents.count("marks"):
            slot = 14 if self._geometry.symbol_characters else 18
            cell = max(cell, slot * self._columns + 2 * _CANDIDATE_INSET)
        cell += cell % 2  # even, so that its middle is whole
        self.cell = cell
        self.marks = Marks(board.rules, self._geometry, cell)
        left, top, right, bottom = self.marks.margins
        width = n * cell + left + right
        self._above = _break_lines(heading, width, _HEADING)
        self._under: list[str] = []
        for note in self.marks.notes:
            self._under += _break_lines(note, width, _NOTE)
        for note in notes:
            self._under += _break_lines(note, width, _NOTE)
        self._centre = (n * cell + right - left) / 2
        self._bottom = n * cell + bottom
        self.left = left + _MARGIN
        self.top = top + _MARGIN + 1.4 * _HEADING * len(self._above)
        self.width = width + 2 * _MARGIN
        self.height = self.top + self._bottom + 1.4 * _NOTE * len(self._under) + _MARGIN

    def parts(
        self,
        struck: Collection[tuple[int, int]],
        links: Sequence[Link],
        wrong: Collection[int],
        sketch: Iterable[Sketch],
    ) -> list[str]:
        """Return the elements, from the lowest to the highest."""
        sketches = [self._draw_sketch(item) for item in sketch]
        rings = []
        inset = 3
        side = self.cell - 2 * inset
        for place in sorted(self.contents.second):
            row, column = divmod(place, self._n)
            x = column * self.cell + inset
            y = row * self.cell + inset
            rings.append(element("rect", x=x, y=y, width=side, height=side, rx="4"))
        parts = list(self._draw_grounds(wrong))
        parts += group(sketches, opacity=0.45, stroke_linecap="round")
        parts += self.marks.under
        parts += self._draw_lines()
        parts += group(rings, fill="none", stroke=colours.RING, stroke_width="2")
        parts += self.marks.over
        parts += self._draw_symbols(wrong)
        parts += self._draw_strikes(struck)
        parts += draw_links(links, self._place_of, self._font_sizes()["marks"])
        parts += self._draw_words(self._above, 0.7 * _HEADING + _MARGIN - self.top, _HEADING, font_weight="bold")
        parts += self._draw_words(self._under, self._bottom + 0.9 * _NOTE, _NOTE)
        move = f"translate({number(self.left)} {number(self.top)})"
        return group(parts, transform=move, font_family=FONTS, text_anchor="middle")

    def _draw_words(self, lines: Sequence[str], first: float, font: float, **style: str) -> list[str]:
        middle = complex(self._centre, first)
        texts = [text_at(middle + 1.4j * font * row, font, line) for row, line in enumerate(lines)]
        return group(texts, font_size=font, **style, fill=colours.CLUE)

    def _draw_grounds(self, wrong: Collection[int]) -> Iterator[str]:
        """Draw shades of cells and houses: one tint for all diagonals, one for all windows, one for an extra house."""
        shades: dict[object, set[int]] = {}
        for house in self._geometry.houses:
            if house in self._geometry.extra:
                shades.setdefault(house, set()).update(house.cells)
            elif house.kind in ("diagonal", "window"):
                shades.setdefault(house.kind, set()).update(house.cells)
        for cells, tint in zip(shades.values(), cycle(colours.TINTS), strict=False):
            yield self._draw_squares(cells, fill=tint, fill_opacity=".16")
        highlight = self.contents.highlight
        differing = set(wrong)
        for place, content in enumerate(self.contents.cells):
            if content.kind == "differs":
                differing.add(place)
        if differing - highlight:
            yield self._draw_squares(differing - highlight, fill=colours.DIFFERS)
        if highlight:
            yield self._draw_squares(highlight, fill=colours.HIGHLIGHT)

    def _draw_sketch(self, item: Sketch) -> str:
        points = [complex(column, row) * self.cell for row, column in item.points]
        width = item.width * self.cell
        if len(points) > 1:
            return stroke(through(points), item.colour, stroke_width=width, stroke_linejoin="round")
        corner = points[0] - (1 + 1j) * width / 2
        radius = width / 2 if item.rounded else 0
        box = {"x": corner.real, "y": corner.imag, "width": width, "height": width, "rx": radius}
        return element("rect", **box, fill=item.colour, stroke=colours.CLUE)  # by which white circles can be seen

    def _draw_squares(self, cells: Iterable[int], **attributes: str) -> str:
        """Draw one path around these cells."""
        return element("path", **attributes, shape_rendering=_CRISP, d=contour(cells, self._n, self.cell, 0, 0))

    def _draw_lines(self) -> list[str]:
        """Draw thin lines between cells, bold ones around boxes or regions and around the board."""
        n = self._n
        side = n * self.cell
        lines = []
        if n > 1:
            thin = [f"M{place} 0V{side}M0 {place}H{side}" for place in range(self.cell, side, self.cell)]
            lines.append(stroke("".join(thin), colours.THIN_LINE, shape_rendering=_CRISP))
        regions: dict[int, list[int]] = {}
        for place, region in enumerate(self._geometry.region_of or (0,) * n * n):
            regions.setdefault(region, []).append(place)
        bold = [contour(cells, n, self.cell, 0, 0) for cells in regions.values()]
        lines.append(stroke("".join(bold), colours.LINE, stroke_width="3", shape_rendering=_CRISP))
        return lines

    def _draw_symbols(self, wrong: Collection[int]) -> list[str]:
        """Draw the contents of the cells.

        Where two witnesses differ, the first's symbol stands above a slash and the second's below it.
        """
        cell = self.cell
        slots = self._candidate_slots()
        fonts = self._font_sizes()
        aside = (0.22 + 0.22j) * cell
        slash = round(cell * 0.34) * (1 - 1j)
        arm = round(cell * 0.22) * (1 + 1j)
        texts: dict[tuple[str, str], list[str]] = {}  # by kind and look
        slashes = ""
        crosses = ""
        for place, content in enumerate(self.contents.cells):
            centre = self._centre_of(place)
            middles = [centre]
            look: str = content.kind
            if content.kind == "differs":
                slashes += through([centre - slash, centre + slash])
                middles = [centre - aside, centre + aside]
            elif content.kind == "marks":
                middles = [centre + slots[symbol - 1] for symbol in content.symbols]
                if not middles:
                    crosses += through([centre - arm, centre + arm])
                    crosses += through([centre - 1j * arm, centre + 1j * arm])
            elif content.kind == "filled" and place in wrong:
                look = "wrong"
            alike = texts.setdefault((content.kind, look), [])
            for symbol, middle in zip(content.symbols, middles, strict=False):
                alike.append(text_at(middle, fonts[content.kind], self._geometry.symbol_text(symbol)))
        parts = []
        if slashes:
            parts.append(stroke(slashes, colours.ALARM))
        if crosses:
            parts.append(stroke(crosses, colours.ALARM, stroke_width=2.5))
        for (kind, look), alike in texts.items():
            if alike:
                parts += group(alike, font_size=fonts[kind], **_LOOKS[look])
        return parts

    def _draw_strikes(self, struck: Collection[tuple[int, int]]) -> list[str]:
        """Draw a line through each candidate that is struck out."""
        slots = self._candidate_slots()
        half = 0.45 * self._font_sizes()["marks"] * (1 - 1j)
        strikes = ""
        for place, content in enumerate(self.contents.cells):
            if content.kind == "marks":
                for symbol in content.symbols:
                    if (place, symbol) in struck:
                        middle = self._centre_of(place) + slots[symbol - 1]
                        strikes += through([middle - half, middle + half])
        if not strikes:
            return []
        return [stroke(strikes, colours.ALARM, stroke_width=1.5)]

    def _centre_of(self, place: int) -> complex:
        """Return the middle of a cell."""
        row, column = divmod(place, self._n)
        return complex(column + 0.5, row + 0.5) * self.cell

    def _place_of(self, candidate: tuple[int, int]) -> complex:
        """Return the middle of a candidate, given as (cell, symbol)."""
        cell, symbol = candidate
        return self._centre_of(cell) + self._candidate_slots()[symbol - 1]

    def _candidate_slots(self) -> list[complex]:
        """Return where each candidate stands, as seen from the middle of its cell."""
        columns = self._columns
        rows = ceil(self._n / columns)
        width = self._candidate_room() / columns
        slots = []
        for symbol in range(self._n):
            row, column = divmod(symbol, columns)
            right = (column + 0.5 - columns / 2) * width
            down = (row + 0.5 - rows / 2) * columns / rows * width
            slots.append(complex(right, down + self._below_cage_sums()))
        return slots

    def _below_cage_sums(self) -> float:
        """Return how far candidates move down, and in from the right, where cages have sums."""
        return _BELOW_CAGE_SUMS / 2 if self.marks.caged else 0

    def _candidate_room(self) -> float:
        """Return the width of the square in which the candidates of a cell stand."""
        return self.cell - 2 * (_CANDIDATE_INSET + self._below_cage_sums())

    def _font_sizes(self) -> dict[str, float]:
        """Return the font size for each kind of content."""
        slot = self._candidate_room() / self._columns
        alone = self._font(self.cell, self.cell)
        return {
            "clue": alone,
            "filled": alone,
            "differs": self._font(self.cell * 0.56, self.cell * 0.64),
            "marks": self._font(slot, slot * 1.35),
            "blank": alone,
        }

    def _font(self, width: float, height: float) -> float:
        """Return the font size for one symbol in a space of this width and height."""
        longest = len(self._geometry.symbol_text(self._n))
        return round(min(height * 0.62, width * 0.8 / (_DIGIT_WIDTH * longest)), 1)


def _break_lines(text: str, width: float, font: float) -> list[str]:
    """Return a text in lines that fit into a width."""
    return wrap(text, max(8, int(width / (0.68 * font))))
