"""Puzzles for f-puzzles: the JSON that ``fpuzzles.py`` reads.

Each kind of rule names its own keys (``Rule.formats["f-puzzles"]``). What f-puzzles and SudokuPad would not draw by
themselves is drawn, too, and marked as the copy of a rule, so that no reader takes it for one more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from gridproof.errors import BoardError
from gridproof.formats.shapes import usual
from gridproof.formats.sheet import Sheet
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import diagonals
from gridproof.rules import Rule, all_kinds, find
from gridproof.rules.drawing import Line, Mark, Outside, Shape
from gridproof.rules.relation import RelationRule
from gridproof.show.colours import RULES

FORMAT = "f-puzzles"
LARGEST_ORDER = 35

_NOT_DRAWN = {
    *("renban", "whispers", "regionsumline", "entropicline", "modularline", "nabner", "zipperline", "doublearrow"),
    *("slowthermometer", "xsum", "skyscraper", "rowindexer", "columnindexer", "boxindexer"),
}
"""Keys of rules that SudokuPad, or f-puzzles without additions, does not draw."""

_WIDTHS = {"thin": 0.1, "normal": 0.2, "thick": 0.35}


def json_of(sheet: Sheet, refuse: Callable[[str], BoardError]) -> str:
    """The JSON of a sheet. refuse: makes the error for what it cannot say, which is raised."""
    board, geometry = sheet.board, sheet.board.geometry
    if geometry.order > LARGEST_ORDER:
        raise refuse(f"a board of order {geometry.order}")
    if 0 in (board.marks or ()):
        raise refuse("pencil marks that leave nothing in a cell")
    data: dict[str, Any] = {"size": geometry.order, "title": sheet.title, "author": sheet.author}
    sentences = [rule.sentence(geometry) for rule in board.rules]
    data["ruleset"] = sheet.prose or "\n".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in sentences)
    data["grid"] = _grid(sheet)
    writer = _Writer(geometry, board.rules, data, refuse)
    writer.houses()
    for rule in board.rules:
        writer.rule(rule)
    if sheet.solution:
        data["solution"] = list(sheet.solution)
    return json.dumps({key: value for key, value in data.items() if value not in ("", [])}, separators=(",", ":"))


def _grid(sheet: Sheet) -> list[list[dict[str, Any]]]:
    board, geometry = sheet.board, sheet.board.geometry
    cells: list[dict[str, Any]] = [{} for _ in range(geometry.cell_count)]
    standard, full = usual(geometry.order), (1 << geometry.order) - 1
    for number, cell in enumerate(cells):
        if clue := board.clues[number]:
            cell |= {"value": clue, "given": True}
        elif sheet.entries and (entry := sheet.entries[number]):
            cell["value"] = entry
        if board.marks is not None and (mask := board.marks[number]) != full:
            cell["givenPencilMarks"] = [symbol + 1 for symbol in range(geometry.order) if mask >> symbol & 1]
        if geometry.region_of is None:
            cell["region"] = None
        elif standard is None or geometry.region_of != standard.region_of:
            cell["region"] = geometry.region_of[number]
    n = geometry.order
    return [cells[start : start + n] for start in range(0, n * n, n)]


class _Writer:
    def __init__(
        self, geometry: Geometry, rules: Sequence[Rule], data: dict[str, Any], refuse: Callable[[str], BoardError]
    ) -> None:
        self.geometry = geometry
        self.rules = rules
        self.data = data
        self.refuse = refuse

    def houses(self) -> None:
        """Houses beyond rows, columns and regions."""
        falling, rising = map(frozenset, diagonals(self.geometry.order))
        keys = {rising: "diagonal+", falling: "diagonal-"}
        if "disjoint groups" in self.geometry.families:
            self.data["disjointgroups"] = True
        for house in self.geometry.houses:
            if house.kind in ("row", "column", "box") or (house.kind == "region" and house not in self.geometry.extra):
                continue
            if key := keys.get(frozenset(house.cells)):
                self.data[key] = True
            elif house in self.geometry.extra or "disjoint" not in house.kind:
                self._add("extraregion", {"cells": self._names(house.cells)})

    def rule(self, rule: Rule) -> None:
        """A rule, under its own key."""
        try:
            known = rule.called in all_kinds()  # not one of the user's own, nor one that fits no board
            fmt = find(rule.kind).formats.get(FORMAT, {}) if known else {}
            values = {name: value for name, _, value in rule.parameters()}
            if isinstance(rule, RelationRule):
                values |= rule.numbers(self.geometry)
            if "flag" in fmt and self._is_plain(rule):
                self.data[fmt["flag"]] = True
            elif "negative" in fmt and self._is_plain(rule):
                self.data.setdefault("negative", []).append(fmt["negative"])
            elif "key" in fmt or "written" in fmt:
                key = fmt.get("key") or fmt["written"]
                for item in self._items(rule, fmt, values):
                    self._add(key, item)
                if key in _NOT_DRAWN:
                    self._draw(rule.kind, rule.draw(self.geometry))
            else:
                raise _Unsayable
        except _Unsayable:
            raise self.refuse(f"the rule: {rule.sentence(self.geometry)}") from None

    def _is_plain(self, rule: Rule) -> bool:
        """Whether a rule is what a key means that only names it: all ratios of dots are forbidden elsewhere."""
        if rule.kind == "negative-ratio":
            dots = {dict(item[::2] for item in dot.parameters())["ratio"] for dot in self.rules if dot.kind == "ratio"}
            return ("ratios", "numbers", tuple(sorted({2, *dots}))) in rule.parameters()
        return find(rule.kind).is_plain(rule)

    def _items(self, rule: Rule, fmt: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """What stands under the key of a rule: an item, or one for each cell."""
        if fmt.get("gather") and sum(other.kind == rule.kind for other in self.rules) > 1:
            raise _Unsayable  # all such cells of a board are one rule there
        if fmt.get("key") == "quadruple" and not self._is_square(values["cells"]):
            raise _Unsayable
        if isinstance(rule, RelationRule) and rule.relation["pairs"] == "consecutive" and fmt.get("cells") == "cells":
            for pair in pairwise(values["cells"]):
                yield self._item(rule, fmt, {**values, "cells": pair})
        elif fmt.get("cells") == "cell":
            yield from ({"cell": name} for name in self._names(values["cells"]))
        else:
            yield self._item(rule, fmt, values)

    def _item(self, rule: Rule, fmt: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
        item: dict[str, Any] = {}
        for p in find(rule.kind).parameters:
            value, field = values[p.name], fmt.get(p.name)
            if p.name == "marked" or (field is None and value == p.default):
                continue
            if field is None:
                raise _Unsayable
            if p.type == "cells" and field == "sight":
                item |= self._place_of(value, slanted=bool(fmt.get("slanted")))
            elif p.type == "cells":
                item[field] = self._names(value)
            elif p.type == "lines" and isinstance(field, list):
                if len(value) != len(field):
                    raise _Unsayable
                item |= {name: self._names(line) for name, line in zip(field, value, strict=True)}
            elif p.type == "lines":
                if fmt.get("drop first"):
                    value = [(self._nearest(values["circle"], line), *line) for line in value]
                item[field] = list(map(self._names, value))
            elif p.type == "numbers":
                item[field] = list(value)
            elif value is not None:
                item[field] = self._number(value, p.default, fmt.get("words", {}))
        return item

    def _number(self, value: Any, default: Any, words: Mapping[str, int]) -> str:
        if not words:
            return "" if value == default else str(value)
        for word, meant in words.items():
            if meant == value:
                return word
        raise _Unsayable

    def _nearest(self, circle: Sequence[int], line: Sequence[int]) -> int:
        """The cell of the circle that a shaft begins in."""
        n = self.geometry.order
        if not circle or not line:
            raise _Unsayable
        return min(circle, key=lambda cell: max(abs(cell // n - line[0] // n), abs(cell % n - line[0] % n)))

    def _is_square(self, cells: Sequence[int]) -> bool:
        first, n = min(cells, default=0), self.geometry.order
        return sorted(cells) == [first, first + 1, first + n, first + n + 1] and first % n < n - 1

    def _place_of(self, cells: Sequence[int], *, slanted: bool) -> dict[str, Any]:
        """Where a clue stands outside the grid that sees these cells, and no others."""
        n = self.geometry.order
        rows, columns = [cell // n for cell in cells], [cell % n for cell in cells]
        steps = {(rows[k + 1] - rows[k], columns[k + 1] - columns[k]) for k in range(len(cells) - 1)}
        if len(cells) == 1:
            steps = {(1 if rows[0] < n / 2 else -1, 1 if columns[0] >= n / 2 else -1)} if slanted else {(0, 1)}
        if len(steps) != 1:
            raise _Unsayable
        ((down, right),) = steps
        before = (rows[0] - down, columns[0] - right)
        after = (rows[-1] + down, columns[-1] + right)
        straight = 0 in (down, right)
        if straight == slanted or max(abs(down), abs(right)) != 1 or self._inside(before) or self._inside(after):
            raise _Unsayable
        place = {"cell": f"R{before[0] + 1}C{before[1] + 1}"}
        if slanted:
            place["direction"] = ("D" if down > 0 else "U") + ("R" if right > 0 else "L")
        return place | ({"cells": self._names(cells)} if slanted else {})

    def _inside(self, place: tuple[int, int]) -> bool:
        return 0 <= min(place) <= max(place) < self.geometry.order

    def _draw(self, kind: str, marks: Iterable[Mark]) -> None:
        copy = {"fromConstraint": kind, "isNewConstraint": True}
        for mark in marks:
            if isinstance(mark, Line):
                style = {"outlineC": RULES[mark.colour], "width": _WIDTHS[mark.width]}
                self._add("line", {"lines": [self._names(mark.cells)], **style, **copy})
            elif isinstance(mark, Outside):
                cell = self._place_of(mark.cells, slanted=False)["cell"]
                self._add("text", {"cells": [cell], "value": mark.text, "fontC": "#000000", "size": 0.7, **copy})
            elif isinstance(mark, Shape) and mark.shape == "shade":
                style = {"baseC": RULES[mark.colour], "outlineC": RULES[mark.colour], "width": 1, "height": 1}
                self._add("rectangle", {"cells": self._names(mark.cells), **style, **copy})

    def _add(self, key: str, item: dict[str, Any]) -> None:
        self.data.setdefault(key, []).append(item)

    def _names(self, cells: Sequence[int]) -> list[str]:
        return [self.geometry.cell_name(cell).upper() for cell in cells]


class _Unsayable(Exception):
    """A rule that the format has no key for, or none for its parameters."""
