"""Puzzles for the Interactive Sudoku Solver: the string that ``iss.py`` reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from gridproof.errors import BoardError
from gridproof.formats.iss import FORMAT, LARGEST_ORDER, cell_id, diagonals, lines, touch
from gridproof.formats.shapes import usual
from gridproof.formats.sheet import Sheet
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import diagonals as diagonal_cells
from gridproof.rules import Rule, all_kinds, find
from gridproof.rules.primitives import Domain
from gridproof.rules.relation import RelationRule

_DOTS = ("difference", "ratio")


def string_of(sheet: Sheet, refuse: Callable[[str], BoardError]) -> str:
    """The string of a sheet. refuse: makes the error for what it cannot say, which is raised."""
    geometry = sheet.board.geometry
    if geometry.order > LARGEST_ORDER:
        raise refuse(f"a board of order {geometry.order}")
    writer = _Writer(geometry, sheet.board.rules)
    masks = list(sheet.board.candidates)
    items: list[str] = []
    for rule in sheet.board.rules:
        try:
            if rule.kind in ("even", "odd"):
                for domain in rule.expand(geometry):
                    assert isinstance(domain, Domain)
                    masks[domain.cell] &= sum(1 << (value - 1) for value in domain.values)
            else:
                items += writer.rule(rule)
        except _Unsayable:
            raise refuse(f"the rule: {rule.sentence(geometry)}") from None
    if 0 in masks:
        raise refuse("a cell that can hold nothing")
    return "".join(dict.fromkeys([*writer.shape(), *_givens(masks, geometry.order), *items]))


def _givens(masks: Sequence[int], n: int) -> Iterator[str]:
    given = [
        "_".join([cell_id(cell, n), *(str(symbol + 1) for symbol in range(n) if mask >> symbol & 1)])
        for cell, mask in enumerate(masks)
        if mask != (1 << n) - 1
    ]
    if given:
        yield f".~{'~'.join(given)}"


class _Unsayable(Exception):
    """A rule that the format has no type for, or none for its parameters."""


class _Writer:
    def __init__(self, geometry: Geometry, rules: Sequence[Rule]) -> None:
        self.geometry = geometry
        self.order = geometry.order
        self.kinds = {rule.kind for rule in rules}
        self.rules = rules
        self.said: dict[tuple[str, ...], int] = {}

    def shape(self) -> Iterator[str]:
        """The size, regions, and houses beyond rows and columns."""
        n, standard = self.order, usual(self.order)
        yield f".Shape~{n}x{n}"
        regions = self.geometry.region_of
        if regions is None or standard is None or regions != standard.region_of:
            if regions is not None:
                yield f".Jigsaw~{''.join('0123456789abcdef'[region] for region in regions)}"
            yield ".NoBoxes"
        falling, rising = map(frozenset, diagonal_cells(n))
        for house in self.geometry.houses[2 * n + (n if regions is not None else 0) :]:
            if (cells := frozenset(house.cells)) in (rising, falling):
                yield f".Diagonal~{1 if cells == rising else -1}"
            else:
                yield self._item("AllDifferent", (), house.cells)

    def rule(self, rule: Rule) -> Iterator[str]:
        """The items of a rule."""
        if rule.called not in all_kinds():
            raise _Unsayable  # one of the user's own, or one that fits no board
        fmt = find(rule.kind).formats.get(FORMAT, {})
        values = {name: value for name, _, value in rule.parameters()}
        if isinstance(rule, RelationRule):
            values |= rule.numbers(self.geometry)
        if fmt.get("order", self.order) != self.order:
            raise _Unsayable
        if make := getattr(self, f"_{rule.kind.replace('-', '_')}", None):
            yield from make(rule, values)
        elif "flag" in fmt and find(rule.kind).is_plain(rule):
            yield f".{fmt['flag']}"
        elif "pairs" in fmt and all(values[name] == value for name, value in fmt.get("only", {}).items()):
            assert isinstance(rule, RelationRule)
            for a, b in rule.pairs(self.geometry):
                pair = (b, a) if fmt.get("turned") else (a, b)
                yield self._item(fmt["pairs"], (), pair, touching=fmt["pairs"] != "Palindrome")
        elif "clue" in fmt:
            yield self._clue(fmt["type"], values[fmt["clue"]], values["cells"])
        elif "type" in fmt or "written" in fmt:
            yield from self._plain(fmt, values)
        else:
            raise _Unsayable

    def _plain(self, fmt: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[str]:
        arguments = [values.get(name, name) if isinstance(name, str) else name for name in fmt.get("args", ())]
        for cells in values[fmt["cells"]] if fmt["cells"] == "lines" else [values[fmt["cells"]]]:
            if cells:
                yield self._item(fmt.get("type") or fmt["written"], arguments, cells)

    def _item(self, name: str, arguments: Iterable[object], cells: Sequence[int], *, touching: bool = False) -> str:
        if touching and not touch(cells[0], cells[1], self.order):
            raise _Unsayable
        return "~".join([f".{name}", *map(str, arguments), *(cell_id(cell, self.order) for cell in cells)])

    def _clue(self, name: str, value: int, cells: Sequence[int]) -> str:
        both_ways = name not in ("Sandwich", "LittleKiller")
        for place, seen in (diagonals if name == "LittleKiller" else lines)(self.order).items():
            ways = (seen, seen[::-1])
            if tuple(cells) in ways and (value > 0 or not both_ways or name == "NumberedRoom"):
                way = ways.index(tuple(cells)) if both_ways else 0
                if self.said.setdefault((name, place, str(way)), value) != value:
                    raise _Unsayable  # of two clues at one place the program takes the last
                clue = ("", value) if way else (value,)
                return "~".join(map(str, [f".{name}", place, *clue] if both_ways else [f".{name}", value, place]))
        raise _Unsayable

    # ---- kinds whose type depends on their parameters -----------------------------------------------------------

    def _killer(self, _: Rule, values: Mapping[str, Any]) -> Iterator[str]:
        total, cells, repeats = values["total"], values["cells"], values["repeats"]
        if not cells or (total == 0 and not repeats):
            raise _Unsayable  # 0 is any sum there
        if total is not None:
            yield self._item("Sum" if repeats else "Cage", (total,), cells)
        elif not repeats:
            yield self._item("AllDifferent", (), cells)

    def _lockout(self, rule: Any, values: Mapping[str, Any]) -> Iterator[str]:
        yield from self._plain(find("lockout").formats[FORMAT], {**values, "difference": rule.least(self.geometry)})

    def _renban(self, _: Rule, values: Mapping[str, Any]) -> Iterator[str]:
        for line in filter(None, values["lines"]):
            yield self._item("Renban", (), tuple(dict.fromkeys(line)))

    def _disjoint_groups(self, _: Rule, __: Mapping[str, Any]) -> Iterator[str]:
        if self.geometry.box_shape is None or self.geometry.region_of != getattr(usual(self.order), "region_of", None):
            raise _Unsayable
        yield ".DisjointSets"

    def _arrow(self, _: Rule, values: Mapping[str, Any]) -> Iterator[str]:
        circle = tuple(sorted(values["circle"]))
        for shaft in values["shafts"]:
            if not shaft or not 0 < len(circle) < 4:
                raise _Unsayable
            name, arguments = ("Arrow", ()) if len(circle) == 1 else ("PillArrow", (len(circle),))
            yield self._item(name, arguments, (*circle, *shaft))

    def _quadruple(self, _: Rule, values: Mapping[str, Any]) -> Iterator[str]:
        cells, symbols = tuple(sorted(values["cells"])), values["values"]
        if not cells or not symbols or not all(1 <= symbol <= self.order for symbol in symbols):
            raise _Unsayable
        yield self._item("ContainAtLeast", ("_".join(map(str, symbols)),), cells)

    def _xv(self, _: Rule, values: Mapping[str, Any]) -> Iterator[str]:
        total = values["total"]
        for pair in pairwise(values["cells"]):
            if total in (5, 10):
                yield self._item("V" if total == 5 else "X", (), pair, touching=True)
            elif "negative-xv" in self.kinds:
                raise _Unsayable  # such a pair is no exception there
            else:
                yield self._item("Sum", (total,), pair)

    def _non_consecutive(self, _: Rule, __: Mapping[str, Any]) -> Iterator[str]:
        if self.kinds & {*_DOTS}:
            raise _Unsayable  # dots are no exceptions to it there
        yield ".AntiConsecutive"

    def _negative_difference(self, rule: Rule, _: Mapping[str, Any]) -> Iterator[str]:
        if not find(rule.kind).is_plain(rule) or not self.kinds >= {"negative-difference", "negative-ratio"}:
            raise _Unsayable  # all dots are given, or none need be
        yield ".StrictKropki"

    _negative_ratio = _negative_difference
