"""Items of the Interactive Sudoku Solver that are about the whole board, or mean something else on some boards."""

from __future__ import annotations

from collections.abc import Sequence

from gridproof.formats.known.iss.coded import CodedItems, StatedRule
from gridproof.formats.known.iss.groups import StringItem
from gridproof.formats.known.iss.names import add_usual_boxes
from gridproof.formats.programs import UnreadItem
from gridproof.puzzle.geometry import Geometry
from gridproof.text import quote


class BoardItems(CodedItems):
    """A reader of such items: ``read_`` and the type of an item is its method."""

    items: Sequence[StringItem]
    shape: Geometry
    geometry: Geometry

    def read_RegionSameValues(self, _: str, __: Sequence[str]) -> list[StatedRule]:
        """Return the rule that the largest houses hold the same digits; none where they hold all digits anyway."""
        houses = [house for house in self.geometry.houses if house.kind in ("row", "column", "box", "region")]
        largest = max(len(house.cells) for house in houses)
        lines = [house.cells for house in houses if len(house.cells) == largest]
        if largest == self.geometry.symbol_count:
            return []
        return [StatedRule("same-values", {"lines": tuple(lines)})]

    def read_FullRankTies(self, _: str, arguments: Sequence[str]) -> list[StatedRule]:
        """Return no rule for the usual ties: only lines without a clue may be the same number."""
        if list(arguments) != ["only-unclued"]:
            raise UnreadItem(f"{quote('~'.join(arguments))}; expected only-unclued")
        return []

    def read_FullRank(self, _: str, __: Sequence[str]) -> list[StatedRule] | None:
        """Return ``None``, as its record states it; raises ``UnreadItem`` where lines with clues may be equal."""
        for item in self.items:
            if item.type == "FullRankTies" and list(item.arguments) == ["any"]:
                raise UnreadItem("ranks of lines that may be the same number")
        return None

    def read_RegionSumLine(self, _: str, arguments: Sequence[str]) -> list[StatedRule] | None:
        """Return no rule where there are no regions: as the solver has it, no parts are to be equal."""
        if self.geometry.region_of is None and self.lines(arguments):
            return []
        return None

    def read_DisjointSets(self, _: str, __: Sequence[str]) -> list[StatedRule] | None:
        """Return the groups of the usual boxes where these are no regions; ``None`` where they are."""
        board = add_usual_boxes(self.shape)
        if board.region_of is None or board.region_of == self.geometry.region_of:
            return None
        boxes = [house.cells for house in board.houses[2 * self.order :]]
        groups = []
        for cells in zip(*boxes, strict=True):
            groups.append(StatedRule("extra-region", {"cells": cells}))
        return groups
