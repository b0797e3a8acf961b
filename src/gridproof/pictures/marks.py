"""The marks of rules in an SVG drawing: lines, cages, dots, clues outside the grid, in the usual look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter

from gridproof.pictures.colours import BACKGROUND, DOTS, RULE_LINES, RULES
from gridproof.pictures.contours import contour, toward, unit
from gridproof.pictures.document import element, stroke, text_at, through
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Dot, Line, Mark, Note, Outline, Outside, Shape
from gridproof.rules.rule import Rule

_WIDTHS = {"thin": 0.05, "normal": 0.16, "thick": 0.3}  # of lines, in cells, as all that follows
_BULB = 0.36
_REACH = {"circle": 0.4, "diamond": 0.46, "pill": 0.36, "square": 0.38}
_CORNERS = {"diamond": (-1j, 1, 1j, -1), "square": (-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j)}  # in units of the reach
_CAGE_INSET = 0.1
_SMALL_TEXT = 0.27
OUTSIDE = 0.72
"""Width of what one clue outside takes, in cells."""

# the heights of marks, from the lowest to the highest; what is over the lines of the grid is drawn after them
_SHADE = 0
_DISC = 1
_THICK_LINE = 2
_THIN_LINE = 3
_RIM = 4
_OVER = 5


class Marks:
    """The marks of some rules, drawn for cells of a size. Coordinates begin at the corner of the grid.

    A rule that has no mark is a note. Kinds whose lines differ only in colour, or which are a number outside the grid,
    are named in a note, too. Arrows of clues outside come first, so that nothing stands between them and the grid.

    Attributes
    ----------
    notes : list of str
        The lines under the board.
    caged : bool
        Whether some cell has a text in its corner.
    covered : set of int
        The cells that have a line or a shape in their middle.
    """

    def __init__(self, rules: Iterable[Rule], geometry: Geometry, cell: int) -> None:
        self.notes: list[str] = []
        self.caged = False
        self.covered: set[int] = set()
        self._rows, self._columns = geometry.shape
        self._cell = cell
        self._parts: list[tuple[int, str]] = []  # each with its height
        self._outside: set[tuple[int, int]] = set()
        legend: dict[str, None] = {}
        with_arrows: list[tuple[Rule, list[Mark]]] = []
        without_arrows: list[tuple[Rule, list[Mark]]] = []
        for rule in rules:
            marks = list(rule.draw(geometry)) or [Note(rule.sentence(geometry))]
            has_arrow = any(isinstance(mark, Outside) and mark.slanted for mark in marks)
            group = with_arrows if has_arrow else without_arrows
            group.append((rule, marks))
        for rule, marks in with_arrows + without_arrows:
            shape_in = shape_by_cell(marks)
            for mark in marks:
                height, parts = self._draw(mark, shape_in)
                self._parts += [(height, part) for part in parts]
                entry = legend_entry(rule.kind, mark, bool(shape_in))
                if entry:
                    legend[entry] = None
        if legend:
            self.notes.append(", ".join(legend))

    @property
    def under(self) -> list[str]:
        """The elements below the lines of the grid."""
        return [part for height, part in sorted(self._parts, key=itemgetter(0)) if height < _OVER]

    @property
    def over(self) -> list[str]:
        """The elements between the lines of the grid and the symbols."""
        return [part for height, part in self._parts if height == _OVER]

    @property
    def margins(self) -> tuple[float, float, float, float]:
        """The space of the clues outside: at the left, at the top, at the right and below."""
        width = OUTSIDE * self._cell
        last_column = self._columns - 1
        last_row = self._rows - 1
        columns = [0, last_column]
        rows = [0, last_row]
        for x, y in self._outside:
            columns.append(x)
            rows.append(y)
        return (
            -min(columns) * width,
            -min(rows) * width,
            (max(columns) - last_column) * width,
            (max(rows) - last_row) * width,
        )

    def _draw(self, mark: Mark, shape_in: Mapping[int, Shape]) -> tuple[int, Iterable[str]]:
        """Return the height of a mark, and its elements. shape_in: the shape in each cell that has one."""
        match mark:
            case Line():
                self.covered.update(mark.cells)
                height = _THIN_LINE if mark.width == "thin" else _THICK_LINE
                return height, self._draw_line(mark, shape_in)
            case Outline():
                self.caged = self.caged or bool(mark.text)
                return _OVER, self._draw_outline(mark)
            case Shape():
                self.covered.update(mark.cells)
                return shape_height(mark), self._draw_shape(mark)
            case Dot():
                return _OVER, self._draw_dot(mark)
            case Outside():
                return _OVER, self._draw_clue_outside(mark)
            case Note():
                if mark.text not in self.notes:
                    self.notes.append(mark.text)
                return _OVER, ()

    def _middle(self, place: int) -> complex:
        return complex(place % self._columns + 0.5, place // self._columns + 0.5) * self._cell

    def _draw_line(self, line: Line, shape_in: Mapping[int, Shape]) -> Iterator[str]:
        colours = RULE_LINES if line.width == "thin" else RULES
        colour = colours[line.colour]
        middles = [self._middle(place) for place in line.cells] or [0j]
        points = middles.copy()
        if line.bulb:
            yield _circle(points[0], _BULB * self._cell, fill=colour)
        if len(points) > 1:
            for end, beside in ((0, 1), (-1, -2)):  # a line ends at the edge of a circle or diamond in its last cell
                shape = shape_in.get(line.cells[end])
                if shape:
                    points[end] = toward(middles[end], middles[beside], _REACH[shape.shape] * self._cell)
        path = through(points)
        if len(points) == 1:
            path += "h0"
        elif line.arrow:
            path += _arrow_head(points[-2], points[-1], 0.2 * self._cell)
        width = max(2, _WIDTHS[line.width] * self._cell)
        yield stroke(path, colour, stroke_width=width, stroke_linecap="round", stroke_linejoin="round")

    def _draw_outline(self, outline: Outline) -> Iterator[str]:
        ink = RULE_LINES[outline.colour]
        border = contour(outline.cells, self._columns, self._cell, _CAGE_INSET * self._cell, 2)
        yield stroke(border, ink, stroke_width=1.3, stroke_dasharray="4 2.5")
        if outline.text and outline.cells:  # in the corner of the first cell, on a ground that interrupts lines
            corner = self._middle(min(outline.cells)) - (0.45 + 0.45j) * self._cell
            font = min(_SMALL_TEXT * self._cell, 1.5 * self._cell / len(outline.text))
            width = len(outline.text) * 0.58 * font + 2
            yield element("rect", x=corner.real, y=corner.imag, width=width, height=font, fill=BACKGROUND)
            yield draw_text(corner + complex(width, font) / 2, font, outline.text, ink)

    def _draw_shape(self, shape: Shape) -> Iterator[str]:
        fill = RULES[shape.colour]
        style: dict[str, str | float] = {"fill": fill}
        if not shape.filled:
            style = {"fill": "none", "stroke": RULE_LINES[shape.colour], "stroke_width": 2}
        if shape.shape == "shade":
            yield element("path", fill=fill, fill_opacity=".6", d=contour(shape.cells, self._columns, self._cell, 0, 0))
        elif shape.shape == "pill":
            inset = (0.5 - _REACH["pill"]) * self._cell
            yield element("path", **style, d=contour(shape.cells, self._columns, self._cell, inset, 0.34 * self._cell))
        elif shape.shape in ("inwards", "outwards"):
            inwards = 1 if shape.shape == "inwards" else -1
            for place in shape.cells:
                yield draw_pointed_sides(self._middle(place), inwards, self._cell)
        else:
            for place in shape.cells:
                yield draw_around(shape.shape, self._middle(place), _REACH[shape.shape] * self._cell, style)

    def _draw_dot(self, dot: Dot) -> Iterator[str]:
        middles = [self._middle(place) for place in dot.cells]
        middle = sum(middles) / len(middles)
        reach = 0.13 * self._cell
        if len(middles) > 2:
            reach = 0.25 * self._cell
        elif dot.text:
            reach = 0.2 * self._cell
        if len(middles) == 2 and abs(middles[0] - middles[1]) > self._cell + 1:
            yield stroke(through(middles), RULE_LINES["grey"], stroke_width=2)
        rim: dict[str, str | float] = {} if dot.fill == "none" else {"stroke": RULES["ink"], "stroke_width": 1.3}
        yield _circle(middle, reach, fill=DOTS.get(dot.fill, BACKGROUND), **rim)
        if dot.text == "<" and len(middles) == 2:  # narrow towards the smaller symbol
            smaller, larger = middles
            tip = middle + unit(smaller - larger) * 0.12 * self._cell
            yield stroke(_arrow_head(larger, tip, 0.24 * self._cell, 0.5), RULES["ink"], stroke_width=2)
        elif dot.text:
            ink = {"white": DOTS["black"], "black": DOTS["white"]}.get(dot.fill, RULES["ink"])
            lines = break_text(dot.text)
            longest = max([len(line) for line in lines])
            font = min((1.8 if rim else 2.2) * reach / len(lines), 2.9 * reach / longest)
            for row, line in enumerate(lines):
                yield draw_text(middle + (row - (len(lines) - 1) / 2) * font * 1j, font, line, ink)

    def _draw_clue_outside(self, clue: Outside) -> Iterator[str]:
        rows = self._rows
        columns = self._columns
        cell = self._cell
        down, right = find_way(clue, columns)
        y, x = divmod(clue.cells[0], columns)
        while 0 <= x < columns and 0 <= y < rows:  # out of the grid, against the way in which the clue looks
            x -= right
            y -= down
        goal = complex(self._edge(x, right, columns), self._edge(y, down, rows))
        start = (x, y)
        while (x, y) in self._outside:
            x += (x >= columns) - (x < 0)
            y += (y >= rows) - (y < 0)
        self._outside.add((x, y))
        middle = complex(self._beyond(x, columns), self._beyond(y, rows))
        font = min(0.42 * cell, 1.1 * cell / max(1, len(clue.text)))
        if clue.slanted:
            ahead = complex(right, down) * cell
            middle -= 0.1 * ahead
            if (x, y) == start:  # beside its first cell
                tail = goal - 0.24 * ahead
            else:  # further away the arrow begins at the text
                tail = middle + 0.7 * font * unit(goal - middle)
            arrow = through([tail, goal]) + _arrow_head(tail, goal, 0.14 * cell)
            yield stroke(arrow, RULES["ink"], stroke_width=1.5)
        if clue.frame:
            font *= 0.8
            reach = {"circle": 1.0, "square": 0.85, "diamond": 1.05}[clue.frame] * (OUTSIDE * cell / 2 - 1.5)
            style: dict[str, str | float] = {"fill": "none", "stroke": RULE_LINES["ink"], "stroke_width": 1.2}
            yield draw_around(clue.frame, middle, reach, style)
        yield draw_text(middle, font, clue.text, RULES["ink"])

    def _beyond(self, place: int, number: int) -> float:
        """Return the middle of a column or row, of so many, inside the grid or in the narrower ones outside."""
        inside = min(max(place + 0.5, 0), number)
        return (inside + (place + 0.5 - inside) * OUTSIDE) * self._cell

    def _edge(self, place: int, step: int, number: int) -> float:
        """Return the end of a slanted arrow: just before the corner of the first cell in its line."""
        corner = min(max(place + (step > 0), 0), number)
        return (corner - 0.05 * step) * self._cell


def _circle(middle: complex, radius: float, **attributes: str | float) -> str:
    return element("circle", cx=middle.real, cy=middle.imag, r=radius, **attributes)


def draw_around(middle_shape: str, middle: complex, reach: float, style: dict[str, str | float]) -> str:
    """Draw a circle, square or diamond around a point."""
    if middle_shape == "circle":
        return _circle(middle, reach, **style)
    corners = [middle + reach * corner for corner in _CORNERS[middle_shape]]
    return element("path", **style, d=f"{through(corners)}Z")


def draw_pointed_sides(middle: complex, inwards: int, cell: int) -> str:
    """Draw a sign at each side of a cell that points to its middle, or (``inwards`` is -1) away from it."""
    size = 0.11 * cell
    edge = 0.38 * cell
    path = ""
    for side in (-1j, 1, 1j, -1):
        tip = middle + side * (edge - inwards * size / 2)
        path += _arrow_head(tip + inwards * side, tip, size)
    return stroke(path, RULES["ink"], stroke_width=1.5)


def draw_text(middle: complex, font: float, text: str, ink: str) -> str:
    return text_at(middle, font, text, font_size=font, fill=ink)


def _arrow_head(before: complex, tip: complex, size: float, spread: float = 0.7) -> str:
    back = unit(before - tip) * size
    return through([tip + back * (1 - spread * 1j), tip, tip + back * (1 + spread * 1j)])


# ---- what is looked up ---------------------------------------------------------------------------------------------


def shape_by_cell(marks: Iterable[Mark]) -> dict[int, Shape]:
    """Return the shape in each cell that has one at whose edge a line ends."""
    shapes: dict[int, Shape] = {}
    for mark in marks:
        if isinstance(mark, Shape) and mark.shape in _REACH:
            shapes.update(dict.fromkeys(mark.cells, mark))
    return shapes


def shape_height(shape: Shape) -> int:
    """Return the height of a shape."""
    if shape.shape == "shade":
        return _SHADE
    return _DISC if shape.filled else _RIM


def find_way(clue: Outside, n: int) -> tuple[int, int]:
    """Return the step (down, right) in which a clue looks into the grid."""
    row, column = divmod(clue.cells[0], n)
    if len(clue.cells) > 1:
        next_row, next_column = divmod(clue.cells[1], n)
        down = (next_row > row) - (next_row < row)
        right = (next_column > column) - (next_column < column)
        return down, right
    # one cell alone is seen from the nearest side, or from the corner
    down = -1 if row else 1
    right = 0
    if clue.slanted:
        right = -1 if column else 1
    return down, right


def legend_entry(kind: str, mark: Mark, has_shapes: bool) -> str:
    """Return the words of the legend for a mark that looks like those of other kinds; empty for another one."""
    if isinstance(mark, Outside) and not mark.slanted:
        if mark.frame:
            return f"{kind} (outside, in a {mark.frame})"
        return f"{kind} (outside)"
    if isinstance(mark, Line) and not (mark.bulb or mark.arrow or has_shapes):
        return f"{kind} ({mark.colour})"
    return ""


def break_text(text: str) -> list[str]:
    """Return the words of a dot in one row, or in two if they are more than two."""
    words = text.split(" ")
    if len(words) < 3:
        return [text]
    half = (len(words) + 1) // 2
    return [" ".join(words[:half]), " ".join(words[half:])]
