"""Boards of every kind for the tests of the drawings."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"

JIGSAW = Geometry.jigsaw("AAABB ADABB CDDDB CCDEE CCEEE")
SCATTERED = Geometry.jigsaw("ABBA BAAB CDDC DCCD")  # regions need not be connected

GEOMETRIES = {
    "1": Geometry.latin(1),
    "Latin 2": Geometry.latin(2),
    "Latin 5": Geometry.latin(5),
    "flat boxes": Geometry.classic(1, 3),
    "tall boxes": Geometry.classic(3, 1),
    "2x2": Geometry.classic(2),
    "2x3": Geometry.classic(2, 3).with_diagonals(),
    "3x2": Geometry.classic(3, 2),
    "3x3": Geometry.classic(3),
    "windows": Geometry.classic(3).with_windoku().with_diagonals(),
    "groups": Geometry.classic(3).with_disjoint_groups(),
    "jigsaw": JIGSAW,
    "scattered": SCATTERED,
    "extra": Geometry.classic(2).with_houses([[0, 5, 10, 15], [1, 2, 4, 8]], 'a "<&>" \x00'),
    "3x4": Geometry.classic(3, 4),
    "5x7": Geometry.classic(5, 7),
    "6x6": Geometry.classic(6),
}


def classic(filled: bool = False) -> Board:
    """A well-known 9x9 puzzle, with its solution filled in or without."""
    board = Board.from_symbols(Geometry.classic(3), PUZZLE)
    return board.with_filled(tuple(map(int, SOLUTION))) if filled else board


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Boards with clues, filled cells and pencil marks thrown at random; most contradict themselves."""
    geometry = draw(st.sampled_from(list(GEOMETRIES.values())))
    rnd = random.Random(draw(st.integers(0, 2**32)))  # a draw for each cell would take Hypothesis minutes
    n, count = geometry.order, geometry.cell_count
    density = rnd.choice((0.0, 0.3, 1.0))
    clues = tuple(rnd.randint(1, n) if rnd.random() < density else 0 for _ in range(count))
    board = Board(geometry, clues)
    if rnd.random() < 0.5:
        board = board.with_filled([rnd.choice((0, rnd.randint(1, n))) for _ in range(count)])
    if n <= 12 and rnd.random() < 0.5:
        board = board.with_marks(rnd.choice((0, (1 << n) - 1, rnd.getrandbits(n))) for _ in range(count))
    return board


@st.composite
def boards_with_cells(draw: st.DrawFn) -> tuple[Board, set[int], set[int]]:
    """A board and two groups of its cells."""
    board = draw(boards())
    cells = st.sets(st.integers(0, board.geometry.cell_count - 1), max_size=8)
    return board, draw(cells), draw(cells)
