"""Large boards to measure with: a filled pattern grid, shuffled by the symmetries of its geometry, some clues kept.

    python benchmarks/generate_large.py ORDER SHARE [SEED] [--kind random|deduced|dug] > board.txt

``random`` keeps a random share of the cells. ``deduced`` takes clues away in random order, but only such as follow,
when they go, from what is left by a naked or a hidden single; put back in the opposite order, singles solve the board,
so it is unique. These two look alike and are worlds apart: with two thirds
of the cells kept, random boards of order 64 and more leave thousands of cells open after propagation. Near 58 % they
are harder at order 25 to 64. ``dug`` takes clues away in random order as long as propagation still solves the board,
which ends where it barely does: chains of hundreds of steps remain, each of which settles a few cells. This kind alone
uses gridproof, and takes some seconds.
"""

from __future__ import annotations

import argparse
import sys
from random import Random

import numpy as np

LARGEST_ORDER_IN_CHARACTERS = 35
CHARACTERS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
KINDS = ("random", "deduced", "dug")
MOST_TRIES = 60
"""Number of times that a ``dug`` board is propagated: from then on a try takes away a clue or two."""


def box_shape(order: int) -> tuple[int, int]:
    """Rows and columns of a box, as square as they can be."""
    rows = next(rows for rows in range(int(order**0.5), 0, -1) if order % rows == 0)
    return rows, order // rows


def shuffled_lines(order: int, lines_per_group: int, random: Random) -> list[int]:
    """The lines 0 .. order-1 with the groups of lines, and the lines of each group, in any order."""
    groups = list(range(order // lines_per_group))
    random.shuffle(groups)
    lines = []
    for group in groups:
        inside = list(range(group * lines_per_group, (group + 1) * lines_per_group))
        random.shuffle(inside)
        lines += inside
    return lines


def filled(order: int, random: Random) -> list[list[int]]:
    """A filled grid, by rows: the cyclic pattern with its rows, columns and symbols shuffled."""
    rows, columns = box_shape(order)
    symbols = list(range(1, order + 1))
    random.shuffle(symbols)
    across = shuffled_lines(order, columns, random)
    # the row's place in its band shifts by a whole box, its band by one cell
    starts = [columns * (row % rows) + row // rows for row in shuffled_lines(order, rows, random)]
    return [[symbols[(start + column) % order] for column in across] for start in starts]


def board(order: int, share: float, seed: int = 0, kind: str = "random") -> list[list[int]]:
    """A board with this share of its cells kept (rounded), by rows, 0 where there is no clue.

    Where a ``deduced`` or ``dug`` board cannot spare so many clues, it keeps more.
    """
    random = Random(f"{order} {share} {seed}")
    grid = filled(order, random)
    cells = random.sample(range(order * order), order * order)
    blanks = order * order - round(order * order * share)
    if kind != "random":
        cells = _deducible(grid, cells, blanks) if kind == "deduced" else _dug(grid, cells, blanks)
    for cell in cells[:blanks]:
        grid[cell // order][cell % order] = 0
    return grid


def _dug(grid: list[list[int]], cells: list[int], blanks: int) -> list[int]:
    """Cells that can be emptied together, taken block by block: what then stays open of a block keeps its clue."""
    from gridproof.models.propagation import reduce
    from gridproof.puzzle.board import Board
    from gridproof.puzzle.geometry import Geometry

    geometry, blanked, block, first = Geometry.classic(*box_shape(len(grid))), list[int](), len(cells) // 40, 0
    full = [symbol for row in grid for symbol in row]
    for _ in range(MOST_TRIES):
        tried = cells[first : first + block]
        emptied = {*blanked, *tried}
        clues = tuple(0 if cell in emptied else symbol for cell, symbol in enumerate(full))
        still_open = set(reduce(Board(geometry, clues)).cells.tolist())
        spared = [cell for cell in tried if cell not in still_open]
        blanked += spared
        first += len(tried)
        block = int(block * 1.3) + 1 if 2 * len(spared) > len(tried) else max(1, block // 2)
        if len(blanked) >= blanks or first >= len(cells):
            break
    return blanked


def _deducible(grid: list[list[int]], cells: list[int], blanks: int) -> list[int]:
    """The first cells that can be emptied one after the other, each a single of the board that is left."""
    order = len(grid)
    rows, columns = box_shape(order)
    symbol_of = np.array(grid, dtype=np.int64).ravel() - 1
    cell = np.arange(order * order)
    boxes = cell // order // rows * (order // columns) + cell % order // columns
    house_of = np.stack((cell // order, order + cell % order, 2 * order + boxes))
    members = [
        np.flatnonzero(house_of[kind] == house)
        for kind in range(3)
        for house in range(kind * order, (kind + 1) * order)
    ]
    taken = np.ones((3 * order, order), dtype=bool)  # whether a clue of the house is this symbol
    empty = np.zeros(order * order, dtype=bool)
    blanked: list[int] = []
    for one in cells:
        if len(blanked) == blanks:
            break
        houses, symbol = house_of[:, one], symbol_of[one]
        taken[houses, symbol] = False
        single = not (~taken[houses].any(axis=0)).sum() > 1
        for house in houses.tolist():
            if single:
                break
            rest = members[house][empty[members[house]]]
            single = bool(taken[house_of[:, rest], symbol].any(axis=0).all())
        if single:
            empty[one] = True
            blanked.append(one)
        else:
            taken[houses, symbol] = True
    return blanked


def as_text(rows: list[list[int]]) -> str:
    """One row on each line: characters up to order 35, numbers with blanks between them above."""
    order = len(rows)
    if order <= LARGEST_ORDER_IN_CHARACTERS:
        symbols = "." + CHARACTERS
        return "".join("".join(symbols[entry] for entry in row) + "\n" for row in rows)
    return "".join(" ".join(map(str, row)) + "\n" for row in rows)


def main(arguments: list[str] | None = None) -> None:
    """Write one board to standard output."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("order", type=int, help="number of rows, columns and symbols")
    parser.add_argument("share", type=float, help="of the cells that keep their clue, 0 to 1")
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("--kind", choices=KINDS, default="random")
    wanted = parser.parse_args(arguments)
    sys.stdout.write(as_text(board(wanted.order, wanted.share, wanted.seed, wanted.kind)))


if __name__ == "__main__":
    main()
