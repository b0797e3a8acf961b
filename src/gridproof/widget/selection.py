"""Cells that were chosen on the page, as the parameters of a rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from gridproof.errors import InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.cells import step_between
from gridproof.rules.kinds.outside import OutsideClue
from gridproof.rules.rule import REQUIRED, Rule

FIRST = "first cells"
"""The field of a form for how many cells the first part of a rule has, such as the circle of an arrow."""


def has_first_part(kind: type[Rule]) -> bool:
    """Return whether a kind takes cells and then lines, as an arrow does."""
    wanted = [p for p in kind.cell_parameters() if p.default is REQUIRED]
    return len(wanted) > 1 and wanted[0].type == "cells"


def cells_for(
    kind: type[Rule], cells: Sequence[int], geometry: Geometry, *, starts: Sequence[int] = (), first: int = 1
) -> dict[str, Any]:
    """Return the parameters of a kind that take cells, for cells in the order in which they were chosen.

    A clue outside the grid takes its line of sight, from the edge on. A kind with lines takes a line for each run of
    cells that touch; one with cells and lines (an arrow) the first cells, and the rest as lines.

    starts: the places in ``cells`` at which a line begins even if its first cell touches the one before. first: how
    many cells the first part has, such as the circle of an arrow, which is a pill if it has more than one.

    Examples
    --------
    >>> from gridproof.rules import find
    >>> cells_for(find("arrow"), [0, 1, 5], Geometry.classic(2))
    {'circle': (0,), 'shafts': ((1, 5),)}
    >>> cells_for(find("arrow"), [0, 1, 5], Geometry.classic(2), first=2)
    {'circle': (0, 1), 'shafts': ((5,),)}
    >>> cells_for(find("sandwich"), [4, 5], Geometry.classic(2))
    {'cells': (4, 5, 6, 7)}
    """
    wanted = [p for p in kind.cell_parameters() if p.default is REQUIRED]
    if wanted and not cells:
        raise InputError(f"no cell is selected; expected the cells of the rule {kind.kind}")
    if issubclass(kind, OutsideClue):
        return {"cells": sight(cells, geometry, slanted=kind.slanted)}
    single = cells
    rest = cells
    if len(wanted) > 1:
        single = cells[:first]
        rest = cells[first:]
        starts = [start - first for start in starts]
    chosen: dict[str, Any] = {}
    for parameter in wanted:
        if parameter.type == "lines":
            chosen[parameter.name] = split_lines(rest, geometry.columns, starts)
        elif parameter is not wanted[0]:
            chosen[parameter.name] = tuple(rest)
        else:
            chosen[parameter.name] = tuple(single)
    return chosen


def stated_in_form(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that the fields of a form state: those that are filled in, where 0 is a number."""
    stated = {}
    for key, value in values.items():
        is_empty = value in ("", None) or value is False
        if key != FIRST and not is_empty:
            stated[key] = value
    return stated


def sight(cells: Sequence[int], geometry: Geometry, *, slanted: bool) -> tuple[int, ...]:
    """Return the cells that a clue outside the grid sees: from its edge on, in the direction of the first two cells."""
    rows = geometry.rows
    columns = geometry.columns
    way = step_between(cells[0], cells[1], columns) if len(cells) > 1 else None
    if way is None or all(way) is not slanted:
        along = "a diagonal" if slanted else "a row or column"
        raise InputError(f"no direction; expected two cells from the edge inwards, along {along}")
    row, column = divmod(cells[0], columns)
    longest = max(rows, columns)
    down, right = way
    seen = []
    for place in range(-longest, longest):
        r = row + place * down
        c = column + place * right
        if 0 <= r < rows and 0 <= c < columns:
            seen.append(r * columns + c)
    return tuple(seen)


def split_lines(cells: Sequence[int], columns: int, starts: Sequence[int] = ()) -> tuple[tuple[int, ...], ...]:
    """Return the runs of cells that touch, one after the other. starts: the places at which another run begins."""
    lines = [[cell] for cell in cells[:1]]
    for number, (before, cell) in enumerate(pairwise(cells), 1):
        if number in starts or step_between(before, cell, columns) is None:
            lines.append([])
        lines[-1].append(cell)
    return tuple(tuple(line) for line in lines)


def names_of(chosen: Sequence[Any], geometry: Geometry) -> str:
    """Return the names of cells, or of the cells of lines, as they are typed in a rule."""
    if chosen and isinstance(chosen[0], tuple):
        return " / ".join(names_of(line, geometry) for line in chosen)
    return " ".join(geometry.cell_name(cell) for cell in chosen)
