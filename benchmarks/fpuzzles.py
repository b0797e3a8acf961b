"""The shared f-puzzles that are complete, as boards with rules; empty where the shared sets are missing.

Each kind of rule says by its ``formats["f-puzzles"]`` how it is written there; nothing here names a kind.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from typing import Any
from urllib.parse import unquote

from benchmarks.sets import SHARED
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, Grid, symbol_number
from gridproof.rules import Rule, all_kinds
from gridproof.rules.kind import Kind
from gridproof.rules.statement import Statement

BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="


@cache
def complete() -> tuple[tuple[str, Board, Grid], ...]:
    """(name, board, solution) of each puzzle whose declared rules have exactly one solution."""
    path = SHARED / "fpuzzles.jsonl"
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines()) if path.exists() else ()
    return tuple(
        (
            row["name"],
            board(json.loads(unpacked(row["payload"]))),
            tuple([symbol_number(symbol) or 0 for symbol in row["solution"]]),
        )
        for row in rows
        if row["complete"]
    )


def unpacked(payload: str) -> str:
    """The text behind lz-string's base64."""
    bits = (BASE64.index(c) >> place & 1 for c in unquote(payload) for place in range(5, -1, -1))

    def number(width: int) -> int:
        return sum(next(bits) << place for place in range(width))

    words: list[str] = ["", "", ""]
    found: list[str] = []
    last, width, room = "", 2, 1
    while True:
        code = number(width)
        if code == 2:
            return "".join(found)
        if code < 2:
            words.append(chr(number(16 if code else 8)))
            code = len(words) - 1
            room -= 1 if last else 0
            if not room and last:
                room, width = 1 << width, width + 1
        entry = words[code] if code < len(words) else last + last[0]
        if last:
            words.append(last + entry[0])
            room -= 1
            if not room:
                room, width = 1 << width, width + 1
        else:
            room, width = 4, 3
        found.append(entry)
        last = entry


def board(data: dict[str, Any]) -> Board:
    """The board that f-puzzles' JSON says, as far as it is clues, pencil marks, regions and rules."""
    n, grid = data["size"], data["grid"]
    places = [entry for row in grid for entry in row]
    geometry = Geometry.standard(n)
    if any("region" in entry for entry in places):
        regions = geometry.region_of or [place // n for place in range(n * n)]
        geometry = Geometry.jigsaw([entry.get("region", old) for entry, old in zip(places, regions, strict=True)])
    lines = {"diagonal-": range(0, n * n, n + 1), "diagonal+": range(n - 1, n * n - 1, n - 1)}
    if diagonals := [cells for key, cells in lines.items() if data.get(key)]:
        geometry = geometry.with_diagonals() if len(diagonals) == 2 else geometry.with_houses(diagonals)
    clues = tuple(entry.get("value", 0) if entry.get("given") else 0 for entry in places)
    given = [entry.get("givenPencilMarks") for entry in places]
    marks = tuple(sum(1 << (v - 1) for v in mark) if mark else (1 << n) - 1 for mark in given) if any(given) else None
    rules = [rule for kind in all_kinds().values() for rule in _rules(kind, data, geometry)]
    return Board(geometry, clues, marks=marks).with_rules(rules)


def _rules(kind: Kind, data: dict[str, Any], geometry: Geometry) -> Iterator[Rule]:
    form = dict(kind.formats.get("f-puzzles", {}))
    if data.get(form.get("flag", "")) or form.get("negative") in (data.get("negative") or [""]):
        yield Statement(kind, ()).on(geometry)
    entries = [entry for entry in data.get(form.pop("key", ""), ()) if entry]
    drop, gather, words = form.pop("drop first", False), form.pop("gather", False), form.pop("words", {})
    found = []
    for entry in entries:
        said: dict[str, Any] = {}
        for name, field in form.items():
            p = next(p for p in kind.parameters if p.name == name)
            if field == "sight":
                said[name] = _sight(entry["cell"], entry.get("direction"), geometry.order)
            elif p.type == "lines":
                lines = [entry[f] for f in field] if isinstance(field, list) else entry[field]
                said[name] = tuple(_cells(line, geometry.order)[drop:] for line in lines)
            elif p.type == "cells":
                cells = entry[field]
                said[name] = _cells([cells] if isinstance(cells, str) else cells, geometry.order)
            elif p.type == "numbers":
                said[name] = tuple(map(int, entry[field]))
            elif (value := entry.get(field, "")) != "":
                said[name] = words.get(str(value).upper()) or int(value)
        found.append(said)
    if gather and found:
        found = [{name: tuple(cell for said in found for cell in said[name]) for name in found[0]}]
    for said in found:
        yield Statement(kind, (), tuple(said.items())).on(geometry)


def _cells(names: list[str], order: int) -> tuple[int, ...]:
    return tuple((row - 1) * order + column - 1 for row, column in map(_place, names))


def _place(name: str) -> tuple[int, int]:
    row, column = map(int, re.findall(r"-?\d+", name))
    return row, column


def _sight(name: str, direction: str | None, n: int) -> tuple[int, ...]:
    """The cells that a clue outside the grid sees, the nearest first."""
    row, column = _place(name)
    if direction:
        down, right = {"U": -1, "D": 1}[direction[0]], {"L": -1, "R": 1}[direction[1]]
    else:
        down, right = (row == 0) - (row == n + 1), (column == 0) - (column == n + 1)
    inside = takewhile(
        lambda p: 1 <= p[0] <= n and 1 <= p[1] <= n, ((row + k * down, column + k * right) for k in range(1, n + 1))
    )
    return tuple((r - 1) * n + c - 1 for r, c in inside)
