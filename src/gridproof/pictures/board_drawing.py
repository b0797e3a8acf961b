"""The layout of a drawn board: its cells, the marks of rules around and below them, and the texts beside it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import cycle
from math import ceil, isqrt
from textwrap import wrap

from gridproof.pictures import colours
from gridproof.pictures.cells import BoardContents, Drawable
from gridproof.pictures.contours import contour
from gridproof.pictures.document import FONTS, element, group, number, stroke, text_at, through
from gridproof.pictures.links import Link, draw_links
from gridproof.pictures.marks import OUTSIDE, Marks
from gridproof.pictures.pencil import PencilMarks, draw_paint, draw_pencil
from gridproof.rules.drawing import Sketch

_CRISP = "crispEdges"  # the ``shape-rendering`` with which lines stay sharp where the picture is scaled
_DIGIT_WIDTH = 0.7  # of a bold digit in a wide typeface, in units of the font size
MARGIN = 4.5
"""Free space around a drawing; the half puts odd line widths on whole pixels."""
_CANDIDATE_INSET = 5  # keeps candidates off the lines and out of the ring
_BELOW_CAGE_SUMS = 8  # what candidates move down and to the right where cages have sums
_LABEL = 0.3  # the font size of the labels of rows and columns, in cells
_LABEL_ROOM = 0.42  # what they take, in cells
_HALO = 3  # the width of the pale border of candidates on the marks of rules

_HEADING, _NOTE = 16, 12  # font sizes
_LOOKS = {
    "clue": {"font_weight": "bold", "fill": colours.CLUE},
    "filled": {"fill": colours.FILLED},
    "differs": {"fill": colours.ALARM},
    "marks": {"fill": colours.CANDIDATE},
    "wrong": {"fill": colours.ALARM},
}


class BoardDrawing:
    """The layout of a board: its cells (the first at ``left`` and ``top``, ``cell`` wide) and the texts around them."""

    def __init__(
        self,
        board: Drawable,
        contents: BoardContents,
        heading: str,
        notes: Iterable[str],
        *,
        labels: bool = False,
        legend: bool = True,
    ) -> None:
        self.contents = contents
        self._geometry = contents.geometry
        board_rows, board_columns = self._geometry.shape
        # of candidates in a cell: 3 for order 9, 3 (in two rows) for order 6
        self._columns = isqrt(self._geometry.symbol_count - 1) + 1
        cell = 26
        for largest, width_there in ((25, 30), (16, 34), (9, 40)):  # the cells of smaller boards are larger
            if max(board_rows, board_columns) <= largest:
                cell = width_there
        if contents.count("marks"):
            slot = 14 if self._geometry.symbol_characters else 18
            cell = max(cell, slot * self._columns + 2 * _CANDIDATE_INSET)
        cell += cell % 2  # even, so that its middle is whole
        self.cell = cell
        self.marks = Marks(board.rules, self._geometry, cell)
        left, top, right, bottom = self.marks.margins
        self._labels_at = None  # the corner at which the labels of rows and columns meet
        if labels:
            room = OUTSIDE * cell
            left, top, right, bottom = max(left, room), max(top, room), max(right, room), max(bottom, room)
            self._labels_at = complex(-left, -top) - (0.5 + 0.5j) * _LABEL_ROOM * cell
            left += _LABEL_ROOM * cell
            top += _LABEL_ROOM * cell
        width = board_columns * cell + left + right
        self._above = _break_lines(heading, width, _HEADING)
        self._under: list[str] = []
        for note in self.marks.notes if legend else ():
            self._under += _break_lines(note, width, _NOTE)
        for note in notes:
            self._under += _break_lines(note, width, _NOTE)
        self._centre = (board_columns * cell + right - left) / 2
        self._bottom = board_rows * cell + bottom
        self.left = left + MARGIN
        self.top = top + MARGIN + 1.4 * _HEADING * len(self._above)
        self.width = width + 2 * MARGIN
        self.height = self.top + self._bottom + 1.4 * _NOTE * len(self._under) + MARGIN

    def parts(
        self,
        struck: Collection[tuple[int, int]],
        wrong: Collection[int],
        sketch: Iterable[Sketch],
        pencil: PencilMarks,
        links: Sequence[Link],
    ) -> list[str]:
        """Return the elements, from the lowest to the highest."""
        drawn = list(sketch)
        sketches = [self._draw_sketch(item) for item in drawn if item.width]
        labels = [self._draw_label(item) for item in drawn if item.label]
        rings = []
        inset = 3
        side = self.cell - 2 * inset
        for place in sorted(self.contents.second):
            row, column = divmod(place, self._geometry.columns)
            x = column * self.cell + inset
            y = row * self.cell + inset
            rings.append(element("rect", x=x, y=y, width=side, height=side, rx="4"))
        empty = {place for place, content in enumerate(self.contents.cells) if content.kind == "blank"}
        parts = draw_paint(pencil, self._geometry.columns, self.cell)
        parts += self._draw_grounds(wrong)
        parts += group(sketches, opacity=0.5, stroke_linecap="round")
        parts += self.marks.under
        parts += self._draw_lines()
        parts += group(rings, fill="none", stroke=colours.RING, stroke_width="2")
        parts += self.marks.over
        parts += draw_pencil(pencil, empty, self._geometry, self.cell, caged=self.marks.caged)
        parts += self._draw_symbols(wrong)
        parts += self._draw_strikes(struck)
        parts += draw_links(links, self._place_of, self._font_sizes()["marks"])
        parts += group(labels, font_size=self.cell / 4, font_weight="bold", fill=colours.CLUE)
        parts += self._draw_labels()
        parts += self._draw_words(self._above, 0.7 * _HEADING + MARGIN - self.top, _HEADING, font_weight="bold")
        parts += self._draw_words(self._under, self._bottom + 0.9 * _NOTE, _NOTE)
        move = f"translate({number(self.left)} {number(self.top)})"
        return group(parts, transform=move, font_family=FONTS, text_anchor="middle")

    def _draw_labels(self) -> list[str]:
        """Draw the numbers of rows and columns."""
        if self._labels_at is None:
            return []
        font = _LABEL * self.cell
        texts: list[str] = []
        for place in range(max(self._geometry.shape)):
            along = (place + 0.5) * self.cell
            if place < self._geometry.rows:
                texts.append(text_at(complex(self._labels_at.real, along), font, str(place + 1)))
            if place < self._geometry.columns:
                texts.append(text_at(complex(along, self._labels_at.imag), font, str(place + 1)))
        return group(texts, font_size=font, fill=colours.CANDIDATE)

    def _place_of(self, candidate: tuple[int, int]) -> complex:
        """Return the middle of a candidate, given as (cell, symbol)."""
        cell, symbol = candidate
        return self._centre_of(cell) + self._candidate_slots()[symbol - 1]

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
            edge = {"stroke": colours.HIGHLIGHT_EDGE, "stroke_width": "2"}
            yield self._draw_squares(highlight, fill=colours.HIGHLIGHT, **edge)

    def _draw_sketch(self, item: Sketch) -> str:
        points = [complex(column, row) * self.cell for row, column in item.points]
        width = item.width * self.cell
        if len(points) > 1:
            return stroke(through(points), item.colour, stroke_width=width, stroke_linejoin="round")
        corner = points[0] - (1 + 1j) * width / 2
        radius = width / 2 if item.rounded else 0
        box = {"x": corner.real, "y": corner.imag, "width": width, "height": width, "rx": radius}
        return element("rect", **box, fill=item.colour, stroke=colours.CLUE)  # by which white circles can be seen

    def _draw_label(self, item: Sketch) -> str:
        row, column = item.points[0]
        corner = complex(column - 0.25, row - 0.25) * self.cell
        return text_at(corner, self.cell / 4, item.label)

    def _draw_squares(self, cells: Iterable[int], **attributes: str) -> str:
        """Draw one path around these cells."""
        border = contour(cells, self._geometry.columns, self.cell, 0, 0)
        return element("path", **attributes, shape_rendering=_CRISP, d=border)

    def _draw_lines(self) -> list[str]:
        """Draw thin lines between cells, bold ones around boxes or regions and around the board."""
        rows, columns = self._geometry.shape
        bottom = rows * self.cell
        right = columns * self.cell
        lines = []
        thin = ""
        for place in range(self.cell, max(bottom, right), self.cell):
            if place < right:
                thin += f"M{place} 0V{bottom}"
            if place < bottom:
                thin += f"M0 {place}H{right}"
        if thin:
            lines.append(stroke(thin, colours.THIN_LINE, shape_rendering=_CRISP))
        regions: dict[int, list[int]] = {}
        for place, region in enumerate(self._geometry.region_of or (0,) * (rows * columns)):
            regions.setdefault(region, []).append(place)
        bold = [contour(cells, columns, self.cell, 0, 0) for cells in regions.values()]
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
        parts += self._draw_halos()
        for (kind, look), alike in texts.items():
            if alike:
                parts += group(alike, font_size=fonts[kind], **_LOOKS[look])
        return parts

    def _draw_halos(self) -> list[str]:
        """Draw a pale border of candidates, so that they are readable on the lines and discs of rules."""
        slots = self._candidate_slots()
        font = self._font_sizes()["marks"]
        texts: list[str] = []
        for place in sorted(self.marks.covered):
            content = self.contents.cells[place]
            if content.kind != "marks":
                continue
            for symbol in content.symbols:
                middle = self._centre_of(place) + slots[symbol - 1]
                texts.append(text_at(middle, font, self._geometry.symbol_text(symbol)))
        ground = colours.BACKGROUND
        return group(texts, font_size=font, fill=ground, stroke=ground, stroke_width=_HALO, stroke_linejoin="round")

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
        row, column = divmod(place, self._geometry.columns)
        return complex(column + 0.5, row + 0.5) * self.cell

    def _candidate_slots(self) -> list[complex]:
        """Return where each candidate stands, as seen from the middle of its cell."""
        columns = self._columns
        count = self._geometry.symbol_count
        rows = ceil(count / columns)
        width = self._candidate_room() / columns
        slots = []
        for symbol in range(count):
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
        longest = max([len(self._geometry.symbol_text(symbol)) for symbol in self._geometry.symbols])
        return round(min(height * 0.62, width * 0.8 / (_DIGIT_WIDTH * longest)), 1)


def _break_lines(text: str, width: float, font: float) -> list[str]:
    """Return a text in lines that fit into a width."""
    return wrap(text, max(8, int(width / (0.68 * font))))
