"""The statement of a certificate: houses, board and solutions, each parsed strictly.

What is not understood is refused by name, never skipped: a rule that the checker skips would be a rule that it does not
check. Cells are numbered 0 .. n*n-1 in reading order, symbols 1 .. n.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from .findings import Limits, Refusal, quote

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Cells: TypeAlias = tuple[int, ...]
Board: TypeAlias = Mapping[int, frozenset[int]]
"""The symbols that a cell may hold, for each cell that the board restricts: one of them is a clue."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Order n, the houses, the regions (the boxes or the regions of a jigsaw), and the peers of each cell."""

    order: int
    houses: tuple[Cells, ...]
    regions: tuple[Cells, ...]
    peers: tuple[frozenset[int], ...]


def cell_name(cell: int, order: int) -> str:
    """Return ``r1c1`` for cell 0."""
    return f"r{cell // order + 1}c{cell % order + 1}"


def json_object(data: bytes, file: str, needed: set[str], optional: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return a JSON object that has exactly the keys expected, each once, and plain numbers only."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            raise ValueError("a key occurs twice in one object")
        return value

    def refuse(text: str) -> None:
        raise ValueError(f"{text} is not a number in JSON")

    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=unique, parse_constant=refuse)
    except UnicodeDecodeError as error:
        raise Refusal("not-text", f"not UTF-8 at byte {error.start}", file) from None
    except RecursionError:
        raise Refusal("bad-json", "nested too deeply", file) from None
    except ValueError as error:  # JSONDecodeError, and integers of thousands of digits
        raise Refusal("bad-json", f"{quote(str(error), 120)}", file) from None
    if not isinstance(value, dict):
        raise Refusal("bad-json", f"{quote(value)}; expected an object", file)
    if missing := needed - value.keys():
        raise Refusal("missing-key", f"the key {quote(min(missing))} is missing", file)
    if unknown := value.keys() - needed - optional:
        raise Refusal("unknown-key", f"the key {quote(min(unknown))} is unknown, so it cannot be checked", file)
    return value


def is_number(value: object, low: int, high: int) -> bool:
    """Return whether a value of JSON is a whole number between two others."""
    return type(value) is int and low <= value <= high


def parse_geometry(data: bytes, limits: Limits) -> tuple[Shape, str]:
    """Parse geometry.json. Return the shape and a description of its houses for people."""
    file = "geometry.json"
    value = json_object(data, file, {"order", "boxes", "regions", "houses"})
    n, boxes, regions, further = value["order"], value["boxes"], value["regions"], value["houses"]
    if not is_number(n, 1, limits.order):
        raise Refusal("bad-geometry", f"order {quote(n)}; expected a whole number from 1 to {limits.order}", file)
    if not isinstance(regions, list) or not isinstance(further, list):
        raise Refusal("bad-geometry", "regions and houses: expected lists", file)
    if len(regions) + len(further) > limits.houses:
        raise Refusal("too-large", f"{len(regions) + len(further)} houses; at most {limits.houses} are read", file)
    cells = range(n * n)
    for house in [*regions, *further]:
        if not isinstance(house, list) or not all(is_number(cell, 0, n * n - 1) for cell in house):
            raise Refusal("bad-house", f"{quote(house)}; expected a list of cells 0 to {n * n - 1}", file)
        if len(house) != n or len(set(house)) != n:
            text = f"{quote(house)} has {len(set(house))} different cells in a list of {len(house)}"
            raise Refusal("bad-house", f"{text}; expected {n} different cells", file)
    if boxes is not None:
        good = isinstance(boxes, list) and len(boxes) == 2 and all(is_number(side, 1, n) for side in boxes)
        if not good or boxes[0] * boxes[1] != n or regions:
            text = f"boxes {quote(boxes)}; expected null, or [rows, columns] of {n} cells and no regions"
            raise Refusal("bad-geometry", text, file)
        box_of = [(cell // n // boxes[0], cell % n // boxes[1]) for cell in cells]
        regions = [[cell for cell in cells if box_of[cell] == box] for box in sorted(set(box_of))]
    if regions and (len(regions) != n or len({cell for region in regions for cell in region}) != n * n):
        raise Refusal("bad-geometry", "the regions overlap or leave cells out; expected each cell in one", file)
    rows = [tuple(range(r * n, r * n + n)) for r in range(n)]
    columns = [tuple(range(c, n * n, n)) for c in range(n)]
    parts = tuple(tuple(sorted(region)) for region in regions)
    houses = (*rows, *columns, *parts, *(tuple(sorted(house)) for house in further))
    peers: list[set[int]] = [set() for _ in cells]
    for house in houses:
        for cell in house:
            peers[cell].update(house)
    others = tuple(frozenset(peers[cell] - {cell}) for cell in cells)
    described = f"{n} rows, {n} columns"
    described += f", {n} boxes of {boxes[0]}x{boxes[1]}" if boxes else f", {n} regions" if regions else ""
    described += f", {len(further)} further" if further else ""
    return Shape(n, houses, parts, others), described


def parse_cells(data: bytes, file: str, n: int, limits: Limits) -> dict[int, frozenset[int]]:
    """Parse board.txt or a solution: n lines of n cells; return the symbols of each cell that is not ``.``.

    A line without blanks has a character for each cell. In a line with blanks they stand between cells, and a cell is a
    list of symbols with commas between them, or ``-`` if no symbol is left.
    """
    try:
        lines = data.decode("ascii").replace("\r\n", "\n").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise Refusal("not-text", f"not ASCII at byte {error.start}", file) from None
    if len(lines) != n:
        raise Refusal("bad-board", f"there are {len(lines)} lines; expected {n}", file)
    texts = SYMBOLS[:n] if n <= len(SYMBOLS) else [str(symbol) for symbol in range(1, n + 1)]
    symbols = {text: symbol for symbol, text in enumerate(texts, 1)}
    cells: dict[int, frozenset[int]] = {}
    for row, line in enumerate(lines):
        if len(line) > limits.line_bytes:
            raise Refusal("too-large", f"a line has more than {limits.line_bytes} bytes", file, row + 1)
        words = line.split() if " " in line else list(line)
        if len(words) != n:
            raise Refusal("bad-board", f"{quote(line)} has {len(words)} cells; expected {n}", file, row + 1)
        for column, word in enumerate(words):
            listed = [] if word == "-" else word.split(",")
            if word != "." and not set(listed) <= symbols.keys():
                raise Refusal("bad-board", f"{quote(word)} is no symbol of a board of order {n}", file, row + 1)
            if word != ".":
                cells[row * n + column] = frozenset(symbols[text] for text in listed)
    return cells


def parse_solution(data: bytes, file: str, board: Board, shape: Shape, limits: Limits) -> dict[int, int]:
    """Parse a solution; refuse it unless it is full, fits the board, and holds every symbol once in each house."""
    n = shape.order
    cells = parse_cells(data, file, n, limits)
    solution = {cell: min(symbols) for cell, symbols in cells.items() if len(symbols) == 1}
    for cell in range(n * n):
        place = file, cell // n + 1
        if cell not in solution:
            raise Refusal("solution-incomplete", f"{cell_name(cell, n)} has no symbol, or several", *place)
        if cell in board and solution[cell] not in board[cell]:
            text = f"{cell_name(cell, n)} is {solution[cell]}; the board allows {sorted(board[cell])}"
            raise Refusal("solution-against-clue", text, *place)
    for house in shape.houses:
        first: dict[int, int] = {}
        for cell in house:
            if first.setdefault(solution[cell], cell) != cell:
                pair = f"{cell_name(first[solution[cell]], n)} and {cell_name(cell, n)}"
                text = f"{pair} share a house and are both {solution[cell]}"
                raise Refusal("solution-not-a-solution", text, file, cell // n + 1)
    return solution
