"""The shared f-puzzles that are complete, as boards with rules; empty where the shared sets are missing."""

from __future__ import annotations

import json
from functools import cache

from benchmarks.sets import SHARED
from gridproof import formats
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid, symbol_number


@cache
def complete() -> tuple[tuple[str, Board, Grid], ...]:
    """(name, board, solution) of each puzzle whose declared rules have exactly one solution."""
    path = SHARED / "fpuzzles.jsonl"
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines()) if path.exists() else ()
    return tuple(
        (row["name"], formats.parse(row["payload"]), tuple([symbol_number(symbol) or 0 for symbol in row["solution"]]))
        for row in rows
        if row["complete"]
    )
