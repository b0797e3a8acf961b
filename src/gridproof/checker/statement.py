"""What a certificate states: the board with its houses, the solutions, and the claim, each parsed strictly.

Anything that is not understood is refused and named, never skipped: a rule the checker does not know would
otherwise be a rule it does not check. Cells are numbered 0 .. n*n-1 in reading order, symbols 1 .. n.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, cast, get_args

from .findings import Claim, Limits, Refusal, quote

FORMATS = {"gridproof-certificate/1": False, "gridproof-certificate/2": True}
"""The formats read, and whether a certificate has rules beyond houses."""
HOUSE_RULES = ("cell>=1", "cell<=1", "house>=1", "house<=1")
SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_COMPLETE = ({"cell>=1", "house<=1"}, {"cell<=1", "house>=1"})


@dataclass(frozen=True, slots=True)
class Geometry:
    """Order n, and the houses: distinct sets of n cells, each of which holds every symbol exactly once. kinds: how many
    houses of each kind there are (those in ``findings.MEANT`` are what they say; others are names only). boxes:
    rows and columns of a box, if there are boxes. regions: the boxes, else the houses of the kind ``region``; their
    cells in reading order."""

    order: int
    houses: tuple[tuple[int, ...], ...]
    kinds: dict[str, int]
    boxes: tuple[int, ...] | None
    regions: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Board:
    """clues: the given symbol by cell. candidates: the symbols left in a cell, for cells with pencil
    marks."""

    clues: dict[int, int] = field(default_factory=dict)
    candidates: dict[int, frozenset[int]] = field(default_factory=dict)

    def restricted(self, cells: frozenset[int]) -> Board:
        """What the board says about these cells alone."""
        return Board(
            {c: s for c, s in self.clues.items() if c in cells},
            {c: s for c, s in self.candidates.items() if c in cells},
        )


@dataclass(frozen=True, slots=True)
class ClaimFile:
    """claim.json: what is claimed, whether about rules beyond houses, the kinds of house rule the formula says it
    states, and the digest of each file."""

    claim: Claim
    with_rules: bool
    states: frozenset[str]
    digests: dict[str, str]


def cell_name(cell: int, order: int) -> str:
    """``r1c1`` for cell 0."""
    return f"r{cell // order + 1}c{cell % order + 1}"


def json_object(data: bytes, file: str, needed: set[str], optional: frozenset[str] = frozenset()) -> dict[str, Any]:
    """A JSON object with exactly the keys expected: each once, plain numbers only."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise ValueError("a key occurs twice in one object")
        return found

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
        raise Refusal("unknown-key", f"this checker does not know {quote(min(unknown))}, so it cannot check it", file)
    return value


def _is_int(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def parse_claim(data: bytes) -> ClaimFile:
    """claim.json. Raises ``Refusal``."""
    file = "claim.json"
    value = json_object(data, file, {"format", "claim", "made", "files"}, frozenset({"states"}))
    if not isinstance(value["format"], str) or value["format"] not in FORMATS:
        expected = " and ".join(FORMATS)
        raise Refusal("unknown-format", f"format {quote(value['format'])}; this checker reads {expected}", file)
    claim, files, states = value["claim"], value["files"], value.get("states")
    if claim not in get_args(Claim):
        raise Refusal("unknown-claim", f"claim {quote(claim)}; expected one of {', '.join(get_args(Claim))}", file)
    if not isinstance(value["made"], dict):
        raise Refusal("bad-json", f"made is {quote(value['made'])}; expected an object", file)
    if not isinstance(files, dict) or not all(isinstance(digest, str) for digest in files.values()):
        raise Refusal("bad-json", "files: expected the SHA-256 of each file, by name", file)
    if claim == "multiple":
        if states is not None:
            raise Refusal("unknown-key", "a claim of several solutions has no formula, so it has no states", file)
        states = []
    if not isinstance(states, list) or not all(isinstance(kind, str) for kind in states):
        raise Refusal("missing-key", f"states is {quote(states)}; expected a list of {', '.join(HOUSE_RULES)}", file)
    if unknown := set(states) - set(HOUSE_RULES):
        raise Refusal("unknown-rule", f"states {quote(min(unknown))}; expected some of {', '.join(HOUSE_RULES)}", file)
    if claim != "multiple" and not any(complete <= set(states) for complete in _COMPLETE):
        raise Refusal("rules-incomplete", f"states is {states}; what fulfils only these need not be a grid", file)
    return ClaimFile(cast(Claim, claim), FORMATS[value["format"]], frozenset(states), files)


def parse_geometry(data: bytes, limits: Limits) -> Geometry:
    """geometry.json: refused unless rows, columns and boxes are what these words mean. Raises ``Refusal``."""
    file = "geometry.json"
    value = json_object(data, file, {"order", "boxes", "houses"})
    n, boxes, houses = value["order"], value["boxes"], value["houses"]
    if not _is_int(n, 1, limits.order):
        raise Refusal("bad-geometry", f"order {quote(n)}; expected a whole number from 1 to {limits.order}", file)
    if not isinstance(houses, list):
        raise Refusal("bad-geometry", f"houses is {quote(houses)}; expected a list", file)
    if len(houses) > limits.houses:
        raise Refusal("too-large", f"{len(houses)} houses; at most {limits.houses} are read", file)
    kinds: dict[str, list[frozenset[int]]] = {}
    for number, house in enumerate(houses):
        if not isinstance(house, dict) or house.keys() != {"kind", "name", "cells"}:
            raise Refusal("bad-geometry", f"house {number} is {quote(house)}; expected kind, name and cells", file)
        kind, name, cells = house["kind"], house["name"], house["cells"]
        if not isinstance(kind, str) or not isinstance(name, str):
            raise Refusal("bad-geometry", f"house {number}: kind and name must be text", file)
        if not isinstance(cells, list) or not all(_is_int(cell, 0, n * n - 1) for cell in cells):
            raise Refusal("bad-house", f"house {quote(name)}: cells {quote(cells)}; expected 0 to {n * n - 1}", file)
        if len(cells) != n or len(set(cells)) != n:
            text = f"house {quote(name)} has {len(set(cells))} different cells in a list of {len(cells)}"
            raise Refusal("bad-house", f"{text}; expected {n} different cells", file)
        kinds.setdefault(kind, []).append(frozenset(cells))
    everything = {house for family in kinds.values() for house in family}
    classic = {
        "row": {frozenset(range(r * n, r * n + n)) for r in range(n)},
        "column": {frozenset(range(c, n * n, n)) for c in range(n)},
        "box": _boxes(boxes, n),
    }
    for kind, expected in classic.items():
        if not expected <= everything:
            raise Refusal("bad-geometry", f"a {kind} is missing among the houses (boxes {quote(boxes)})", file)
        for house in kinds.get(kind, ()):
            if house not in expected:
                raise Refusal("bad-geometry", f"{sorted(house)} is called a {kind}, but is not one "
                              f"(boxes {quote(boxes)})", file)  # fmt: skip
    regions = kinds.get("region", [])
    if regions and (len(regions) != n or len(frozenset().union(*regions)) != n * n):
        raise Refusal("bad-geometry", "the regions overlap or leave cells out; expected each cell in one", file)
    distinct = tuple(sorted(tuple(sorted(house)) for house in everything))
    parts = tuple(sorted(tuple(sorted(house)) for house in classic["box"] or regions))
    counts = {kind: len(family) for kind, family in kinds.items()}
    return Geometry(n, distinct, counts, tuple(boxes) if boxes else None, parts)


def _boxes(boxes: object, n: int) -> set[frozenset[int]]:
    if boxes is None:
        return set()
    if not isinstance(boxes, list) or len(boxes) != 2 or not all(_is_int(side, 1, n) for side in boxes):
        raise Refusal("bad-geometry", f"boxes {quote(boxes)}; expected [rows, columns] or null", "geometry.json")
    rows, columns = boxes
    if rows * columns != n:
        raise Refusal("bad-geometry", f"boxes of {rows}x{columns} cells for {n} symbols", "geometry.json")
    members: dict[tuple[int, int], set[int]] = {}
    for cell in range(n * n):
        members.setdefault((cell // n // rows, cell % n // columns), set()).add(cell)
    return {frozenset(cells) for cells in members.values()}


def parse_cells(data: bytes, file: str, n: int, limits: Limits) -> dict[int, int]:
    """The symbols of board.txt or a solution: n lines of n characters, above 35 symbols of n numbers; '.' is
    blank."""
    try:
        lines = data.decode("ascii").replace("\r\n", "\n").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise Refusal("not-text", f"not ASCII at byte {error.start}", file) from None
    if len(lines) != n:
        raise Refusal("bad-board", f"there are {len(lines)} lines; expected {n}", file)
    characters = SYMBOLS[:n] if n <= len(SYMBOLS) else ""
    symbols = {text: s for s, text in enumerate(characters or map(str, range(1, n + 1)), 1)}
    found: dict[int, int] = {}
    for row, line in enumerate(lines):
        if len(line) > limits.line_bytes:
            raise Refusal("too-large", f"a line has more than {limits.line_bytes} bytes", file, row + 1)
        texts = list(line) if characters else line.split()
        if len(texts) != n:
            raise Refusal("bad-board", f"{quote(line)} has {len(texts)} symbols; expected {n}", file, row + 1)
        for column, text in enumerate(texts):
            if text != ".":
                if text not in symbols:
                    raise Refusal("bad-board", f"{quote(text)} is not a symbol of a board of order {n}", file, row + 1)
                found[row * n + column] = symbols[text]
    return found


def parse_candidates(data: bytes, n: int) -> dict[int, frozenset[int]]:
    """candidates.json: for each cell the symbols left in it, or null where nothing is said. Raises
    ``Refusal``."""
    file = "candidates.json"
    value = json_object(data, file, {"candidates"})["candidates"]
    if not isinstance(value, list) or len(value) != n * n:
        raise Refusal("bad-candidates", f"{quote(value)}; expected a list of {n * n} cells", file)
    found: dict[int, frozenset[int]] = {}
    for cell, symbols in enumerate(value):
        if symbols is None:
            continue
        if not isinstance(symbols, list) or not all(_is_int(symbol, 1, n) for symbol in symbols):
            name = cell_name(cell, n)
            raise Refusal("bad-candidates", f"{name}: {quote(symbols)}; expected null or symbols 1 to {n}", file)
        found[cell] = frozenset(symbols)
    return found


def parse_conflict(data: bytes, board: Board, n: int, rules: int | None) -> tuple[frozenset[int], frozenset[int]]:
    """conflict.json: the cells whose clues (and pencil marks) are said to contradict each other already, together with
    these rules. rules: how many there are, ``None`` if the format has none."""
    file = "conflict.json"
    value = json_object(data, file, {"cells"} if rules is None else {"cells", "rules"})
    cells, numbers = value["cells"], value.get("rules", [])
    if not isinstance(cells, list) or not all(_is_int(cell, 0, n * n - 1) for cell in cells):
        raise Refusal("bad-conflict", f"cells {quote(cells)}; expected a list of 0 to {n * n - 1}", file)
    if not isinstance(numbers, list) or not all(_is_int(number, 1, rules or 0) for number in numbers):
        raise Refusal("bad-conflict", f"rules {quote(numbers)}; expected a list of 1 to {rules}", file)
    for cell in cells:
        if cell not in board.clues and cell not in board.candidates:
            raise Refusal("bad-conflict", f"the board says nothing about {cell_name(cell, n)}", file)
    return frozenset(cells), frozenset(numbers)


def check_solution(solution: dict[int, int], board: Board, geometry: Geometry, file: str) -> None:
    """Raises ``Refusal`` unless the grid is full, holds every symbol once in each house, and keeps to the
    board."""
    n = geometry.order
    if len(solution) != n * n:
        blank = min(set(range(n * n)) - solution.keys())
        raise Refusal("solution-incomplete", f"{cell_name(blank, n)} is blank", file, blank // n + 1)
    for cell, symbol in board.clues.items():
        if solution[cell] != symbol:
            text = f"{cell_name(cell, n)} is {solution[cell]}, but its clue is {symbol}"
            raise Refusal("solution-against-clue", text, file, cell // n + 1)
    for cell, symbols in board.candidates.items():
        if solution[cell] not in symbols:
            text = f"{cell_name(cell, n)} is {solution[cell]}, not among its candidates {sorted(symbols)}"
            raise Refusal("solution-against-clue", text, file, cell // n + 1)
    for house in geometry.houses:
        seen: dict[int, int] = {}
        for cell in house:
            if (first := seen.setdefault(solution[cell], cell)) != cell:
                pair = f"{cell_name(first, n)} and {cell_name(cell, n)}"
                text = f"{pair} share a house and are both {solution[cell]}"
                raise Refusal("solution-not-a-solution", text, file, cell // n + 1)
