"""The items that a sentence claims, and their rules: one function for each way to draw (``Sort.drawing``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from gridproof.formats.drawn import geometry
from gridproof.formats.drawn.items import PAPER, Item, distance
from gridproof.formats.drawn.sentences import COLOURED, Sort, common
from gridproof.formats.programs import Wrong
from gridproof.formats.shapes import touch
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import diagonals
from gridproof.rules import Rule, find
from gridproof.rules.kinds.regex import holding, windows

Found = Iterator[tuple[list[Item], Rule]]


@dataclass(eq=False)
class Claim:
    """Sentences of one sort about the same items. number: that in the words, if there is one."""

    sort: Sort
    sentences: list[str]
    words: str
    items: list[Item] = field(default_factory=list)

    @property
    def number(self) -> int | None:
        match = re.search(self.sort.number, self.words)
        return int(match[1]) if match else None

    @property
    def colours(self) -> list[str]:
        """The colours that the words name."""
        return [word for word in re.findall("[a-z]+", self.words) if word in common()["colours"]]

    def is_like(self, other: Claim) -> bool:
        """Return whether both may be about the same items: of one sort, without another number or line colour."""
        pairs = [(self.number, other.number), *([(self.colours, other.colours)] * (self.sort.drawing in LINES))]
        return self.sort is other.sort and all(not a or not b or a == b for a, b in pairs)

    def has(self, pattern: str) -> bool:
        return re.search(rf"\b(?:{pattern})\b", self.words) is not None

    def rule(self, **values: Any) -> Rule:
        """Return the rule of its kind with these parameters, and those that its file gives."""
        stated = self.sort.rule
        kind = find(stated["kind"])
        if "number" in stated and self.number is not None and stated["number"] not in values:
            values[stated["number"]] = self.number
        return kind.make(kind.defaults | stated.get("given", {}) | values)


LINES = ("lines", "bulbs", "ringed")
_SHAPES = {"circle": "circles?|circled", "square": "squares?", "diamond": "diamonds?"}


def nearness(claim: Claim, item: Item) -> float | None:
    """Return how well an item fits the words, 0 best; ``None`` if it is none that they mean."""
    sort, shade = claim.sort, None
    if sort.look == "middle" and item.form == "circle" and item.size < 0.4:
        return 0.0
    if item.form not in WAYS[sort.drawing][1] or not re.fullmatch(sort.text, item.text):
        return None
    if sort.drawing in COLOURED:
        near = [d for name in claim.colours if (d := distance(item.fill, name)) is not None]
        return min(near, default=None) if claim.colours else 400.0
    if sort.drawing == "dots":
        shade = item.rounded and item.size < 0.5 and distance(item.fill or PAPER, sort.look) == 0
    elif sort.drawing == "xv":
        shade = claim.has(f"{item.text}s?|xvs?".lower())
    elif sort.drawing == "cells":
        named = [shape for shape, words in _SHAPES.items() if claim.has(words)] or [sort.look, "shade"]
        shade = item.form in named
    return None if shade is False else 0.0


# ---- one function for each way to draw -------------------------------------------------------------------------------


def _are_pieces(one: Item, other: Item) -> bool:
    return one.fill == other.fill and geometry.meet(one.points, other.points)


def _lines(claim: Claim, board: Geometry) -> Found:
    parameter = claim.sort.rule["cells"]
    joined, loop = claim.sort.joined, claim.sort.rule.get("loop")
    lines = [item for item in claim.items if item.form != "circle"]
    middles = {item.cells[len(item.cells) // 2] for item in lines if len(item.cells) % 2}
    if any(item.form == "circle" and item.cells[0] not in middles for item in claim.items):
        raise Wrong("a dot that is in the middle of no line")
    for group in geometry.groups(lines, _are_pieces) if joined else [[item] for item in lines]:
        if joined == "set":
            cells = tuple(dict.fromkeys(cell for item in group for cell in item.cells))
        elif joined == "parts":
            if board.region_of is None:
                raise Wrong("a board without regions")
            cells = geometry.parts([item.cells for item in group], board.region_of)
        else:
            cells = geometry.path([item.cells for item in group]) if joined else group[0].cells
            if joined and len({*cells}) < len(cells):
                if len({*cells}) != len(cells) - 1 or cells[0] != cells[-1] or not (loop or joined == "round"):
                    raise Wrong("a line that closes or crosses itself")
                if loop:
                    yield group, find(loop).make(find(loop).defaults | {"lines": (cells[:-1],)})
                    continue
                cells += cells[1:2]
        yield group, claim.rule(**{parameter: cells if parameter == "cells" else (cells,)})


def _arrows(claim: Claim, board: Geometry) -> Found:
    for item in claim.items:
        yield [item], claim.rule(circle=item.cells[:1], shafts=(item.cells[1:],))


def _marks(claim: Claim, board: Geometry) -> Found:
    """Yield a rule for each item: of its cells, with the number in it, or that its text stands for."""
    name, numbers = claim.sort.rule.get("number"), claim.sort.rule.get("numbers", {})
    for item in claim.items:
        if not item.cells:
            raise Wrong("a number or an arrow that is beside no row, column or diagonal")
        text = item.ends[0].text if item.ends else item.text
        values: dict[str, Any] = {name: numbers.get(text.upper()) or int(text)} if name and text else {}
        yield [item], claim.rule(cells=item.cells, **values)


def _cells(claim: Claim, board: Geometry) -> Found:
    if len({(item.fill, item.border) for item in claim.items}) > 1:
        raise Wrong("cells with marks of several colours")
    yield claim.items, claim.rule(cells=tuple(dict.fromkeys(item.cells[0] for item in claim.items)))


def _corners(claim: Claim, board: Geometry) -> Found:
    for item in claim.items:
        digits = re.findall(r"\d", item.text) if re.fullmatch(r"[\d ,]+", item.text) and item.rounded else []
        if not 1 <= len(digits) <= 4 or board.order > 9 or not all(1 <= int(digit) <= board.order for digit in digits):
            raise Wrong(f"the text {item.text[:30]!r}; expected up to four digits of the board in a circle")
        yield [item], claim.rule(values=tuple(map(int, digits)), cells=item.cells)


def _cages(claim: Claim, board: Geometry) -> Found:
    sums, differ = claim.has("sums?|totals?|summing|summed"), claim.has("NOREPEAT")
    for item in claim.items:
        if item.text and (not sums or not re.fullmatch(r"\d{1,3}", item.text)):
            raise Wrong(f"the text {item.text[:30]!r} in a cage")
        total = int(item.text) if item.text else claim.number if sums else None
        if claim.number is not None and total != claim.number:
            raise Wrong(f"a cage of {total}, where the words have {claim.number}")
        repeats = not (differ or item.unique)
        if total is None and (repeats or (sums and not claim.has("IFGIVEN|NOREPEAT"))):
            raise Wrong("a cage without a number")
        yield [item], claim.rule(total=total, cells=item.cells, repeats=repeats)


def _patches(items: Sequence[Item], n: int) -> list[list[int]]:
    """Return the cells of each shaded area: of one colour, connected by edges."""
    areas = geometry.groups(items, lambda a, b: a.fill == b.fill and touch(a.cells[0], b.cells[0], n))
    return [sorted({item.cells[0] for item in area}) for area in areas]


def _clones(claim: Claim, board: Geometry) -> Found:
    n, patches = board.order, _patches(claim.items, board.order)
    shapes = {tuple((c // n - p[0] // n, c % n - p[0] % n) for c in p) for p in patches}
    if len(patches) < 2 or len(shapes) != 1 or len({item.fill for item in claim.items}) != 1:
        raise Wrong("shaded regions of different shapes or colours")
    for patch in patches[1:]:
        yield claim.items, claim.rule(lines=(tuple(patches[0]), tuple(patch)))


def _patch_rules(claim: Claim, board: Geometry) -> Found:
    for patch in _patches(claim.items, board.order):
        if len(patch) != board.order:
            raise Wrong(f"a shaded area of {len(patch)} cells")
        yield claim.items, claim.rule(cells=tuple(patch))


def _diagonals(claim: Claim, board: Geometry) -> Found:
    yield from _marks(claim, board)
    if not claim.items and not claim.has("both|main|2|two"):
        raise Wrong("no diagonal is drawn")
    for cells in diagonals(board.order) if not claim.items else ():
        yield [], claim.rule(cells=tuple(cells))


def _board(claim: Claim, board: Geometry) -> Found:
    """Yield a rule of the whole board: with the number in the words, or of each window of a shape with its classes."""
    listed, classes, shape = claim.sort.rule.get("listed"), claim.sort.rule.get("classes"), claim.sort.look
    values: dict[str, Any] = {listed: (claim.number,)} if listed else {}
    if (listed and claim.number is None) or (classes and board.order > 9):
        raise Wrong("no number" if listed else "a board of an order above 9")
    if classes:
        cells = tuple(windows(board.order, shape))
        values = {"pattern": holding(classes, len(cells[0])), "lines": cells}
    yield [], claim.rule(**values)


def _negatives(claim: Claim, board: Geometry) -> Found:
    dots = {"white": "negative-difference", "black": "negative-ratio"}
    kinds = [kind for colour, kind in dots.items() if claim.has(colour)] or [*dots.values()] * claim.has("dots?")
    kinds += ["negative-xv"] * claim.has("xs?|vs?|xvs?")
    if claim.has("xs?|vs?") and not (claim.has("xs?") and claim.has("vs?")):
        raise Wrong("all of only one of X and V")
    for kind in kinds:
        yield [], find(kind).make(find(kind).defaults)


WAYS: dict[str, tuple[Callable[[Claim, Geometry], Found], set[str]]] = {
    "lines": (_lines, {"plain"}),
    "bulbs": (_lines, {"bulb"}),
    "ringed": (_lines, {"ringed"}),
    "arrows": (_arrows, {"arrow"}),
    "dots": (_marks, {"dot"}),
    "xv": (_marks, {"dot"}),
    "signs": (_marks, {"dot"}),
    "cells": (_cells, {*_SHAPES, "shade"}),
    "corners": (_corners, {"corner"}),
    "outside": (_marks, {"outside"}),
    "pointers": (_marks, {"pointer"}),
    "cages": (_cages, {"cage"}),
    "clones": (_clones, {"shade"}),
    "patches": (_patch_rules, {"shade"}),
    "diagonals": (_diagonals, {"diagonal"}),
    "board": (_board, set()),
    "negatives": (_negatives, set()),
}
"""Each way to draw: what makes its rules, and the forms of its items."""

ON_BOARD = ("board", "negatives", "diagonals")
"""Ways to draw that may have no item."""
