"""Write the JSON of SudokuPad: givens, regions, and the cages and moves that it checks itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from gridproof.errors import BoardError
from gridproof.formats.known.links.named_drawings import named_of_sudokupad
from gridproof.formats.programs import (
    Inexpressible,
    further_houses,
    terms_of,
    write_rules,
)
from gridproof.formats.puzzle import Puzzle
from gridproof.puzzle.digits import LARGEST_ORDER_IN_CHARACTERS
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule, find


def json_of(puzzle: Puzzle, refuse: Callable[..., BoardError]) -> str:
    """Return the JSON of a puzzle. refuse: makes the error, to be raised, for what the format cannot express."""
    board, geometry = puzzle.board, puzzle.board.geometry
    n = geometry.order
    if n > LARGEST_ORDER_IN_CHARACTERS:
        raise refuse(f"a board of order {n}")
    if board.marks is not None:
        raise refuse("pencil marks", expected="f-puzzles or toml")
    metadata: dict[str, Any] = {"title": puzzle.title, "author": puzzle.author, "rules": puzzle.prose}
    if puzzle.solution:
        metadata["solution"] = "".join(geometry.symbol_text(symbol) for symbol in puzzle.solution)
    cells: list[dict[str, Any]] = []
    for clue in board.clues:
        cells.append({"value": clue} if clue else {})
    for number, entry in enumerate(board.filled):
        if entry:
            cells[number] = {"value": entry, "given": False}
    rows = [cells[start : start + n] for start in range(0, n * n, n)]
    further = further_houses(geometry)
    regions = geometry.houses[2 * n : len(geometry.houses) - len(further)]
    cages = [_cage(house.cells, n) for house in further]
    write_rule = partial(write_cages, geometry=geometry, metadata=metadata)
    cages += write_rules(board, write_rule, partial(refuse, expected="sudokupad-link, or another format"))
    stated = {key: value for key, value in metadata.items() if value}
    data: dict[str, Any] = {
        "cellSize": 50,
        "cells": rows,
        "regions": [_pairs_of(house.cells, n) for house in regions],
        "cages": cages,
        "metadata": stated,
    }
    for key, item in named_of_sudokupad(puzzle):
        data.setdefault(key, []).append(item)
    return json.dumps(data, separators=(",", ":"))


def write_cages(rule: Rule, geometry: Geometry, metadata: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the cages of a rule; a move of a chess piece goes to the metadata. Raises ``Inexpressible``."""
    values = terms_of(rule, geometry)
    match rule.kind:
        case "killer" if values["cells"] and not values["repeats"]:
            return [_cage(values["cells"], geometry.order, values["total"])]
        case "extra-region":
            return [_cage(values["cells"], geometry.order)]
        case "anti-knight" | "anti-king" if find(rule.kind).is_plain(rule):
            metadata[rule.kind.replace("-", "")] = True
            return []
    raise Inexpressible


def _cage(cells: Sequence[int], n: int, total: int | None = None) -> dict[str, Any]:
    cage: dict[str, Any] = {"cells": _pairs_of(cells, n), "unique": True}
    if total is not None:
        cage["value"] = str(total)
    return cage


def _pairs_of(cells: Sequence[int], n: int) -> list[list[int]]:
    return [list(divmod(cell, n)) for cell in cells]
