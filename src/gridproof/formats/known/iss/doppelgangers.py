"""Boards of doppelgangers: with one digit more than a house has cells, of which each house lacks another.

Each house holds 0, and a further cell beside it the digit that it lacks. Of houses of one sort no two lack the same
digit, and the row, the column and the box of each 0 lack three different ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gridproof.formats.known.iss.coded import StatedRule
from gridproof.formats.known.iss.names import OF_DOPPELGANGERS, find_boxes
from gridproof.puzzle.further_cells import CellGroup
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.kinds.marked_cells import ExtraRegion, Given


def groups_of_doppelgangers(shape: Geometry) -> Iterator[CellGroup]:
    """Yield the groups of further cells of a board, by its rows and columns."""
    rows, columns, boxes = OF_DOPPELGANGERS
    yield CellGroup(rows, shape.rows)
    yield CellGroup(columns, shape.rows)
    box_shape = find_boxes(shape, shape.rows)
    if box_shape is not None:
        yield CellGroup(boxes, shape.rows, box_shape[1])


def doppelganger_rules(geometry: Geometry, further_cells: Mapping[str, int]) -> list[StatedRule]:
    """Return the rules of a board with its boxes. further_cells: their numbers by their names."""
    digits = tuple(geometry.digits)[1:]
    rules = []
    lacking_of: dict[int, list[int]] = {cell: [] for cell in range(geometry.cell_count)}
    for prefix, kind in zip(OF_DOPPELGANGERS, ("row", "column", "box"), strict=True):
        houses = [house.cells for house in geometry.houses if house.kind == kind]
        names = [f"{prefix}{number}" for number in range(1, geometry.rows + 1)]
        lacking = tuple([further_cells[name] for name in names if name in further_cells])
        if not houses:
            if lacking:  # as the solver has it, the cells of boxes hold 0 where there are none
                rules.append(StatedRule("given", {"values": (0,), "cells": lacking}))
            continue
        rules.append(StatedRule("given", {"values": digits, "cells": lacking}))
        rules.append(StatedRule("extra-region", {"cells": lacking}))
        for cells, lack in zip(houses, lacking, strict=True):
            rules.append(StatedRule("extra-region", {"cells": cells + (lack,)}))
            for cell in cells:
                lacking_of[cell].append(lack)
    for cell, lacking_cells in lacking_of.items():
        no_zero = Given(values=digits, cells=(cell,))
        differ = ExtraRegion(cells=tuple(lacking_cells))
        rules.append(StatedRule("any-of", {"rules": (no_zero, differ)}))
    return rules
