"""Write puzzles as the JSON of SudokuPad: cages, regions and the moves of chess pieces."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gridproof.errors import BoardError
from gridproof.formats.programs import Inexpressible, further_houses, terms_of, unread_marks, written
from gridproof.formats.puzzle import Puzzle
from gridproof.rules import Rule, find

LARGEST_ORDER = 35


def json_of(puzzle: Puzzle, refuse: Callable[..., BoardError]) -> str:
    """Return the JSON of a puzzle. refuse: makes the error, to be raised, for what the format cannot express."""
    board, geometry, n = puzzle.board, puzzle.board.geometry, puzzle.board.geometry.order
    if n > LARGEST_ORDER:
        raise refuse(f"a board of order {n}")
    if board.marks is not None:
        raise refuse("pencil marks", "f-puzzles or toml")
    metadata: dict[str, Any] = {"title": puzzle.title, "author": puzzle.author, "rules": puzzle.prose}
    if puzzle.solution:
        metadata["solution"] = "".join(map(geometry.symbol_text, puzzle.solution))

    def places(cells: Sequence[int]) -> list[list[int]]:
        return [list(divmod(cell, n)) for cell in cells]

    def cage(cells: Sequence[int], total: int | None = None) -> dict[str, Any]:
        return {"cells": places(cells), "unique": True} | ({} if total is None else {"value": str(total)})

    def cages(rule: Rule) -> Iterator[dict[str, Any]]:
        _, values = terms_of(rule, geometry, "sudokupad")
        match rule.kind:
            case "killer" if values["cells"] and not values["repeats"]:
                yield cage(values["cells"], values["total"])
            case "extra-region":
                yield cage(values["cells"])
            case "anti-knight" | "anti-king" if find(rule.kind).is_plain(rule):
                metadata[rule.kind.replace("-", "")] = True
            case _:
                raise Inexpressible

    further = further_houses(geometry)
    regions = geometry.houses[2 * n : len(geometry.houses) - len(further)]
    cells: list[dict[str, Any]] = [{"value": clue} if clue else {} for clue in board.clues]
    for number, entry in enumerate(board.filled):
        if entry:
            cells[number] = {"value": entry, "given": False}
    data: dict[str, Any] = {
        "cellSize": 50,
        "cells": [cells[start : start + n] for start in range(0, n * n, n)],
        "regions": [places(house.cells) for house in regions],
        "cages": [
            *(cage(house.cells) for house in further),
            *written(board, cages, lambda what: refuse(what, "sudokupad-link, or another format")),
        ],
        "metadata": {key: value for key, value in metadata.items() if value},
    }
    if unread := unread_marks(puzzle):
        data["unread"] = unread
    return json.dumps(data, separators=(",", ":"))
