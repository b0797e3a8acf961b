"""Killer Sudoku as text: cages as a layout of letters and their sums, or in one of two usual codes on a line.

- ``3x3::k:2816:2816:...``: for each cell of a 9x9 board 256 times the sum of its cage, plus a number of the cage;
  ``3x3:d:k:`` with diagonals.
- 81 characters: the sum in one cell of each cage (0-9, A-Z for 10-35, a-j for 36-45), in its others ``< > v ^``, or
  `` ` ' , .`` for the diagonal directions, towards the next cell on the way to it.
- Sums, such as ``a=10 b=7``, and below them rows of these letters, with ``.`` for cells without a cage.

A cage whose sum is 0 has none: its digits differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from gridproof.errors import GeometryError, InexpressibleRule, InputError
from gridproof.formats.catalog import Format
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import Shapes
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.kinds.killer import Killer
from gridproof.text import counted, quote

_CODE = re.compile(r"\s*3x3:(d?):k:((?:\d{1,6}:){81})\s*", re.IGNORECASE)
_BEGINS_CODE = re.compile(r"\s*\d+x\d+:\w*:k:", re.IGNORECASE)
_ARROWS = re.compile(r"(?=[^<v>^`']*[<v>^`'])[0-9A-Za-j<v>^`',.]{81}")
_SUMS = re.compile(r"\s*[A-Za-z]\s*[=:]\s*\d{1,4}(?:[\s,;]+[A-Za-z]\s*[=:]\s*\d{1,4})*\s*")
_SUM = re.compile(r"([A-Za-z])\s*[=:]\s*(\d{1,4})")
_STEPS = {"v": 9, "^": -9, "<": -1, ">": 1, "`": -10, "'": -8, ",": 8, ".": 10}
_VALUES = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"

Cage: TypeAlias = tuple[object, int]
"""The name of a cage, and its sum or 0."""


def read_code(text: str, _: Shapes) -> Iterator[Puzzle]:
    """Yield the puzzle of a line: 81 numbers, or arrows to the cells that hold the sums."""
    geometry = Geometry.classic(3)
    code = _CODE.fullmatch(text)
    if code:
        if code[1]:
            geometry = geometry.with_diagonals()
        numbers = [int(number) for number in code[2].split(":")[:81]]
        yield _make_puzzle(geometry, [decode_cage(number) for number in numbers])
    elif _ARROWS.fullmatch(text.strip()):
        yield _make_puzzle(geometry, follow_arrows(text.strip()))
    else:
        raise InputError(f"a killer Sudoku {quote(text.strip())}; expected 3x3::k: and 81 numbers, each with a :")


def decode_cage(number: int) -> Cage | None:
    """Return the cage that a cell's number in the code stands for: 256 times the sum, plus the number of the cage."""
    total, name = divmod(number, 256)
    if not number:
        return None
    return (name, total)


def follow_arrows(text: str) -> list[Cage | None]:
    """Return for each cell the cell that holds the sum of its cage, and the sum."""
    cages: list[Cage | None] = []
    for start in range(81):
        cell = start
        steps = 0
        while text[cell] in _STEPS:
            other = cell + _STEPS[text[cell]]
            steps += 1
            is_neighbour = 0 <= other < 81 and abs(other % 9 - cell % 9) < 2
            if not is_neighbour or steps > 81:
                name = Geometry.classic(3).cell_name(cell)
                raise InputError(f"a killer Sudoku whose {text[cell]!r} at {name} has no sum; expected one there")
            cell = other
        cages.append((cell, _VALUES.index(text[cell])))
    return cages


def read_layout(text: str, shapes: Shapes) -> Iterator[Puzzle]:
    """Yield the puzzle of rows of letters below their sums."""
    sums: dict[str, int] = {}
    rows: list[str] = []
    for line in text.strip().splitlines():
        if _SUMS.fullmatch(line.strip()):
            for label, total in _SUM.findall(line):
                sums[label] = int(total)
        elif line.strip() and not line.lstrip().startswith("#"):
            rows.append("".join(line.split()))
    if not rows or {len(row) for row in rows} != {len(rows)}:
        raise InputError(f"{counted(len(rows), 'row')} of cages {quote(' '.join(rows))}; expected n rows of n letters")
    labels = "".join(rows)
    unused = sums.keys() - set(labels)
    if unused:
        label = min(unused)
        raise InputError(f"{label}={sums[label]}, but no cell of the layout is in a cage {label}")
    missing = set(labels) - sums.keys() - {"."}
    if missing:
        raise InputError(f"{min(missing)!r} among the cages; expected . or one that has a sum, such as a=10")
    try:
        geometry = shapes.geometry(len(rows))
    except GeometryError as problem:
        raise InputError(f"a layout of cages: {problem}") from None
    yield _make_puzzle(geometry, [(label, sums[label]) if label in sums else None for label in labels])


def _make_puzzle(geometry: Geometry, cages: Sequence[Cage | None]) -> Puzzle:
    """Return a killer Sudoku. cages: the cage of each cell, if it is in one."""
    members: dict[Cage, list[int]] = {}
    for cell, cage in enumerate(cages):
        if cage is not None:
            members.setdefault(cage, []).append(cell)
    rules = []
    for (_, total), cells in members.items():
        if total or len(cells) > 1:
            rules.append(Killer(total=total or None, cells=tuple(cells)))
    return Puzzle(Board.empty(geometry).with_rules(rules))


def write_code(puzzle: Puzzle) -> str:
    """Return the code of a killer Sudoku. Raises ``BoardError``."""
    board = puzzle.board
    geometry = board.geometry
    has_diagonals = "diagonals" in geometry.families
    if has_diagonals:
        usual = Geometry.classic(3).with_diagonals()
    else:
        usual = Geometry.classic(3)
    if geometry != usual:
        raise KILLER_TEXT.refuse(f"the shape {geometry.description}", "9x9 with usual boxes, with diagonals or without")
    if any(board.clues) or board.marks is not None:
        raise KILLER_TEXT.refuse("clues beside cages", "f-puzzles or iss")
    numbers = [0] * 81
    for number, rule in enumerate(board.rules, 1):
        is_free = not any(numbers[cell] for cell in rule.scope(geometry))
        if not isinstance(rule, Killer) or not has_code(rule) or not is_free:
            problem = KILLER_TEXT.refuse(f"the rule: {rule.sentence(geometry)}", "cages that share no cell")
            raise InexpressibleRule(str(problem), rule)
        total = rule.total or 0
        for cell in rule.cells:
            numbers[cell] = 256 * total + number
    cells = "".join([f"{number}:" for number in numbers])
    return f"3x3:{'d' if has_diagonals else ''}:k:{cells}"


def has_code(cage: Killer) -> bool:
    """Return whether the code has a number for a cage."""
    if cage.repeats:
        return False
    if cage.total is None:
        return len(cage.cells) > 1
    return 0 < cage.total < 256


KILLER_TEXT = Format(
    name="killer-text",
    summary="cages of a 9x9 killer Sudoku in a code of 81 cells",
    by_line=True,
    sniff=lambda text: (_BEGINS_CODE.match(text) or _ARROWS.fullmatch(text.strip())) is not None,
    read=read_code,
    write=write_code,
    examples=(f"3x3::k:{'3840:' * 3}{'2305:' * 2}{'0:' * 76}", f"F<<9<{'0' * 76}"),
)
KILLER_LAYOUT = Format(
    name="killer-layout",
    summary="cages of a killer Sudoku as letters, below their sums",
    sniff=lambda text: _SUMS.fullmatch(text.strip().split("\n")[0]) is not None,
    read=read_layout,
    examples=("a=5 b=3\na a . .\nb b . .\n. . . .\n. . . .\n",),
)
FORMATS = (KILLER_TEXT, KILLER_LAYOUT)
