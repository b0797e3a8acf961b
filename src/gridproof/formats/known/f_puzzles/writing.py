"""Write puzzles as the JSON of f-puzzles.

What f-puzzles and SudokuPad would not draw by themselves is drawn, too, and marked as the copy of a rule, so that no
reader takes it for one more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

from gridproof.errors import BoardError
from gridproof.formats.known.f_puzzles.reading import FORMAT, LARGEST_ORDER, is_of_pairs, sights
from gridproof.formats.programs import Inexpressible, further_houses, terms_of, unread_marks, words_for, written
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import usual
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import diagonals
from gridproof.rules import Rule, find
from gridproof.rules.drawing import COLOURS, Line, Mark, Outside, Shape
from gridproof.rules.rule import Parameter

_NOT_DRAWN = {
    *("renban", "whispers", "regionsumline", "entropicline", "modularline", "nabner", "zipperline", "doublearrow"),
    *("slowthermometer", "xsum", "skyscraper", "rowindexer", "columnindexer", "boxindexer"),
}
"""Keys of rules that SudokuPad, or f-puzzles without additions, does not draw."""

_WIDTHS = {"thin": 0.1, "normal": 0.2, "thick": 0.35}


def json_of(puzzle: Puzzle, refuse: Callable[[str], BoardError]) -> str:
    """Return the JSON of a puzzle. refuse: makes the error, to be raised, for what the format cannot express."""
    board, geometry = puzzle.board, puzzle.board.geometry
    if geometry.order > LARGEST_ORDER:
        raise refuse(f"a board of order {geometry.order}")
    if board.marks is not None and 0 in board.candidates:
        raise refuse("pencil marks that leave nothing in a cell")
    data: dict[str, Any] = {
        "size": geometry.order,
        "title": puzzle.title,
        "author": puzzle.author,
        "ruleset": puzzle.prose or words_for(board),
        "grid": _grid_of(puzzle),
        "unread": unread_marks(puzzle),
    }
    for key, item in chain(_houses(geometry), written(board, lambda rule: _keys_of(rule, board), refuse)):
        if item is True:
            data[key] = True
        else:
            data.setdefault(key, []).append(item)
    if puzzle.solution:
        data["solution"] = list(puzzle.solution)
    return json.dumps({key: value for key, value in data.items() if value not in ("", [])}, separators=(",", ":"))


def _grid_of(puzzle: Puzzle) -> list[list[dict[str, Any]]]:
    board, geometry = puzzle.board, puzzle.board.geometry
    cells: list[dict[str, Any]] = [{} for _ in range(geometry.cell_count)]
    n, standard = geometry.order, usual(geometry.order)
    for number, cell in enumerate(cells):
        if clue := board.clues[number]:
            cell |= {"value": clue, "given": True}
        elif board.filled and (entry := board.filled[number]):
            cell["value"] = entry
        if board.marks is not None and not board.clues[number] and (mask := board.marks[number]) != (1 << n) - 1:
            cell["givenPencilMarks"] = [symbol + 1 for symbol in range(n) if mask >> symbol & 1]
        if geometry.region_of is None:
            cell["region"] = None
        elif standard is None or geometry.region_of != standard.region_of:
            cell["region"] = geometry.region_of[number]
    return [cells[start : start + n] for start in range(0, n * n, n)]


def _houses(geometry: Geometry) -> Iterator[tuple[str, Any]]:
    """Yield the keys of the houses beyond rows, columns and regions, and what stands under each."""
    falling, rising = map(frozenset, diagonals(geometry.order))
    keys = {rising: "diagonal+", falling: "diagonal-"}
    if "disjoint groups" in geometry.families:
        yield "disjointgroups", True
    for house in further_houses(geometry):
        if key := keys.get(frozenset(house.cells)):
            yield key, True
        elif house in geometry.extra or "disjoint" not in house.kind:
            yield "extraregion", {"cells": named(house.cells, geometry.order)}


def _keys_of(rule: Rule, board: Board) -> Iterator[tuple[str, Any]]:
    """Yield the keys of a rule with its items, and copies of what would not be drawn; ``True`` for a flag."""
    geometry = board.geometry
    values = terms_of(rule, geometry)
    fmt = find(rule.kind).formats.get(FORMAT, {})
    key = fmt.get("key") or fmt.get("written")
    if "flag" in fmt and find(rule.kind).is_plain(rule):
        yield fmt["flag"], True
    elif "negative" in fmt and find(rule.kind).is_plain(rule):
        yield "negative", fmt["negative"]
    elif key is None or (fmt.get("gather") and sum(other.kind == rule.kind for other in board.rules) > 1):
        raise Inexpressible  # all such cells of a board are one rule there
    else:
        yield from ((key, item) for item in items_of(rule, fmt, values, geometry.order))
        if key in _NOT_DRAWN:
            copy = {"fromConstraint": rule.kind, "isNewConstraint": True}
            yield from ((drawing, item | copy) for drawing, item in _drawn(rule.draw(geometry), geometry.order))


def _drawn(marks: Iterable[Mark], n: int) -> Iterator[tuple[str, dict[str, Any]]]:
    for mark in marks:
        if isinstance(mark, Line):
            style: dict[str, Any] = {"outlineC": COLOURS[mark.colour], "width": _WIDTHS[mark.width]}
            yield "line", {"lines": [named(mark.cells, n)], **style}
        elif isinstance(mark, Outside):
            cell = outside(mark.cells, n, slanted=False)["cell"]
            yield "text", {"cells": [cell], "value": mark.text, "fontC": "#000000", "size": 0.7}
        elif isinstance(mark, Shape) and mark.shape == "shade":
            style = {"baseC": COLOURS[mark.colour], "outlineC": COLOURS[mark.colour], "width": 1, "height": 1}
            yield "rectangle", {"cells": named(mark.cells, n), **style}


def named(cells: Iterable[int], n: int) -> list[str]:
    """Return the names of cells."""
    return [f"R{cell // n + 1}C{cell % n + 1}" for cell in cells]


def outside(cells: Sequence[int], n: int, *, slanted: bool) -> dict[str, Any]:
    """Return the place of a clue that sees these cells, and no others. slanted: along a diagonal."""
    for (row, column, direction), line in sights(n).items():
        if line == tuple(cells) and bool(direction) == slanted:
            place = {"cell": f"R{row}C{column}"}
            return place | {"direction": direction, "cells": named(cells, n)} if slanted else place
    raise Inexpressible


def items_of(rule: Rule, fmt: Mapping[str, Any], values: Mapping[str, Any], n: int) -> Iterator[dict[str, Any]]:
    """Yield the items of a rule: one, or one for each cell or pair of cells. Raises ``Inexpressible``."""
    if fmt.get("key") == "quadruple" and not _is_square(values["cells"], n):
        raise Inexpressible
    parts: Iterable[Sequence[int]] = [values.get("cells", ())]
    if is_of_pairs(rule, fmt):
        parts = pairwise(values["cells"])
    elif fmt.get("cells") == "cell":
        parts = [[cell] for cell in values["cells"]]
    for cells in parts:
        item: dict[str, Any] = {}
        for p in find(rule.kind).parameters:
            item |= _written(p, fmt, {**values, "cells": cells}, n)
        yield item


def _written(p: Parameter, fmt: Mapping[str, Any], values: Mapping[str, Any], n: int) -> dict[str, Any]:
    """Return the fields of an item that state a parameter."""
    value, field = values[p.name], fmt.get(p.name)
    if field is None:
        if value != p.default:
            raise Inexpressible
        return {}
    if field == "sight":
        return outside(value, n, slanted=bool(fmt.get("slanted")))
    if isinstance(field, list):
        if len(value) != len(field):
            raise Inexpressible
        return {name: named(line, n) for name, line in zip(field, value, strict=True)}
    if p.type == "lines":
        if fmt.get("drop first"):
            value = [(_nearest(values["circle"], line, n), *line) for line in value]
        return {field: [named(line, n) for line in value]}
    if p.type == "cells":
        return {field: named(value, n)[0] if field == "cell" else named(value, n)}
    if p.type == "numbers":
        return {field: list(value)}
    if words := fmt.get("words"):
        if value not in words.values():
            raise Inexpressible
        return {field: next(word for word, meant in words.items() if meant == value)}
    if value is not None and value == fmt.get("unstated"):
        raise Inexpressible
    return {} if value is None else {field: "" if value == p.default else str(value)}


def _nearest(circle: Sequence[int], line: Sequence[int], n: int) -> int:
    """Return the cell of the circle that a shaft begins in."""
    if not line:
        raise Inexpressible
    return min(circle, key=lambda cell: max(abs(cell // n - line[0] // n), abs(cell % n - line[0] % n)))


def _is_square(cells: Sequence[int], n: int) -> bool:
    first = min(cells, default=0)
    return sorted(cells) == [first, first + 1, first + n, first + n + 1] and first % n < n - 1
