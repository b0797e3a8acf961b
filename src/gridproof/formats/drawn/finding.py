"""The items that a sentence claims, and their rules: one function for each way to draw (``Sort.drawing``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import floor
from typing import Any

from gridproof.formats.drawn import geometry as lines_of
from gridproof.formats.drawn.items import Item, distance
from gridproof.formats.drawn.sentences import COLOURED, Sort, common
from gridproof.formats.programs import Wrong
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
_SIGNS = {"<": 1, ">": -1, "∧": 1, "^": 1, "⌃": 1, "∨": -1, "v": -1, "⌄": -1}


def nearness(claim: Claim, item: Item) -> float | None:
    """Return how well an item fits the words, 0 best; ``None`` if it is none that they mean."""
    sort = claim.sort
    if sort.look == "middle" and item.form == "circle" and item.size < 0.4:
        return 0.0
    if item.form not in WAYS[sort.drawing][1]:
        return None
    if sort.drawing in COLOURED:
        if not claim.colours:
            return 400.0
        return min((d for name in claim.colours if (d := distance(item.fill, name)) is not None), default=None)
    if sort.drawing == "dots":
        plain = item.rounded and item.size < 0.5 and re.fullmatch(r"\d{0,2}", item.text)
        return 0.0 if plain and distance(item.fill, sort.look) == 0 else None
    if sort.drawing == "xv":
        return 0.0 if item.text.upper() in ("X", "V") and claim.has(f"{item.text.lower()}s?|xvs?") else None
    if sort.drawing == "inequality":
        return 0.0 if item.text in _SIGNS else None
    if sort.drawing == "circles":
        return 0.0 if claim.has(f"{item.form}s?") else None
    if sort.drawing == "cells":
        shapes = {"circle": "circles?|circled", "square": "squares?"}
        named = [shape for shape, words in shapes.items() if claim.has(words)] or [sort.look, "shade"]
        return 0.0 if item.form in named else None
    return 0.0


# ---- one function for each way to draw -------------------------------------------------------------------------------


def _lines(claim: Claim, board: Geometry) -> Found:
    parameter = claim.sort.rule["cells"]
    joined, loop = claim.sort.joined, claim.sort.rule.get("loop")
    lines = [item for item in claim.items if item.form != "circle"]
    middles = {item.cells[len(item.cells) // 2] for item in lines if len(item.cells) % 2}
    if any(item.form == "circle" and item.cells[0] not in middles for item in claim.items):
        raise Wrong("a dot that is in the middle of no line")
    for group in lines_of.components(lines) if joined else [[item] for item in lines]:
        if joined == "set":
            cells = tuple(dict.fromkeys(cell for item in group for cell in item.cells))
        elif joined == "parts":
            if board.region_of is None:
                raise Wrong("a board without regions")
            cells = lines_of.parts(group, board.region_of)
        else:
            cells = lines_of.path(group) if joined else group[0].cells
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


def _dots(claim: Claim, board: Geometry) -> Found:
    for item in claim.items:
        values: dict[str, Any] = {claim.sort.rule["number"]: int(item.text)} if item.text else {}
        yield [item], claim.rule(cells=item.cells, **values)


def _xv(claim: Claim, board: Geometry) -> Found:
    for item in claim.items:
        yield [item], claim.rule(cells=item.cells, total=10 if item.text.upper() == "X" else 5)


def _inequality(claim: Claim, board: Geometry) -> Found:
    for item in claim.items:
        flat = item.cells[1] - item.cells[0] == 1
        if flat != (item.text in "<>"):
            raise Wrong(f"{item.text} between {'columns' if flat else 'rows'}")
        yield [item], claim.rule(cells=item.cells[:: _SIGNS[item.text]])


def _cells(claim: Claim, board: Geometry) -> Found:
    if len({(item.fill, item.border) for item in claim.items}) > 1:
        raise Wrong("cells with marks of several colours")
    yield claim.items, claim.rule(cells=tuple(dict.fromkeys(item.cells[0] for item in claim.items)))


def _corners(claim: Claim, board: Geometry) -> Found:
    for item in claim.items:
        if not item.rounded or not re.fullmatch(r"[\d ,]+", item.text):
            raise Wrong(f"the text {item.text[:30]!r}; expected digits in a circle")
        digits = tuple(int(digit) for digit in (re.findall(r"\d", item.text)))
        if len(digits) > 4 or not all(1 <= digit <= board.order for digit in digits) or board.order > 9:
            raise Wrong(f"the text {item.text[:30]!r}; expected up to four digits of the board")
        yield [item], claim.rule(values=digits, cells=item.cells)


def _outside(claim: Claim, board: Geometry) -> Found:
    n = board.order
    for item in claim.items:
        row, column = (floor(x) for x in item.points[0])
        if 0 <= row < n and column in (-1, n):
            cells = tuple(range(row * n, row * n + n))[:: 1 if column < 0 else -1]
        elif 0 <= column < n and row in (-1, n):
            cells = tuple(range(column, n * n, n))[:: 1 if row < 0 else -1]
        else:
            raise Wrong("a number that is beside no row or column")
        yield [item], claim.rule(cells=cells, **{claim.sort.rule["number"]: int(item.text)})


def _pointers(claim: Claim, board: Geometry) -> Found:
    n = board.order
    for item in claim.items:
        if not item.ends or len(item.points) != 2:
            raise Wrong("an arrow outside the grid without a number")
        (row, column), (r, c) = item.points
        down, right = (r > row) - (r < row), (c > column) - (c < column)
        places = [(floor(row) + k * down, floor(column) + k * right) for k in range(1, n + 2)]
        cells = tuple(a * n + b for a, b in places if 0 <= a < n and 0 <= b < n)
        if not cells or not down or not right or not all(-2 <= x <= n + 1 for x in (row, column)):
            raise Wrong("an arrow that points along no diagonal")
        yield [item], claim.rule(cells=cells, total=int(item.ends[0].text))


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
    waiting, patches = {item.cells[0]: item for item in items}, list[list[int]]()
    while waiting:
        patch = [min(waiting)]
        fill = waiting.pop(patch[0]).fill
        for cell in patch:
            near = [cell - n, cell + n, *([cell - 1] if cell % n else []), *([cell + 1] if (cell + 1) % n else [])]
            patch += [c for c in near if c in waiting and waiting[c].fill == fill and waiting.pop(c)]
        patches.append(sorted(patch))
    return patches


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
    for item in claim.items:
        yield [item], claim.rule(cells=item.cells)
    if not claim.items:
        if not claim.has("both|main|2|two"):
            raise Wrong("no diagonal is drawn")
        for cells in diagonals(board.order):
            yield [], claim.rule(cells=tuple(cells))


def _board(claim: Claim, board: Geometry) -> Found:
    number = claim.sort.rule.get("numbers")
    if number and claim.number is None:
        raise Wrong("no number")
    yield [], claim.rule(**({number: (claim.number,)} if number else {}))


def _windows(claim: Claim, board: Geometry) -> Found:
    shape, classes = claim.sort.look, claim.sort.rule["classes"]
    if board.order > 9:
        raise Wrong("a board of an order above 9")
    pattern = holding(classes, 4 if shape == "2x2" else 3)
    yield [], claim.rule(pattern=pattern, lines=tuple(windows(board.order, shape)))


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
    "dots": (_dots, {"dot"}),
    "xv": (_xv, {"dot"}),
    "inequality": (_inequality, {"dot"}),
    "cells": (_cells, {"circle", "square", "shade"}),
    "circles": (_cells, {"circle", "diamond"}),
    "corners": (_corners, {"corner"}),
    "outside": (_outside, {"outside"}),
    "pointers": (_pointers, {"pointer"}),
    "cages": (_cages, {"cage"}),
    "clones": (_clones, {"shade"}),
    "patches": (_patch_rules, {"shade"}),
    "diagonals": (_diagonals, {"diagonal"}),
    "board": (_board, set()),
    "windows": (_windows, set()),
    "negatives": (_negatives, set()),
}
"""Each way to draw: what makes its rules, and the forms of its items."""

ON_BOARD = ("board", "windows", "negatives", "diagonals")
"""Ways to draw that may have no item."""


def with_numbers(items: Sequence[Item]) -> list[Item]:
    """Return the items with each number outside that an arrow begins at as an end of that arrow."""
    by_place: dict[tuple[int, ...], list[Item]] = {}
    for item in items:
        if item.form == "outside":
            by_place.setdefault(tuple(map(floor, item.points[0])), []).append(item)
    used, result = set(), []
    for item in items:
        if item.form == "pointer" and len(texts := by_place.get(tuple(map(floor, item.points[0])), [])) == 1:
            used.add(texts[0])
            item = replace(item, ends=(texts[0],))
        result.append(item)
    return [replace(item, form="end") if item in used else item for item in result]
