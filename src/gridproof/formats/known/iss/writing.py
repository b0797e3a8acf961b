"""Write puzzles as strings of the Interactive Sudoku Solver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from gridproof.errors import BoardError
from gridproof.formats.known.iss.reading import (
    BOTH_WAYS,
    FORMAT,
    LARGEST_ORDER,
    cell_id,
    is_readable,
    sights,
    touch,
)
from gridproof.formats.programs import Inexpressible, further_houses, terms_of, written
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import usual
from gridproof.puzzle.board import Board
from gridproof.puzzle.houses import diagonals
from gridproof.rules import find

Terms: TypeAlias = Mapping[str, Any]
"""The parameters of a rule, or how the format has its kind."""


def string_of(puzzle: Puzzle, refuse: Callable[[str], BoardError]) -> str:
    """Return the string of a puzzle. refuse: makes the error, to be raised, for what the format cannot express."""
    board, n = puzzle.board, puzzle.board.geometry.order
    if n > LARGEST_ORDER:
        raise refuse(f"a board of order {n}")
    writer = _Writer(board)
    items = [*written(board, writer.rule, refuse)]
    if 0 in writer.masks:
        raise refuse("a cell that can hold nothing")
    given = [
        "_".join([cell_id(cell, n), *(str(symbol + 1) for symbol in range(n) if mask >> symbol & 1)])
        for cell, mask in enumerate(writer.masks)
        if mask != (1 << n) - 1
    ]
    givens = [f".~{'~'.join(given)}"] if given else []
    return "".join(dict.fromkeys([*writer.shape(), *givens, *items]))


class _Writer:
    """Writes the rules of a board. masks: of candidates; cells that rules limit by themselves are limited there."""

    def __init__(self, board: Board) -> None:
        self.geometry = board.geometry
        self.order = board.geometry.order
        self.masks = list(board.candidates)
        self.kinds = {rule.kind for rule in board.rules}
        self.clues: dict[tuple[str, str, int], int] = {}

    def shape(self) -> Iterator[str]:
        """Yield the size, regions, and houses beyond rows and columns."""
        n, standard, regions = self.order, usual(self.order), self.geometry.region_of
        yield f".Shape~{n}x{n}"
        if regions is None or standard is None or regions != standard.region_of:
            if regions is not None:
                yield f".Jigsaw~{''.join('0123456789abcdef'[region] for region in regions)}"
            yield ".NoBoxes"
        falling, rising = map(frozenset, diagonals(n))
        for house in further_houses(self.geometry):
            if (cells := frozenset(house.cells)) in (rising, falling):
                yield f".Diagonal~{1 if cells == rising else -1}"
            else:
                yield self._item("AllDifferent", (), house.cells)

    def rule(self, rule: Any) -> Iterator[str]:
        """Yield the items of a rule. Raises ``Inexpressible``."""
        fmt, values = terms_of(rule, self.geometry, FORMAT)
        refused = _REFUSED.get(rule.kind)
        if fmt.get("order", self.order) != self.order or (refused is not None and refused(self)):
            raise Inexpressible
        write = getattr(self, f"write_{rule.kind.replace('-', '_')}", self._usual)
        yield from write(rule, fmt, values)

    def _usual(self, rule: Any, fmt: Terms, values: Terms) -> Iterator[str]:
        """Yield the items of a rule as the table of its kind describes them."""
        if "flag" in fmt and find(rule.kind).is_plain(rule):
            yield f".{fmt['flag']}"
        elif "pairs" in fmt and all(values[name] == value for name, value in fmt.get("only", {}).items()):
            for a, b in rule.pairs(self.geometry):
                pair = (b, a) if fmt.get("turned") else (a, b)
                yield self._item(fmt["pairs"], (), pair, touching=fmt["pairs"] != "Palindrome")
        elif "clue" in fmt:
            yield self._clue(fmt["type"], values[fmt["clue"]], values["cells"])
        elif "cells" in fmt:
            arguments = [values.get(name, name) for name in fmt.get("args", ())]
            for cells in values[fmt["cells"]] if fmt["cells"] == "lines" else [values[fmt["cells"]]]:
                if cells:
                    yield self._item(fmt.get("type") or fmt["written"], arguments, cells)
        else:
            raise Inexpressible

    # Each of these writes the kind of its name, of which the table does not describe everything.

    def write_arrow(self, rule: Any, fmt: Terms, values: Terms) -> Iterator[str]:
        circle = sorted(values["circle"])
        sized = [len(circle)] if len(circle) > 1 else []
        for shaft in values["shafts"]:
            if not shaft or len(circle) > 3 or not is_readable(circle, self.order):
                raise Inexpressible
            yield self._item("PillArrow" if sized else "Arrow", sized, (*circle, *shaft))

    def write_killer(self, rule: Any, fmt: Terms, values: Terms) -> Iterator[str]:
        total, cells, repeats = values["total"], values["cells"], values["repeats"]
        if not cells or (total == 0 and not repeats):
            raise Inexpressible  # 0 is any sum there
        if total is not None:
            yield self._item("Sum" if repeats else "Cage", (total,), cells)
        elif not repeats:
            yield self._item("AllDifferent", (), cells)

    def write_even(self, rule: Any, fmt: Terms, values: Terms) -> Iterator[str]:
        for domain in rule.expand(self.geometry):
            self.masks[domain.cell] &= sum(1 << (value - 1) for value in domain.values)
        yield from ()

    write_odd = write_even

    def write_lockout(self, rule: Any, fmt: Terms, values: Terms) -> Iterator[str]:
        yield from self._usual(rule, fmt, {**values, "difference": rule.least(self.geometry)})

    def write_negative_difference(self, rule: Any, fmt: Terms, values: Terms) -> Iterator[str]:
        if not find(rule.kind).is_plain(rule) or not self.kinds >= {"negative-difference", "negative-ratio"}:
            raise Inexpressible  # there all dots are given, or none need be
        yield ".StrictKropki"

    write_negative_ratio = write_negative_difference

    def write_quadruple(self, rule: Any, fmt: Terms, values: Terms) -> Iterator[str]:
        if not values["values"] or not all(1 <= symbol <= self.order for symbol in values["values"]):
            raise Inexpressible
        digits = "_".join(map(str, values["values"]))
        yield from self._usual(rule, fmt, {"values": digits, "cells": sorted(values["cells"])})

    def write_renban(self, rule: Any, fmt: Terms, values: Terms) -> Iterator[str]:
        yield from self._usual(rule, fmt, {"lines": [tuple(dict.fromkeys(line)) for line in values["lines"]]})

    def write_xv(self, rule: Any, fmt: Terms, values: Terms) -> Iterator[str]:
        name = {5: "V", 10: "X"}.get(values["total"])
        if name is None and "negative-xv" in self.kinds:
            raise Inexpressible  # such a pair is no exception there
        for pair in pairwise(values["cells"]):
            yield self._item(name or "Sum", [] if name else [values["total"]], pair, touching=name is not None)

    # ---- items -------------------------------------------------------------------------------------------------------

    def _item(self, name: str, arguments: Iterable[object], cells: Sequence[int], *, touching: bool = False) -> str:
        if touching and not touch(cells[0], cells[1], self.order):
            raise Inexpressible
        return "~".join([f".{name}", *map(str, arguments), *(cell_id(cell, self.order) for cell in cells)])

    def _clue(self, name: str, value: int, cells: Sequence[int]) -> str:
        both_ways = name in BOTH_WAYS
        for place, line in sights(name, self.order).items():
            ways = (line, line[::-1])
            if tuple(cells) in ways and (value > 0 or not both_ways or name == "NumberedRoom"):
                way = ways.index(tuple(cells)) if both_ways else 0
                if self.clues.setdefault((name, place, way), value) != value:
                    raise Inexpressible  # of two clues at one place the program takes the last
                terms = [place, *[""] * way, value] if both_ways else [value, place]
                return "~".join(map(str, [f".{name}", *terms]))
        raise Inexpressible


_REFUSED: Mapping[str, Callable[[_Writer], bool]] = {
    "disjoint-groups": lambda writer: writer.geometry.region_of != getattr(usual(writer.order), "region_of", ()),
    "non-consecutive": lambda writer: bool(writer.kinds & {"difference", "ratio"}),
    "region-sum": lambda writer: writer.geometry.region_of is None,
}
"""Kinds that mean something else there: on boards whose groups are not those of the usual boxes, beside dots (which are
no exceptions there), and without regions.
"""
