"""The marks of rules in an SVG drawing: lines, cages, dots, clues outside the grid, as people know them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import hypot
from operator import itemgetter

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Dot, Line, Mark, Note, Outline, Outside, Shape
from gridproof.rules.rule import Rule
from gridproof.show.colours import BACKGROUND, DOTS, RULE_LINES, RULES
from gridproof.show.document import number, text_at
from gridproof.show.outlines import Point, contour, toward

_WIDTHS = {"thin": 0.05, "normal": 0.16, "thick": 0.3}  # of lines, in cells, as all that follows
_BULB = 0.36
_REACH = {"circle": 0.4, "diamond": 0.46, "pill": 0.36, "square": 0.38}
_CAGE_INSET = 0.1
_SMALL_TEXT = 0.27
_OUTSIDE = 0.72  # what one clue outside takes


@dataclass(slots=True)
class Marks:
    """The marks of some rules, drawn for cells of a size. Coordinates begin at the corner of the grid.

    under: what lies below the lines of the grid. over: what lies between them and the symbols. notes: what is said
    under the board. caged: whether some cell has a text in its corner.
    """

    geometry: Geometry
    cell: int
    over: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    caged: bool = False
    _under: list[tuple[int, str]] = field(default_factory=list)
    _outside: Counter[tuple[int, int]] = field(default_factory=Counter)

    @classmethod
    def of(cls, rules: Iterable[Rule], geometry: Geometry, cell: int) -> Marks:
        """The marks of these rules; one that has none is a note.

        Kinds whose lines differ only in colour, or which are a number outside the grid, are named in a note, too.
        """
        drawn, named = cls(geometry, cell), dict[str, None]()
        for rule in rules:
            marks = tuple(rule.draw(geometry)) or (Note(rule.sentence(geometry)),)
            shapes = {place: m for m in marks if isinstance(m, Shape) and m.shape in _REACH for place in m.cells}
            for mark in marks:
                drawn._draw(mark, shapes)
                if isinstance(mark, Outside) and not mark.slanted:
                    named[f"{rule.kind} (outside)"] = None
                elif isinstance(mark, Line) and not (mark.bulb or mark.arrow or shapes):
                    named[f"{rule.kind} ({mark.colour})"] = None
        drawn.notes += filter(None, [", ".join(named)])
        return drawn

    @property
    def under(self) -> list[str]:
        """Shades lowest, then discs, thick lines, thin ones, and what is only an outline."""
        return [part for _, part in sorted(self._under, key=itemgetter(0))]

    @property
    def margins(self) -> tuple[float, float, float, float]:
        """What the clues outside take: at the left, at the top, at the right and below."""
        n, one = self.geometry.order, _OUTSIDE * self.cell
        columns, rows = [x for x, _ in self._outside], [y for _, y in self._outside]
        return (
            max([0, *(-x for x in columns)]) * one,
            max([0, *(-y for y in rows)]) * one,
            max([0, *(x - n + 1 for x in columns)]) * one,
            max([0, *(y - n + 1 for y in rows)]) * one,
        )

    def _draw(self, mark: Mark, shapes: dict[int, Shape]) -> None:
        match mark:
            case Line():
                self._under += ((3 if mark.width == "thin" else 2, part) for part in self._line(mark, shapes))
            case Outline():
                self.caged = self.caged or bool(mark.text)
                self.over += self._outline(mark)
            case Shape():
                height = 0 if mark.shape == "shade" else 1 if mark.filled else 4
                self._under += ((height, part) for part in self._shape(mark))
            case Dot():
                self.over += self._dot(mark)
            case Outside():
                self.over += self._clue_outside(mark)
            case Note():
                if mark.text not in self.notes:
                    self.notes.append(mark.text)

    def _middle(self, place: int) -> Point:
        n = self.geometry.order
        return (place % n + 0.5) * self.cell, (place // n + 0.5) * self.cell

    def _line(self, line: Line, shapes: dict[int, Shape]) -> Iterator[str]:
        colour = (RULE_LINES if line.width == "thin" else RULES)[line.colour]
        points = list(map(self._middle, line.cells))
        if line.bulb:
            (x, y), radius = points[0], number(_BULB * self.cell)
            yield f'<circle cx="{number(x)}" cy="{number(y)}" r="{radius}" fill="{colour}"/>'
        if len(points) > 1:  # a line begins at the edge of a circle or diamond in its first cell
            ends = [(0, 1), (-1, -2)]
            reached = {end: _REACH[s.shape] * self.cell for end, _ in ends if (s := shapes.get(line.cells[end]))}
            moved = {end: toward(points[end], points[next_], reached[end]) for end, next_ in ends if end in reached}
            for end, point in moved.items():
                points[end] = point
        path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points or [(0, 0)])
        if len(points) == 1:
            path += "h0"
        if line.arrow and len(points) > 1:
            path += _arrow_head(points[-2], points[-1], 0.2 * self.cell)
        width = number(max(2, _WIDTHS[line.width] * self.cell))
        yield (
            f'<path fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"'
            f' stroke-linejoin="round" d="{path}"/>'
        )

    def _outline(self, outline: Outline) -> Iterator[str]:
        n, inset, ink = self.geometry.order, _CAGE_INSET * self.cell, RULE_LINES[outline.colour]
        yield (
            f'<path fill="none" stroke="{ink}" stroke-width="1.3" stroke-dasharray="4 2.5"'
            f' d="{contour(outline.cells, n, self.cell, inset, 2)}"/>'
        )
        if outline.text and outline.cells:
            yield from self._corner_text(min(outline.cells), outline.text, ink)

    def _corner_text(self, place: int, text: str, ink: str) -> list[str]:
        """A small text in the left upper corner of a cell, on a ground that interrupts what runs there."""
        x, y = place % self.geometry.order * self.cell, place // self.geometry.order * self.cell
        font, inset = _SMALL_TEXT * self.cell, 0.05 * self.cell
        font = min(font, 1.5 * self.cell / max(1, len(text)))
        width, height = len(text) * 0.58 * font + 2, font
        ground = (x + inset, y + inset, width, height)
        return [
            '<rect x="{}" y="{}" width="{}" height="{}" '.format(*map(number, ground)) + f'fill="{BACKGROUND}"/>',
            self._text(x + inset + width / 2, y + inset + height / 2, font, text, ink),
        ]

    def _shape(self, shape: Shape) -> Iterator[str]:
        fill, stroke, n = RULES[shape.colour], RULE_LINES[shape.colour], self.geometry.order
        style = f'fill="{fill}"' if shape.filled else f'fill="none" stroke="{stroke}" stroke-width="2"'
        if shape.shape == "shade":
            path = contour(shape.cells, n, self.cell, 0, 0)
            yield f'<path fill="{fill}" fill-opacity=".6" d="{path}"/>'
        elif shape.shape == "pill":
            inset = 0.5 - _REACH["pill"]
            yield f'<path {style} d="{contour(shape.cells, n, self.cell, inset * self.cell, 0.34 * self.cell)}"/>'
        else:
            for place in shape.cells:
                yield self._figure(shape.shape, *self._middle(place), style)
        if shape.text:
            for place in shape.cells:
                yield from self._corner_text(place, shape.text, RULES["ink"])

    def _figure(self, name: str, x: float, y: float, style: str) -> str:
        if name in ("inwards", "outwards"):
            return self._pointed_sides(x, y, 1 if name == "inwards" else -1)
        reach = _REACH[name] * self.cell
        if name == "circle":
            return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(reach)}" {style}/>'
        if name == "square":
            side = number(2 * reach)
            return f'<rect x="{number(x - reach)}" y="{number(y - reach)}" width="{side}" height="{side}" {style}/>'
        reach = round(reach)
        return (
            f'<path {style} d="M{number(x)} {number(y - reach)}l{reach} {reach}l-{reach} {reach}l-{reach} -{reach}Z"/>'
        )

    def _pointed_sides(self, x: float, y: float, inwards: int) -> str:
        """A sign at each side of a cell that points to its middle, or away from it."""
        size, edge = 0.11 * self.cell, 0.38 * self.cell
        path = ""
        for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
            tip = x + dx * (edge - inwards * size / 2), y + dy * (edge - inwards * size / 2)
            path += _arrow_head((tip[0] + inwards * dx, tip[1] + inwards * dy), tip, size)
        return f'<path fill="none" stroke="{RULES["ink"]}" stroke-width="1.5" d="{path}"/>'

    def _dot(self, dot: Dot) -> Iterator[str]:
        middles = list(map(self._middle, dot.cells))
        x, y = (sum(values) / len(middles) for values in zip(*middles, strict=True))
        symbols = dot.text.split(" ")
        half = len(symbols) if len(symbols) < 3 else (len(symbols) + 1) // 2  # more stand in two rows
        lines = [" ".join(symbols[start : start + half]) for start in range(0, len(symbols), half)]
        reach = (0.25 if len(middles) > 2 else 0.2 if dot.text else 0.13) * self.cell
        if len(middles) == 2 and hypot(middles[0][0] - middles[1][0], middles[0][1] - middles[1][1]) > self.cell + 1:
            path = "L".join(f"{number(a)} {number(b)}" for a, b in middles)
            yield f'<path fill="none" stroke="{RULE_LINES["grey"]}" stroke-width="2" d="M{path}"/>'
        rim = "" if dot.fill == "none" else f' stroke="{RULES["ink"]}" stroke-width="1.3"'
        fill = DOTS.get(dot.fill, BACKGROUND)
        yield f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(reach)}" fill="{fill}"{rim}/>'
        ink = {"white": DOTS["black"], "black": DOTS["white"]}.get(dot.fill, RULES["ink"])
        if dot.text == "<" and len(middles) == 2:
            yield self._chevron(middles[0], middles[1], (x, y))
        elif dot.text:
            font = min((1.8 if rim else 2.2) * reach / len(lines), 2.9 * reach / max(map(len, lines)))
            for row, line in enumerate(lines):
                yield self._text(x, y + (row - (len(lines) - 1) / 2) * font, font, line, ink)

    def _chevron(self, smaller: Point, larger: Point, middle: Point) -> str:
        """A sign between two cells that is narrow towards the smaller symbol."""
        dx, dy = larger[0] - smaller[0], larger[1] - smaller[1]
        length, reach = hypot(dx, dy) or 1.0, 0.12 * self.cell
        dx, dy = dx / length * reach, dy / length * reach
        x, y = middle
        points = ((x + dx - dy, y + dy + dx), (x - dx, y - dy), (x + dx + dy, y + dy - dx))
        path = "L".join(f"{number(a)} {number(b)}" for a, b in points)
        return f'<path fill="none" stroke="{RULES["ink"]}" stroke-width="2" d="M{path}"/>'

    def _clue_outside(self, clue: Outside) -> Iterator[str]:
        n, (down, right) = self.geometry.order, self._sight(clue)
        x, y = clue.cells[0] % n, clue.cells[0] // n
        while 0 <= x < n and 0 <= y < n:  # out of the grid, against the way in which the clue looks
            x, y = x - right, y - down
        side = (-1 if x < 0 else int(x >= n), -1 if y < 0 else int(y >= n))
        start = x, y
        while (x, y) in self._outside:
            x, y = x + side[0], y + side[1]
        self._outside[x, y] += 1
        shown_x, shown_y = self._beyond(x), self._beyond(y)
        font = min(0.42 * self.cell, 1.1 * self.cell / max(1, len(clue.text)))
        if clue.slanted:
            shown_x, shown_y = shown_x - 0.1 * right * self.cell, shown_y - 0.1 * down * self.cell
            goal = (self._edge(x, right), self._edge(y, down))
            if (x, y) != start:  # not beside its first cell: the arrow stays at the text
                goal = (shown_x + 0.4 * right * self.cell, shown_y + 0.4 * down * self.cell)
            tail = (goal[0] - right * 0.24 * self.cell, goal[1] - down * 0.24 * self.cell)
            path = f"M{number(tail[0])} {number(tail[1])}L{number(goal[0])} {number(goal[1])}"
            head = _arrow_head(tail, goal, 0.14 * self.cell)
            yield f'<path fill="none" stroke="{RULES["ink"]}" stroke-width="1.5" d="{path}{head}"/>'
        yield self._text(shown_x, shown_y, font, clue.text, RULES["ink"])

    def _sight(self, clue: Outside) -> tuple[int, int]:
        """The step (down, right) in which the clue looks into the grid."""
        n, cells = self.geometry.order, clue.cells
        if len(cells) > 1 and cells[0] != cells[1]:
            down, right = cells[1] // n - cells[0] // n, cells[1] % n - cells[0] % n
            return (down > 0) - (down < 0), (right > 0) - (right < 0)
        down, right = divmod(cells[0], n)
        if clue.slanted:
            return (1 if down == 0 else -1), (1 if right == 0 else -1)
        return (1, 0) if down == 0 else (0, 1) if right == 0 else (-1, 0) if down == n - 1 else (0, -1)

    def _beyond(self, place: int) -> float:
        """The middle of a column or row, inside the grid or in the narrower ones outside."""
        n, one = self.geometry.order, _OUTSIDE * self.cell
        if place < 0:
            return (place + 0.5) * one
        return n * self.cell + (place - n + 0.5) * one if place >= n else (place + 0.5) * self.cell

    def _edge(self, place: int, step: int) -> float:
        """Where a slanted arrow ends: just before the corner of the first cell that it sees."""
        n, gap = self.geometry.order, 0.05 * self.cell
        corner = 0 if place < 0 else n if place >= n else place + (step > 0)
        return corner * self.cell - step * gap

    def _text(self, x: float, y: float, font: float, text: str, ink: str) -> str:
        return text_at(x, y, font, text).replace("<text ", f'<text font-size="{number(font)}" fill="{ink}" ', 1)


def _arrow_head(before: Point, tip: Point, size: float) -> str:
    dx, dy = tip[0] - before[0], tip[1] - before[1]
    length = hypot(dx, dy) or 1.0
    dx, dy = dx / length * size, dy / length * size
    left, right = (tip[0] - dx - dy * 0.7, tip[1] - dy + dx * 0.7), (tip[0] - dx + dy * 0.7, tip[1] - dy - dx * 0.7)
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in (left, tip, right))
