"""Random boards for experiments, each from its own seed: instances with holes, full grids, symmetric images.

Instances are full grids from which cells are taken, and Latin squares that were begun at random. Latin squares come
from a Markov chain, boards with boxes from a pattern that is shuffled. Images of a board are other boards that are as
hard in principle, and often not for a solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal, TypeAlias

from gridproof.arguments import checked
from gridproof.errors import InputError
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple

Kind: TypeAlias = Literal["qwh", "qcp", "sudoku"]

KINDS: dict[Kind, str] = {
    "qwh": "quasigroup with holes: a random Latin square with cells taken away, so it has a solution",
    "qcp": "quasigroup completion: a Latin square begun at random, which may have no solution",
    "sudoku": "a full grid with boxes with cells taken away, so it has a solution",
}

COLUMNS = ("puzzle", "solution", "kind", "order", "holes", "empty", "balanced", "seed", "status")
"""Columns of the table of ``gridproof instances``. holes: the share as asked for. empty: the number of cells."""

_MOST_TRIES = 100
"""Number of attempts to begin a Latin square, each of which ends when it can take no more symbols."""


@dataclass(frozen=True, slots=True, repr=False)
class Instance:
    """A board with the parameters that it was made from; the same parameters give the same board.

    Attributes
    ----------
    kind : str
        One of ``KINDS``.
    board : Board
        The board with its holes.
    holes : int
        How many cells are empty.
    balanced : bool
        Whether each house has as many holes as any other, or one more.
    seed : int
        Of all random choices.
    solution : Grid or None
        The grid from which cells were taken; none is known for ``qcp``.

    Examples
    --------
    >>> instance("sudoku", Geometry.classic(3), 0.5, seed=7)
    <Instance: sudoku, 9x9, 3x3 boxes, 40 holes, seed 7>
    """

    kind: Kind
    board: Board
    holes: int
    balanced: bool
    seed: int
    solution: SymbolTuple | None

    def __repr__(self) -> str:
        made = f"{self.holes} holes{', balanced' if self.balanced else ''}, seed {self.seed}"
        return f"<Instance: {self.kind}, {self.board.geometry.description}, {made}>"

    def _repr_html_(self) -> str:
        from gridproof.pictures.svg import board_card

        rows = [("holes", self.holes), ("balanced", "yes" if self.balanced else None), ("seed", self.seed)]
        return board_card(f"{self.kind}: {KINDS[self.kind]}.", rows, self.board)


@checked
def instance(kind: Kind, geometry: Geometry, holes: float, seed: int = 0, *, balanced: bool = False) -> Instance:
    """Make a random board with holes.

    Of large orders, Latin squares with about 42 % holes are hardest, and half of the ``qcp`` have a solution there; of
    order 20 it is half of them at 50 %. Balanced holes make ``qwh`` harder.

    Parameters
    ----------
    kind : {"qwh", "qcp", "sudoku"}
        See ``KINDS``.
    geometry : Geometry
        A Latin square for ``qwh`` and ``qcp``, with boxes for ``sudoku``.
    holes : float
        The share of empty cells, 0 to 1; rounded to whole cells.
    seed : int
        Of all random choices.
    balanced : bool
        As many holes in each house as in any other, or one more; not for ``qcp``.

    Returns
    -------
    Instance
        The board, and what it was made from.

    Raises
    ------
    InputError
        For what does not fit together, or a Latin square that cannot be begun with so few holes.

    References
    ----------
    Gomes and Selman 1997, Problem structure in the presence of perturbations (``qcp``). Achlioptas, Gomes, Kautz and
    Selman 2000, Generating satisfiable problem instances (``qwh``). Kautz and others 2001, Balance and filtering in
    structured satisfiable problems. Ansotegui and others 2006, Generating highly balanced Sudoku problems as hard
    problems.

    Examples
    --------
    >>> made = instance("qwh", Geometry.latin(10), 0.42, seed=1, balanced=True)
    >>> made.holes, [made.board.clues[row * 10 : row * 10 + 10].count(0) for row in range(10)]
    (42, [4, 4, 4, 4, 5, 4, 4, 4, 5, 4])
    """
    if not 0 <= holes <= 1:
        raise InputError(f"{holes!r} of the cells empty; expected a share from 0 to 1")
    plain = Geometry.latin(geometry.order) if kind != "sudoku" else geometry
    if geometry != plain or (kind == "sudoku" and (geometry.box_shape is None or geometry.families or geometry.extra)):
        wanted = "boxes and no further houses" if kind == "sudoku" else "a Latin square"
        raise InputError(f"{kind} on a board of {geometry.description}; expected {wanted}")
    if balanced and kind == "qcp":
        raise InputError("balanced qcp; expected qwh or sudoku, since qcp has no full grid to take cells from")
    random = Random(f"{kind} {geometry.description} {holes:g} {balanced} {seed}")
    number = round(holes * geometry.cell_count)
    if kind == "qcp":
        return Instance(kind, Board(geometry, _begun(geometry.order, number, random)), number, False, seed, None)
    grid = random_grid(geometry, random)
    empty = set(_balanced(geometry, number, random) if balanced else random.sample(range(len(grid)), number))
    clues = tuple(0 if cell in empty else symbol for cell, symbol in enumerate(grid))
    return Instance(kind, Board(geometry, clues), number, balanced, seed, grid)


def _balanced(geometry: Geometry, number: int, random: Random) -> list[int]:
    """Choose cells that are spread evenly over all houses: those of the first symbols of another full grid."""
    other = random_grid(geometry, random)
    order = random.sample(range(geometry.cell_count), geometry.cell_count)
    return sorted(order, key=other.__getitem__)[:number]


def _begun(order: int, holes: int, random: Random) -> tuple[int, ...]:
    """Begin a Latin square with this number of holes: symbol after symbol where row and column do not have it yet."""
    for _ in range(_MOST_TRIES):
        clues = [0] * (order * order)
        missing_in = [set(range(1, order + 1)) for _ in range(2 * order)]
        missing = len(clues) - holes
        for cell in random.sample(range(len(clues)), len(clues)):
            row, column = missing_in[cell // order], missing_in[order + cell % order]
            if missing and (possible := sorted(row & column)):
                clues[cell] = symbol = random.choice(possible)
                row.remove(symbol)
                column.remove(symbol)
                missing -= 1
        if not missing:
            return tuple(clues)
    raise InputError(f"a Latin square of order {order} begun with {holes} holes; expected more holes: none was found")


_Entry: TypeAlias = tuple[int, int, int]


def random_grid(geometry: Geometry, random: Random) -> SymbolTuple:
    """Return a random full grid of a Latin square or of a board with boxes.

    Parameters
    ----------
    geometry : Geometry
        Without further houses.
    random : Random
        Where the choices come from.

    Examples
    --------
    >>> grid = random_grid(Geometry.classic(2), Random(1))
    >>> sorted(grid[:4]), sorted(grid[::4])
    ([1, 2, 3, 4], [1, 2, 3, 4])
    """
    if geometry.box_shape is None:
        return _latin_square(geometry.order, random)
    return _shuffled_pattern(geometry.order, *geometry.box_shape, random)


def _latin_square(order: int, random: Random) -> SymbolTuple:
    """Return the Latin square of a chain whose limit is uniform, after order**3 steps and 10*order squares.

    Jacobson and Matthews 1996, Generating uniformly distributed random Latin squares. A square is a cube of entries
    (row, column, symbol) with one entry in each line; a step exchanges eight of them. On the way one entry may be
    counted -1: then the lines through it hold two others, and what is reached is no Latin square.
    """
    numbers = range(order)
    # the third coordinates of the entries of a line: by row and column, by row and symbol, by column and symbol
    symbols, columns, rows = (
        [[[(second + sign * first) % order] for second in numbers] for first in numbers] for sign in (1, -1, -1)
    )
    negative: _Entry | None = None
    steps = squares = 0
    while order > 1 and (steps < order**3 or squares < 10 * order or negative):
        row, column, symbol = negative or [random.randrange(order) for _ in range(3)]
        while negative is None and symbol in symbols[row][column]:
            symbol = random.randrange(order)
        other_symbol = random.choice(symbols[row][column])
        other_column = random.choice(columns[row][symbol])
        other_row = random.choice(rows[column][symbol])
        for entry, comes in (
            ((row, column, symbol), True),
            ((row, column, other_symbol), False),
            ((row, other_column, symbol), False),
            ((other_row, column, symbol), False),
            ((row, other_column, other_symbol), True),
            ((other_row, column, other_symbol), True),
            ((other_row, other_column, symbol), True),
            ((other_row, other_column, other_symbol), False),
        ):
            r, c, s = entry
            if entry == negative:
                negative = None
            elif comes:
                symbols[r][c].append(s)
                columns[r][s].append(c)
                rows[c][s].append(r)
            elif s in symbols[r][c]:
                symbols[r][c].remove(s)
                columns[r][s].remove(c)
                rows[c][s].remove(r)
            else:
                negative = entry
        steps += 1
        squares += negative is None
    return tuple(symbols[row][column][0] + 1 for row in numbers for column in numbers)


def _shuffled_pattern(order: int, rows: int, columns: int, random: Random) -> SymbolTuple:
    """Return the cyclic pattern with its symbols, bands, stacks, rows and columns in any order.

    Lewis 2007, Metaheuristics can solve Sudoku puzzles. All these grids are one grid seen in different ways, so they
    are quick for any order, but no uniform sample.
    """
    symbols = random.sample(range(1, order + 1), order)
    across = shuffled_lines(order, columns, random)
    # the row's place in its band shifts by a whole box, its band by one cell
    starts = [columns * (row % rows) + row // rows for row in shuffled_lines(order, rows, random)]
    return tuple(symbols[(start + column) % order] for start in starts for column in across)


def shuffled_lines(order: int, in_a_group: int, random: Random) -> list[int]:
    """Return the lines 0 .. order-1, with the groups of lines and the lines of each group in any order."""
    groups = random.sample(range(order // in_a_group), order // in_a_group)
    return [group * in_a_group + line for group in groups for line in random.sample(range(in_a_group), in_a_group)]


def image(board: Board, random: Random) -> Board:
    """Return the board with its symbols renamed and, where its houses allow it, its lines in another order.

    On a Latin square rows and columns take any order; with boxes bands and stacks do, and the lines in them. On other
    boards (jigsaws, further houses) the cells stay.

    Parameters
    ----------
    board : Board
        Without rules, for which another order of symbols may make a difference.
    random : Random
        Where the choices come from.

    Raises
    ------
    InputError
        For a board with rules.

    Examples
    --------
    >>> from gridproof import parse, verify
    >>> verify(image(parse("1... ..2. .3.. ...4"), Random(1))).is_unique
    True
    """
    geometry = board.geometry
    if board.rules:
        raise InputError("symmetries of a board with rules; expected a board without")
    n = geometry.order
    rows = columns = list(range(n))
    if geometry.regions is None and not geometry.families and not geometry.extra:
        high, wide = geometry.box_shape or (n, n)
        rows, columns = shuffled_lines(n, high, random), shuffled_lines(n, wide, random)
    places = [row * n + column for row in rows for column in columns]
    names = [0, *random.sample(range(1, n + 1), n)]
    marks = None
    if board.marks is not None:
        marks = tuple(
            sum(1 << (names[symbol + 1] - 1) for symbol in range(n) if board.marks[place] >> symbol & 1)
            for place in places
        )
    return Board(geometry, tuple(names[board.clues[place]] for place in places), marks=marks)
