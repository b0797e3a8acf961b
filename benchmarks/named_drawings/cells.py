"""The cells of drawings and of patterns on a board, and the words of rules about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from gridproof.formats import Puzzle
from gridproof.formats.drawn import groups_of
from gridproof.formats.drawn.items import DrawnItem
from gridproof.rules.kinds.killer import Killer

Cell = tuple[int, int]
"""A row and a column, from 1."""

BESIDE = [(0, 1), (1, 0)]
SLANTED = [(1, 1), (1, -1)]
RISING = [(1, -1)]
KNIGHTS = [(1, 2), (2, 1), (1, -2), (2, -1)]
"""Ways from a cell to another one: rows down, columns to the right."""


def name_of(cell: Cell) -> str:
    """Return the name of a cell."""
    return f"r{cell[0]}c{cell[1]}"


def names_of(cells: Iterable[int]) -> list[str]:
    """Return the names of cells of a 9x9 by their numbers from 0."""
    return [name_of((cell // 9 + 1, cell % 9 + 1)) for cell in cells]


def write_lines(lines: Iterable[Iterable[Cell]]) -> str:
    """Return lines of cells as a rule takes them."""
    return " / ".join(" ".join(name_of(cell) for cell in line) for line in lines)


def any_of(rules: Iterable[str]) -> str:
    """Return the rule that one of some rules holds."""
    return "any-of " + " ".join(f"[ {rule} ]" for rule in rules)


def greatest(digit: int) -> str:
    """Return the pattern of a line whose greatest digit is this one."""
    return f"[1-{digit}]*{digit}[1-{digit}]*"


def pairs_at(offsets: Iterable[Cell], n: int = 9, within: int = 0) -> Iterator[list[Cell]]:
    """Yield the pairs of cells that are an offset apart. within: only those inside a box of so many rows."""
    for row, column in product(range(1, n + 1), repeat=2):
        for down, right in offsets:
            other = (row + down, column + right)
            if not (1 <= other[0] <= n and 1 <= other[1] <= n):
                continue
            if within and (row - 1) // within != (other[0] - 1) // within:
                continue
            if within and (column - 1) // within != (other[1] - 1) // within:
                continue
            yield [(row, column), other]


def windows(size: int, n: int = 9) -> Iterator[list[Cell]]:
    """Yield each run of so many neighbours in a row or a column."""
    for first, start in product(range(1, n + 1), range(1, n - size + 2)):
        yield [(first, start + step) for step in range(size)]
        yield [(start + step, first) for step in range(size)]


def squares(n: int = 9) -> Iterator[list[Cell]]:
    """Yield the four cells of each square of two rows and columns."""
    for row, column in product(range(1, n), repeat=2):
        yield [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]


def opposite_cells() -> Iterator[list[Cell]]:
    """Yield the pairs of cells opposite each other, as seen from the centre of a 9x9."""
    for number in range(40):
        row, column = divmod(number, 9)
        yield [(row + 1, column + 1), (9 - row, 9 - column)]


def turned_cells() -> Iterator[list[Cell]]:
    """Yield each cell of a 9x9 with the one that a quarter turn makes of it."""
    for row, column in product(range(1, 10), repeat=2):
        yield [(row, column), (column, 10 - row)]


def items_of(puzzle: Puzzle, letter: str) -> Sequence[DrawnItem]:
    """Return the drawings of a letter."""
    groups = {group.letter: group for group in groups_of(puzzle)}
    return groups[letter].items


def lines_of(puzzle: Puzzle, letter: str) -> list[str]:
    """Return the cells of each drawing of a letter."""
    geometry = puzzle.board.geometry
    return [" ".join(geometry.cell_name(cell) for cell in item.cells) for item in items_of(puzzle, letter)]


def cages_of(puzzle: Puzzle) -> list[Killer]:
    """Return the killer cages that were read, or are among the drawings."""
    cages = [rule for rule in puzzle.board.rules if isinstance(rule, Killer)]
    for group in groups_of(puzzle):
        if group.look.form == "cage":
            cages += [Killer(total=None, cells=item.cells) for item in group.items]
    return cages


def cells_in(puzzle: Puzzle, cage: Killer) -> str:
    """Return the names of the cells of a cage."""
    return " ".join(puzzle.board.geometry.cell_name(cell) for cell in cage.cells)
