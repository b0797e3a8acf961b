"""Items of the Interactive Sudoku Solver that are about the whole board, or mean something else on some boards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from gridproof.errors import GeometryError, InputError
from gridproof.formats.known.iss.coded import CodedItems, StatedRule
from gridproof.formats.known.iss.doppelgangers import doppelganger_rules, groups_of_doppelgangers
from gridproof.formats.known.iss.groups import StringItem
from gridproof.formats.known.iss.names import (
    CELL,
    LARGEST_ORDER,
    Way,
    first_of,
    is_refused,
    number_of,
    usual_size,
    without_boxes,
)
from gridproof.formats.programs import UnreadItem
from gridproof.formats.shapes import with_diagonals
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.further_cells import MOST_FURTHER_CELLS, CellGroup
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import regions_of
from gridproof.rules import Rule
from gridproof.rules.kinds.pair_lines import Clone
from gridproof.text import quote

_SHAPE = re.compile(r"([0-9]{1,2})x([0-9]{1,2})(?:~(?:(?:([01])-)?([0-9]{1,2})|(?=~)))?(~Raw)?")
_SIZE = re.compile(r"(?:([1-9][0-9]{0,2})x)?([1-9][0-9]{0,2})")


class BoardItems(CodedItems):
    """A reader of such items: ``read_`` and the type of an item is its method."""

    items: Sequence[StringItem]
    usual: Geometry
    """The board with the boxes that the solver gives it."""

    geometry: Geometry
    region_size: int
    ways: Sequence[Way]
    """The ways to state a kind of rules that mean it on this board."""

    is_in_choice: bool
    """True while the options of a choice are read."""

    def read_further_cells(self, items: Sequence[StringItem]) -> tuple[CellGroup, ...]:
        """Return the groups of further cells that items of the types ``Var`` and ``Doppelganger`` state."""
        groups: dict[str, CellGroup] = {}
        for item in items:
            if item.type == "Doppelganger" and not is_refused(item.type, self.shape):
                for group in groups_of_doppelgangers(self.shape):
                    groups[group.name] = group
            if item.type != "Var":
                continue
            arguments = [*item.arguments, "", "", ""]
            prefix = arguments[0]
            size = arguments[2]
            stated = _SIZE.fullmatch(size)
            if not re.fullmatch(r"[A-Z]{1,8}", prefix) or prefix in groups or len(item.arguments) > 3:
                self.leave(item.where, f"{quote('~'.join(item.arguments))}; expected a prefix of its own", relaxes=True)
                continue
            name = f"v{prefix.lower()}"
            if stated is None:  # as the solver has it, whatever is no size is 1
                groups[prefix] = CellGroup(name, 1)
            elif stated[1] is None:
                groups[prefix] = CellGroup(name, int(stated[2]))
            else:
                columns = int(stated[2])
                groups[prefix] = CellGroup(name, int(stated[1]) * columns, columns)
        if sum(group.size for group in groups.values()) > MOST_FURTHER_CELLS:
            self.leave("Var", f"more than {MOST_FURTHER_CELLS:,} cells", relaxes=True)
            return ()
        return tuple(groups[prefix] for prefix in sorted(groups))

    def read_Doppelganger(self, _: str, __: Sequence[str]) -> list[StatedRule]:
        if self.region_size != self.shape.rows:
            raise UnreadItem("with regions of another size than a row")
        return doppelganger_rules(self.geometry, self.shape.further_cells)

    def read_shape(self, items: Sequence[StringItem]) -> Geometry:
        """Return rows, columns and digits of the board, without boxes; another one for a shape that is not read."""
        shapes: dict[Geometry, None] = {}
        for item in items:
            text = "~".join(item.arguments)
            stated = _SHAPE.fullmatch(text)
            rows, columns = (int(stated[1]), int(stated[2])) if stated else (0, 0)
            if stated is None or not 1 <= min(rows, columns) <= max(rows, columns) <= LARGEST_ORDER:
                raise InputError(f"Shape~{quote(text)}; expected rows and columns such as 6x6, up to {LARGEST_ORDER}")
            last = int(stated[4] or max(rows, columns))
            digits = Digits(int(stated[3] or 1), last)
            if stated[5] or max(rows, columns) > len(digits) or len(digits) > LARGEST_ORDER:
                self.leave(item.where, f"the board {text}, which is not read", relaxes=True)
                continue
            shapes[Geometry.oblong(rows, columns, digits)] = None
        if len(shapes) > 1:
            raise InputError("two Shapes; expected one")
        return next(iter(shapes), Geometry.latin(9))

    def read_region_size(self) -> int:
        """Return the number of cells of a box or a piece of a jigsaw."""
        sizes = set()
        for item in self.items:
            if item.type != "RegionSize":
                continue
            text = "~".join(item.arguments)
            if re.fullmatch(r"[1-9][0-9]?", text) and int(text) <= len(self.digits):
                sizes.add(int(text))
            else:
                self.leave(item.where, f"{quote(text)}; expected a number from 1 to {len(self.digits)}", relaxes=True)
        if len(sizes) > 1:
            self.leave("RegionSize", "two sizes; expected one", relaxes=True)
        return min(sizes, default=usual_size(self.shape))

    def make_geometry(self) -> Geometry:
        """Return the board with its regions and further houses."""
        geometry = self.usual
        if any(item.type == "NoBoxes" for item in self.items):
            geometry = without_boxes(self.shape)
        diagonals: set[str] = set()
        for item in self.items:
            try:
                if item.type == "Jigsaw":
                    geometry = add_jigsaw(geometry, "".join(item.arguments[-1:]), self.region_size)
                elif item.type in ("Windoku", "Diagonal") and geometry.rows != geometry.columns:
                    raise UnreadItem("on a board that is not square, where the solver has none")
                elif item.type == "Windoku":
                    if geometry.box_shape is None or self.region_size != len(self.digits):
                        raise UnreadItem("of a board without boxes, or whose boxes do not hold every digit")
                    geometry = geometry.with_windoku()
                elif item.type == "Diagonal":
                    if not item.arguments or not set(item.arguments) <= {"1", "-1"}:
                        raise UnreadItem(f"{quote('~'.join(item.arguments))}; expected 1 or -1")
                    diagonals |= set(item.arguments)
            except (UnreadItem, GeometryError) as problem:
                self.leave(item.type, str(problem), relaxes=item.type == "Jigsaw")
        return with_diagonals(geometry, rising="1" in diagonals, falling="-1" in diagonals)

    def read_RegionSameValues(self, _: str, __: Sequence[str]) -> list[StatedRule]:
        """Return the rule that the largest houses hold the same digits; none where they hold all digits anyway."""
        houses = [house for house in self.geometry.houses if house.kind in ("row", "column", "box", "region")]
        largest = max(len(house.cells) for house in houses)
        lines = [house.cells for house in houses if len(house.cells) == largest]
        if largest == self.geometry.symbol_count:
            return []
        return [StatedRule("same-values", {"lines": tuple(lines)})]

    def read_FullRankTies(self, _: str, arguments: Sequence[str]) -> list[StatedRule]:
        """Return no rule for the usual ties, of lines without a clue; where there are none, that no two are equal."""
        if list(arguments) == ["only-unclued"]:
            return []
        if list(arguments) == ["none"]:
            return [StatedRule("none-of", {"rules": equal_lines(self.geometry)})]
        raise UnreadItem(f"{quote('~'.join(arguments))}; expected only-unclued or none")

    def read_FullRank(self, _: str, __: Sequence[str]) -> list[StatedRule] | None:
        """Return ``None``, as its record states it; raises ``UnreadItem`` where lines with clues may be equal."""
        for item in self.items:
            if item.type == "FullRankTies" and list(item.arguments) == ["any"]:
                raise UnreadItem("ranks of lines that may be the same number")
        return None

    def read_RegionSumLine(self, _: str, arguments: Sequence[str]) -> list[StatedRule] | None:
        """Return no rule where there are no regions: as the solver has it, no parts are to be equal."""
        if self.geometry.region_of is not None or not self.lines(arguments):
            return None
        if not any(house.kind == "region" for house in self.geometry.houses):
            return []
        raise UnreadItem("on a board whose regions leave cells")

    def read_AntiConsecutive(self, name: str, _: Sequence[str]) -> list[StatedRule] | None:
        """Return ``None``, as a record states it; beside dots, which excuse no pair there, all pairs of neighbours."""
        if name in [way.item.type for way in self.ways]:
            return None
        lines = [house.cells for house in self.geometry.houses if house.kind in ("row", "column")]
        return [StatedRule("relation", {"allow": "abs(a - b) != 1", "lines": tuple(lines)})]

    def read_Cage(self, _: str, arguments: Sequence[str]) -> list[StatedRule] | None:
        """Return ``None``, as a record states it, but for a cage that names a cell twice: that counts twice."""
        cells = arguments[1:]
        if len(set(cells)) == len(cells) or CELL.fullmatch(first_of(arguments)) or self.is_in_choice:
            return None
        total = number_of(first_of(arguments))
        numbers = self.cells(cells)
        stated = [StatedRule("extra-region", {"cells": tuple(dict.fromkeys(numbers))})]
        if total:
            stated.append(StatedRule("killer", {"total": total, "cells": numbers, "repeats": True}))
        return stated

    def read_DisjointSets(self, _: str, __: Sequence[str]) -> list[StatedRule] | None:
        """Return the groups of the usual boxes where these are no regions; ``None`` where they are."""
        board = self.usual
        if board.region_of is None or board.region_of == self.geometry.region_of:
            return None
        boxes = [house.cells for house in board.houses if house.kind == "box"]
        groups = []
        for cells in zip(*boxes, strict=True):
            groups.append(StatedRule("extra-region", {"cells": cells}))
        return groups


def add_jigsaw(geometry: Geometry, labels: str, size: int) -> Geometry:
    """Return the geometry with the regions that labels state, each of so many cells.

    One piece may be smaller than a line, or larger than there are digits: it is what the others leave, and no region.

    Raises ``UnreadItem`` if they are of another board, and ``GeometryError`` for other pieces of another size.
    """
    if len(labels) != geometry.cell_count:
        raise UnreadItem(f"{len(labels)} labels; expected {geometry.cell_count}")
    sizes = Counter(labels)
    if len(sizes) == 1:
        return geometry
    regions = [list(sizes).index(label) for label in labels]
    houses = [house.cells for house in regions_of(regions, "region") if len(house.cells) == size]
    others = [cells for cells in sizes.values() if cells != size]
    is_rest = bool(others) and not usual_size(geometry) <= others[0] <= geometry.symbol_count
    if len(others) > 1 or (others and not is_rest):
        label = next(label for label, cells in sizes.items() if cells != size)
        raise GeometryError(f"region {label!r} has {sizes[label]} cells; expected {size} cells in each region")
    if others or geometry.region_of is not None:
        return geometry.with_houses(houses, "region")
    return Geometry.oblong(geometry.rows, geometry.columns, geometry.digits, None, regions)


def equal_lines(geometry: Geometry) -> tuple[Rule, ...]:
    """Return the rules that two rows or columns of a square board, one of them perhaps turned, are the same."""
    lines = [house.cells for house in geometry.houses if house.kind in ("row", "column")]
    rules: list[Rule] = []
    for one, other in combinations(lines, 2):
        rules.append(Clone(lines=(one, other)))
        rules.append(Clone(lines=(one, other[::-1])))
    return tuple(rules)
