"""The statement of a certificate: houses, board and solutions, each parsed strictly.

What is not understood is refused by name, never skipped: a rule that the checker skips would be a rule that it does not
check. Cells are numbered from 0 in reading order. A cell holds a digit: 1 .. n on a board of order n, or any of those
that geometry.json states, of which there may be more than a house has cells.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from .findings import CheckerLimits, Refusal, quote

CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Digits as characters, where none is larger than 35."""

Cells: TypeAlias = tuple[int, ...]
Grid: TypeAlias = tuple[int, ...]
"""The symbol of each cell, in reading order."""
Board: TypeAlias = Mapping[int, frozenset[int]]
"""The digits that a cell may hold, for each cell that the board restricts: one of them is a clue."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Rows and columns, the digits ``first`` to ``last``, the houses, the regions (the boxes or the regions of a
    jigsaw), and the peers of each cell."""

    rows: int
    columns: int
    first: int
    last: int
    houses: tuple[Cells, ...]
    regions: tuple[Cells, ...]
    peers: tuple[frozenset[int], ...]

    @property
    def cells(self) -> range:
        """All cells."""
        return range(self.rows * self.columns)

    @property
    def digits(self) -> range:
        """All digits."""
        return range(self.first, self.last + 1)

    @property
    def count(self) -> int:
        """The number of digits, for each of which a cell has a variable."""
        return self.last - self.first + 1

    def variable(self, cell: int, digit: int) -> int:
        """Return the variable that is true where a cell holds a digit."""
        return cell * self.count + digit - self.first + 1

    def name(self, cell: int) -> str:
        """Return ``r1c1`` for cell 0."""
        return f"r{cell // self.columns + 1}c{cell % self.columns + 1}"


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
    needed = {"boxes", "regions", "houses"}
    value = json_object(data, file, needed, frozenset({"order", "rows", "columns", "digits"}))
    rows, columns, first, last = parse_sides(value, limits, file)
    boxes = value["boxes"]
    regions = value["regions"]
    further = value["houses"]
    if not isinstance(regions, list) or not isinstance(further, list):
        raise Refusal("bad-geometry", "regions and houses: expected lists", file)
    if len(regions) + len(further) > limits.houses:
        raise Refusal("too-large", f"{len(regions) + len(further)} houses; at most {limits.houses} are read", file)
    count = last - first + 1
    is_usual = rows == columns == count
    for house in regions + further:
        refuse_bad_house(house, rows * columns, count, file, exactly=is_usual)
    description = f"{rows} rows, {columns} columns"
    if boxes is not None:
        good = isinstance(boxes, list) and len(boxes) == 2 and all(is_number(side, 1, count) for side in boxes)
        fits = good and rows % boxes[0] == 0 and columns % boxes[1] == 0 and boxes[0] * boxes[1] <= count
        if not fits or (is_usual and boxes[0] * boxes[1] != count) or regions:
            text = f"boxes {quote(boxes)}; expected null, or [rows, columns] of {count} cells and no regions"
            raise Refusal("bad-geometry", text, file)
        height, width = boxes
        regions = boxes_of(rows, columns, height, width)
        description += f", {len(regions)} boxes of {height}x{width}"
    elif regions:
        refuse_bad_regions(regions, rows * columns, count if is_usual else len(regions), file)
        description += f", {len(regions)} regions"
    if further:
        description += f", {len(further)} further"
    if not is_usual or first != 1:
        description += f", digits {first} to {last}"
    return make_layout((rows, columns), (first, last), regions, further), description


def parse_sides(value: dict[str, Any], limits: CheckerLimits, file: str) -> tuple[int, int, int, int]:
    """Return rows, columns, the first and the last digit: n, n, 1 and n for an order n, else as they are stated."""
    if "order" in value:
        n = value["order"]
        if not is_number(n, 1, limits.order) or value.keys() & {"rows", "columns", "digits"}:
            expected = f"a whole number from 1 to {limits.order}, and no rows, columns or digits"
            raise Refusal("bad-geometry", f"order {quote(n)}; expected {expected}", file)
        return n, n, 1, n
    missing = {"rows", "columns", "digits"} - value.keys()
    if missing:
        raise Refusal("missing-key", f"the key {quote(min(missing))} is missing, or the key 'order'", file)
    rows = value["rows"]
    columns = value["columns"]
    digits = value["digits"]
    if not is_number(rows, 1, limits.order) or not is_number(columns, 1, limits.order):
        text = f"{quote(rows)} rows and {quote(columns)} columns; expected whole numbers from 1 to {limits.order}"
        raise Refusal("bad-geometry", text, file)
    good = isinstance(digits, list) and len(digits) == 2 and all(is_number(digit, 0, 10**4) for digit in digits)
    if not good or not max(rows, columns) <= digits[1] - digits[0] + 1 <= limits.order:
        expected = f"[first, last], at least as many as a row or a column has cells, at most {limits.order}"
        raise Refusal("bad-geometry", f"digits {quote(digits)}; expected {expected}", file)
    return rows, columns, digits[0], digits[1]


def refuse_bad_house(house: object, cells: int, count: int, file: str, *, exactly: bool) -> None:
    """Refuse a region or further house that is not a list of different cells: as many as there are digits, or fewer.

    exactly: whether they have to be as many.
    """
    if not isinstance(house, list) or not all(is_number(cell, 0, cells - 1) for cell in house):
        raise Refusal("bad-house", f"{quote(house)}; expected a list of cells 0 to {cells - 1}", file)
    different = len(set(house))
    fits = len(house) == count if exactly else 1 <= len(house) <= count
    if not fits or different != len(house):
        text = f"{quote(house)} has {different} different cells in a list of {len(house)}"
        size = count if exactly else f"1 to {count}"
        raise Refusal("bad-house", f"{text}; expected {size} different cells", file)


def refuse_bad_regions(regions: list[list[int]], cells: int, number: int, file: str) -> None:
    """Refuse regions that do not have each cell of the board once; each is known to be no longer than it may be."""
    covered: set[int] = set()
    for region in regions:
        covered.update(region)
    if len(regions) != number or len(covered) != cells or sum(len(region) for region in regions) != cells:
        raise Refusal("bad-geometry", "the regions overlap or leave cells out; expected each cell in one", file)


def boxes_of(rows: int, columns: int, height: int, width: int) -> list[list[int]]:
    """Return the boxes of so many rows and columns, in reading order."""
    cells_of: dict[tuple[int, int], list[int]] = {}
    for cell in range(rows * columns):
        row, column = divmod(cell, columns)
        box = (row // height, column // width)
        cells_of.setdefault(box, []).append(cell)
    return list(cells_of.values())


def make_layout(
    sides: tuple[int, int], digits: tuple[int, int], regions: list[list[int]], further: list[list[int]]
) -> Layout:
    """Return the layout with rows, columns, regions and further houses, in this order."""
    high, wide = sides
    every_cell = high * wide
    rows = [tuple(range(start, start + wide)) for start in range(0, every_cell, wide)]
    columns = [tuple(range(column, every_cell, wide)) for column in range(wide)]
    sorted_regions = [tuple(sorted(region)) for region in regions]
    sorted_further = [tuple(sorted(house)) for house in further]
    houses = rows + columns + sorted_regions + sorted_further
    peers: list[set[int]] = [set() for _ in range(every_cell)]
    for house in houses:
        for cell in house:
            peers[cell].update(house)
    other_cells = [frozenset(peers[cell] - {cell}) for cell in range(every_cell)]
    return Layout(high, wide, *digits, tuple(houses), tuple(sorted_regions), tuple(other_cells))


def parse_cells(data: bytes, file: str, layout: Layout, limits: CheckerLimits) -> dict[int, frozenset[int]]:
    """Parse board.txt or a solution: a line for each row; return the digits of each cell that is not ``.``.

    A line without blanks has a character for each cell. In a line with blanks they stand between cells, and a cell is a
    list of digits with commas between them, or ``-`` if no digit is left.
    """
    try:
        lines = data.decode("ascii").replace("\r\n", "\n").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise Refusal("not-text", f"not ASCII at byte {error.start}", file) from None
    rows, columns = layout.rows, layout.columns
    if len(lines) != rows:
        raise Refusal("bad-board", f"there are {len(lines)} lines; expected {rows}", file)
    digit_of = {digit_text(digit, layout): digit for digit in layout.digits}
    cells: dict[int, frozenset[int]] = {}
    for row, line in enumerate(lines):
        if len(line) > limits.line_bytes:
            raise Refusal("too-large", f"a line has more than {limits.line_bytes} bytes", file, row + 1)
        words = line.split() if " " in line else list(line)
        if len(words) != columns:
            raise Refusal("bad-board", f"{quote(line)} has {len(words)} cells; expected {columns}", file, row + 1)
        for column, word in enumerate(words):
            if word == ".":
                continue
            texts = [] if word == "-" else word.split(",")
            if not digit_of.keys() >= set(texts):
                digits = f"{layout.first} to {layout.last}"
                raise Refusal("bad-board", f"{quote(word)} is no digit of a board with {digits}", file, row + 1)
            cells[row * columns + column] = frozenset([digit_of[text] for text in texts])
    return cells


def digit_text(digit: int, layout: Layout) -> str:
    """Return a digit as board.txt has it: one character where none is above 35, else a number."""
    if layout.last < len(CHARACTERS):
        return CHARACTERS[digit]
    return str(digit)


def parse_solution(data: bytes, file: str, board: Board, layout: Layout, limits: CheckerLimits) -> Grid:
    """Parse a solution; refuse it unless it is full, fits the board, and holds no digit twice in a house."""
    cells = parse_cells(data, file, layout, limits)
    symbols = []
    for cell in layout.cells:
        if len(cells.get(cell, ())) != 1:
            text = f"{layout.name(cell)} has no symbol, or several"
            raise Refusal("solution-incomplete", text, file, cell // layout.columns + 1)
        symbols.append(min(cells[cell]))
    grid = tuple(symbols)
    problem = problem_of_grid(grid, board, layout)
    if problem:
        raise Refusal(problem.code, problem.text, file, problem.cell // layout.columns + 1)
    return grid


class GridProblem(NamedTuple):
    """The reason why a grid is no solution, and the cell where that is seen."""

    code: str
    text: str
    cell: int


def problem_of_grid(grid: Grid, board: Board, layout: Layout) -> GridProblem | None:
    """Return why a grid does not fit the board, or holds a digit twice in a house; or ``None``."""
    for cell, symbols in board.items():
        if grid[cell] not in symbols:
            text = f"{layout.name(cell)} is {grid[cell]}; the board allows {sorted(symbols)}"
            return GridProblem("solution-against-clue", text, cell)
    for house in layout.houses:
        first: dict[int, int] = {}
        for cell in house:
            if first.setdefault(grid[cell], cell) != cell:
                pair = f"{layout.name(first[grid[cell]])} and {layout.name(cell)}"
                text = f"{pair} share a house and are both {grid[cell]}"
                return GridProblem("solution-not-a-solution", text, cell)
    return None


def parse_solutions(data: bytes, file: str, layout: Layout) -> Iterator[tuple[int, Grid]]:
    """Parse a list of solutions, one on each line; yield the number of each line, and its grid.

    A line has the digits of all cells in reading order: a character for each, or, if any is above 35, numbers with
    blanks between them.
    """
    digit_of = {digit_text(digit, layout): digit for digit in layout.digits}
    try:
        lines = data.decode("ascii").split("\n")
    except UnicodeDecodeError as error:
        raise Refusal("not-text", f"not ASCII at byte {error.start}", file) from None
    if lines.pop():
        raise Refusal("bad-solutions", "the last line does not end", file, len(lines) + 1)
    for number, line in enumerate(lines, 1):
        words = line.split() if layout.last >= len(CHARACTERS) else list(line)
        if len(words) != len(layout.cells):
            text = f"{quote(line)} has {len(words)} cells; expected {len(layout.cells)}"
            raise Refusal("bad-solutions", text, file, number)
        symbols = []
        for word in words:
            if word not in digit_of:
                digits = f"{layout.first} to {layout.last}"
                raise Refusal("bad-solutions", f"{quote(word)} is no digit of a board with {digits}", file, number)
            symbols.append(digit_of[word])
        yield number, tuple(symbols)
