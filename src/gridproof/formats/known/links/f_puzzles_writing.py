"""Write the JSON of f-puzzles.

What f-puzzles and SudokuPad would not draw by themselves is drawn, and marked as the copy of a rule, so that no reader
takes it for one more. Rules without an item are further rules (``further_rules``), where these are wanted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from gridproof.errors import BoardError
from gridproof.formats.known.links.f_puzzles_drawing import cell_names
from gridproof.formats.known.links.further_rules import add_sentences, draw_further
from gridproof.formats.known.links.items import items_of
from gridproof.formats.known.links.named_drawings import named_of_f_puzzles
from gridproof.formats.programs import (
    Inexpressible,
    further_houses,
    words_for,
    write_rules,
)
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import usual_geometry
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import LARGEST_ORDER_IN_CHARACTERS
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import diagonals
from gridproof.rules import Rule


def json_of(puzzle: Puzzle, refuse: Callable[[str], BoardError], *, draws_further: bool = False) -> str:
    """Return the JSON of a puzzle.

    refuse: makes the error, to be raised, for what the format cannot express. draws_further: whether rules without an
    item are drawn, and stated in words.
    """
    board = puzzle.board
    geometry = board.geometry
    if geometry.order > LARGEST_ORDER_IN_CHARACTERS:
        raise refuse(f"a board of order {geometry.order}")
    if board.marks is not None and 0 in board.candidates:
        raise refuse("pencil marks that leave nothing in a cell")
    further: list[Rule] = []
    if draws_further:
        further = [rule for rule in board.rules if not has_items(rule, board)]
    with_items = replace(board, rules=tuple([rule for rule in board.rules if rule not in further]))
    without_items = replace(board, rules=tuple(further))
    words = add_sentences(puzzle.prose or words_for(with_items), further, geometry)
    data: dict[str, Any] = {
        "size": geometry.order,
        "title": puzzle.title,
        "author": puzzle.author,
        "ruleset": words,
        "grid": write_grid(board),
    }
    of_rules = write_rules(with_items, partial(items_of, board=board), refuse)
    of_further = write_rules(without_items, partial(draw_further, geometry=geometry), refuse)
    for key, item in chain(write_houses(geometry), of_rules, of_further):
        if item is True:
            data[key] = True
        else:
            data.setdefault(key, []).append(item)
    for key, item in named_of_f_puzzles(puzzle):
        data.setdefault(key, []).append(item)
    if puzzle.solution:
        data["solution"] = list(puzzle.solution)
    return json.dumps({key: value for key, value in data.items() if value not in ("", [])}, separators=(",", ":"))


def has_items(rule: Rule, board: Board) -> bool:
    """Return whether f-puzzles has items for a rule of a board."""
    try:
        return bool(list(items_of(rule, board)))
    except Inexpressible:
        return False


def write_grid(board: Board) -> list[list[dict[str, Any]]]:
    """Return the rows of cells: clues, entries, pencil marks, and regions that are not the usual ones."""
    geometry, n = board.geometry, board.geometry.order
    all_symbols = (1 << n) - 1
    standard = usual_geometry(n)
    is_usual = standard is not None and geometry.region_of == standard.region_of
    nothing = (0,) * geometry.cell_count
    entries = board.filled or nothing
    marks = board.marks or nothing
    cells: list[dict[str, Any]] = []
    for number, clue in enumerate(board.clues):
        cell: dict[str, Any] = {}
        if clue:
            cell = {"value": clue, "given": True}
        elif entries[number]:
            cell = {"value": entries[number]}
        if not clue and marks[number] not in (0, all_symbols):
            cell["givenPencilMarks"] = [symbol + 1 for symbol in range(n) if marks[number] >> symbol & 1]
        if not is_usual:
            cell["region"] = geometry.region_of and geometry.region_of[number]
        cells.append(cell)
    return [cells[start : start + n] for start in range(0, n * n, n)]


def write_houses(geometry: Geometry) -> Iterator[tuple[str, Any]]:
    """Yield the keys of the houses beyond rows, columns and regions, and what stands under each."""
    falling, rising = diagonals(geometry.order)
    keys = {frozenset(rising): "diagonal+", frozenset(falling): "diagonal-"}
    if "disjoint groups" in geometry.families:
        yield "disjointgroups", True
    for house in further_houses(geometry):
        key = keys.get(frozenset(house.cells))
        if key is not None:
            yield key, True
        elif house in geometry.extra or "disjoint" not in house.kind:
            yield "extraregion", {"cells": cell_names(house.cells, geometry.order)}
