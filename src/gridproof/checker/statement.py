"""The statement of a certificate: houses, board and solutions, each parsed strictly.

What is not understood is refused by name, never skipped: a rule that the checker skips would be a rule that it does not
check. Cells are numbered 0 .. n*n-1 in reading order, symbols 1 .. n.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from .findings import CheckerLimits, Refusal, quote

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Cells: TypeAlias = tuple[int, ...]
Grid: TypeAlias = tuple[int, ...]
"""The symbol of each cell, in reading order."""
Board: TypeAlias = Mapping[int, frozenset[int]]
"""The symbols that a cell may hold, for each cell that the board restricts: one of them is a clue."""


@dataclass(frozen=True, slots=True)
class Layout:
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
    missing = needed - value.keys()
    if missing:
        raise Refusal("missing-key", f"the key {quote(min(missing))} is missing", file)
    unknown = value.keys() - needed - optional
    if unknown:
        raise Refusal("unknown-key", f"the key {quote(min(unknown))} is unknown, so it cannot be checked", file)
    return value


def is_number(value: object, low: int, high: int) -> bool:
    """Return whether a value of JSON is a whole number between two others."""
    return type(value) is int and low <= value <= high


def parse_geometry(data: bytes, limits: CheckerLimits) -> tuple[Layout, str]:
    """Parse geometry.json. Return the layout and a description of its houses for people."""
    file = "geometry.json"
    value = json_object(data, file, {"order", "boxes", "regions", "houses"})
    n = value["order"]
    boxes = value["boxes"]
    regions = value["regions"]
    further = value["houses"]
    if not is_number(n, 1, limits.order):
        raise Refusal("bad-geometry", f"order {quote(n)}; expected a whole number from 1 to {limits.order}", file)
    if not isinstance(regions, list) or not isinstance(further, list):
        raise Refusal("bad-geometry", "regions and houses: expected lists", file)
    if len(regions) + len(further) > limits.houses:
        raise Refusal("too-large", f"{len(regions) + len(further)} houses; at most {limits.houses} are read", file)
    for house in regions + further:
        refuse_bad_house(house, n, file)
    description = f"{n} rows, {n} columns"
    if boxes is not None:
        good = isinstance(boxes, list) and len(boxes) == 2 and all(is_number(side, 1, n) for side in boxes)
        if not good or boxes[0] * boxes[1] != n or regions:
            text = f"boxes {quote(boxes)}; expected null, or [rows, columns] of {n} cells and no regions"
            raise Refusal("bad-geometry", text, file)
        height, width = boxes
        regions = boxes_of(n, height, width)
        description += f", {n} boxes of {height}x{width}"
    elif regions:
        refuse_bad_regions(regions, n, file)
        description += f", {n} regions"
    if further:
        description += f", {len(further)} further"
    return make_layout(n, regions, further), description


def refuse_bad_house(house: object, n: int, file: str) -> None:
    """Refuse a region or further house that is not a list of n different cells."""
    if not isinstance(house, list) or not all(is_number(cell, 0, n * n - 1) for cell in house):
        raise Refusal("bad-house", f"{quote(house)}; expected a list of cells 0 to {n * n - 1}", file)
    different = len(set(house))
    if len(house) != n or different != n:
        text = f"{quote(house)} has {different} different cells in a list of {len(house)}"
        raise Refusal("bad-house", f"{text}; expected {n} different cells", file)


def refuse_bad_regions(regions: list[list[int]], n: int, file: str) -> None:
    """Refuse regions that do not have each cell of the board once; each is known to have n cells."""
    covered: set[int] = set()
    for region in regions:
        covered.update(region)
    if len(regions) != n or len(covered) != n * n:
        raise Refusal("bad-geometry", "the regions overlap or leave cells out; expected each cell in one", file)


def boxes_of(n: int, height: int, width: int) -> list[list[int]]:
    """Return the boxes of so many rows and columns, in reading order."""
    cells_of: dict[tuple[int, int], list[int]] = {}
    for cell in range(n * n):
        row, column = divmod(cell, n)
        box = (row // height, column // width)
        cells_of.setdefault(box, []).append(cell)
    return list(cells_of.values())


def make_layout(n: int, regions: list[list[int]], further: list[list[int]]) -> Layout:
    """Return the layout with rows, columns, regions and further houses, in this order."""
    rows = [tuple(range(row * n, row * n + n)) for row in range(n)]
    columns = [tuple(range(column, n * n, n)) for column in range(n)]
    sorted_regions = [tuple(sorted(region)) for region in regions]
    sorted_further = [tuple(sorted(house)) for house in further]
    houses = rows + columns + sorted_regions + sorted_further
    peers: list[set[int]] = [set() for _ in range(n * n)]
    for house in houses:
        for cell in house:
            peers[cell].update(house)
    other_cells = [frozenset(peers[cell] - {cell}) for cell in range(n * n)]
    return Layout(n, tuple(houses), tuple(sorted_regions), tuple(other_cells))


def parse_cells(data: bytes, file: str, n: int, limits: CheckerLimits) -> dict[int, frozenset[int]]:
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
    symbol_of = {symbol_text(symbol, n): symbol for symbol in range(1, n + 1)}
    cells: dict[int, frozenset[int]] = {}
    for row, line in enumerate(lines):
        if len(line) > limits.line_bytes:
            raise Refusal("too-large", f"a line has more than {limits.line_bytes} bytes", file, row + 1)
        words = line.split() if " " in line else list(line)
        if len(words) != n:
            raise Refusal("bad-board", f"{quote(line)} has {len(words)} cells; expected {n}", file, row + 1)
        for column, word in enumerate(words):
            if word == ".":
                continue
            texts = [] if word == "-" else word.split(",")
            if not symbol_of.keys() >= set(texts):
                raise Refusal("bad-board", f"{quote(word)} is no symbol of a board of order {n}", file, row + 1)
            cells[row * n + column] = frozenset([symbol_of[text] for text in texts])
    return cells


def symbol_text(symbol: int, n: int) -> str:
    """Return a symbol as board.txt has it: one character up to order 35, a number above."""
    if n <= len(SYMBOLS):
        return SYMBOLS[symbol - 1]
    return str(symbol)


def parse_solution(data: bytes, file: str, board: Board, layout: Layout, limits: CheckerLimits) -> Grid:
    """Parse a solution; refuse it unless it is full, fits the board, and holds every symbol once in each house."""
    n = layout.order
    cells = parse_cells(data, file, n, limits)
    symbols = []
    for cell in range(n * n):
        if len(cells.get(cell, ())) != 1:
            text = f"{cell_name(cell, n)} has no symbol, or several"
            raise Refusal("solution-incomplete", text, file, cell // n + 1)
        symbols.append(min(cells[cell]))
    grid = tuple(symbols)
    problem = problem_of_grid(grid, board, layout)
    if problem:
        raise Refusal(problem.code, problem.text, file, problem.cell // n + 1)
    return grid


class GridProblem(NamedTuple):
    """The reason why a grid is no solution, and the cell where that is seen."""

    code: str
    text: str
    cell: int


def problem_of_grid(grid: Grid, board: Board, layout: Layout) -> GridProblem | None:
    """Return why a grid does not fit the board, or does not hold every symbol once in each house; or ``None``."""
    n = layout.order
    for cell, symbols in board.items():
        if grid[cell] not in symbols:
            text = f"{cell_name(cell, n)} is {grid[cell]}; the board allows {sorted(symbols)}"
            return GridProblem("solution-against-clue", text, cell)
    for house in layout.houses:
        first: dict[int, int] = {}
        for cell in house:
            if first.setdefault(grid[cell], cell) != cell:
                pair = f"{cell_name(first[grid[cell]], n)} and {cell_name(cell, n)}"
                text = f"{pair} share a house and are both {grid[cell]}"
                return GridProblem("solution-not-a-solution", text, cell)
    return None


def parse_solutions(data: bytes, file: str, layout: Layout) -> Iterator[tuple[int, Grid]]:
    """Parse a list of solutions, one on each line; yield the number of each line, and its grid.

    A line has the symbols of all cells in reading order: a character for each, or above order 35 numbers with blanks
    between them.
    """
    n = layout.order
    symbol_of = {symbol_text(symbol, n): symbol for symbol in range(1, n + 1)}
    try:
        lines = data.decode("ascii").split("\n")
    except UnicodeDecodeError as error:
        raise Refusal("not-text", f"not ASCII at byte {error.start}", file) from None
    if lines.pop():
        raise Refusal("bad-solutions", "the last line does not end", file, len(lines) + 1)
    for number, line in enumerate(lines, 1):
        words = line.split() if n > len(SYMBOLS) else list(line)
        if len(words) != n * n:
            raise Refusal("bad-solutions", f"{quote(line)} has {len(words)} cells; expected {n * n}", file, number)
        symbols = []
        for word in words:
            if word not in symbol_of:
                raise Refusal("bad-solutions", f"{quote(word)} is no symbol of a board of order {n}", file, number)
            symbols.append(symbol_of[word])
        yield number, tuple(symbols)
